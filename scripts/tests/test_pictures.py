"""The pictures of the report show the words of today's report."""

import subprocess
from pathlib import Path

from conftest import load

ROOT = Path(__file__).parents[2]


def test_the_words_of_the_pictured_report_are_those_of_the_program(tmp_path):
    pictures = load("pictures")
    report = tmp_path / "gm1988.html"
    subprocess.run([pictures.TEXAM, "report", ROOT / "stats/gm1988.stat", "-o", report, "--positions", "0"], check=True)
    assert pictures.words(report) == (ROOT / "docs/pictures/report.txt").read_text(encoding="utf-8"), "scripts/pictures.py makes them anew"
