#!/usr/bin/env python3
"""Makes the figure "other games" of docs/ERRORS.md: its numbers and its picture, from the held-out games of the reference run.

    scripts/other_games.py            # docs/figures/other-games.json and docs/pictures/other-games.svg
    scripts/other_games.py --check    # writes nothing, and says whether both stay as they are

The numbers are the positions of each held-out game, and its matches and twice its ranks in each pass. docs/figures/other-games.js draws games
from them. The picture, which GitHub shows in its place, has the mean ranks on the games as they are.
"""

import json
import sys
from pathlib import Path

from best_pass import earliest_within_error, held_out, lowest_rank, mean, rank_error

ROOT = Path(__file__).resolve().parent.parent
NUMBERS, PICTURE = ROOT / "docs/figures/other-games.json", ROOT / "docs/pictures/other-games.svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 50, 620, 50, 250
LOW, HIGH, STEP = 3.2, 3.6, 0.1
INK, GRID, BLUE, RED = "#333", "#ddd", "#0072b2", "#d55e00"


def numbers(passes):
    """The numbers of the held-out games, with a line for each pass."""
    parts = [f'"positions": {json.dumps([game[0] for game in passes[0]], separators=(",", ":"))}']
    for name, column in (("matches", 1), ("ranks", 2)):
        rows = [json.dumps([game[column] for game in games], separators=(",", ":")) for games in passes]
        parts.append(f'"{name}": [\n' + ",\n".join(rows) + "\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def text(x, y, words, anchor="middle", colour=INK):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def line(x1, y1, x2, y2, colour, width=1, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def drawing(passes):
    """The mean rank of each pass. From each point the standard error of its distance from the lowest point reaches down."""
    ranks = [mean(games, 2) / 2 for games in passes]
    best, lowest = earliest_within_error(passes), lowest_rank(passes)
    x = [LEFT + 10 + (RIGHT - LEFT - 20) * number / (len(passes) - 1) for number in range(len(passes))]
    y = lambda rank: BOTTOM - (rank - LOW) / (HIGH - LOW) * (BOTTOM - TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        text(10, 24, "mean rank, held out", "start"),
        text(RIGHT, 24, f"best pass: {best}", "end", BLUE),
        text(RIGHT, 42, f"lowest mean rank: pass {lowest}", "end", RED),
    ]
    for number in range(round((HIGH - LOW) / STEP) + 1):
        rank = LOW + STEP * number
        parts += [line(LEFT, y(rank), RIGHT, y(rank), GRID), text(LEFT - 8, y(rank) + 4, f"{rank:.1f}", "end")]
    parts += [text(x[number], BOTTOM + 18, number) for number in range(len(passes))]
    parts.append(text((LEFT + RIGHT) / 2, HEIGHT - 10, "pass"))
    parts.append(line(LEFT, y(ranks[lowest]), RIGHT, y(ranks[lowest]), RED, 1, "4 3"))
    for number, games in enumerate(passes):
        error = rank_error(games, passes[lowest]) / 2
        parts.append(line(x[number], y(ranks[number]), x[number], y(ranks[number] - error), INK, 2))
    points = " ".join(f"{place:.1f},{y(rank):.1f}" for place, rank in zip(x, ranks))
    parts.append(f'<polyline points="{points}" fill="none" stroke="{INK}" stroke-width="1.5"/>')
    parts.append(f'<circle cx="{x[best]:.1f}" cy="{y(ranks[best]):.1f}" r="5" fill="{BLUE}"/>')
    parts.append(f'<circle cx="{x[lowest]:.1f}" cy="{y(ranks[lowest]):.1f}" r="7" fill="none" stroke="{RED}" stroke-width="2"/>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    passes = held_out(ROOT / "stats/gm1988.games")
    other = False
    for path, made in ((NUMBERS, numbers(passes)), (PICTURE, drawing(passes))):
        if sys.argv[1:] != ["--check"]:
            path.write_text(made, encoding="utf-8")
            print(path)
        elif not path.exists() or path.read_text(encoding="utf-8") != made:
            print(f"{path}: not what stats/gm1988.games gives; scripts/other_games.py makes it anew")
            other = True
    sys.exit(other)


if __name__ == "__main__":
    main()
