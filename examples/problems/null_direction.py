"""Finds the direction of the weights that rows say least about: the eigenvector of the smallest eigenvalue of their equations.

    python3 null_direction.py choices.txt weights.csv [LEAST]

Columns that fewer than LEAST positions touch are left out, 20 if it is not given. Columns are scaled to length 1, so that units do not matter.
"""

import math
import sys
from collections import Counter

from rows import read_rows, read_weights


def equations(positions, least):
    """The columns with enough positions, their lengths, and the products of the columns of length 1."""
    support = Counter(column for moves in positions for column in set().union(*(counts for counts, _, _ in moves)))
    columns = sorted(column for column, count in support.items() if count >= least)
    place = {column: at for at, column in enumerate(columns)}
    table = [[0.0] * len(columns) for _ in columns]
    for moves in positions:
        for counts, _, _ in moves:
            row = [(place[column], count) for column, count in counts.items() if column in place]
            for i, count in row:
                for j, other in row:
                    table[i][j] += count * other
    lengths = [math.sqrt(table[i][i]) for i in range(len(columns))]
    return columns, lengths, [[number / lengths[i] / lengths[j] for j, number in enumerate(line)] for i, line in enumerate(table)]


def inverse(table):
    size = len(table)
    table = [line + [float(i == j) for j in range(size)] for i, line in enumerate(table)]
    for i in range(size):
        table[i] = [number / table[i][i] for number in table[i]]
        for j in range(size):
            if j != i and (factor := table[j][i]):
                table[j] = [number - factor * other for number, other in zip(table[j], table[i])]
    return [line[size:] for line in table]


def smallest(table, steps=50):
    """The smallest eigenvalue and its vector. The inverse has it as its largest, which repeated multiplication finds."""
    # A little on the diagonal makes the inverse exist; it moves all eigenvalues by as much, and no vector.
    little = 1e-9
    turned = inverse([[number + little * (i == j) for j, number in enumerate(line)] for i, line in enumerate(table)])
    vector = [1 / (at + 1) for at in range(len(table))]
    for _ in range(steps):
        vector = [sum(a * b for a, b in zip(line, vector)) for line in turned]
        length = math.sqrt(sum(number * number for number in vector))
        vector = [number / length for number in vector]
    return 1 / length - little, vector


def main():
    names, _, _ = read_weights(sys.argv[2])
    columns, lengths, table = equations(read_rows(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 20)
    value, vector = smallest(table)
    # In units of the weights again, the largest as 1.
    direction = [(number / length, names[column]) for number, length, column in zip(vector, lengths, columns)]
    top = max(direction, key=lambda entry: abs(entry[0]))[0]
    print(f"{len(columns)} columns, smallest eigenvalue {value:.6f}")
    for number, name in sorted(direction, key=lambda entry: -abs(entry[0]))[:6]:
        print(f"{name:14}{number / top:8.3f}")


if __name__ == "__main__":
    main()
