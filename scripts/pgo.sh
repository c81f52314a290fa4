#!/bin/sh
# Builds texam under the given name, optimised with a profile of its own search, and prints what that gained
# beside an ordinary build. `make pgo` calls it. It needs the tools of the LLVM in rustc: rustup component add
# llvm-tools
set -eu
exe=${1:?the name of the program to build is missing}
flags=${FLAGS--C target-cpu=native}
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=${LLVM_PROFDATA:-$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata}
if [ ! -x "$profdata" ]; then
    version=$(rustc -vV | sed -n 's/^LLVM version: //p')
    echo "there is no $profdata: add it with 'rustup component add llvm-tools'," >&2
    echo "or set LLVM_PROFDATA to the llvm-profdata of LLVM $version, that of rustc" >&2
    exit 2
fi
ordinary=${CARGO_TARGET_DIR:-target}
mkdir -p "$ordinary/pgo"
target=$(cd "$ordinary/pgo" && pwd)
build() { # name, another flag, which may hold blanks; with --target flags do not concern the build scripts
    CARGO_INCREMENTAL=0 CARGO_TARGET_DIR=$target/$1 CARGO_ENCODED_RUSTFLAGS=$(printf '%s\037' $flags)$2 \
        cargo build --release --locked --bin texam --target "$host" >&2
    echo "$target/$1/$host/release/texam"
}
RUSTFLAGS=$flags cargo build --release --locked --bin texam
plain=$ordinary/release/texam
training=$(build training "-Cprofile-generate=$target/profiles")
rm -rf "$target/profiles"
"$training" bench --positions 300 --rounds 1 >/dev/null
"$training" bench --positions 300 --rounds 1 --after start >/dev/null
"$profdata" merge -o "$target/texam.profdata" "$target/profiles"
optimised=$(build optimised "-Cprofile-use=$target/texam.profdata")
cp "$optimised" "$exe"

# What it costs, in instructions where valgrind counts them, and else in time.
count() { # program, positions
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" bench --positions "$2" --rounds 1 2>&1 |
        sed -n 's/^.*Collected : //p'
}
speed() { "$1" bench --positions 1000 --rounds 1 | sed -n 's/^[0-9]* nodes \([0-9]*\) nps$/\1/p'; }
counts=
if command -v valgrind >/dev/null; then
    counts=$(for program in "$plain" "$optimised"; do count "$program" 300 && count "$program" 100; done)
fi
if [ "$(echo "$counts" | wc -w)" = 4 ]; then # valgrind does not know every instruction of new processors
    echo $counts | awk '{
        printf "instructions a position: %d without the profile, %d with it: %.1f %% fewer\n", ($1 - $2) / 200,
            ($3 - $4) / 200, 100 * (1 - ($3 - $4) / ($1 - $2))
    }'
else
    echo "$(speed "$plain") $(speed "$optimised")" |
        awk '{ printf "nodes a second: %d without the profile, %d with it: %.2f times as fast\n", $1, $2, $2 / $1 }'
fi
