#!/usr/bin/env python3
"""Makes the results on the pages of the lessons from what `texam lesson N --run --json` prints.

    make                                  # the binary; TEXAM names another one
    scripts/lessons.py 1 12               # writes the results of lessons 1 and 12 into their pages
    scripts/lessons.py --check 12         # writes nothing, and says whether the page stays as it is

`scripts/lessons/NAME.txt` is the template of the result on `docs/lessons/NAME.md`. A place `{2 passes.-1.match .4}` in it is the value
at this path in the JSON object that the second command printed, with four digits after the point. A number in a path is an index into a
list, and `(p_adv[de,r4].o)` is the entry of a list whose `weight` this is; a dash stands for a missing entry. The format is `.N` for N
digits, or `+.N` for a sign too; without one a value stands as it is. `{3}` is the whole text that the third command printed.

A line with `*` in a path is repeated for every entry of the list, and `{#}` in it is the index. Lines that begin with `|` are rows of a
table: their cells are aligned, and the first row is the heading.
"""

import argparse
import difflib
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXAM = os.environ.get("TEXAM", str(ROOT / "target/release/texam"))


def value_at(value, path):
    """The value at a path, and None if it is the entry of a weight that is missing."""
    for step in re.findall(r"\([^)]*\)|[^.()]+", path):
        if step.startswith("("):
            value = next((entry for entry in value if entry["weight"] == step[1:-1]), None)
        elif value is not None:
            value = value[int(step) if isinstance(value, list) else step]
    return value


def fill_place(place, index, outputs):
    if place == "#":
        return str(index)
    step, path, form, *_ = [*place.split(" "), "", ""]
    value = value_at(outputs[int(step) - 1], path.replace("*", str(index)))
    return "-" if value is None else format(value, f"{form}f") if form else str(value).rstrip()


def fill_line(line, outputs):
    """The lines that a line of a template becomes."""
    repeated = re.search(r"\{(\d+) ([^}]*?)\.\*", line)
    count = len(value_at(outputs[int(repeated[1]) - 1], repeated[2])) if repeated else 1
    for index in range(count):
        yield re.sub(r"\{([^}]*)\}", lambda place: fill_place(place[1], index, outputs), line).rstrip()


def aligned(rows):
    """The lines of a table: names to the left, numbers to the right, and a rule below the heading."""
    table = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    widths = [max(map(len, column)) for column in itertools.zip_longest(*table, fillvalue="")]
    cells = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in table]
    lines = ["  ".join(row).rstrip() for row in cells]
    return [lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]


def fill(template, outputs):
    """The result that a template becomes by the outputs of the commands."""
    lines = itertools.chain.from_iterable(fill_line(line, outputs) for line in template.splitlines())
    groups = itertools.groupby(lines, lambda line: line.startswith("|"))
    filled = [line for is_table, group in groups for line in (aligned(group) if is_table else group)]
    return "".join(f"{line}\n" for line in filled)


def page_of(number):
    [page] = (ROOT / "docs/lessons").glob(f"{number:02}-*.md")
    return page


def template_of(page):
    return (ROOT / "scripts/lessons" / f"{page.stem}.txt").read_text(encoding="utf-8")


def remade(page, report):
    """The text of a page with the result of a run. A result that is the same keeps the version that computed it."""
    result = fill(template_of(page), [command["output"] for command in report["commands"]])
    stored = re.compile(r"(\n## Result\n.*?```text\n)(.*?)(```\n\n[^\n]*\n)", re.S)
    new = f"{result}```\n\nComputed by texam {report['version']}.\n"
    kept = lambda found: found[0] if found[2] == result else found[1] + new
    return stored.sub(kept, page.read_text(encoding="utf-8"), count=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", metavar="N", type=int, nargs="+", help="numbers of lessons")
    parser.add_argument("--check", action="store_true", help="compare the pages, and write nothing")
    options = parser.parse_args()
    for page, number in [(page_of(number), number) for number in options.numbers]:
        run = subprocess.run([TEXAM, "lesson", str(number), "--run", "--json"], stdout=subprocess.PIPE, check=True)
        before, after = page.read_text(encoding="utf-8"), remade(page, json.loads(run.stdout))
        if not options.check:
            page.write_text(after, encoding="utf-8")
        elif before != after:
            sys.exit("\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), page.name, "computed", lineterm="")))


if __name__ == "__main__":
    main()
