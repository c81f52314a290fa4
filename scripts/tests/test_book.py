"""The book that mdBook makes of docs: its links, folded results and formulas.

Needs mdbook and mdbook-katex (CONTRIBUTING.md says how to install them). Where they are missing, the tests are skipped, or fail if
TEXAM_REQUIRE_BOOK is set.
"""

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

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
    command = ["mdbook", "build", docs, "--dest-dir", destination]
    output = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert output.returncode == 0, output.stderr
    lines = [line for line in output.stderr.splitlines() if re.search("WARN|ERROR", line) and "was built against" not in line]
    return lines, {str(path.relative_to(destination)): Page(path) for path in destination.rglob("*.html")}


def dead_links(folder, pages):
    """The links that lead nowhere, or out of the book to another place than the web."""
    dead = []
    for name, page in pages.items():
        for link in set(page.links):
            if re.match(r"(https?|mailto|data):", link):
                continue
            file, _, anchor = unquote(link).partition("#")
            target = (folder / name).parent.joinpath(file).resolve() if file else folder / name
            inside = target.relative_to(folder) if target.is_relative_to(folder) else None
            is_there = inside is not None and target.is_file()
            if not is_there or anchor and anchor not in pages[str(inside)].anchors:
                dead.append(f"{name}: {link}")
    return sorted(dead)


@pytest.fixture(scope="module", autouse=True)
def programs():
    missing = [name for name in ("mdbook", "mdbook-katex") if shutil.which(name) is None]
    if missing and os.environ.get("TEXAM_REQUIRE_BOOK"):
        pytest.fail(f"TEXAM_REQUIRE_BOOK is set, but these are not installed: {', '.join(missing)}")
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}")


@pytest.fixture(scope="module")
def book(programs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("book").resolve()
    return folder, *build(ROOT / "docs", folder)


def test_the_book_is_built_without_a_warning(book):
    """A formula that KaTeX does not read is one."""
    assert book[1] == []


def test_every_link_of_the_book_leads_somewhere(book):
    folder, _, pages = book
    assert sum(len(page.links) for page in pages.values()) > 2000
    assert dead_links(folder, pages) == []


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


def test_a_dead_link_and_a_wrong_formula_are_seen(programs, tmp_path):
    """The checks themselves, on a book with mistakes."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/book.py", tmp_path / "scripts")
    docs = tmp_path / "docs"
    (docs / "lessons").mkdir(parents=True)
    for name in ("book.toml", "book.css"):
        shutil.copy(ROOT / "docs" / name, docs)
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

    toml = docs / "book.toml"
    toml.write_text(toml.read_text().replace("[output.html]", '[output.html]\ngit-repository-url = "https://example.org/texam"'))
    _, pages = build(docs, folder)
    assert "https://example.org/texam/blob/HEAD/scripts/book.py" in pages["FIRST.html"].links
