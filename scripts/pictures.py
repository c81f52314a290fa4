#!/usr/bin/env python3
"""Makes the pictures of the screen and of a report that the pages show, from the running program. Tests compare their words
with what the program shows: those of the screen in the SVG, those of the report in report.txt.

    cargo build --release
    scripts/pictures.py [FOLDER]        # docs/pictures by default

Needs tmux, Chromium (or Chrome) and the font DejaVu Sans Mono. TEXAM names another program than target/release/texam.
"""

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXAM = os.environ.get("TEXAM", str(ROOT / "target/release/texam"))
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

COLUMNS, LINES = 142, 40
# Width, height and base line of a letter of DejaVu Sans Mono at 14 pixels.
LETTER, LINE, BASE = 8.43, 17, 13
SIZE = f'width="{COLUMNS * LETTER:.0f}" height="{LINES * LINE}"'

# The sixteen colours of a terminal with a dark ground.
COLOURS = ["#1d1f21", "#cc6666", "#8fae4d", "#e0b860", "#6f9fd0", "#b294bb", "#7ab8b0", "#c5c8c6",
           "#707880", "#e58a8a", "#b5d06a", "#f5d98a", "#93bfe8", "#d0b0dc", "#9ed8d0", "#ffffff"]
GROUND, INK = "#17191c", "#d7dae0"

# SVG shows several blanks as one.
NO_BREAK = "\N{NO-BREAK SPACE}"


def colour(number):
    """The colour of this number out of the 256 of a terminal."""
    if number < 16:
        return COLOURS[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    steps = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{steps[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))


class Style:
    """What escape sequences have set."""

    def __init__(self):
        self.ink, self.ground, self.bold, self.faint, self.reverse, self.underline = None, None, False, False, False, False

    def take(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (38, 48):
                if codes.pop(0) == 5:
                    value = colour(codes.pop(0))
                else:
                    value, codes = "#" + "".join(f"{part:02x}" for part in codes[:3]), codes[3:]
                setattr(self, "ink" if code == 38 else "ground", value)
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.faint = True
            elif code == 4:
                self.underline = True
            elif code == 7:
                self.reverse = True
            elif code == 22:
                self.bold = self.faint = False
            elif code == 24:
                self.underline = False
            elif code == 27:
                self.reverse = False
            elif 30 <= code < 38 or 90 <= code < 98:
                self.ink = COLOURS[code - 30 if code < 38 else code - 82]
            elif 40 <= code < 48 or 100 <= code < 108:
                self.ground = COLOURS[code - 40 if code < 48 else code - 92]
            elif code == 39:
                self.ink = None
            elif code == 49:
                self.ground = None

    def colours(self):
        ink, ground = self.ink or INK, self.ground or GROUND
        return (ground, ink) if self.reverse else (ink, ground)

    def attributes(self):
        return (f'fill="{self.colours()[0]}"' + (' font-weight="bold"' if self.bold else "") + (' opacity=".65"' if self.faint else "")
                + (' text-decoration="underline"' if self.underline else ""))


def frame(screen, comment):
    """The screen as a part of an SVG, with a comment that says how the program shows it. Each line is one text, in parts of one style. A
    part has its place and its width, and a piece is a part of its own, so that other fonts move nothing."""
    style, grounds, lines = Style(), [], []
    for row, line in enumerate(screen.split("\n")[:LINES]):
        parts, column = [], 0
        for text in re.findall(r"\x1b\[[0-9;]*m|[♔-♟]|[^♔-♟\x1b]+", line):
            if text.startswith("\x1b"):
                style.take(text[2:-1])
                continue
            x, width, ground = column * LETTER, len(text) * LETTER, style.colours()[1]
            if ground != GROUND:
                grounds.append(f'<rect x="{x:.2f}" y="{row * LINE}" width="{width:.2f}" height="{LINE}" fill="{ground}"/>')
            size = 'font-size="17"' if "♔" <= text <= "♟" else f'textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs"'
            parts.append(f'<tspan x="{x:.2f}" {size} {style.attributes()}>'
                         f"{html.escape(text, quote=False).replace(' ', NO_BREAK)}</tspan>")
            column += len(text)
        lines.append(f'<text y="{row * LINE + BASE}">{"".join(parts)}</text>')
    return "\n".join([f"<!-- screen {COLUMNS} x {LINES}, {comment} -->", f'<rect {SIZE} fill="{GROUND}"/>',
                      '<g shape-rendering="crispEdges">', *grounds, "</g>",
                      '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">', *lines, "</g>"])


def drawing(screen, comment):
    """The screen as SVG."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {SIZE}>\n{frame(screen, comment)}\n</svg>\n'


# Seconds for which each frame of the moving picture is shown.
SECONDS = 4


def moving(frames):
    """Frames one after the other, and for who wants no motion, or where nothing moves, the second one."""
    whole = SECONDS * len(frames)
    style = (f"g.f {{ visibility: hidden; animation: shown {whole}s step-end infinite }} g.f:nth-of-type(2) {{ visibility: visible }} "
             f"@keyframes shown {{ 0% {{ visibility: visible }} {100 / len(frames):.3f}%, 100% {{ visibility: hidden }} }} "
             "@media (prefers-reduced-motion: reduce) { g.f { animation: none } }")
    groups = [f'<g class="f" style="animation-delay: {at * SECONDS - whole}s">\n{content}\n</g>' for at, content in enumerate(frames)]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {SIZE}>', f"<style>{style}</style>", *groups, "</svg>"]) + "\n"


def screens(arguments, steps, folder):
    """What the screen of the program shows after the keys of each step, once all marks of the step stand on it and nothing changes."""
    tmux = ["tmux", "-L", f"texam-pictures-{os.getpid()}", "-f", "/dev/null"]
    command = f"cd {shlex.quote(str(folder))} && LC_ALL=C.UTF-8 XDG_STATE_HOME=/dev/null {shlex.quote(TEXAM)} screen --theme dark {arguments}"
    subprocess.run([*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), command], check=True)
    subprocess.run([*tmux, "set", "-g", "status", "off"], check=True)
    shot = lambda: subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True, capture_output=True, text=True).stdout
    shots = []
    try:
        time.sleep(3)
        for keys, marks in steps:
            for key in keys:
                subprocess.run([*tmux, "send-keys", key], check=True)
                time.sleep(0.3)
            before, now = None, ""
            for _ in range(60):
                time.sleep(3)
                before, now = now, shot()
                if now == before and all(mark in now for mark in marks):
                    break
            else:
                sys.exit(f"the screen never showed {marks}:\n{now}")
            shots.append(now)
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
    return shots


def words(report):
    """The words of a report down to its plots. What the pictures show of them is compared with today's report."""
    page = report.read_text(encoding="utf-8").split('<section id="plots">')[0]
    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    lines = html.unescape(re.sub(r"<[^>]*>", "\n", page)).splitlines()
    return "".join(f"{line.strip()}\n" for line in lines if line.strip())


def photograph(source, picture, width, height, scale=1):
    """A picture of a page, made by a browser without a window."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("expected Chromium or Chrome on the PATH, but found neither; install chromium")
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
             f"--force-device-scale-factor={scale}", f"--window-size={width},{height}", f"--screenshot={picture}",
             "--virtual-time-budget=5000", f"file://{source}"],
            check=True, stderr=subprocess.DEVNULL)


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/pictures").resolve()
    for tool in ("tmux", TEXAM):
        if shutil.which(tool) is None:
            sys.exit(f"{tool}: not found; install tmux, and build the program with cargo build --release")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("games", "params", "stats"):
            shutil.copytree(ROOT / part, folder / part)
        for name, run, keys, marks in [("screen.svg", "", ["g", "283", "Enter"], ["Petrosian", "rank 0/"]),
                                       ("screen-run.svg", "stats/gm1988.stat", [], ["15"])]:
            comment = f"of {run}" if run else f"keys: {' '.join(keys).lower()}"
            (out / name).write_text(drawing(screens(run, [(keys, marks)], folder)[0], comment), encoding="utf-8")
            print(out / name)
        # A game is found, a move is looked at, and fits change the weights.
        steps = [(["g", "fischer", "Space", "petrosian"], ["Petrosian"]), (["Enter"], ["rank 0/"]), (["Space"], ["rank 1/"]),
                 (["F", "y"], ["run-001.stat"]), (["Escape"], ["rank 0/"])]
        frames, keys = [], []
        for (new, _), shown in zip(steps, screens("--every 10 --iterations 3", steps, folder)):
            keys += [key.lower().replace("escape", "esc") if len(key) > 1 else key for key in new]
            frames.append(frame(shown, f"keys: {' '.join(keys)} of every=10 iterations=3"))
        (out / "screen-moving.svg").write_text(moving(frames), encoding="utf-8")
        print(out / "screen-moving.svg")
        report = folder / "gm1988.html"
        subprocess.run([TEXAM, "report", "stats/gm1988.stat", "-o", report], cwd=folder, check=True)
        frames = "".join(
            f'<iframe src="gm1988.html{part}" style="border:0;width:930px;height:1130px;margin:15px 0 15px 20px"></iframe>'
            for part in ("", "#positions"))
        both = folder / "both.html"
        both.write_text(f'<body style="margin:0;white-space:nowrap;background:#d8d6cc">{frames}', encoding="utf-8")
        photograph(both, out / "report.png", 1924, 1160, scale=0.65)
        print(out / "report.png")
        (out / "report.txt").write_text(words(report), encoding="utf-8")


if __name__ == "__main__":
    main()
