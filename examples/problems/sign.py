"""Finds the column of rows whose counts do not belong to the values.

    python3 sign.py spoiled.txt weights.csv
"""

import sys

from rows import read_rows, read_weights, value


def main():
    names, weights, tuned = read_weights(sys.argv[2])
    positions = read_rows(sys.argv[1])
    rows = [(counts, found, moves[0][2]) for moves in positions for counts, found, _ in moves]
    wrong = [(counts, found - value(counts, weights), first) for counts, found, first in rows]
    wrong = [(counts, error, first) for counts, error, first in wrong if abs(error) > 0.01]
    print(f"rows {len(rows)}, of which {len(wrong)} do not add up to their values")
    if not wrong:
        return
    # A count of the wrong sign leaves -2 x count x weight, so the error divided by the count is the same in
    # every such row.
    for column, name in enumerate(names):
        if all(column in counts and abs(error / counts[column] + 2 * weights[column]) < 0.01 for counts, error, _ in wrong):
            print(f"the sign of {name} is wrong")
    sides = {first.split(" fen ")[1].split()[1] for _, _, first in wrong}
    print("in positions with", " and ".join({"w": "White", "b": "Black"}[side] for side in sorted(sides)), "to move")


if __name__ == "__main__":
    main()
