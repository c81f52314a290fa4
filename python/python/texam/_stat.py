"""Runs of the command, as it records them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import _texam


def read_stat(path: str | os.PathLike[str], *, as_frame: bool = False) -> dict[str, Any]:
    """Reads what each pass of a run of ``texam fit`` measured: the ``.json`` beside the ``.stat``, either of which names the run.

    Returns
    -------
    dict
        The fields of the file, which docs/FORMATS.md of the repository explains. Each of ``passes``, ``weights`` and ``frozen`` is a dict of
        arrays by column, or a frame of pandas with ``as_frame``. An object in a row has a column for each of its fields, such as ``fit rank``,
        and of a list the column has arrays. A missing number is NaN.

    Raises
    ------
    texam.Error
        The file was cut off or changed.
    """
    data = Path(path).with_suffix(".json")
    body, _, end = data.read_bytes().rpartition(b',\n  "checksum": "')
    if end.rstrip() != hashlib.sha256(body).hexdigest().encode() + b'"\n}':
        raise _texam.Error(f"{data}: expected the data of a run, but found a file that was cut off or changed; put it back as it was")
    found: dict[str, Any] = json.loads(body + b"}")
    for name in ("passes", "weights", "frozen"):
        found[name] = _table(found[name])
        if as_frame:
            import pandas

            found[name] = pandas.DataFrame({column: list(cells) for column, cells in found[name].items()})
    return found


def _table(rows: list[dict[str, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    flat = [dict(_cells(row)) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    # An object that is missing in some rows is no column beside its own.
    names = [name for name in names if not any(other.startswith(f"{name} ") for other in names)]
    return {name: _column([row.get(name) for row in flat]) for name in names}


def _cells(row: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, cell in row.items():
        if isinstance(cell, dict):
            yield from _cells(cell, f"{prefix}{name} ")
        else:
            yield prefix + name, cell


def _column(cells: list[Any]) -> np.ndarray[Any, Any]:
    if any(isinstance(cell, list) for cell in cells):
        column = np.empty(len(cells), dtype=object)
        for at, cell in enumerate(cells):
            column[at] = np.array([np.nan if one is None else one for one in cell or []])
        return column
    return np.array([np.nan if cell is None else cell for cell in cells])
