# SPDX-License-Identifier: 0BSD. Unlike the rest of texam, this file may be copied into any program, without conditions.
"""Turns labelled positions (`FEN [0.5]`, the result for White) into rows of material and piece-square tables.

    python examples/epd_rows.py positions.epd rows.txt weights.csv
    texam fit --choices rows.txt --weights weights.csv --objective logistic --loss squared \\
        --ridge 0 --min-support 1 --holdout none --inner 5

The features are those that Texel tuners come with: the number of pieces and their squares, White less Black. A row has the phase of
the position, by which texam shares each count, as in `3+:1`, between an opening and an endgame weight.
"""

import sys

PIECES = "pnbrqk"
VALUES = [(128, 128), (416, 416), (424, 432), (640, 672), (1216, 1248), (0, 0)]
POINTS = {"n": 1, "b": 1, "r": 2, "q": 4}


def counts(board):
    """Number of each feature, White less Black, and how much of the endgame there is, 0 to 256."""
    found, points = {}, 0
    for row, rank in enumerate(board.split("/")):
        file = 0
        for sign in rank:
            if sign.isdigit():
                file += int(sign)
                continue
            piece = PIECES.index(sign.lower())
            points += POINTS.get(sign.lower(), 0)
            side = 1 if sign.isupper() else -1
            square = 8 * (7 - row if side == 1 else row) + file
            for feature in (piece, 6 + 64 * piece + square):
                found[feature] = found.get(feature, 0) + side
            file += 1
    return found, ((24 - min(points, 24)) * 256 + 12) // 24


def row(number, line):
    fen, bracket, label = line.rpartition("[")
    if not bracket or fen.count("/") != 7:
        sys.exit(f"{source}, line {number}: expected FEN [result], but found {line.strip()!r}")
    found, endgame = counts(fen.split()[0])
    entries = [f" {2 * feature + 1}+:{count}" for feature, count in sorted(found.items()) if count]
    label, game = label.split("]")
    return f"{label} phase:{endgame / 256}{''.join(entries)} {game.strip()}".rstrip() + "\n"


source, rows, weights = sys.argv[1:]
with open(source) as lines, open(rows, "w") as output:
    output.writelines(row(number, line) for number, line in enumerate(lines, 1))
with open(weights, "w") as output:
    output.write("name,value,tune\n")
    for piece, values in zip(PIECES, VALUES):
        output.writelines(f"{piece}.{end},{value},true\n" for end, value in zip("oe", values))
    for piece in PIECES:
        for square in range(64):
            name = f"{piece}_{'abcdefgh'[square % 8]}{square // 8 + 1}"
            output.writelines(f"{name}.{end},0,true\n" for end in "oe")
