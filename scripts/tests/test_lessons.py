"""The results on the pages of the lessons are those that `scripts/lessons.py` makes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import load

SCRIPT = Path(__file__).parents[1] / "lessons.py"
PAGES = sorted((SCRIPT.parents[1] / "docs/lessons").glob("[0-9]*.md"))


@pytest.fixture(scope="module")
def lessons():
    return load("lessons")


def test_a_run_of_the_shortest_lesson_makes_its_page_to_the_byte():
    checked = subprocess.run([sys.executable, SCRIPT, "--check", "12"], stderr=subprocess.PIPE, text=True)
    found = [line for line in checked.stderr.splitlines() if not line.startswith("note: ")]
    assert (checked.returncode, found) == (0, [])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_headings_of_a_template_are_those_of_the_stored_result(lessons, page):
    [result] = re.findall(r"\n## Result\n.*?```text\n(.*?)```", page.read_text(), re.S)
    stored = [re.split(r" {2,}", line) for line in result.splitlines()]
    headings = [line for line in lessons.template_of(page).splitlines() if line.startswith("|") and "{" not in line]
    for heading in headings:
        assert [cell.strip() for cell in heading.strip("|").split("|")] in stored


def test_places_are_values_of_the_outputs_and_rows_are_aligned(lessons):
    outputs = [
        {"passes": [{"match": 0.38351}, {"match": 0.40444}], "name": "a", "elo": None, "changes": [{"weight": "p[de,r4].o", "to": 1.5}]},
        "a picture\n",
    ]
    template = "| pass | match |\n| {#} | {1 passes.*.match .2} |\n{1 name} {1 passes.-1.match +.2} {1 elo .1}\n{2}\n"
    assert lessons.fill(template, outputs) == "pass  match\n-----------\n0      0.38\n1      0.40\na +0.40 -\na picture\n"
    assert lessons.fill("{1 changes.(p[de,r4].o).to .2}, {1 changes.(none).to .2}", outputs) == "1.50, -\n"
    for wrong in ["{1 passes.7.match}", "{1 none}", "{2 name}", "{3}"]:
        with pytest.raises((LookupError, TypeError)):
            lessons.fill(wrong, outputs)
