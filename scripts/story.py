#!/usr/bin/env python3
"""Makes the engine of docs/STORY.md chapter by chapter: fits, matches and agreement, the tables of the page and its pictures.

    make                                  # the binary
    scripts/story.py                      # about 40 minutes on one core; writes docs/story.json, the tables and the pictures
    scripts/story.py --chapters 3         # the first three chapters only, without controls, into the folder of --out
    scripts/story.py --draw               # the tables and the pictures anew from docs/story.json, without computing
    scripts/story.py --check              # compares the page and the pictures with docs/story.json, without computing

Each chapter continues the set of weights of the one before with one idea more. Where it gains, a control continues that set for as many
fits without the idea. Results that are in the folder already are not made again.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/story.json"
PAGE = ROOT / "docs/STORY.md"
PICTURES = ROOT / "docs/pictures/story"

FITS, EVERY, GAMES, NODES = 4, 4, 1000, 1000
OPPONENT = "start"

TERMS = "table:pst_*,b_pair,trade_*,placement,pawns,passed,rooks,king,registers"
FREEZE = "--freeze rookpawn,pass_run,b_trap"
CONSTANT = "--force constant --balance none --variance off"

# The name of each chapter, the phase of its evaluation, and the options of its fits.
CHAPTERS = [
    ("material", "none", None),
    ("squares", "none", f"--tune table:pst_* {CONSTANT}"),
    ("gradients", "none", f"--tune {TERMS} {FREEZE} {CONSTANT}"),
    ("force", "none", f"--tune {TERMS} {FREEZE} --force linear --balance none --variance off"),
    ("balance", "none", f"--tune {TERMS} {FREEZE} --force linear --balance all --variance on"),
    ("tables", "none", f"--tune {TERMS},table:* {FREEZE} --force linear --balance all --variance on"),
    ("tapering", "fruit", f"--tune {TERMS},table:* {FREEZE} --force linear --balance all --variance on"),
    ("softmax", "fruit", f"--tune {TERMS},table:* {FREEZE} --objective softmax"),
    ("attack", "fruit", f"--tune {TERMS},table:*,attack {FREEZE} --objective softmax"),
]


def copy_opening_to_endgame(before, after):
    """Writes a set whose endgame weights are its opening weights. Those of the king's shelter have none, and stay 0."""
    lines, opening, is_endgame, group = [], [], False, ""
    for line in before.read_text().splitlines():
        words = line.split()
        if line.startswith("# ") and words[1].isdigit():
            group = words[2]
        if group == "king" or not words:
            pass
        elif line.startswith("  "):
            if words[0] in ("open", "end", "tune"):
                is_endgame = words[0] == "end"
                if words[0] == "open":
                    opening = []
            elif len(words) == 4 and words[3] in ("tune", "frozen") and words[2] not in ("tune", "frozen"):
                # A table of one dimension has both weights of a cell in one line.
                line = f"  {words[0]} {words[1]} {words[1]} {words[3]}"
            elif is_endgame:
                line = opening.pop(0)
            else:
                opening.append(line)
        elif not line.startswith("#") and "cells" not in words[1:2] and words[0] not in ("texam-par", "features"):
            at = 2 if words[1] == "gradient" else 1
            if words[at + 1] != "-":
                # The comment that follows the numbers is kept.
                words[at + 1] = words[at]
                line = " ".join(words)
        lines.append(line)
    after.write_text("\n".join(lines) + "\n")


class Story:
    def __init__(self, options):
        self.binary, self.out = options.binary, Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        games = (ROOT / "games/gm1988.pgn").read_text().split("[Event ")[1:]
        self.held_out = self.out / "held-out.pgn"
        self.held_out.write_text("".join("[Event " + game for game in games[2::3]))

    def texam(self, name, line):
        """What a command prints as JSON; from the folder, if it ran before."""
        path = self.out / f"{name}.json"
        if not path.exists():
            run = subprocess.run([self.binary, *map(str, line), "--json"], stdout=subprocess.PIPE)
            # A fit after which the games held out are judged worse ends with 1 and a warning.
            if run.returncode and not (run.returncode == 1 and json.loads(run.stdout).get("warning")):
                sys.exit(f"texam {' '.join(map(str, line))}: ended with exit code {run.returncode}")
            path.write_bytes(run.stdout)
            print(f"{name}: texam {' '.join(map(str, line))}", flush=True)
        return json.loads(path.read_text())

    def fit(self, name, start, phase, fits):
        line = ["fit", "--par", start, "--phase", phase, *fits.split(), "--every", EVERY, "--holdout", "1/3", "--iterations", FITS]
        found = self.texam(f"{name}-fit", [*line, "--out", self.out, "--name", name, "--overwrite"])
        last = found["passes"][-1]
        return {
            "weights": sum(weight["from"] != weight["to"] for weight in found["weights"]),
            "temperature": found["temperature"],
            "spreads": [one["spread"] for one in found["passes"]],
            "gains": [one["mean_gain"] for one in found["passes"]],
            "match_fitted": last["match"],
            "ranks_held_out": [one["holdout_mean_rank"] for one in found["passes"]],
        }

    def match(self, name, first, second):
        line = ["match", first[0], second[0], "--phase", f"{first[1]},{second[1]}", "--games", GAMES, "--nodes", NODES]
        found = self.texam(f"{name}-match", line)
        return {key: found[key] for key in ("wins", "losses", "draws", "elo", "elo_error")}

    def agree(self, name, first, second):
        line = ["agree", self.held_out, "--par", first[0], "--phase", first[1], "--against", second[0], "--against-phase", second[1]]
        found = self.texam(f"{name}-agree", line)
        keys = ("match", "match_se", "mean_rank", "mean_rank_se")
        return {
            "positions": found["positions"],
            **{key: found[key] for key in keys[:3]},
            "before": {key: found["against"][key] for key in keys[:3]},
            "difference": {key: found["difference"][key] for key in keys},
        }

    def set_of(self, number):
        name, phase, _ = CHAPTERS[number]
        return (ROOT / "params/material.par" if number == 0 else self.out / f"{name}-{FITS:02}.par"), phase

    def chapter(self, number):
        name, phase, fits = CHAPTERS[number]
        found = {"name": name}
        if fits:
            start, start_phase = self.set_of(number - 1)
            if phase != start_phase:
                copied = self.out / f"{name}-start.par"
                copy_opening_to_endgame(start, copied)
                start = copied
            found["options"] = f"--phase {phase} {fits}"
            found["fit"] = self.fit(name, start, phase, fits)
        found["opponent"] = self.match(name, self.set_of(number), (OPPONENT, "fruit"))
        if fits:
            found["before"] = self.match(f"{name}-before", self.set_of(number), self.set_of(number - 1))
            found["agree"] = self.agree(name, self.set_of(number), self.set_of(number - 1))
        return found

    def control(self, number):
        """As many fits from the same set by the options of the chapter before, and the chapter against them."""
        name = f"{CHAPTERS[number][0]}-control"
        start, phase = self.set_of(number - 1)
        self.fit(name, start, phase, CHAPTERS[number - 1][2])
        control = self.out / f"{name}-{FITS:02}.par", phase
        return {"match": self.match(name, self.set_of(number), control), "agree": self.agree(name, self.set_of(number), control)}


def signed(value, error, digits, is_beyond):
    """A difference with its error, in bold where it is beyond."""
    text = f"{value:+.{digits}f} +- {error:.{digits}f}"
    return f"**{text}**" if is_beyond else text


def elo(match):
    return signed(match["elo"], match["elo_error"], 1, abs(match["elo"]) > match["elo_error"])


def differences(agree):
    found = agree["difference"]
    parts = [(found[key], found[key + "_se"], digits) for key, digits in (("match", 4), ("mean_rank", 3))]
    return [signed(value, error, digits, abs(value) > 2 * error) for value, error, digits in parts]


def table(rows):
    heading, *others = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([heading, "|" + "---|" * len(rows[0]), *others])


def agreement(chapters, number):
    """Match and mean rank of a chapter's set on the games held out."""
    return chapters[number]["agree"] if number else chapters[1]["agree"]["before"]


def blocks(chapters):
    """The tables of the page, by the names of their markers."""
    rows = [["chapter", "weights fitted", "match", "mean rank", "Elo against `start` (95 %)"]]
    for number, chapter in enumerate(chapters):
        agree, opponent = agreement(chapters, number), chapter["opponent"]
        weights = str(chapter["fit"]["weights"]) if number else "0"
        rows.append([f"{number + 1}. {chapter['name']}", weights, f"{agree['match']:.4f}", f"{agree['mean_rank']:.3f}",
                     f"{opponent['elo']:+.1f} +- {opponent['elo_error']:.1f}"])
    found = {"all": f"Agreement is that on {chapters[1]['agree']['positions']:,} positions of games held out.\n\n{table(rows)}"}
    for chapter in chapters[1:]:
        rows = [["compared with", "Elo (95 %)", "match (s.e.)", "mean rank (s.e.)"]]
        rows.append(["the chapter before", elo(chapter["before"]), *differences(chapter["agree"])])
        if "control" in chapter:
            rows.append(["the control", elo(chapter["control"]["match"]), *differences(chapter["control"]["agree"])])
        options = chapter["options"].replace(TERMS, "$TERMS").replace(f" {FREEZE}", "")
        found[chapter["name"]] = f"Fitted with `{options}`:\n\n{table(rows)}"
        if chapter["name"] == "gradients":
            found["gradients"] += f"\n\nFrom here on `$TERMS` is `{TERMS}`,\nand all fits have `{FREEZE}`."
    return found


BLOCK = re.compile(r"<!-- story: (\w+) -->\n(.*?)\n?<!-- end -->", re.DOTALL)


def with_blocks(page, chapters):
    """The page with its tables made anew."""
    found = blocks(chapters)
    missing = set(found) ^ {name for name, _ in BLOCK.findall(page)}
    if missing:
        sys.exit(f"{PAGE}: expected one block for each of {', '.join(found)}, but found another set; check {', '.join(sorted(missing))}")
    return BLOCK.sub(lambda block: f"<!-- story: {block[1]} -->\n{found[block[1]]}\n<!-- end -->", page)


def problems(page, pictures, chapters):
    """What differs between the stored results and the page and its pictures."""
    found = []
    made = blocks(chapters)
    with_blocks(page, chapters)
    for name, text in BLOCK.findall(page):
        if text != made[name]:
            expected, shown = made[name].splitlines(), text.splitlines()
            lines = [pair for pair in itertools.zip_longest(expected, shown, fillvalue="no line") if pair[0] != pair[1]]
            found += [f"expected {line!r}, but found {other!r}" for line, other in lines]
    for name, picture in drawings(chapters).items():
        if pictures.get(name) != picture:
            found.append(f"expected {name} as it is drawn from the results, but found another picture")
    known = set(re.findall(r"\d+\.\d+", "\n".join(blocks(chapters).values())))
    for chapter in chapters[1:]:
        fit = chapter["fit"]
        known |= {f"{spread:.1f}" for spread in fit["spreads"]} | {f"{rank:.3f}" for rank in fit["ranks_held_out"]}
        known |= {f"{abs(gain):.2f}" for gain in fit["gains"]}
        known |= {f"{fit['match_fitted']:.4f}", f"{fit['temperature'] or 0:.1f}"}
    for paragraph in re.findall(r"^\*\*Measured\.\*\*.*?(?=\n\n)", page, re.M | re.S):
        for number in re.findall(r"\d+\.\d+", paragraph):
            if number not in known:
                found.append(f"expected only numbers of {RESULTS.name} after \"Measured.\", but found {number}")
    return found


INK, GRID, BLUE, WIDTH = "#333", "#ddd", "#4169aa", 640


def drawing(chapters, shown):
    """Elo and match of the first chapters, as SVG, on the scales of all. A filled point is better than the chapter before and the control by more than the error."""
    left, right = 60, WIDTH - 20
    x = lambda number: left + 30 + number * (right - left - 60) / (len(chapters) - 1)
    parts = []

    def label(at, y, text, anchor="middle", colour=INK):
        parts.append(f"<text x='{at:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{colour}' font-family='sans-serif' font-size='13'>{text}</text>")

    def line(points, colour=GRID, width=1):
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='{width}'/>")

    def panel(title, top, height, values, step, form):
        """Points with bars in a panel of their own scale."""
        ends = [end for value, error, _ in values for end in (value - error, value + error)]
        low, high = step * (min(ends) // step), -step * (-max(ends) // step)
        y = lambda value: top + height - (value - low) / (high - low) * height
        label(left, top - 14, title, "start")
        for tick in range(round((high - low) / step) + 1):
            value = low + tick * step
            line([(left, y(value)), (right, y(value))], INK if value == 0 else GRID)
            label(left - 8, y(value) + 4, form(value), "end")
        line([(x(number), y(value)) for number, (value, _, _) in enumerate(values[:shown])], BLUE, 1.2)
        for number, (value, error, is_filled) in enumerate(values[:shown]):
            line([(x(number), y(value - error)), (x(number), y(value + error))], BLUE, 2)
            fill = BLUE if is_filled else "white"
            parts.append(f"<circle cx='{x(number):.1f}' cy='{y(value):.1f}' r='4.5' fill='{fill}' stroke='{BLUE}' stroke-width='1.5'/>")

    strength, matched = [], []
    for number, one in enumerate(chapters):
        control = one.get("control", {})
        matches = [match for match in (one.get("before"), control.get("match")) if match]
        agrees = [part["agree"] for part in (one, control) if "agree" in part]
        is_stronger = bool(matches) and all(found["elo"] > found["elo_error"] for found in matches)
        strength.append((one["opponent"]["elo"], one["opponent"]["elo_error"], is_stronger))
        is_closer = bool(agrees) and all(found["difference"]["match"] > 2 * found["difference"]["match_se"] for found in agrees)
        agree = agreement(chapters, number)
        matched.append((100 * agree["match"], 200 * agree["match_se"], is_closer))
    panel("Elo against the weights set by hand, with 95 % intervals", 30, 210, strength, 100, lambda value: f"{value:+.0f}" if value else "0")
    panel("Winners' moves ahead of all others on games held out, %, with two standard errors", 290, 110, matched, 10, lambda value: f"{value:.0f}")
    for number, chapter in enumerate(chapters[:shown]):
        label(x(number), 426, f"{number + 1}")
        label(x(number), 442, chapter["name"])
    label(left, 468, "filled: better than the chapter before and its control by more than the error", "start")
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} 480' width='{WIDTH}' height='480'>"
    return "\n".join([head, f"<rect width='{WIDTH}' height='480' fill='white'/>", *parts, "</svg>"]) + "\n"


def drawings(chapters):
    """The picture as it grows, by file names: one for each chapter from the second on."""
    return {f"{shown}-{chapters[shown - 1]['name']}.svg": drawing(chapters, shown) for shown in range(2, len(chapters) + 1)}


def stored():
    """The page, its pictures by file names, and the results."""
    pictures = {path.name: path.read_text(encoding="utf-8") for path in PICTURES.iterdir()}
    return PAGE.read_text(encoding="utf-8"), pictures, json.loads(RESULTS.read_text())


def write_page(chapters):
    PICTURES.mkdir(exist_ok=True)
    for name, picture in drawings(chapters).items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
    PAGE.write_text(with_blocks(PAGE.read_text(encoding="utf-8"), chapters), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.environ.get("TEXAM", str(ROOT / "target/release/texam")))
    parser.add_argument("--out", default=str(ROOT / "story"), help="the folder of weights and single results")
    parser.add_argument("--chapters", type=int, help="make the first N chapters only, without controls")
    parser.add_argument("--draw", action="store_true", help="make the tables and the pictures anew from the stored results")
    parser.add_argument("--check", action="store_true", help="compare the page and the pictures with the stored results")
    options = parser.parse_args()
    if options.check:
        found = problems(*stored())
        sys.exit("\n".join(f"{PAGE}: {text}" for text in found) or None)
    if not options.draw:
        story = Story(options)
        found = [story.chapter(number) for number in range(options.chapters or len(CHAPTERS))]
        if options.chapters:
            print(json.dumps(found[-1], indent=1))
            return
        for number in range(2, len(CHAPTERS)):
            if found[number]["before"]["elo"] > found[number]["before"]["elo_error"]:
                found[number]["control"] = story.control(number)
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")
    write_page(json.loads(RESULTS.read_text()))


if __name__ == "__main__":
    main()
