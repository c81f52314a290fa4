#!/usr/bin/env python3
"""Measures how much the best pass of a run owes to chance.

    scripts/best_pass.py                       # the reference run, a few seconds
    scripts/best_pass.py stats/other.games --splits 2000

The held-out games are divided into two halves at random. The best pass is chosen on one half by some rule, and its gain over the start is
measured on the half that chose it and on the other half. The means over all divisions are printed. Reads the `.games` of a run
(docs/FORMATS.md); checksums are left to texam.
"""

import argparse
import math
import os
import random
import statistics

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def numbers(content):
    """The numbers of a block: seven bits in each byte, the lowest first."""
    value = shift = 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def held_out(path):
    """For each pass, positions, matches and twice the ranks of each held-out game."""
    with open(path, "rb") as file:
        data = file.read()
    passes, at = [], 12
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        values = numbers(data[at + 4 : at + 4 + length])
        for _ in ("fitted", "held out"):
            games = [[next(values) for _ in range(4)] for _ in range(next(values))]
        passes.append([game[1:] for game in games])
        at += 8 + length
    return passes


def mean(games, column):
    return sum(game[column] for game in games) / sum(game[0] for game in games)


def highest_match(passes):
    return max(range(1, len(passes)), key=lambda number: mean(passes[number], 1))


def lowest_rank(passes):
    return min(range(1, len(passes)), key=lambda number: mean(passes[number], 2))


def earliest_within_error(passes):
    """The rule of texam: the earliest pass whose mean rank is above the lowest by at most the error of the difference."""
    lowest = min(range(len(passes)), key=lambda number: mean(passes[number], 2))
    for number, games in enumerate(passes):
        excess = mean(games, 2) - mean(passes[lowest], 2)
        squares = sum((game[2] - low[2] - game[0] * excess) ** 2 for game, low in zip(games, passes[lowest]))
        if excess <= math.sqrt(squares) / sum(game[0] for game in games):
            return number


# How the pass is chosen, and the figure whose gain is measured: its column, and the factor that makes it a gain.
RULES = [
    ("highest match", highest_match, 1, 1),
    ("always pass 7", lambda _: 7, 1, 1),
    ("lowest mean rank", lowest_rank, 2, -0.5),
    ("earliest within an error of the lowest mean rank", earliest_within_error, 2, -0.5),
    ("always pass 7", lambda _: 7, 2, -0.5),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", default=os.path.join(ROOT, "stats", "gm1988.games"))
    parser.add_argument("--splits", type=int, default=1000)
    options = parser.parse_args()
    passes = held_out(options.games)
    order = list(range(len(passes[0])))
    random.seed(1)
    halves = []
    for _ in range(options.splits):
        random.shuffle(order)
        middle = len(order) // 2
        halves.append([[[games[i] for i in part] for games in passes] for part in (order[:middle], order[middle:])])
    print("| the pass is chosen by | gain in | on the half that chose | on the other half |")
    print("|---|---|---|---|")
    for name, choose, column, factor in RULES:
        gains = []
        for choosing, other in halves:
            best = choose(choosing)
            gains.append([factor * (mean(half[best], column) - mean(half[0], column)) for half in (choosing, other)])
        promised, kept = (statistics.mean(side) for side in zip(*gains))
        print(f"| {name} | {'match' if column == 1 else 'mean rank'} | {promised:.4f} | {kept:.4f} |")


if __name__ == "__main__":
    main()
