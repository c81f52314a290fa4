#!/usr/bin/env python3
"""Fits each family of attack terms to the same games, alone and all together, and prints a table of what each brings.

    make                                       # the binary
    scripts/compare_attack.py                  # about an hour on two cores
    scripts/compare_attack.py --iterations 1 --every 20 --games 100 --out /tmp/try

Two thirds of the shipped games are fitted, every third is held out. Every run frees all tables. On the games held out each set is
compared with the set without attack terms, position by position. Then it plays that set, at 1,000 nodes a move. What is in the
folder already is not computed again.
"""

import os

from compare_objectives import ROOT, elo_against, fit, kept, read_options, texam

FAMILIES = {
    "none": None,
    "mobility": "mob_*",
    "centre and space": "ctr_att,space",
    "attacks near the king": "ring_*",
    "safe checks": "chk_*",
    "threats": "thr_*",
    "pins": "pin",
    "all": "attack",
}
GAMES = os.path.join(ROOT, "games", "gm1988.pgn")


def held_out_games(folder):
    """Writes the games that `--holdout 1/3` holds out of the shipped ones to a file of their own."""
    with open(GAMES) as file:
        games = file.read().split("[Event ")[1:]
    path = os.path.join(folder, "held-out.pgn")
    with open(path, "w") as file:
        file.writelines("[Event " + game for game in games[2::3])
    return path


def row(options, held_out, family, tune, base):
    """One line of the table; the set at the end of its run."""
    name = family.replace(" ", "-")
    at = lambda kind: os.path.join(options.out, f"{name}.{kind}.json")
    tune = "*,table:*" + (f",{tune}" if tune else "")
    common = ["--every", str(options.every)]
    arguments = ["--objective", "softmax", "--iterations", str(options.iterations), "--tune", tune]
    run, _ = kept(at("fit"), arguments + common, lambda: fit(options, name, arguments))
    par = os.path.join(options.out, f"{name}-{run['last']:02}.par")
    last = run["passes"][-1]
    cells = f"{last['match']:.4f}"
    if base is None:
        print(f"| {family} | {cells} | {last['holdout_match']:.4f} | | | |", flush=True)
        return par
    agree = ["agree", held_out, "--par", par, "--against", base]
    compared, _ = kept(at("agree"), agree + arguments, lambda: texam(options.binary, agree))
    difference = compared["difference"]
    elo = elo_against(options, at("match"), par, base, arguments)
    print(f"| {family} | {cells} | {compared['match']:.4f} | {100 * difference['match']:+.2f} +- {196 * difference['match_se']:.2f} "
          f"| {difference['mean_rank']:+.3f} +- {1.96 * difference['mean_rank_se']:.3f} | {elo} |", flush=True)
    return par


def main():
    options = read_options(__doc__, "attack", 4)
    held_out = held_out_games(options.out)
    print("| attack terms | match fitted | match held out | gain in match, per cent | difference of mean ranks | Elo |")
    print("|---|---|---|---|---|---|")
    base = None
    for family, tune in FAMILIES.items():
        par = row(options, held_out, family, tune, base)
        base = base or par


if __name__ == "__main__":
    main()
