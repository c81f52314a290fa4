#!/usr/bin/env python3
"""Compares an exact search of all moves with the same question put to a playing engine.

    python scripts/compare_engine.py PATH_OF_ENGINE [POSITIONS]

For each position of the games (spread evenly, winner to move, after 8 moves) texam finds what a fit needs: the exact
value of every move in bound and the rank of the played one. The engine searches each legal move on its own with
`go depth 3 searchmoves MOVE`, with a hash table of 4 MB that is empty at the first move of a position. Needs the
package chess and a built texam (`cargo build --release`).
"""

import json
import os
import subprocess
import sys
import tempfile

import chess
import chess.engine
import chess.pgn

GAMES = "games/gm1988.pgn"
TEXAM = "target/release/texam"
SKIP = 8


def winner_positions():
    """All positions with the winner to move, each with the played move."""
    found = []
    with open(GAMES, encoding="latin-1") as file:
        while game := chess.pgn.read_game(file):
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(game.headers["Result"])
            board = game.board()
            for ply, move in enumerate(game.mainline_moves()):
                if board.turn == winner and ply // 2 >= SKIP:
                    found.append((board.copy(stack=False), move))
                board.push(move)
    return found


def cpu_seconds():
    times = os.times()
    return times.children_user + times.children_system


def main():
    engine_path = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    every = winner_positions()
    chosen = [every[i * len(every) // count] for i in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        for board, move in chosen:
            result = "1-0" if board.turn else "0-1"
            game = chess.pgn.Game.from_board(board)
            game.add_variation(move)
            game.headers["Result"] = result
            print(game, end="\n\n", file=file)
        file.flush()
        command = [TEXAM, "bench", file.name, "--skip-moves", "0", "--positions", str(count), "--json"]
        ours = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    before = cpu_seconds()
    nodes = moves = 0
    engine = chess.engine.SimpleEngine.popen_uci(engine_path)
    engine.configure({"Hash": 4})
    for number, (board, _) in enumerate(chosen):
        for move in board.legal_moves:
            info = engine.analyse(board, chess.engine.Limit(depth=3), root_moves=[move], game=number)
            nodes += info["nodes"]
            moves += 1
    engine.quit()
    seconds = cpu_seconds() - before
    print(f"positions  {ours['positions']}, moves {moves}")
    print(f"texam      {ours['nodes'] / count:.0f} nodes, {1000 * ours['seconds'] / count:.2f} ms a position")
    print(f"engine     {nodes / count:.0f} nodes, {1000 * seconds / count:.2f} ms a position")


main()
