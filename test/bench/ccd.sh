#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weft-bench ccd: files of queries, pairs of frames, and what is wrong with them. usage: ccd.sh WEFT_BENCH
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

# record ANSWER: all eight points in one place, so that they meet.
record() {
    head -c 192 /dev/zero
    printf "\\$1\\0\\0\\0\\0\\0\\0\\0"
}

# frame HEIGHT: two triangles that share nothing, the second in the middle of the first at a height.
frame() {
    printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 %s\nv 1 2 %s\nv 2 1 %s\nf 1 2 3\nf 4 5 6\n' "$1" "$1" "$1"
}

# ply HEIGHT: the same in the other format.
ply() {
    printf 'ply\nformat ascii 1.0\nelement vertex 6\nproperty double x\nproperty double y\nproperty double z\n'
    printf 'element face 2\nproperty list uchar int vertex_indices\nend_header\n'
    printf '0 0 0\n4 0 0\n0 4 0\n1 1 %s\n1 2 %s\n2 1 %s\n3 0 1 2\n3 3 4 5\n' "$1" "$1" "$1"
}

record 1 >met_vf.bin
{ record 1 && record 0; } >apart_ee.bin
record 7 >odd_vf.bin
head -c 150 met_vf.bin >short_vf.bin
cp met_vf.bin met.bin
frame 1 >before.obj
frame -1 >after.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >other.obj

must 0 'met_vf.bin +weft +1 +1 +1 +0 +0 ' "$bench" ccd met_vf.bin
must 0 'apart_ee.bin +weft +2 +2 +1 +0 +1 ' "$bench" ccd met_vf.bin apart_ee.bin
must 0 'met.bin +inclusion +1 +1 +1 +0 +0 ' "$bench" ccd met.bin --kind ee
must 0 'after.obj vf +weft +3 +3 ' "$bench" ccd before.obj after.obj
must 0 'after.obj ee +weft +3 +0 ' "$bench" ccd met_vf.bin --ply before.obj after.obj

# Without files, those of the folder of data.
mkdir -p data/ccd
cp met_vf.bin data/ccd/handcrafted_vf.bin
cp apart_ee.bin data/ccd/handcrafted_ee.bin
ply 1 >data/ccd/cloth_ball92.ply
ply -1 >data/ccd/cloth_ball93.ply
must 0 'handcrafted_ee.bin +weft +2 +2 +1 +0 +1 ' "$bench" ccd --data data
must 0 'cloth_ball93.ply vf +weft +3 +3 ' env WEFT_DATA=data "$bench" ccd

must 0 'met_vf' "$bench" ccd met_vf.bin before.obj after.obj -o out/table
grep -Eq '^met_vf.bin,weft,1,1,1,0,0,[0-9.]+$' out/table/ccd.csv || fail "no row of queries: $(cat out/table/ccd.csv)"
grep -Eq '^after.obj vf,weft,3,3,,,,[0-9.]+$' out/table/ccd.csv || fail "no row of frames: $(cat out/table/ccd.csv)"

wrong 'needs files' env -u WEFT_DATA "$bench" ccd
wrong './ccd/handcrafted_vf.bin: No such file' "$bench" ccd --data .
wrong 'nothing_vf.bin: No such file' "$bench" ccd nothing_vf.bin
wrong "met.bin: neither 'vf' nor 'ee'" "$bench" ccd met.bin
wrong 'short_vf.bin: 150 bytes are no whole number of records of 200' "$bench" ccd short_vf.bin
wrong 'odd_vf.bin: record 0' "$bench" ccd odd_vf.bin
wrong 'before.obj: a second mesh has to follow' "$bench" ccd met_vf.bin before.obj
wrong 'other.obj: not the nodes and faces of before.obj' "$bench" ccd before.obj other.obj
wrong "takes no file, found 'met.bin'" "$bench" villard met.bin
echo "$n_checks checks passed"
