"""What the pages show is what happens."""

import contextlib
import io
import re
import subprocess

import pytest
from conftest import ROOT

BLOCK = re.compile(r"^```(python|text|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    return BLOCK.findall((ROOT / page).read_text())


def printed(code):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), {})
    return output.getvalue()


def test_the_first_example_prints_what_the_readme_shows():
    (_, code), (_, output) = blocks("python/README.md")[:2]
    assert printed(code) == output


@pytest.mark.filterwarnings("ignore::texam.FitWarning")
def test_the_guide_fits_what_the_command_fits(tmp_path, texam_command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install, rows, code, command, estimator, search = [text for _, text in blocks("docs/PYTHON.md")]
    assert install == "pip install ./python\n"

    def run(lines):
        for line in lines.splitlines():
            words = [texam_command, *line.split()[1:], *(["--overwrite"] if " rows " in line else [])]
            made = subprocess.run(words, capture_output=True, text=True, timeout=120)
            assert made.returncode == 0, made.stderr

    run(rows)
    assert "b_pair.o" in printed(code)
    with pytest.importorskip("sklearn").config_context():
        assert printed(estimator + search).startswith("[[ 0.96 -0.51]] [0.05 0.05] 0.618\n{'ridge': 1} objective softmax, ")
    run(command)
    assert (tmp_path / "fitted.csv").read_bytes() == (tmp_path / "stats/run-001-01.csv").read_bytes()
