# SPDX-License-Identifier: 0BSD. Unlike the rest of texam, this file may be copied into any program, without conditions.
"""Prints rows of a UCI engine whose weights are options, by finite differences, so that texam can fit them.

    texam rows games.pgn --depth 1 --phase none --threshold none -o positions.txt
    probe="python3 examples/probe.py --engine ./my-engine --positions positions.txt --step King_Safety=20"
    $probe --start Mobility King_Safety > start.csv
    texam fit --choices-from "$probe {weights}" --weights start.csv --objective softmax --iterations 2

The value of a move is the engine's static evaluation of the position after it, or of the leaf of a search (--depth), less that of
the position before it. The count of a weight is by how much this value changes when the option is set one step higher, divided by
the step. What the counts do not explain is the column `rest`, which is not tuned. UCI options are whole numbers, so the weights
that texam asks for are rounded to the nearest. In the table of weights blanks of a name are written as `_`.

Only the standard library is needed. The engine has to answer a command such as `eval` with a line that contains its value.
"""

import argparse
import contextlib
import csv
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading

REST = "rest"
QUANTA = 256  # Counts are rounded to 1/256.
AT_ONCE = 200  # Choices for which an option is set once.
MOVE = "[a-h][1-8][a-h][1-8][nbrq]?"


class Failure(Exception):
    """What the user has to know, with what to do."""


class Engine:
    """A UCI engine that is ended with the `with` block, whatever happens."""

    def __init__(self, command, timeout):
        self.command, self.timeout, self.lines = command, timeout, queue.Queue()
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace"
            )
        except OSError as error:
            raise Failure(f"{command}: cannot start the engine: {error}") from None
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\r\n"))
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError, ValueError):
            self.send("quit")
            self.process.stdin.close()
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def send(self, *lines):
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
        except OSError:
            # If the engine has left, its last lines are still to be read.
            if self.process.poll() is None:
                raise

    def until(self, word):
        """The lines up to the one that begins with the word."""
        found = []
        while True:
            try:
                line = self.lines.get(timeout=self.timeout)
            except queue.Empty:
                raise Failure(
                    f"{self.command}: expected {word!r} within {self.timeout:g} seconds, but found "
                    f"{last(found)}; is it a UCI engine? Give --timeout for a slow one"
                ) from None
            if line is None:
                raise Failure(f"{self.command}: expected {word!r}, but the engine ended after {last(found)}")
            if line.split()[:1] == [word]:
                return found + [line]
            found.append(line)

    def options(self):
        """The name, default, least and greatest value of each numeric option, by its name in the table of weights."""
        self.send("uci")
        form = re.compile(r"option name (.+) type spin default (-?\d+) min (-?\d+) max (-?\d+)")
        lines = self.until("uciok")
        found = [match for line in lines if (match := form.match(line))]
        return {match[1].replace(" ", "_"): (match[1], *map(int, match.groups()[1:])) for match in found}


def last(lines):
    return repr(lines[-1]) if lines else "nothing"


def set_option(name, value):
    return f"setoption name {name} value {value}"


def is_white_to_move(position):
    """Whether White is to move after `position fen FEN moves ..`."""
    fen, _, moves = position.removeprefix("position fen ").partition(" moves ")
    return (fen.split()[1] == "w") == (len(moves.split()) % 2 == 0)


class Probe:
    """An engine, and how it is asked for the value of a position."""

    def __init__(self, engine, args):
        self.engine, self.args = engine, args
        self.options = engine.options()
        self.steps = {"": 10}
        for word in args.step:
            name, _, step = word.rpartition("=")
            if not step.isdigit() or int(step) == 0:
                raise Failure(f"--step {word}: expected a whole number above 0, or OPTION=NUMBER")
            self.steps[self.option(name)[0] if name else ""] = int(step)
        for word in args.set:
            engine.send(set_option(*word.split("=", 1)))

    def option(self, name):
        """The name of an option in the table of weights, its default, and its least and greatest value."""
        short = name.replace(" ", "_")
        if short not in self.options:
            known = ", ".join(self.options) or "none"
            raise Failure(f"{self.args.engine}: expected a numeric option {name!r}, but the engine has {known}")
        return short, *self.options[short][1:]

    def step_from(self, name, weight):
        """The step of an option; downwards where there is no room above."""
        step, greatest = self.steps.get(name, self.steps[""]), self.options[name][3]
        return step if weight + step <= greatest else -step

    def set(self, options):
        self.engine.send(*(set_option(self.options[name][0], value) for name, value in options.items()))
        self.engine.send(*self.args.apply)
        for command in self.args.apply:
            if command.split()[:1] == ["go"]:
                self.engine.until("bestmove")

    def leaf(self, position):
        """The position at the end of the line that a search finds; the position itself without a search."""
        if not self.args.depth:
            return position
        self.engine.send("ucinewgame", position, f"go depth {self.args.depth}")
        lines = [line.split(" pv ")[1].split() for line in self.engine.until("bestmove") if " pv " in line]
        line = [move for move in (lines[-1] if lines else []) if re.fullmatch(MOVE, move)]
        return " ".join([position, *line])

    def evaluate(self, positions):
        """Values for White; None where the engine says that it has none."""
        for position in positions:
            self.engine.send(position, self.args.eval, "isready")
        return [self.value(position, self.engine.until("readyok")) for position in positions]

    def value(self, position, lines):
        """The value that an answer contains."""
        for line in lines:
            if found := re.search(self.args.value, line):
                value = self.args.scale * float(found[1])
                return value if self.args.view == "white" or is_white_to_move(position) else -value
        if self.args.no_value and any(re.search(self.args.no_value, line) for line in lines):
            return None
        shown = "".join(f"  {line}\n" for line in lines[:-1][-8:]) or "  nothing\n"
        raise Failure(
            f"{self.args.engine}: expected a line that matches {self.args.value!r}, but the answer to {self.args.eval!r} is\n"
            f"{shown}after {position!r}; give --eval and --value, or --no-value for lines that say that there is none"
        )

    def rows(self, weights, choices):
        """For each move of each choice the counts of its value minus that of the position before it, or None without a value."""
        leaves = []
        for choice in choices:
            root = f"position fen {choice['fen']}"
            leaves += [root, *(self.leaf(f"{root} moves {move}") for move in choice["moves"])]
        values = [self.evaluate(leaves)]
        for name, weight in weights.items():
            self.set(weights | {name: weight + self.step_from(name, weight)})
            values.append(self.evaluate(leaves))
        self.set(weights)
        # From here on a leaf is a list: its value, and that with each option one step higher.
        leaves = iter(zip(*values))
        for choice in choices:
            root, sign = next(leaves), 1 if choice["fen"].split()[1] == "w" else -1
            yield [self.row(weights, sign, root, next(leaves)) for _ in choice["moves"]]

    def row(self, weights, sign, root, leaf):
        if None in root or None in leaf:
            return None
        value, *higher = (sign * (after - before) for before, after in zip(root, leaf))
        counts = [
            round(QUANTA * (other - value) / self.step_from(name, weight)) / QUANTA
            for (name, weight), other in zip(weights.items(), higher)
        ]
        return [*counts, value - sum(count * weight for count, weight in zip(counts, weights.values()))]


def read_positions(path):
    """The choices of a file of `texam rows`: number, game, FEN, moves, and the one that was played."""
    choices = []
    try:
        lines = open(path)
    except OSError as error:
        raise Failure(f"{path}: cannot open the file: {error.strerror}") from None
    with lines:
        for number, line in enumerate(lines, 1):
            if not line.startswith("#"):
                found = re.fullmatch(rf"(\S+) qid:(\d+) .*# game:(\S+) ({MOVE})(?: fen (.+))?\s*", line)
                if not found or not (found[5] or choices):
                    expected = "a row of texam rows, the first one of a position with its fen"
                    raise Failure(f"{path}, line {number}: expected {expected}, but found {line.strip()[:40]!r}")
                label, query, game, move, fen = found.groups()
                if fen:
                    choices.append({"number": query, "game": game, "fen": fen.strip(), "moves": [], "played": None})
                choices[-1]["moves"].append(move)
                if label == "1":
                    choices[-1]["played"] = move
    return choices


def read_weights(path):
    """The weights of a table, rounded, without the rest."""
    with open(path, newline="") as text:
        table = [(line["name"], float(line["value"])) for line in csv.DictReader(text)]
    if not table or table[-1][0] != REST:
        raise Failure(f"{path}: expected {REST!r} in the last line of the table; make one with --start")
    return {name: round(value) for name, value in table[:-1]}


def print_start(probe, out):
    """Prints the table of the options that were named, at their defaults."""
    print("name,value,tune", file=out)
    for name in probe.args.start:
        short, default, _, _ = probe.option(name)
        print(f"{short},{default},true", file=out)
    print(f"{REST},1,false", file=out)


def print_rows(probe, out):
    args = probe.args
    weights, choices = read_weights(args.weights), read_positions(args.positions)
    for name, weight in weights.items():
        _, _, least, greatest = probe.option(name)
        if not least <= weight <= greatest:
            expected = f"{name!r} from {least} to {greatest}, as the engine allows"
            raise Failure(f"{args.weights}: expected {expected}, but found {weight}; a stronger --ridge keeps it nearer")
    print("# texam-choices 1", file=out)
    probe.set(weights)
    left_out = 0
    for first in range(0, len(choices), AT_ONCE):
        block = choices[first : first + AT_ONCE]
        for choice, rows in zip(block, probe.rows(weights, block)):
            rows = dict(zip(choice["moves"], rows))
            is_used = rows.get(choice["played"]) is not None
            for move, row in rows.items():
                if not is_used or row is None:
                    left_out += 1
                    continue
                counts = "".join(f" {column}:{count:.14g}" for column, count in enumerate(row, 1) if count)
                label = int(move == choice["played"])
                print(f"{label} qid:{choice['number']}{counts} # game:{choice['game']} {move}", file=out)
    if left_out:
        print(f"{left_out} moves left out: the engine has no value for them or for the played move", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("weights", nargs="?", help="table of weights that texam puts in place of {weights}")
    add("--engine", required=True, metavar="COMMAND", help="command that starts the engine")
    add("--positions", metavar="FILE", help="file of texam rows: its positions and moves are used, not its counts")
    add("--start", nargs="+", metavar="OPTION", help="print the table of these options at their defaults")
    add("--step", action="append", default=[], metavar="[OPTION=]N", help="how much higher an option is set [10]")
    add("--eval", default="eval", metavar="COMMAND", help="command after which the engine prints the value [eval]")
    add("--value", default=r"[Ee]val.*?([-+]?\d+(?:\.\d+)?)", metavar="REGEX", help="its first group is the value [%(default)s]")
    add("--no-value", metavar="REGEX", help="line that says that there is no value, for example in check")
    add("--view", choices=["side", "white"], default="side", help="side that the value is for: to move, or White [side]")
    add("--scale", type=float, default=1, metavar="F", help="factor of the value: 100 if it is in pawns [1]")
    add("--depth", type=int, default=0, metavar="PLIES", help="search each move so deep and evaluate the leaf [0: no search]")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="set another option first, such as Threads=1")
    add("--apply", action="append", default=[], metavar="COMMAND", help="send this after an option is set, such as 'go depth 1'")
    add("--timeout", type=float, default=10, metavar="SECONDS", help="how long to wait for an answer [10]")
    args = parser.parse_args()
    if not args.start and not (args.weights and args.positions):
        parser.error("expected --start OPTION.., or a table of weights and --positions")
    for word in args.set:
        if "=" not in word:
            parser.error(f"--set {word}: expected NAME=VALUE")
    # A killed probe takes its engine with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("error: terminated"))
    try:
        with Engine(args.engine, args.timeout) as engine:
            probe = Probe(engine, args)
            if args.start:
                print_start(probe, sys.stdout)
            else:
                print_rows(probe, sys.stdout)
            sys.stdout.flush()
    except Failure as failure:
        sys.exit(f"error: {failure}")
    except BrokenPipeError:
        # texam has read enough.
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
