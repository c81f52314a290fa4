#!/usr/bin/env python3
"""Draws the pictures of lessons from the results that are stored on their pages.

    scripts/lesson_pictures.py [FOLDER]        # docs/pictures by default

A picture shows numbers of the page and computes none, so the same page gives the same bytes.
"""

import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH, FONT = 640, "font-family='sans-serif' font-size='13'"
INK, GRID = "#333", "#ddd"
COLOUR = "#4169aa"


def tables(page):
    """The tables of all stored results of a page, each as a list of rows of cells; the first row is its heading."""
    text = (ROOT / "docs/lessons" / page).read_text(encoding="utf-8")
    for block in re.findall(r"```text\n(.*?)```", text, re.S):
        lines = block.splitlines()
        for at, line in enumerate(lines):
            if line and not line.strip("-"):
                rows = [re.split(r"  +", lines[at - 1])]
                for row in lines[at + 1:]:
                    if not row.strip():
                        break
                    rows.append(re.split(r"  +", row))
                yield rows


def label(x, y, text, anchor="start", colour=INK):
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{colour}' {FONT}>{escape(text)}</text>"


def rule(x1, y1, x2, y2, colour=GRID, width=1):
    return f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{colour}' stroke-width='{width}'/>"


def svg(height, parts):
    head = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' height='{height}'>"
    return "\n".join([head, f"<rect width='{WIDTH}' height='{height}' fill='white'/>", *parts, "</svg>"]) + "\n"


def intervals(title, rows):
    """Elo differences as points, with their 95 % intervals as bars."""
    left, right, top, step = 210, WIDTH - 110, 50, 30
    ends = [end for _, elo, error in rows for end in (elo - error, elo + error, 0)]
    tick_step = 20 if max(ends) - min(ends) <= 120 else 40
    low, high = tick_step * (min(ends) // tick_step), -tick_step * (-max(ends) // tick_step)
    place = lambda elo: left + (elo - low) / (high - low) * (right - left)
    bottom = top + step * len(rows)
    parts = [label(10, 24, title)]
    ticks = range(int(low), int(high) + 1, tick_step)
    for tick in ticks:
        parts.append(rule(place(tick), top - 10, place(tick), bottom, INK if tick == 0 else GRID))
        parts.append(label(place(tick), bottom + 18, f"{tick:+d}" if tick else "0", "middle"))
    for number, (name, elo, error) in enumerate(rows):
        y = top + step * (number + 0.4)
        parts.append(label(10, y + 4, name))
        parts.append(rule(place(elo - error), y, place(elo + error), y, COLOUR, 2))
        parts.append(f"<circle cx='{place(elo):.1f}' cy='{y:.1f}' r='4' fill='{COLOUR}'/>")
        parts.append(label(WIDTH - 10, y + 4, f"{elo:+.1f} ± {error:.1f}", "end"))
    parts.append(label((left + right) / 2, bottom + 38, "Elo", "middle"))
    return svg(bottom + 48, parts)


def curves(title, unit, x_title, series):
    """Values after each fit, as one line for each run. A run is its name, its colour, and its values."""
    left, right, top, bottom = 60, WIDTH - 150, 50, 330
    values = [value for _, _, run in series for value in run]
    low, high = int(min(values)), -int(-max(values) // 1)
    last = max(len(run) for _, _, run in series) - 1
    across = lambda at: left + at / last * (right - left)
    down = lambda value: bottom - (value - low) / (high - low) * (bottom - top)
    parts = [label(10, 24, title)]
    for tick in range(low, high + 1, 2):
        parts += [rule(left, down(tick), right, down(tick)), label(left - 8, down(tick) + 4, str(tick), "end")]
    parts += [label(across(at), bottom + 20, str(at), "middle") for at in range(0, last + 1, 5)]
    parts += [label((left + right) / 2, bottom + 40, x_title, "middle"), label(10, top - 10, unit)]
    lowest = {}
    for name, colour, run in sorted(series, key=lambda one: -one[2][-1]):
        points = " ".join(f"{across(at):.1f},{down(value):.1f}" for at, value in enumerate(run))
        parts.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>")
        # Names of lines that end close to each other stand one below the other.
        lowest[len(run)] = max(down(run[-1]) + 4, lowest.get(len(run), 0) + 15)
        parts.append(label(across(len(run) - 1) + 8, lowest[len(run)], name, colour=colour))
    return svg(bottom + 50, parts)


def spreads(page):
    """The columns of spreads in the tables of fits of a page, each with a name from its place."""
    names = ["trees", "regrown", "search", "large, trees", "large, search"]
    colours = ["#b5542b", "#8a6d1c", COLOUR, "#b5542b", COLOUR]
    fits = [table for table in tables(page) if table[0][0] == "fits"]
    columns = [column for table in fits for column in zip(*table) if column[0].endswith("spread")]
    return [(name, colour, [float(cell) for cell in column[1:]]) for name, colour, column in zip(names, colours, columns)]


def elo_rows(page):
    """The rows of all tables of a page with a column `Elo`."""
    rows = [row for table in tables(page) if table[0][-1] == "Elo" for row in table[1:]]
    return [(row[0], *map(float, row[-1].split(" +- "))) for row in rows]


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/pictures")
    pictures = {
        "quiescence": intervals("Matches between sets fitted with and without quiescence", elo_rows("17-quiescence.md")),
        "scratch": intervals("Sets from scratch in matches of 2,000 games", elo_rows("13-scratch.md")),
        "trees": curves("Spread of the values within a choice", "units", "fits", spreads("18-trees.md")),
        "phase": intervals("Points, material and tables in matches of 2,000 games", elo_rows("19-phase.md")),
    }
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
