#!/usr/bin/env bash
# Checks that the program writes the same bytes for Windows and ARM as here: a small fit of each objective, one to rows that a command
# prints, a match and an export. They run under wine and qemu. Under wine it also checks names, ends of lines, uci and Ctrl-C. `.ci/run` calls it.
#
#   scripts/everywhere.sh [PROGRAM]
#
# PROGRAM is a release build, target/release/texam if it is not given. Windows needs mingw-w64, wine64 and script (util-linux), ARM needs
# qemu-user and gcc-aarch64-linux-gnu, and both their target by `rustup target add`. What is missing is left out.
set -euo pipefail
shopt -s inherit_errexit nullglob
program=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
: "${program:=$(realpath "${CARGO_TARGET_DIR:-target}/release/texam")}"
builds=$(realpath "${CARGO_TARGET_DIR:-target}")
folder=$(mktemp -d)
# The linker of mingw takes no blanks.
[[ $builds != *' '* ]] || builds=$folder/builds
trap 'rm -rf "$folder" || true' EXIT
root=$PWD
windows=x86_64-pc-windows-gnu
arm=aarch64-unknown-linux-gnu
wine=$(command -v wine64 /usr/lib/wine/wine64 wine | head -n 1 || true)
export CARGO_TARGET_DIR=$builds CARGO_PROFILE_DEV_DEBUG=none CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export RUSTFLAGS="-D warnings" WINEPREFIX=$folder/wine WINEDEBUG=-all

fail() { echo "$1" >&2 && exit 1; }
can_build() { # says what is missing for a target that needs these commands
    for needed in "${@:2}"; do command -v "$needed" >/dev/null || { echo "left out: $1: needs $needed" && return 1; }; done
    [ -d "$(rustc --print target-libdir --target "$1")" ] || { echo "left out: $1: needs rustup target add $1" && return 1; }
}
texam() { # the program of this platform; 1 is a fit that is no better than its start
    "${start[@]}" "$@" >output 2>messages || [ $? = 1 ] || { cat messages >&2 && fail "$platform: texam $*"; }
}
small_fit() { texam fit --every 100 --iterations 1 --out runs "$@"; }

make_files() { # in a folder with a blank, by the program that starts so
    platform=$1 start=("${@:2}")
    mkdir -p "$folder/of $1/other rows"
    cd "$folder/of $1"
    for objective in $objectives; do small_fit --objective "$objective" --name "$objective"; done
    texam rows --every 40 --depth 1 -o "other rows/choices"
    # One line for both shells, since the record has it.
    local line='cat "other rows/choices" || type "other rows\choices" <{weights}'
    texam fit --choices-from "$line" --weights "other rows/weights.csv" --objective softmax --iterations 1 --out runs --name rows
    texam match start material --games 4 --nodes 50 --json
    mv output match.json
    texam export best --to csv -o best.csv
    rm -f output messages
    find . -type f -print0 | sort -z | xargs -0 sha256sum >"$folder/$1.sums"
    diff "$folder/Linux.sums" "$folder/$1.sums" || fail "$1: expected the bytes of Linux"
    echo "$1: the same bytes in $(wc -l <"$folder/$1.sums") files"
}

check_windows() { # in its folder
    "${start[@]}" fit --every 40 --name NUL >output 2>&1 || true
    printf 'uci\nquit\n' | "${start[@]}" uci >>output
    for words in 'expected a plain name' uciok; do grep --quiet "$words" output || fail "Windows: expected '$words'"; done
    head -n 4000 "$root/games/gm1988.pgn" >lf.pgn
    sed 's/$/\r/' lf.pgn >crlf.pgn
    for ends in lf crlf; do small_fit $ends.pgn --name $ends; done
    cmp <(grep -v '^#' runs/lf-01.par) <(grep -v '^#' runs/crlf-01.par)
    # In a terminal wine has a console, where Ctrl-C is a key.
    local fit=("${start[@]}" fit --choices-from '..\bin\texam bench --depth 3 --rounds 71777 <{weights}' --weights "other rows/weights.csv" --objective softmax --out cut --name cut)
    { await test -e cut/.cut.lock; sleep 1; printf '\003'; await test ! -e cut/.cut.lock; } |
        script --quiet --command "$(printf '%q ' "${fit[@]}")" /dev/null >output || true
    grep --quiet 'finished work is kept' output || { cat output >&2; fail "Windows: expected Ctrl-C to be answered"; }
    local left=(cu[t] "$WINEPREFIX"/drive_c/users/*/Temp/texam-*)
    [ ${#left[@]} = 0 ] || fail "Windows: Ctrl-C leaves ${left[*]}"
    ! grep --quiet --text '71[7]77' /proc/[0-9]*/cmdline 2>/dev/null || fail "Windows: Ctrl-C leaves the command of a fit"
}
await() { for _ in {1..300}; do if "$@"; then return; fi; sleep 0.1; done; }

objectives=$("$program" fit --help | sed -n 's/.*What is fitted: \(.*\) \[default.*/\1/p' | sed 's/,\| or / /g')
(make_files Linux "$program")
if can_build $windows x86_64-w64-mingw32-gcc script "${wine:-wine64}"; then
    cargo check --tests --locked --target $windows
    cargo build --locked --bin texam --target $windows
    mkdir "$folder/bin"
    cp "$builds/$windows/debug/texam.exe" "$folder/bin"
    x86_64-w64-mingw32-gcc -shared -o "$folder/bin/bcryptprimitives.dll" scripts/bcryptprimitives.c -ladvapi32
    (make_files Windows "$wine" "$folder/bin/texam.exe"; check_windows)
fi
if can_build $arm aarch64-linux-gnu-gcc qemu-aarch64; then
    cargo build --locked --bin texam --target $arm
    (make_files ARM qemu-aarch64 -L /usr/aarch64-linux-gnu "$builds/$arm/debug/texam")
fi
