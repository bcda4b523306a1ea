#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stops runs at random moments, by kill -9, SIGTERM and Ctrl-C once or twice: every complete frame stays readable, and
# --resume, with any number of threads, and now and then --from, ends with the same bits in every frame as a run that
# nobody disturbed. Every other run is of a cloth that adapts.
# /* ctest: timeout=600 */
# usage: kill.sh WEFT [--kills N] [--seed N]; 12 kills, 300 if WEFT_LONG is set
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"
shift
kills=$([ -n "${WEFT_LONG-}" ] && echo 300 || echo 12)
RANDOM=1
while [ $# -gt 0 ]; do
    case $1 in
        --kills) kills=$2 ;;
        --seed) RANDOM=$2 ;;
        *) fail "usage: kill.sh WEFT [--kills N] [--seed N]" ;;
    esac
    shift 2
done
last=40
tiny 20 $last >plain.yaml
tiny 9 $last |
    sed 's/fabric: cotton/&\n    adapt: {max_level: 2}/; s/size: \[0.4, 0.4\]/size: [0.8, 0.8]/' >adaptive.yaml

# frames_of FOLDER: number, time and hash of each frame
frames_of() { cut -d, -f1-3 "$1/stats.csv"; }

# Of each kind: microseconds of a run; the last restart point; tenths of a run to wait for at most, more each time that
# one got no further, so that a busy machine does not keep runs from their end; how many came to it.
declare -A length safe patience n_done

undisturbed() {
    local start
    start=$(date +%s%N)
    "$weft" run "$1.yaml" -o "whole_$1" --no-pictures --quiet || fail "the run that nobody disturbs"
    length[$1]=$((($(date +%s%N) - start) / 1000)) safe[$1]=-1 patience[$1]=6 n_done[$1]=0
    "$weft" export "whole_$1" --out "whole_$1.usda" --force --quiet --no-audit || fail "export of the whole run"
    echo "$1, undisturbed: $((length[$1] / 1000)) ms, $(field nodes "whole_$1") nodes, hash $(field hash "whole_$1")"
}

# compare KIND: a run that came to its end has the bits of the undisturbed one
compare() {
    cmp <(frames_of "whole_$1") <(frames_of "cut_$1") || fail "$1: other frames than those of the undisturbed run"
    "$weft" export "cut_$1" --out "cut_$1.usda" --force --quiet --no-audit || fail "$1: export"
    cmp "whole_$1.usda" "cut_$1.usda" || fail "$1: other positions than those of the undisturbed run"
    n_done[$1]=$((n_done[$1] + 1))
}

# stop PID: by a signal of random kind
stop() {
    case $((RANDOM % 8)) in
        0) kill -TERM "$1" ;;
        1) kill -INT "$1" ;;
        2) kill -TERM "$1" && sleep 0.005 && kill -TERM "$1" ;;
        *) kill -KILL "$1" ;;
    esac 2>/dev/null
}

# disturb KIND NUMBER: starts or goes on, and stops it
disturb() {
    local kind=$1 cut=cut_$1 pause pid code n_frames restart from=()
    if [ "${safe[$kind]}" -gt 1 ] && [ $((RANDOM % 12)) -eq 0 ]; then
        from=(--from $((RANDOM % safe[$kind])))
        safe[$kind]=-1
    fi
    "$weft" run "$kind.yaml" --resume "${from[@]}" -t $((RANDOM % 3 + 1)) -o "$cut" --no-pictures --quiet 2>said.txt &
    pid=$!
    pause=$(((RANDOM * 32768 + RANDOM) % (length[$kind] * patience[$kind] / 10 + 1)))
    sleep "$(printf '%d.%06d' $((pause / 1000000)) $((pause % 1000000)))"
    stop $pid
    wait $pid 2>/dev/null
    code=$?
    case $code in 0 | 130 | 137 | 143) ;; *) fail "kill $2, ${from[*]}: exit code $code: $(cat said.txt)" ;; esac
    [ -e "$cut/cache.weft" ] || return
    "$weft" info "$cut" --check >info.txt 2>&1 || fail "kill $2: $(cat info.txt)"
    n_frames=$(field frames "$cut")
    [ "$n_frames" -gt "${safe[$kind]}" ] || fail "kill $2: frame ${safe[$kind]} was safe, there are $n_frames"
    restart=$(field last_restart "$cut")
    patience[$kind]=$((${restart:--1} > safe[$kind] ? 6 : patience[$kind] + 3))
    safe[$kind]=${restart:--1}
    # Complete before the blow came: once more from the start.
    if [ $code -eq 0 ]; then
        compare "$kind"
        rm -rf "$cut"
        safe[$kind]=-1
    fi
}

for kind in plain adaptive; do undisturbed $kind; done
for i in $(seq "$kills"); do
    disturb "$([ $((i % 2)) -eq 0 ] && echo adaptive || echo plain)" "$i"
done
for kind in plain adaptive; do
    "$weft" run $kind.yaml --resume -o cut_$kind --no-pictures --quiet || fail "$kind: the last resume"
    compare $kind
    [ "$(wc -l <cut_$kind/stats.csv)" = $((last + 2)) ] || fail "stats.csv has not a line a frame"
done
echo "$kills kills; ${n_done[plain]} plain and ${n_done[adaptive]} adaptive runs came to their end, all with the same bits"
