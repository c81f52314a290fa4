#!/usr/bin/env python3
"""A preprocessor of mdBook, which docs/book.toml names: it prepares the pages, written for GitHub, for the book.

- A link whose text is the file name of its page gets the title of the page, and of the section that it leads to.
- A link to a file of the repository that is not in the book leads to git-repository-url in docs/book.toml, or to the repository on GitHub
  that was cloned. Where neither is known, the text of the link remains.
- The settings at the head of the slides are left out.
- Signed numbers in formulas get braces.
- A picture after a comment `figure: NAME` becomes the place of the figure that docs/figures/NAME.js draws, with the numbers of NAME.json if there
  is such a file.
- The answers of a prediction can be chosen.
- Blocks of lessons with tables, which the terminal prints as they are, become tables, and a block after a comment `formula: TEX` that formula.
- A comment `position: HASH` becomes a link to the screen as a page, which `make web` puts beside the book.

Needs Python 3.9 or later and no other package.
"""

import itertools
import json
import posixpath
import re
import subprocess
import sys
from pathlib import Path

# Blocks and spans of code, in which nothing is a link, or a link that is not a picture.
CODE_OR_LINK = re.compile(r"^ *```.*?^ *```|(?P<ticks>`+).+?(?P=ticks)|(?<!!)\[(?P<text>[^][]+)\]\((?P<target>[^()\s]+)\)", re.M | re.S)
CODE_OR_FORMULA = re.compile(r"^ *```.*?^ *```|(?P<ticks>`+).+?(?P=ticks)|(?P<formula>\$\$.+?\$\$|\$[^$]+\$)", re.M | re.S)
# The sign of a number, as in = -6.
SIGNED = re.compile(r"(?<=[=(&,])( ?)([-+]\d[\d.]*)")
# The name of a page as the text of a link: METHOD or METHOD.md.
PAGE_NAME = re.compile(r"[A-Z][A-Z-]+(\.md)?")
SETTINGS = re.compile(r"\A---\n.*?\n---\n", re.S)
FIGURE = re.compile(r"^<!-- figure: ([a-z-]+) -->\n(!\[.*?\]\(.*?\))\n", re.M | re.S)
PREDICTION = re.compile(r"^((?:- [a-d]\. .*\n(?:  .*\n)*)+)\n<!-- answer: ([a-d]) -->\n", re.M)
FORMULA = re.compile(r"^<!-- formula: (.+?) -->\n```text\n.*?^```\n", re.M | re.S)
TABLE = re.compile(r"^```text\n(?=(?:.*\n)*?-{5,}\n)(?P<text>(?:(?!```).*\n)*)```\n", re.M)
POSITION = re.compile(r"<!-- position: (\S+) -->")


def chapters(items):
    """All chapters of the book, however deep."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def headings(content):
    """The headings of a page by their anchors."""
    text = re.sub(r"^ *```.*?^ *```", "", content, flags=re.M | re.S)
    found = {}
    for heading in re.findall(r"^#+ +(.+)$", text, re.M):
        kept = "".join(c for c in heading.lower() if c.isalnum() or c in " -_")
        found[kept.replace(" ", "-")] = heading.strip()
    return found


def with_signs(content):
    """A page whose formulas have signed numbers in braces. Otherwise browsers take the sign of = -6 for a minus between two terms."""

    def changed(match):
        return SIGNED.sub(r"\1{\2}", match[0]) if match["formula"] else match[0]

    return CODE_OR_FORMULA.sub(changed, content)


def with_links(content, path, pages, repository):
    """A page with the links of the book. `pages` has title and headings of every page by its path."""

    def changed(match):
        text, target = match["text"], match["target"]
        if text is None or ":" in target or target.startswith("#"):
            return match[0]
        file, _, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if file in pages:
            if not PAGE_NAME.fullmatch(text):
                return match[0]
            title, sections = pages[file]
            return f"[{title}: {sections[anchor]}]({target})" if anchor in sections else f"[{title}]({target})"
        if not file.startswith("../"):
            return match[0]
        return f"[{text}]({repository}/blob/HEAD/{file[3:]})" if repository else text

    return CODE_OR_LINK.sub(changed, content)


def with_tables(content):
    """A lesson with tables for the blocks that have some. A rule of dashes follows the heading of each, two blanks part its columns, and the
    first line with another number of columns ends it."""

    def split(line):
        return re.split(" {2,}", line.strip())

    def changed(match):
        lines, made = match["text"].splitlines(), []
        while lines:
            others = list(itertools.takewhile(lambda line: not re.fullmatch("-{5,}", line), lines))
            # The last of them is the heading of a table, if one follows.
            others = others if len(others) == len(lines) else others[:-1]
            del lines[: len(others)]
            text = "\n".join(others).strip("\n")
            # Lines with places for their words are a picture of the terminal.
            made.append(f"```text\n{text}\n```\n" if re.search(r"\S {2,}\S|^ ", text, re.M) else f"{text}\n")
            if not lines:
                break
            line = lines.pop(0)
            del lines[0]
            heading = split(line)
            made.append(f"\n| {' | '.join(heading)} |\n|---|{'---:|' * (len(heading) - 1)}\n")
            while lines and len(split(lines[0])) == len(heading):
                made.append(f"| {' | '.join(split(lines.pop(0)))} |\n")
            made.append("\n")
        return "".join(made)

    return TABLE.sub(changed, FORMULA.sub(lambda match: f"$${match[1]}$$\n", content))


def with_figures(content, path):
    """A page with what its comments stand for: figures, predictions and links to positions."""

    def figure(match):
        name, picture = match.groups()
        stored = Path("figures") / f"{name}.json"
        data = f'<script type="application/json">{stored.read_text(encoding="utf-8").strip()}</script>' if stored.exists() else ""
        return f'<div class="figure" data-figure="{name}">\n\n{picture}\n\n{data}</div>\n'

    up = "../" * (path.count("/") + 1)
    content = FIGURE.sub(figure, content)
    content = PREDICTION.sub(r'<div class="prediction" data-answer="\2">' + "\n\n" + r"\1" + "\n</div>\n", content)
    return POSITION.sub(rf'<a class="position" href="{up}page/index.html#\1">Open this position in the page of the screen</a>', content)


def origin():
    """The address of the repository on GitHub from which this one was cloned; empty for another origin or none."""
    git = subprocess.run(["git", "config", "remote.origin.url"], capture_output=True, text=True)
    match = re.fullmatch(r"(?:https://|git@|ssh://git@)github\.com[:/](\S+?)(?:\.git)?/?", git.stdout.strip())
    return f"https://github.com/{match[1]}" if match else ""


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    repository = context["config"].get("output", {}).get("html", {}).get("git-repository-url", "").rstrip("/") or origin()
    listed = [chapter for chapter in chapters(book["items"]) if chapter["path"]]
    pages = {chapter["path"]: (chapter["name"], headings(chapter["content"])) for chapter in listed}
    for chapter in listed:
        if chapter["path"].startswith("lessons/"):
            chapter["content"] = with_tables(chapter["content"])
        chapter["content"] = with_figures(
            with_links(with_signs(SETTINGS.sub("", chapter["content"])), chapter["path"], pages, repository), chapter["path"]
        )
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
