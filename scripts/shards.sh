#!/bin/sh
# Makes one run of texam fit in shards. The run has the same files as one with texam fit --name, byte for byte.
# The arguments are the name of the run with its folder, the number of shards, and the arguments of texam fit:
#
#   scripts/shards.sh stats/big 16 games.pgn --objective softmax --threads 1
#   HOSTS='node1 node2' scripts/shards.sh stats/big 2 games.pgn
#
# All shards of a pass are searched at the same time, on this machine or on the machines of HOSTS. The script assigns
# the shards to these machines in turn and connects by ssh. The machines must share this folder. To continue a run that
# was interrupted, give the same command again. Set TEXAM to the path of texam if it is not on the PATH.
set -eu
run=${1:?the name of the run is missing} count=${2:?the number of shards is missing} texam=${TEXAM:-texam}
shift 2
case $run in -*) run=./$run ;; esac # no option of the commands below
quoted() { # ssh joins words, so each is quoted for the shell of the other machine
    for word; do printf "'%s' " "$(printf %s "$word" | sed "s/'/'\\\\''/g")"; done
}
search() { # shard, arguments
    number=$1
    shift
    [ -n "${HOSTS:-}" ] || exec "$texam" "$@"
    words="cd $(quoted "$PWD") && $(quoted "$texam" "$@")"
    set -- $HOSTS
    shift $(((number - 1) % $#))
    exec ssh "$1" "$words"
}
[ "$count" -ge 1 ] 2>/dev/null || { echo "expected a number of shards, but found $count" >&2 && exit 2; }
mkdir -p "$(dirname "$run")"
fit=0 pass=
for weights in "$run"-[0-9][0-9].par "$run"-[0-9][0-9][0-9].par; do # the fit before the pass that was interrupted
    [ ! -f "${weights%.par}.fit" ] || pass=$weights fit=$(expr "$weights" : '.*-0*\([0-9]*\)[.]par')
done
for taken in "$run-01.par" "$run-00.csv"; do
    if [ "$fit" = 0 ] && [ -e "$taken" ]; then echo "$taken is there: give another name" >&2 && exit 2; fi
done
folder=$run-sums # of the files of sums, and of the best moves that each pass of a shard hands to the next
sums=$folder/$$ # searches that an earlier start of the script has left on other machines write to other names
searches=
remove() {
    rm -f "$folder"/*.bin "$folder"/*.hints
    rmdir "$folder" 2>/dev/null || :
}
ended() { # nothing is left: no search, no file of sums
    trap '' HUP INT TERM
    kill $searches 2>/dev/null || :
    wait
    remove
    exit $((128 + $1))
}
trap 'ended 1' HUP
trap 'ended 2' INT
trap 'ended 15' TERM
while [ "$fit" = 0 ] || [ -f "$pass" ]; do
    mkdir -p "$folder"
    rm -f "$folder"/*.bin
    for shard in $(seq "$count"); do
        search "$shard" fit "$@" --shard "$shard/$count" ${pass:+--pass "$pass"} -o "$sums-$fit-$shard.bin" &
        searches="$searches $!"
    done
    wait
    pass=$(printf '%s-%02d.par' "$run" $((fit + 1)))
    "$texam" merge "$sums-$fit"-*.bin -o "$pass" & # a trap waits for a command in the foreground
    searches=$!
    wait $searches || [ $? = 1 ] # 1: some games were skipped
    searches=
    fit=$((fit + 1))
done
remove
