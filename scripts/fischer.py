#!/usr/bin/env python3
"""Writes the numbers and the picture of the figure of docs/START.md, Fischer's position under the weights of each pass of stats/gm1988, and
boards of this and another position.

    scripts/fischer.py            # writes fischer.json, fischer.svg, board.svg and board-ending.svg in docs/figures
    scripts/fischer.py --check    # compares them with what the program prints, and changes nothing

Every number is taken from the output of `texam search` and `texam agree --worst`, as it is printed. Both take seconds.
TEXAM names another program than target/release/texam.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXAM = os.environ.get("TEXAM", str(ROOT / "target/release/texam"))
NUMBERS = ROOT / "docs/figures/fischer.json"
PICTURE = ROOT / "docs/figures/fischer.svg"
BOARD = ROOT / "docs/figures/board.svg"
# The ending of docs/MACHINE.md.
ENDING, ENDING_BOARD = "8/1p3r1k/p5pp/3P4/1P3P2/6P1/P4RK1/8 w - - 0 40", ROOT / "docs/figures/board-ending.svg"
CHOICE = ["games/gm1988.pgn:283", "--move", "9"]
PLAYED = "cxd5"
PASSES = range(16)
SHOWN = 10

MOVE = re.compile(r"^ +(\d+)  (\S+) +([-+][\d.]+)  (in|out) +(.+)$", re.M)
LEAD = re.compile(r"^  (\S+) \(\S+\) is better than (\S+) \(\S+\) by ([\d.]+), from\n((?:     .*\n)+)", re.M)
TERM = re.compile(r"^ +([-+][\d.]+)  (\S+) +(.+)$", re.M)


def run(*arguments, text=None):
    """What the program prints."""
    return subprocess.run([TEXAM, *arguments], cwd=ROOT, input=text, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def par_of(number):
    return f"stats/gm1988-{number:02}.par"


def searched(number):
    """The value of the root, and rank, move, value, bound and line of every legal move."""
    output = run("search", *CHOICE, "--par", par_of(number))
    moves = [(int(rank), move, float(value), bound == "in", line) for rank, move, value, bound, line in MOVE.findall(output)]
    return float(re.search(r"^root (\S+)", output, re.M)[1]), moves


def explained(number, fen, worse):
    """Which move is ahead of `worse`, by how many units, and which terms decide. The games are one game in which `worse` is the played move."""
    game = f'[White "?"]\n[Black "?"]\n[Result "1-0"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n9. {worse} 1-0\n'
    better, named, lead, terms = LEAD.search(run("agree", "-", "--worst", "1", "--par", par_of(number), text=game)).groups()
    assert named == worse, (number, named, worse)
    return better, float(lead), [(name, float(value), meaning) for value, name, meaning in TERM.findall(terms)]


def numbers():
    """What docs/figures/fischer.json stores."""
    position = json.loads(run("search", *CHOICE, "--json"))
    passes, meanings, shown = [], {}, {PLAYED}
    for number in PASSES:
        root, moves = searched(number)
        rank = next(rank for rank, move, *_ in moves if move == PLAYED)
        first = next(move for _, move, *_ in moves if move != PLAYED)
        ahead, behind = (first, PLAYED) if rank > 0 else (PLAYED, first)
        better, lead, terms = explained(number, position["fen"], behind)
        assert better == ahead, (number, better)
        meanings.update({name: meaning for name, _, meaning in terms if not name.startswith("other")})
        kept = [move for place, move in enumerate(moves) if place < SHOWN or move[1] == PLAYED]
        shown.update(move for _, move, *_ in kept)
        lines = {move: line for _, move, _, _, line in moves}
        passes.append({
            "root": root,
            "in_bound": sum(bound for *_, bound, _ in moves),
            "moves": [[rank, move, value] for rank, move, value, *_ in kept],
            "better": better,
            "worse": behind,
            "lead": lead,
            "lines": [lines[better], lines[behind]],
            "terms": [[name, value, *([meaning] if name.startswith("other") else [])] for name, value, meaning in terms],
        })
    # Search prints the moves as words and as squares in the same order.
    squares = {move: found["move"] for (_, move, *_), found in zip(searched(0)[1], position["moves"]) if move in shown}
    return {"fen": position["fen"], "played": PLAYED, "legal": len(position["moves"]), "squares": squares, "meanings": meanings, "passes": passes}


def stored(found):
    """The numbers as text, one pass a line."""
    head = {name: part for name, part in found.items() if name != "passes"}
    lines = [json.dumps(one, separators=(",", ":")) for one in found["passes"]]
    return json.dumps(head, separators=(",", ":"))[:-1] + ',"passes":[\n' + ",\n".join(lines) + "\n]}\n"


def drawing(found):
    """The picture for readers without scripts: the values of the moves that lead in some pass."""
    width, height, left, right, top, bottom, least, most = 640, 262, 50, 560, 22, 222, 30, 62
    across = lambda number: left + (right - left) * number / PASSES[-1]
    up = lambda value: bottom - (bottom - top) * (value - least) / (most - least)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for value in range(least, most, 10):
        parts.append(f'<path d="M{left} {up(value):.1f}H{right}" stroke="#D5D8DB"/>')
        parts.append(f'<text x="{left - 8}" y="{up(value) + 4:.1f}" text-anchor="end">+{value}</text>')
    parts.append(f'<text x="{left}" y="{top - 4}">value in units</text>')
    for number in PASSES[::5]:
        parts.append(f'<text x="{across(number):.1f}" y="{bottom + 18}" text-anchor="middle">{number}</text>')
    parts.append(f'<text x="{right}" y="{bottom + 34}" text-anchor="end">pass</text>')
    for move, colour, dashes, shift in (("exd5", "#1F5FA8", "", 14), (PLAYED, "#C8501E", "", 0), ("Nc3", "#6B7177", "5 3", 0)):
        values = [next(value for _, name, value in one["moves"] if name == move) for one in found["passes"]]
        points = " ".join(f"{across(number):.1f},{up(value):.1f}" for number, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes or "none"}"/>')
        parts.append(f'<text x="{right + 8}" y="{up(values[-1]) + 4 + shift:.1f}" fill="{colour}">{move}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def board(fen):
    """The board of a position. A piece of White is light with a dark edge, one of Black the other way round."""
    side, edge, light, dark = 34, 16, "#f4f4f4", "#222"
    size = edge + 8 * side
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" text-anchor="middle" font-size="12">']
    for row, line in enumerate(fen.split()[0].split("/")):
        y = row * side
        parts.append(f'<text x="8" y="{y + 21}" font-family="sans-serif" fill="#777">{8 - row}</text>')
        parts.append(f'<text x="{edge + y + 17}" y="{size - 3}" font-family="sans-serif" fill="#777">{"abcdefgh"[row]}</text>')
        for file, letter in enumerate(re.sub(r"\d", lambda empty: " " * int(empty[0]), line)):
            x = edge + file * side
            parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{("#dfe3e6", "#a9b4be")[(file + row) % 2]}"/>')
            if letter != " ":
                fill, stroke = (light, dark) if letter.isupper() else (dark, light)
                # The selector asks for a letter, and not for a coloured picture.
                glyph = "♚♛♜♝♞♟"["kqrbnp".index(letter.lower())] + "\N{VARIATION SELECTOR-15}"
                style = f'fill="{fill}" stroke="{stroke}" stroke-width="1.6" paint-order="stroke" font-size="31"'
                parts.append(f'<text x="{x + 17}" y="{y + 28}" {style}>{glyph}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    found = numbers()
    wrong = []
    for path, text in ((NUMBERS, stored(found)), (PICTURE, drawing(found)), (BOARD, board(found["fen"])), (ENDING_BOARD, board(ENDING))):
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
            print(path)
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(ROOT)}: not what the program prints; scripts/fischer.py makes it anew")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
