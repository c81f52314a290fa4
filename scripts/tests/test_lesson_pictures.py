"""The pictures of the lessons are those of the results on their pages."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/lesson_pictures.py"


def test_each_picture_of_a_lesson_is_drawn_from_its_stored_result(tmp_path):
    subprocess.run([sys.executable, SCRIPT, tmp_path], check=True)
    drawn = sorted(tmp_path.iterdir())
    pages = "".join(page.read_text() for page in (ROOT / "docs/lessons").glob("[0-9]*.md"))
    for picture in drawn:
        assert picture.read_text() == (ROOT / "docs/pictures" / picture.name).read_text(), picture.name
        assert f"../pictures/{picture.name}" in pages, picture.name


def test_every_lesson_shows_a_picture():
    for page in (ROOT / "docs/lessons").glob("[0-9]*.md"):
        assert "](../pictures/" in page.read_text(), page.name
