"""How many games show 10 Elo? A formula, and a trial of the formula.

    python3 power.py
"""

import math
import random
import statistics

# Pairs of games by their points, 0 to 2, from the match of the README.
PAIRS = {0: 23, 0.5: 23, 1: 78, 1.5: 20, 2: 56}
SCORES = [points / 2 for points in PAIRS]


def score(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score):
    return 400 * math.log10(score / (1 - score))


def moments(counts):
    """The mean score of pairs, and its standard deviation."""
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES)) / total
    return mean, math.sqrt(sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES)) / total)


def pairs_needed(difference):
    """With so many pairs, the difference is beyond 1.96 standard errors in four matches out of five."""
    return math.ceil(((1.96 + 0.84) * moments(PAIRS.values())[1] / (score(difference) - 0.5)) ** 2)


def outcomes(difference):
    """The shares of the five outcomes between players of this difference: those of the README, with the better ones made likelier until the
    mean score is right."""
    low, high = -9.0, 9.0
    while high - low > 1e-12:
        tilt = (low + high) / 2
        shares = [count * math.exp(tilt * score) for count, score in zip(PAIRS.values(), SCORES)]
        low, high = (low, tilt) if moments(shares)[0] > score(difference) else (tilt, high)
    return shares


def matches_that_see(difference, pairs, matches):
    """The Elo that matches report, if it is beyond 1.96 of the standard errors that they measure themselves."""
    chance, shares, seen = random.Random(10), outcomes(difference), []
    for _ in range(matches):
        drawn = chance.choices(range(5), shares, k=pairs)
        mean, deviation = moments([drawn.count(outcome) for outcome in range(5)])
        if mean - 0.5 > 1.96 * deviation / math.sqrt(pairs):
            seen.append(elo(mean))
    return seen


def main():
    print(f"standard deviation of a pair {moments(PAIRS.values())[1]:.3f}")
    for difference in (50, 20, 10, 5):
        pairs = pairs_needed(difference)
        matches = min(10000, 20_000_000 // pairs)
        share = len(matches_that_see(difference, pairs, matches)) / matches
        error = math.sqrt(share * (1 - share) / matches)
        print(f"{difference:3} Elo: {2 * pairs:6} games, seen in {100 * share:.1f} +- {100 * error:.1f} % of matches")
    seen = matches_that_see(10, 200, 20000)
    print(f" 10 Elo in 400 games: seen in {len(seen) / 200:.1f} % of matches, which report {statistics.mean(seen):.0f} Elo on average")


if __name__ == "__main__":
    main()
