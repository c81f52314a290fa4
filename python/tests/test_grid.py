"""A fit takes the numbers of the rows as they are: columns of any size, fractions, and columns that add up."""

import numpy as np
import pytest
import texam

CHOICES, ROWS, T = 400, 5, 64.0


def rows_of_choices(seed=1):
    """Columns of normal numbers, of counts, of tapered counts and of zeros and ones that add up to 1."""
    random = np.random.default_rng(seed)
    size = CHOICES * ROWS
    count = random.integers(-4, 5, size)
    phase = random.integers(0, 25, size) / 24
    kind = np.eye(3)[random.integers(0, 3, size)]
    X = np.column_stack([random.normal(size=(size, 2)), count * phase, count * (1 - phase), kind, count])
    weights = np.array([60.0, -20.0, 5.0, 9.0, 30.0, 0.0, -10.0, 0.0])
    values = (X @ weights + T * random.gumbel(size=size)).reshape(CHOICES, ROWS)
    chosen = (values == values.max(axis=1, keepdims=True)).ravel()
    return X, np.repeat(np.arange(CHOICES), ROWS), chosen


def fit(X, choice, chosen, **options):
    options = dict(objective="softmax", ridge=0, inner=20, min_support=0, holdout=None, temperature=T) | options
    return texam.fit(X, choice=choice, chosen=chosen, **options)


def probabilities(values):
    """The share of each row in the powers of its choice, which for softmax is the probability that it is chosen."""
    powers = np.exp(values.reshape(CHOICES, ROWS) / T)
    return powers / powers.sum(axis=1, keepdims=True)


def loss(X, choice, chosen, weights):
    values = (X @ weights / T).reshape(CHOICES, ROWS)
    return np.mean(np.log(np.exp(values).sum(axis=1)) - values.ravel()[chosen])


def optimum(X, choice, chosen):
    """Newton's method on the rows as they are, in double precision."""
    weights = np.zeros(X.shape[1])
    X3 = X.reshape(CHOICES, ROWS, -1)
    for _ in range(30):
        values = X3 @ weights / T
        p = np.exp(values - values.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        centred = X3 - (p[..., None] * X3).sum(axis=1, keepdims=True)
        hessian = np.einsum("cr,cri,crj->ij", p, centred, centred)
        gradient = np.einsum("cr,cri->i", chosen.reshape(CHOICES, ROWS) - p, X3)
        weights = weights + T * np.linalg.lstsq(hessian, gradient, rcond=1e-10)[0]
    return weights


@pytest.mark.filterwarnings("ignore::texam.FitWarning")
def test_the_loss_is_that_of_the_rows_as_given_and_its_optimum():
    rows = rows_of_choices()
    found, best = fit(*rows), loss(*rows, optimum(*rows))
    assert loss(*rows, found.weights) == pytest.approx(best, abs=1e-6)
    assert found.after.loss == pytest.approx(best, abs=1e-6)


def test_columns_that_add_up_leave_the_rank_of_the_rows_as_given():
    # The count is the sum of its two parts, and the kinds add up to the same in all rows.
    with pytest.warns(texam.FitWarning, match="hardly tell these weights apart"):
        found = fit(*rows_of_choices())
    assert (found.rank, found.solved) == (6, 8)
    assert np.isnan(found.standard_errors).tolist() == [False, False, True, True, True, True, True, True]


def test_columns_of_labelled_rows_that_add_up_leave_their_rank_too():
    X, _, chosen = rows_of_choices()
    label = np.where(np.arange(len(X)) % 3, chosen.astype(float), 0.5)
    with pytest.warns(texam.FitWarning, match="hardly tell these weights apart: w2, w3, w7"):
        found = texam.fit(X, label=label, objective="logistic", ridge=0, holdout=None, temperature=T)
    # The kinds that add up to the same are the constant of the model.
    assert (found.rank, found.solved) == (7, 8)
    assert np.isnan(found.standard_errors).tolist() == [False, False, True, True, False, False, False, True]


@pytest.mark.parametrize("scale", [1e-6, 3e-4, 0.1, 7.0, 1e6])
@pytest.mark.parametrize("objective", ["softmax", "pairs", "force"])
def test_the_unit_of_the_columns_changes_no_prediction(scale, objective):
    X, choice, chosen = rows_of_choices()
    X = X[:, :4]
    options = dict(objective=objective) | ({"temperature": None} if objective == "force" else {})
    options = {name: value for name, value in options.items() if value is not None}
    if objective == "force":
        scaled = [texam.fit(X * s, choice=choice, chosen=chosen, objective="force", ridge=0, holdout=None) for s in (1, scale)]
    else:
        scaled = [fit(X * s, choice, chosen, **options) for s in (1, scale)]
    predicted = [probabilities(X * s @ found.weights) for s, found in zip((1, scale), scaled)]
    assert np.abs(predicted[0] - predicted[1]).max() < 1e-9
    np.testing.assert_allclose(scaled[0].standard_errors, scaled[1].standard_errors * scale, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_labelled_rows_changes_no_prediction(scale):
    X, _, chosen = rows_of_choices()
    label = np.where(np.arange(len(X)) % 3, chosen.astype(float), 0.5)
    found = [
        texam.fit(X[:, :4] * s, label=label, objective="logistic", ridge=0, inner=20, holdout=None, temperature=T)
        for s in (1, scale)
    ]
    predicted = [f.predict_proba(X[:, :4] * s) for s, f in zip((1, scale), found)]
    assert np.abs(predicted[0] - predicted[1]).max() < 1e-9
