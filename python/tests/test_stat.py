"""The record of a run is read as it is written."""

import re

import numpy as np
import pytest
from conftest import ROOT

import texam

STAT = ROOT / "stats/gm1988.stat"


def test_every_section_of_a_run_is_read():
    lines = STAT.read_text().splitlines()
    found = texam.read_stat(STAT)
    titles = [line[1:-1] for line in lines if line.startswith("[")]
    assert set(found) == {"header", "best", "last", *titles}
    assert found["header"]["positions"] == "28160 3193"
    best, last = re.search(r"^best (\d+), last (\d+)$", STAT.read_text(), re.MULTILINE).groups()
    assert (found["best"], found["last"]) == (int(best), int(last))
    passes, counts = found["iterations"], found["counts"]
    assert passes["pass"].tolist() == list(range(int(last) + 1))
    fitted = counts["games"] == "fitted"
    assert passes["match"] == pytest.approx(counts["matched"][fitted] / counts["positions"][fitted], abs=5e-5)
    assert passes["held-out s.e."].min() > 0 and np.isnan(passes["change"][0])
    triangle = found["errors of differences in mean rank"]
    assert np.isfinite(triangle["0"]).all() and np.isnan(triangle["2"][:2]).all()
    frozen = lines[lines.index("[frozen]") + 2 :]
    assert len(found["frozen"]) == len(frozen) and set(found["frozen"].values()) >= {"not tuned"}


def test_sections_are_frames_where_they_are_asked_for():
    pandas = pytest.importorskip("pandas")
    found = texam.read_stat(STAT, as_frame=True)
    assert isinstance(found["weights"], pandas.DataFrame)
    assert found["weights"].set_index("weight").loc["b_pair.o", "pass-0"] == 32


def test_names_in_quotes_are_read_back_and_other_files_are_refused(tmp_path):
    path = tmp_path / "run.stat"
    path.write_text('texam-stat 2\n[weights]\nweight pass-0\n"rook\\x20open" 1\n"caf\\xc3\\xa9\\\\" -\n')
    weights = texam.read_stat(path)["weights"]
    assert weights["weight"].tolist() == ["rook open", "café\\"]
    assert weights["pass-0"][0] == 1 and np.isnan(weights["pass-0"][1])
    path.write_text("texam-stat 2\n[weights]\nweight pass-0\na 1 2\n")
    with pytest.raises(texam.Error, match="run.stat, line 4: expected 2 columns, but found 3"):
        texam.read_stat(path)
    path.write_text("texam-stat 1\n")
    with pytest.raises(texam.Error, match="run.stat: expected the format texam-stat 2, but found 'texam-stat 1'"):
        texam.read_stat(path)
