"""Runs of the command, as it records them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from . import _texam

_FORMAT = "texam-stat 2"


def read_stat(path: str | os.PathLike[str], *, as_frame: bool = False) -> dict[str, Any]:
    """Reads a ``.stat`` of the command ``texam fit``: what each pass of a run measured.

    Returns
    -------
    dict
        ``header``, ``options`` and ``frozen`` are dicts of texts; ``best`` and ``last`` are numbers of passes. Every other section, such as
        ``iterations`` or ``weights``, is a dict of arrays by the titles of its columns, or a frame of pandas with ``as_frame``.
        A title that comes twice, such as ``s.e.``, has that of the column before it in front: ``match s.e.``. A missing number is NaN.
        docs/FORMATS.md of the repository explains every column.

    Raises
    ------
    texam.Error
        A file in another format. The message names the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise _texam.Error(f"{os.fspath(path)}: expected text, but found {error}") from error
    if not lines or lines[0] != _FORMAT:
        raise _texam.Error(f"{os.fspath(path)}: expected the format {_FORMAT}, but found {lines[0] if lines else ''!r}")
    found: dict[str, Any] = {}
    sections: dict[str, list[tuple[int, str]]] = {"header": []}
    section = sections["header"]
    for number, line in enumerate(lines[1:], start=2):
        if title := re.fullmatch(r"\[(.*)\]", line):
            section = sections.setdefault(title[1], [])
        elif ends := re.fullmatch(r"best (\d+), last (\d+)", line):
            found["best"], found["last"] = int(ends[1]), int(ends[2])
        elif line and not line.startswith("#"):
            section.append((number, line))
    for title, rows in sections.items():
        if title in ("header", "options", "frozen"):
            pairs = [line.split(maxsplit=1) for _, line in rows]
            found[title] = {_unquoted(name): "".join(text) for name, *text in pairs}
        else:
            # A triangle: a pass has no difference from itself and from those after it.
            is_triangle = title.startswith("errors of differences")
            found[title] = _table(path, rows, is_triangle, as_frame)
    return found


def _table(path: Any, rows: list[tuple[int, str]], is_triangle: bool, as_frame: bool) -> Any:
    titles = rows[0][1].split() if rows else []
    is_twice = [titles.count(title) > 1 and not title.startswith("pass-") for title in titles]
    names = [f"{titles[at - 1]} {title}" if is_twice[at] else title for at, title in enumerate(titles)]
    cells = [line.split() for _, line in rows[1:]]
    if is_triangle:
        cells = [row + ["-"] * (len(names) - len(row)) for row in cells]
    for (number, _), row in zip(rows[1:], cells):
        if len(row) != len(names):
            raise _texam.Error(f"{os.fspath(path)}, line {number}: expected {len(names)} columns, but found {len(row)}")
    columns = {name: _column(column) for name, column in zip(names, zip(*cells))} if cells else {name: np.array([]) for name in names}
    if not as_frame:
        return columns
    import pandas

    return pandas.DataFrame(columns)


def _column(cells: tuple[str, ...]) -> np.ndarray[Any, Any]:
    """Whole numbers, numbers, or else texts."""
    numbers = ["nan" if cell == "-" else cell for cell in cells]
    for kind in (int, float):
        try:
            return np.array([kind(number) for number in numbers])
        except ValueError:
            pass
    return np.array([_unquoted(cell) for cell in cells])


def _unquoted(word: str) -> str:
    """A name of a weight, which stands in quotes where it is no plain word."""
    if not (len(word) > 1 and word[0] == word[-1] == '"'):
        return word
    escaped = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|\\)")
    raw = escaped.sub(lambda found: bytes.fromhex(found[1].decode()) if found[1] else b"\\", word[1:-1].encode())
    return raw.decode("utf-8", "replace")
