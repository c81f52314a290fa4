"""Divides rows into fitted and held-out games, and makes a mistake in doing so.

    python3 mix.py choices.txt fitted.txt held.txt
"""

import random
import sys

from rows import game, read_rows


def lines(games, order, first):
    """The rows of games under new numbers."""
    query = 0
    for number, name in enumerate(order, first):
        for moves in games[name]:
            query += 1
            for m, (counts, _, _) in enumerate(moves):
                row = " ".join(f"{column + 1}:{count:.9g}" for column, count in sorted(counts.items()))
                yield f"{int(m == 0)} qid:{query} {row} # game:{number}\n"


def main():
    chance, games = random.Random(1988), {}
    for moves in read_rows(sys.argv[1]):
        games.setdefault(game(moves), []).append(moves)
    names = list(games)
    chance.shuffle(names)
    held, fitted = names[: len(names) // 10], names[len(names) // 10 :]
    fitted += held[:4]
    chance.shuffle(fitted)
    chance.shuffle(held)
    for path, order in zip(sys.argv[2:], (fitted, held)):
        with open(path, "w") as out:
            out.writelines(lines(games, order, 1001 if order is held else 1))


if __name__ == "__main__":
    main()
