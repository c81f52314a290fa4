"""The book that mdBook makes of docs: its links, folded results, formulas, predictions and printed pages."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from conftest import build_book
from pages import act, flags

ROOT = Path(__file__).parents[2]
# Elements without an end.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """The links, anchors and visible text of a page of the book, the latter without code and without what is folded."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.link_texts = [], set(), []
        self.text, self.folded, self.formulas = "", [], 0
        self.open = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]
        self.anchors.add(attributes.get("id"))
        self.formulas += tag == "math"
        if tag == "a":
            self.link_texts.append("")
        if tag == "details":
            self.folded.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "a" in self.open:
            self.link_texts[-1] += data
        if "details" in self.open:
            self.folded[-1] += data
        elif not {"code", "script", "annotation"} & set(self.open):
            self.text += data


def build(docs, destination):
    """Builds the book; what mdBook says that is not of its version, and the pages by their paths in the book."""
    return build_book(docs, destination), pages_of(destination)


def pages_of(folder):
    return {str(path.relative_to(folder)): Page(path) for path in folder.rglob("*.html")}


def dead_links(folder, pages):
    """The links that lead nowhere, or out of the book to another place than the web and the page of the screen."""
    dead = []
    for name, page in pages.items():
        for link in set(page.links):
            if re.match(r"(https?|mailto|data):|(\.\./)+page/index\.html#game=", link):
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (folder / name).parent.joinpath(file).resolve() if file else folder / name
            inside = target.relative_to(folder) if target.is_relative_to(folder) else None
            is_there = inside is not None and target.is_file()
            if not is_there or anchor and anchor not in pages[str(inside)].anchors:
                dead.append(f"{name}: {link}")
    return sorted(dead)


@pytest.fixture(scope="module")
def book(built):
    return *built, pages_of(built[0])


def test_the_book_is_built_without_a_warning(book):
    """A formula that KaTeX does not read is one."""
    assert book[1] == []


def test_every_link_of_the_book_leads_somewhere(book):
    folder, _, pages = book
    assert sum(len(page.links) for page in pages.values()) > 2000
    assert dead_links(folder, pages) == []


def test_positions_of_the_text_are_links_to_the_page_beside_the_book(book):
    folder, _, pages = book
    assert "../page/index.html#game=283&move=9" in pages["START.html"].links
    assert "<!-- position:" not in (folder / "START.html").read_text()


def test_no_link_is_named_after_a_file(book):
    files = {path.stem for path in (ROOT / "docs").rglob("*.md")}
    named = [f"{name}: {text}" for name, page in book[2].items() for text in page.link_texts if text.removesuffix(".md") in files]
    assert named == []


def test_no_sign_of_a_formula_is_left(book):
    assert [f"{name}: {line}" for name, page in book[2].items() for line in page.text.splitlines() if "$" in line] == []


def test_a_sign_of_a_number_in_a_formula_is_no_operator_between_terms(book):
    folder, _, pages = book
    html = "".join((folder / name).read_text() for name in pages)
    assert re.search("<mo>=</mo><mrow><mo>[-\u2212]</mo><mn>", html) and not re.search("<mo>=</mo><mo>[-\u2212]</mo><mn>", html)


def test_results_and_verdicts_of_all_lessons_are_folded(book):
    folder, _, pages = book
    lessons = sorted(path.stem for path in (ROOT / "docs/lessons").glob("[0-9]*.md"))
    assert len(lessons) >= 17
    for lesson in lessons:
        page = pages[f"lessons/{lesson}.html"]
        result, verdict = (text for text in page.folded if text.startswith("Show it"))
        assert "Computed by texam" in result and "Verdict: " in verdict, lesson
        assert "Computed by texam" not in page.text and "Verdict: " not in page.text, lesson


def test_a_dead_link_and_a_wrong_formula_are_seen(mdbook, tmp_path):
    """The checks themselves, on a book with mistakes."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/book.py", tmp_path / "scripts")
    docs = tmp_path / "docs"
    (docs / "lessons").mkdir(parents=True)
    for name in ("book.toml", "book.css"):
        shutil.copy(ROOT / "docs" / name, docs)
    for name in ("figures", "fonts"):
        shutil.copytree(ROOT / "docs" / name, docs / name)
    toml = docs / "book.toml"
    toml.write_text(toml.read_text().split("[output.html.search.chapter]")[0])
    (docs / "SUMMARY.md").write_text("- [First](FIRST.md)\n- [Lesson](lessons/01.md)\n")
    (docs / "FIRST.md").write_text(
        "---\nmarp: true\n---\n\n# First\n\n[gone](gone.md) [no anchor](lessons/01.md#gone) [page](lessons/01.md#result) [FIRST.md](FIRST.md#b)\n"
        "[a file](../scripts/book.py) [out](file:///etc) `[code](gone2.md)`\n\n## B\n\n$\\frac{1}{2}$ and $\\frac{1$\n"
    )
    (docs / "lessons/01.md").write_text("# One\n\n## Result\n\n```text\n*a*\n```\n\n## End\n\n[a](../FIRST.md)\n")
    folder = (tmp_path / "book").resolve()
    warnings, pages = build(docs, folder)
    first = ["FIRST.html: file:///etc", "FIRST.html: gone.html", "FIRST.html: lessons/01.html#gone"]
    assert [link for link in dead_links(folder, pages) if link.startswith("F")] == first
    page = pages["FIRST.html"]
    assert page.formulas == 1 and "$" in page.text and "marp" not in page.text
    assert len(warnings) == 1 and "KaTeX parse error" in warnings[0]
    assert "First: B" in page.link_texts and "a file" not in page.link_texts
    assert "result" in pages["lessons/01.html"].anchors

    toml.write_text(toml.read_text().replace("[output.html]", '[output.html]\ngit-repository-url = "https://example.org/texam"'))
    _, pages = build(docs, folder)
    assert "https://example.org/texam/blob/HEAD/scripts/book.py" in pages["FIRST.html"].links

    toml.write_text(toml.read_text().replace('git-repository-url = "https://example.org/texam"\n', ""))
    for command in (["init"], ["remote", "add", "origin", "git@github.com:someone/texam.git"]):
        subprocess.run(["git", "-C", tmp_path, *command], check=True, capture_output=True)
    _, pages = build(docs, folder)
    assert "https://github.com/someone/texam/blob/HEAD/scripts/book.py" in pages["FIRST.html"].links


def test_the_results_of_a_lesson_are_tables(book):
    folder, _, pages = book
    html = (folder / "lessons/04-miss.html").read_text()
    assert "<th>force</th>" in html and '<td style="text-align: right">+46.3</td>' in html
    assert "-----" not in "".join(pages["lessons/04-miss.html"].folded)
    # What is drawn with characters stays as it is.
    drawn = re.findall(r"<pre>.*?</pre>", (folder / "lessons/05-rank.html").read_text(), re.S)
    assert any("Moves ahead of the played one" in block and "█" in block for block in drawn)


def test_no_formula_is_cut_off_or_wider_than_a_phone(book_in_browser):
    folder = book_in_browser
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html") if path.name not in ("print.html", "toc.html"))
    names = [name for name in names if "<math" in (folder / name).read_text()]
    assert len(names) > 10
    script = f"""
    const found = [];
    let formulas = 0;
    for (const name of {json.dumps(names)}) {{
      await visit(name);
      formulas += all("math").length;
      const is_cut = (formula) => formula.scrollWidth > formula.clientWidth || formula.scrollHeight > formula.clientHeight;
      const cut = all("math[display=block]").filter(is_cut).map((formula) => formula.textContent);
      const beyond = all("p math").filter((formula) => formula.getBoundingClientRect().right > 390).map((formula) => formula.textContent);
      const width = page.document.documentElement.scrollWidth;
      if (cut.length || beyond.length || width > 390) found.push([name, width, ...cut, ...beyond]);
    }}
    const font = page.document.fonts.check('16px "Formulas"') && [...page.document.fonts].some((face) => face.family.includes("Formulas") && face.status === "loaded");
    return {{ found, formulas, font }};"""
    seen = act(folder / "index.html", script, width=390)
    assert seen["found"] == [] and seen["formulas"] > 500 and seen["font"]


@pytest.mark.parametrize(("chosen", "said"), [("b", "That is what was measured."), ("c", "The measured answer is b.")])
def test_a_prediction_is_answered_only_when_it_is_chosen(book_in_browser, chosen, said):
    script = f"""
    const look = () => [one(".measured").textContent, all("main details").map((folded) => folded.open)];
    const before = look();
    const buttons = all(".prediction button");
    buttons.find((button) => button.textContent.startsWith("{chosen}.")).click();
    return {{ before, after: look(), pressed: buttons.map((button) => button.getAttribute("aria-pressed")) }};"""
    seen = act(book_in_browser / "lessons/04-miss.html", script)
    assert seen["before"] == ["", [False, False]]
    sentence, folds = seen["after"]
    assert said in sentence and folds == [True, True] and seen["pressed"] == [str(letter == chosen).lower() for letter in "abc"]


def printed_pages(page, folder):
    """The number of pages that a browser prints."""
    pdf = folder / "printed.pdf"
    subprocess.run([*flags(folder / "profile"), "--no-pdf-header-footer", f"--print-to-pdf={pdf}", page.as_uri()], capture_output=True, timeout=120, check=True)
    return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))


def test_the_handout_is_printed_on_as_many_pages_as_it_says(book_in_browser, tmp_path):
    [words] = re.findall(r"it has (\w+) pages of A4", (ROOT / "docs/teachers/HANDOUT.md").read_text())
    assert printed_pages(book_in_browser / "teachers/HANDOUT.html", tmp_path) == {"one": 1, "two": 2, "three": 3}[words]


def test_results_are_printed_at_the_end_and_stand_in_their_places_again(book_in_browser):
    script = """
    const look = () => all("main :is(h2, h3, details)").map((part) => (part.localName === "details" ? "folded" : part.textContent));
    const before = look();
    page.dispatchEvent(new page.Event("beforeprint"));
    const printed = look();
    const links = all("main p > a[href^='#answer-']").map((link) => [link.textContent, one(link.getAttribute("href")).textContent]);
    page.dispatchEvent(new page.Event("afterprint"));
    return { before, printed, links, after: look() };"""
    seen = act(book_in_browser / "lessons/17-quiescence.html", script)
    assert seen["after"] == seen["before"] and seen["before"].count("folded") == 3
    assert seen["printed"] == [part for part in seen["before"] if part != "folded"] + [
        part for _, heading in seen["links"] for part in (heading, "folded")
    ]
    titles = [heading.split(" · ")[:2] for _, heading in seen["links"]]
    assert titles == [["Answer 1", "Result"], ["Answer 2", "Verdict"], ["Answer 3", "Exercises"]]
    assert [text for text, _ in seen["links"]] == [f"Answer {number}, at the end" for number in (1, 2, 3)]


def test_results_that_are_folded_are_printed(book_in_browser, tmp_path):
    """The same page with its results cut out has fewer pages."""
    lesson = book_in_browser / "lessons/06-spread.html"
    cut = tmp_path / "cut.html"
    cut.write_text(re.sub(r"<details>.*?</details>", "", lesson.read_text().replace('="../', f'="{book_in_browser.as_uri()}/'), flags=re.S))
    assert printed_pages(lesson, tmp_path) > printed_pages(cut, tmp_path)
