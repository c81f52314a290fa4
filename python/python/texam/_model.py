"""An estimator by the conventions of scikit-learn, which need not be installed."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _texam
from ._fit import Fit, fit
from ._rows import Rows, _csr

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
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

    Attributes
    ----------
    coef_ : array, shape (1, columns)
        The weights, per count, in logits.
    standard_errors_ : array, shape (columns,)
        Their standard errors, clustered by `cluster` or else by group.
    covariance_ : array, shape (columns, columns)
        Their covariance.
    fit_ : Fit
        All that the fit found, in units of 1/1024 logit.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn: the two values of `y`, of which the larger one stands for the chosen row.

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
        ridge: float = 1.0,
        min_support: int = 1,
        inner: int = 50,
        threads: int | None = None,
    ) -> None:
        self.objective = objective
        self.ridge = ridge
        self.min_support = min_support
        self.inner = inner
        self.threads = threads

    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None, cluster: ArrayLike | None = None) -> ChoiceModel:
        """Fits the coefficients.

        Parameters
        ----------
        X : dense or sparse matrix, shape (rows, columns)
            The rows, in any order.
        y : array, shape (rows,)
            Two different values: the larger one for the chosen row of each group, the smaller one for the others.
        groups : array, shape (rows,)
            The group of each row, numbers or texts: the choice whose alternatives its rows are. None for ``logistic``.
        cluster : array, shape (rows,), optional
            What the groups themselves belong to, such as a person or a game, for the standard errors.
        """
        X, y = self._fitted_rows(X, y)
        self.classes_, chosen = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise _texam.Error(
                f"Only binary classification is supported: expected 2 values of y, but found {len(self.classes_)}"
            )
        if len(self.classes_) < 2:
            raise _texam.Error("expected 2 values of y, but found one class only")
        choice = None if self.objective == "logistic" else self._groups(groups, len(chosen))
        clusters = None if cluster is None else _numbered("cluster", cluster, len(chosen))
        # The rows of a choice, and the choices of a cluster, stand next to each other.
        order = np.lexsort([key for key in (choice, clusters) if key is not None] or [np.zeros(len(chosen))])
        at = [None if array is None else array[order] for array in (choice, clusters)]
        labels = {"label" if choice is None else "chosen": chosen.reshape(-1)[order].astype(float)}
        options = {"ridge": self.ridge, "min_support": self.min_support, "inner": self.inner, "threads": self.threads}
        self.fit_: Fit = fit(
            Rows(X[order], *at, **labels), objective=self.objective, temperature=_TEMPERATURE, holdout=None, **options
        )
        self.coef_ = self.fit_.weights.reshape(1, -1) / _TEMPERATURE
        self.standard_errors_ = self.fit_.standard_errors / _TEMPERATURE
        self.covariance_ = self.fit_.covariance / _TEMPERATURE**2
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The value of each row, shape (rows,), in logits: the higher, the sooner it is chosen of its group."""
        return self._rows(X) @ self.coef_[0]

    def predict_proba(self, X: Any, groups: ArrayLike | None = None) -> NDArray[np.float64]:
        """The probability of each value of `y`, shape (rows, 2): that the row is not chosen of its group, and that it is."""
        values = self.decision_function(X)
        if self.objective == "logistic":
            chosen = 1 / (1 + np.exp(-np.clip(values, -700, 700)))
        elif self.objective == "softmax":
            chosen = self.fit_.predict_proba(self._rows(X), self._groups(groups, len(values)))
        else:
            raise _texam.Error(f"expected softmax or logistic, which give probabilities, but found {self.objective}")
        return np.column_stack([1 - chosen, chosen])

    def predict(self, X: Any, groups: ArrayLike | None = None) -> NDArray[Any]:
        """The value of `y` of each row, shape (rows,): the larger one for the row of each group with the highest value."""
        values = self.decision_function(X)
        if self.objective == "logistic":
            return self.classes_[(values > 0).astype(int)]
        places = self._groups(groups, len(values))
        order = np.lexsort([-values, places])
        chosen = np.zeros(len(values), dtype=int)
        chosen[order[np.unique(places[order], return_index=True)[1]]] = 1
        return self.classes_[chosen]

    def score(
        self, X: Any, y: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """The share of the groups, or of the labelled rows, that :meth:`predict` gets right.

        A group has the weight of its first row.
        """
        is_right = self.predict(X, groups) == np.asarray(y)
        weight = np.ones(len(is_right)) if sample_weight is None else np.asarray(sample_weight)
        if self.objective != "logistic":
            _, first, places = np.unique(np.asarray(groups), return_index=True, return_inverse=True)
            is_right = np.bincount(places.reshape(-1), ~is_right) == 0
            weight = weight[first]
        return float(np.average(is_right, weights=weight))

    def _groups(self, groups: ArrayLike | None, rows: int) -> NDArray[np.int64]:
        if groups is None:
            raise _texam.Error(f"expected groups, the choice of each row, for objective {self.objective}, but found none")
        return _numbered("groups", groups, rows)

    def _fitted_rows(self, X: Any, y: ArrayLike) -> tuple[Any, NDArray[Any]]:
        if validate_data is not None:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
            check_classification_targets(y)
            return X, y
        X, y = _sparse(X), np.asarray(y)
        self.n_features_in_ = X.shape[1]
        return X, y

    def _rows(self, X: Any) -> Any:
        if validate_data is not None:
            check_is_fitted(self)
            return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        X = _sparse(X)
        if X.shape[1] != self.n_features_in_:
            raise _texam.Error(f"expected {self.n_features_in_} columns, as in the fit, but found {X.shape[1]}")
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags


def _sparse(X: Any) -> Any:
    import scipy.sparse

    data, indices, indptr, columns = _csr(X)
    return scipy.sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, columns))


def _numbered(name: str, array: ArrayLike, rows: int) -> NDArray[np.int64]:
    """Numbers from 0 in the place of others, or of names."""
    found = np.asarray(array)
    if found.shape != (rows,):
        raise _texam.Error(f"expected {name} with {rows} elements, one for each row, but found the shape {found.shape}")
    return np.unique(found, return_inverse=True)[1].reshape(-1)
