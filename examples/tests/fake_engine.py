"""A small UCI engine for the tests of probe.py: material that is fixed, and three weights that are options."""

import sys

PIECES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950, "k": 0}
OPTIONS = {"Knight Centre": 4, "Pawn Advance": 3, "Mobility": 2}


def parse(fen):
    """The squares from a1, and whether White is to move."""
    board, side = fen.split()[:2]
    squares = []
    for rank in reversed(board.split("/")):
        squares += [sign for word in rank for sign in ("." * int(word) if word.isdigit() else word)]
    return squares, side == "w"


def play(squares, move):
    """The squares after a legal move."""
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
    """Material, and how often each option counts, White less Black."""
    material, centre, advance, free = 0, 0, 0, 0
    for square, sign in enumerate(squares):
        if sign == ".":
            continue
        side = 1 if sign.isupper() else -1
        file, rank = square % 8, square // 8
        material += side * PIECES[sign.lower()]
        if sign in "Nn":
            centre += side * (min(file, 7 - file) + min(rank, 7 - rank))
        if sign in "Pp":
            advance += side * (rank if side == 1 else 7 - rank)
        if sign in "RrBbQq":
            free += side * sum(squares[to] == "." for to in (square + 8, square - 8) if 0 <= to < 64)
    return material, centre, advance, free


def evaluate(squares, weights):
    material, *found = counts(squares)
    # The square makes the evaluation curved in one weight.
    curve = (weights[2] ** 2 - OPTIONS["Mobility"] ** 2) / 4
    return material + sum(count * weight for count, weight in zip(found, [*weights[:2], weights[2] + curve]))


def main():
    options, squares, is_white = dict(OPTIONS), [], True
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "uci":
            for name, default in OPTIONS.items():
                print(f"option name {name} type spin default {default} min 0 max 100")
            print("uciok")
        elif command == "setoption":
            name, value = rest.removeprefix("name ").split(" value ")
            options[name] = int(value)
        elif command == "position":
            fen, _, moves = rest.removeprefix("fen ").partition(" moves ")
            squares, is_white = parse(fen)
            for move in moves.split():
                squares, is_white = play(squares, move), not is_white
        elif command == "eval" and sys.argv[1:] != ["mute"]:
            value = evaluate(squares, list(options.values()))
            print(f"eval {value if is_white else -value:g}")
        elif command == "isready":
            print("readyok")
        elif command == "quit" and sys.argv[1:] != ["stubborn"]:
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
