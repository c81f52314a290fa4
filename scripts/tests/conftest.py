"""The scripts as modules, and the built book, which several files of tests look at. Where mdBook, its preprocessor or a browser are missing, tests that need them are
skipped, or fail if TEXAM_REQUIRE_BOOK or TEXAM_REQUIRE_BROWSER is set."""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pages import PROGRAM

ROOT = Path(__file__).parents[2]


def load(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"scripts/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def need(programs, variable):
    missing = [name for name in programs if shutil.which(name) is None]
    if missing and os.environ.get(variable):
        pytest.fail(f"{variable} is set, but these are not installed: {', '.join(missing)}")
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}")


def build_book(docs, folder):
    """Builds a book; what mdBook says that is not of its version."""
    command = ["mdbook", "build", docs, "--dest-dir", folder]
    output = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    assert output.returncode == 0, output.stderr
    return [line for line in output.stderr.splitlines() if re.search("WARN|ERROR", line) and "was built against" not in line]


@pytest.fixture(scope="session")
def mdbook():
    need(["mdbook", "mdbook-katex"], "TEXAM_REQUIRE_BOOK")


@pytest.fixture(scope="session")
def built(mdbook, tmp_path_factory):
    """The folder of the book, and the warnings of its build."""
    folder = tmp_path_factory.mktemp("book").resolve()
    return folder, build_book(ROOT / "docs", folder)


@pytest.fixture(scope="session")
def book_in_browser(built):
    """The folder of the book, where there is a browser to show it."""
    need([PROGRAM or "chromium"], "TEXAM_REQUIRE_BROWSER")
    return built[0]
