"""Fits, and what they find."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
import scipy.special
from numpy.typing import ArrayLike, NDArray

from . import _texam
from ._files import write_whole
from ._rows import Rows, _array, _csr, _elements, _numbers, _places, _shown


#: The options that the compiled part takes as texts.
_OPTIONS = (
    "objective ridge ridge_to min_support inner temperature iterations holdout loss force strength scale balance variance errors "
    "groups threads"
).split()


class FitWarning(UserWarning):
    """What the rows, or the groups held out, say against a fit."""


@dataclass(frozen=True)
class Agreement:
    """How the weights do on a set of choices or labelled rows."""

    #: Choices, or labelled rows.
    positions: int
    #: Groups that they come from.
    games: int
    #: Share of the choices in which the value of the chosen row is above all others, from 0 to 1. None for
    #: labelled rows.
    match: float | None
    #: Mean number of rows ahead of the chosen one; a tie counts a half. None for labelled rows.
    mean_rank: float | None
    #: Mean loss of a choice by their weights, without unit; for the squared loss half the squared error. None
    #: for ``force``.
    loss: float | None
    #: Its standard error, clustered by group; NaN for a single group.
    loss_error: float | None
    #: The loss less that of the start weights, and its standard error: paired, clustered by group. None for the start.
    loss_change: float | None
    loss_change_error: float | None


@dataclass(frozen=True)
class Fit:
    """The result of :func:`fit`. Arrays have one element for each column of the rows, in the unit of the start weights.

    ``str`` of it is a table of the weights that were solved for.
    """

    #: Names of the weights.
    names: list[str]
    #: The objective, such as "softmax".
    objective: str
    #: The weights that the fit began with, and their priors.
    start: NDArray[np.float64]
    prior: NDArray[np.float64]
    #: Which of them the fit could change.
    tune: NDArray[np.bool_]
    #: The fitted weights. Those that were not solved for are as they were.
    weights: NDArray[np.float64]
    #: Standard errors of the weights, clustered by group (the sandwich of docs/EQUATIONS.md); NaN where a
    #: weight was not solved for or the rows do not determine it, or with ``errors=False``.
    standard_errors: NDArray[np.float64]
    #: Share of the free step of each weight that the ridge held back, from 0 to 1; NaN where it is not tuned.
    #: A weight that is held by more than a half says more of the ridge than of the rows.
    held: NDArray[np.float64]
    #: Number of choices (or labelled rows) and of groups that touch each weight; 0 where it is not tuned.
    support_positions: NDArray[np.int64]
    support_games: NDArray[np.int64]
    #: Why a tuned weight kept its value, by its name.
    frozen: dict[str, str]
    #: Names of weights that the rows hardly tell apart.
    open: list[str]
    #: What was measured with the start weights and with the fitted ones, on the groups fitted and on those
    #: held out (None where there are none).
    before: Agreement
    after: Agreement
    held_before: Agreement | None
    held_after: Agreement | None
    #: The temperature in the unit of the weights, None for ``force``; and whether it was "given", "estimated"
    #: from the start weights, is "at bound" of the estimate, or "undetermined" because the values of the
    #: start are all tied.
    temperature: float | None
    temperature_origin: str | None
    #: Rank of the equations and number of weights solved for; None without a fit (``iterations=0``).
    rank: int | None
    solved: int | None
    #: Condition number of the equations with the ridge, scaled to a unit diagonal.
    condition: float | None
    #: Root mean square of the residuals of ``force``, in the unit of the weights.
    residual: float | None
    #: Effective number of weights: how many without a ridge would follow the rows as closely.
    effective: float | None
    #: Strength of the ridge; with ``ridge="auto"`` the one that was chosen, which is infinite where the rows show no clear gain.
    ridge: float | None
    #: Of each ridge that was tried its strength, the loss of the groups by fits that have not seen them, and by how much it is above
    #: the lowest, with the standard error of this difference. Then why the ridge is that.
    ridge_path: list[tuple[float, float, float, float]]
    ridge_reason: str | None
    #: What the rows, or the groups held out, say against the fit, in the words of the command.
    warnings: list[str] = field(default_factory=list)
    #: Standard errors of the weights from fits without each group of games, with ``groups=``.
    run_errors: NDArray[np.float64] | None = None
    #: Covariances of each tuned weight with those after it, one after the other.
    _covariances: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the weights, shape (weights, weights), in the squared unit of the weights and in the order of `names`.

        It is clustered by group, as :attr:`standard_errors` are, whose squares are its diagonal; NaN where a weight has no error.
        """
        tuned = np.flatnonzero(self.tune)
        covariance = np.full((len(tuned), len(tuned)), np.nan)
        if self._covariances is not None:
            row, column = np.triu_indices(len(tuned), 1)
            covariance[row, column] = covariance[column, row] = self._covariances
            np.fill_diagonal(covariance, self.standard_errors[tuned] ** 2)
        whole = np.full((len(self.tune),) * 2, np.nan)
        whole[np.ix_(tuned, tuned)] = covariance
        return whole

    def plot(self, axes: Any = None) -> Any:
        """Draws the fitted weights over those of the start with two standard errors, by matplotlib, which must be installed.

        Weights that the ridge held back by more than a half are grey. Returns the axes.
        """
        import matplotlib.pyplot

        axes = axes or matplotlib.pyplot.gca()
        fitted = np.isfinite(self.standard_errors)
        firm = fitted & (self.held < 0.5)
        for which, colour in ((fitted & ~firm, "lightgrey"), (firm, "tab:blue")):
            errors = 2 * self.standard_errors[which]
            axes.errorbar(self.start[which], self.weights[which], errors, fmt="o", ms=3, lw=0.7, color=colour)
        axes.axline((0, 0), slope=1, color="black", lw=0.5)
        axes.set(xlabel="start", ylabel="fitted")
        return axes

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The values of rows by the fitted weights, shape (rows,), in the unit of the weights. `X` is :class:`Rows` or a matrix."""
        return _matrix(X, len(self.weights)) @ self.weights

    def predict_proba(self, X: Any, choice: ArrayLike | None = None) -> NDArray[np.float64]:
        """The probability of each row, shape (rows,): that it is chosen among the rows of its choice (``softmax``), or its
        expected result (``logistic``).

        Raises
        ------
        texam.Error
            Another objective, or no choice for ``softmax``.
        """
        values = self.predict(X) / (self.temperature or np.nan)
        if self.objective == "logistic":
            return scipy.special.expit(values)
        if self.objective != "softmax":
            raise _texam.Error(f"expected a fit by softmax or logistic, which give probabilities, but found {self.objective}")
        number = X.choice if choice is None and isinstance(X, Rows) else choice
        if number is None:
            raise _texam.Error("expected choice, the number of the choice of each row, but found none")
        return np.exp(_log_shares(values, _places(_elements("choice", number, len(values)))))

    def score(self, rows: Rows) -> float:
        """How the weights do on rows, the higher the better: the match of choices, or minus the mean loss of labelled rows."""
        measured = fit(rows, start=self.weights, objective=self.objective, iterations=0, holdout=None, errors=False, **self._scale()).after
        return -measured.loss if measured.match is None and measured.loss is not None else float(measured.match or 0)

    def _scale(self) -> dict[str, Any]:
        return {} if self.temperature is None else {"temperature": self.temperature}

    def summary(self) -> str:
        """A table of the weights that were tuned with their standard errors, quotients, and intervals of 95 per cent."""
        width = max([len("weight"), *map(len, self.names)])
        lines = [f"{'weight':<{width}}  {'fitted':>10}  {'s.e.':>9}  {'z':>7}  {'P>|z|':>6}  {'[0.025':>10}  {'0.975]':>10}"]
        for at in np.flatnonzero(self.tune):
            weight, error = self.weights[at], self.standard_errors[at]
            if np.isfinite(error) and error > 0:
                z = weight / error
                cells = f"{error:9.5g}  {z:7.2f}  {2 * scipy.special.ndtr(-abs(z)):6.3f}"
                cells += f"  {weight - 1.96 * error:10.5g}  {weight + 1.96 * error:10.5g}"
            else:
                cells = f"{'-':>9}  {'-':>7}  {'-':>6}  {'-':>10}  {'-':>10}"
            lines.append(f"{self.names[at]:<{width}}  {weight:10.5g}  {cells}")
        after = self.after
        figures = [f"objective {self.objective}", f"positions {after.positions}", f"games {after.games}"]
        if after.loss is not None:
            change = "" if after.loss_change is None else f" ({after.loss_change:+.6f} +- {after.loss_change_error:.6f} from the start)"
            figures.append(f"loss {after.loss:.6f} +- {after.loss_error:.6f}{change}")
        if after.match is not None:
            figures.append(f"match {after.match:.4f}")
        if self.ridge is not None:
            figures.append(f"ridge {self.ridge:g}")
        return "\n".join([", ".join(figures), *lines])

    def to_frame(self) -> Any:
        """The weights as a frame of pandas, which must be installed: a row for each, by its name."""
        import pandas

        columns = ("start", "prior", "tune", "weights", "standard_errors", "held", "support_positions", "support_games")
        return pandas.DataFrame({name: getattr(self, name) for name in columns}, index=pandas.Index(self.names, name="weight"))

    def write_weights(self, path: str | os.PathLike[str]) -> None:
        """Writes the fitted weights as a table, whole or not at all.

        The bytes are those of the ``.csv`` that ``texam fit --choices`` writes for the same rows and options. ``texam diff`` and
        ``texam export`` read it.
        """
        tune, prior = self.tune.tolist(), self.prior.tolist()
        write_whole(path, _texam.format_weights(self.names, self.weights.tolist(), prior, tune))

    def __str__(self) -> str:
        width = max([len("weight"), *map(len, self.names)])
        lines = [f"{'weight':<{width}}  {'start':>10}  {'fitted':>10}  {'s.e.':>8}  {'held':>5}  positions  games"]
        for at in np.flatnonzero(self.tune):
            error = self.standard_errors[at]
            shown = f"{error:8.3f}" if np.isfinite(error) else f"{'-':>8}"
            lines.append(
                f"{self.names[at]:<{width}}  {self.start[at]:10.3f}  {self.weights[at]:10.3f}  {shown}  {self.held[at]:5.2f}"
                f"  {self.support_positions[at]:9d}  {self.support_games[at]:5d}"
            )
        return "\n".join(lines + [f"warning: {text}" for text in self.warnings])


def read_weights(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads a table of weights, such as ``weights.csv`` of ``texam rows``, as arguments of :func:`fit`.

    Returns
    -------
    dict
        `names`, `start`, `prior` and `tune`, so that ``texam.fit(rows, **texam.read_weights("weights.csv"), objective="softmax")``
        fits what the command fits.
    """
    try:
        names, start, prior, tune = _texam.parse_weights(Path(path).read_bytes())
    except _texam.Error as error:
        raise _texam.Error(f"{os.fspath(path)}: {error}") from error
    return {"names": names, "start": np.array(start), "prior": np.array(prior), "tune": np.array(tune, dtype=bool)}


def fit(
    X: Any,
    choice: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    *,
    chosen: ArrayLike | None = None,
    label: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    value: ArrayLike | None = None,
    objective: str | None = None,
    start: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    tune: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    ridge: float | str = 100,
    ridge_to: str = "current",
    min_support: int = 20,
    inner: int | None = None,
    temperature: float | None = None,
    iterations: int = 1,
    holdout: str | None = "1/10",
    loss: str | None = None,
    force: str | None = None,
    strength: float | None = None,
    scale: float | None = None,
    balance: str | None = None,
    variance: bool | None = None,
    errors: bool = True,
    groups: int = 0,
    threads: int | None = None,
) -> Fit:
    """Fits weights to choices, or to labelled rows.

    Names and defaults of the options are those of ``texam fit --choices``, and so are the numbers, to the last bit.
    docs/METHOD.md of the repository has the formulas ("Other objectives", "The fit"), docs/EQUATIONS.md the errors.

    Parameters
    ----------
    X : Rows, or sparse or dense matrix, shape (rows, columns)
        The rows. If it is no :class:`Rows`, it and `choice`, `cluster`, `chosen`, `label`, `weight` and `value` are those of
        :class:`Rows`.
    objective : {"softmax", "pairs", "force", "logistic"}
        What is fitted; there is no default. ``softmax`` is conditional logit: the loss of a choice is minus the logarithm of
        ``exp(v_chosen / T) / sum(exp(v / T))`` with the values ``v = X @ weights`` and the temperature ``T``. ``pairs`` is the sum over the
        other rows of ``log(1 + exp((v - v_chosen) / T))``. ``logistic`` is, for labelled rows, the cross-entropy between
        the label and ``1 / (1 + exp(-v / T))``. ``force`` is the least squares of 1988.
    start : array, shape (weights,), optional
        The weights that the fit begins with. The default is 0 for every column. The unit is yours; a typical difference between two rows should be some tens or hundreds of it.
    prior : array, shape (weights,), optional
        The values that the ridge pulls to with ``ridge_to="start"``. The default is `start`.
    tune : array of bool, shape (weights,), optional
        Which weights the fit may change. The default is all of them.
    names : sequence of str, optional
        A name of its own for each weight. The default is the names of the columns of a frame, otherwise ``w0``, ``w1`` and so on.
    ridge : float or "auto"
        Strength of the ridge, which holds each weight like that many rows with a count of one. ``"auto"`` chooses it by
        cross-validation over five parts of the groups that are fitted: the strongest whose loss is not clearly above the lowest.
    ridge_to : {"current", "start"}
        Whether it pulls to the start weights or to `prior`.
    min_support : int
        Choices (or labelled rows) that must touch a weight for it to be fitted.
    inner : int, optional
        Steps of Newton at most, for objectives other than ``force``. By default they go on until none lowers the loss. A fit that stops
        at its limit says by how much the loss may still fall.
    temperature : float, optional
        The temperature in the unit of the weights, from 0.01 to 1e6. By default it is estimated: the one with the lowest loss of the start
        weights, from 4 to 4096; 64 where these are all tied.
    iterations : {1, 0}
        0 measures the start weights and fits nothing.
    holdout : str or None
        ``"1/K"`` holds out the groups whose number is a multiple of K: they are measured and never fitted. None holds out none.
    loss : {"cross-entropy", "squared"}, optional
        The loss of ``logistic``.
    force, strength, scale, balance, variance : optional
        The options of ``force``: kind of force, its strength, the miss at which forces are equal, who pays for the force, and whether the spread of
        the values is kept.
    errors : bool
        Whether standard errors and covariances are computed.
    groups : int
        Fit again without each of so many groups of games, for :attr:`Fit.run_errors`; 0 for none, 10 is usual.
    threads : int, optional
        Threads, by default one for each core. The result does not depend on it.

    Returns
    -------
    Fit

    Raises
    ------
    texam.Error
        Rows or options that cannot be used, or a fit without a solution.

    Warns
    -----
    FitWarning
        Where the rows, or the groups held out, speak against the fit; also in :attr:`Fit.warnings`.

    Notes
    -----
    Other Python threads run meanwhile, and an interrupt (Ctrl-C) ends the fit at its next pass over the rows.

    Examples
    --------
    The larger one of two was chosen, most of the time:

    >>> import numpy as np
    >>> random = np.random.default_rng(5)
    >>> X = random.integers(0, 9, size=(2000, 2))
    >>> utility = (X @ [30, 10] + random.gumbel(scale=60, size=2000)).reshape(1000, 2)
    >>> chosen = utility == utility.max(axis=1, keepdims=True)
    >>> found = fit(X, np.arange(2000) // 2, chosen=chosen.ravel(), objective="softmax", temperature=60, ridge=0)
    >>> found.weights.round(), found.standard_errors.round(1)
    (array([31., 10.]), array([2.1, 1.5]))
    """
    arguments = dict(locals())
    if isinstance(X, Rows):
        for name in ("choice", "cluster", "chosen", "label", "weight", "value"):
            if arguments[name] is not None:
                raise _texam.Error(f"expected no {name} beside Rows, which have their own, but found one")
        rows = X
    else:
        rows = Rows(X, choice, cluster, chosen=chosen, label=label, weight=weight, value=value)
    arguments["holdout"] = "none" if holdout is None else holdout
    texts = {name: _text(arguments[name]) for name in _OPTIONS if arguments[name] is not None}
    if rows.shape[1] > _texam.MOST_WEIGHTS:
        raise _texam.Error(f"expected rows of at most {_texam.MOST_WEIGHTS} columns, but found {rows.shape[1]}")
    if isinstance(names, (str, bytes)):
        raise _texam.Error(f"expected names, a sequence of texts, but found one text, {_shown(names)}")
    starts = np.zeros(rows.shape[1]) if start is None else _numbers("start", start)
    priors = starts if prior is None else _numbers("prior", prior)
    tuned = np.ones(len(starts), dtype=bool) if tune is None else _array("tune", tune)
    if tuned.dtype != bool:
        raise _texam.Error(f"expected tune to be an array of bool, but found {tuned.dtype}")
    if names is None:
        names = rows.names or [f"w{at}" for at in range(len(starts))]
    names = [str(name) for name in names]
    if len(names) != len(starts):
        raise _texam.Error(f"expected names with {len(starts)} elements, one for each weight, but found {len(names)}")
    found = _texam.fit(rows._table, names, starts.tolist(), priors.tolist(), tuned.tolist(), texts)
    model = {"names": names, "objective": str(objective), "start": starts, "prior": priors, "tune": tuned}
    result = _result(found, model, bool(errors))
    for text in result.warnings:
        warnings.warn(text, FitWarning, stacklevel=2)
    return result


def _matrix(X: Any, columns: int | None = None) -> Any:
    """The matrix of rows, or of what makes some, with this number of columns if it is given."""
    if isinstance(X, Rows):
        X = X.X
    data, indices, indptr, found = _csr(X)
    if columns not in (None, found):
        raise _texam.Error(f"expected {columns} columns, one for each weight, but found {found}")
    return scipy.sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, found))


def _log_shares(values: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithm of the probability of each row among those of the same place, from 0."""
    highest = np.full(places.max(initial=-1) + 1, -np.inf)
    np.maximum.at(highest, places, values)
    values = values - highest[places]
    return values - np.log(np.bincount(places, weights=np.exp(values)))[places]


def _text(option: object) -> str:
    """The text of an option, as on the command line."""
    if isinstance(option, (bool, np.bool_)):
        return "on" if option else "off"
    if isinstance(option, (float, np.floating)) and float(option).is_integer() and abs(option) < 2**53:
        return str(int(option))
    return str(option)


def _result(found: dict[str, Any], model: dict[str, Any], errors: bool) -> Fit:
    names = model["names"]
    solved = found["fit"] or {"tuned": []}
    standard_errors, held = np.full(len(names), np.nan), np.full(len(names), np.nan)
    positions, games = np.zeros(len(names), dtype=np.int64), np.zeros(len(names), dtype=np.int64)
    frozen, open_weights = {}, []
    for at, error, share, support, clusters, is_open, reason in solved["tuned"]:
        standard_errors[at] = np.nan if error is None else error
        held[at], positions[at], games[at] = share, support, clusters
        if is_open:
            open_weights.append(names[at])
        if reason is not None:
            frozen[names[at]] = reason
    sets = [None if measured is None else Agreement(*measured) for measured in found["before"] + found["after"]]
    before, held_before, after, held_after = sets
    assert before is not None and after is not None
    return Fit(
        **model,
        weights=np.array(found["weights"]),
        standard_errors=standard_errors,
        held=held,
        support_positions=positions,
        support_games=games,
        frozen=frozen,
        open=open_weights,
        before=before,
        after=after,
        held_before=held_before,
        held_after=held_after,
        **{name: found[name] for name in ("temperature", "temperature_origin", "warnings")},
        **{name: solved.get(name) for name in ("rank", "solved", "condition", "residual", "effective", "ridge", "ridge_reason")},
        ridge_path=solved.get("ridge_path", []),
        run_errors=None if found["run_errors"] is None else np.array(found["run_errors"]),
        _covariances=solved.get("covariances") if errors else None,
    )
