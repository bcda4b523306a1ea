#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weft bench ccd: files of queries, pairs of frames, and what is wrong with them. usage: ccd.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

# record ANSWER: all eight points in one place, so that they meet.
record() {
    head -c 192 /dev/zero
    printf "\\$1\\0\\0\\0\\0\\0\\0\\0"
}

# frame HEIGHT: two triangles that share nothing, the second in the middle of the first at a height.
frame() {
    printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 %s\nv 1 2 %s\nv 2 1 %s\nf 1 2 3\nf 4 5 6\n' "$1" "$1" "$1"
}

record 1 >met_vf.bin
{ record 1 && record 0; } >apart_ee.bin
record 7 >odd_vf.bin
head -c 150 met_vf.bin >short_vf.bin
cp met_vf.bin met.bin
frame 1 >before.obj
frame -1 >after.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >other.obj

must 0 'met_vf.bin +weft +1 +1 +1 +0 +0 ' "$weft" bench ccd met_vf.bin
must 0 'apart_ee.bin +weft +2 +2 +1 +0 +1 ' "$weft" bench ccd met_vf.bin apart_ee.bin
must 0 'met.bin +inclusion +1 +1 +1 +0 +0 ' "$weft" bench ccd met.bin --kind ee
must 0 'after.obj vf +weft +3 +3 ' "$weft" bench ccd before.obj after.obj
must 0 'after.obj ee +weft +3 +0 ' "$weft" bench ccd met_vf.bin --ply before.obj after.obj

must 0 'met_vf' "$weft" bench ccd met_vf.bin before.obj after.obj -o out/table
grep -Eq '^met_vf.bin,weft,1,1,1,0,0,[0-9.]+$' out/table/ccd.csv || fail "no row of queries: $(cat out/table/ccd.csv)"
grep -Eq '^after.obj vf,weft,3,3,,,,[0-9.]+$' out/table/ccd.csv || fail "no row of frames: $(cat out/table/ccd.csv)"

wrong 'needs files' "$weft" bench ccd
wrong 'nothing_vf.bin: No such file' "$weft" bench ccd nothing_vf.bin
wrong "met.bin: neither 'vf' nor 'ee'" "$weft" bench ccd met.bin
wrong 'short_vf.bin: 150 bytes are no whole number of records of 200' "$weft" bench ccd short_vf.bin
wrong 'odd_vf.bin: record 0' "$weft" bench ccd odd_vf.bin
wrong 'before.obj: a second mesh has to follow' "$weft" bench ccd met_vf.bin before.obj
wrong 'other.obj: not the nodes and faces of before.obj' "$weft" bench ccd before.obj other.obj
wrong "takes no file, found 'met.bin'" "$weft" bench villard met.bin
echo "$n_checks checks passed"
