#!/usr/bin/env python3
"""Fits every objective to the same games with the same features, and prints a table of what each reached.

    make                                          # the binary
    scripts/compare_objectives.py                 # about two hours on two cores
    scripts/compare_objectives.py --every 20 --games 100 --out /tmp/try

Two thirds of the shipped games are fitted, every third is held out. Each set at the end of a fit is measured on the games held
out by one more pass, which also fits a temperature to the games fitted: so the likelihoods are comparable, whatever was fitted. Then
it plays against the start set, at 1,000 nodes a move. What is in the folder already is not computed again.
"""

import argparse
import json
import os
import re
import resource
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
START = os.path.join(ROOT, "params", "start.par")

PARAMETERS = {"gradients": [], "tables": ["--tune", "*,table:*"]}

# Quiet positions stay what they are under new weights, so logistic needs no second pass, only more steps.
OBJECTIVES = {
    "force, linear": ["--force", "linear"],
    "force, rank": ["--force", "rank"],
    "softmax": ["--objective", "softmax"],
    "pairs": ["--objective", "pairs"],
    "logistic": ["--objective", "logistic", "--iterations", "1", "--inner", "20"],
}


def texam(binary, arguments):
    """Runs the program; its JSON object and the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([binary, *arguments, "--json"], cwd=ROOT, stdout=subprocess.PIPE)
    if run.returncode > 1:  # 1 is a warning
        raise SystemExit(run.returncode)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(run.stdout), seconds


def kept(path, arguments, compute):
    """What the file holds for these arguments, or else what is computed, which is then stored there."""
    if os.path.exists(path):
        with open(path) as file:
            stored = json.load(file)
        if stored["arguments"] == arguments:
            return stored["result"]
    result = compute()
    with open(path + ".part", "w") as file:
        json.dump({"arguments": arguments, "result": result}, file, indent=1)
    os.replace(path + ".part", path)
    return result


def fit(options, name, extra):
    arguments = ["fit", "--out", options.out, "--name", name, "--overwrite", "--holdout", "1/3"]
    return texam(options.binary, arguments + ["--every", str(options.every)] + extra)


def measure(options, name, par):
    """Agreement, rank, likelihood and spread under a set, from a pass without a fit."""
    result, _ = fit(options, name, ["--objective", "softmax", "--iterations", "0", "--par", par])
    with open(os.path.join(options.out, name + "-00.par")) as file:
        rank = re.search(r"held out: match .*mean rank ([\d.]+)", file.read()).group(1)
    return {**result["passes"][0], "temperature": result["temperature"], "rank": float(rank)}


def elo_against(options, path, par, other, arguments):
    """Elo of a set against another with its 95 % interval, from games stored in `path`; a dash where there is none."""
    if not options.games:
        return "-"
    games = ["match", par, other, "--games", str(options.games), "--nodes", "1000"]
    match, _ = kept(path, games + arguments, lambda: texam(options.binary, games))
    if match["elo_error"] is None:  # A few games may give none.
        return "-"
    return f"{match['elo']:+.1f} +- {match['elo_error']:.1f}"


def read_options(doc, folder, iterations):
    """The options of the command line; the folder of the runs is made."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "texam"))
    parser.add_argument("--out", default=os.path.join(ROOT, "target", folder), help="folder of the runs")
    parser.add_argument("--iterations", type=int, default=iterations, help="fits of each run")
    parser.add_argument("--every", type=int, default=1, help="use only every Nth position for the fits")
    parser.add_argument("--games", type=int, default=2000, help="games of each match; 0 for none")
    options = parser.parse_args()
    options.out, options.binary = os.path.abspath(options.out), os.path.abspath(options.binary)
    os.makedirs(options.out, exist_ok=True)
    return options


def row(options, label, name, arguments):
    """One line of the table, from a fit or, with no arguments, of the start set."""
    at = lambda kind: os.path.join(options.out, f"{name}.{kind}.json")
    common = ["--every", str(options.every)]
    par, seconds, elo = START, "-", "-"
    if arguments:
        run, cpu = kept(at("fit"), arguments + common, lambda: fit(options, name, arguments))
        par = os.path.join(options.out, f"{name}-{run['last']:02}.par")
        seconds = f"{cpu:.0f}"
    measured = kept(at("measured"), arguments + common, lambda: measure(options, name + "-measured", par))
    if arguments:
        elo = elo_against(options, at("match"), par, START, arguments + common)
    loss = f"{-measured['holdout_loss']:.4f}"
    print(f"| {label} | {measured['match']:.4f} | {measured['holdout_match']:.4f} | {measured['rank']:.3f} | {loss} "
          f"| {measured['spread']:.1f} | {measured['temperature']:.1f} | {seconds} | {elo} |", flush=True)


def main():
    options = read_options(__doc__, "objectives", 6)
    print("| fit | match fitted | match held out | mean rank held out | log-likelihood held out | spread | T | CPU seconds | Elo |")
    print("|---|---|---|---|---|---|---|---|---|")
    row(options, "start", "start", [])
    for parameters, tune in PARAMETERS.items():
        for objective, choice in OBJECTIVES.items():
            name = re.sub(r"\W+", "-", f"{parameters}-{objective}")
            arguments = ["--iterations", str(options.iterations)] if "--iterations" not in choice else []
            row(options, f"{objective}, {parameters}", name, arguments + choice + tune)


if __name__ == "__main__":
    main()
