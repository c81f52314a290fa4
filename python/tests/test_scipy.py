"""Weights, temperatures and standard errors are those of the formulas of docs/METHOD.md and docs/EQUATIONS.md, written here in NumPy and minimised by SciPy."""

import numpy as np
import pytest
import scipy.stats
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

import texam

# Start weights, temperatures and losses are compared on rows that need no rounding.
EXACT = {"ridge": 0, "min_support": 1, "holdout": None}


def softmax_losses(data, weights, temperature):
    """The loss of each choice."""
    values = data.X @ weights / temperature
    numbers = data.choice - 1
    largest = np.full(numbers.max() + 1, -np.inf)
    np.maximum.at(largest, numbers, values)
    sums = np.bincount(numbers, np.exp(values - largest[numbers]))
    return largest + np.log(sums) - values[data.chosen]


def pairs_losses(data, weights, temperature):
    """The loss of each choice: the sum over the alternatives."""
    values = data.X @ weights / temperature
    lead = (values - values[data.chosen][data.choice - 1])[~data.chosen]
    losses = np.logaddexp(0, lead)
    numbers = data.choice[~data.chosen] - 1
    return np.bincount(numbers, losses)


def logistic_losses(data, weights, temperature):
    values = data.X @ weights / temperature
    return np.logaddexp(0, values) - data.label * values


def squared_losses(data, weights, temperature):
    return (data.label - expit(data.X @ weights / temperature)) ** 2 / 2


OBJECTIVES = {
    "softmax": (softmax_losses, {"objective": "softmax"}),
    "pairs": (pairs_losses, {"objective": "pairs"}),
    "logistic": (logistic_losses, {"objective": "logistic"}),
    "squared": (squared_losses, {"objective": "logistic", "loss": "squared"}),
}


@pytest.fixture(params=OBJECTIVES)
def problem(request, choices, labelled):
    """The losses of each position, the rows, and the options of the objective."""
    losses, options = OBJECTIVES[request.param]
    return losses, (labelled if options["objective"] == "logistic" else choices), options


def position_weights(data):
    """The weight of each choice or labelled row."""
    return data.weight[data.chosen] if hasattr(data, "chosen") else data.weight


def optimum(losses, data, weights, temperature):
    """The weights with the smallest mean loss."""
    # In units of the temperature, the problem is as large as its numbers.
    def mean(scaled):
        return np.average(losses(data, scaled, 1.0), weights=weights)

    found = minimize(mean, data.start / temperature, method="BFGS", options={"gtol": 1e-9, "maxiter": 1000})
    # Where BFGS ends for lack of digits, a Newton step with numerical derivatives removes what is left.
    return newton(mean, found.x) * temperature


def newton(function, at):
    for _ in range(3):
        gradient, hessian = derivatives(function, at)
        at = at - np.linalg.solve(hessian, gradient)
    return at


def derivatives(function, at, step=1e-3):
    """Gradient and Hessian by central differences of fourth order."""
    size = len(at)
    unit = np.eye(size) * step

    def gradient(point):
        return np.array(
            [
                (8 * (function(point + u) - function(point - u)) - function(point + 2 * u) + function(point - 2 * u))
                / (12 * step)
                for u in unit
            ]
        )

    hessian = np.array(
        [(8 * (gradient(at + u) - gradient(at - u)) - gradient(at + 2 * u) + gradient(at - 2 * u)) / (12 * step) for u in unit]
    )
    return gradient(at), (hessian + hessian.T) / 2


@pytest.mark.parametrize("weighted", [False, True])
def test_without_a_ridge_the_weights_are_those_of_the_smallest_loss(problem, weighted):
    losses, data, options = problem
    weights = position_weights(data) if weighted else None
    found = texam.fit(
        data.rows(weight=data.weight if weighted else None), start=data.start, temperature=60, **options, **EXACT
    )
    expected = optimum(losses, data, weights, 60.0)
    # Steps end where they are smaller than the rounding of weights. Those of Newton are nearer by then than
    # those of Gauss and Newton.
    rounding = 1 / 128 if options.get("loss") == "squared" else 1e-3
    assert found.weights == pytest.approx(expected, rel=1e-6, abs=rounding)
    assert found.after.loss == pytest.approx(np.average(losses(data, found.weights, 60.0), weights=weights), abs=1e-6)
    assert found.before.loss == pytest.approx(np.average(losses(data, data.start, 60.0), weights=weights), abs=1e-6)
    assert found.after.loss < found.before.loss


def of_clusters(sums: np.ndarray, counts: np.ndarray, groups: np.ndarray) -> tuple[float, float]:
    """The mean, and its standard error by group: the root of the sum of squared residuals of the groups over their number."""
    mean = sums.sum() / counts.sum()
    residuals = np.bincount(groups, sums - mean * counts)
    return mean, np.sqrt(np.sum(residuals**2)) / counts.sum()


def test_errors_of_losses_and_of_their_changes_are_those_of_groups_whose_positions_are_alike():
    rng = np.random.default_rng(5)
    games = np.repeat(np.arange(1, 61), 30)
    X = np.repeat(rng.integers(-3, 4, (60, 3)), 30, axis=0) + rng.integers(-1, 2, (1800, 3))
    label = np.repeat(rng.integers(0, 3, 60) / 2, 30)
    start = np.array([40.0, 10.0, -20.0])
    found = texam.fit(X, cluster=games, label=label, start=start, objective="logistic", temperature=60, ridge=30, holdout="1/3")

    def losses(weights):
        p = 1 / (1 + np.exp(-X @ weights / 60))
        return -label * np.log(p) - (1 - label) * np.log1p(-p)

    for is_held, measured, began in [(False, found.after, found.before), (True, found.held_after, found.held_before)]:
        of = (games % 3 == 0) == is_held
        after, before = losses(found.weights)[of], losses(start)[of]
        expected = of_clusters(after, np.ones(of.sum()), games[of])
        assert (measured.loss, measured.loss_error) == pytest.approx(expected, abs=2e-6)
        change = of_clusters(after - before, np.ones(of.sum()), games[of])
        assert (measured.loss_change, measured.loss_change_error) == pytest.approx(change, abs=2e-6)
        # As if positions were independent it would be far too small.
        assert measured.loss_error > 3 * after.std() / np.sqrt(of.sum())
        assert began.loss_change is None


def test_a_fit_arrives_and_one_that_stops_at_its_limit_says_what_is_left(choices):
    options = {"start": choices.start, "objective": "softmax", "temperature": 60, "ridge": 10, "holdout": None}
    with pytest.warns(texam.FitWarning, match="stopped at the limit of 1 steps: the loss may still fall by"):
        stopped = texam.fit(choices.rows(), **options, inner=1)
    arrived = texam.fit(choices.rows(), **options)
    assert arrived.after.loss <= stopped.after.loss and not any("still fall" in text for text in arrived.warnings)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_temperature_is_that_of_the_smallest_loss_of_the_start(problem, weighted):
    losses, data, options = problem
    weights = position_weights(data) if weighted else None
    found = texam.fit(
        data.rows(weight=data.weight if weighted else None),
        start=data.start, holdout=None, iterations=0, **options,
    )  # fmt: skip

    def mean(inverse):
        return np.average(losses(data, data.start, 1 / inverse), weights=weights)

    expected = 1 / minimize_scalar(mean, bounds=(1 / 4096, 1 / 4), method="bounded", options={"xatol": 1e-12}).x
    assert (found.temperature, found.temperature_origin) == (pytest.approx(expected, rel=1e-5), "estimated")
    assert found.weights.tolist() == data.start.tolist()


@pytest.mark.parametrize("weighted", [False, True])
def test_standard_errors_are_the_clustered_sandwich(problem, weighted):
    losses, data, options = problem
    weights = position_weights(data) if weighted else np.ones(data.chosen.sum() if hasattr(data, "chosen") else len(data.X))
    found = texam.fit(
        data.rows(weight=data.weight if weighted else None), start=data.start, temperature=60, **options, **EXACT
    )
    at, size = found.weights, len(found.weights)

    def losses_at(point):
        return weights * losses(data, point, 60.0)

    step = 1e-2
    scores = np.array(
        [(losses_at(at + u) - losses_at(at - u)) / (2 * step) for u in np.eye(size) * step]
    ).T
    clusters = data.cluster[data.chosen] if hasattr(data, "chosen") else data.cluster
    sums = np.array([np.bincount(clusters, score)[1:] for score in scores.T]).T
    groups, positions = len(sums), len(scores)
    if options.get("loss") == "squared":
        # The matrix of Gauss and Newton, which the fit solves with.
        slope = expit(data.X @ at / 60)
        slope = slope * (1 - slope) / 60
        bread = (data.X * (weights * slope**2)[:, None]).T @ data.X
    else:
        bread = derivatives(lambda point: losses_at(point).sum(), at, step=0.5)[1]
    inverse = np.linalg.inv(bread)
    correction = groups / (groups - 1) * (positions - 1) / (positions - size)
    covariance = correction * inverse @ (sums.T @ sums) @ inverse
    expected = np.sqrt(np.diag(covariance))
    assert found.standard_errors == pytest.approx(expected, rel=1e-4)
    assert np.abs(found.covariance - covariance).max() < 1e-4 * covariance.max()
    # Without clustering they would be other ones.
    apart = np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))
    assert not np.allclose(apart, expected, rtol=0.02)


def test_the_covariance_has_a_place_for_each_weight_and_numbers_where_there_are_errors(choices):
    tune = [True, True, False, True, True]
    options = {"objective": "softmax", "temperature": 50, "holdout": None, "tune": tune}
    found = texam.fit(choices.rows(), **options)
    alone = texam.fit(np.delete(choices.X, 2, axis=1), choices.choice, choices.cluster, chosen=choices.chosen, **{**options, "tune": None})
    assert found.covariance.shape == (5, 5) and np.isnan(found.covariance[2]).all()
    assert np.array_equal(found.covariance[np.ix_(tune, tune)], alone.covariance)
    assert np.allclose(alone.covariance, alone.covariance.T) and np.linalg.eigvalsh(alone.covariance).min() > 0
    assert np.isnan(texam.fit(choices.rows(), errors=False, **options).covariance).all()


def test_errors_of_the_run_are_those_of_fits_without_each_group_of_games(choices):
    options = {"objective": "softmax", "temperature": 50, "holdout": None, "errors": False}
    found = texam.fit(choices.rows(), groups=5, **options)
    games = np.unique(choices.cluster, return_inverse=True)[1]
    fits = []
    for group in range(5):
        kept = games % 5 != group
        part = (choices.X[kept], choices.choice[kept], choices.cluster[kept])
        fits.append(texam.fit(*part, chosen=choices.chosen[kept], **options).weights)
    assert found.run_errors == pytest.approx(np.sqrt(4 / 5 * np.sum((fits - np.mean(fits, axis=0)) ** 2, axis=0)))
    assert texam.fit(choices.rows(), **options).run_errors is None
    with pytest.raises(texam.Error, match="expected groups from 2 to the number of clusters fitted, 150, but found 151"):
        texam.fit(choices.rows(), groups=151, **options)


def test_a_plot_has_a_point_for_each_weight_with_an_error(choices):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    found = texam.fit(choices.rows(), objective="softmax", temperature=50, tune=[True] * 4 + [False], holdout=None)
    _, axes = pyplot.subplots()
    assert found.plot(axes) is axes
    drawn = np.concatenate([container.lines[0].get_ydata() for container in axes.containers])
    assert sorted(drawn) == sorted(found.weights[:4])
    pyplot.close()


@pytest.mark.filterwarnings("ignore::texam.FitWarning")
def test_match_and_mean_rank_are_those_of_the_values(choices):
    found = texam.fit(choices.rows(), start=choices.start, objective="softmax", holdout="1/10", min_support=1)
    for weights, sets in [
        (choices.start, (found.before, found.held_before)),
        (np.round(found.weights * 256) / 256, (found.after, found.held_after)),
    ]:
        values = np.round(choices.X @ weights * 65536)
        lead = values - values[choices.chosen][choices.choice - 1]
        others = ~choices.chosen
        ahead = np.bincount(choices.choice[others] - 1, lead[others] > 0)
        ties = np.bincount(choices.choice[others] - 1, lead[others] == 0)
        held_out = choices.cluster[choices.chosen] % 10 == 0
        for agreement, which in zip(sets, (~held_out, held_out)):
            assert agreement.positions == which.sum()
            assert agreement.games == len(np.unique(choices.cluster[choices.chosen][which]))
            assert agreement.match == pytest.approx(np.mean((ahead + ties == 0)[which]))
            assert agreement.mean_rank == pytest.approx(np.mean((ahead + ties / 2)[which]))


def test_support_counts_the_choices_and_games_that_touch_a_column(choices):
    X = choices.X.copy()
    X[choices.choice > 40, 2] = 0
    rows = texam.Rows(X, choices.choice, choices.cluster, chosen=choices.chosen)
    found = texam.fit(rows, start=choices.start, objective="pairs", holdout=None, min_support=50)
    assert found.frozen == {"w2": "in 40 choices only"}
    assert found.support_positions[2] == 40 and found.support_games[2] == 10
    assert found.weights[2] == choices.start[2] and np.isnan(found.standard_errors[2])


def test_probabilities_and_scores_are_those_of_the_loss(choices, labelled):
    rows = choices.rows()
    found = texam.fit(rows, objective="softmax", temperature=50, holdout=None, ridge=1)
    probabilities = found.predict_proba(rows)
    assert np.allclose(np.bincount(choices.choice - 1, weights=probabilities), 1)
    assert np.mean(-np.log(probabilities[choices.chosen])) == pytest.approx(found.after.loss, abs=1e-4)
    assert np.array_equal(probabilities, found.predict_proba(choices.X, choices.choice))
    assert found.score(rows) == found.after.match
    assert found.predict(choices.X) == pytest.approx(choices.X @ found.weights)
    with pytest.raises(texam.Error, match="expected choice, the number of the choice of each row"):
        found.predict_proba(choices.X)
    with pytest.raises(texam.Error, match="expected 5 columns, one for each weight, but found 4"):
        found.predict(choices.X[:, :4])
    logistic = texam.fit(labelled.rows(), objective="logistic", temperature=80, holdout=None, ridge=1)
    p, y = logistic.predict_proba(labelled.X), labelled.label
    assert np.mean(-y * np.log(p) - (1 - y) * np.log(1 - p)) == pytest.approx(logistic.after.loss, abs=1e-4)
    assert logistic.score(labelled.rows()) == pytest.approx(-logistic.after.loss, abs=1e-6)


def test_a_summary_has_the_quotients_and_intervals_of_the_tuned_weights(choices):
    tune = [True, True, True, True, False]
    found = texam.fit(choices.rows(), objective="softmax", temperature=50, tune=tune, holdout=None)
    lines = found.summary().splitlines()
    assert len(lines) == 2 + 4 and "objective softmax" in lines[0]
    for line, weight, error in zip(lines[2:], found.weights, found.standard_errors):
        _, shown, s_e, z, p, low, high = line.split()
        assert float(shown) == pytest.approx(weight, abs=6e-4) and float(s_e) == pytest.approx(error, abs=6e-4)
        assert float(z) == pytest.approx(weight / error, abs=6e-3)
        assert float(p) == pytest.approx(2 * scipy.stats.norm.sf(abs(weight / error)), abs=6e-4)
        assert (float(high) - float(low)) / 2 == pytest.approx(1.96 * error, abs=2e-3)
