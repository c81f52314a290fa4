"""A skeleton of a toy engine: the board and the moves are here, three terms of yours are missing.

    python3 toy_skeleton.py                          # the table of start weights
    python3 toy_skeleton.py positions.txt WEIGHTS    # rows
"""

import sys

PIECES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950}
TERMS = ["first", "second", "third"]


def parse(fen):
    """The squares from a1, and 1 if White is to move, -1 if Black."""
    board, side = fen.split()[:2]
    squares = [sign for rank in reversed(board.split("/")) for word in rank for sign in ("." * int(word) if word.isdigit() else word)]
    return squares, 1 if side == "w" else -1


def play(squares, move):
    squares = squares[:]
    start, end = (ord(move[at]) - ord("a") + 8 * (int(move[at + 1]) - 1) for at in (0, 2))
    piece = squares[start]
    if piece in "Pp" and start % 8 != end % 8 and squares[end] == ".":
        squares[start // 8 * 8 + end % 8] = "."
    if piece in "Kk" and abs(start - end) == 2:
        rook = start // 8 * 8 + (7 if end > start else 0)
        squares[(start + end) // 2], squares[rook] = squares[rook], "."
    if len(move) == 5:
        piece = move[4].upper() if piece.isupper() else move[4]
    squares[start], squares[end] = ".", piece
    return squares


def counts(squares):
    """Material and your three terms, White's minus Black's."""
    found = [0, 0, 0, 0]
    for square, sign in enumerate(squares):
        side, kind = 1 if sign.isupper() else -1, sign.lower()
        # The file from 0, and the rank from 0 as its own side sees it.
        file, rank = square % 8, square // 8 if sign.isupper() else 7 - square // 8
        found[0] += side * PIECES.get(kind, 0)
        # Yours: found[1], found[2] and found[3]
    return found


def main(terms, counts):
    if len(sys.argv) == 1:
        print("name,value,tune\nmaterial,1,false\n" + "".join(f"{term},0,true\n" for term in terms), end="")
        return
    with open(sys.argv[2]) as table:
        weights = [float(line.split(",")[1]) for line in table.read().splitlines()[1:]]
    for line in open(sys.argv[1]):
        if line.startswith("#"):
            continue
        numbers, remark = line.rstrip().split(" # ")
        if " fen " in remark:
            squares, side = parse(remark.split(" fen ")[1])
            before = counts(squares)
        after = counts(play(squares, remark.split()[1]))
        row = [side * (later - sooner) for later, sooner in zip(after, before)]
        value = sum(count * weight for count, weight in zip(row, weights))
        columns = " ".join(f"{column}:{count}" for column, count in enumerate(row, 1) if count)
        print(*numbers.split()[:2], f"value:{value:.6f}", columns, "#", remark)


if __name__ == "__main__":
    main(TERMS, counts)
