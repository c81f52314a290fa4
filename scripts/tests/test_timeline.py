"""The time line in the pages is what its script draws."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_time_line_is_what_its_script_draws():
    spec = importlib.util.spec_from_file_location("timeline", ROOT / "scripts/timeline.py")
    timeline = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(timeline)
    shown = (ROOT / "docs/pictures/timeline.svg").read_text(encoding="utf-8")
    assert timeline.drawing() == shown, "scripts/timeline.py makes it anew"
