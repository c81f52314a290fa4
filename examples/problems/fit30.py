"""The fit of 1988 in thirty lines: rows and weights in, weights out.

    python3 fit30.py choices.txt weights.csv
"""

import sys

from rows import read_rows, read_weights, value


def fit(positions, weights, tuned, strength=512, scale=32, ridge=100):
    free = [column for column, is_free in enumerate(tuned) if is_free]
    place = {column: index for index, column in enumerate(free)}
    size = len(free)
    # The right side is the last column.
    table = [[ridge * (i == j) for j in range(size)] + [ridge * weights[free[i]]] for i in range(size)]
    for moves in positions:
        values = [value(counts, weights) for counts, _, _ in moves]
        force = strength * max(0, max(values[1:]) - values[0]) / scale
        for m, (counts, _, _) in enumerate(moves):
            target = values[m] + (force if m == 0 else -force / (len(moves) - 1))
            target -= sum(count * weights[column] for column, count in counts.items() if column not in place)
            row = [(place[column], count) for column, count in counts.items() if column in place]
            for i, count in row:
                for j, other in row:
                    table[i][j] += count * other
                table[i][size] += count * target
    for i in range(size):
        pivot = [number / table[i][i] for number in table[i]]
        table[i] = pivot
        for j in range(size):
            if j != i and (factor := table[j][i]):
                table[j] = [number - factor * other for number, other in zip(table[j], pivot)]
    fitted = list(weights)
    for column in free:
        fitted[column] = table[place[column]][size]
    return fitted


if __name__ == "__main__":
    names, weights, tuned = read_weights(sys.argv[2])
    fitted = fit(read_rows(sys.argv[1]), weights, tuned)
    changes = sorted(zip(names, weights, fitted), key=lambda line: -abs(line[2] - line[1]))
    for name, before, after in changes[:5]:
        print(f"{name:14}{before:10.3f}{after:12.6f}")
