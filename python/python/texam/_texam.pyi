"""What is compiled of the package. Users call :mod:`texam`."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy import float64, int64, uint64
from numpy.typing import NDArray

__version__: str
MOST_WEIGHTS: int

class Error(ValueError): ...

class Table:
    def __new__(
        cls,
        data: NDArray[float64],
        indices: NDArray[int64],
        indptr: NDArray[int64],
        columns: int,
        label: NDArray[float64],
        choice: NDArray[uint64] | None,
        cluster: NDArray[uint64] | None,
        weight: NDArray[float64] | None,
        value: NDArray[float64] | None,
        number: NDArray[uint64] | None,
    ) -> Table: ...
    @staticmethod
    def parse(text: bytes, columns: int) -> Table: ...
    def to_text(self) -> bytes: ...
    def arrays(self) -> dict[str, NDArray[Any] | None]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def is_labelled(self) -> bool: ...

def fit(
    table: Table,
    names: Sequence[str],
    start: Sequence[float],
    prior: Sequence[float],
    tune: Sequence[bool],
    options: Mapping[str, str],
) -> dict[str, Any]: ...
def format_weights(
    names: Sequence[str], values: Sequence[float], prior: Sequence[float], tune: Sequence[bool]
) -> bytes: ...
def parse_weights(text: bytes) -> tuple[list[str], list[float], list[float], list[bool]]: ...
def cluster_number(name: str) -> int: ...
