"""The examples in Python, run on small inputs, and what FOREIGN.md says of other programs that read rows.

    cargo build --release
    pip install -r examples/requirements.txt
    python -m pytest examples/tests

TEXAM names the program if it is not target/release/texam.
"""

import csv
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import fake_engine
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent
ROOT = EXAMPLES.parent
TEXAM = os.environ.get("TEXAM", ROOT / "target/release/texam")
FAKE = shlex.join([sys.executable, str(EXAMPLES / "tests/fake_engine.py")])
POSITIONS = ["--depth", "1", "--phase", "none", "--threshold", "none"]


def run(*args, fails=False):
    output = subprocess.run([str(arg) for arg in args], capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert (output.returncode != 0) == fails, output.stdout + output.stderr
    return output.stderr if fails else output.stdout


def rows_of_texam(folder, *args):
    path = folder / "choices.txt"
    run(TEXAM, "rows", "games/gm1988.pgn", *args, "-o", path)
    return path


def probe(*args, engine=FAKE, fails=False):
    return run(sys.executable, EXAMPLES / "probe.py", "--engine", engine, *args, fails=fails)


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    """Positions in which an engine with other weights has chosen the move, with noise; and these weights."""
    path = rows_of_texam(tmp_path_factory.mktemp("positions"), "--every", "60", *POSITIONS)
    planted, temperature, noise = [9, 8, 5], 60, random.Random(1)
    choices = {}
    for line in path.read_text().splitlines()[1:]:
        query, remark = re.search(r"qid:(\d+)", line)[1], line.split("# ")[1]
        choices.setdefault(query, []).append(remark)
    lines = ["# texam-choices 1"]
    for query, remarks in choices.items():
        squares, is_white = fake_engine.parse(remarks[0].split(" fen ")[1])
        sign = 1 if is_white else -1

        def drawn(remark):
            value = sign * fake_engine.evaluate(fake_engine.play(squares, remark.split()[1]), planted)
            return value - temperature * math.log(-math.log(noise.random()))

        values = [drawn(remark) for remark in remarks]
        for remark, value in zip(remarks, values):
            lines.append(f"{int(value == max(values))} qid:{query} # {remark}")
    path.write_text("\n".join(lines) + "\n")
    return path, planted


def test_weights_that_decided_the_moves_come_back_from_an_engine_that_is_asked_by_differences(positions, tmp_path):
    path, planted = positions
    start = tmp_path / "start.csv"
    command = shlex.join([sys.executable, "examples/probe.py", "--engine", FAKE, "--positions", str(path), "--step", "1"])
    start.write_text(probe("--start", *fake_engine.OPTIONS))
    assert start.read_text() == "name,value,tune\nKnight_Centre,4,true\nPawn_Advance,3,true\nMobility,2,true\nrest,1,false\n"
    options = ["--objective", "softmax", "--temperature", "60", "--iterations", "4", "--ridge", "1", "--holdout", "none"]
    names = ["--out", tmp_path, "--name", "run"]
    run(TEXAM, "fit", "--choices-from", f"{command} {{weights}}", "--weights", start, *options, *names)
    with open(tmp_path / "run-04.csv") as table:
        found = [float(line["value"]) for line in csv.DictReader(table)]
    errors = re.findall(r"^(?:Knight_Centre|Pawn_Advance|Mobility) .* (\S+) +\d+ +\d+ +\S+$", (tmp_path / "run.stat").read_text(), re.M)
    assert len(errors) == 3 and found[3] == 1
    # The option is a whole number, and the evaluation is curved in the last one.
    for value, error, expected in zip(found, errors, planted):
        assert abs(value - expected) < 3 * float(error) + 0.5, (found, errors)


def test_rows_of_an_engine_by_differences_add_up_to_its_values(positions, tmp_path):
    path, _ = positions
    weights = tmp_path / "weights.csv"
    weights.write_text("name,value,tune\nKnight_Centre,5.2,true\nPawn_Advance,100,true\nMobility,4,true\nrest,1,false\n")
    rows = probe(weights, "--positions", path, "--step", "Mobility=2").splitlines()
    assert len(rows) == len(path.read_text().splitlines())
    squares = None
    for row, source in zip(rows[1:200], path.read_text().splitlines()[1:]):
        if " fen " in source:
            squares, is_white = fake_engine.parse(source.split(" fen ")[1])
        move = row.split()[-1]
        counts = {int(column): float(count) for column, count in re.findall(r" (\d+):(\S+)", row.split("#")[0])}
        value = sum(counts.get(column, 0) * weight for column, weight in enumerate([5, 100, 4, 1], 1))
        change = [fake_engine.evaluate(of, [5, 100, 4]) for of in (fake_engine.play(squares, move), squares)]
        assert abs(value - (change[0] - change[1]) * (1 if is_white else -1)) < 0.01, row


@pytest.mark.parametrize(
    "engine, args, part",
    [
        ("/no/such/engine", [], "cannot start the engine"),
        ("sleep 60", [], "expected 'uciok' within 1 seconds, but found nothing; is it a UCI engine?"),
        ("true", [], "expected 'uciok', but the engine ended after nothing"),
        (FAKE + " mute", [], "expected a line that matches"),
        (FAKE, ["--value", "Total: (.*)"], "the answer to 'eval' is\n  eval "),
        (FAKE, ["--step", "Foo=3"], "expected a numeric option 'Foo', but the engine has Knight_Centre, Pawn_Advance, Mobility"),
        (FAKE, ["--step", "0"], "--step 0: expected a whole number above 0"),
        (FAKE, ["--positions", "README.md"], "README.md, line 2: expected a row of texam rows"),
        (FAKE, ["--positions", "none.txt"], "none.txt: cannot open the file"),
    ],
)
def test_what_is_wrong_with_an_engine_is_said(positions, tmp_path, engine, args, part):
    weights = tmp_path / "weights.csv"
    weights.write_text("name,value,tune\nMobility,2,true\nrest,1,false\n")
    assert part in probe("--positions", positions[0], "--timeout", "1", *args, weights, engine=engine, fails=True)
    weights.write_text("name,value,tune\nMobility,200,true\nrest,1,false\n")
    assert "expected 'Mobility' from 0 to 100" in probe("--positions", positions[0], weights, fails=True)


@pytest.mark.parametrize("engine, timeout", [(FAKE + " stubborn", 9), ("sleep 60", 1), ("sleep 60", 60)])
def test_an_engine_that_does_not_quit_is_ended(tmp_path, engine, timeout):
    note, script = tmp_path / "pid", tmp_path / "engine.sh"
    script.write_text(f"#!/bin/sh\necho $$ > {note}\nexec {engine}\n")
    script.chmod(0o755)
    command = [sys.executable, EXAMPLES / "probe.py", "--engine", script, "--start", "Mobility", "--timeout", str(timeout)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if timeout == 60:
            while not note.exists() or not note.read_text():
                time.sleep(0.05)
            process.terminate()
        process.communicate(timeout=30)
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_scikit_learn_reads_rows_and_rankers_take_its_arrays(tmp_path):
    choices = rows_of_texam(tmp_path, "--depth", "1", "--every", "40")
    shown = run(sys.executable, EXAMPLES / "rank.py", choices)
    rates = [float(rate) for rate in re.findall(r" (0\.\d{4})", shown)]
    assert [line.split(",")[0] for line in shown.splitlines()] == ["LightGBM", "XGBoost", "scikit-learn"]
    assert all(0.15 < rate < 0.6 for rate in rates) and len(rates) == 3, shown


def test_lightgbm_reads_no_remarks_and_no_qid_and_xgboost_both_with_a_warning(tmp_path):
    import lightgbm
    import xgboost

    choices = rows_of_texam(tmp_path, "--depth", "1", "--every", "200")
    text = choices.read_text()
    rows = len(text.splitlines()) - 1
    with pytest.warns(UserWarning, match="deprecated"):
        matrix = xgboost.DMatrix(f"{choices}?format=libsvm")
    assert matrix.num_row() == rows and len(matrix.get_uint_info("group_ptr")) == 1 + text.count(" fen ")
    with pytest.raises(lightgbm.basic.LightGBMError):
        lightgbm.Dataset(str(choices)).construct()

    plain, groups = tmp_path / "plain.txt", tmp_path / "plain.txt.query"
    with open(plain, "w") as out:
        subprocess.run(["sed", "/^#/d; s/ qid:[0-9]*//; s/ #.*//", choices], stdout=out, check=True)
    sizes = Counter(re.findall(r" (qid:\d+) ", text))
    groups.write_text("".join(f"{size}\n" for size in sizes.values()))
    data = lightgbm.Dataset(str(plain), params={"verbose": -1}).construct()
    assert data.num_data() == rows and len(data.get_group()) == text.count(" fen ")


def test_labelled_positions_become_rows_that_a_fit_reads(tmp_path):
    fens = re.findall(r" fen (.*)", rows_of_texam(tmp_path, "--every", "60", *POSITIONS).read_text())
    positions = tmp_path / "positions.epd"
    results = (int(sum(fake_engine.counts(fake_engine.parse(fen)[0])[:1]) > 0) for fen in fens)
    positions.write_text("".join(f"{fen} [{result}]\n" for fen, result in zip(fens, results)))
    run(sys.executable, EXAMPLES / "epd_rows.py", positions, tmp_path / "rows.txt", tmp_path / "weights.csv")
    options = ["--objective", "logistic", "--min-support", "1", "--holdout", "none", "--name", "run", "--json"]
    files = ["--choices", tmp_path / "rows.txt", "--weights", tmp_path / "weights.csv", "--out", tmp_path]
    fit = json.loads(run(TEXAM, "fit", *files, *options))
    assert fit["passes"][1]["loss"] < 0.9 * fit["passes"][0]["loss"]
    positions.write_text("nonsense\n")
    args = [positions, tmp_path / "rows.txt", tmp_path / "weights.csv"]
    assert "line 1: expected FEN [result]" in run(sys.executable, EXAMPLES / "epd_rows.py", *args, fails=True)
