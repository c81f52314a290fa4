"""evening.py with the engine of examples/foreign: two turns, a stop in the middle, and engines that misbehave.

    cargo build --release --examples
    pip install chess
    python -m pytest examples/tests
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent
TEXAM = Path(os.environ.get("TEXAM", EXAMPLES.parent / "target/release/texam"))
ENGINE = str(TEXAM.parent / "examples" / "foreign")
SMALL = {"every": 20, "per_game": 20, "nodes": 60, "self_play": 30, "match": 12, "turns": 2, "seconds": 20, "texam": str(TEXAM)}


def start(folder, **settings):
    """Starts an evening in a folder, with the engine of the examples unless told otherwise."""
    if not (folder / "start.csv").exists():
        (folder / "start.csv").write_text(subprocess.run([ENGINE, "start"], capture_output=True, text=True, check=True).stdout)
    given = {"weights": "start.csv", "rows": [ENGINE, "rows", "{positions}", "{weights}"], "play": [ENGINE, "uci", "{weights}"]}
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in (given | SMALL | settings).items()]
    (folder / "evening.toml").write_text("".join(lines))
    command = [sys.executable, EXAMPLES / "evening.py", folder / "evening.toml"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(folder, **settings):
    process = start(folder, **settings)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def games(folder, name):
    path = folder / "evening" / name
    return path.read_text().count("[Event ") if path.exists() else 0


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a folder with 'quotes' and blanks")
    status, out, err = run(folder)
    assert status == 0, out + err
    return folder, out


def test_two_turns_gain_by_the_loss_on_games_held_out(evening):
    folder, out = evening
    record = json.loads((folder / "evening/fit-1.json").read_text())
    last = record["passes"][1]
    assert last["loss_change"] + 3 * last["loss_change_se"] < 0, last
    assert out.count("turn 1: ") == 1 and out.count("turn 2: ") == 1
    assert games(folder, "match-1.pgn") == 12 and games(folder, "self-2.pgn") == 30
    values = [line.split(",")[1] for line in (folder / "evening/fitted-1.csv").read_text().splitlines()[1:]]
    assert float(values[0]) == 128 and all(float(value).is_integer() for value in values), values
    assert f"the weights: {folder / 'evening/turn-2.csv'}" in out


def test_a_second_start_prints_the_same_and_plays_no_game(evening):
    folder, out = evening
    times = {path.name: path.stat().st_mtime_ns for path in (folder / "evening").glob("*.pgn") if not path.name.startswith("games")}
    status, again, _ = run(folder)
    turns = [[line for line in text.splitlines() if line.startswith("turn ")] for text in (out, again)]
    assert status == 0 and turns[0] == turns[1]
    assert "games to play" not in again
    assert all((folder / "evening" / name).stat().st_mtime_ns == time for name, time in times.items())
    assert "begun with other settings" in run(folder, nodes=70)[2]


def test_more_games_than_openings_are_refused(evening, tmp_path):
    shutil.copytree(evening[0] / "evening", tmp_path / "evening")
    (tmp_path / "evening/settings.json").unlink()
    status, _, err = run(tmp_path, match=4000)
    assert status == 1 and "match-1.pgn: 2000 openings are needed, but there are " in err, err


def test_a_stop_loses_no_game_and_changes_no_weight(evening, tmp_path):
    folder, _ = evening
    process = start(tmp_path)
    while games(tmp_path, "self-2.pgn") < 5:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0 and "the same command goes on" in err
    kept = games(tmp_path, "self-2.pgn")
    text = (tmp_path / "evening/self-2.pgn").read_text()
    status, out, err = run(tmp_path)
    assert status == 0 and f"{30 - kept} of 30 games to play" in out, out + err
    assert (tmp_path / "evening/self-2.pgn").read_text().startswith(text)
    for name in ("turn-1.csv", "games-2.pgn", "fitted-2.csv"):
        assert (tmp_path / "evening" / name).read_bytes() == (folder / "evening" / name).read_bytes(), name


@pytest.mark.parametrize(("fault", "message"), [("hang", "no answer"), ("die", "engine process died"), ("illegal", "illegal")])
def test_an_engine_that_misbehaves_is_named_and_its_games_before_count(evening, tmp_path, fault, message):
    shutil.copytree(evening[0] / "evening", tmp_path / "evening")
    (tmp_path / "evening/settings.json").unlink()
    match = tmp_path / "evening/match-1.pgn"
    kept = match.read_text().split("\n\n[Event ")[0] + "\n\n"
    match.write_text(kept)
    (tmp_path / "fault").write_text(fault)
    unruly = {"play": [sys.executable, str(EXAMPLES / "tests/unruly_engine.py"), str(tmp_path / "fault"), ENGINE, "uci", "{weights}"]}
    status, _, err = run(tmp_path, **unruly, seconds=1, turns=1)
    assert status == 1 and "match-1.pgn: the engine with" in err and message in err, err
    assert match.read_text().startswith(kept)
    (tmp_path / "fault").write_text("")
    (tmp_path / "evening/settings.json").unlink()
    status, out, err = run(tmp_path, **unruly, turns=1)
    assert status == 0 and match.read_text().startswith(kept) and games(tmp_path, "match-1.pgn") == 12, out + err


def test_rows_that_are_wrong_stop_the_evening_and_are_printed_anew(evening, tmp_path):
    code = "import re, sys; print(re.sub(r' value:\\S+', ' value:9999', open(sys.argv[1]).read(), count=1))"
    shutil.copytree(evening[0] / "evening", tmp_path / "evening")
    (tmp_path / "evening/settings.json").unlink()
    shutil.copyfile(tmp_path / "evening/rows-1.txt", tmp_path / "right.txt")
    (tmp_path / "evening/fit-1-01.csv").unlink()
    status, _, err = run(tmp_path, rows=[sys.executable, "-c", code, str(tmp_path / "right.txt"), "{positions}", "{weights}"], turns=1)
    assert status == 1 and "rows-1.txt: line 2: " in err and "9999" in err, err
    (tmp_path / "evening/settings.json").unlink()
    status, out, err = run(tmp_path, turns=1)
    assert status == 0 and (tmp_path / "evening/rows-1.txt").read_bytes() == (tmp_path / "right.txt").read_bytes(), out + err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": [ENGINE, "rows", "{positions}"]}, "the words {positions} and {weights}"),
        ({"play": ["no-such-engine"]}, "play: no program no-such-engine"),
        ({"nodes": "many"}, "nodes = 'many': expected"),
        ({"nodse": 100}, "nodse = 100: expected one of these keys"),
    ],
)
def test_settings_that_are_wrong_are_named(tmp_path, settings, message):
    status, _, err = run(tmp_path, **settings)
    assert status == 1 and message in err, err
