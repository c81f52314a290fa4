"""ChoiceModel is an estimator by the conventions of scikit-learn, also where this is not installed."""

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


def test_wrong_groups_are_refused_with_what_was_found(choices):
    X, y, choice = choices.X, choices.chosen, choices.choice
    for arguments, words in [
        ((X, y), "expected groups, the choice of each row, for objective softmax, but found none"),
        ((X, y, choice[:-1]), f"expected groups with {len(y)} elements, one for each row"),
        ((X, y, choice // 2), "expected one row of a choice with the highest label, but found two"),
        ((X, np.arange(len(y)) % 3, choice), "expected 2 values of y, but found 3"),
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
    readonly_memmap_input supervised_y_2d
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
    assert (made.returncode, made.stdout) == (0, "expected 2 columns, as in the fit, but found 1\n"), made.stderr
