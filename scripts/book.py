#!/usr/bin/env python3
"""A preprocessor of mdBook, which docs/book.toml names: it prepares the pages, written for GitHub, for the book.

- A link whose text is the file name of its page gets the title of the page, and of the section that it leads to.
- A link to a file of the repository that is not in the book leads to git-repository-url in docs/book.toml. While that is not set,
  the text of the link remains.
- The settings at the head of the slides are left out.
- Signed numbers in formulas get braces.

Needs Python 3.9 or later and no other package.
"""

import json
import posixpath
import re
import sys

# Blocks and spans of code, in which nothing is a link, or a link that is not a picture.
CODE_OR_LINK = re.compile(r"^ *```.*?^ *```|(?P<ticks>`+).+?(?P=ticks)|(?<!!)\[(?P<text>[^][]+)\]\((?P<target>[^()\s]+)\)", re.M | re.S)
CODE_OR_FORMULA = re.compile(r"^ *```.*?^ *```|(?P<ticks>`+).+?(?P=ticks)|(?P<formula>\$\$.+?\$\$|\$[^$]+\$)", re.M | re.S)
# The sign of a number, as in = -6.
SIGNED = re.compile(r"(?<=[=(&,])( ?)([-+]\d[\d.]*)")
# The name of a page as the text of a link: METHOD or METHOD.md.
PAGE_NAME = re.compile(r"[A-Z][A-Z-]+(\.md)?")
SETTINGS = re.compile(r"\A---\n.*?\n---\n", re.S)


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


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    repository = context["config"].get("output", {}).get("html", {}).get("git-repository-url", "").rstrip("/")
    listed = [chapter for chapter in chapters(book["items"]) if chapter["path"]]
    pages = {chapter["path"]: (chapter["name"], headings(chapter["content"])) for chapter in listed}
    for chapter in listed:
        chapter["content"] = with_links(with_signs(SETTINGS.sub("", chapter["content"])), chapter["path"], pages, repository)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
