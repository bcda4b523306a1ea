#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A run is killed before each single call that changes the disk, and in the middle of each write; or finds the disk full
# from one of the writes on; or gets SIGTERM, once or twice, at each of these moments. Whatever it was doing (starting,
# going on, dropping frames, repairing, auditing late, making pictures), --resume ends with what an undisturbed run
# leaves: frames, stats.csv, scene, pictures, report, and no other file. kill.sh does the same by chance, with longer
# runs. All blows to all jobs if WEFT_LONG is set, else to some, kill -9 alone to most.
# /* ctest: timeout=1800 */
# usage: kill_points.sh WEFT KILL_AT [JOB..]; KILL_AT: the library made of test/preload/kill_at.c
preload=$(realpath "$2")
jobs=("${@:3}")
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"
tiny 5 5 | sed 's/fabric: cotton/&\n    adapt: {max_level: 1}/; s/restart_every: 5/restart_every: 2/; 
    s/160, height: 120/16, height: 16/
    s/centre: \[0, 0.25, 0\]/centre: [0, 0.203, 0]/' >scene.yaml
sed 's/fabric: cotton/fabric: silk/' scene.yaml >edited.yaml
go=("$weft" run -q -t 1)

# What is there before the blow.
"${go[@]}" scene.yaml -o before/complete || fail "the undisturbed run"
"${go[@]}" scene.yaml -o before/short --frames 3 || fail "the short run"
cp -r before/complete before/damaged
size=$(stat -c %s before/damaged/cache.weft)
printf '\377\377\377\377' | dd of=before/damaged/cache.weft bs=1 seek=$((size * 3 / 5)) conv=notrunc status=none
cp -r before/short before/late
"${go[@]}" --resume --audit -o before/late || fail "the late audit"
mkdir before/none

# rows FOLDER: number, time, hash and what the audit found of each frame
rows() { cut -d, -f1-3,41-43 "$1/stats.csv"; }

# is_as FOLDER OTHER [THIRD]: whether both hold the same run, for people and for programs; the scene may be of THIRD
is_as() {
    local name
    cmp -s "$1/scene.yaml" "$2/scene.yaml" || cmp -s "$1/scene.yaml" "${3:-$2}/scene.yaml" ||
        { echo "scene.yaml differs" && return 1; }
    cmp -s <(rows "$1") <(rows "$2") || { echo "stats.csv differs" && return 1; }
    for name in preview.png contact-sheet.png; do
        cmp -s "$1/$name" "$2/$name" || { echo "$name differs" && return 1; }
    done
    "$weft" export "$1" --out "$1.usda" --force --quiet --no-audit || return 1
    cmp -s "$1.usda" "$2.usda" || { echo "positions differ" && return 1; }
    cmp -s <(facts "$1") <(facts "$2") || { echo "report.html differs" && return 1; }
    cmp -s <(ls -A "$1") <(ls -A "$2") || { echo "other files: $(ls -A "$1" | tr '\n' ' ')" && return 1; }
}
# facts FOLDER: what the report tells of the frames: the hash of the last one, and the audit
facts() { grep -oE '[0-9a-f]{16}|none, exactly, in all [0-9]+ frames' "$1/report.html" | sort -u; }

# heal MOMENT: goes on by the words of `healing`, to what is expected
heal() {
    [ ! -e cut/cache.weft ] || [ "$start" = damaged ] || "$weft" info cut --check >info.txt 2>&1 ||
        fail "$1: $(cat info.txt)"
    "${go[@]}" "${healing[@]}" -o cut >said.txt 2>&1 || fail "$1: --resume: exit code $?: $(cat said.txt)"
    local folder=after
    [ -z "$otherwise" ] || [ "$(wc -l <cut/stats.csv)" = "$(wc -l <after/stats.csv)" ] || folder=$otherwise
    is_as cut $folder $otherwise >why.txt || fail "$1: $(cat why.txt)"
}

# blows HOW: one after the other, until there is no call left
blows() {
    local n code
    for ((n = 1; ; n++)); do
        rm -rf cut
        cp -r "before/$start" cut
        { KILL_AT=$n KILL_HOW=$1 LD_PRELOAD=$preload "${go[@]}" "${words[@]}" -o cut >said.txt 2>&1; } 2>/dev/null
        code=$?
        case $1-$code in
            KILL-137 | TORN-137 | FULL-2 | TERM-143 | TWICE-143)
                heal "$name, $1 at call $n ($(grep -o 'kill_at: .*' said.txt))"
                ;;
            *-0) break ;;
            *) fail "$name, $1 at call $n: exit code $code: $(cat said.txt)" ;;
        esac
        n_blows=$((n_blows + 1))
    done
    is_as cut after >why.txt || fail "$name, undisturbed: $(cat why.txt)"
    [ "$n" -gt 2 ] || fail "$name, $1: only $((n - 1)) calls were seen"
    case $1 in
        KILL) n_calls=$n ;;
        TERM | TWICE) [ "$n" -eq "$n_calls" ] || fail "$name, $1 at call $n of $((n_calls - 1)): nobody minded" ;;
    esac
    counts="$counts $1 $((n - 1))"
}

# job NAME START WORDS -- HEALING [OTHERWISE]: by WORDS from before/START; then on by HEALING. If the first blows come
# before anything was decided, the run, or its scene alone, may stay as OTHERWISE.
job() {
    name=$1 start=$2 words=() healing=() otherwise='' counts=''
    shift 2
    [ ${#jobs[@]} -eq 0 ] || [[ " ${jobs[*]} " == *" $name "* ]] || return 0
    while [ "$1" != -- ]; do words+=("$1") && shift; done
    shift
    while [ $# -gt 0 ] && [ "$1" != or ]; do healing+=("$1") && shift; done
    [ $# -eq 0 ] || otherwise=$2
    rm -rf after
    cp -r "before/$start" after
    "${go[@]}" "${words[@]}" -o after >said.txt 2>&1 || fail "$name: $(cat said.txt)"
    "$weft" export after --out after.usda --force --quiet --no-audit || fail "$name: export"
    for how in "${hows[@]}"; do blows "$how"; done
    echo "$name:$counts"
}

"$weft" export before/complete --out before/complete.usda --force --quiet --no-audit || fail "export"
n_blows=0
hows=(KILL TORN FULL)
[ -z "${WEFT_LONG-}" ] || hows+=(TERM TWICE)
job start none scene.yaml -- scene.yaml --resume
[ -n "${WEFT_LONG-}" ] || hows=(KILL)
job extend_audited late --resume --frames 5 -- --resume --frames 5
job repair damaged --resume -- --resume
job shorten complete --resume --from 3 --frames 3 -- --resume --frames 3 or before/complete
job late_audit short --resume --audit -- --resume --audit
if [ -n "${WEFT_LONG-}" ] || [ ${#jobs[@]} -gt 0 ]; then
    job replace short scene.yaml --force -- scene.yaml --resume
    job extend short --resume --frames 5 -- --resume --frames 5
    job again complete --resume --from 3 -- --resume
    job edit complete edited.yaml --resume --from 3 -- edited.yaml --resume --from 3
fi
echo "$n_blows blows; --resume has cured them all"
