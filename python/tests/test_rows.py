"""Rows go both ways between memory, text and archives of arrays."""

import doctest
import gzip

import copy
import gzip
import pickle

import numpy as np
import pytest
import scipy.sparse

import texam
from texam import _fit, _rows


@pytest.mark.parametrize("module", [_rows, _fit])
def test_the_examples_of_the_documentation_are_right(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("name", ["rows.txt", "rows.npz"])
def test_what_is_written_is_read_back(tmp_path, choices, labelled, name):
    for data in [choices, labelled]:
        value = np.where(np.arange(len(data.X)) % 3 == 0, np.nan, data.X @ data.start)
        rows = data.rows(weight=data.weight, value=value)
        rows.write(tmp_path / name)
        again = texam.Rows.read(tmp_path / name)
        assert again.to_text() == rows.to_text() and again.shape == rows.shape
        assert np.array_equal(again.X.toarray(), data.X)
        assert np.array_equal(again.label, data.chosen if data is choices else data.label)
        assert np.array_equal(again.cluster, data.cluster)
        assert np.array_equal(again.weight, data.weight)
        assert np.array_equal(again.value, value, equal_nan=True)
        assert data is labelled or np.array_equal(again.choice, data.choice)
        assert (again.choice is None) == (data is labelled)
        first = (tmp_path / name).read_bytes()
        again.write(tmp_path / name)
        assert (tmp_path / name).read_bytes() == first


def test_scipy_reads_the_matrix_of_an_archive_and_numpy_writes_one(tmp_path, choices):
    choices.rows().write(tmp_path / "rows.npz")
    assert np.array_equal(scipy.sparse.load_npz(tmp_path / "rows.npz").toarray(), choices.X)
    matrix = scipy.sparse.csr_matrix(choices.X)
    scipy.sparse.save_npz(tmp_path / "plain.npz", matrix)
    with np.load(tmp_path / "plain.npz") as archive:
        arrays = {name: archive[name] for name in archive.files}
    beside = {"choice": choices.choice, "cluster": choices.cluster, "label": choices.chosen}
    np.savez_compressed(tmp_path / "numpy.npz", **arrays, **beside)
    assert texam.Rows.read(tmp_path / "numpy.npz").to_text() == choices.rows().to_text()


def test_packed_text_is_read_by_its_content(tmp_path, choices):
    text = choices.rows().to_text().encode()
    (tmp_path / "rows").write_bytes(gzip.compress(text))
    assert texam.Rows.read(tmp_path / "rows").to_text().encode() == text


def test_fractions_are_kept():
    rows = texam.Rows.from_text("1 qid:1 1:0.3\n0 qid:1 1:0.5\n")
    assert rows.X.toarray().tolist() == [[0.3], [0.5]]


@pytest.mark.parametrize(
    "content, words",
    [
        (b"1 qid:1 1:1\nx qid:1 1:1\n", 'line 2: expected a label, a number, but found "x"'),
        (b"0.5 1:1\n0.5 qid:1 1:1\n", "line 2: expected a labelled row, which has no qid:"),
        (b"1 qid:1 \xff\n", "line 1: expected text in UTF-8, but found other bytes"),
        (b"PK\x03\x04 and no more", "not a zip file"),
        (b"\x28\xb5\x2f\xfd", "found .zst: unpack it first"),
        (b"\x1f\x8b\x08\x00", "Compressed file ended before"),
        (b"\x1f\x8b\x08\x00" + bytes(6) + b"\xff" * 20, "Error -3 while decompressing"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content, words):
    (tmp_path / "rows").write_bytes(content)
    with pytest.raises(texam.Error) as error:
        texam.Rows.read(tmp_path / "rows")
    assert str(tmp_path / "rows") in str(error.value) and words in str(error.value)
    with pytest.raises(FileNotFoundError):
        texam.Rows.read(tmp_path / "none")


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"label": None}, "expected an array label, but found"),
        ({"format": np.array(b"csc")}, "expected the format csr, but found b'csc'"),
        ({"choice": np.array([1, 1])}, "expected choice with 2475 elements"),
        ({"indices": np.array([object()])}, "Object arrays cannot be loaded"),
        ({"format": np.array([b"csr", b"csr"])}, "can only convert an array of size 1"),
        ({"shape": np.array([-1, 5])}, "expected a shape of rows and columns, but found [-1, 5]"),
        ({"shape": np.array(["a", "b"])}, "expected shape to be an array of whole numbers"),
        ({"shape": np.array([2475])}, "expected a shape of rows and columns, but found ["),
    ],
)
def test_an_archive_that_lacks_something_is_named(tmp_path, choices, changed, words):
    choices.rows().write(tmp_path / "rows.npz")
    with np.load(tmp_path / "rows.npz") as archive:
        arrays = {**{name: archive[name] for name in archive.files}, **changed}
    np.savez(tmp_path / "bad.npz", **{name: array for name, array in arrays.items() if array is not None})
    words = words.replace("2475", str(len(choices.X)))
    with pytest.raises(texam.Error) as error:
        texam.Rows.read(tmp_path / "bad.npz")
    assert words in str(error.value)


def test_a_phase_in_a_text_divides_the_counts_of_pairs():
    rows = texam.Rows.from_text("0.5 phase:0.25 1+:2 3:1\n")
    assert rows.X.toarray().tolist() == [[1.5, 0.5, 1.0]]
    with pytest.raises(texam.Error, match="phase: before the count"):
        texam.Rows.from_text("0.5 1+:2 3:1\n")


def test_clusters_that_some_rows_lack_are_kept_in_text_alone(tmp_path):
    rows = texam.Rows.from_text("1 qid:1 1:1 # game:4\n1 qid:2 1:1\n")
    assert "# game:4" in rows.to_text()
    with pytest.raises(texam.Error, match="row 1: expected a cluster in every row or in none, but found none"):
        rows.write(tmp_path / "rows.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path, choices, monkeypatch):
    path = tmp_path / "rows.txt"
    path.write_text("old")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        choices.rows().write(path)
    assert [file.name for file in tmp_path.iterdir()] == ["rows.txt"] and path.read_text() == "old"


def test_weights_are_read_as_they_are_written(tmp_path, choices):
    found = texam.fit(choices.rows(), start=choices.start, objective="pairs", names=list("abcde"), tune=np.arange(5) > 0, holdout=None)
    found.write_weights(tmp_path / "a.csv")
    again = texam.read_weights(tmp_path / "a.csv")
    assert again["names"] == list("abcde") and again["start"].tolist() == found.weights.tolist()
    assert again["tune"].tolist() == [False, True, True, True, True]
    assert again["prior"].tolist() == found.prior.tolist()
    (tmp_path / "a.csv").write_text("name,value,tune\na,x,true\n")
    with pytest.raises(texam.Error, match="a.csv: line 2: expected name, value, and true or false"):
        texam.read_weights(tmp_path / "a.csv")


def test_a_fit_shows_its_weights_as_a_table(choices):
    found = texam.fit(choices.rows(), start=choices.start, objective="pairs", names=list("abcde"), tune=np.arange(5) > 0, holdout=None)
    lines = str(found).splitlines()
    assert lines[0].split() == ["weight", "start", "fitted", "s.e.", "held", "positions", "games"]
    assert [line.split()[0] for line in lines[1:5]] == list("bcde")


def test_rows_and_fits_go_through_pickle_and_copies_are_themselves(choices, labelled):
    for rows, objective in ((choices.rows(weight=choices.weight), "softmax"), (labelled.rows(), "logistic")):
        again = pickle.loads(pickle.dumps(rows))
        assert again.to_text() == rows.to_text() and again.shape == rows.shape
        assert copy.copy(rows) is rows and copy.deepcopy(rows) is rows
        found = texam.fit(rows, objective=objective, temperature=60, min_support=0)
        assert pickle.loads(pickle.dumps(found)).weights.tolist() == found.weights.tolist()


def test_games_that_occur_twice_are_warned_of(choices):
    number = choices.choice.max() + 1
    doubled = texam.Rows(
        np.vstack([choices.X] * 2),
        np.concatenate([choices.choice, choices.choice + number]),
        np.concatenate([choices.cluster, choices.cluster + number]),
        chosen=np.concatenate([choices.chosen] * 2),
    )
    options = {"objective": "softmax", "temperature": 50, "holdout": None}
    games = choices.cluster.max()
    with pytest.warns(texam.FitWarning, match=f"{games} games have the same rows as an earlier one, 0 held out"):
        texam.fit(doubled, **options)
