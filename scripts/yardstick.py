#!/usr/bin/env python3
"""Counts how often a UCI engine plays the winner's move: a yardstick for the match of a set of weights.

    scripts/yardstick.py stockfish games.pgn --depth 1 --every 7
    texam agree games.pgn --every 7 --par best                    # the same positions

Takes the positions that texam takes: the winner to move, after 8 full moves, with two legal moves or more. Before each position the
engine forgets the one before. Needs the package chess from PyPI. Debian's engines are in /usr/games.
"""

import argparse
import math
import sys

import chess
import chess.engine
import chess.pgn


def positions(path, skip_moves):
    """All positions of the winners of a file, each with the played move."""
    with open(path, encoding="latin-1") as file:
        while game := chess.pgn.read_game(file):
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(game.headers["Result"])
            board = game.board()
            for move in game.mainline_moves():
                if board.turn == winner and board.fullmove_number > skip_moves:
                    yield board.copy(stack=False), move
                board.push(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="the command of the engine")
    parser.add_argument("games", help="games in PGN")
    parser.add_argument("--depth", type=int, default=1, metavar="PLIES", help="plies of each search [default: 1]")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use only every Nth position")
    parser.add_argument("--skip-moves", type=int, default=8, metavar="N", help="full moves to leave out [default: 8]")
    options = parser.parse_args()
    matched = count = 0
    with chess.engine.SimpleEngine.popen_uci(options.engine) as engine:
        name = engine.id.get("name", options.engine)
        for index, (board, played) in enumerate(positions(options.games, options.skip_moves)):
            if index % options.every == 0 and board.legal_moves.count() > 1:
                count += 1
                result = engine.play(board, chess.engine.Limit(depth=options.depth), game=object())
                matched += result.move == played
    if count == 0:
        parser.error(f"{options.games}: expected positions of winners, but found none")
    rate = matched / count
    error = math.sqrt(rate * (1 - rate) / count)
    print(f"{name}, {options.depth} plies: match {rate:.4f} +- {error:.4f} on {count} positions")


if __name__ == "__main__":
    try:
        main()
    except (OSError, chess.engine.EngineError) as error:
        sys.exit(f"{error}; check the names of the engine and of the games")
