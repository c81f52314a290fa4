#!/usr/bin/env python3
"""Measures how much the best pass of a run owes to chance.

    scripts/best_pass.py                       # the reference run, some seconds
    scripts/best_pass.py --draws 1000          # which passes would be the best with other held-out games
    scripts/best_pass.py stats/set-*.games --choose 91

The held-out games are divided into two halves at random, or into as many as --choose says and the rest. The best pass is chosen on the first
part by some rule, and its gain over the start is measured on the part that chose it and on the other part. The means over all divisions are
printed. For several runs these are means over the runs, and the last column compares each rule with the lowest mean rank, with a standard
error from the runs. With --draws, games are drawn with replacement instead, as many as there are (the bootstrap).

Reads the `.games` of a run, whose layout is that of `Counts` in src/run/counts.rs; checksums are left to texam.
"""

import argparse
import math
import os
import random
import statistics
from collections import Counter

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
    return min(range(len(passes)), key=lambda number: mean(passes[number], 2))


def earliest_within_error(passes, paired=True):
    """The earliest pass whose mean rank is above the lowest by at most an error: texam takes that of the difference between the two, Breiman's
    rule that of the lowest mean rank alone."""
    lowest = lowest_rank(passes)
    for number, games in enumerate(passes):
        excess = mean(games, 2) - mean(passes[lowest], 2)
        if excess <= rank_error(games if paired else None, passes[lowest]):
            return number


def rank_error(games, lowest):
    """Twice the standard error of the mean rank of a pass minus that of another, by game, or of the other alone."""
    others = [game[2] for game in games] if games else [0] * len(lowest)
    shift = (sum(others) - sum(game[2] for game in lowest)) / sum(game[0] for game in lowest)
    squares = sum((rank - game[2] - game[0] * shift) ** 2 for rank, game in zip(others, lowest))
    return math.sqrt(squares) / sum(game[0] for game in lowest)


# How the pass is chosen, and the figure whose gain is measured: its column, and the factor that makes it a
# gain.
RULES = [
    ("highest match", highest_match, 1, 1),
    ("always pass 7", lambda _: 7, 1, 1),
    ("lowest mean rank", lowest_rank, 2, -0.5),
    ("earliest within a standard error of the lowest mean rank", earliest_within_error, 2, -0.5),
    ("earliest within the standard error of that mean rank alone", lambda passes: earliest_within_error(passes, False), 2, -0.5),
    ("always pass 7", lambda _: 7, 2, -0.5),
    ("always the last pass", lambda passes: len(passes) - 1, 2, -0.5),
]
LOWEST = 2


def divisions(passes, choosing, count):
    """Pairs of parts of the held-out games: those that choose, and the others."""
    order = list(range(len(passes[0])))
    for _ in range(count):
        random.shuffle(order)
        yield [[[games[i] for i in part] for games in passes] for part in (order[:choosing], order[choosing:])]


def gains(passes, options):
    """For each rule, the means of the gain on the games that chose, of that on the others, and of the number of the pass."""
    found = [[] for _ in RULES]
    for parts in divisions(passes, options.choose or len(passes[0]) // 2, options.splits):
        for measured, (_, choose, column, factor) in zip(found, RULES):
            best = choose(parts[0])
            measured.append([*(factor * (mean(part[best], column) - mean(part[0], column)) for part in parts), best])
    return [[statistics.mean(figure) for figure in zip(*measured)] for measured in found]


def print_gains(runs, options):
    measured = [gains(passes, options) for passes in runs]
    several = len(runs) > 1
    print("| the pass is chosen by | pass | gain in | on the games that chose | on the others |" + " minus lowest mean rank |" * several)
    print("|---|---|---|---|---|" + "---|" * several)
    for number, (name, _, column, _) in enumerate(RULES):
        promised, kept, best = (statistics.mean(run[number][figure] for run in measured) for figure in (0, 1, 2))
        apart = [run[number][1] - run[LOWEST][1] for run in measured]
        last = ""
        if several:
            error = statistics.stdev(apart) / math.sqrt(len(apart))
            last = f" {statistics.mean(apart):+.4f} +- {error:.4f} |" if column == 2 and number != LOWEST else " |"
        print(f"| {name} | {best:.1f} | {'match' if column == 1 else 'mean rank'} | {promised:.4f} | {kept:.4f} |{last}")


def print_draws(passes, count):
    """The best pass by texam's rule on games drawn with replacement, and what its gain loses on all of them."""
    games, best, optimism = len(passes[0]), Counter(), []
    for _ in range(count):
        drawn = random.choices(range(games), k=games)
        sample = [[measured[i] for i in drawn] for measured in passes]
        number = earliest_within_error(sample)
        best[number] += 1
        promised, kept = (mean(of[0], 2) - mean(of[number], 2) for of in (sample, passes))
        optimism.append((promised - kept) / 2)
    print(f"{count} draws of {games} games")
    print("best pass " + "".join(f"{number:6}" for number in sorted(best)))
    print("draws, %  " + "".join(f"{100 * best[number] / count:6.1f}" for number in sorted(best)))
    print(f"gain in mean rank on the games drawn minus that on all: {statistics.mean(optimism):+.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[os.path.join(ROOT, "stats", "gm1988.games")])
    parser.add_argument("--splits", type=int, default=1000)
    parser.add_argument("--choose", type=int, metavar="N", help="how many held-out games choose [default: half of them]")
    parser.add_argument("--draws", type=int, metavar="N", help="draw games with replacement N times, and say which pass is best")
    options = parser.parse_args()
    runs = [held_out(path) for path in options.games]
    random.seed(1)
    if options.draws:
        print_draws(runs[0], options.draws)
    else:
        print_gains(runs, options)


if __name__ == "__main__":
    main()
