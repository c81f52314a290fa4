"""Chooses ten weights whose change lowers the loss of `softmax` most, fits them, and writes them into a set of weights.

    python3 ten.py choices.txt weights.csv base.par new.par

Every tenth game is left out, as in `texam fit`.
"""

import math
import sys

from null_direction import inverse
from rows import game, read_rows, read_weights, value

NUMBER, TEMPERATURE, RIDGE = 10, 20, 100


def probabilities(moves, weights):
    values = [value(counts, weights) / TEMPERATURE for counts, _, _ in moves]
    powers = [math.exp(number - max(values)) for number in values]
    return [power / sum(powers) for power in powers]


def falls(positions, weights):
    """About how far the loss would fall by a step of each column alone: half the squared slope over the curvature."""
    slopes, curvatures = [0.0] * len(weights), [RIDGE / TEMPERATURE**2] * len(weights)
    for moves in positions:
        centre, square = {}, {}
        for (counts, _, _), share in zip(moves, probabilities(moves, weights)):
            for column, count in counts.items():
                centre[column] = centre.get(column, 0) + share * count
                square[column] = square.get(column, 0) + share * count * count
        for column, mean in centre.items():
            slopes[column] += (moves[0][0].get(column, 0) - mean) / TEMPERATURE
            curvatures[column] += (square[column] - mean * mean) / TEMPERATURE**2
    return [slope * slope / curvature / 2 for slope, curvature in zip(slopes, curvatures)]


def step(positions, weights, chosen):
    """A Newton step of the chosen columns, by the equations of docs/EQUATIONS.md."""
    size = len(chosen)
    table = [[float(RIDGE * (i == j)) for j in range(size)] for i in range(size)]
    right = [0.0] * size
    for moves in positions:
        rows = [[counts.get(column, 0) for column in chosen] for counts, _, _ in moves]
        if not any(map(any, rows)):
            continue
        shares = probabilities(moves, weights)
        centre = [sum(share * row[i] for share, row in zip(shares, rows)) for i in range(size)]
        for i in range(size):
            right[i] += TEMPERATURE * (rows[0][i] - centre[i])
            for j in range(size):
                table[i][j] += sum(share * row[i] * row[j] for share, row in zip(shares, rows)) - centre[i] * centre[j]
    changed = list(weights)
    for column, line in zip(chosen, inverse(table)):
        changed[column] += sum(a * b for a, b in zip(line, right))
    return changed


def write(base, path, new):
    """Copies a .par with new values: a line is a key, perhaps a word, the opening and the endgame value."""
    with open(base) as lines, open(path, "w") as out:
        for line in lines:
            words = line.split()
            key = words[0] if words else ""
            at = 2 if words[1:2] == ["gradient"] else 1
            for place, name in ((at, key), (at, key + ".o"), (at + 1, key + ".e")):
                if name in new:
                    words[place] = f"{new[name]:.3f}"
                    line = " ".join(words) + "\n"
            out.write(line)


def main():
    names, start, tuned = read_weights(sys.argv[2])
    positions = [moves for moves in read_rows(sys.argv[1]) if int(game(moves)) % 10]
    # Cells of tables, such as mob_n[1].o, stand elsewhere in a .par.
    free = {column for column, name in enumerate(names) if tuned[column] and "[" not in name}
    weights, chosen = start, []
    while len(chosen) < NUMBER:
        fall = falls(positions, weights)
        chosen.append(max(free.difference(chosen), key=lambda column: fall[column]))
        weights = step(positions, weights, chosen)
    weights = step(positions, weights, chosen)
    for column in chosen:
        print(f"{names[column]:10}{start[column]:9.2f}{weights[column]:9.2f}")
    write(sys.argv[3], sys.argv[4], {names[column]: weights[column] for column in chosen})


if __name__ == "__main__":
    main()
