"""The rule of a comparison, written before its match: how often it says what, and what it says of the result.

    python3 plan.py                # the plan: number of games, and how often each verdict comes
    python3 plan.py result.json    # the verdict on the output of `texam match --json`
"""

import json
import random
import sys
from collections import Counter

from power import SCORES, elo, moments, outcomes, pairs_needed

MARGIN = 40
VERDICTS = ["better", "worse", "equal", "undecided"]


def verdict(low, high):
    """The rule: what an interval of 95 % of the difference in Elo says."""
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "equal" if -MARGIN < low and high < MARGIN else "undecided"


def shares_of_verdicts(difference, pairs, matches=2000):
    """How often the rule gives each verdict, in matches drawn with this true difference."""
    chance, shares, found = random.Random(11), outcomes(difference), Counter()
    for _ in range(matches):
        drawn = Counter(chance.choices(range(len(SCORES)), shares, k=pairs))
        mean, deviation = moments([drawn[outcome] for outcome in range(len(SCORES))])
        half = 1.96 * deviation / pairs**0.5
        found[verdict(elo(mean - half), elo(mean + half))] += 1
    return [found[name] / matches for name in VERDICTS]


def main():
    if len(sys.argv) > 1:
        with open(sys.argv[1]) as result:
            match = json.load(result)
        low, high = match["elo"] - match["elo_error"], match["elo"] + match["elo_error"]
        print(f"{match['games']} games, {match['elo']:+.1f} Elo, from {low:+.1f} to {high:+.1f}: {verdict(low, high)}")
        return
    pairs = pairs_needed(MARGIN)
    print(f"{2 * pairs} games; verdicts in per cent of matches")
    print("true Elo" + "".join(f"{name:>11}" for name in VERDICTS))
    for difference in (-40, 0, 20, 40, 60):
        print(f"{difference:8}" + "".join(f"{100 * share:11.1f}" for share in shares_of_verdicts(difference, pairs)))


if __name__ == "__main__":
    main()
