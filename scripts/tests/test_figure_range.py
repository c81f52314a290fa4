"""The figure `range` of docs/HISTORY.md, a model of the shrinking range, against the same model in Python."""

import math
import re
from pathlib import Path

import pytest
from pages import act

ROOT = Path(__file__).parents[2]
TRUE = (6, 4, 10)
FITS = 15
# Positions of the slider and the sizes that they stand for.
SIZES = {-8: 0.25, 0: 1, 8: 4}
WORDS = ["without", "with"]


def choices():
    """300 choices, the played move first: rows of counts from -4 to 4, from a linear congruential generator."""
    state = 1988

    def draw(size):
        nonlocal state
        state = (1664525 * state + 1013904223) & 0xFFFFFFFF
        return (state / 2**31 - 1) * size

    def move():
        counts = [draw(4) for _ in TRUE]
        return sum(weight * count for weight, count in zip(TRUE, counts)) + draw(20), counts

    for _ in range(300):
        moves = [move() for _ in range(4)]
        best = max(moves)
        yield [best[1]] + [counts for worth, counts in moves if worth != best[0]]


def fitted(rows, weights):
    """The weights with the least squares over rows of counts and targets; the third is frozen, and its share is subtracted."""
    free = [(x, y, target - weights[2] * z) for (x, y, z), target in rows]
    xx, xy, yy = sum(x * x for x, _, _ in free), sum(x * y for x, y, _ in free), sum(y * y for _, y, _ in free)
    vx, vy = sum(x * v for x, _, v in free), sum(y * v for _, y, v in free)
    second = (vy - vx * xy / xx) / (yy - xy * xy / xx)
    return [(vx - xy * second) / xx, second, weights[2]]


def run(made, size, compensated):
    """Spread and share of played moves behind, in percent, of each pass, as METHOD.md defines force, balance and compensation."""
    weights = [TRUE[0] * size, TRUE[1] * size, TRUE[2]]
    passes = []
    for _ in range(FITS + 1):
        values = [[sum(w * c for w, c in zip(weights, counts)) for counts in moves] for moves in made]
        means = [sum(own) / 4 for own in values]
        spread = math.sqrt(sum((v - mean) ** 2 for own, mean in zip(values, means) for v in own) / (3 * len(made)))
        passes.append((spread, 100 * sum(max(own[1:]) > own[0] for own in values) / len(made)))
        c = min(0.25, max(-0.25, passes[0][0] / spread - 1)) if compensated else 0
        rows = []
        for moves, own, mean in zip(made, values, means):
            force = 64 * max(0, max(own[1:]) - own[0]) / 32
            forces = [force, -force / 3, -force / 3, -force / 3]
            rows += [(counts, v + f + c * (v - mean)) for counts, v, f in zip(moves, own, forces)]
        weights = fitted(rows, weights)
    return passes


@pytest.fixture(scope="module")
def runs():
    """The passes without compensation and with it, by the size of the start."""
    made = list(choices())
    return {size: [run(made, size, compensated) for compensated in (False, True)] for size in SIZES.values()}


@pytest.fixture(scope="module")
def page(book_in_browser):
    return book_in_browser / "HISTORY.html"


LOOK = """
const figure = one("[data-figure=range]"), input = figure.querySelector("input");
const look = () => ({
  said: figure.querySelector("output").textContent,
  lines: [...figure.querySelectorAll("div.first, div.second")].map((line) => line.textContent),
  labels: [...figure.querySelectorAll("svg[role=img]")].map((svg) => svg.getAttribute("aria-label")),
  curves: [...figure.querySelectorAll("polyline")].map((curve) => curve.getAttribute("points")),
  ticks: [...figure.querySelectorAll("svg")].map((svg) => [...svg.querySelectorAll("line.grid")].map((line) =>
    [Number(line.nextSibling.textContent), Number(line.getAttribute("y1")), Number(line.getAttribute("x1")), Number(line.getAttribute("x2"))])),
});
"""


@pytest.fixture(scope="module")
def seen(page):
    """What the figure shows at first, and after a drag to each position."""
    script = LOOK + f"const found = [look()]; for (const at of {list(SIZES)}) {{ drag(input, at); found.push(look()); }} return found;"
    first, *dragged = act(page, script)
    return first, dict(zip(SIZES.values(), dragged))


def test_after_a_drag_the_numbers_are_those_of_the_model(seen, runs):
    for size, shown in seen[1].items():
        assert shown["said"] == f"{size:.2f} times"
        for at, passes in enumerate(runs[size]):
            (spread, behind), (last_spread, last_behind) = passes[0], passes[FITS]
            text = f"{WORDS[at]} compensation: spread {spread:.1f} to {last_spread:.1f}, behind {behind:.1f} % to {last_behind:.1f} %"
            assert shown["lines"][at] == text
            assert f"from {spread:.1f} to {last_spread:.1f} {WORDS[at]} compensation" in shown["labels"][0]
            assert f"from {behind:.1f} to {last_behind:.1f} {WORDS[at]} compensation" in shown["labels"][1]


def test_the_curves_are_those_of_the_model(seen, runs):
    """Read with the labelled lines of the grid."""
    for size, shown in seen[1].items():
        assert len(shown["curves"]) == 4
        for number, curve in enumerate(shown["curves"]):
            panel, at = divmod(number, 2)
            (low, low_y, left, right), *_, (high, high_y, _, _) = shown["ticks"][panel]
            points = [tuple(map(float, point.split(","))) for point in curve.split()]
            assert len(points) == FITS + 1
            for fits, (x, y) in enumerate(points):
                assert x == pytest.approx(left + (right - left) * fits / FITS, abs=0.1)
                value = low + (y - low_y) / (high_y - low_y) * (high - low)
                assert value == pytest.approx(runs[size][at][fits][panel], abs=0.06 * (high - low) / abs(high_y - low_y))
                assert low <= value <= high


def test_the_spread_falls_from_a_large_start_and_rises_from_a_small_one_and_compensation_holds_both_back(runs):
    for size, sign in ((4, -1), (0.25, 1)):
        without, with_it = ([spread for spread, _ in passes] for passes in runs[size])
        assert all(sign * (later - earlier) > 0 for earlier, later in zip(without, without[1:]))
        assert sign * (without[-1] - with_it[-1]) > 1 and sign * (with_it[-1] - with_it[0]) > 1


def test_the_page_names_the_numbers_of_the_model(runs):
    page = " ".join((ROOT / "docs/HISTORY.md").read_text().split())
    [named] = re.findall(r"falls from ([\d.]+) to ([\d.]+) units if .*? at 4 times .*?, and rises from ([\d.]+) to ([\d.]+) if", page)
    assert list(named) == [f"{runs[size][0][at][0]:.1f}" for size in (4, 0.25) for at in (0, FITS)]


def test_the_figure_starts_at_four_times_and_moves_with_the_keyboard_and_fits_a_phone(seen, page):
    assert seen[0] == seen[1][4]
    script = LOOK + """
        const link = figure.querySelector("a");
        return [input.type, input.getAttribute("aria-valuetext"), link.href, figure.scrollWidth <= figure.clientWidth,
                figure.querySelectorAll("img").length, page.getComputedStyle(figure.querySelector("polyline")).stroke];
    """
    found = [act(page, script, width, dark) for width, dark in ((390, True), (1280, False))]
    for kind, text, link, fits, pictures, _ in found:
        assert (kind, text, fits, pictures) == ("range", "4.00 times", True, 0)
        assert link.endswith("/lessons/06-spread.html#result")
    assert found[0][-1] != found[1][-1]
