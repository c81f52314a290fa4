#!/usr/bin/env python3
"""Plays texam against other engines under a runner, and tells scores, lost times, crashes and illegal moves.

    make                                        # the binary
    scripts/arena.py --install                  # opponents from Debian's packages, the runner from PyPI
    scripts/arena.py --games 20                 # against every opponent that is there
    scripts/arena.py --self --games 200 --tc 1+0.01
    scripts/arena.py --nodes 20000 --only stockfish-0,glaurung

Fastchess or cutechess-cli on PATH run the games if --runner names them or leaves it to the script; fastchess
first checks the engine with --compliance. Otherwise the module chess from PyPI does, in this process. Openings come
from `texam match --write-openings`. Exit code 1 if texam lost a game in any way but over the board.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ["stockfish", "fairy-stockfish", "glaurung", "gnuchess", "toga2"]

# Name, command, options, and whether it obeys `go nodes`.
OPPONENTS = [
    ("stockfish-0", ["stockfish"], {"Threads": 1, "Hash": 16, "Skill Level": 0}, True),
    ("stockfish-3", ["stockfish"], {"Threads": 1, "Hash": 16, "Skill Level": 3}, True),
    ("stockfish-6", ["stockfish"], {"Threads": 1, "Hash": 16, "Skill Level": 6}, True),
    ("fairy-stockfish-3", ["fairy-stockfish"], {"Threads": 1, "Hash": 16, "Skill Level": 3}, True),
    ("glaurung", ["glaurung"], {"Threads": 1, "Hash": 16}, True),
    ("gnuchess", ["gnuchess", "--uci"], {}, False),
    ("toga2", ["toga2"], {"Hash": 16}, False),
]


def find(command):
    """Debian puts engines into /usr/games, which is not on everybody's PATH."""
    return shutil.which(command, path=os.environ.get("PATH", "") + ":/usr/games")


def install():
    subprocess.run(["apt-get", "install", "-y", *PACKAGES], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "chess"], check=True)


def opponents(args):
    if args.self:
        return [("texam-2", texam(args), {"Hash": 16}, True)]
    found = []
    for name, command, options, obeys_nodes in OPPONENTS:
        path = find(command[0])
        if args.only and name not in args.only.split(","):
            continue
        if not path:
            print(f"{name}: {command[0]} is not here; --install gets it", file=sys.stderr)
        elif args.nodes and not obeys_nodes:
            print(f"{name}: left out, for it does not obey `go nodes`", file=sys.stderr)
        else:
            found.append((name, [path, *command[1:]], options, obeys_nodes))
    return found


def texam(args):
    return [args.texam, "uci", *(["--par", args.par] if args.par else [])]


def openings(args, folder):
    path = os.path.join(folder, "openings.epd")
    command = [args.texam, "match", "--write-openings", path]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    with open(path) as lines:
        fens = [line.strip() + " 0 1" for line in lines]
    # Spread over the file, so that few games do not come from one year.
    step = max(1, len(fens) // max(1, args.games // 2))
    return path, fens[::step]


def external(runner, args, opponent, book, pgn):
    """A match under fastchess or cutechess-cli; both understand these words."""
    name, command, options, _ = opponent
    limits = [f"nodes={args.nodes}", "tc=inf"] if args.nodes else [f"tc={args.tc}"]
    line = [runner]
    for who, words, values in [("texam", texam(args), {"Hash": 16}), (name, command, options)]:
        line += ["-engine", f"name={who}", f"cmd={words[0]}", f"args={' '.join(words[1:])}"]
        line += [f"option.{key}={value}" for key, value in values.items()]
        line += [] if os.path.basename(runner).startswith("fastchess") else ["proto=uci"]
    line += ["-each", *limits, "-rounds", str(args.games // 2), "-games", "2", "-repeat"]
    line += ["-concurrency", str(args.concurrency), "-recover"]
    line += ["-openings", f"file={book}", "format=epd", "order=random"]
    line += ["-pgnout", f"file={pgn}"] if "fastchess" in runner else ["-pgnout", pgn]
    subprocess.run(line, check=True)
    return count_pgn(pgn)


def count_pgn(path):
    """Scores and faults of texam out of the games that an external runner saved."""
    import re

    tally = {"win": 0, "loss": 0, "draw": 0, "faults": []}
    with open(path, errors="replace") as file:
        games = re.split(r"\n(?=\[Event )", file.read())
    for game in games:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        if "Result" not in tags:
            continue
        white = tags.get("White") == "texam"
        key = {"1-0": ["loss", "win"], "0-1": ["win", "loss"]}.get(tags["Result"], ["draw", "draw"])[white]
        tally[key] += 1
        ending = tags.get("Termination", "normal") + " " + " ".join(re.findall(r"\{([^{}]*)\}", game)[-1:])
        if key == "loss" and re.search(r"time|forfeit|illegal|disconnect|stall|abandon", ending):
            tally["faults"].append(ending.strip())
    return tally


class Fault(Exception):
    """A game that one side lost otherwise than over the board."""

    def __init__(self, side, what):
        super().__init__(what)
        self.side, self.what = side, what


def play_game(chess, engines, fen, args, number):
    """One game in this process; the first engine has White. The result from White's side."""
    board = chess.Board(fen)
    base, increment = (float(part) for part in (args.tc + "+0").split("+")[:2])
    left = [base, base]
    while not board.is_game_over(claim_draw=False) and not drawn(board):
        side = 0 if board.turn else 1
        if args.nodes:
            limit = chess.engine.Limit(nodes=args.nodes)
        else:
            limit = chess.engine.Limit(
                white_clock=left[0], black_clock=left[1], white_inc=increment, black_inc=increment
            )
        began = time.perf_counter()
        try:
            result = engines[side].play(board, limit, game=number)
        except chess.engine.EngineError as error:
            raise Fault(side, f"{type(error).__name__}: {error} in {board.fen()}")
        left[side] -= time.perf_counter() - began
        if not args.nodes and left[side] < 0:
            raise Fault(side, f"{-1000 * left[side]:.0f} ms over its time in {board.fen()}")
        left[side] += increment
        if result.move is None:
            raise Fault(side, f"no move in {board.fen()}")
        board.push(result.move)
    return {"1-0": 1, "0-1": -1}.get(board.result(claim_draw=False), 0)


def drawn(board):
    return board.is_repetition(3) or board.is_fifty_moves() or board.is_insufficient_material()


def internal(args, opponent, fens):
    """A match in this process by the module chess."""
    import chess
    import chess.engine

    name, command, options, _ = opponent
    tally = {"win": 0, "loss": 0, "draw": 0, "faults": []}
    engines = []

    def start(words, values):
        engine = chess.engine.SimpleEngine.popen_uci(words, timeout=60)
        known = {key: value for key, value in values.items() if key in engine.options}
        engine.configure(known)
        return engine

    def restart():
        for engine in engines:
            try:
                engine.quit()
            except (chess.engine.EngineError, TimeoutError):
                pass
        engines[:] = [start(texam(args), {"Hash": 16}), start(command, options)]

    restart()
    for game in range(args.games):
        white = game % 2
        order = engines if white == 0 else engines[::-1]
        try:
            score = play_game(chess, order, fens[game // 2 % len(fens)], args, game)
            own = score if white == 0 else -score
        except Fault as fault:
            own = -1 if fault.side == white else 1
            if own < 0:
                tally["faults"].append(fault.what)
            else:
                print(f"{name}: {fault.what}", file=sys.stderr)
            restart()
        tally[{1: "win", 0: "draw", -1: "loss"}[own]] += 1
        if sys.stderr.isatty():
            print(f"\r{name}: {report(tally)}", end="", file=sys.stderr)
    for engine in engines:
        engine.quit()
    return tally


def report(tally):
    games = tally["win"] + tally["loss"] + tally["draw"]
    mean = (tally["win"] + tally["draw"] / 2) / max(1, games)
    elo = "-inf" if mean == 0 else "+inf" if mean == 1 else f"{-400 * math.log10(1 / mean - 1):+.0f}"
    counts = f"+{tally['win']} -{tally['loss']} ={tally['draw']}"
    return f"{games:>4} games  {counts:<14} {100 * mean:5.1f} %  elo {elo:>5}  faults {len(tally['faults'])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install opponents and runner, as root")
    parser.add_argument("--texam", default=os.path.join(ROOT, "target/release/texam"), help="the binary")
    parser.add_argument("--par", help="weights [default: those of texam]")
    parser.add_argument("--games", type=int, default=20, help="games against each opponent")
    parser.add_argument("--tc", default="1+0.01", help="seconds for a game and for each move")
    parser.add_argument("--nodes", type=int, help="positions for each move, instead of time")
    parser.add_argument("--only", help="names of opponents, with commas")
    parser.add_argument("--self", action="store_true", help="texam against itself")
    parser.add_argument("--concurrency", type=int, default=1, help="games at a time under an external runner")
    parser.add_argument("--runner", help="fastchess, cutechess-cli or chess [default: the first that is here]")
    args = parser.parse_args()
    if args.install:
        return install()
    if not os.path.exists(args.texam):
        sys.exit(f"error: {args.texam} is not here; make it by cargo build --release")
    runner = args.runner or next((name for name in ("fastchess", "cutechess-cli") if find(name)), "chess")
    print(f"runner {runner}, {'nodes ' + str(args.nodes) if args.nodes else 'time ' + args.tc}")
    if runner.startswith("fastchess"):
        subprocess.run([find(runner), "--compliance", args.texam, "uci"], check=True)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        book, fens = openings(args, folder)
        for opponent in opponents(args):
            if runner == "chess":
                tally = internal(args, opponent, fens)
            else:
                pgn = os.path.join(folder, opponent[0] + ".pgn")
                tally = external(find(runner) or runner, args, opponent, book, pgn)
            print(f"\r{opponent[0]:<18} {report(tally)}", flush=True)
            faults += [f"{opponent[0]}: {what}" for what in tally["faults"]]
    for fault in faults:
        print(f"fault against {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
