#!/usr/bin/env bash
# Counts the instructions of a search, of a pass over stored trees and of fits to rows, and compares them with
# benches/expected.txt: at most 2 per cent more, and exactly as many nodes. `.ci/run` calls it.
#
#   scripts/instructions.sh [PROGRAM]            # fails where a part costs more
#   scripts/instructions.sh --update [PROGRAM]   # writes what it counts to the file, for a change that means to alter it
#
# PROGRAM is a release build, target/release/texam if it is not given. Needs valgrind.
set -euo pipefail
shopt -s inherit_errexit
update=false
if [ "${1:-}" = --update ]; then update=true && shift; fi
program=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
: "${program:=$(realpath "${CARGO_TARGET_DIR:-target}/release/texam")}"
expected=benches/expected.txt
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

count() { # the instructions of the program with these arguments; what it prints is in the file "output"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" >"$folder/output" 2>"$folder/messages" || {
        cat "$folder/messages" >&2
        return 1
    }
    sed -n 's/^.*Collected : //p' "$folder/messages"
}
bench() { # instructions and nodes of a search of so many positions
    count bench --positions "$1" --rounds 1
    sed -n 's/^\([0-9]*\) nodes.*/\1/p' "$folder/output"
}
fit() { # instructions of so many fits
    count fit "${@:2}" --iterations "$1" --holdout none --threads 1 --out "$folder" --name counted --overwrite
}

# Differences leave out the start of the program.
more=$(bench 60)
fewer=$(bench 20)
echo $more $fewer | awk '{ print "search", $1 - $3, $2 - $4 }' >"$folder/found"

awk '/^\[Event /{ games++ } games <= 20' games/gm1988.pgn >"$folder/games.pgn"
"$program" presearch "$folder/games.pgn" --depth 2 -o "$folder/trees.dbf" >/dev/null
more=$(fit 2 "$folder/trees.dbf" --trees --depth 2)
fewer=$(fit 1 "$folder/trees.dbf" --trees --depth 2)
echo trees $((more - fewer)) - >>"$folder/found"

"$program" rows --every 23 --depth 1 -o "$folder/choices" >/dev/null
rows=$(fit 1 --choices "$folder/choices" --weights "$folder/weights.csv" --objective softmax)
echo rows "$rows" - >>"$folder/found"

# Labelled rows of an engine whose phase has many decimals: 37 pairs of 200 in a row, by a generator of Park and Miller.
awk 'function random() { return state = state * 16807 % 2147483647 }
    BEGIN {
        state = 1
        for (row = 0; row < 1500; row++) {
            printf "%s phase:0.%06d", random() % 3 / 2, random() % 1000000
            for (pair = column = 0; pair < 37; pair++) {
                column += 1 + random() % 5
                printf " %d+:%d", 2 * column + 1, random() % 4 + 1
            }
            printf " # game:%d\n", row / 5 + 1
        }
    }' >"$folder/phase"
awk 'BEGIN { print "name,value,tune"; for (at = 0; at < 402; at++) print "w" at "," at % 50 - 25 ",true" }' >"$folder/phase.csv"
phase=$(fit 1 --choices "$folder/phase" --weights "$folder/phase.csv" --objective logistic)
echo phase "$phase" - >>"$folder/found"

if $update; then
    { sed '/^[^#]/d' $expected; cat "$folder/found"; } >"$folder/expected"
    cp "$folder/expected" $expected
fi
awk '
    /^#/ { next }
    NR == FNR { instructions[$1] = $2; nodes[$1] = $3; next }
    {
        printf "%-8s %12.0f instructions, %+.2f %%, nodes %s\n", $1, $2, 100 * ($2 / instructions[$1] - 1), $3
        if ($2 > 1.02 * instructions[$1]) fault = fault sprintf("%s: expected at most 2 %% more than %.0f instructions, but found %.0f\n", $1, instructions[$1], $2)
        if ($3 != nodes[$1]) fault = fault sprintf("%s: expected %s nodes, but found %s\n", $1, nodes[$1], $3)
    }
    END {
        if (!fault) exit
        printf "%sWhere a change means to do this, run scripts/instructions.sh --update and commit %s with the reason.\n", fault, "'$expected'" >"/dev/stderr"
        exit 1
    }
' $expected "$folder/found"
