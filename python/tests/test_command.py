"""A fit gives the same bytes as the command on the same rows."""

import subprocess
import warnings

import numpy as np
import pytest

import texam

CASES = [
    ("softmax", {}),
    ("softmax", {"ridge": "auto", "inner": 8}),
    ("softmax", {"ridge": 30, "ridge_to": "start", "holdout": None, "temperature": 75.5}),
    ("pairs", {"inner": 6, "holdout": "1/7"}),
    ("force", {"ridge": 10}),
    ("force", {"force": "rank", "strength": 100, "balance": "ahead", "variance": False, "holdout": None}),
    ("force", {"scale": 16.5, "errors": False, "threads": 1}),
    ("logistic", {}),
    ("logistic", {"loss": "squared", "min_support": 3, "iterations": 0}),
    ("logistic", {"loss": "squared", "ridge": 0.25, "holdout": "1/3"}),
]


def run(command, *arguments, folder=None):
    return subprocess.run([command, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


def arguments(options):
    """The options as the command takes them."""
    words = {"None": "none", "True": "on", "False": "off"}
    for name, value in options.items():
        yield from (f"--{name.replace('_', '-')}", words.get(str(value), str(value)))


@pytest.mark.parametrize("clustered", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("objective, options", CASES)
def test_the_table_of_a_fit_is_that_of_the_command(
    tmp_path, texam_command, choices, labelled, objective, options, clustered, weighted
):
    data = labelled if objective == "logistic" else choices
    beside = {"weight": data.weight} if weighted else {}
    if not clustered and objective == "logistic":
        rows = texam.Rows(data.X, label=data.label, **beside)
    elif not clustered:
        rows = texam.Rows(data.X, data.choice, chosen=data.chosen, **beside)
    else:
        rows = data.rows(**beside)
    rows.write(tmp_path / "rows.txt")
    # Fractions of 1/256 and a prior of its own, and one weight that is not tuned.
    start = data.start + 1 / 3
    lines = [
        f"w{at},{value!r},{'false' if at == 3 else 'true'},{value + at!r}" for at, value in enumerate(start.tolist())
    ]
    (tmp_path / "weights.csv").write_text("name,value,tune,prior\n" + "\n".join(lines) + "\n")
    line = ["fit", "--choices", "rows.txt", "--weights", "weights.csv", "--objective", objective, *arguments(options)]
    made = run(texam_command, *line, "--out", "out", "--name", "a", folder=tmp_path)
    assert (tmp_path / "out/a-00.csv").is_file(), made.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", texam.FitWarning)
        found = texam.fit(rows, **texam.read_weights(tmp_path / "weights.csv"), objective=objective, **options)
    found.write_weights(tmp_path / "ours.csv")
    last = "00" if options.get("iterations") == 0 else "01"
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / f"out/a-{last}.csv").read_bytes()
    if last == "01":
        is_infinite = found.ridge == float("inf")
        assert (found.weights[0] == start[0]) == is_infinite and found.weights[3] == start[3]
    for text in found.warnings:
        assert of_games(text) in made.stdout + made.stderr
    said = [text for text in ["worse on", "no clear difference", "rows hardly", "without end"] if text in made.stdout]
    assert all(any(text in warning for warning in found.warnings) for text in said)


def of_games(text):
    """A warning of the package in the words of the command."""
    text = text.replace("chosen rows", "played moves").split(": do all rows")[0]
    return text.replace("rows not fitted", "games not fitted").replace("fit more rows", "fit more games")


def test_a_fit_that_is_of_no_use_is_warned_of_in_the_words_of_the_command(tmp_path, texam_command):
    random = np.random.default_rng(11)
    X, choice = random.integers(-9, 10, size=(240, 8)), np.arange(240) // 4
    chosen = np.arange(240) % 4 == 0
    with pytest.warns(texam.FitWarning) as warned:
        found = texam.fit(X, choice, chosen=chosen, objective="softmax", ridge=0, start=np.full(8, 0.25), holdout="1/3", temperature=40)
    rows = texam.Rows(X, choice, chosen=chosen)
    rows.write(tmp_path / "rows.txt")
    (tmp_path / "weights.csv").write_text("name,value,tune\n" + "".join(f"w{at},0.25,true\n" for at in range(8)))
    line = "fit --choices rows.txt --weights weights.csv --objective softmax --ridge 0 --holdout 1/3 --temperature 40 --out out"
    made = run(texam_command, *line.split(), folder=tmp_path)
    texts = [str(warning.message) for warning in warned]
    assert texts == found.warnings and made.returncode == 1
    assert any(text == "worse on rows not fitted: do not use these weights" for text in texts)
    assert all(of_games(text) in made.stdout for text in texts)


def test_rows_of_the_command_are_read(tmp_path, texam_command):
    made = run(texam_command, *f"rows --depth 1 --every 200 -o {tmp_path}/choices.txt".split())
    assert made.returncode == 0, made.stderr
    names = texam.read_weights(tmp_path / "weights.csv")["names"]
    rows = texam.Rows.read(tmp_path / "choices.txt", columns=len(names))
    assert rows.shape[0] > 1000 and rows.shape[1] == len(names)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"ridge": -1}, 'option ridge: expected a number from 0 to 1e12, or auto, but found "-1"'),
        ({"min_support": -2}, 'option min_support: expected a whole number, 0 or more, but found "-2"'),
        ({"force": "linear"}, "option force: expected none with objective softmax, because it belongs to force, but found linear"),
        ({"objective": "sofmax"}, 'option objective: expected one of force, softmax, pairs, logistic, but found "sofmax"'),
    ],
)
def test_wrong_options_are_refused_in_the_words_of_the_command(tmp_path, texam_command, choices, options, words):
    options = {"objective": "softmax", **options}
    with pytest.raises(texam.Error) as error:
        texam.fit(choices.rows(), **options)
    assert str(error.value) == words
    choices.rows().write(tmp_path / "rows.txt")
    (tmp_path / "weights.csv").write_text("name,value,tune\n" + "".join(f"w{at},1,true\n" for at in range(5)))
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    made = run(texam_command, "fit", "--choices", "rows.txt", "--weights", "weights.csv", "--out", ".", *given, folder=tmp_path)
    assert made.returncode == 2
    told = words.split(": ", 1)[1].split(", but found")[0].removeprefix("expected ")
    assert told in made.stderr, made.stderr
