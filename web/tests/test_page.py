"""The page of the screen in a browser without a window: the same bytes as the command line, and keys as a person presses them."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from browser import FOLDER, PROGRAM, ROOT, act

TEXAM = os.environ.get("TEXAM", ROOT / "target/release/texam")

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs Chromium or Chrome")

# Sets an option on its page.
SET = """
const chosen = () => [...screen_().querySelectorAll(".r")].map((one) => one.textContent).slice(1, -1).join("").trim();
const setOption = async (name, value) => {
  await press("o", "Home");
  while (!chosen().startsWith(name + " ")) await press("ArrowDown");
  await press("Enter", "^u");
  await type(value);
  await press("Enter", "Escape");
};
const saves = () => page.document.getElementById("files").textContent;
"""


def texam(*words, folder=ROOT):
    return subprocess.run([TEXAM, *map(str, words)], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_run_has_the_bytes_of_the_command_line(tmp_path):
    names = [*(f"run-001-{number:02}.par" for number in range(4)), "run-001.json", "run-001.stat"]
    files = act(SET + """
        await open(); catchFiles();
        await setOption("every", "20");
        await setOption("iterations", "3");
        await press("F", "y");
        await until(() => saves().includes("run-001-03.par") && text().includes("finished"), 280);
        for (const link of page.document.querySelectorAll("#files a")) link.dispatchEvent(new page.MouseEvent("click", { cancelable: true }));
        return await Promise.all([...given].map(async ([name, content]) => [name, await content]));
    """)
    texam("fit", "--every", 20, "--iterations", 3, "--out", tmp_path, "--name", "run-001")
    assert sorted(name for name, _ in files) == sorted(names)
    # Errors come from products of matrices, whose last digit depends on the processor; weights and texts do not.
    def compared(name, content):
        shortened = re.sub(r"-?\d+\.\d{10,}", lambda number: f"{float(number[0]):.10g}", content)
        return re.sub(r'"checksum".*', "", shortened) if name.endswith(".json") else content

    for name, content in files:
        assert compared(name, content) == compared(name, (tmp_path / name).read_text()), name


def test_twenty_positions_have_the_moves_values_and_ranks_of_the_command_line():
    games = range(1, 868, 45)
    shown = act(f"const games = {list(games)};" + """
        const all = [];
        for (const game of games) {
          await open(`#game=${game}&move=${12 + game % 20}&set=best`);
          await shows("En ");
          await press("y");
          const fen = (await until(() => text().match(/(?:copied|text is): (.*\\/.*?)\\s*$/m)))[1];
          all.push([fen, text()]);
        }
        return all;
    """, height=2600)
    assert len(shown) == 20
    for fen, screen in shown:
        rows = re.findall(r"^\S*(?: 0)? +(\d+) (\S+) +([+-][\d.]+|\S*mate\S*) (in|out)", screen, re.M)
        expected = re.findall(r"^.*? +(\d+) +(\S+) +([+-][\d.]+|\S*mate\S*) +(in|out)", texam("search", fen, "--par", "best"), re.M)
        assert rows and sorted(rows) == sorted(expected), fen


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_keys_do_what_they_do_in_a_terminal(width, height):
    seen = act(SET + """
        const seen = {};
        await open("#game=283&move=9&set=best"); catchFiles();
        await shows("En ");
        seen.first = text();
        await press("n"); await until(() => page.location.hash.includes("move=10"));
        await press(" ", " ", "Tab"); await shows("leaf");
        await press("Tab", "p"); await until(() => page.location.hash.includes("move=9"));
        // A click on the move in the fourth line of the list, whose letters are as wide as any.
        const lines = text().split("\\n"), at = lines.findIndex((line) => line.includes("rank move")) + 4;
        const frameOf = screen_().getBoundingClientRect(), height = (frameOf.height - 8) / (lines.length - 1);
        const where = { clientX: frameOf.left + 60, clientY: frameOf.top + 4 + (at + 0.5) * height, bubbles: true };
        screen_().dispatchEvent(new page.MouseEvent("click", where));
        await until(() => text().split("\\n")[at].startsWith("▶"));
        await press("/"); await type("b_pair"); await press("Enter", "e", "^u"); await type("77 33"); await press("Enter");
        await until(() => !page.location.hash.includes("set="));
        await press("u"); await until(() => page.location.hash.endsWith("set=best"));
        await press("/"); await type("n_cen"); await press("Enter", "x"); seen.free = text(); await press("u");
        page.dispatchEvent(new page.ClipboardEvent("paste", { clipboardData: (() => {
          const data = new page.DataTransfer();
          data.setData("text/plain", "8/8/8/3k4/8/8/4P3/K6R w - - 0 9");
          return data;
        })(), bubbles: true, cancelable: true }));
        await until(() => page.location.hash === "");
        seen.typed = text(); await press("Escape");
        await setOption("every", "200");
        await press("f"); await until(() => !text().includes("esc cancel the fit") && !page.location.hash.includes("set="), 60);
        await press("h"); await shows("The run: one fit"); await press("Escape");
        await press("S", "^u"); await type("mine.par"); await press("Enter");
        await until(() => given.has("mine.par"));
        seen.saved = await given.get("mine.par");
        await press("R", "^u"); await type("start"); await press("Enter"); await shows("params/start.par");
        drop(["other.par", seen.saved]); await shows("other.par");
        frame.style.height = "500px"; frame.style.width = "1000px";
        await until(() => text().split("\\n")[0].length >= 90);
        seen.scroll = page.document.documentElement.scrollWidth - page.document.documentElement.clientWidth;
        return seen;
    """, width=width, height=height)
    assert "Fischer, Robert" in seen["first"] and "cxd5" in seen["first"]
    assert seen["typed"] != seen["first"]
    assert seen["saved"].startswith("#") and "n_cen" in seen["saved"]
    assert seen["scroll"] <= 0


def test_a_fit_is_cancelled_and_the_weights_are_those_from_before():
    seen = act(SET + """
        await open();
        await press("F", "y"); await shows("positions");
        await until(() => /pass 0 of 15, [1-9]/.test(text()), 60);
        await press("Escape", "Escape"); await shows("y cancels it"); await press("y");
        await shows("the fit is cancelled");
        return [text(), saves()];
    """)
    assert "params/start.par" in seen[0] and "run-001" not in seen[1]


def test_two_sets_are_compared_in_the_background():
    trial = act(SET + """
        await open("#game=1&set=best");
        drop(["few.pgn", FEW]); await shows("few.pgn ");
        await press("v", "^u"); await type("material"); await press("Enter");
        await shows("better in games", 120);
        return text();
    """.replace("FEW", json.dumps(FEW)))
    assert "Of 32 positions 14 are matched by this set only" in trial and "of 200: +" in trial


FEW = "\n".join((ROOT / "games/gm1988.pgn").read_text().split("\n[Event ")[:1] + [""])


def test_what_cannot_be_read_is_said_and_nothing_changes():
    seen = act("""
        await open(); const before = text().split("\\n")[0];
        const said = [];
        for (const [name, content] of [["a.par", "pawn = many"], ["b.stat", "x"], ["c.pgn", "\\xfd7zXZ"], ["d.pgn", "no games"]]) {
          drop([name, content]); await shows(name, 10); await wait(100);
          said.push(text()); await press("Escape", "Escape");
        }
        return [before, text().split("\\n")[0], said];
    """)
    before, after, said = seen
    assert before == after
    assert all(re.search("expected|cannot", text) for text in said), said


def test_a_link_to_no_place_opens_the_beginning_and_says_so():
    seen = act('await open("#game=9999&set=nobody"); await shows("the link names no place"); return text();')
    assert "Game 1 " in seen


def test_a_folder_without_the_program_and_a_file_say_what_to_do(tmp_path):
    for name in ["index.html", "texam.js"]:
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    said = act("""
        frame = document.createElement("iframe"); frame.src = "FOLDER/index.html"; document.body.append(frame);
        return await until(() => { const text = frame.contentWindow.document.getElementById("message")?.textContent ?? ""; return text.includes("texam.wasm") && text; });
    """.replace("FOLDER", "a/b"), served=tmp_path)
    assert "404" in said and "Load the page again" in said
    page = subprocess.run([PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
                           "--dump-dom", (tmp_path / "index.html").as_uri()], capture_output=True, text=True)
    assert "Serve this folder" in page.stdout
