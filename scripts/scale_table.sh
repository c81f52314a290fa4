#!/bin/sh
# Computes how long runs of 15 fits on many cores take, as docs/SCALE.md explains. The measured figures are options:
#
#   scripts/scale_table.sh [-v position=0.004] [-v rate=40e6] ...
set -eu
awk -v position=POSITION -v fit=0.12 -v rate=RATE -v per_game=687 -v positions=36.1 -v threads=16 -v weights=155 \
    -v bandwidth=1e9 -v latency=5e-5 "$@" 'BEGIN {
    passes = 16
    numbers = weights * (weights + 1) / 2 + 4 * weights + 560
    bytes = 24 * (numbers + weights * (weights + 1) / 2)
    printf "bytes that a rank sends in a pass: %d kB\n\n", bytes / 1000
    print "    games  cores  ranks  search of a pass  exchange  fit    reading    run  reading/run  exchange/run"
    for (g = 1e4; g <= 1e6; g *= 10) for (i = 1; i <= 3; i++) {
        cores = i == 1 ? 2 : i == 2 ? 64 : 1024
        ranks = cores < threads ? 1 : cores / threads
        search = g * positions * position / cores
        steps = 0
        for (r = 1; r < ranks; r *= 2) steps++
        exchange = 2 * steps * (latency + bytes / 2 / bandwidth)
        reading = g * per_game / rate
        run = reading + passes * (search + exchange + fit)
        printf "%9d  %5d  %5d  %14.2f s  %6.3f s  %.2f s  %5.1f s  %7.0f s  %8.1f %%  %9.2f %%\n", g, cores, ranks, search, \
            exchange, fit, reading, run, 100 * reading / run, 100 * passes * exchange / run
    }
}'
