"""Rows of choices or labelled rows, in memory and in files."""

from __future__ import annotations

import contextlib
import gzip
import io
import numbers
import os
import reprlib
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from . import _texam
from ._files import write_whole

#: Arrays of an archive beside those of the matrix.
_BESIDE = ("choice", "cluster", "label", "weight", "value")

#: What the readers of packed files and of archives raise where a file is damaged.
_DAMAGED = (EOFError, OSError, ValueError, TypeError, KeyError, NotImplementedError, zlib.error, zipfile.BadZipFile)


class Rows:
    """Rows of choices, or labelled rows, checked and copied. Nothing changes them.

    Parameters
    ----------
    X : sparse or dense matrix, shape (rows, columns)
        The counts. A sparse matrix of SciPy in any format (CSR is taken as it is; its indices need not be sorted, and those that
        come twice are added), a frame of pandas, also with nullable columns or those of Arrow, or anything that :func:`numpy.asarray` makes a
        matrix of numbers. Missing and masked entries are refused. An entry is below 10**30. Columns may be of any size.
    choice : array of whole numbers or of names, shape (rows,), optional
        The choice that each row is an alternative of. The rows of a choice stand next to each other. Without
        it the rows are labelled ones, for ``objective="logistic"``.
    cluster : array of whole numbers or of names, shape (rows,), optional
        The group that each row comes from, such as a game. The rows of a group stand next to each other. Groups are held out whole, and
        standard errors are clustered by group. Without it every choice, or every labelled row, is a group of its own: that
        of a choice has its number, that of a labelled row its index plus 1. A name becomes a number as ``game:`` of a text of rows does.
    chosen : array of bool or numbers, shape (rows,), optional
        For choices: the chosen row has the highest number of its choice, and only one row has it.
    label : array of numbers, shape (rows,), optional
        For labelled rows: the result, from 0 to 1. Exactly one of `chosen` and `label` is given.
    weight : array of numbers, shape (rows,), optional
        By how much the choice or the labelled row counts in the fit, above 0 and up to 1. All rows of a choice have the same.
    value : array of numbers, shape (rows,), optional
        The value that your program gives the row, in the unit of the weights. A fit compares it with the row times the start weights
        and refuses rows where the two differ by more than 1. NaN where there is none.

    Raises
    ------
    texam.Error
        Arrays that do not fit together. The message names the row, counted from 0.

    Examples
    --------
    >>> rows = Rows([[1, 0], [0, 1], [2, 0], [0, 1]], choice=[1, 1, 2, 2], chosen=[1, 0, 1, 0])
    >>> rows.shape
    (4, 2)
    >>> print(rows.to_text(), end="")
    # texam-choices 1
    1 qid:1 1:1
    0 qid:1 2:1
    1 qid:2 1:2
    0 qid:2 2:1
    """

    _table: _texam.Table
    #: Names of the columns, where the rows come from a frame.
    names: list[str] | None = None

    def __init__(
        self,
        X: Any,
        choice: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        *,
        chosen: ArrayLike | None = None,
        label: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        value: ArrayLike | None = None,
    ) -> None:
        if (chosen is None) == (label is None):
            found = "neither" if chosen is None else "both"
            raise _texam.Error(f"expected chosen, for choices, or label, for labelled rows, but found {found}")
        name, labels = ("chosen", chosen) if label is None else ("label", label)
        if name == "chosen" and choice is None:
            raise _texam.Error("expected choice, the number of the choice of each row, beside chosen, but found none")
        data, indices, indptr, columns = _csr(X)
        if hasattr(X, "columns"):
            self.names = [str(name) for name in X.columns]
        self._table = _texam.Table(
            data,
            indices,
            indptr,
            columns,
            _numbers(name, labels),
            _whole("choice", choice),
            _whole("cluster", cluster),
            None if weight is None else _numbers("weight", weight),
            None if value is None else _numbers("value", value),
            None,
        )

    @classmethod
    def _of(cls, table: _texam.Table) -> Rows:
        rows = cls.__new__(cls)
        rows._table = table
        return rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._table.arrays(), self.shape, self._table.is_labelled, self.names)

    def __copy__(self) -> Rows:
        return self

    def __deepcopy__(self, memo: Any) -> Rows:
        # Nothing changes the rows.
        return self

    @classmethod
    def from_text(cls, text: str | bytes, *, columns: int = 0) -> Rows:
        """Rows of a text in the format of SVMrank (docs/FOREIGN.md of the repository).

        `columns` is the least number of columns of the matrix; a text does not say how many there are beyond the last
        that has an entry. Remarks other than ``game:`` are not kept.
        """
        if not 0 <= columns <= _texam.MOST_WEIGHTS:
            raise _texam.Error(f"expected columns from 0 to {_texam.MOST_WEIGHTS}, but found {_shown(columns)}")
        return cls._of(_texam.Table.parse(text.encode() if isinstance(text, str) else bytes(text), columns))

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, columns: int = 0) -> Rows:
        """Reads an archive of arrays (``.npz``), or a text of rows, plain or packed by gzip.

        The content decides which it is, and not the name.
        """
        with open(path, "rb") as opened:
            start = opened.read(4)
        try:
            if start == b"PK\x03\x04":
                return cls._read_npz(path)
            opener: Any = open
            if start[:2] == b"\x1f\x8b":
                opener = gzip.open
            elif start == b"\x28\xb5\x2f\xfd":
                raise _texam.Error("expected text, .gz or .npz, but found .zst: unpack it first")
            with opener(path, "rb") as file:
                return cls.from_text(file.read(), columns=columns)
        except _DAMAGED as error:
            raise _texam.Error(f"{os.fspath(path)}: {error}") from error

    @classmethod
    def _read_npz(cls, path: str | os.PathLike[str]) -> Rows:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        needed = {"format", "shape", "data", "indices", "indptr", "label"}
        if missing := sorted(needed - arrays.keys()):
            raise _texam.Error(f"expected an array {missing[0]}, but found {_shown(sorted(arrays))}")
        if arrays["format"].item() != b"csr":
            raise _texam.Error(f"expected the format csr, but found {_shown(arrays['format'])}")
        beside = {name: arrays.get(name) for name in _BESIDE}
        shape = _integers("shape", arrays["shape"])
        if len(shape) != 2 or shape.min() < 0:
            raise _texam.Error(f"expected a shape of rows and columns, but found {_shown(shape)}")
        return cls._of_arrays({**arrays, **beside}, tuple(shape.tolist()), beside["choice"] is None)

    @classmethod
    def _of_arrays(cls, arrays: dict[str, Any], shape: tuple[int, int], is_labelled: bool) -> Rows:
        matrix = _Csr(arrays["data"], arrays["indices"], arrays["indptr"], shape)
        beside = {name: arrays[name] for name in _BESIDE if name != "label"}
        return cls(matrix, **{"label" if is_labelled else "chosen": arrays["label"]}, **beside)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows, whole or not at all: to a name with the ending ``.npz`` as arrays, otherwise as text.

        :meth:`read` reads both, ``texam fit --choices`` the text, and :func:`scipy.sparse.load_npz` the matrix of the
        arrays. The same rows give the same bytes.
        """
        is_npz = Path(path).suffix.lower() == ".npz"
        write_whole(path, self._to_npz() if is_npz else self._table.to_text())

    def _to_npz(self) -> bytes:
        arrays = {name: array for name, array in self._table.arrays().items() if array is not None}
        archive = io.BytesIO()
        np.savez_compressed(archive, format=b"csr", shape=self.shape, **arrays)
        return archive.getvalue()

    def to_text(self) -> str:
        """The rows as text in the format of SVMrank."""
        return self._table.to_text().decode()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix."""
        return self._table.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        kind = "labelled rows" if self._table.is_labelled else "rows of choices"
        return f"<texam.Rows: {self.shape[0]} {kind} with {self.shape[1]} columns>"

    @property
    def X(self) -> scipy.sparse.csr_matrix:
        """The counts, shape (rows, columns), copied."""
        arrays = self._table.arrays()
        return scipy.sparse.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=self.shape)

    @property
    def choice(self) -> NDArray[np.uint64] | None:
        """The number of the choice of each row, shape (rows,); none for labelled rows."""
        return self._table.arrays()["choice"]

    @property
    def cluster(self) -> NDArray[np.uint64] | None:
        """The number of the group of each row, shape (rows,), where it is known."""
        return self._table.arrays()["cluster"]

    @property
    def label(self) -> NDArray[np.float64]:
        """What was given as `chosen` or `label`, shape (rows,)."""
        label = self._table.arrays()["label"]
        assert label is not None
        return label

    @property
    def weight(self) -> NDArray[np.float64] | None:
        """By how much each row counts, shape (rows,), where it is given."""
        return self._table.arrays()["weight"]

    @property
    def value(self) -> NDArray[np.float64] | None:
        """The value that the program gives each row, shape (rows,), where it is given."""
        return self._table.arrays()["value"]


class _Csr:
    """The arrays of a sparse matrix by rows, as they are: SciPy would read beyond them if they are wrong."""

    format = "csr"

    def __init__(self, data: Any, indices: Any, indptr: Any, shape: Any) -> None:
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape


def _unpickled(arrays: dict[str, Any], shape: tuple[int, int], is_labelled: bool, names: list[str] | None) -> Rows:
    rows = Rows._of_arrays(arrays, shape, is_labelled)
    rows.names = names
    return rows


def _csr(X: Any) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], int]:
    """Data, indices, indptr and the number of columns."""
    if not (scipy.sparse.issparse(X) or isinstance(X, _Csr)):
        dense = _array("X", X, dimensions=2)
        if not (np.issubdtype(dense.dtype, np.number) or dense.dtype == bool) or dense.dtype.kind == "c":
            raise _texam.Error(f"expected X to be a matrix of numbers, but found {dense.dtype}")
        # In this form, because SciPy takes neither half floats nor other byte orders.
        dense = dense.astype(np.float64)
        if not np.all(np.isfinite(dense)):
            row = int(np.argwhere(~np.isfinite(dense))[0][0])
            raise _texam.Error(f"row {row}: expected entries that are numbers, but found {_shown(dense[row])}")
        X = scipy.sparse.csr_matrix(dense)
    elif X.format != "csr":
        X = X.tocsr()
    if len(X.shape) != 2:
        raise _texam.Error(f"expected X with 2 dimensions, but found {len(X.shape)}")
    indices, indptr = (_integers(name, getattr(X, name)) for name in ("indices", "indptr"))
    if len(indptr) != X.shape[0] + 1:
        raise _texam.Error(f"expected indptr with {X.shape[0] + 1} elements, but found {len(indptr)}")
    return _numbers("data", X.data), indices, indptr, int(X.shape[1])


def _array(name: str, array: Any, dimensions: int = 1) -> NDArray[Any]:
    if np.ma.is_masked(array):
        raise _texam.Error(f"expected {name} without masked elements, but found some: fill them or leave their rows out")
    try:
        found = np.asarray(array)
    except ValueError as error:
        raise _texam.Error(f"expected {name} to be an array, but found {error}") from error
    if found.dtype == object:
        found = _of_objects(name, found)
    if found.ndim != dimensions:
        raise _texam.Error(f"expected {name} with {dimensions} dimension(s), but found {found.ndim}")
    return found


def _of_objects(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Numbers that come as objects, as those of nullable columns do, as an array of numbers; other objects as they are."""
    missing = ("<NA>", "None", "NaT", "nan")
    is_missing = [not isinstance(element, str) and str(element) in missing for element in array.flat]
    if any(is_missing):
        row = is_missing.index(True) * len(array) // array.size
        raise _texam.Error(f"row {row}: expected no missing value in {name}, but found {_shown(array[row])}")
    for kind, dtype in ((numbers.Integral, np.int64), (numbers.Integral, np.uint64), (numbers.Real, np.float64)):
        if all(isinstance(element, kind) for element in array.flat):
            with contextlib.suppress(OverflowError):
                return array.astype(dtype)
    return array


def _numbers(name: str, array: Any) -> NDArray[np.float64]:
    found = _array(name, array)
    if found.size and not (np.issubdtype(found.dtype, np.number) or found.dtype == bool) or found.dtype.kind == "c":
        raise _texam.Error(f"expected {name} to be an array of numbers, but found {found.dtype}")
    return np.ascontiguousarray(found, dtype=np.float64)


def _integers(name: str, array: Any) -> NDArray[np.int64]:
    found = _array(name, array)
    if found.size and found.dtype.kind not in "iu":
        raise _texam.Error(f"expected {name} to be an array of whole numbers, but found {found.dtype}")
    return np.ascontiguousarray(found, dtype=np.int64)


def _shown(value: Any) -> str:
    """What was found as a message shows it: not more than the beginning of what is long."""
    return reprlib.repr(value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value)


def _elements(name: str, array: Any, rows: int | None = None) -> NDArray[Any]:
    """What numbers or names something in each row, without missing elements."""
    if isinstance(array, (list, tuple)) and not any(isinstance(element, (list, np.ndarray)) for element in array):
        # Otherwise names that are tuples would make two dimensions.
        array = np.fromiter(array, object, len(array))
    found = _array(name, array)
    if rows is not None and len(found) != rows:
        raise _texam.Error(f"expected {name} with {rows} elements, one for each row, but found {len(found)}")
    if found.dtype.kind in "fcmM" and (missing := np.flatnonzero(found != found)).size:
        raise _texam.Error(f"row {missing[0]}: expected no missing value in {name}, but found {found[missing[0]]}")
    return found


def _places(elements: NDArray[Any]) -> NDArray[np.int64]:
    """Of each element its place among those that differ, from 0."""
    if elements.dtype != object:
        return np.unique(elements, return_inverse=True)[1].reshape(-1)
    seen: dict[Any, int] = {}
    return np.fromiter((seen.setdefault(element, len(seen)) for element in elements), np.int64, len(elements))


def _whole(name: str, array: Any) -> NDArray[np.uint64] | None:
    """Whole numbers, 0 or more. A name has the number that a text of rows gives it."""
    if array is None:
        return None
    found = _elements(name, array)
    if found.size and found.dtype.kind in "fc":
        raise _texam.Error(f"expected {name} to be an array of whole numbers or of names, but found {found.dtype}")
    if found.dtype.kind == "i" and found.size and found.min() < 0:
        row = int(np.argmax(found < 0))
        raise _texam.Error(f"row {row}: expected a {name} of 0 or more, but found {found[row]}")
    if found.dtype.kind in "iubf":
        return np.ascontiguousarray(found, dtype=np.uint64)
    places = _places(found)
    firsts = np.unique(places, return_index=True)[1]
    if (again := np.setdiff1d(np.flatnonzero(np.diff(places, prepend=-1)), firsts)).size:
        expected = f"expected the rows of a {name} next to each other"
        raise _texam.Error(f"row {again[0]}: {expected}, but found {name} {_shown(found[again[0]])} again")
    numbers = [_texam.cluster_number(str(found[first])) for first in firsts]
    if len(set(numbers)) < len(numbers):
        raise _texam.Error(f"expected {name} names that differ in more than signs and zeros before a number, but found two")
    return np.array(numbers, dtype=np.uint64)[places]
