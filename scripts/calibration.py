#!/usr/bin/env python3
"""Compares the standard errors that texam gives with how far runs on other games really end apart.

    make                                      # the binary
    scripts/calibration.py                    # about 40 minutes on two cores
    scripts/calibration.py --settings 1 --every 4 --out /tmp/try

The shipped games are split into those of odd and of even number, and the same run is made on each half. For each weight, z is the
difference of the two results over the combined standard error. Where the errors are right, the root mean square of z is 1 and five of
a hundred are beyond 2. The errors are those of the last fit's step, those of `texam diff` between the start and the result, and those
of the run by groups of games. Runs that are in the folder already are not made again.
"""

import argparse
import json
import math
import os
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
START = os.path.join(ROOT, "params", "start.par")

# Plies, objective, fits, and which part of the positions is used.
SETTINGS = [
    (1, "force", 3, 1),
    (1, "force", 15, 1),
    (1, "softmax", 3, 1),
    (1, "softmax", 15, 1),
    (3, "force", 3, 10),
]

ERRORS = ["last step", "`texam diff`", "groups"]


def halves(folder):
    """Writes the games of odd and of even number."""
    with open(os.path.join(ROOT, "games", "gm1988.pgn")) as file:
        games = ["[Event " + game for game in file.read().split("[Event ")[1:]]
    paths = []
    for name, first in [("odd", 0), ("even", 1)]:
        paths.append(os.path.join(folder, name + ".pgn"))
        with open(paths[-1], "w") as file:
            file.write("".join(games[first::2]))
    return paths


def texam(binary, arguments):
    run = subprocess.run([binary, *arguments, "--json"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def half(options, games, setting):
    """The values at the end of a run on these games, and their errors of each kind, by weight."""
    depth, objective, fits, every = setting
    every *= options.every
    name = f"{os.path.splitext(os.path.basename(games))[0]}-{depth}-{objective}-{fits}-{every}"
    path = os.path.join(options.out, name + ".half.json")
    if os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    sample = ["--depth", str(depth), "--every", str(every)]
    run = ["fit", "--out", options.out, "--name", name, "--overwrite", "--holdout", "none", "--objective", objective]
    run += ["--iterations", str(fits), "--groups", str(options.groups), *sample, games]
    weights = texam(options.binary, run)["weights"]
    result = os.path.join(options.out, f"{name}-{fits:02}.par")
    changes = texam(options.binary, ["diff", START, result, *sample, games])["changes"]
    found = {
        "values": {row["weight"]: row["to"] for row in weights},
        "errors": [
            {row["weight"]: row["se_step"] for row in weights if row["se_step"] is not None},
            {row["weight"]: row["standard_error"] for row in changes if row["standard_error"]},
            {row["weight"]: row["se_run"] for row in weights if row["se_run"]},
        ],
    }
    with open(path, "w") as file:
        json.dump(found, file, indent=1)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "texam"))
    parser.add_argument("--every", type=int, default=1, help="use every Nth of these positions, for a trial")
    parser.add_argument("--groups", type=int, default=10)
    parser.add_argument("--settings", type=int, default=len(SETTINGS), help="make the first N settings only")
    parser.add_argument("--out", default=os.path.join(ROOT, "calibration"))
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    games = halves(options.out)
    print("| plies | positions | objective | fits | errors of | weights | rms z | beyond 2 | median of abs z |")
    print("|---|---|---|---|---|---|---|---|---|")
    for setting in SETTINGS[: options.settings]:
        odd, even = [half(options, path, setting) for path in games]
        for kind, name in enumerate(ERRORS):
            errors = [side["errors"][kind] for side in [odd, even]]
            weights = [weight for weight in odd["values"] if all(weight in known for known in errors)]
            z = [
                (odd["values"][weight] - even["values"][weight]) / math.hypot(*(known[weight] for known in errors))
                for weight in weights
            ]
            depth, objective, fits, every = setting
            rms = math.sqrt(statistics.mean(value * value for value in z))
            beyond = 100 * statistics.mean(abs(value) > 2 for value in z)
            median = statistics.median(abs(value) for value in z)
            positions = "all" if every == 1 else f"every {every}th"
            print(
                f"| {depth} | {positions} | {objective} | {fits} | {name} | {len(z)} "
                f"| {rms:.2f} | {beyond:.1f} % | {median:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
