#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kills runs at random moments: every complete frame stays readable, and --resume ends with the same bits as a run that
# nobody disturbed. usage: kill.sh WEFT [TIMES]; 10 times, 50 if WEFT_LONG is set
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"
times=${2:-$([ -n "${WEFT_LONG-}" ] && echo 50 || echo 10)}
tiny 20 40 >tiny.yaml

start=$(date +%s%N)
"$weft" run tiny.yaml -o whole --no-pictures --quiet || fail "the run that nobody disturbs"
whole=$((($(date +%s%N) - start) / 1000))
hash=$(field hash whole)
echo "undisturbed: $((whole / 1000)) ms, hash $hash"

n_done=0 n_cut=0 safe=-1
for i in $(seq "$times"); do
    "$weft" run tiny.yaml --resume -o cut --no-pictures --quiet 2>said.txt &
    pid=$!
    pause=$(((RANDOM * 32768 + RANDOM) % (whole * 6 / 10 + 1)))
    sleep "$(printf '%d.%06d' $((pause / 1000000)) $((pause % 1000000)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    [ $code -eq 137 ] || [ $code -eq 0 ] || fail "exit code $code: $(cat said.txt)"
    [ -e cut/cache.weft ] || continue
    "$weft" info cut --check >info.txt 2>&1 || fail "kill $i: $(cat info.txt)"
    n_frames=$(field frames cut)
    restart=$(field last_restart cut)
    [ "$n_frames" -gt "$safe" ] || fail "kill $i: frame $safe had a restart point, now there are $n_frames frames"
    safe=${restart:--1}
    n_cut=$((n_cut + 1))
    # Complete before the blow came: once more from the start.
    if [ $code -eq 0 ]; then
        [ "$(field hash cut)" = "$hash" ] || fail "kill $i: the hash is another one"
        n_done=$((n_done + 1))
        rm -rf cut
        safe=-1
    fi
done
"$weft" run tiny.yaml --resume -o cut --no-pictures --quiet || fail "the last resume"
[ "$(field hash cut)" = "$hash" ] || fail "the hash at the end is another one"
[ "$(wc -l <cut/stats.csv)" = 42 ] || fail "stats.csv has not a line a frame"
echo "$times kills, $n_cut left a cache, $n_done runs came to their end; all frames readable, the same hash"
