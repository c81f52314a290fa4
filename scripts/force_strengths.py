#!/usr/bin/env python3
"""Chooses a strength for every force on games of its own, so that forces can be compared on others.

    make                                             # the binary
    scripts/force_strengths.py gm-large.pgn          # about 8 minutes on two cores

Every force makes the same run with several strengths. Prints the mean rank on the games held out after the last fit, and marks the
lowest of each force. Two plies are searched, for the sake of time. A force of the miss has its strength at a miss of `--scale`, 32 units.
"""

import argparse
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORCES = ["linear", "quadratic", "sqrt", "log", "reciprocal", "rank", "constant"]
STRENGTHS = [32, 64, 128, 256, 512, 1024]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "texam"))
    parser.add_argument("--every", type=int, default=60)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=6)
    options = parser.parse_args()
    print("| force | " + " | ".join(map(str, STRENGTHS)) + " | chosen |")
    print("|---" * (len(STRENGTHS) + 2) + "|", flush=True)
    with tempfile.TemporaryDirectory() as out:
        for force in FORCES:
            ranks = []
            for strength in STRENGTHS:
                fit = ["fit", options.games, "--every", str(options.every), "--holdout", "1/3", "--json"]
                fit += ["--iterations", str(options.iterations), "--force", force, "--strength", str(strength)]
                fit += ["--depth", str(options.depth), "--errors", "off", "--out", out, "--name", "run", "--overwrite"]
                run = subprocess.run([options.binary, *fit], stdout=subprocess.PIPE)
                if run.returncode > 1:  # 1 is a warning
                    raise SystemExit(run.returncode)
                ranks.append(json.loads(run.stdout)["passes"][-1]["holdout_mean_rank"])
            chosen = STRENGTHS[ranks.index(min(ranks))]
            print(f"| {force} | " + " | ".join(f"{rank:.3f}" for rank in ranks) + f" | {chosen} |", flush=True)


if __name__ == "__main__":
    main()
