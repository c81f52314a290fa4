"""Arrays that cannot be used are refused with their place, and nothing panics."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import texam

X = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
CHOICE = [1, 1, 2, 2]
CHOSEN = [1, 0, 0, 1]


def message(X=X, choice=CHOICE, chosen=CHOSEN, **more):
    options = {"objective": "softmax", "min_support": 0, "holdout": None, **more}
    with pytest.raises(texam.Error) as error:
        texam.fit(X, choice, chosen=chosen, **options)
    assert isinstance(error.value, ValueError)
    return str(error.value)


def csr(data=(1, 2, 1, 0.5), indices=(0, 2, 1, 0), indptr=(0, 2, 3, 4, 4), columns=3):
    """A matrix with these arrays, whatever they are."""
    matrix = scipy.sparse.csr_matrix(X)
    matrix.data, matrix.indices, matrix.indptr = (np.array(part) for part in (data, indices, indptr))
    matrix._shape = (len(indptr) - 1 if len(indptr) == 5 else 4, columns)
    return matrix


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"choice": [1, 1, 2]}, "expected choice with 4 elements, one for each row, but found 3"),
        ({"chosen": [1, 0, 0, 1, 0]}, "expected label with 4 elements, one for each row, but found 5"),
        ({"cluster": [1]}, "expected cluster with 4 elements, one for each row, but found 1"),
        ({"weight": [1.0]}, "expected weight with 4 elements"),
        ({"value": []}, "expected value with 4 elements"),
        ({"choice": [1, 1, -2, -2]}, "row 2: expected a choice of 0 or more, but found -2"),
        ({"cluster": [-1, 1, 1, 1]}, "row 0: expected a cluster of 0 or more, but found -1"),
        ({"choice": [1.0, 1.0, 2.0, 2.0]}, "expected choice to be an array of whole numbers or of names, but found float64"),
        ({"choice": [[1, 1], [2, 2]]}, "expected choice with 1 dimension(s), but found 2"),
        ({"choice": ["a", "b", "a", "b"]}, "row 2: expected the rows of a choice next to each other, but found choice 'a' again"),
        ({"choice": ["a", "a", None, "b"]}, "row 2: expected no missing value in choice, but found None"),
        ({"choice": ["7", "7", "07", "07"]}, "expected choice names that differ in more than signs and zeros before a number, but found two"),
        ({"choice": None}, "expected choice, the number of the choice of each row, beside chosen, but found none"),
        ({"chosen": None}, "expected chosen, for choices, or label, for labelled rows, but found neither"),
        ({"label": [1, 0, 0, 1]}, "expected chosen, for choices, or label, for labelled rows, but found both"),
        ({"chosen": [1, 0, np.nan, 1]}, "row 2: expected a label, a number, but found NaN"),
        ({"chosen": [1, 0, 0, 1j]}, "expected chosen to be an array of numbers, but found complex128"),
        ({"chosen": [1, 1, 0, 1]}, "row 1: expected one row of a choice with the highest label, but found two with 1"),
        ({"chosen": [0, 0, 0, 1]}, "row 1: expected one row of a choice with the highest label, but found two with 0"),
        ({"choice": [1, 2, 1, 2], "chosen": [1, 1, 1, 1]}, "row 2: expected the rows of a choice next to each other, but found choice 1 again"),
        ({"cluster": [1, 2, 3, 3]}, "row 1: expected one cluster for all rows of a choice, but found another"),
        ({"weight": [1, 0.5, 1, 1]}, "row 1: expected one weight for all rows of a choice, but found another"),
        ({"weight": [1, 1, 0, 0]}, "row 2: expected a weight above 0 and up to 1, but found 0"),
        ({"weight": [1, 1, np.inf, 1]}, "row 2: expected a weight, a number, but found inf"),
        ({"value": [5.0, 0, 0, 0], "start": [1.0, 0, 0]}, "row 0: expected entries that give the value 5 of the row, but found entries that give 1"),
        ({"X": np.where(X == 0.5, np.nan, X)}, "row 2: expected entries that are numbers, but found [nan, 0.0, 0.0]"),
        ({"X": X * 1e31}, "row 0: expected an entry below 10^30 in column 0, but found 1"),
        ({"X": X[0]}, "expected X with 2 dimension(s), but found 1"),
        ({"X": [["a"] * 3] * 4}, "expected X to be a matrix of numbers, but found <U1"),
        ({"X": [[1, 2], [3]]}, "expected X to be an array, but found"),
        ({"X": np.zeros((0, 3)), "choice": np.zeros(0, int), "chosen": []}, "expected rows, but found none"),
        ({"X": csr(indices=(0, 3, 1, 0))}, "row 0: expected columns from 0 and below 3, but found 3"),
        ({"X": csr(indices=(0, 2, -1, 0))}, "row 1: expected columns from 0 and below 3, but found -1"),
        ({"X": csr(indices=(0, 2, 1, 2**40))}, f"row 2: expected columns from 0 and below 3, but found {2**40}"),
        ({"X": csr(indices=(0, 2, 1))}, "expected as many indices as elements of data, 4, but found 3"),
        ({"X": csr(indices=(0, 2, 1, 0.5))}, "expected indices to be an array of whole numbers, but found float64"),
        ({"X": csr(indptr=(0, 2, 1, 4, 4))}, "expected indptr that ascends from 0 to the length of data, 4, but found another"),
        ({"X": csr(indptr=(0, 2, 3, 4, 9))}, "expected indptr that ascends from 0 to the length of data, 4"),
        ({"X": csr(indptr=(-1, 2, 3, 4, 4))}, "expected indptr that ascends from 0 to the length of data, 4"),
        ({"X": csr(indptr=(0, 4))}, "expected indptr with 5 elements, but found 2"),
        ({"X": csr(data=(1, 2, np.nan, 1))}, "row 1: expected an entry below 10^30 in column 1, but found NaN"),
        ({"start": [1.0, 2.0]}, "row 0: expected columns up to 2, the number of weights, but found 3"),
        ({"start": [1.0, np.nan, 2.0]}, "expected a value of w1 within 10^12 units, but found NaN"),
        ({"start": [1.0, 1e13, 2.0]}, "expected a value of w1 within 10^12 units, but found 1e13"),
        ({"prior": [1.0]}, "expected prior with 3 elements, one for each weight, but found 1"),
        ({"tune": [True]}, "expected tune with 3 elements, one for each weight, but found 1"),
        ({"tune": [1, 0, 1]}, "expected tune to be an array of bool, but found int64"),
        ({"tune": [False] * 3}, "the model has no tuned parameter"),
        ({"X": np.ma.masked_array(X, mask=X == 0.5)}, "expected X without masked elements, but found some"),
        ({"X": pd.DataFrame({"a": pd.array([1, None, 3, 4], dtype="Int64"), "b": 0})}, "row 1: expected no missing value in X, but found [<NA>, 0]"),
        ({"names": "abc"}, "expected names, a sequence of texts, but found one text, 'abc'"),
        ({"names": ["a", "b", "a\nb"]}, "expected names of at most 200 bytes without control characters"),
        ({"X": scipy.sparse.csr_matrix((4, 10**7))}, "expected rows of at most 1048576 columns, but found 10000000"),
        ({"X": scipy.sparse.csr_matrix((4, 10**6))}, "the sums over 1000000 tuned weights would need"),
        ({"names": ["a", "b"]}, "expected names with 3 elements, one for each weight, but found 2"),
        ({"names": ["a", "b", "a"]}, 'expected a name of its own for each weight, but found "a"'),
        ({"objective": None}, "option objective: expected softmax, pairs, force or logistic: rows of another program have no default, but found none"),
        ({"objective": "logistic"}, "expected labelled positions, which have no choice, for objective logistic, but found choices"),
        ({"iterations": 2}, "option iterations: expected 0 or 1, since rows in memory cannot be searched again"),
        ({"holdout": "1/1"}, 'option holdout: expected none, or 1/K with K of 2 or more, but found "1/1"'),
        ({"holdout": 0.1}, "option holdout: expected none, or 1/K with K of 2 or more"),
        ({"ridge": "auto"}, "a ridge is chosen by 10 or more clusters, but there are 2 to fit"),
        ({"ridge": float("nan")}, 'option ridge: expected a number from 0 to 1e12, or auto, but found "nan"'),
        ({"temperature": 0}, "option temperature: expected a number from 0.01 to 1000000, or none to estimate it, but found"),
        ({"inner": 0}, "option inner: expected a whole number, 1 or more, but found"),
        ({"threads": 0}, 'option threads: expected a whole number, 1 to 1024, but found "0"'),
        ({"min_support": 5}, "no tuned parameter occurs in 5 or more positions"),
    ],
)
def test_what_cannot_be_used_is_named(arguments, words):
    assert words in message(**arguments)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"X": X * 1e300}, "row 0: expected an entry below 10^30 in column 0, but found 1e300"),
        ({"X": np.full((4, 3000), np.nan)}, "row 0: expected entries that are numbers, but found [nan, nan, "),
        ({"value": [1e300] * 4}, "row 0: expected entries that give the value 1e300 of the row, but found entries that give 0"),
        ({"weight": [1e300] * 4}, "expected a weight above 0 and up to 1, but found 1e300"),
        ({"chosen": [1e300] * 4}, "but found two with 1e300"),
        ({"chosen": [10**400] * 4}, "expected chosen to be an array of numbers, but found object"),
        ({"choice": ["a" * 500, "b"] * 2}, "but found choice 'aaaa"),
        ({"names": ["n" * 500] * 3}, 'but found "nnnn'),
        ({"names": "n" * 500}, "but found one text, 'nnnn"),
        ({"temperature": 1e300}, "option temperature: expected a number from 0.01 to 1000000"),
        ({"inner": 10**300}, 'option inner: expected a whole number, 1 or more, but found "1000'),
        ({"threads": 10**300}, 'option threads: expected a whole number, 1 to 1024, but found "1000'),
        ({"holdout": "x" * 500}, "option holdout: expected none, or 1/K"),
        ({"objective": "x" * 500}, "option objective: expected one of "),
    ],
)
def test_what_is_long_is_shown_in_part(arguments, words):
    found = message(**arguments)
    assert words in found and len(found) < 220


def test_labelled_rows_have_labels_from_0_to_1_and_no_choices():
    options = {"objective": "logistic", "holdout": None, "min_support": 0}
    with pytest.raises(texam.Error, match="row 1: expected a label from 0 to 1, but found 1.5"):
        texam.fit(X, label=[1, 1.5, 0, 0], **options)
    with pytest.raises(texam.Error, match="expected rows of choices for objective softmax, but found labelled"):
        texam.fit(X, label=[1, 1, 0, 0], **{**options, "objective": "softmax"})
    with pytest.raises(texam.Error, match="expected no choice beside Rows"):
        texam.fit(texam.Rows(X, label=[1, 1, 0, 0]), choice=CHOICE, **options)


def forms():
    """The same matrix in many forms."""
    wide = np.zeros((8, 6))
    wide[::2, ::2] = X
    unsorted = csr(indices=(2, 0, 1, 0), data=(2, 1, 1, 0.5))
    unsorted.has_sorted_indices = False
    yield "dense", X
    yield "list", X.tolist()
    yield "float32", X.astype(np.float32)
    yield "float16", X.astype(np.float16)
    yield "big-endian", X.astype(">f8")
    yield "objects", X.astype(object)
    yield "unmasked", np.ma.masked_array(X, mask=np.zeros_like(X))
    yield "frame", pd.DataFrame(X)
    yield "nullable frame", pd.DataFrame(X).astype("Float64")
    yield "frame of arrow", pd.DataFrame(X).astype("double[pyarrow]")
    yield "not contiguous", wide[::2, ::2]
    yield "by columns", np.asfortranarray(X)
    yield "csr", scipy.sparse.csr_matrix(X)
    yield "csr_array", scipy.sparse.csr_array(X)
    yield "csc", scipy.sparse.csc_matrix(X)
    yield "coo", scipy.sparse.coo_matrix(X)
    yield "int32 indices", csr(indices=np.array((0, 2, 1, 0), dtype=np.int32))
    yield "int64 indices", csr(indices=np.array((0, 2, 1, 0), dtype=np.int64))
    yield "unsorted indices", unsorted
    yield "in two parts", csr(data=(0.5, 0.5, 2, 1, 0.5), indices=(0, 0, 2, 1, 0), indptr=(0, 3, 4, 5, 5))
    yield "explicit zeros", csr(data=(1, 0, 2, 1, 0.5), indices=(0, 1, 2, 1, 0), indptr=(0, 3, 4, 5, 5))


@pytest.mark.parametrize("form", [pytest.param(form, id=name) for name, form in forms()])
def test_a_matrix_is_the_same_in_every_form(form):
    rows = texam.Rows(form, CHOICE, chosen=CHOSEN)
    assert rows.to_text() == texam.Rows(X, CHOICE, chosen=CHOSEN).to_text()
    assert rows.X.toarray().tolist() == X.tolist()


def test_arrays_beside_the_matrix_may_have_any_form(choices):
    base = choices.rows().to_text()
    for choice in [choices.choice.astype(np.int8) if choices.choice.max() < 128 else choices.choice.astype(np.uint16), choices.choice.tolist()]:
        again = np.repeat(choices.cluster, 2)[::2]
        assert not again.flags.c_contiguous
        rows = texam.Rows(choices.X, choice, again, chosen=choices.chosen.astype(float))
        assert rows.to_text() == base


def test_a_group_with_a_name_has_the_number_that_a_text_gives_it():
    rows = texam.Rows(X, CHOICE, ["12", "12", "b3", "b3"], chosen=CHOSEN)
    text = texam.Rows.from_text("1 qid:1 # game:12\n1 qid:2 # game:b3\n")
    assert rows.cluster[[0, 2]].tolist() == text.cluster.tolist()
    assert rows.cluster[0] == 12


@pytest.mark.filterwarnings("ignore::texam.FitWarning")
@pytest.mark.parametrize("names", [["12", "12", "b", "b"], [("a", 1)] * 2 + [("b", 1)] * 2, pd.Series(list("aabb"), dtype="category")])
def test_choices_have_numbers_or_names(names):
    named, numbered = (texam.fit(X, c, chosen=CHOSEN, objective="softmax", min_support=0, holdout=None) for c in (names, CHOICE))
    assert named.weights.tolist() == numbered.weights.tolist()
    large = [2**63 + 1] * 2 + [2**63 + 2] * 2
    assert texam.Rows(X, large, chosen=CHOSEN).choice.tolist() == large


def test_rows_do_not_change_with_the_arrays_they_were_made_of():
    matrix, choice = X.copy(), np.array(CHOICE)
    rows = texam.Rows(matrix, choice, chosen=CHOSEN)
    text = rows.to_text()
    matrix[:], choice[:] = 7, 9
    rows.X.data[:] = 3
    assert rows.to_text() == text


def test_other_threads_run_during_a_fit_and_an_interrupt_ends_it():
    import _thread
    import threading

    random = np.random.default_rng(0)
    X = random.integers(-5, 6, size=(40_000, 60))
    rows = texam.Rows(X, np.arange(40_000) // 4, chosen=np.arange(40_000) % 4 == 0)
    ticks, is_done = [], threading.Event()

    def count():
        while not is_done.wait(0.001):
            ticks.append(1)

    other = threading.Thread(target=count)
    other.start()
    before = len(ticks)
    texam.fit(rows, objective="softmax", temperature=60, ridge=1, holdout=None)
    during = len(ticks) - before
    is_done.set()
    other.join()
    assert during > 0
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            texam.fit(rows, objective="softmax", temperature=60, ridge=1, holdout=None)


def test_the_columns_of_a_frame_name_the_weights(choices):
    names = ["pawn", "knight", "rook", "queen", "king"]
    frame = pd.DataFrame(choices.X, columns=names)
    options = {"objective": "softmax", "holdout": None, "temperature": 50}
    found = texam.fit(frame, choices.choice, chosen=choices.chosen, **options)
    assert found.names == names == list(found.to_frame().index)
    assert found.to_frame()["weights"].tolist() == found.weights.tolist()
    rows = texam.Rows(frame, choices.choice, chosen=choices.chosen)
    assert pickle.loads(pickle.dumps(rows)).names == names
    assert texam.fit(rows, **options).names == names
    assert texam.fit(rows, names=list("abcde"), **options).names == list("abcde")
