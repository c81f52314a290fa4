"""docs/STORY.md: its tables, its numbers and its pictures are those of the stored results. Nothing is computed anew."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import load

SCRIPT = Path(__file__).parents[1] / "story.py"


@pytest.fixture(scope="module")
def story():
    return load("story")


@pytest.fixture
def stored(story):
    return story.stored()


def test_the_page_and_the_pictures_of_the_story_are_those_of_its_results():
    checked = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_an_altered_number_of_a_table_is_found(story, stored):
    page, pictures, chapters = stored
    for row in re.findall(r"^\| .*\d\.\d.* \|$", page, re.M):
        number = re.search(r"\d+\.\d+", row)[0]
        altered = row.replace(number, number[:-1] + str((int(number[-1]) + 1) % 10))
        found = story.problems(page.replace(row, altered), pictures, chapters)
        assert len(found) == 1 and repr(altered) in found[0]


def test_a_number_of_the_text_that_was_not_measured_is_found(story, stored):
    page, pictures, chapters = stored
    paragraphs = re.findall(r"^\*\*Measured\.\*\*.*?(?=\n\n)", page, re.M | re.S)
    assert len(paragraphs) == len(chapters)
    for paragraph in paragraphs:
        altered = paragraph + " It is 98765.4."
        assert "98765.4" in "".join(story.problems(page.replace(paragraph, altered), pictures, chapters))


def test_an_altered_result_is_found_in_the_page_and_in_the_picture(story, stored):
    page, pictures, chapters = stored
    chapters[-1]["opponent"]["elo"] += 10
    found = "\n".join(story.problems(page, pictures, chapters))
    assert "9. attack" in found and "9-attack.svg" in found and "2-squares.svg" not in found


@pytest.mark.parametrize("name", ["start", "tables", "best"])
def test_endgame_weights_become_those_of_the_opening(story, tmp_path, name):
    copied = tmp_path / "copied.par"
    story.copy_opening_to_endgame(story.ROOT / f"params/{name}.par", copied)
    lines = [line.split("#")[0].split() for line in copied.read_text().split("# 7 registers")[0].split("# 6 king")[0].splitlines()]
    lines += [line.split("#")[0].split() for line in copied.read_text().split("# 7 registers")[1].splitlines()]
    blocks, part, count = {"open": [], "end": [], "tune": []}, None, 0
    for words in filter(None, lines):
        if words[0] in blocks:
            part = words[0]
            if part == "open":
                blocks["open"], blocks["end"] = [], []
        elif words[-1] in ("tune", "frozen") and len(words) == 4 + (words[1] == "gradient"):
            assert words[-2] in (words[-3], "-"), words
            count += 1
        elif part and len(words) == 5:
            blocks[part].append(words)
            if part == "end":
                assert words == blocks["open"][len(blocks["end"]) - 1], words
                count += 4
    assert count > 60
