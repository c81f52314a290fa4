#!/usr/bin/env python3
"""Draws the time line of docs/HISTORY.md.

    scripts/timeline.py [FILE]        # docs/pictures/timeline.svg by default
"""

import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

EVENTS = [
    ("1950", "Slater: statistics of mobility; Turing's reply", False),
    ("1967", "Samuel: checkers, learning from the moves of experts", False),
    ("1982", "Nitsche: weights fitted to the moves of grandmasters", False),
    ("1985", "ChipTest begins at Carnegie Mellon", False),
    ("1986", "Lee: Othello weights by Bayesian learning, Carnegie Mellon", False),
    ("spring 1988", "Nowatzyk writes the tuning program", True),
    ("summer 1988", "the tuning program is last used", True),
    ("November 1988", "Deep Thought beats Larsen at Long Beach", True),
    ("February 1989", "TIME: tuned with 900 games", False),
    ("October 1989", "Kasparov beats Deep Thought twice", True),
    ("October 1990", "Scientific American: A Grandmaster Chess Machine", False),
    ("1997", "Deep Blue beats Kasparov", False),
    ("January 2000", "Nowatzyk's note, our main source", True),
]
WIDTH, STEP, TOP, LINE = 640, 26, 20, 140


def drawing():
    """The picture: one line for each event, at equal distances, those of the machine and its tuner filled."""
    height = 2 * TOP + STEP * (len(EVENTS) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<line x1="{LINE}" y1="{TOP}" x2="{LINE}" y2="{height - TOP}" stroke="#6B7177"/>',
    ]
    for row, (date, event, is_machine) in enumerate(EVENTS):
        y = TOP + STEP * row
        parts.append(f'<circle cx="{LINE}" cy="{y}" r="5" stroke="#1F5FA8" fill="{"#1F5FA8" if is_machine else "#fff"}"/>')
        parts.append(f'<text x="{LINE - 14}" y="{y + 4}" text-anchor="end">{escape(date)}</text>')
        parts.append(f'<text x="{LINE + 14}" y="{y + 4}">{escape(event)}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures/timeline.svg"
    path.write_text(drawing(), encoding="utf-8")
    print(path)
