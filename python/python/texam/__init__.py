"""Choices in, weights out: fits linear weights so that the chosen rows come out ahead.

A *choice* is a set of alternatives of which one was chosen. Each alternative is a row of a sparse matrix, and its value is
the row times the weights. :func:`fit` finds the weights by conditional logit (``softmax``), by pairs, by the forces of 1988, or by
logistic regression of labelled rows, with standard errors clustered by group. :class:`Rows` reads and writes the rows,
and :class:`ChoiceModel` is an estimator for scikit-learn.

The numbers are those of the command ``texam fit --choices`` on the same rows, to the last bit, on any number of threads. The
formulas are in docs/METHOD.md and docs/EQUATIONS.md of the repository, the pages on rows and on this package in docs/FOREIGN.md and
docs/PYTHON.md.
"""

from typing import TYPE_CHECKING, Any

from ._fit import Agreement, Fit, FitWarning, fit, read_weights
from ._rows import Rows
from ._stat import read_stat
from ._texam import Error, __version__

if TYPE_CHECKING:
    from ._model import ChoiceModel

__all__ = [
    "Agreement",
    "ChoiceModel",
    "Error",
    "Fit",
    "FitWarning",
    "Rows",
    "__version__",
    "fit",
    "read_stat",
    "read_weights",
]


def __getattr__(name: str) -> Any:
    # Only those who use the estimator wait for scikit-learn.
    if name == "ChoiceModel":
        from ._model import ChoiceModel

        return ChoiceModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
