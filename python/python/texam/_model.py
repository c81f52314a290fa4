"""An estimator by the conventions of scikit-learn, which need not be installed."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import numpy as np
import scipy.special
from numpy.typing import ArrayLike, NDArray

from . import _texam
from ._fit import Fit, _log_shares, _matrix, fit
from ._rows import Rows, _array, _csr, _elements, _numbers, _places, _shown

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    validate_data = None

    class ClassifierMixin:  # type: ignore[no-redef]
        pass

    class BaseEstimator:  # type: ignore[no-redef]
        """What cross-validation and pipelines ask of an estimator."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

        def set_params(self, **parameters: Any) -> BaseEstimator:
            for name, value in parameters.items():
                if name not in self.get_params():
                    raise ValueError(f"expected a parameter of {type(self).__name__}, but found {name!r}")
                setattr(self, name, value)
            return self


#: The temperature of fits, in their unit. Coefficients are weights divided by it, so that it does not show.
_TEMPERATURE = 1024.0


class ChoiceModel(ClassifierMixin, BaseEstimator):
    """Conditional logit with standard errors by cluster, as an estimator: of the rows of a group, one was chosen.

    The probability of a row is ``exp(x @ coef_)`` divided by the sum of this over its group. There is no intercept, which no choice
    would depend on.

    Parameters
    ----------
    objective : {"softmax", "pairs", "logistic"}
        As in :func:`fit`. ``logistic`` takes labelled rows, which have no groups: it is logistic regression without intercept.
    ridge, min_support, inner, threads
        As in :func:`fit`, with other defaults: a weak ridge, no weight left out, and as many steps as are needed.
    scoring : {"accuracy", "neg_log_loss"}
        What :meth:`score` returns, and so what a search such as `GridSearchCV` goes by.

    Attributes
    ----------
    coef_ : array, shape (1, columns)
        The weights, per count, in logits.
    standard_errors_ : array, shape (columns,)
        Their standard errors, clustered by `cluster` or else by group.
    covariance_ : array, shape (columns, columns)
        Their covariance.
    fit_ : Fit
        All that the fit found, in logits as well, with the columns of a frame as names. Only errors count units of 1/1024 logit.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn: the two values of `y`, of which the larger one stands for the chosen row; 0 and 1 for results.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(5)
    >>> X, groups = random.normal(size=(3000, 2)), np.repeat(np.arange(1000), 3)
    >>> utility = (X @ [1.0, -0.5] + random.gumbel(size=3000)).reshape(1000, 3)
    >>> y = (utility == utility.max(axis=1, keepdims=True)).ravel()
    >>> model = ChoiceModel().fit(X, y, groups=groups)
    >>> model.coef_.round(2), model.standard_errors_.round(2)
    (array([[ 0.96, -0.51]]), array([0.05, 0.05]))
    """

    def __init__(
        self,
        objective: str = "softmax",
        *,
        ridge: float | str = 1.0,
        min_support: int = 1,
        inner: int = 50,
        threads: int | None = None,
        scoring: str = "accuracy",
    ) -> None:
        self.objective = objective
        self.ridge = ridge
        self.min_support = min_support
        self.inner = inner
        self.threads = threads
        self.scoring = scoring

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> ChoiceModel:
        """Fits the coefficients.

        Parameters
        ----------
        X : dense or sparse matrix, shape (rows, columns)
            The rows, in any order.
        y : array, shape (rows,)
            Two different values: the larger one for the chosen row of each group, the smaller one for the others. For ``logistic``
            also results from 0 to 1, such as 0.5 for a draw.
        groups : array, shape (rows,)
            The group of each row, numbers or names: the choice whose alternatives its rows are. None for ``logistic``.
        cluster : array, shape (rows,), optional
            What the groups themselves belong to, such as a person or a game, for the standard errors.
        sample_weight : array, shape (rows,), optional
            By how much each group, or each labelled row, counts: 2 as if it came twice, 0 as if it was not there. All rows of a
            group have the same.
        """
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        X, y = self._fitted_rows(X, y)
        weight = _weights(sample_weight, len(y))
        # Weights up to 1, and a ridge for these. A power of 2 leaves the digits of both as they are.
        scale = float(2.0 ** -np.frexp(np.nextafter(weight.max(), 0))[1])
        # Lighter rows would have a weight of 0 in the sums.
        weight = np.where(weight * scale < 2.0**-25, 0, weight * scale)
        self.classes_ = self._classes(y[weight > 0])
        labels = self._labels(y)
        choice, clusters = self._choices(labels, groups, cluster, weight)
        # The rows of a choice, and the choices of a cluster, stand next to each other.
        keys = [key for key in (choice, clusters) if key is not None] or [np.zeros(len(y))]
        order = np.lexsort(keys)
        order = order[weight[order] > 0]
        beside = [None if array is None else array[order].astype(np.uint64) for array in (choice, clusters)]
        weights = None if sample_weight is None else weight[order]
        table = _texam.Table(*_csr(X[order]), labels[order], *beside, weights, None, order.astype(np.uint64))
        options = {"min_support": self.min_support, "inner": self.inner, "threads": self.threads, "holdout": None, "names": names}
        ridge = self.ridge if isinstance(self.ridge, str) else self.ridge * scale
        found = fit(Rows._of(table), objective=self.objective, ridge=ridge, temperature=_TEMPERATURE, **options)
        in_logits = {name: getattr(found, name) / _TEMPERATURE for name in ("start", "prior", "weights", "standard_errors")}
        self.fit_: Fit = dataclasses.replace(
            found,
            **in_logits,
            temperature=1.0,
            ridge=None if found.ridge is None else found.ridge / scale,
            ridge_path=[(tried / scale, *losses) for tried, *losses in found.ridge_path],
            _covariances=None if found._covariances is None else found._covariances / _TEMPERATURE**2,
        )
        self.coef_ = self.fit_.weights.reshape(1, -1)
        self.standard_errors_ = self.fit_.standard_errors
        self.covariance_ = self.fit_.covariance
        return self

    def summary(self) -> str:
        """A table of the coefficients, as :meth:`Fit.summary`."""
        if validate_data is not None:
            check_is_fitted(self)
        return self.fit_.summary()

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The value of each row, shape (rows,), in logits: the higher, the sooner it is chosen of its group."""
        return self._rows(X) @ self.coef_[0]

    def predict_proba(self, X: Any, groups: ArrayLike | None = None) -> NDArray[np.float64]:
        """The probability of each value of `y`, shape (rows, 2): that the row is not chosen of its group, and that it is."""
        values = self.decision_function(X)
        if self.objective == "logistic":
            chosen = scipy.special.expit(values)
        elif self.objective == "softmax":
            chosen = np.exp(_log_shares(values, self._groups(groups, len(values))))
        else:
            raise _texam.Error(f"expected softmax or logistic, which give probabilities, but found {self.objective}")
        return np.column_stack([1 - chosen, chosen])

    def predict(self, X: Any, groups: ArrayLike | None = None) -> NDArray[Any]:
        """The value of `y` of each row, shape (rows,): the larger one for the row of each group with the highest value."""
        values = self.decision_function(X)
        if self.objective == "logistic":
            return self.classes_[(values > 0).astype(int)]
        return self.classes_[_is_best(values, self._groups(groups, len(values))).astype(int)]

    def score(
        self, X: Any, y: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """How the coefficients do on rows, the higher the better, as `scoring` says.

        ``accuracy`` is the share of the groups, or of the labelled rows, that :meth:`predict` gets right; a result is right by as much as
        it lies near to the one predicted. ``neg_log_loss`` is the mean logarithm of the probability of the chosen row, or of the result.
        """
        if self.scoring not in ("accuracy", "neg_log_loss"):
            raise _texam.Error(f"expected scoring by accuracy or neg_log_loss, but found {_shown(self.scoring)}")
        values = self.decision_function(X)
        labels = self._labels(_elements("y", np.asarray(y).reshape(-1), len(values)))
        weight = _weights(sample_weight, len(values))
        is_log = self.scoring == "neg_log_loss"
        if self.objective == "logistic":
            losses = scipy.special.log_expit([values, -values])
            gain = labels * losses[0] + (1 - labels) * losses[1] if is_log else 1 - np.abs(labels - (values > 0))
            return float(np.average(gain, weights=weight))
        if is_log and self.objective != "softmax":
            raise _texam.Error(f"expected softmax or logistic for scoring by neg_log_loss, but found {self.objective}")
        choice, _ = self._choices(labels, groups, None, weight)
        gain = _log_shares(values, choice) if is_log else _is_best(values, choice)
        chosen = labels > 0
        return float(np.average(gain[chosen], weights=weight[chosen]))

    def _classes(self, y: NDArray[Any]) -> NDArray[Any]:
        """The two values that labels have."""
        if self._is_results(y):
            return np.array([0.0, 1.0])
        values = np.unique(y)
        is_continuous = y.dtype.kind == "f" and bool(np.any(values % 1))
        if len(values) > 2 or is_continuous:
            what = "Unknown label type" if is_continuous else "Only binary classification is supported"
            expected = "expected 2 values of y, names or whole numbers" + ", or results from 0 to 1" * (self.objective == "logistic")
            raise _texam.Error(f"{what}: {expected}, but found {len(values)}, from {_shown(values[0])} to {_shown(values[-1])}")
        if len(values) < 2:
            raise _texam.Error("expected 2 values of y, but found one class only")
        return values

    def _is_results(self, y: NDArray[Any]) -> bool:
        is_number = self.objective == "logistic" and y.dtype.kind == "f"
        return is_number and bool(np.all((y >= 0) & (y <= 1)) and np.any((y > 0) & (y < 1)))

    def _labels(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """1 for a chosen row and 0 for another, or the result."""
        if self._is_results(y):
            return y.astype(float)
        if (other := np.flatnonzero(~np.isin(y, self.classes_))).size:
            expected = f"expected a y of {' or '.join(map(_shown, self.classes_))}"
            raise _texam.Error(f"row {other[0]}: {expected}, but found {_shown(y[other[0]])}")
        return (y == self.classes_[1]).astype(float)

    def _choices(
        self, labels: NDArray[np.float64], groups: Any, cluster: Any, weight: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
        """The choice and the cluster of each row by numbers from 0, which are checked."""
        clusters = None if cluster is None else _places(_elements("cluster", cluster, len(labels)))
        if self.objective == "logistic":
            return None, clusters
        choice = self._groups(groups, len(labels))

        def error(row: int, expected: str, found: str, more: str = "") -> _texam.Error:
            return _texam.Error(f"row {row}: expected {expected} of choice {_shown(list(groups)[row])}{more}, but found {found}")

        first = np.unique(choice, return_index=True)[1]
        for name, column in (("cluster", clusters), ("sample_weight", weight)):
            if column is not None and (other := np.flatnonzero(column != column[first][choice])).size:
                raise error(other[0], f"one {name} for all rows", "another")
        wrong = np.flatnonzero((np.bincount(choice, labels) != 1)[choice] & (weight > 0))
        if wrong.size:
            chosen = np.flatnonzero((choice == choice[wrong[0]]) & (labels > 0))
            row, found = (chosen[1], f"rows {_shown(chosen)}") if chosen.size else (wrong[0], "none")
            raise error(row, "one row", found, f" with y {_shown(self.classes_[1])}")
        return choice, clusters

    def _groups(self, groups: ArrayLike | None, rows: int) -> NDArray[np.int64]:
        if groups is None:
            raise _texam.Error(
                f"expected groups, the choice of each row, for objective {self.objective}, but found none; scorers of scikit-learn "
                "pass none, so leave them out and take ChoiceModel(scoring='neg_log_loss')"
            )
        return _places(_elements("groups", groups, rows))

    def _fitted_rows(self, X: Any, y: ArrayLike) -> tuple[Any, NDArray[Any]]:
        if validate_data is not None:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
            return X, _array("y", y)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(X.columns, dtype=object)
        X = _matrix(X)
        self.n_features_in_ = X.shape[1]
        return X, _elements("y", y, X.shape[0])

    def _rows(self, X: Any) -> Any:
        if validate_data is not None:
            check_is_fitted(self)
            return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return _matrix(X, self.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags


def _weights(sample_weight: ArrayLike | None, rows: int) -> NDArray[np.float64]:
    if sample_weight is None:
        return np.ones(rows)
    weight = _numbers("sample_weight", _elements("sample_weight", sample_weight, rows))
    if (wrong := np.flatnonzero(~((weight >= 0) & (weight < np.inf)))).size:
        raise _texam.Error(f"row {wrong[0]}: expected a sample_weight of 0 or more, but found {weight[wrong[0]]}")
    if not weight.any():
        raise _texam.Error("expected a sample_weight above 0, but found only zeros")
    return weight


def _is_best(values: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each row is the first with the highest value among those of the same place."""
    order = np.lexsort([-values, places])
    is_best = np.zeros(len(values), dtype=bool)
    is_best[order[np.unique(places[order], return_index=True)[1]]] = True
    return is_best
