"""docs/BY-HAND.md: the page, its program in Python and texam give the same numbers."""

import csv
import importlib.util
import json
import math
import re
import shlex
import sys

import pytest
from test_examples import ROOT, TEXAM, run

PAGE = (ROOT / "docs/BY-HAND.md").read_text()
FOLDER = ROOT / "examples/by_hand"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def printed():
    """The weights that the program prints, as text."""
    output = run(sys.executable, FOLDER / "fit.py")
    return output, [line.split()[-2:] for line in output.splitlines()]


def test_texam_and_the_program_in_python_agree_to_a_millionth(tmp_path):
    options = shlex.split(re.search(r"^ROWS='(.*)'$", PAGE, re.M)[1])
    commands = re.findall(r"^\$ texam fit \$ROWS (.*) --name (.*)$", PAGE, re.M)
    expected = dict(zip(["squares", "ridge", "softmax"], printed()[1]), identity=["10.00000000", "-4.00000000"])
    assert sorted(name for _, name in commands) == sorted(expected)
    for more, name in commands:
        run(TEXAM, "fit", *options, *more.split(), "--out", tmp_path, "--name", name)
        with open(tmp_path / f"{name}-01.csv") as table:
            found = [float(line["value"]) for line in csv.DictReader(table)]
        assert found == pytest.approx([float(number) for number in expected[name]], abs=1e-6), name


def test_the_page_shows_the_rows_the_program_and_its_output():
    program = (FOLDER / "fit.py").read_text()
    assert blocks("rows") == [(FOLDER / "rows.txt").read_text()]
    shown = [part for block in blocks("python") for part in block.split("\n\n\n")]
    assert len(shown) == 4 and all(part.strip() in program for part in shown)
    output, numbers = printed()
    assert f"$ python3 examples/by_hand/fit.py\n{output}" in PAGE
    for number in numbers[0] + numbers[1]:
        assert f" = {number}" in PAGE, number


@pytest.fixture
def fit():
    """The program as a module."""
    spec = importlib.util.spec_from_file_location("by_hand", FOLDER / "fit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_sums_of_the_text_are_those_of_the_program(fit):
    solved = []
    fit.solve = lambda *sums: solved.append(sums) or (0, 0)
    fit.least_squares(0), fit.least_squares(10), fit.softmax_step(1, 10)
    free, ridge, (xx, xy, yy, gx, gy) = solved
    assert free == (9, 1, 5, 32, -76) and "| sum | 9 | 1 | 5 | 32 | -76 |" in PAGE
    assert ridge == (19, 1, 15, 132, -116) and "19 a + b &= 132 \\\\\na + 15 b &= -116" in PAGE
    assert rf"{xx:.4f} \, \Delta a + {xy:.4f} \, \Delta b &= {gx:.3f}" in PAGE
    assert rf"{xy:.4f} \, \Delta a + {yy:.4f} \, \Delta b &= {gy:.3f}" in PAGE


def test_losses_are_those_of_the_text(fit):
    def loss(a, b):
        powers = [[math.exp((a * x + b * y) / 10) for x, y in rows] for rows in fit.choices.values()]
        return -sum(math.log(position[0] / sum(position)) for position in powers)

    def squares(a, b):
        targets = [float(target) for target in re.findall(r"^\| [123] \| (?:played)? ?\|.*\| (\S+) \|$", PAGE, re.M)]
        rows = [row for position in fit.choices.values() for row in position]
        assert len(targets) == len(rows) == 8
        return sum((a * x + b * y - target) ** 2 for (x, y), target in zip(rows, targets))

    before, after = loss(10, -4), loss(*fit.softmax_step(1, 10))
    assert f"The loss falls from\n{before:.3f} to {after:.3f}." in PAGE
    assert f"from {squares(10, -4):.0f} at the old weights to {squares(*fit.least_squares(0)):.1f}," in PAGE


def test_more_steps_lower_the_loss_with_its_ridge_and_raise_the_printed_one(fit, tmp_path):
    options = shlex.split(re.search(r"^ROWS='(.*)'$", PAGE, re.M)[1])
    names = ["--objective", "softmax", "--temperature", "10", "--ridge", "1", "--out", tmp_path, "--json"]
    losses, with_ridge = [], []
    for steps in (1, 20):
        found = json.loads(run(TEXAM, "fit", *options, *names, "--inner", steps, "--name", f"steps{steps}"))
        with open(tmp_path / f"steps{steps}-01.csv") as table:
            a, b = (float(line["value"]) for line in csv.DictReader(table))
        losses.append(found["passes"][1]["loss"])
        with_ridge.append(3 * losses[-1] + ((a - 10) ** 2 + (b + 4) ** 2) / 200)
    assert f"and arrives at {a:.3f} and {b:.3f}\n" in PAGE
    assert "The printed loss is then {1:.3f}, more than the {0:.3f} after one step.".format(*losses) in PAGE
    added = with_ridge[0] - 3 * losses[0]
    words = "which adds $(4.519^2 + 9.571^2)/(2 T^2) = {:.3f}$ to {:.3f} after one step, the loss of all three then falls from {:.3f} to {:.3f}."
    assert words.format(added, 3 * losses[0], *with_ridge) in " ".join(PAGE.split())


def test_without_a_ridge_each_step_leads_further_out(fit):
    page, points = (ROOT / "docs/EQUATIONS.md").read_text(), []
    for _ in range(10):
        fit.a, fit.b = fit.softmax_step(0, 10)
        points.append("$({:.1f}, {:.1f})$".format(fit.a, fit.b))
        assert fit.a > 0 and fit.b < -fit.a
    first, second, fifth, tenth = (points[number - 1] for number in (1, 2, 5, 10))
    assert f"leads to {first}, the second to\n{second}, the fifth to {fifth} and the tenth to {tenth}." in page
