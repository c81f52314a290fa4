"""The figure of docs/START.md with a pass to drag: its numbers against the text, and against what the program prints with the weights of the pass."""

import json
import os
import re
import shutil
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from pages import act

ROOT = Path(__file__).parents[2]
TEXAM = os.environ.get("TEXAM", str(ROOT / "target/release/texam"))
TEXT = (ROOT / "docs/START.md").read_text(encoding="utf-8")
PROSE = " ".join(TEXT.split())
NAMES = {"c4d5": "cxd5", "e4d5": "exd5", "b1c3": "Nc3"}
LAST = 15
# What the figure shows after a drag.
SEE = """
const input = one('[data-figure="fischer"] input');
const [board, bars] = all('[data-figure="fischer"] svg');
const numbers = (item, ...names) => names.map((name) => Number(item.getAttribute(name)));
const see = (pass) => {
  drag(input, pass);
  return {
    output: one('[data-figure="fischer"] output').textContent,
    rows: [...bars.querySelectorAll("g")].map((row) => [...row.querySelectorAll("text")].map((text) => text.textContent)),
    rects: [...bars.querySelectorAll("g rect")].map((rect) => [rect.getAttribute("class"), ...numbers(rect, "x", "width")]),
    root: [...bars.querySelectorAll("text")].at(-1).textContent,
    arrows: [...board.querySelectorAll("path")].map((arrow) => [arrow.getAttribute("class"), arrow.getAttribute("transform")]),
    lines: all('[data-figure="fischer"] p').map((line) => line.textContent),
    terms: all('[data-figure="fischer"] td').map((cell) => cell.textContent),
    labels: [board, bars].map((drawn) => drawn.getAttribute("aria-label")),
  };
};
"""


@pytest.fixture(scope="module")
def page(book_in_browser):
    return book_in_browser / "START.html"


@pytest.fixture(scope="module")
def seen(page):
    """What the figure shows at first, and after a drag to each pass."""
    script = SEE + f"const start = input.value; return {{ start, passes: Array.from({{ length: {LAST + 1} }}, (_, pass) => see(pass)) }};"
    return act(page, script)


@pytest.fixture
def program():
    if shutil.which(TEXAM) is None:
        pytest.skip(f"needs {TEXAM}")


def printed(value):
    """A value as the program prints it: halves are rounded away from 0."""
    return f"{Decimal(value).quantize(Decimal('0.1'), ROUND_HALF_UP):+}"


def plain(text):
    return text.replace("\u2212", "-")


def moves_of(shown):
    """The moves of the bars: name, rank and value."""
    return {name.removesuffix(", played"): (int(rank), plain(value)) for rank, name, value in shown["rows"]}


def leader_of(shown):
    return next(iter(moves_of(shown)))


@pytest.mark.parametrize("number", [0, 7, LAST])
def test_the_values_of_a_pass_are_those_of_the_program(seen, program, number):
    command = [TEXAM, "search", "games/gm1988.pgn:283", "--move", "9", "--par", f"stats/gm1988-{number:02}.par", "--json"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    shown = seen["passes"][number]
    moves = moves_of(shown)
    expected = [(move["rank"], printed(move["value"])) for move in found["moves"]]
    assert list(moves.values()) == expected[:10]
    for move in found["moves"]:
        if move["move"] in NAMES:
            assert moves[NAMES[move["move"]]] == (move["rank"], printed(move["value"]))
    assert leader_of(shown) == NAMES[found["moves"][0]["move"]]
    assert plain(shown["root"]) == f"root {printed(found['root'])}"
    assert shown["lines"][0] == f"{sum(move['in_bound'] for move in found['moves'])} of {len(found['moves'])} legal moves are in bound."
    ahead, behind = re.match(r"(\S+) is better than (\S+) by ", shown["lines"][1]).groups()
    values = {NAMES.get(move["move"]): move["value"] for move in found["moves"]}
    assert f" by {printed(values[ahead] - values[behind])[1:]} units." in shown["lines"][1]


def test_the_stored_numbers_and_the_picture_are_those_of_the_program(program):
    checked = subprocess.run([sys.executable, ROOT / "scripts/fischer.py", "--check"], capture_output=True, text=True, env={**os.environ, "TEXAM": TEXAM})
    assert (checked.returncode, checked.stderr) == (0, "")


def test_an_altered_number_is_found(program, tmp_path):
    """The check itself, on stored numbers with a mistake."""
    for name in ("games", "stats"):
        (tmp_path / name).symlink_to(ROOT / name)
    names = ["fischer.json", "fischer.svg", "board.svg", "board-ending.svg"]
    for name in ["scripts/fischer.py", *(f"docs/figures/{name}" for name in names)]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    stored = tmp_path / "docs/figures/fischer.json"
    stored.write_text(stored.read_text().replace('"cxd5",54.4', '"cxd5",54.5', 1))
    program = str(Path(TEXAM).resolve())
    command = [sys.executable, tmp_path / "scripts/fischer.py", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "TEXAM": program})
    assert checked.returncode == 1 and "fischer.json" in checked.stderr and ".svg" not in checked.stderr


def test_the_figure_starts_with_the_values_of_the_text(seen):
    assert seen["start"] == "0" and "start weights" in seen["passes"][0]["output"]
    output = re.search(r'\$ texam search "\$FEN"\n.*?```', TEXT, re.S)[0]
    rows = re.findall(r"^ +(\d+)  (\S+) +(\S+)  in ", output, re.M)
    moves = moves_of(seen["passes"][0])
    assert len(rows) == 5
    assert all(moves[name] == (int(rank), value) for rank, name, value in rows if int(rank) < 10)
    assert plain(seen["passes"][0]["root"]) == "root " + re.search(r"^root (\S+)", output, re.M)[1]


def test_the_deciding_features_of_the_start_are_those_of_the_text(seen):
    assert "(pictures/screen.svg)" in TEXT
    picture = (ROOT / "docs/pictures/screen.svg").read_text(encoding="utf-8")
    screen = "\n".join(re.sub("<[^>]*>", "", line).replace("\u00a0", " ") for line in picture.splitlines() if line.startswith("<text"))
    ahead, behind, lead = re.search(r"(\S+) over (\S+): \+([\d.]+), from", screen).groups()
    shown = seen["passes"][0]
    assert shown["lines"][1].startswith(f"{ahead} is better than {behind} by {lead} units.")
    expected = re.findall(r"[▲▼] +(\S+) (\S+)", screen)
    assert [(plain(units), name) for units, name in zip(shown["terms"][::3], shown["terms"][1::3])] == expected


def test_the_leader_of_each_pass_is_that_of_the_text(seen):
    played = [int(number) for number in re.search(r"In passes (\d+) to (\d+) Fischer's move leads", PROSE).groups()]
    exd5 = [int(number) for number in re.search(r"In passes (\d+) to (\d+) 9\.exd5 leads again", PROSE).groups()]
    knight = int(re.search(r"from pass (\d+) on 9\.Nc3 leads", PROSE)[1])
    for number, shown in enumerate(seen["passes"]):
        if played[0] <= number <= played[1]:
            leader = "cxd5"
        elif number < played[0] or exd5[0] <= number <= exd5[1]:
            leader = "exd5"
        else:
            assert number >= knight
            leader = "Nc3"
        assert leader_of(shown) == leader, number
        assert moves_of(shown)["cxd5"][0] == (0 if leader == "cxd5" else 1), number
        assert re.match(r"(\S+) is better", shown["lines"][1])[1] == leader, number
    leads = [re.search(r"by ([\d.]+) units", shown["lines"][1])[1] for shown in seen["passes"][played[0] : played[1] + 1]]
    assert f"by {min(leads)} to {max(leads)} units" in PROSE
    assert f"which has the rank {moves_of(seen['passes'][0])['Nc3'][0]} at the start" in PROSE
    assert "After fifteen fits 9.cxd5 has the rank 1" in PROSE and moves_of(seen["passes"][LAST])["cxd5"][0] == 1


def test_the_deciding_features_add_up_and_are_others_where_the_line_ends_elsewhere(seen):
    others = []
    for number, shown in enumerate(seen["passes"]):
        terms = [float(plain(units)) for units in shown["terms"][::3]]
        lead = re.search(r"by (less than )?([\d.]+) units", shown["lines"][1])
        assert abs(sum(terms) - (0 if lead[1] else float(lead[2]))) < 0.11, number
        others += [number] if "pc_attp" in shown["terms"] else []
    leaves = [re.search(r"The leaves of (\S+ \S+ \S+) and", shown["lines"][1])[1] for shown in seen["passes"]]
    assert others == [12, 13] == [number for number, leaf in enumerate(leaves) if leaf == "Nc3 Bc5 e5"]


def test_bars_are_as_long_as_their_values_and_arrows_are_those_of_the_moves(seen):
    lengths = []
    for shown in seen["passes"]:
        values = [float(plain(value)) for _, _, value in shown["rows"]]
        lengths += [width / abs(value) for (_, _, width), value in zip(shown["rects"], values)]
        zero = {round(x if value > 0 else x + width, 3) for (_, x, width), value in zip(shown["rects"], values)}
        assert len(zero) == 1
        colors = {name.removesuffix(", played"): color for (_, name, _), (color, _, _) in zip(shown["rows"], shown["rects"]) if color}
        assert sorted(colors.values()) == ["first", "second"] and colors["cxd5"] == "second"
        other = next(name for name in colors if name != "cxd5")
        assert other == next(name for name in moves_of(shown) if name != "cxd5") and other in shown["labels"][0]
        starts = {"cxd5": "c4", "exd5": "e4", "Nc3": "b1"}
        for color, transform in shown["arrows"]:
            square = starts["cxd5" if color == "second" else other]
            assert transform.startswith(f"translate({16 + 34 * 'abcdefgh'.index(square[0]) + 17} {(8.5 - int(square[1])) * 34:g})")
        assert all(f"{name} {value}" in plain(shown["labels"][1]) for name, (_, value) in moves_of(shown).items())
    assert max(lengths) - min(lengths) < 1e-6


@pytest.mark.parametrize(("text", "name", "variable"), [("START", "board", "FEN"), ("MACHINE", "board-ending", "ENDING")])
def test_a_board_is_that_of_the_text(text, name, variable):
    page = (ROOT / f"docs/{text}.md").read_text(encoding="utf-8")
    position = re.search(rf"^{variable}='(\S+)", page, re.M)[1]
    found = [[" "] * 8 for _ in range(8)]
    picture = (ROOT / f"docs/figures/{name}.svg").read_text(encoding="utf-8")
    for x, y, fill, glyph in re.findall(r'<text x="(\d+)" y="(\d+)" fill="(\S+)" stroke.*?>(.)', picture):
        letter = "kqrbnp"["♚♛♜♝♞♟".index(glyph)]
        found[int(y) // 34][(int(x) - 16) // 34] = letter if fill == "#222" else letter.upper()
    assert re.sub(r"\d", lambda empty: " " * int(empty[0]), position) == "/".join(map("".join, found))


def test_the_figure_has_the_board_of_the_text(page):
    script = "return [...one('[data-figure=\"fischer\"] image').attributes].map((one) => one.value);"
    assert act(page, script) == ["figures/board.svg", "288", "288"] and "(figures/board.svg)" in TEXT


@pytest.mark.parametrize("width, dark", [(390, True), (1280, False)])
def test_the_figure_fits_in_a_narrow_and_in_a_wide_window(page, width, dark):
    script = """return all('[data-figure="fischer"] :is(svg, table, input)').map((part) => {
      const { left, right } = part.getBoundingClientRect();
      const letters = part.viewBox ? (12 * (right - left)) / part.viewBox.baseVal.width : 12;
      return [left, right, letters, part.localName === "svg" ? part.getAttribute("role") : "img"];
    });"""
    parts = act(page, script, width=width, dark=dark)
    assert len(parts) == 4
    for left, right, letters, role in parts:
        assert 0 <= left < right <= width and letters > 11 and role == "img"
