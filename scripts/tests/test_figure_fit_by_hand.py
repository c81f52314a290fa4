"""The figure of docs/BY-HAND.md with a ridge to drag: its numbers against the text and against sums that are computed here."""

import functools
import math
import re
from pathlib import Path

import pytest
from pages import act

ROOT = Path(__file__).parents[2]
LAST = 51
RIDGES = [0.0] + [float(f"{10 ** ((step - 21) / 10):.2g}") for step in range(1, LAST + 1)]
PRESENT = (10, -4)
# What the figure shows after a drag: lines of text, the rows of the table, and the parts of the plane that
# move.
SEE = """
const place = () => one('[data-figure="fit-by-hand"]');
const [squares, softmax] = all('[data-figure="fit-by-hand"] button');
const input = one('[data-figure="fit-by-hand"] input');
const numbers = (item, ...names) => names.map((name) => Number(item.getAttribute(name)));
const see = () => {
  const plane = place().querySelector("svg");
  const moving = plane.querySelector("g:last-of-type");
  return {
    ridge: place().querySelector("output").textContent,
    lines: [...place().querySelectorAll("svg + div > div")].map((line) => line.textContent),
    rows: [...place().querySelectorAll("tr")].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)),
    label: plane.getAttribute("aria-label"), role: plane.getAttribute("role"),
    ticks: [...plane.querySelectorAll("g:first-of-type text")].map((text) => [text.textContent, ...numbers(text, "x", "y")]),
    path: plane.querySelector("g path.second").getAttribute("d"),
    fixed: [...plane.querySelectorAll('g path.first[opacity]')].map((curve) => curve.getAttribute("d")),
    curve: moving.querySelector("path.first")?.getAttribute("d"),
    dots: [...moving.querySelectorAll("circle.second")].map((dot) => numbers(dot, "cx", "cy")),
    circle: [...moving.querySelectorAll("circle.line")].map((circle) => numbers(circle, "cx", "cy", "r")),
  };
};
"""


@pytest.fixture(scope="module")
def page(book_in_browser):
    return book_in_browser / "BY-HAND.html"


@pytest.fixture(scope="module")
def seen(page):
    """What is shown at first, and after drags to all ridges by both methods."""
    script = SEE + f"""
    const first = see(), found = {{ first, squares: [], softmax: [] }};
    for (let step = 0; step <= {LAST}; step++) {{ drag(input, step); found.squares.push(see()); }}
    softmax.click();
    for (let step = 0; step <= {LAST}; step++) {{ drag(input, step); found.softmax.push(see()); }}
    squares.click();
    found.back = see();
    return found;"""
    return act(page, script)


@pytest.fixture(scope="module")
def text():
    return (ROOT / "docs/BY-HAND.md").read_text()


def numbers(words):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-\d+)?", words.replace("\u2212", "-"))]


def weights(state):
    """The fitted weights, the last ones that the text beside the plane names."""
    return tuple(numbers([line for line in state["lines"] if "a = " in line][-1].partition(":")[2]))


def points(path):
    return [tuple(map(float, pair)) for pair in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]


@functools.cache
def games():
    """The counts of the moves of each game, the played move first, from the file that the page gives to texam."""
    found = {}
    for line in (ROOT / "examples/by_hand/rows.txt").read_text().splitlines():
        counts = dict(part.split(":") for part in line.split("#")[0].split()[1:])
        found.setdefault(counts["qid"], []).append((float(counts.get("1", 0)), float(counts.get("2", 0))))
    return list(found.values())


def distance(place, line):
    """How far a place is from a line through points."""
    least = math.inf
    for (x, y), (to_x, to_y) in zip(line, line[1:]):
        dx, dy = to_x - x, to_y - y
        part = ((place[0] - x) * dx + (place[1] - y) * dy) / (dx * dx + dy * dy or 1)
        part = min(1, max(0, part))
        least = min(least, math.dist(place, (x + part * dx, y + part * dy)))
    return least


def value(at, counts):
    return at[0] * counts[0] + at[1] * counts[1]


@functools.cache
def targets():
    """The moves with their targets."""
    found = []
    for moves in games():
        values = [value(PRESENT, move) for move in moves]
        force = 2 * max(0, max(values[1:]) - values[0])
        lowered = [other - force / (len(moves) - 1) for other in values[1:]]
        found += zip(moves, [values[0] + force, *lowered])
    return found


def squares(at):
    return sum((value(at, move) - target) ** 2 for move, target in targets())


def loss(at):
    return sum(math.log(sum(math.exp((value(at, move) - value(at, moves[0])) / 10) for move in moves)) for moves in games())


def penalised(error, ridge, at):
    scale = 1 if error is squares else 1 / 200
    return error(at) + scale * ridge * ((at[0] - PRESENT[0]) ** 2 + (at[1] - PRESENT[1]) ** 2)


def plane(state):
    """The function from a place of the picture to weights, by the labels of the axes."""
    ticks = [(numbers(word)[0], x, y) for word, x, y in state["ticks"] if re.fullmatch(r"\u2212?\d+", word)]
    across = [(number, x) for number, x, y in ticks if y == 371]
    down = [(number, y - 4) for number, x, y in ticks if x == 39]
    axes = [(labels[0], labels[-1]) for labels in (across, down)]

    def weights_at(place):
        return tuple(low + (at - first) * (high - low) / (last - first) for ((low, first), (high, last)), at in zip(axes, place))

    return weights_at


def test_it_starts_with_the_ridge_of_the_text_and_comes_back_to_it(seen, text):
    first = seen["first"]
    assert first["ridge"] == "R = 10" and first == seen["squares"][31]
    assert seen["back"] == seen["squares"][LAST]
    assert [numbers(state["ridge"]) for state in seen["squares"]] == [[ridge] for ridge in RIDGES]
    assert first["role"] == "img" and "a = 7.3803, b = \u22128.2254" in first["label"]


def test_least_squares_without_a_ridge_and_with_one_of_10_are_those_of_the_text(seen, text):
    without = re.search(r"\\frac\{236\}\{44\} = ([\d.]+).*?\\frac\{-716\}\{44\} = (-[\d.]+)", text, re.S)
    ten = re.search(r"a = 2096/284 = ([\d.]+)\$ and\s+\$b = -2336/284 = (-[\d.]+)\$", text)
    for step, found in [(0, without), (31, ten)]:
        assert weights(seen["squares"][step]) == tuple(round(float(number), 4) for number in found.groups())
    for step, head in [(0, "So the equations are"), (31, "With $R = 10$:")]:
        block = text[text.index(head) :]
        rows = re.search(r"aligned\}\n(.+?) &= (\S+) .*\n(.+?) &= (\S+)\n", block).groups()
        shown = [line.replace("\u2212", "-") for line in seen["squares"][step]["lines"][1:3]]
        assert shown == [f"{rows[0]} = {rows[1]}", f"{rows[2]} = {rows[3]}"]
    fallen, rest = re.search(r"sum of squares has fallen from (\d+) at the old weights to ([\d.]+),", text).groups()
    assert numbers(seen["squares"][0]["lines"][-1]) == [float(rest)] * 2
    assert squares(PRESENT) == float(fallen)


def test_the_values_without_a_ridge_are_those_of_the_table(seen, text):
    table = text[text.index("| game | played | alternatives | ahead? |") :].split("\n\n")[0].splitlines()[2:]
    expected = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    assert [[cell.replace("\u2212", "-") for cell in row] for row in seen["squares"][0]["rows"]] == expected


def test_softmax_with_a_ridge_of_1_is_that_of_the_text(seen, text):
    state = seen["softmax"][21]
    fit = re.search(r"arrives at (\S+) and (-\S+)", text).groups()
    assert [round(number, 3) for number in weights(state)] == [float(number) for number in fit]
    first = re.search(r"So \$a = (\S+?)\$ and \$b = (-\S+?)\$, not far", text).groups()
    assert [round(number, 3) for number in numbers(state["lines"][3])[1:]] == [float(number) for number in first]
    rows = re.findall(r"^(\S+) \\, \\Delta a \+ (\S+) \\, \\Delta b &= (\S+)", text, re.M)
    assert [numbers(line) for line in state["lines"][1:3]] == [[float(number) for number in row] for row in rows]
    lowest = re.search(r"the loss of all three then falls from \S+ to (\S+)\.\s", text)[1]
    assert numbers(state["lines"][5])[1] == float(lowest)


def test_every_fit_is_the_lowest_point(seen):
    """The errors are convex. So their lowest point is within a circle on which they are higher than in the middle."""
    around = [(math.cos(turn * math.pi / 12) / 1000, math.sin(turn * math.pi / 12) / 1000) for turn in range(24)]
    for name, error in [("squares", squares), ("softmax", loss)]:
        for ridge, state in zip(RIDGES, seen[name]):
            if name == "softmax" and ridge == 0:
                continue
            a, b = weights(state)
            least = penalised(error, ridge, (a, b))
            assert all(penalised(error, ridge, (a + da, b + db)) > least for da, db in around), (name, ridge)
            assert numbers(state["lines"][-1]) == pytest.approx([error((a, b)), least], rel=1e-3), (name, ridge)


def test_the_moves_ahead_are_those_of_the_weights(seen, text):
    counted = []
    for state in seen["squares"] + seen["softmax"]:
        for moves, row in zip(games(), state["rows"]):
            played, *others = [value(weights(state), move) for move in moves]
            assert row[3] == ("yes" if played > max(others) else "no")
            assert numbers(row[1] + " " + row[2]) == pytest.approx([played, *others], abs=0.006)
        counted.append(sum(row[3] == "yes" for row in state["rows"]))
    limit = float(re.search(r"beyond\s+\$R = ([\d.]+)\$ the played moves of games 1 and 3 are behind", text)[1])
    assert [ahead == 3 for ahead in counted[: LAST + 1]] == [ridge < limit for ridge in RIDGES]
    assert limit == round(3 + math.sqrt(89), 1), "where a + b = 0"


def test_the_curve_of_equal_error_touches_the_circle_at_the_fit(seen):
    for name, error in [("squares", squares), ("softmax", loss)]:
        for ridge, state in zip(RIDGES, seen[name]):
            if ridge == 0:
                continue
            [dot], [(x, y, radius)] = state["dots"], state["circle"]
            weights_at = plane(state)
            assert weights_at(dot) == pytest.approx(weights(state), abs=1e-3)
            assert weights_at((x, y)) == pytest.approx(PRESENT)
            assert math.dist(dot, (x, y)) == pytest.approx(radius)
            curve = points(state["curve"])
            assert distance((x, y), curve) == pytest.approx(radius, abs=0.5), (name, ridge)
            assert distance(dot, curve) < 0.5, (name, ridge)
            level = error(weights(state))
            shown = [place for place in curve if 44 < place[0] < 394 and 6 < place[1] < 356]
            assert all(error(weights_at(place)) == pytest.approx(level, rel=0.03) for place in shown), (name, ridge)
            assert distance(dot, points(state["path"])) < 0.5, (name, ridge)
    assert [len(seen[name][1]["fixed"]) for name in ("squares", "softmax")] == [3, 4]


def test_softmax_without_a_ridge_runs_away_by_the_steps_of_the_text(seen):
    state = seen["softmax"][0]
    steps = [plane(state)(dot) for dot in state["dots"]]
    assert len(steps) == 10 and state["circle"] == [] and "curve" not in state
    text = (ROOT / "docs/EQUATIONS.md").read_text()
    told = re.search(r"first Newton step leads to \$(.+?)\$, the second to\s+\$(.+?)\$, the fifth to \$(.+?)\$ and the tenth to \$(.+?)\$", text)
    for number, at in zip((1, 2, 5, 10), told.groups()):
        assert steps[number - 1] == pytest.approx(numbers(at), abs=0.06)
    assert weights(state) == pytest.approx(steps[-1], abs=1e-3)
    assert "separable" in state["lines"][-1] and "no end" in state["lines"][-1]
    assert not any("separable" in line for other in seen["softmax"][1:] + seen["squares"] for line in other["lines"])
    losses = [loss(step) for step in steps]
    assert losses == sorted(losses, reverse=True) and loss([2 * number for number in steps[0]]) < losses[0]


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_it_fits_on_the_page_in_both_themes(page, width, dark):
    script = SEE + """
    softmax.click();
    drag(input, 0);
    const box = (item) => { const { left, right, height } = item.getBoundingClientRect(); return [left, right, height]; };
    const color = (item, name) => page.getComputedStyle(item)[name];
    const plane = place().querySelector("svg");
    return { boxes: [place(), ...place().querySelectorAll("svg, input, table, button, p")].map(box), pressed: [squares, softmax].map((b) => b.ariaPressed),
      colors: [color(page.document.documentElement, "backgroundColor"), ...[".line.first", ".line.second", "text"].map((part, i) =>
        color(plane.querySelector(part), i < 2 ? "stroke" : "fill"))] };"""
    found = act(page, script, width, dark)
    (left, right, _), *parts = found["boxes"]
    assert right <= width
    assert all(left - 1 <= start < end <= right + 1 and height > 10 for start, end, height in parts), parts
    assert found["pressed"] == ["false", "true"]
    assert len(set(found["colors"])) == 4
