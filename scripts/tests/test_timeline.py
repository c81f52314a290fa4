"""The time line in the pages is what its script draws."""

from pathlib import Path

from conftest import load

ROOT = Path(__file__).resolve().parents[2]


def test_the_time_line_is_what_its_script_draws():
    timeline = load("timeline")
    shown = (ROOT / "docs/pictures/timeline.svg").read_text(encoding="utf-8")
    assert timeline.drawing() == shown, "scripts/timeline.py makes it anew"
