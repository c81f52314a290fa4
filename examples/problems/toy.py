"""A toy engine that prints rows for `texam fit`: material, and three terms to tune.

    python3 toy.py                          # the table of start weights
    python3 toy.py positions.txt WEIGHTS    # rows
"""

from toy_skeleton import PIECES, main

TERMS = ["pawn_advance", "minor_centre", "king_centre"]


def counts(squares):
    """Material and the three terms, White's minus Black's."""
    found = [0, 0, 0, 0]
    for square, sign in enumerate(squares):
        side, kind = 1 if sign.isupper() else -1, sign.lower()
        file, rank = square % 8, square // 8 if sign.isupper() else 7 - square // 8
        centre = min(file, 7 - file) + min(rank, 7 - rank)
        found[0] += side * PIECES.get(kind, 0)
        found[1] += side * (kind == "p") * (rank - 1)
        found[2] += side * (kind in "nb") * centre
        found[3] += side * (kind == "k") * centre
    return found


if __name__ == "__main__":
    main(TERMS, counts)
