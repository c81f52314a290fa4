"""docs/ERRORS.md: the limit for many comparisons, and what the choice of the best pass owes to chance."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import load

SCRIPTS = Path(__file__).parents[1]
PAGE = (SCRIPTS.parent / "docs/ERRORS.md").read_text()


@pytest.fixture(scope="module")
def comparisons():
    return load("comparisons")


@pytest.fixture(scope="module")
def best_pass():
    return load("best_pass")


@pytest.mark.parametrize("line", re.findall(r"^\$ scripts/((?:comparisons|best_pass)\.py.*)$", PAGE, re.M))
def test_each_output_of_the_page_is_what_its_script_prints(line):
    name, *options = line.split()
    printed = subprocess.run([sys.executable, SCRIPTS / name, *options], capture_output=True, text=True, check=True).stdout
    assert f"$ scripts/{line}\n{printed}```" in PAGE


# Two-sided limits of printed tables.
@pytest.mark.parametrize("degrees, probability, distance", [(1, 0.05, 12.706), (2, 0.05, 4.303), (4, 0.01, 4.604), (9, 0.05, 2.262), (9, 0.01, 3.250), (30, 0.05, 2.042)])
def test_limits_of_student_are_those_of_the_tables(comparisons, degrees, probability, distance):
    assert comparisons.limit(comparisons.student(degrees), probability) == pytest.approx(distance, abs=5e-4)


def test_changes_are_divided_by_the_last_error_of_the_run(comparisons):
    weights = [{"change": change, "se_run": error} for change, error in [(-6, 2), (3, None), (1, 4)]]
    assert comparisons.distances({"header": {"options": {"groups": "5"}}, "weights": weights}) == ([3.0, 0.25], 5)


def test_the_rules_choose_the_passes_that_the_page_names(best_pass):
    passes = best_pass.held_out(SCRIPTS.parent / "stats/gm1988.games")
    assert best_pass.lowest_rank(passes) == 11
    assert (best_pass.earliest_within_error(passes), best_pass.earliest_within_error(passes, paired=False)) == (7, 3)
    assert f"0.0119 +- {best_pass.rank_error(passes[7], passes[11]) / 2:.4f}" in PAGE
    assert f"Here it would be {best_pass.rank_error(None, passes[11]) / 2:.3f}," in PAGE


def test_a_choice_among_equal_passes_promises_a_gain_and_keeps_none(best_pass):
    chance, promised, kept = random.Random(3), 0, 0
    options = type("Options", (), {"choose": 20, "splits": 20})
    for _ in range(20):
        passes = [[(10, 4, chance.randrange(40, 80)) for _ in range(40)] for _ in range(10)]
        found = best_pass.gains(passes, options)[best_pass.LOWEST]
        promised, kept = promised + found[0], kept + found[1]
    assert promised / 20 > 0.1 and abs(kept) < promised / 4
