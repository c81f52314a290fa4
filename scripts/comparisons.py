#!/usr/bin/env python3
"""Counts how many weights of a run changed by more than some numbers of errors, and how many would do so by chance.

    scripts/comparisons.py                     # the reference run
    scripts/comparisons.py stats/other.json    # a run with --groups

The errors are those of the run by G groups of games. Such an error is uncertain itself, so a change divided by it scatters by Student's
distribution with G - 1 degrees of freedom, which has longer tails than the normal one.
"""

import json
import math
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def normal(distance):
    """The probability of more than this distance, on either side."""
    return math.erfc(distance / math.sqrt(2))


def student(degrees):
    """The same for Student's distribution, by the sum that an odd or an even number of degrees ends after."""

    def tails(distance):
        angle = math.atan(distance / math.sqrt(degrees))
        term = math.cos(angle) if degrees % 2 else 1.0
        total = 0.0
        for step in range(3 if degrees % 2 else 2, degrees + 1, 2):
            total += term
            term *= math.cos(angle) ** 2 * (step - 1) / step
        inside = math.sin(angle) * total
        return 1 - (2 * (angle + inside) / math.pi if degrees % 2 else inside)

    return tails


def limit(tails, probability):
    """The distance that is exceeded with this probability."""
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if tails(middle) > probability else (low, middle)
    return high


def distances(run):
    """The change of each weight over the run, in errors of the run, and the number of groups."""
    found = [abs(weight["change"]) / weight["se_run"] for weight in run["weights"] if weight["se_run"]]
    return found, int(run["header"]["options"]["groups"])


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "stats", "gm1988.json")
    with open(path) as file:
        found, groups = distances(json.load(file))
    count = len(found)
    tails = student(groups - 1)
    limits = [2, 3, limit(normal, 0.05 / count), limit(tails, 0.05 / count)]
    print(f"{count} weights, {groups} groups: Student's distribution has {groups - 1} degrees of freedom")
    print("beyond  found  by chance, normal  by chance, Student")
    for distance in limits:
        beyond = sum(z > distance for z in found)
        print(f"{distance:6.2f}  {beyond:5}  {count * normal(distance):17.2f}  {count * tails(distance):18.2f}")


if __name__ == "__main__":
    main()
