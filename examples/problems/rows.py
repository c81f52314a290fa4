"""Reads the rows of `texam rows`, and tables of weights. The programs of docs/PROBLEMS.md use it."""

import csv


def read_rows(path):
    """A list of positions. A position is a list of moves, the played one first, and a move is (counts, value, remark)."""
    positions = {}
    with open(path) as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            numbers, _, remark = line.partition("#")
            label, *parts = numbers.split()
            parts = dict(part.split(":") for part in parts)
            query, value = parts.pop("qid"), parts.pop("value", None)
            counts = {int(column) - 1: float(count) for column, count in parts.items()}
            moves = positions.setdefault(query, [])
            moves.insert(0 if label == "1" else len(moves), (counts, value and float(value), remark.strip()))
    return list(positions.values())


def read_weights(path):
    """Names, values, and which of them are tuned."""
    with open(path) as table:
        lines = list(csv.DictReader(table))
    return [line["name"] for line in lines], [float(line["value"]) for line in lines], [line["tune"] == "true" for line in lines]


def value(counts, weights):
    return sum(count * weights[column] for column, count in counts.items())


def game(moves):
    """The game of a position."""
    return moves[0][2].split()[0].removeprefix("game:")
