"""ChoiceModel is an estimator by the conventions of scikit-learn, also where this is not installed."""

import contextlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import texam

sklearn = pytest.importorskip("sklearn", minversion="1.6")
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402


def test_coefficients_errors_and_probabilities_are_those_of_the_fit_in_logits(choices):
    model = texam.ChoiceModel(ridge=1).fit(choices.X, choices.chosen, groups=choices.choice, cluster=choices.cluster)
    found = texam.fit(choices.rows(), objective="softmax", temperature=50, ridge=1, min_support=1, inner=50, holdout=None)
    assert np.array_equal(model.fit_.weights, model.coef_[0]) and model.summary() == model.fit_.summary()
    assert model.coef_[0] == pytest.approx(found.weights / 50, rel=1e-3)
    assert model.standard_errors_ == pytest.approx(found.standard_errors / 50, rel=1e-3)
    assert np.sqrt(np.diag(model.covariance_)) == pytest.approx(model.standard_errors_)
    probabilities = model.predict_proba(choices.X, choices.choice)
    assert probabilities[:, 1] == pytest.approx(found.predict_proba(choices.rows()), abs=1e-3)
    assert model.score(choices.X, choices.chosen, choices.choice) == pytest.approx(found.score(choices.rows()), abs=0.01)
    values = model.decision_function(choices.X)
    assert values == pytest.approx(choices.X @ model.coef_[0])
    for choice in (1, 2, 3):
        rows = choices.choice == choice
        assert model.predict(choices.X, choices.choice)[rows].tolist() == (values[rows] == values[rows].max()).tolist()


def test_rows_come_in_any_order_and_groups_have_any_names(choices):
    order = np.random.default_rng(1).permutation(len(choices.X))
    names = np.array([f"choice {number}" for number in choices.choice])
    X = scipy.sparse.csr_matrix(choices.X)
    whole = texam.ChoiceModel().fit(X, choices.chosen, groups=choices.choice, cluster=choices.cluster)
    mixed = texam.ChoiceModel().fit(X[order], choices.chosen[order], groups=names[order], cluster=choices.cluster[order])
    assert np.array_equal(whole.coef_, mixed.coef_) and np.array_equal(whole.standard_errors_, mixed.standard_errors_)
    assert np.array_equal(whole.predict(X, choices.choice)[order], mixed.predict(X[order], names[order]))


def test_cross_validation_keeps_games_whole_and_a_pipeline_scales_columns(choices):
    scaled = choices.X * np.array([1, 1000, 1, 1, 0.1])
    known = {"groups": choices.cluster, "choice": choices.choice}
    with sklearn.config_context(enable_metadata_routing=True):
        model = texam.ChoiceModel().set_fit_request(groups="choice", cluster="groups").set_score_request(groups="choice")
        pipeline = make_pipeline(StandardScaler(), sklearn.base.clone(model))
        scores = cross_val_score(pipeline, scaled, choices.chosen, cv=GroupKFold(4), params=known)
        assert len(scores) == 4 and 0.5 < scores.mean() < 0.8
        search = GridSearchCV(pipeline, {"choicemodel__ridge": [1, 1e6]}, cv=GroupKFold(4))
        search.fit(scaled, choices.chosen, **known)
        assert search.best_params_ == {"choicemodel__ridge": 1}
        assert search.score(scaled, choices.chosen, choice=choices.choice) > 0.5


def test_a_search_goes_by_the_likelihood_and_scorers_without_choices_are_refused(choices):
    X, y, known = choices.X, choices.chosen, {"groups": choices.cluster, "choice": choices.choice, "sample_weight": choices.weight}
    with sklearn.config_context(enable_metadata_routing=True):
        model = texam.ChoiceModel(scoring="neg_log_loss").set_fit_request(groups="choice", cluster="groups", sample_weight=True)
        model.set_score_request(groups="choice", sample_weight=True)
        search = GridSearchCV(model, {"ridge": [1, 1e6, "auto"]}, cv=GroupKFold(4)).fit(X, y, **known)
        assert search.best_params_["ridge"] in (1, "auto") and np.all(search.cv_results_["mean_test_score"] < 0)
        model.set_fit_request(sample_weight=False)
        del known["sample_weight"]
        for scorer, is_refused in (("neg_log_loss", True), ("accuracy", True), ("roc_auc", False)):
            search = GridSearchCV(model, {"ridge": [1]}, cv=GroupKFold(4), scoring=scorer, error_score="raise")
            if is_refused:
                with pytest.raises(texam.Error, match="take ChoiceModel.scoring='neg_log_loss'."):
                    search.fit(X, y, **known)
            else:
                assert search.fit(X, y, **known).best_score_ > 0.5
    model.fit(X, y, choices.choice)
    assert model.score(X, y, choices.choice) == pytest.approx(np.log(model.predict_proba(X, choices.choice)[y, 1]).mean())
    assert model.score(X, y, choices.choice) == pytest.approx(-model.fit_.after.loss, abs=1e-6)


def test_a_weight_counts_as_that_many_copies(choices):
    times = np.random.default_rng(2).integers(0, 4, size=choices.choice.max() + 1)
    copies = [np.flatnonzero(choices.choice == number) for number in np.unique(choices.choice) for _ in range(times[number])]
    rows, copy = np.concatenate(copies), np.repeat(np.arange(len(copies)), [len(part) for part in copies])
    copied = texam.ChoiceModel(ridge=5).fit(choices.X[rows], choices.chosen[rows], copy, choices.cluster[rows])
    for unit in (1, 0.01, 1e6):
        weight = times[choices.choice] * unit
        model = texam.ChoiceModel(ridge=5 * unit).fit(choices.X, choices.chosen, choices.choice, choices.cluster, sample_weight=weight)
        assert model.coef_ == pytest.approx(copied.coef_, rel=1e-3) and model.fit_.ridge == pytest.approx(5 * unit)
        assert model.standard_errors_ == pytest.approx(copied.standard_errors_, rel=0.01)
        for model.scoring in ("accuracy", "neg_log_loss"):
            score = model.score(choices.X, choices.chosen, choices.choice, sample_weight=weight)
            assert score == pytest.approx(model.score(choices.X[rows], choices.chosen[rows], copy))


def test_messages_name_the_rows_and_groups_that_were_given(choices):
    order = np.random.default_rng(1).permutation(len(choices.X))
    X, y, cluster = choices.X[order], choices.chosen[order], choices.cluster[order]
    groups = [f"choice {number}" for number in choices.choice[order]]
    first, *others = (np.array(groups) == "choice 9").nonzero()[0]

    def changed(array, row, value):
        array = np.array(array, dtype=float if isinstance(value, float) else None)
        array[row] = value
        return array

    ones = np.ones(len(y))
    for arguments, words in [
        ({"X": changed(X, (first, 2), 1e300)}, f"row {first}: expected an entry below 10^30 in column 2, but found 1e300"),
        ({"y": changed(y, [first, *others], False)}, f"row {first}: expected one row of choice 'choice 9' with y True, but found none"),
        ({"cluster": changed(cluster, others[0], 9999)}, f"row {others[0]}: expected one cluster for all rows of choice 'choice 9', but found another"),
        ({"sample_weight": changed(ones, others[0], 0.0)}, f"row {others[0]}: expected one sample_weight for all rows of choice 'choice 9'"),
        ({"sample_weight": changed(ones, first, -1.0)}, f"row {first}: expected a sample_weight of 0 or more, but found -1.0"),
        ({"sample_weight": changed(ones, first, np.nan)}, f"row {first}: expected no missing value in sample_weight, but found nan"),
        ({"sample_weight": ones[1:]}, "expected sample_weight with"),
        ({"groups": changed(np.array(groups, dtype=object), first, None)}, f"row {first}: expected no missing value in groups, but found None"),
    ]:
        with pytest.raises(texam.Error) as error:
            texam.ChoiceModel().fit(**{"X": X, "y": y, "groups": groups, "cluster": cluster, **arguments})
        assert words in str(error.value)


def test_logistic_takes_results_and_no_other_scale(labelled):
    model = texam.ChoiceModel("logistic", scoring="neg_log_loss").fit(labelled.X, labelled.label, cluster=labelled.cluster)
    found = texam.fit(labelled.rows(), objective="logistic", temperature=1024, ridge=1, min_support=1, inner=50, holdout=None)
    assert np.array_equal(model.coef_[0], found.weights / 1024) and model.classes_.tolist() == [0, 1]
    assert model.score(labelled.X, labelled.label) == pytest.approx(-found.after.loss, abs=1e-6)
    draws = np.resize([0, 0.5], len(labelled.X))
    assert texam.ChoiceModel("logistic").fit(labelled.X, draws).classes_.tolist() == [0, 1]
    for scale in ([0, 1, 2], [-1, 0, 1], [-1.0, 0.0, 1.0], [0, 0.5, 2]):
        with pytest.raises(texam.Error, match="expected 2 values of y, .* or results from 0 to 1, but found 3, from"):
            texam.ChoiceModel("logistic").fit(labelled.X, np.resize(scale, len(labelled.X)))


def test_the_columns_of_a_frame_name_the_coefficients(choices):
    frames = [pytest.importorskip("pandas").DataFrame(choices.X, columns=list("abcde"))]
    with contextlib.suppress(ImportError):
        frames.append(__import__("polars").DataFrame(choices.X, schema=list("abcde")))
    for frame in frames:
        model = texam.ChoiceModel().fit(frame, choices.chosen, groups=choices.choice)
        assert model.fit_.names == list(model.feature_names_in_) == list("abcde") and model.n_features_in_ == 5


def test_wrong_groups_are_refused_with_what_was_found(choices):
    X, y, choice = choices.X, choices.chosen, choices.choice
    for arguments, words in [
        ((X, y), "expected groups, the choice of each row, for objective softmax, but found none"),
        ((X, y, choice[:-1]), f"expected groups with {len(y)} elements, one for each row"),
        ((X, y, choice // 2), "row 10: expected one row of choice 1 with y True, but found rows .7, 10."),
        ((X, np.arange(len(y)) % 3, choice), "expected 2 values of y, names or whole numbers, but found 3"),
    ]:
        with pytest.raises(texam.Error, match=words):
            texam.ChoiceModel().fit(*arguments)


def failed_checks(model):
    results = check_estimator(model, on_skip=None, on_fail=None)
    assert len(results) > 40
    return [result for result in results if result["status"] == "failed"]


#: Checks of scikit-learn that fit rows without the choices that they belong to.
WITHOUT_GROUPS = set(
    """
    classifier_data_not_an_array classifiers_classes classifiers_train decision_proba_consistency dict_unchanged
    dont_overwrite_parameters dtype_object estimator_sparse_array estimator_sparse_matrix estimator_sparse_tag estimators_dtypes
    estimators_fit_returns_self estimators_nan_inf estimators_overwrite_params estimators_pickle f_contiguous_array_estimator
    fit2d_1feature fit2d_predict1d fit_check_is_fitted fit_idempotent fit_score_takes_y methods_sample_order_invariance
    methods_subset_invariance n_features_in n_features_in_after_fitting pipeline_consistency positive_only_tag_during_fit
    readonly_memmap_input sample_weight_equivalence_on_dense_data sample_weight_equivalence_on_sparse_data sample_weights_list
    sample_weights_not_an_array sample_weights_not_overwritten sample_weights_pandas_series sample_weights_shape supervised_y_2d
    """.split()
)


@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn_pass_but_for_those_that_fit_choices_without_groups():
    assert failed_checks(texam.ChoiceModel("logistic")) == []
    for result in failed_checks(texam.ChoiceModel("softmax")):
        error, reasons = result["exception"], []
        while error is not None:
            reasons.append(str(error))
            error = error.__cause__ or error.__context__
        assert result["check_name"].removeprefix("check_") in WITHOUT_GROUPS
        assert any("expected groups" in reason for reason in reasons), result


def test_a_model_pickles(choices):
    model = texam.ChoiceModel(ridge=3).fit(choices.X, choices.chosen, groups=choices.choice)
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params() and np.array_equal(again.coef_, model.coef_)


def test_scikit_learn_need_not_be_installed():
    code = """
import sys
sys.modules["sklearn"] = None
import numpy as np, texam
X, groups = np.arange(40).reshape(20, 2) % 7, np.arange(20) // 4
model = texam.ChoiceModel(ridge=2).set_params(ridge=5)
assert model.get_params()["ridge"] == 5
model.fit(X, np.arange(20) % 4 == 1, groups=groups)
assert model.predict(X, groups).sum() == 5
try:
    model.predict(X[:, :1], groups)
except texam.Error as error:
    print(error)
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (made.returncode, made.stdout) == (0, "expected 2 columns, one for each weight, but found 1\n"), made.stderr
