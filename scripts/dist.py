#!/usr/bin/env python3
"""Builds what a release offers into target/dist, and runs each archive there. `make dist` calls it.

    scripts/dist.py             all that Linux can build
    scripts/dist.py PART...     some of it: names of PLATFORMS, page; then the comparison of all runs, and SHA256SUMS
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
OUT = TARGET / "dist"
# The target of Rust, and what runs its programs on x86-64 Linux. 2.17 is the oldest glibc that works.
PLATFORMS = {
    "x86_64-linux": ("x86_64-unknown-linux-gnu.2.17", []),
    "aarch64-linux": ("aarch64-unknown-linux-gnu.2.17", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
    "x86_64-windows": ("x86_64-pc-windows-gnu", ["wine"]),
    "aarch64-macos": ("aarch64-apple-darwin", []),
    "x86_64-macos": ("x86_64-apple-darwin", []),
}
# What a part needs, and how to install it: names of Debian and PyPI.
TOOLS = {
    "cargo-zigbuild": ("linux", "target/venv/bin/pip install cargo-zigbuild ziglang"),
    "maturin": ("-", "target/venv/bin/pip install maturin"),
    "x86_64-w64-mingw32-gcc": ("windows", "apt install gcc-mingw-w64-x86-64"),
}
RUNNERS = {"qemu-aarch64": "apt install qemu-user libc6-arm64-cross", "wine": "apt install wine wine64"}


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def run(*command, **options):
    subprocess.run(command, check=True, stdout=sys.stderr, **options)


def missing(parts):
    """What has to be installed before these parts can be built."""
    yield from (f"expected {', '.join(PLATFORMS)} or page, but found {part}" for part in parts if part not in [*PLATFORMS, "page"])
    for tool, (part, remedy) in TOOLS.items():
        if any(part in name for name in parts) and not shutil.which(tool):
            yield f"expected {tool}: {remedy}"
    for name in parts:
        if name in PLATFORMS and (runner := PLATFORMS[name][1]):
            if not shutil.which(runner[0]):
                yield f"expected {runner[0]}: {RUNNERS[runner[0]]}"
            if "x86_64-linux" not in parts and not list(OUT.glob("texam-*-x86_64-linux")):
                yield f"expected x86_64-linux before {name}"
    triples = (PLATFORMS[name][0].removesuffix(".2.17") if name in PLATFORMS else "wasm32-unknown-unknown" for name in parts)
    for triple in triples:
        if not Path(output("rustc", "--print=target-libdir", f"--target={triple}").strip()).is_dir():
            yield f"expected the target {triple}: rustup target add {triple}"


def notices(packages):
    """The licences of what is linked into the program, the page and the Python package."""
    used = output("cargo", "tree", "--locked", "--target=all", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}",
                  *(f"--package={name}" for name in ("texam", "texam-web", "texam-python")))
    used = {tuple(line.split()[:2]) for line in used.splitlines()}
    lines, texts = [], {}
    for package in packages:
        name = package["name"] + " " + package["version"]
        if package["source"] and (package["name"], "v" + package["version"]) in used:
            lines.append(f"{name}: {package['license']}, {package['repository']}")
            for file in sorted(Path(package["manifest_path"]).parent.iterdir()):
                if file.is_file() and file.name.upper().startswith(("LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")):
                    text = file.read_text("utf-8")
                    texts.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    return "\n".join([
        "texam has the licence GPL-3.0-or-later, whose text is in LICENSE. It contains the standard library of Rust (MIT OR Apache-2.0,",
        "https://github.com/rust-lang/rust) and these libraries, whose licences follow:\n", *lines,
        *(f"\n{'-' * 80}\n{', '.join(names)}:\n\n{text}" for text, names in texts.values())]) + "\n"


def build(name, version):
    """Makes the archive of a platform, and the wheel."""
    triple, runner = PLATFORMS[name]
    zig, folder = "linux" in name, OUT / f"texam-{version}-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    run("cargo", "zigbuild" if zig else "build", "--release", "--locked", "--bin=texam", f"--target={triple}")
    triple = triple.removesuffix(".2.17")
    wheel = ["--zig", "--compatibility=manylinux_2_17"] if zig else []
    run("maturin", "build", "--release", "--locked", f"--target={triple}", "--manifest-path=python/Cargo.toml", f"--out={OUT}", *wheel)
    (folder / "completions").mkdir(parents=True)
    program = shutil.copy2(TARGET / triple / "release" / ("texam.exe" if "windows" in name else "texam"), folder)
    if runner:  # These texts are the same everywhere.
        for part in ("man", "completions"):
            shutil.copytree(OUT / f"texam-{version}-x86_64-linux" / part, folder / part, dirs_exist_ok=True)
    else:
        output(program, "man", "--out", folder / "man/man1")
        for shell, file in (("bash", "texam.bash"), ("zsh", "_texam"), ("fish", "texam.fish")):
            (folder / "completions" / file).write_text(output(program, "completions", shell))
    for part in ("docs", "params", "games"):
        shutil.copytree(part, folder / part)
    for file in ("README.md", "LICENSE", TARGET / "NOTICES"):
        shutil.copy(file, folder)
    return shutil.make_archive(str(folder), "zip" if "windows" in name else "gztar", OUT, folder.name)


def check(name, archive):
    """Unpacks an archive into an empty folder whose name has a blank, makes a small fit there, and stores the digests of its files."""
    runner, folder = PLATFORMS[name][1], OUT / f"check {name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.unpack_archive(archive, folder)
    (folder,) = folder.iterdir()
    program = folder / ("texam.exe" if "windows" in name else "texam")
    if "windows" in name:  # Wine before 8.3 lacks this library.
        run("x86_64-w64-mingw32-gcc", "-shared", "-o", folder / "bcryptprimitives.dll", "scripts/bcryptprimitives.c", "-ladvapi32")
    quiet = {"WINEPREFIX": str(TARGET / "wine"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
    program.chmod(0o755)  # A .zip does not have it.
    run(*runner, program, "fit", "--every", "40", "--iterations", "1", cwd=folder, env=os.environ | quiet)
    files = sorted((folder / "stats").iterdir())
    (OUT / "digests").mkdir(exist_ok=True)
    (OUT / "digests" / name).write_text("".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  stats/{f.name}\n" for f in files))
    print(f"{name}: {len(files)} files")


def main(parts):
    os.chdir(ROOT)
    os.environ["CARGO_PROFILE_RELEASE_DEBUG"] = "none"  # Line numbers are three quarters of a program.
    os.environ["PATH"] = f"{TARGET / 'venv/bin'}:{os.environ['PATH']}"
    if not parts:
        shutil.rmtree(OUT, ignore_errors=True)
    parts = parts or ["x86_64-linux", "aarch64-linux", "x86_64-windows", "page"]
    if problems := list(missing(parts)):
        sys.exit("\n".join(f"dist: {problem}" for problem in problems))
    packages = json.loads(output("cargo", "metadata", "--locked", "--format-version=1"))["packages"]
    (version,) = (package["version"] for package in packages if package["name"] == "texam")
    (TARGET / "NOTICES").write_text(notices(packages), "utf-8")
    shutil.copy(TARGET / "NOTICES", "python/NOTICES")
    for part in parts:
        if part in PLATFORMS:
            check(part, build(part, version))
        elif part == "page":
            shutil.rmtree(TARGET / "page", ignore_errors=True)
            run("make", "web", env=os.environ | {"NOTICES": "NOTICES.txt"})
            shutil.copy(TARGET / "NOTICES", TARGET / "page/NOTICES.txt")
            shutil.make_archive(str(OUT / f"texam-{version}-page"), "gztar", TARGET, "page")
    runs = {file.name: file.read_text() for file in (OUT / "digests").glob("*")}
    if len(set(runs.values())) > 1:
        sys.exit(f"dist: the files of a fit differ: compare the files of {OUT / 'digests'}")
    if runs:
        print(f"the same bytes: {', '.join(runs)}")
    files = sorted(file for file in OUT.iterdir() if file.is_file() and file.name != "SHA256SUMS")
    (OUT / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files))


main(sys.argv[1:])
