#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Drives `weft untangle`. usage: untangle.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

# A tetrahedron without its bottom that dips into a triangle; with all that an OBJ file may have besides.
cat >dip.obj <<'END'
# a comment that stays
mtllib cloth.mtl
o tent
v 0.3 0 0.3 0.5 0.5 0.5
v 0 0.75 1
v 1 0.75 0
v 0 0.75 0
vt 0 0
vt 1 0
vt 0 1
vn 0 1 0
usemtl red
s 1
f 1/1/1 2/2/1 3/3/1
f 1/1/1 3/2/1 4/3/1
f 1/1/1 4/2/1 2/3/1
o floor
v -0.1 0.5 1.1
v 1.1 0.5 -0.1
v -0.1 0.5 -0.1
v 9 9 9
f 5 6 7
END

must 1 'pairs' "$weft" check dip.obj
must 0 'wrote bare.obj$' "$weft" untangle dip.obj -o bare.obj
[ -z "$(find . -name '*.png')" ] || fail "a picture nobody asked for"
must 0 'before: 3 intersecting pairs, 1 contours' "$weft" untangle dip.obj -o clean.obj --picture clean.untangle.png
grep -q '^wrote clean.obj and clean.untangle.png$' said.txt || fail "what was written is not told"
grep -q '^after:  0 intersecting pairs' said.txt || fail "no line about after"
[ -s clean.untangle.png ] || fail "no picture"
must 0 '^wrote dip.html$' "$weft" untangle dip.obj -o reported.obj --report dip.html
cmp -s clean.obj reported.obj || fail "a report changes the repair"
grep -q '3 pairs of triangles' dip.html && grep -q 'class="weft-player"' dip.html || fail "the report lacks something"
wrong 'dip.html exists already' "$weft" untangle dip.obj -o again.obj --report dip.html
[ ! -e again.obj ] || fail "the mesh was written though the report cannot be"
must 0 '' "$weft" check clean.obj
[ "$(grep -vc '^v ' clean.obj)" = "$(grep -vc '^v ' dip.obj)" ] || fail "lines were lost"
diff <(grep -v '^v ' dip.obj) <(grep -v '^v ' clean.obj) || fail "other lines changed"
grep -q '^v 9 9 9$' clean.obj || fail "a vertex that did not move was written anew"
grep -Eq '^v .* 0\.5 0\.5 0\.5$' clean.obj || fail "colours of a vertex were lost"

# The same result for any number of threads, and what is clean stays as it is, byte for byte.
must 0 '' "$weft" untangle dip.obj -o threads.obj --threads 3
cmp clean.obj threads.obj || fail "threads make a difference"
must 0 '^0 iterations' "$weft" untangle clean.obj -o again.obj
cmp clean.obj again.obj || fail "a clean file was changed"

# Its course as a run: the input first, what comes out last; the same result.
must 0 'wrote course, [0-9]+ frames' "$weft" untangle dip.obj -o course.obj --frames course --collider bare.obj --side bare.obj=in
must 0 '"complete":true' "$weft" info course --json
must 1 '^1 of 1 frames' "$weft" check course --frames 0:0
frames=$(field frames course)
must 0 '' "$weft" check course --frames "$((frames - 1)):$((frames - 1))"
must 0 '' "$weft" render course -o course.png
wrong 'course has a run already' "$weft" untangle dip.obj -o course2.obj --frames course
[ ! -e course2.obj ] || fail "the mesh was written though its course cannot be"

# Other formats, colliders, sides and layers.
must 0 '' "$weft" untangle dip.obj -o clean.ply
must 0 '' "$weft" check clean.ply
must 0 '' "$weft" untangle dip.obj -o layers.obj --layers floor,tent
must 0 '' "$weft" check layers.obj
sed -n '/^v/p' dip.obj | tail -4 >floor.obj
echo 'f 1 2 3' >>floor.obj
sed '/^o floor/,$d' dip.obj >tent.obj
must 0 '' "$weft" untangle tent.obj -o off.obj --collider floor.obj --side floor.obj=out
must 0 '' "$weft" check off.obj --against floor.obj
must 0 '"pairs_after":0' "$weft" untangle dip.obj -o json.obj --json
"$weft" untangle dip.obj -o quiet.obj --quiet >quiet.txt 2>&1 || fail "--quiet failed"
[ ! -s quiet.txt ] || fail "--quiet said something"

# Three ribbons, of which the one in the middle needs one side here and the other there (ye2012 figure 8): sides are
# found. And the same as solid pieces that keep their shape.
awk 'function ribbon(name, x, dx, dy,   i, j) {
    print "o " name
    for (j = 0; j <= 16; j++) for (i = 0; i <= 3; i++) print "v", x + dx * j / 16, dy * j / 16, 0.03 * i + 0.004 * n
    for (j = 0; j < 16; j++) for (i = 1; i < 4; i++) {
        a = 68 * n + 4 * j + i
        print "f", a, a + 1, a + 5
        print "f", a, a + 5, a + 4
    }
    n++
}
BEGIN { ribbon("left", -0.2, 0.25, -0.5); ribbon("middle", 0, 0, -0.6); ribbon("right", 0.2, -0.24, -0.25) }' >ribbons.obj
must 0 '2 from border to border.* 0 cut nothing off' "$weft" untangle ribbons.obj -o parted.obj
must 0 '' "$weft" check parted.obj
must 0 '"pairs_after":0' "$weft" untangle ribbons.obj -o whole.obj --rigid left --rigid right --rigid middle --json
must 0 '' "$weft" check whole.obj

# Meshes that are no cloth: three faces at an edge, faces without area, a corner named twice, a face alone, none at all, a
# face that is there twice. And each of them through a sheet.
{
    sed -n '/^v/p' floor.obj
    printf 'v %s\n' '0.2 0.2 0.6' '0.8 0.7 0.5' '0.3 0.8 0.4' '0.3 0.3 0.2' '0.4 0.6 0.1' '0.5 0.9 0' 9 9 9
} | sed '/^v 9$/d' >odd.obj
must 2 '' "$weft" untangle odd.obj -o odd1.obj --side nowhere
for faces in 'f 5 6 7;f 5 6 8;f 5 6 9' 'f 5 6 7;f 5 5 6;f 5 6 6' 'f 5 6 7' ''; do
    { cat floor.obj; sed -n '5,$p' odd.obj; tr ';' '\n' <<<"$faces"; } >odd2.obj
    must 0 '' "$weft" untangle odd2.obj -o odd3.obj --force
    must 0 '' "$weft" check odd3.obj
    [ "$(grep -c '^[vf]' odd2.obj)" = "$(grep -c '^[vf]' odd3.obj)" ] || fail "something is gone: $faces"
done
{ cat floor.obj; sed -n '5,$p' odd.obj; echo 'f 5 6 7'; echo 'f 8 9 10'; } >odd2.obj
must 1 'warning: 1 faces have no area' "$weft" untangle odd2.obj -o odd3.obj --force
grep -q '^after:  1 intersecting' said.txt || fail "what could be parted was not"
{ cat floor.obj; sed -n '5,$p' odd.obj; echo 'f 5 6 7'; echo 'f 7 6 5'; } >odd2.obj
must 1 'warning: 1 faces are there twice' "$weft" untangle odd2.obj -o odd3.obj --force

# A collider that swallows the cloth whole says nothing of where it came in; a scene has colliders that are no meshes.
awk 'BEGIN { for (i = 0; i < 8; i++) print "v", (i % 2 ? 3 : -3), (int(i / 2) % 2 ? 3 : -3), (i > 3 ? 3 : -3)
    split("1 3 4 2 5 6 8 7 1 2 6 5 3 7 8 4 1 5 7 3 2 4 8 6", c, " ")
    for (i = 0; i < 6; i++) print "f", c[4 * i + 1], c[4 * i + 2], c[4 * i + 3], c[4 * i + 4] }' >box.obj
must 1 'warning: [0-9]+ vertices are inside of colliders, and stay there' "$weft" untangle bare.obj -o in.obj --collider box.obj
cmp -s bare.obj in.obj || fail "what was swallowed has moved"
must 0 '' "$weft" untangle dip.obj -o in.obj --collider box.obj --side box.obj=in --force
cat >limbs.yaml <<'END'
cloths:
  sheet: {mesh: {file: floor.obj}}
colliders:
  arm: {shape: capsule, radius: 0.1, height: 0.4, position: [0.3, 0.5, 0.3]}
END
must 0 '"inside_before":1,"inside_after":0' "$weft" untangle floor.obj -o off_arm.obj --collider limbs.yaml --json
must 0 '' "$weft" untangle floor.obj -o off_arm.obj --collider limbs.yaml --force --picture arm.png --report arm.html
[ -s arm.png ] && grep -q capsule arm.html || fail "the arm is not shown"
sed 's/position: .*}/keys: [{time: 0, position: [0, 0, 0]}, {time: 1, position: [1, 0, 0]}]}/' limbs.yaml >moving.yaml
wrong 'arm moves; give a scene' "$weft" untangle floor.obj -o moved.obj --collider moving.yaml

# Not all: the best is written and the rest listed.
must 1 'left: [0-9]+ pairs' "$weft" untangle dip.obj -o some.obj --iterations 1 --side plain
[ -s some.obj ] || fail "nothing was written"

# What is wrong.
wrong 'where to' "$weft" untangle dip.obj
wrong 'clean.obj exists already' "$weft" untangle dip.obj -o clean.obj
wrong 'none.obj' "$weft" untangle none.obj -o x.obj
wrong 'a mesh is' "$weft" untangle dip.obj -o x.txt
wrong "no group or collider 'roof'" "$weft" untangle dip.obj -o x.obj --layers floor,roof
wrong 'twice' "$weft" untangle dip.obj -o x.obj --layers floor,floor
wrong 'a side is out' "$weft" untangle dip.obj -o x.obj --side floor=up
wrong "no group 'roof'" "$weft" untangle dip.obj -o x.obj --rigid roof
wrong "no option '--no-picture': did you mean '--picture'" "$weft" untangle dip.obj -o x.obj --no-picture
[ ! -e x.obj ] || fail "a file after an error"

echo "$n_checks checks"
