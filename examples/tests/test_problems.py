"""docs/PROBLEMS.md: the solutions print what the page shows, and find what was hidden."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from test_examples import EXAMPLES, ROOT, TEXAM

PAGE = ROOT / "docs/PROBLEMS.md"
PROBLEMS = EXAMPLES / "problems"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which `python3` and `texam` are those of the test, and the solutions where the page has them."""
    folder = tmp_path_factory.mktemp("problems")
    shutil.copytree(PROBLEMS, folder / "examples/problems", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "games").symlink_to(ROOT / "games")
    (folder / "bin").mkdir()
    (folder / "bin/python3").symlink_to(sys.executable)
    (folder / "bin/texam").symlink_to(os.path.abspath(TEXAM))
    return folder


def shell(folder, line):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    settings = dict(os.environ, PATH=path, P="examples/problems", PYTHONDONTWRITEBYTECODE="1")
    output = subprocess.run(["sh", "-c", line], cwd=folder, env=settings, capture_output=True, text=True, timeout=300)
    # 1 is the exit code of a fit with a warning.
    assert output.returncode <= 1, output.stderr
    return output.stdout


def without_times(text):
    return [re.sub(r" +[0-9.]+s\b", " TIME", line).rstrip() for line in text.rstrip().splitlines()]


def test_every_output_of_the_page_is_what_its_command_prints(folder):
    page = PAGE.read_text()
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", page, re.M)
    assert len(commands) >= 19
    for command, shown in commands:
        output = shell(folder, command)
        if shown.strip() != "...":
            assert without_times(output) == without_times(shown), command


@pytest.mark.parametrize("number", [1, 17, 30])
def test_another_wrong_sign_is_found_too(folder, number):
    shell(folder, "test -e other.txt || texam rows --every 300 -o other.txt --overwrite")
    shell(folder, f"python3 $P/spoil.py other.txt weights.csv {number} > broken.txt")
    found = shell(folder, "python3 $P/sign.py broken.txt weights.csv")
    names = re.findall(r"the sign of (\S+) is wrong", found)
    assert len(names) == 1 and found.endswith("in positions with Black to move\n"), found


def test_games_that_are_apart_show_no_leak(folder):
    shell(folder, "test -e some.txt || texam rows --every 40 --depth 1 --phase none --threshold none -o some.txt --overwrite")
    assert shell(folder, "grep 'game:[0-9]*[13579] ' some.txt > odd.txt; grep 'game:[0-9]*[02468] ' some.txt > even.txt; python3 $P/leak.py odd.txt even.txt") == ""


def test_the_skeleton_counts_material_only():
    sys.path.insert(0, str(PROBLEMS))
    import toy_skeleton

    squares, _ = toy_skeleton.parse("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
    assert toy_skeleton.counts(squares) == [100, 0, 0, 0]


def test_matches_are_drawn_from_outcomes_with_the_mean_of_the_difference():
    sys.path.insert(0, str(PROBLEMS))
    import power

    for difference in (5, 50):
        mean, deviation = power.moments(power.outcomes(difference))
        assert abs(mean - power.score(difference)) < 1e-9 and 0.32 < deviation < 0.34
    # Without a difference one match in forty is beyond the limit.
    seen = power.matches_that_see(0, 200, 4000)
    assert 60 < len(seen) < 140 and min(seen) > 25


def test_the_rule_of_the_plan_says_better_of_an_interval_above_zero_and_equal_only_within_the_margin():
    sys.path.insert(0, str(PROBLEMS))
    import plan

    assert plan.verdict(1, 90) == "better" and plan.verdict(-90, -1) == "worse"
    assert plan.verdict(-39, 39) == "equal" and plan.verdict(-39, 41) == "undecided"


def test_ten_weights_are_all_that_the_new_set_changes(folder):
    """The sets that the commands of the page have left."""
    base, changed = folder / "base.par", folder / "ten.par"
    pairs = zip(base.read_text().splitlines(), changed.read_text().splitlines())
    words = [(a, b) for old, new in pairs if old != new for a, b in zip(old.split(), new.split()) if a != b]
    assert len(words) == 10 and all(float(a) != float(b) for a, b in words)
