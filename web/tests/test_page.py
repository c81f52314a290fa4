"""The page of the screen in a browser without a window: the same bytes as the command line, and keys as a person presses them."""

import gzip
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
    assert "Game 283 " in seen


@pytest.mark.parametrize(("hash", "said"), [("#game=12&move=9&note=100%", "expected game, move and set"), ("#game=283&move=500", "a move of game 283"),
                                          ("#fen=8/8", "expected game, move and set"), ("#%C3", "names no place")])
def test_a_link_that_cannot_be_followed_is_said(hash, said):
    seen = act(f'await open("{hash}"); await shows("the link names no place"); await until(() => shown("question")); return [shown("notice"), shown("title")];')
    assert said in seen[0] and "game 283" in seen[1]


STORY = """
    await open("", false);
    const steps = [];
    await until(() => shown("question").includes("exd5"));
    for (;;) {
      const [told, button] = [await until(() => shown("told")), byId("step")];
      steps.push(told);
      if (steps.length === 7) break;
      if (button.hidden) { await until(() => shown("told") !== told, 120); continue; }
      GO;
      await until(() => shown("told") !== told);
    }
    const moves = [...byId("moves").children].map((line) => line.innerText);
    const small = [...page.document.querySelectorAll("body *")].filter((part) => part.checkVisibility({ checkVisibilityCSS: true })
      && [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && !part.closest(".hidden, svg") && parseFloat(page.getComputedStyle(part).fontSize) < 12);
    const low = [...page.document.querySelectorAll("button, input, select, label.button")].filter((part) => part.checkVisibility() && part.id !== "typed"
      && !part.classList.contains("hidden") && part.getBoundingClientRect().height < 43.9);
    return { steps, moves, ranks: byId("ranks").children.length, reading: shown("reading"), isHidden: byId("panel").hidden,
      small: small.map((part) => part.outerHTML), low: low.map((part) => part.outerHTML),
      wide: page.document.documentElement.scrollWidth - page.document.documentElement.clientWidth,
      ground: page.getComputedStyle(page.document.body).backgroundColor };
"""


@pytest.mark.parametrize(("width", "height", "dark", "go"), [
    (390, 844, False, "button.dispatchEvent(new page.PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true })); button.click()"),
    (1366, 768, True, "button.click()"),
    (1920, 1080, False, "button.focus(); if (page.document.activeElement !== button) throw new Error('no focus'); page.document.activeElement.click()")])
def test_the_story_ends_with_fischers_move_on_top(width, height, dark, go):
    seen = act(STORY.replace("GO", go), width=width, height=height, dark=dark)
    assert "they give it a higher value" in seen["steps"][0] and "bars" in seen["steps"][1]
    assert not any(sign in step for step in seen["steps"] for sign in "‹›|{}")
    assert re.match(r"1\. cxd5\s+played", seen["moves"][0]), seen["moves"]
    assert seen["ranks"] >= 3 and "mean rank -0.292" in seen["reading"]
    assert seen["isHidden"] and seen["wide"] <= 0
    assert not seen["small"] and not seen["low"], seen
    red = int(re.findall(r"\d+", seen["ground"])[0])
    assert (red < 64) == dark


def test_a_weight_is_moved_and_the_question_and_the_bars_follow():
    before, after, back = act("""
        await open("#game=283&move=9", false);
        await until(() => byId("moves").children.length > 30);
        const state = () => [shown("question"), byId("moves").innerText];
        const seen = [state()];
        const input = byId("controls").querySelector("input");
        input.value = 0; input.dispatchEvent(new page.Event("input"));
        await until(() => state()[1] !== seen[0][1]); seen.push(state());
        byId("undo").click();
        await until(() => state()[1] === seen[0][1]); seen.push(state());
        return seen;
    """)
    assert before == back and "prefer 9.exd5" in before[0] and "prefer it too" in after[0]


def test_a_move_is_chosen_on_the_board_and_by_the_list_and_is_said():
    seen = act("""
        await open("#game=283&move=9", false);
        await until(() => byId("moves").children.length > 30);
        const at = (square) => {
          const frame = byId("board").querySelector("svg").getBoundingClientRect(), unit = frame.width / 376;
          const where = { clientX: frame.left + (16 + (square.charCodeAt(0) - 97 + 0.5) * 45) * unit, clientY: frame.top + (8.5 - Number(square[1])) * 45 * unit, bubbles: true };
          byId("board").querySelector("svg").dispatchEvent(new page.MouseEvent("click", where));
        };
        at("e4"); at("e5");
        await until(() => shown("pair").startsWith("9.e5"));
        const said = byId("spoken").textContent;
        byId("moves").children[1].firstChild.click();
        await until(() => shown("pair").startsWith("9.cxd5"));
        return [said, byId("spoken").textContent, byId("moves").children[1].firstChild.ariaCurrent];
    """)
    assert seen == ["9.e5, rank 3 of 35, plus 0.32", "9.cxd5, rank 2 of 35, plus 0.46", "true"]


def test_games_of_the_user_are_dropped_and_pasted_and_a_player_is_chosen():
    seen = act("""
        await open("#game=283&move=9", false); catchFiles();
        drop(["two.pgn", TWO]);
        await until(() => !byId("whose").hidden);
        const names = byId("player").innerText;
        byId("player").value = "Anna"; byId("player").dispatchEvent(new page.Event("change"));
        await until(() => shown("notice").includes("2 games"));
        const paste = (text) => {
          const clipboardData = new page.DataTransfer();
          clipboardData.setData("text/plain", text);
          page.document.body.dispatchEvent(new page.ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        };
        paste("8/8/8/3k4/8/8/4P3/K6R w - - 0 9"); await until(() => shown("title").includes("your own"));
        paste("1. e4 *"); await until(() => shown("notice").includes("expected"));
        const refused = shown("notice");
        drop(["two.pgn.gz", new Uint8Array(PACKED)]); await until(() => byId("files").textContent.includes("two.pgn.gz"));
        [...byId("files").children].find((link) => link.textContent.endsWith("two.pgn.gz")).dispatchEvent(new page.MouseEvent("click", { cancelable: true }));
        await until(() => given.has("two.pgn.gz"));
        return [names, refused];
    """.replace("TWO", json.dumps(TWO)).replace("PACKED", str(list(gzip.compress(TWO.encode())))))
    assert "Anna (2)" in seen[0] and "pasted.pgn" in seen[1]


TWO = "".join(f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 '
              f'8.c3 O-O 9.h3 Nb8 {result}\n\n' for white, black, result in [("Anna", "Bob", "1-0"), ("Carl", "Anna", "1-0")])


def test_what_the_browser_refuses_is_a_message_and_the_program_goes_on():
    seen = act("""
        await open("#game=283&move=9", false);
        await until(() => byId("moves").children.length > 30);
        const refuse = () => { throw new page.DOMException("not now", "SecurityError"); };
        page.history.replaceState = refuse;
        page.Worker = function () { refuse(); };
        page.navigator.clipboard.writeText = refuse;
        const said = [];
        for (const [id, part] of [["link", "lets nothing be copied"], ["learn", "the fit failed"]]) {
          byId(id).click(); await until(() => shown("notice").includes(part)); said.push(shown("notice"));
        }
        await press("ArrowRight"); await wait(1500); await press("ArrowLeft"); await wait(700);
        return [said, shown("question"), byId("message").hidden];
    """)
    assert "not now" in seen[0][1] and "prefer 9.exd5" in seen[1] and seen[2]


def test_closing_asks_where_weights_are_not_saved():
    seen = act("""
        await open("#game=283&move=9", false);
        const asks = () => !page.dispatchEvent(new page.Event("beforeunload", { cancelable: true }));
        const seen = [asks()];
        const input = byId("controls").querySelector("input");
        input.value = input.max; input.dispatchEvent(new page.Event("input"));
        seen.push(asks()); byId("undo").click(); seen.push(asks());
        return seen;
    """)
    assert seen == [False, True, False]


def test_every_control_has_a_name_and_headings_are_in_order():
    seen = act("""
        await open("", false);
        await until(() => byId("moves").children.length > 30);
        const name = (part) => part.getAttribute("aria-label") || part.labels?.[0]?.innerText || part.innerText;
        const controls = [...page.document.querySelectorAll("button, input:not(#typed), select, a")].filter((part) => part.checkVisibility());
        return { nameless: controls.filter((part) => !/[a-z]/i.test(name(part) ?? "")).map((part) => part.outerHTML), count: controls.length,
          headings: [...page.document.querySelectorAll("h1, h2, h3")].filter((part) => part.checkVisibility()).map((part) => Number(part.tagName[1])),
          board: byId("board").querySelector("svg").getAttribute("aria-label"), outside: performance.getEntriesByType("resource").length };
    """)
    assert not seen["nameless"] and seen["count"] > 40, seen
    assert seen["headings"][0] == 1 and all(after <= before + 1 for before, after in zip(seen["headings"], seen["headings"][1:]))
    assert "white to move" in seen["board"]


def test_the_page_is_small():
    # The notices are loaded by whoever asks for them.
    assert sum(file.stat().st_size for file in FOLDER.iterdir() if file.name != "NOTICES.txt") < 1_600_000


def test_a_folder_without_the_program_and_a_file_say_what_to_do(tmp_path):
    for name in ["index.html", "texam.js", "page.js", "page.css"]:
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    said = act("""
        frame = document.createElement("iframe"); frame.src = "FOLDER/index.html"; document.body.append(frame);
        return await until(() => { const text = frame.contentWindow.document.getElementById("message")?.textContent ?? ""; return text.includes("texam.wasm.gz") && text; });
    """.replace("FOLDER", "a/b"), served=tmp_path)
    assert "404" in said and "Load the page again" in said
    page = subprocess.run([PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
                           "--dump-dom", (tmp_path / "index.html").as_uri()], capture_output=True, text=True)
    assert "Serve this folder" in page.stdout
