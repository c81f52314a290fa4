"""Rows with a mistake: the counts of one feature have the wrong sign in the positions with Black to move.

    python3 spoil.py choices.txt weights.csv NUMBER > spoiled.txt

NUMBER chooses the feature. Every row has the value that the search has found, before the mistake.
"""

import sys
from collections import Counter

from rows import read_rows, read_weights, value


def is_black(moves):
    return moves[0][2].split(" fen ")[1].split()[1] == "b"


def main():
    names, weights, tuned = read_weights(sys.argv[2])
    positions = read_rows(sys.argv[1])
    black = [moves for moves in positions if is_black(moves)]
    touching = Counter(column for moves in black for counts, _, _ in moves for column in counts if weights[column])
    spoiled = sorted(column for column, count in touching.items() if tuned[column] and count >= 50)
    spoiled = spoiled[int(sys.argv[3]) % len(spoiled)]
    for query, moves in enumerate(positions, 1):
        for m, (counts, _, remark) in enumerate(moves):
            found = value(counts, weights)
            sign = {spoiled: -1} if is_black(moves) else {}
            row = " ".join(f"{column + 1}:{count * sign.get(column, 1):.9g}" for column, count in sorted(counts.items()))
            print(f"{int(m == 0)} qid:{query} value:{found:.6f} {row} # {remark}")


if __name__ == "__main__":
    main()
