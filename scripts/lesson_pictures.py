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
BLUE, RED, BROWN = "#4169aa", "#b5542b", "#8a6d1c"


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


def ticks(values):
    """Round numbers from below the values to above them, at most nine."""
    low, high = min(values), max(values)
    steps = (factor * 10.0**power for power in range(-2, 4) for factor in (1, 2, 5))
    step = next(step for step in steps if -(-high // step) - low // step < 9)
    return [step * number for number in range(int(low // step), int(-(-high // step)) + 1)]


def intervals(title, rows, unit="Elo"):
    """Differences as points, with their errors as bars. A row is its name, its difference, and the error."""
    left, right, top, step = 210, WIDTH - 120, 50, 30
    scale = ticks([end for _, value, error in rows for end in (value - error, value + error, 0)])
    place = lambda value: left + (value - scale[0]) / (scale[-1] - scale[0]) * (right - left)
    bottom = top + step * len(rows)
    parts = [label(10, 24, title)]
    for tick in scale:
        parts.append(rule(place(tick), top - 10, place(tick), bottom, INK if tick == 0 else GRID))
        parts.append(label(place(tick), bottom + 18, f"{tick:+.0f}" if tick else "0", "middle"))
    for number, (name, value, error) in enumerate(rows):
        y = top + step * (number + 0.4)
        parts.append(label(10, y + 4, name))
        parts.append(rule(place(value - error), y, place(value + error), y, BLUE, 2))
        parts.append(f"<circle cx='{place(value):.1f}' cy='{y:.1f}' r='4' fill='{BLUE}'/>")
        parts.append(label(WIDTH - 10, y + 4, f"{value:+.1f} ± {error:.1f}", "end"))
    parts.append(label((left + right) / 2, bottom + 38, unit, "middle"))
    return svg(bottom + 48, parts)


def curves(title, unit, runs):
    """Values after each fit, as one line for each run. A run is its name, its colour, whether its line is dashed, and its values."""
    left, right, top, bottom = 60, WIDTH - 150, 70, 330
    scale = ticks([value for *_, values in runs for value in values])
    last = max(len(values) for *_, values in runs) - 1
    across = lambda at: left + at / last * (right - left)
    down = lambda value: bottom - (value - scale[0]) / (scale[-1] - scale[0]) * (bottom - top)
    parts = [label(10, 24, title), label(10, top - 18, unit)]
    for tick in scale:
        parts += [rule(left, down(tick), right, down(tick)), label(left - 8, down(tick) + 4, f"{tick:.6g}", "end")]
    parts += [label(across(at), bottom + 20, str(at), "middle") for at in range(0, last + 1, 5 if last > 8 else 1)]
    parts.append(label((left + right) / 2, bottom + 40, "fits", "middle"))
    lowest = {}
    for name, colour, is_dashed, values in sorted(runs, key=lambda run: -run[-1][-1]):
        points = " ".join(f"{across(at):.1f},{down(value):.1f}" for at, value in enumerate(values))
        dashes = " stroke-dasharray='5 4'" if is_dashed else ""
        parts.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'{dashes}/>")
        # Names of lines that end close to each other stand one below the other.
        lowest[len(values)] = max(down(values[-1]) + 4, lowest.get(len(values), 0) + 15)
        parts.append(label(across(len(values) - 1) + 8, lowest[len(values)], name, colour=colour))
    return svg(bottom + 50, parts)


def column(table, heading, factor=1):
    """The numbers of a column, given by its heading or its place."""
    at = heading if isinstance(heading, int) else table[0].index(heading)
    return [factor * float(row[at]) for row in table[1:]]


def table_with(page, heading):
    """The first table of a page that has this heading."""
    return next(table for table in tables(page) if heading in table[0])


def elo_rows(page, names="{}"):
    """The rows of all tables of a page with a column of Elo, whose error is in the same cell or in the next."""
    found = []
    for table in tables(page):
        at = next((at for at, heading in enumerate(table[0]) if heading.startswith("Elo")), None)
        for row in table[1:] if at else []:
            if row[at] != "-":
                elo, error = " ".join(row[at:]).replace("+- ", "").split()[:2]
                found.append((names.format(row[0]), float(elo), float(error)))
    return found


def agreement():
    table = table_with("03-agreement.md", "match held out")
    return [("fitted", BLUE, False, column(table, "match fitted", 100)), ("held out", RED, True, column(table, "match held out", 100))]


def attacks():
    table = next(tables("16-attacks.md"))
    names = ["fitted, tables", "fitted, attacks", "held out, tables", "held out, attacks"]
    return [(name, BLUE if "attacks" in name else RED, "held" in name, column(table, at + 1, 100)) for at, name in enumerate(names)]


def gains():
    table = table_with("02-balance.md", "none 64")
    return [(name, BLUE if "256" in name else RED, "all" in name, column(table, name)) for name in table[0][1:]]


def spreads_of_starts():
    starts = [table_with("06-spread.md", f"{start} start") for start in ("normal", "large")]
    return [(f"{table[0][0].split()[0]}, {name}", BLUE if "linear" in name else RED, "on" in name, column(table, name))
            for table in starts for name in table[0][1:]]


def matches_of_trees():
    table = table_with("18-trees.md", "regrown")
    colours = {"trees": RED, "regrown": BROWN, "search": BLUE}
    return [(name, colours[name], False, column(table, name, 100)) for name in table[0][1:]]


def values():
    """The changes of the values of the pieces, with two standard errors."""
    table = next(tables("10-values.md"))
    start, fitted, errors = (column(table, heading) for heading in ("start", "fitted", "s.e."))
    return [(row[0], to - since, 2 * error) for row, since, to, error in zip(table[1:], start, fitted, errors)]


def of_the_machine():
    """Differences of the match with Deep Thought's own moves, with two standard errors."""
    page = (ROOT / "docs/lessons/20-machine.md").read_text(encoding="utf-8")
    found = re.findall(r"^(\w+ minus \w+): match ([-+.\d]+) \+- ([.\d]+),", page, re.M)
    return [(name, 100 * float(difference), 200 * float(error)) for name, difference, error in found]


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/pictures")
    against_start = "Matches against the hand-set start, with 95 % intervals"
    pictures = {
        "balance": curves("Mean gain of a move, by balance and strength", "units", gains()),
        "agreement": curves("Match on the games fitted and on those held out", "%", agreement()),
        "miss": intervals(against_start, elo_rows("04-miss.md")),
        "rank": intervals("Matches of the set fitted by rank, with 95 % intervals", elo_rows("05-rank.md", "against {}")),
        "spread": curves("Spread of the values within a choice, by start, force and compensation", "units", spreads_of_starts()),
        "few-games": intervals(against_start, elo_rows("07-few-games.md")),
        "depth": intervals(against_start, elo_rows("08-depth.md")),
        "stopping": intervals(against_start, elo_rows("09-iterations.md", "after {} fits")),
        "values": intervals("Changes of values of pieces, with two standard errors", values(), "units"),
        "scratch": intervals("Sets from scratch in matches of 2,000 games", elo_rows("13-scratch.md")),
        "after": intervals(against_start, elo_rows("14-after.md")),
        "ablation": intervals("The tuned set with one group put back, against the whole set, with 95 % intervals", elo_rows("15-ablation.md")),
        "attacks": curves("Match with attack terms and without", "%", attacks()),
        "quiescence": intervals("Matches between sets fitted with and without quiescence", elo_rows("17-quiescence.md")),
        "trees": curves("Match as each run saw it", "%", matches_of_trees()),
        "machine-moves": intervals("Agreement with Deep Thought's moves, with two standard errors", of_the_machine(), "percentage points"),
        "phase": intervals("Points, material and tables in matches", elo_rows("19-phase.md")),
    }
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
