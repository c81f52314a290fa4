"""The figure "other games" of docs/ERRORS.md: its stored numbers, and what it shows after drags, against a computation of its own."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import load
from pages import act

ROOT = Path(__file__).parents[2]
TEXT = " ".join((ROOT / "docs/ERRORS.md").read_text(encoding="utf-8").split())
SCRIPT = ROOT / "scripts/other_games.py"
DRAWS, SEED = 100, 1988
FIGURE = '[data-figure="other-games"]'
# What the figure shows: its sentence, the counts above the bars and their heights by pass, and the points of
# the curve in front.
SHOWN = f"""
const shown = () => ({{
  sentence: one('{FIGURE} [role="status"]').textContent,
  counts: all('{FIGURE} rect').map((bar) => [Number(bar.dataset.pass), Number(bar.nextElementSibling.textContent), Number(bar.getAttribute("height"))]),
  curve: one('{FIGURE} polyline.line').getAttribute("points").split(" ").map((point) => point.split(",").map(Number)),
  earlier: all('{FIGURE} polyline.grid').length,
  marks: all('{FIGURE} circle').map((mark) => Number(mark.getAttribute("cx"))),
  legend: all('{FIGURE} svg text').map((text) => text.textContent).filter((text) => text.includes(":")),
  draws: one('{FIGURE} output').textContent,
}});
const input = one('{FIGURE} input');
const button = one('{FIGURE} button');
"""


@pytest.fixture(scope="module")
def page(book_in_browser):
    return book_in_browser / "ERRORS.html"


@pytest.fixture(scope="module")
def passes():
    """For each pass, positions, matches and twice the ranks of each held-out game."""
    best_pass = load("best_pass")
    return best_pass.held_out(ROOT / "stats/gm1988.games")


def choices(passes, games):
    """The best pass and that of the lowest mean rank. Both sides of the rule are squared whole numbers, without rounding."""
    positions = sum(passes[0][game][0] for game in games)
    totals = [sum(of[game][2] for game in games) for of in passes]
    lowest = totals.index(min(totals))
    for number, of in enumerate(passes):
        apart = totals[number] - totals[lowest]
        by_game = [(of[game][2] - passes[lowest][game][2]) * positions - of[game][0] * apart for game in games]
        if (apart * positions) ** 2 <= sum(distance**2 for distance in by_game):
            return number, lowest
    raise AssertionError("the pass of the lowest mean rank is within any error")


def drawn(count):
    """The draws of the figure, by the generator that it states."""
    number = SEED
    for _ in range(DRAWS):
        games = []
        for _ in range(count):
            number = number * 48271 % (2**31 - 1)
            games.append(number * count // (2**31 - 1))
        yield games


def mean_ranks(passes, games):
    positions = sum(passes[0][game][0] for game in games)
    return [sum(of[game][2] for game in games) / 2 / positions for of in passes]


def above_the_lowest(curve, ranks):
    """The mean ranks that the points of a curve stand for, by the heights of its highest and its lowest point."""
    heights = [y for _, y in curve]
    low, high = max(heights), min(heights)
    return [(low - y) / (low - high) * (max(ranks) - min(ranks)) for y in heights]


def test_numbers_and_picture_are_what_their_script_makes():
    made = subprocess.run([sys.executable, "-B", SCRIPT, "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    assert (ROOT / "docs/figures/other-games.json").stat().st_size < 30_000


def test_the_figure_begins_with_the_games_as_they_are_and_the_numbers_of_the_text(page, passes):
    seen = act(page, SHOWN + "return shown();")
    ranks, (best, lowest) = mean_ranks(passes, range(len(passes[0]))), choices(passes, range(len(passes[0])))
    assert (best, lowest) == (7, 11)
    assert f"pass {lowest} has the lowest mean rank, {ranks[lowest]:.4f}. Pass {best} has {ranks[best]:.4f}:" in seen["sentence"]
    # The page says the same in its own words.
    assert f"pass {lowest} has the lowest mean rank, {ranks[lowest]:.4f}. Pass {best} has {ranks[best]:.4f}:" in TEXT
    difference = re.search(r"the difference is \d\.\d{4} \+- \d\.\d{4}, so pass 7 is the best", seen["sentence"])[0]
    assert difference in TEXT
    rates = [sum(game[1] for game in of) / sum(game[0] for game in of) for of in passes]
    assert f"The highest match is {max(rates):.4f}, of pass {rates.index(max(rates))}." in seen["sentence"]
    assert above_the_lowest(seen["curve"], ranks) == pytest.approx([rank - min(ranks) for rank in ranks], abs=5e-4)
    assert seen["marks"] == pytest.approx([seen["curve"][best][0], seen["curve"][lowest][0]], abs=0.1)
    assert seen["legend"] == [f"best pass: {best}", f"lowest mean rank: pass {lowest}"]
    assert (seen["counts"], seen["earlier"], seen["draws"]) == ([], 0, "0 of 100")


@pytest.mark.parametrize("width, dark", [(1280, False), (390, True)])
def test_a_drag_to_a_hundred_counts_the_best_passes_of_a_hundred_draws(page, passes, width, dark):
    script = "drag(input, 100); await wait(100); return { ...shown(), disabled: button.disabled, wide: page.document.documentElement.scrollWidth };"
    seen = act(page, SHOWN + script, width, dark)
    draws = list(drawn(len(passes[0])))
    expected = Counter(choices(passes, games)[0] for games in draws)
    counts = {number: count for number, count, _ in seen["counts"]}
    assert sum(counts.values()) == DRAWS and counts == dict(expected)
    heights = [height / count for _, count, height in seen["counts"]]
    assert heights == pytest.approx([heights[0]] * len(heights))
    (best, lowest), ranks = choices(passes, draws[-1]), mean_ranks(passes, draws[-1])
    assert seen["sentence"].startswith(f"Draw 100: pass {lowest} has the lowest mean rank, {ranks[lowest]:.4f}.")
    assert seen["legend"] == [f"best pass: {best}", f"lowest mean rank: pass {lowest}"]
    assert above_the_lowest(seen["curve"], ranks) == pytest.approx([rank - min(ranks) for rank in ranks], abs=1e-3)
    assert (seen["earlier"], seen["disabled"]) == (DRAWS, True)
    assert seen["wide"] <= width


def test_every_draw_names_the_pass_that_the_rule_chooses(page, passes):
    """The slider goes through all draws, and the button makes one step."""
    steps = "const seen = []; for (let draw = 1; draw <= 100; draw++) { drag(input, draw); seen.push(shown().sentence); }"
    back = "drag(input, 0); const first = shown(); button.click(); button.click();"
    seen = act(page, f"{SHOWN}{steps}{back} return {{ seen, first, two: shown(), value: input.value }};")
    for sentence, games in zip(seen["seen"], drawn(len(passes[0]))):
        best, lowest = choices(passes, games)
        assert re.search(r"pass (\d+) has the lowest", sentence)[1] == str(lowest)
        named = re.search(r"so pass (\d+) is the best", sentence)
        assert named[1] == str(best) if named else best == lowest and "so it is the best pass" in sentence, sentence
    assert len(seen["seen"]) == DRAWS
    assert seen["first"]["sentence"].startswith("The games as they are") and seen["first"]["counts"] == []
    assert seen["two"]["sentence"] == seen["seen"][1] and (seen["value"], seen["two"]["draws"]) == ("2", "2 of 100")
    first_two = Counter(choices(passes, games)[0] for games in list(drawn(len(passes[0])))[:2])
    assert {number: count for number, count, _ in seen["two"]["counts"]} == dict(first_two)


def test_the_drawing_has_a_role_and_a_label(page):
    script = f"""const svg = one('{FIGURE} svg'); drag(one('{FIGURE} input'), 3);
    return [svg.getAttribute("role"), svg.getAttribute("aria-label"), one('{FIGURE} input').getAttribute("aria-label"), all('{FIGURE} img').length];"""
    role, label, slider, pictures = act(page, script)
    assert (role, slider, pictures) == ("img", "Draws", 0) and "in 3 draws of games" in label
