# SPDX-License-Identifier: 0BSD. Unlike the rest of texam, this file may be copied into any program, without conditions.
#
# Tunes the evaluation of an engine in an evening: to the moves of strong players, then to the results of its own games.
#
#     python examples/evening.py evening.toml
#
# The first turn fits the weights to the moves of the winners of games. Each later turn lets the engine play itself and fits the weights to
# the results. A match against the weights before decides whether a turn has gained anything. Without a gain beyond its margin, a later turn
# is the last one. Everything is kept in one folder, so the same command goes on where it was stopped. docs/FOREIGN.md explains the settings.

import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from statistics import fmean, pvariance

DEFAULTS = {"weights": "", "rows": [], "play": [], "games": "", "every": 1, "per_game": 5, "nodes": 600, "self_play": 1800,
            "match": 1000, "turns": 3, "seconds": 60, "workers": 2, "folder": "evening", "texam": "texam", "fastchess": ""}


def read_settings(file):
    import tomllib  # Since Python 3.11.

    given = tomllib.loads(file.read_text(encoding="utf-8"))
    for key, value in given.items():
        if type(value) is not type(DEFAULTS.get(key)):
            sys.exit(f"{file}: {key} = {value!r}: expected one of these keys with a value of the same kind: {DEFAULTS}")
    settings, folder = DEFAULTS | given, file.parent.resolve()
    if not settings["weights"] or not settings["play"] or not {"{positions}", "{weights}"} <= set(settings["rows"]):
        sys.exit(f"{file}: expected weights, play, and rows with the words {{positions}} and {{weights}}")
    for key in ("weights", "games", "folder"):
        settings[key] = settings[key] and str(folder / settings[key])
    for key in ("rows", "play", "texam", "fastchess"):
        first, *rest = settings[key] if isinstance(settings[key], list) else [settings[key]]
        found = first and (shutil.which(str(folder / first)) or shutil.which(first))
        if first and not found:
            sys.exit(f"{file}: {key}: no program {first}, neither beside this file nor on the PATH")
        settings[key] = [found, *rest] if isinstance(settings[key], list) else found
    return settings


def path(name):
    return Path(SET["folder"], name)


def run(command, statuses=(0,)):
    if (status := subprocess.run(command, cwd=SET["folder"], stdin=subprocess.DEVNULL).returncode) not in statuses:
        sys.exit(f"{' '.join(command)}: ended with status {status}")


# Makes a file by a command of texam whose last argument it is, under another name until it is whole.
def make(name, *command):
    if not path(name).exists():
        run([SET["texam"], *command, name + ".part"])
        os.replace(path(name + ".part"), path(name))


# Waits for a process, and ends it if `progress` says the same twice, a while apart.
def watch(process, progress, last=None):
    try:
        while process.poll() is None:
            try:
                process.wait(SET["seconds"])
            except subprocess.TimeoutExpired:
                if last == (last := progress()):
                    sys.exit(f"{' '.join(process.args)}: printed nothing for {SET['seconds']} seconds")
    finally:
        process.terminate()
    return process.returncode


# Makes a file of what the engine prints.
def print_rows(name, command):
    with open(path(name + ".part"), "wb") as output:
        process = subprocess.Popen(command, cwd=SET["folder"], stdin=subprocess.DEVNULL, stdout=output)
        if status := watch(process, lambda: os.fstat(output.fileno()).st_size):
            sys.exit(f"{' '.join(command)}: ended with status {status}")
    os.replace(path(name + ".part"), path(name))


def write(name, text):
    path(name + ".part").write_text(text, encoding="utf-8", newline="\n")
    os.replace(path(name + ".part"), path(name))


def read_lines(name):
    return path(name).read_text(encoding="utf-8").splitlines()


# The positions in which winners moved, as FEN;MOVE;GAME.
def find_moves():
    make("moves.txt", "rows", *filter(None, [SET["games"]]), "--every", str(SET["every"]), "--depth", "1", "--phase", "none", "--threshold",
         "none", "--weights-out", "texam.csv", "--overwrite", "--output")
    lines, fen = [], ""
    for row in read_lines("moves.txt"):
        if remark := re.search(r"# game:(\d+) (\S+)(?: fen (.*))?", row):
            fen = remark[3] or fen
            if row.startswith("1 "):
                lines.append(f"{fen};{remark[2]};{remark[1]}\n")
    write("positions-1.txt", "".join(lines))


# Positions of the games of all turns up to this one, as FEN;RESULT;GAME with the result for White.
def find_results(turn):
    count, games = SET["self_play"], []
    for each in range(2, turn + 1):
        games += play(f"self-{each}.pgn", [f"turn-{each - 1}.csv"] * 2, range((each - 2) * count, (each - 1) * count), [True])
    write(f"games-{turn}.pgn", "\n\n".join(text for text, _ in games) + "\n")
    make(f"quiet-{turn}.txt", "positions", f"games-{turn}.pgn", "--per-game", str(SET["per_game"]), "--name-games", "--overwrite", "--output")
    write(f"positions-{turn}.txt", "".join(re.sub(r" \[(.*)\] # game:", r";\1;", line) + "\n" for line in read_lines(f"quiet-{turn}.txt")))


# Fits whole weights from those of the turn before, towards which the ridge pulls.
def fit(turn):
    objective = ["--objective", "softmax"] if turn == 1 else ["--objective", "logistic", "--loss", "squared"]
    last, rows, name = f"turn-{turn - 1}.csv", f"rows-{turn}.txt", f"fit-{turn}"
    files = {"{positions}": str(path(f"positions-{turn}.txt")), "{weights}": str(path(last))}
    if not path(f"{name}-01.csv").exists():
        print_rows(rows, [files.get(word, word) for word in SET["rows"]])
        run([SET["texam"], "fit", "--choices", rows, "--weights", last, *objective, "--ridge", "auto", "--iterations", "1", "--out", ".",
             "--name", name, "--overwrite"], statuses=(0, 1))
    fitted = path(f"{name}-01.csv").read_text(encoding="utf-8").replace("tune,prior", "tune", 1)
    write(f"fitted-{turn}.csv", re.sub(r",([^,\n]*),(true|false),[^,\n]*$",
                                       lambda row: f",{round(float(row[1])) if row[2] == 'true' else row[1]},{row[2]}", fitted, flags=re.M))


# Plays what a file lacks of the games from numbered openings, the first weights with White (True) or Black. Returns texts and scores.
def play(name, weights, openings, colours):
    lines = [f"{line} 0 1" for line in {board_of(line): line for line in read_lines("openings.epd")}.values()]
    if len(openings) > len(lines):
        sys.exit(f"{name}: {len(openings)} openings are needed, but there are {len(lines)}: set fewer games")
    wanted = [(lines[number % len(lines)], is_white) for number in openings for is_white in colours]
    done, size = read_games(name)
    if missing := dict.fromkeys(key for key in wanted if (board_of(key[0]), key[1]) not in done):
        print(f"{name}: {len(missing)} of {len(wanted)} games to play", flush=True)
        (play_by_fastchess if SET["fastchess"] else play_by_python)(name, weights, missing, len(colours), size)
        read_games(name, size, weights)
        done, _ = read_games(name)
    if any((board_of(opening), is_white) not in done for opening, is_white in wanted):
        sys.exit(f"{name}: games are missing; fastchess.log says why")
    return [done[board_of(opening), is_white] for opening, is_white in wanted]


def board_of(fen):
    return " ".join(fen.split()[:2])


# Games that count, by opening and side of the first weights, and the size of the file. With weights, ends the program at a fault.
def read_games(name, start=0, weights=None):
    data, games = path(name).read_bytes() if path(name).exists() else b"", {}
    for game in re.split(r"\n\n(?=\[Event )", data[start:].decode("utf-8", "replace").strip()):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M))
        if tags.get("Termination") in ("normal", "adjudication"):
            is_white, score = tags["White"] == "first", {"1-0": 1, "0-1": 0}.get(tags["Result"], 0.5)
            games[board_of(tags["FEN"]), is_white] = game, score if is_white else 1 - score
        elif weights and tags.get("Result") in ("1-0", "0-1"):
            loser = tags["Black" if tags["Result"] == "1-0" else "White"]
            sys.exit(f"{name}: the engine with {weights[loser != 'first']} lost by {tags['Termination']}; the game does not count:\n{game}")
    return games, len(data)


# The command that plays with these weights, and its UCI options.
def command_of(weights):
    words = [str(path(weights)) if word == "{weights}" else word for word in SET["play"]]
    options = {} if words != SET["play"] else {row["name"]: row["value"] for row in csv.DictReader(read_lines(weights)) if row["tune"] == "true"}
    return words, options


def play_by_fastchess(name, weights, missing, games, size):
    write("todo.epd", "".join(dict.fromkeys(f"{opening}\n" for opening, _ in missing)))
    engines = []
    for player, file in zip(("first", "second"), weights):
        words, options = command_of(file)
        quoted = " ".join(f'"{word}"' if re.search(r"\s", word) else word for word in words[1:])
        engines += ["-engine", f"cmd={words[0]}", f"name={player}", *([f"args={quoted}"] if quoted else []),
                    *(f"option.{key}={value}" for key, value in options.items())]
    command = [SET["fastchess"], *engines, "-each", f"nodes={SET['nodes']}", f"st={SET['seconds']}", "-openings", "file=todo.epd", "format=epd",
               "-rounds", str(len(read_lines("todo.epd"))), "-games", str(games), *(["-noswap"] * (games == 1)), "-maxmoves", "150",
               "-resign", "movecount=5", "score=1200", "twosided=true", "-concurrency", str(SET["workers"]), "-pgnout", f"file={name}"]
    with open(path("fastchess.log"), "w") as log:
        process = subprocess.Popen(command, cwd=SET["folder"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        watch(process, lambda: (read_games(name, size, weights), time.monotonic()))  # A game may take long, but a fault is seen soon.


def play_by_python(name, weights, missing, *_):
    import chess.engine
    import chess.pgn

    def play_game(opening, is_white):
        board, sides = chess.Board(opening), {}
        try:
            for side in (True, False):
                words, options = command_of(weights[side != is_white])
                sides[side] = chess.engine.SimpleEngine.popen_uci(words, timeout=SET["seconds"], setpgrp=True)
                sides[side].configure(options)
            while not (board.is_game_over() or board.is_repetition() or board.is_fifty_moves() or board.ply() >= 300):
                board.push(sides[board.turn].play(board, chess.engine.Limit(nodes=SET["nodes"], time=SET["seconds"])).move)
        except (chess.engine.EngineError, TimeoutError, OSError) as error:
            moves = chess.Board(opening).variation_san(board.move_stack)
            raise RuntimeError(f"{name}: the engine with {weights[board.turn != is_white]}: {str(error) or 'no answer'}\n{opening}\n{moves}")
        finally:
            for engine in sides.values():
                engine.close()
        game = chess.pgn.Game.from_board(board)
        game.headers.update(White="first" if is_white else "second", Black="second" if is_white else "first", FEN=opening,
                            Result=board.result() if board.is_game_over() else "1/2-1/2", Termination="normal")
        return str(game)

    with open(path(name), "a", encoding="utf-8", newline="\n") as file, ThreadPoolExecutor(SET["workers"]) as pool:
        try:
            for game in as_completed([pool.submit(play_game, *key) for key in missing]):
                file.write(game.result() + "\n\n")
                file.flush()
        finally:
            pool.shutdown(cancel_futures=True)


# Elo of fitted weights against those of the turn before, with the ends of its 95 % interval by pairs of games.
def measure(turn):
    weights = [f"fitted-{turn}.csv", f"turn-{turn - 1}.csv"]
    values = [[float(row["value"]) for row in csv.DictReader(read_lines(name))] for name in weights]
    if values[0] == values[1]:
        return 0, 0, 0
    scores = [score for _, score in play(f"match-{turn}.pgn", weights, range(-(SET["match"] // 2), 0), [True, False])]
    pairs = [fmean(pair) for pair in zip(scores[::2], scores[1::2])]
    margin = 1.96 * math.sqrt(pvariance(pairs) / len(pairs))
    return [-400 * math.log10(1 / min(max(fmean(pairs) + change, 0.001), 0.999) - 1) for change in (0, -margin, margin)]


def main():
    path("").mkdir(parents=True, exist_ok=True)
    table = Path(SET["weights"]).read_text(encoding="utf-8")
    settings = json.dumps({key: SET[key] for key in SET if key not in ("turns", "workers", "texam", "fastchess")} | {"weights": table})
    if path("settings.json").exists() and path("settings.json").read_text(encoding="utf-8") != settings:
        sys.exit(f"{path('')}: begun with other settings or weights; set folder to a new one")
    write("settings.json", settings)
    write("turn-0.csv", table)
    make("openings.epd", "match", "--overwrite", "--write-openings")
    for turn in range(1, SET["turns"] + 1):
        find_moves() if turn == 1 else find_results(turn)
        fit(turn)
        elo, low, high = measure(turn)
        shutil.copyfile(path(f"fitted-{turn}.csv" if low > 0 else f"turn-{turn - 1}.csv"), path(f"turn-{turn}.csv"))
        print(f"turn {turn}: {elo:+.0f} Elo [{low:+.0f}, {high:+.0f}] in {SET['match']} games: {'' if low > 0 else 'not '}kept", flush=True)
        if low <= 0 and turn > 1:
            break
    print(f"the weights: {path(f'turn-{turn}.csv')}")


if __name__ == "__main__":
    try:
        SET = read_settings(Path(sys.argv[1] if len(sys.argv) == 2 else sys.exit("usage: evening.py SETTINGS.toml")))
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on from here")
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        sys.exit(f"evening.py: {error}")  # Without the module chess: pip install chess, or set fastchess.
