"""The data of a run are read as they are written."""

import shutil

import numpy as np
import pytest
from conftest import ROOT

import texam

RUN = ROOT / "stats/gm1988.stat"


def test_a_run_is_read_by_column():
    found = texam.read_stat(RUN)
    assert found["header"]["positions"] == [28160, 3193] and found["header"]["options"]["depth"] == "3"
    assert (found["best"], found["last"], found["stopped"]) == (7, 15, "iterations")
    passes, weights = found["passes"], found["weights"]
    assert passes["number"].tolist() == list(range(16))
    assert passes["match"] == pytest.approx(passes["fitted matched"] / passes["fitted choices"])
    assert passes["fit rank"][1:].max() == 155 and np.isnan(passes["fit rank"][0]) and "fit" not in passes
    assert passes["rank_errors"][15].shape == (15,)
    assert len(weights["weight"]) == 155 and weights["values"][0].shape == (len(found["value_passes"]),)
    assert weights["to"] - weights["from"] == pytest.approx(weights["change"])
    assert np.isnan(found["frozen"]["support"]).any()


def test_tables_are_frames_where_they_are_asked_for():
    pandas = pytest.importorskip("pandas")
    found = texam.read_stat(RUN, as_frame=True)
    assert isinstance(found["passes"], pandas.DataFrame)
    assert found["weights"].set_index("weight").loc["b_pair.o", "from"] == 32


def test_data_that_are_missing_cut_off_or_changed_are_refused(tmp_path):
    path = tmp_path / "run.stat"
    shutil.copy(RUN, path)
    with pytest.raises(FileNotFoundError, match="run.json"):
        texam.read_stat(path)
    whole = RUN.with_suffix(".json").read_text()
    for text in ["", whole[:-90], whole.replace("868", "869", 1)]:
        path.with_suffix(".json").write_text(text)
        with pytest.raises(texam.Error, match="run.json: expected the data of a run, but found a file that was cut off or changed"):
            texam.read_stat(path)
