"""How many games show 10 Elo? A formula, and a trial of the formula.

    python3 power.py
"""

import math
import random

# Pairs of games by their points, 0 to 2, from the match of the README.
PAIRS = {0: 23, 0.5: 23, 1: 78, 1.5: 20, 2: 56}


def score(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def deviation():
    """The standard deviation of the points of a pair, divided by two."""
    total = sum(PAIRS.values())
    mean = sum(points * count for points, count in PAIRS.items()) / total
    return math.sqrt(sum((points - mean) ** 2 * count for points, count in PAIRS.items()) / total) / 2


def pairs_needed(elo):
    """With so many pairs, the difference is beyond 1.96 standard errors in four matches out of five."""
    return math.ceil(((1.96 + 0.84) * deviation() / (score(elo) - 0.5)) ** 2)


def share_seen(elo, pairs, matches=20000):
    """The share of matches in which the difference is beyond 1.96 standard errors, by trial."""
    chance, seen = random.Random(10), 0
    for _ in range(matches):
        mean = chance.gauss(score(elo), deviation() / math.sqrt(pairs))
        seen += mean - 0.5 > 1.96 * deviation() / math.sqrt(pairs)
    return seen / matches


def main():
    print(f"standard deviation of a pair {deviation():.3f}")
    for elo in (50, 20, 10, 5):
        pairs = pairs_needed(elo)
        print(f"{elo:3} Elo: {2 * pairs:6} games, seen in {100 * share_seen(elo, pairs):.0f} % of matches")
    print(f" 10 Elo in 400 games: seen in {100 * share_seen(10, 200):.0f} %")


if __name__ == "__main__":
    main()
