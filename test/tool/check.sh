#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The verb check, run --audit, render --color intersections, and the audit of exported floats. usage: check.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

must 0 'usage: weft check' "$weft" help check

# ---- meshes --------------------------------------------------------------------------------------------------------
cat >clean.obj <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
f 1 2 3 4
END
cat >crossing.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0.25 0.25 -1
v 0.25 0.25 1
v 2 2 0
f 1 2 3
f 4 5 6
END
must 0 'no intersections: 2 triangles, 1 pairs tested exactly' "$weft" check clean.obj
[ ! -e clean.check.png ] || fail "a picture of nothing"
must 1 '1 pair of triangles intersects, in 1 contour' "$weft" check crossing.obj
must 1 'face 0 \(line 7\) and face 1 \(line 8\)' "$weft" check crossing.obj
[ -z "$(find . -name '*.png')" ] || fail "a picture nobody asked for"
must 1 'face 0 \(line 7\) and face 1 \(line 8\)' "$weft" check crossing.obj -o crossing.check.png
[ "$(tail -1 said.txt)" = 'wrote crossing.check.png' ] || fail "the last line is not the picture"
[ -s crossing.check.png ] || fail "no picture"
rm crossing.check.png
must 1 '^wrote found.html$' "$weft" check crossing.obj --report found.html
wrong 'found.html exists already' "$weft" check crossing.obj --report found.html
must 1 '"report":"sub/found.html"' "$weft" check crossing.obj --report sub/found.html --json
grep -q 'face 0 (line 7) and face 1 (line 8)' found.html || fail "the report does not say where"
grep -q 'class="weft-player"' found.html || fail "the report has no player"
must 0 '^wrote clean.html$' "$weft" check clean.obj --report clean.html
grep -q 'Nothing intersects: 1 mesh, 2 triangles' clean.html || fail "the report of a clean mesh says something else"
must 1 '"pairs":1,"cloth_pairs":1,"collider_pairs":0' "$weft" check crossing.obj --json
must 1 '"kind":"cross".*"face":0' "$weft" check crossing.obj --json --pairs
if command -v jq >/dev/null; then
    [ "$(jq -r '.moments[0].contour_list[0].pairs' said.txt)" = 1 ] || fail "no valid JSON"
fi
"$weft" check crossing.obj --quiet >quiet.txt 2>&1
[ $? = 1 ] || fail "--quiet has another answer"
[ ! -s quiet.txt ] && [ ! -e crossing.check.png ] || fail "--quiet said something"
must 0 'none.png' "$weft" check clean.obj -o sub/none.png
[ -s sub/none.png ] || fail "no picture in spite of --out"
wrong 'sub/none.png exists already' "$weft" check clean.obj -o sub/none.png

printf 'v 0.2 0.2 -1\nv 0.3 0.2 1\nv 0.2 0.3 1\nf 1 2 3\n' >needle.obj
must 1 'in 1 contour \([0-9] with colliders\)' "$weft" check clean.obj --against needle.obj
must 1 'clean.obj and needle.obj' "$weft" check clean.obj --against needle.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n' >flat.obj
must 0 '1 triangle without area' "$weft" check flat.obj
printf '# nothing\n' >empty.obj
must 0 'no intersections: 0 triangles' "$weft" check empty.obj

# ---- bad input -----------------------------------------------------------------------------------------------------
wrong 'nowhere.obj' "$weft" check nowhere.obj
wrong 'nowhere' "$weft" check nowhere
printf 'v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >nan.obj
wrong 'nan.obj:1' "$weft" check nan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n' >index.obj
wrong 'index.obj:4' "$weft" check index.obj
printf 'v 0 0 1e40\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >far.obj
wrong 'far.obj.*positions' "$weft" check far.obj
wrong "'--pairs' goes with '--json'" "$weft" check clean.obj --pairs
wrong 'no such frames' "$weft" check clean.obj --frames 3:4
for i in $(seq 6000); do echo 'f 1 2 3'; done | cat <(printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n') - >many.obj
wrong 'many.obj: more than .* pairs of the 6000 triangles' "$weft" check many.obj

# ---- motions -------------------------------------------------------------------------------------------------------
cp clean.obj move_0001.obj
cp crossing.obj move_0002.obj
cp clean.obj move_0003.obj
must 1 '1 of 3 frames have intersections, from frame 1 on' "$weft" check 'move_####.obj'
must 0 'no intersections in 1 frame' "$weft" check 'move_####.obj' --frames 2:

# ---- runs ----------------------------------------------------------------------------------------------------------
tiny 8 12 >tiny.yaml
must 0 'final hash' "$weft" run tiny.yaml --no-pictures
must 0 'no intersections in 13 frames' "$weft" check out/tiny
must 0 'no intersections in 7 frames' "$weft" check out/tiny/cache.weft --every 2
"$weft" export out/tiny --out sheet.pc2 >/dev/null || fail "no pc2"
must 0 'no intersections in 13 frames' "$weft" check sheet.pc2
mv sheet.obj other.obj
wrong 'sheet.pc2: points without faces' "$weft" check sheet.pc2
must 0 'no intersections in 13 frames' "$weft" check sheet.pc2 --mesh other.obj
wrong '4 vertices, but the motion has 64 points' "$weft" check sheet.pc2 --mesh clean.obj

# two sheets that cross from the start
cat >crossed.yaml <<'END'
name: crossed
cloths:
  flat: {grid: {size: [0.4, 0.4], nodes: [9, 9], centre: [0, 0.2, 0]}, fabric: cotton}
  other: {grid: {size: [0.3, 0.3], nodes: [8, 8], centre: [0.01, 0.21, 0.02], warp: [1, 1, 0]}, fabric: cotton}
output: {fps: 60, frames: 0}
picture: {width: 160, height: 120, samples: 1}
END
must 0 'final hash' "$weft" run crossed.yaml --no-pictures
must 1 'frames have intersections, from frame 0 on' "$weft" check out/crossed
[ ! -e out/crossed/check.png ] || fail "a picture of a run that nobody asked for"
must 1 'wrote out/crossed/check.png' "$weft" check out/crossed -o out/crossed/check.png
[ -s out/crossed/check.png ] || fail "no check.png"
must 1 'flat and other' "$weft" check out/crossed --frames 0:0

# Filters of the scene let them: the run goes through, and audits look at what collides.
sheet='{grid: {size: [0.4, 0.4], nodes: [9, 9], centre: [0, 0.2, 0]}, fabric: cotton, filter: {category: 2, mask: 2}}'
must 0 'no intersections in any of 5 frames' "$weft" run crossed.yaml --audit --no-pictures --frames 4 -o out/filtered \
    --set "cloths.flat=$sheet" --set 'colliders.ball={shape: sphere, radius: 0.05, position: [0, 0.2, 0]}' \
    --set 'cloths.other.filter={category: 4, mask: 4}'
must 0 'no intersections in 5 frames' "$weft" check out/filtered
must 1 'warning: intersections, or cloth too near a collider' "$weft" run crossed.yaml --audit --no-pictures --frames 1 -o out/half \
    --set "cloths.flat=$sheet" --set 'colliders.ball={shape: sphere, radius: 0.05, position: [0, 0.2, 0]}'

# ---- run --audit ---------------------------------------------------------------------------------------------------
must 0 'no intersections in any of 13 frames' "$weft" run tiny.yaml --audit --no-pictures -o out/audited
column() { # NAME FILE: the values of a column of stats.csv
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } { print $k }' "$2"
}
[ "$(column intersecting_pairs out/audited/stats.csv | sort -u)" = 0 ] || fail "no zeros in stats.csv"
[ "$(column intersecting_pairs out/tiny/stats.csv | sort -u)" = '' ] || fail "an audit nobody asked for"
grep -q 'none, exactly, in all 13 frames' out/audited/report.html || fail "no audit in the report"
[ "$(field hash out/audited)" = "$(field hash out/tiny)" ] || fail "the audit changed the run"
must 1 'warning: intersections, or cloth too near a collider.*: in one frame, at 0 s' "$weft" run crossed.yaml --audit --no-pictures --force
grep -q 'in 1 of 1 frames that were audited' out/crossed/report.html || fail "no intersections in the report"
[ "$(column intersecting_pairs out/crossed/stats.csv | head -1)" -gt 0 ] || fail "no pairs in stats.csv"
[ -s out/crossed/check.png ] || fail "--force has removed a file that is not of the run"
# Frames that were computed without it are audited in the end; where that cannot be done, there is no all-clear.
cp out/tiny/stats.csv before.csv
must 0 'no intersections in any of 13 frames' "$weft" run --resume --audit --no-pictures -o out/tiny
[ "$(column intersecting_pairs out/tiny/stats.csv | sort -u)" = 0 ] || fail "a late audit is not in stats.csv"
[ "$(column contours out/tiny/stats.csv | sort -u)" = 0 ] || fail "contours of a late audit are not in stats.csv"
for name in frame hash newton_iterations stretch seconds_total; do
    [ "$(column $name out/tiny/stats.csv)" = "$(column $name before.csv)" ] || fail "a late audit changed $name"
done
must 0 'final hash' "$weft" run tiny.yaml --frames 5 --no-pictures -o out/partly
must 0 'no intersections in any of 13 frames' "$weft" run tiny.yaml --resume --audit --no-pictures -o out/partly
must 0 'final hash' "$weft" run crossed.yaml --no-pictures -o out/late
must 1 'warning: intersections, or cloth too near a collider.*: in one frame' "$weft" run --resume --audit --no-pictures -o out/late
! grep -q 'no intersections' said.txt || fail "an all-clear: $(cat said.txt)"
[ "$(column intersecting_pairs out/late/stats.csv | head -1)" -gt 0 ] || fail "no pairs of a late audit in stats.csv"
# A ball that an edited scene puts where the cloth has been was not in its way then.
must 0 'final hash' "$weft" run tiny.yaml --frames 5 --no-pictures -o out/moved
must 0 'no intersections in any of 11 frames' "$weft" run tiny.yaml --resume --audit --frames 10 --no-pictures -o out/moved \
    --set colliders.ball.radius=0.004 --set 'colliders.ball.position=[0,0.253,0]'
must 1 'nearer to a collider' "$weft" check out/moved --frames 0:0
printf 'v -1 0 -1\nv -1 0 1\nv 1 0 1\nf 1 2 3\n' >gone.obj
must 0 'final hash' "$weft" run tiny.yaml --no-pictures --set 'colliders.body={shape: mesh, file: gone.obj}' -o out/open
rm gone.obj
must 1 "warning: 0 of 13 frames were audited; 'weft check out/open' looks at all" "$weft" run tiny.yaml --resume --audit \
    --no-pictures -o out/open
rm out/open/report.html
"$weft" run tiny.yaml --resume --audit --no-pictures -o out/open --json >events.txt 2>/dev/null
grep -q '"event":"warning","text":"0 of 13 frames were audited.*"wrong":true' events.txt || fail "no event: $(cat events.txt)"
grep -q 'class="bad">0 of 13 frames were audited' out/open/report.html || fail "the report hides it"
grep -q 'warning: frames 0 to 12 cannot be audited: .*gone.obj' said.txt || fail "no reason: $(cat said.txt)"
! grep -q 'no intersections' said.txt || fail "an all-clear: $(cat said.txt)"
"$weft" run tiny.yaml --audit --no-pictures --force --json -o out/audited >events.txt 2>/dev/null
grep -q '"event":"frame".*"intersecting_pairs":0,"too_near":0' events.txt || fail "no pairs in the events"
must 0 'shown.png' "$weft" render out/crossed --frame 0 --color intersections --out shown.png
must 0 'plain.png' "$weft" render out/crossed --frame 0 --out plain.png
! cmp -s shown.png plain.png || fail "no other colours"

# ---- warnings ------------------------------------------------------------------------------------------------------
# Cloth in a closed mesh that it does not touch intersects nothing; it is no clean run all the same.
printf 'v %s\n' '-0.5 0 -0.5' '-0.5 0 0.5' '-0.5 1 -0.5' '-0.5 1 0.5' '0.5 0 -0.5' '0.5 0 0.5' '0.5 1 -0.5' '0.5 1 0.5' >box.obj
printf 'f %s\n' '1 2 4 3' '5 7 8 6' '1 5 6 2' '3 4 8 7' '1 3 7 5' '2 6 8 4' >>box.obj
cat >inside.yaml <<'END'
name: inside
cloths:
  sheet: {grid: {size: [0.2, 0.2], nodes: [9, 9], centre: [0, 0.5, 0]}, fabric: cotton}
colliders:
  body: {shape: mesh, file: box.obj}
output: {fps: 60, frames: 6, restart_every: 2}
END
enclosed="cloth 'sheet' is wholly inside of collider 'body', a closed mesh, and is left there"
must 0 "warning: $enclosed: once, at 0 s" "$weft" run inside.yaml --no-pictures
must 1 "warning: $enclosed: once, at 0 s" "$weft" run inside.yaml --no-pictures --force --audit
[ "$(grep -c "warning: cloth 'sheet'" said.txt)" = 1 ] || fail "a warning is there more than once: $(cat said.txt)"
grep -q '<h2>Warnings</h2>' out/inside/report.html || fail "no warnings in the report"
grep -q 'class="bad">cloth &#39;sheet&#39; is wholly inside' out/inside/report.html || fail "the report hides what is wrong"
! grep -q '<h2>Warnings</h2>' out/tiny/report.html || fail "warnings of a run that has none"
must 1 "$enclosed" "$weft" run --resume --frames 8 --audit --no-pictures -o out/inside
rm out/inside/report.html
must 1 "is complete already" "$weft" run --resume --frames 8 --audit --no-pictures -o out/inside
grep -q 'class="bad">cloth &#39;sheet&#39; is wholly inside' out/inside/report.html || fail "a report that is made later hides it"
# A run that fails tells them all the same, before the reason.
(ulimit -f 24 && exec "$weft" run inside.yaml --frames 200 --no-pictures -o out/limited) >said.txt 2>&1
[ $? -eq 2 ] || fail "exit code is not 2: $(cat said.txt)"
grep -q "warning: $enclosed: once, at 0 s" said.txt || fail "the warnings of a run that failed: $(cat said.txt)"
tail -1 said.txt | grep -q 'File too large.*to go on' || fail "not the reason last: $(cat said.txt)"
sed '$d' box.obj >bowl.obj
must 0 'no intersections in any of 7 frames' "$weft" run inside.yaml --no-pictures --audit --set colliders.body.file=bowl.obj -o out/bowl
! grep -q 'wholly inside' said.txt || fail "inside of a mesh that is open"
"$weft" run inside.yaml --no-pictures --force --json >events.txt 2>/dev/null || fail "a run with warnings failed"
grep -q '"event":"warning","text":"cloth .sheet. is wholly inside.*"count":1,"counted":"times","first":0,"last":0,"wrong":true' \
    events.txt || fail "no event of a warning: $(cat events.txt)"
must 0 'warning: triangles intersected, and were pulled apart: in [0-9]+ frames, from 0.01667 s to' \
    "$weft" run crossed.yaml --frames 9 --no-pictures --force
# Two solids that close on a sheet leave it no room; what is squeezed at the end is wrong.
cat >press.yaml <<'END'
name: press
cloths:
  sheet: {grid: {size: [0.2, 0.2], nodes: [9, 9], centre: [0, 0.5, 0]}, fabric: cotton}
colliders:
  lower: {shape: box, size: [0.4, 0.2, 0.4], position: [0, 0.395, 0]}
  upper: {shape: box, size: [0.4, 0.2, 0.4], keys: [{time: 0, position: [0, 0.61, 0]}, {time: 0.1, position: [0, 0.5, 0]}]}
output: {fps: 60, frames: 8}
END
must 1 'warning: colliders left no room for the cloth: in [0-9]+ frames, from' "$weft" run press.yaml --audit --no-pictures

# ---- floats at export: 2 nm apart, which floats near 0.2 m cannot tell ------------------------------------------------
cat >thin.yaml <<'END'
name: thin
cloths:
  lower: {grid: {size: [0.4, 0.4], nodes: [9, 9], centre: [0, 0.2, 0]}, fabric: cotton}
  upper: {grid: {size: [0.3, 0.3], nodes: [8, 8], centre: [0.01, 0.200000002, 0.02]}, fabric: cotton}
output: {fps: 60, frames: 0}
END
must 0 'final hash' "$weft" run thin.yaml --no-pictures
must 0 'no intersections in 1 frame' "$weft" check out/thin
for format in pc2 mdd glb usda; do
    must 0 'warning: rounded to floats, 1 of 1 frames have intersections that they had not before' \
        "$weft" export out/thin --out thin.$format --force
done
must 1 'coplanar' "$weft" check thin.pc2 --json --pairs
must 0 'thin2.pc2: 2 files' "$weft" export out/thin --out thin2.pc2 --cloth upper
! grep -q warning said.txt || fail "one cloth alone"
"$weft" export out/thin --out thin3.pc2 --no-audit >said.txt 2>&1 || fail "--no-audit"
! grep -q warning said.txt || fail "a warning in spite of --no-audit"
"$weft" export out/thin --out thin4.npz >said.txt 2>&1 || fail "npz"
! grep -q warning said.txt || fail "doubles are not rounded"

# ---- real data -----------------------------------------------------------------------------------------------------
if has_data colliders/teapot_open_newell.obj; then
    must 1 '161 pairs of triangles intersect, in 3 contours' "$weft" check \
        "$WEFT_DATA/colliders/teapot_open_newell.obj"
    for body in "$WEFT_DATA"/bodies/*.obj; do
        must 0 'no intersections' "$weft" check "$body"
    done
fi

echo "$n_checks checks passed"
