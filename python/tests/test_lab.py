"""The notebook examples/lab.ipynb runs, and prints what is stored in it. UPDATE_LAB=1 stores what it prints now."""

import os

import pytest
from conftest import ROOT

LAB = ROOT / "examples/lab.ipynb"


def texts(notebook):
    """What each cell prints, without pictures."""
    outputs = [cell.get("outputs", []) for cell in notebook.cells]
    return ["".join(output.get("text", "") for output in cell) for cell in outputs]


@pytest.mark.filterwarnings("default")
def test_the_notebook_of_the_lab_prints_what_is_stored_in_it(texam_command, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("TEXAM", texam_command)
    stored = nbformat.read(LAB, as_version=4)
    ran = nbformat.read(LAB, as_version=4)
    nbclient.NotebookClient(ran, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(LAB.parent)}}).execute()
    if os.environ.get("UPDATE_LAB"):
        for cell in ran.cells:
            cell.metadata.pop("execution", None)
            # Pictures differ from one version of matplotlib to the next.
            if "outputs" in cell:
                cell.outputs = [output for output in cell.outputs if output.output_type == "stream"]
        nbformat.write(ran, LAB)
        stored = ran
    assert any(texts(stored)) and texts(ran) == texts(stored)
