#!/bin/sh
# Computes how long runs of 15 fits take on many cores. docs/SCALE.md has the formula. The measured figures are options
# of awk:
#
#   scripts/scale_table.sh [-v position=0.003] [-v rate=40e6] ...
set -eu
awk -v position=0.00174 -v rows=7e-6 -v solve=0.004 -v rate=79e6 -v per_game=687 -v positions=36.1 -v threads=16 \
    -v weights=155 -v bandwidth=1e9 -v latency=5e-5 "$@" '
function per_cent(part, whole) { return sprintf("%.1f %%", 100 * part / whole) }
BEGIN {
    passes = 16
    triangle = weights * (weights + 1) / 2
    bytes = 24 * (2 * triangle + 4 * weights + 560)
    printf "bytes that each process sends in a pass: %d kB\n\n", bytes / 1000
    print "                            one pass                       15 fits  share of the run"
    print "  games  cores  processes     search       fit   exchange           exchange  reading"
    split("2 64 1024", of_cores, " ")
    for (games = 1e4; games <= 1e6; games *= 10) for (i = 1; i <= 3; i++) {
        cores = of_cores[i]
        processes = cores < threads ? 1 : cores / threads
        search = games * positions * position / cores
        fit = games * positions * rows / cores + solve
        exchange = 2 * log(processes) / log(2) * (latency + bytes / 2 / bandwidth)
        reading = games * per_game / rate
        run = reading + passes * (search + fit + exchange)
        time = run < 3600 ? sprintf("%.0f s", run) : sprintf("%.1f h", run / 3600)
        printf "%7d  %5d  %9d  %7.1f s  %6.2f s  %7.4f s  %7s  %8s  %7s\n", games, cores, processes, search, fit, exchange, \
            time, per_cent(passes * exchange, run), per_cent(reading, run)
    }
}'
