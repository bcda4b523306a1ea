#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Drives the command from the first scene to the last picture. usage: command.sh WEFT
# /* ctest: timeout=600 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

# ---- help ----------------------------------------------------------------------------------------------------------
must 0 '^weft [0-9]+\.[0-9]+\.[0-9]+$' "$weft" --version
must 0 'weft run drape.yaml' "$weft" --help
for verb in new run info check untangle view export render pattern form sew schema manual; do
    must 0 "usage: weft $verb" "$weft" help $verb
    must 0 'examples' "$weft" $verb --help
done
must 2 'usage: weft VERB' "$weft"
must 0 'Warnings are told at the end' "$weft" run --help
grep -q 'exit code 1 if a result is wrong' said.txt || fail "what the exit code of --audit means"

# ---- new -----------------------------------------------------------------------------------------------------------
must 0 'wrote drape.yaml' "$weft" new drape
wrong 'drape.yaml exists already; replace it with --force' "$weft" new drape
must 0 'wrote drape.yaml' "$weft" new drape.yaml --force
must 0 "cloth 'sheet'" "$weft" info drape.yaml
must 0 'final hash' "$weft" run drape.yaml --frames 0 --set cloths.sheet.grid.nodes='[9, 9]' -o "a b/sheet'" \
    --no-pictures
[ "$(tail -1 said.txt)" = "a b/sheet'" ] || fail "the last line is not the folder"

# ---- run -----------------------------------------------------------------------------------------------------------
tiny 8 12 >tiny.yaml
must 0 'final hash' "$weft" run tiny.yaml
[ "$("$weft" run tiny.yaml -o out/again 2>/dev/null | tail -1)" = out/again/preview.png ] || fail "no path at the end"
for file in cache.weft stats.csv scene.yaml preview.png contact-sheet.png report.html; do
    [ -s out/tiny/$file ] || fail "no $file"
    [ -s out/again/$file ] || fail "no $file"
done
[ ! -e out/tiny/.lock ] || fail "the lock was left"
hash=$(field hash out/tiny)
[ "$hash" = "$(field hash out/again)" ] || fail "two runs differ"
cmp out/tiny/preview.png out/again/preview.png || fail "two previews differ"
[ "$(field frames out/tiny)" = 13 ] || fail "not 13 frames"
[ "$(wc -l <out/tiny/stats.csv)" = 14 ] || fail "stats.csv has not a line a frame"
must 0 'final hash '"$hash" "$weft" run tiny.yaml -o out/threads --threads 1 --no-pictures
[ ! -e out/threads/preview.png ] || fail "a preview in spite of --no-pictures"
must 0 'complete' "$weft" info out/tiny/cache.weft
must 0 '"checked":true' "$weft" info out/tiny --check --json
grep -q 'data:image/jpeg;base64' out/tiny/report.html || fail "no picture in the report"
"$weft" run out/tiny/scene.yaml -o out/resolved --quiet --no-pictures >quiet.txt 2>&1 || fail "the resolved scene"
[ ! -s quiet.txt ] || fail "--quiet said something"
[ "$(field hash out/resolved)" = "$hash" ] || fail "the resolved scene is another one"

# JSON lines, and a reader that goes away
"$weft" run tiny.yaml -o out/json --json >events.txt 2>/dev/null || fail "--json"
for event in start frame 'done'; do
    grep -q "^{\"event\":\"$event\",.*}$" events.txt || fail "no $event event"
done
[ "$(grep -c '"event":"frame"' events.txt)" = 12 ] || fail "not an event a frame"
if command -v jq >/dev/null; then jq -e . events.txt >/dev/null || fail "no valid JSON"; fi
"$weft" run tiny.yaml -o out/pipe --json --no-pictures 2>/dev/null | true
[ "${PIPESTATUS[0]}" = 0 ] || fail "a closed pipe ended the run"
[ "$(field hash out/pipe)" = "$hash" ] || fail "a closed pipe changed the run"

# ---- resume --------------------------------------------------------------------------------------------------------
must 0 'complete already' "$weft" run --resume -o out/tiny
rm out/tiny/preview.png
must 0 'out/tiny/preview.png' "$weft" run tiny.yaml --resume
[ -s out/tiny/preview.png ] || fail "the missing preview was not made"
must 0 'going on after frame 12 of 20' "$weft" run --resume -o out/threads --frames 20 --no-pictures
must 0 "final hash $(field hash out/threads)" "$weft" run tiny.yaml --frames 20 -o out/twenty --no-pictures
must 0 'final hash '"$hash" "$weft" run tiny.yaml --resume --from 7 -o out/again --no-pictures
cut -d, -f1-20 out/tiny/stats.csv >a.txt
cut -d, -f1-20 out/again/stats.csv >b.txt
cmp a.txt b.txt || fail "stats.csv differs after --resume --from"
cp -r out/again out/edited
must 0 'final hash' "$weft" run tiny.yaml --resume --from 7 -o out/edited --no-pictures --set 'forces.wind=[5,0,0]'
[ "$(field hash out/edited)" != "$hash" ] || fail "wind has no effect"
head -9 out/edited/stats.csv | cut -d, -f1-20 | cmp - <(head -9 a.txt) || fail "frames before --from have changed"
grep -q 'wind: *\[5' out/edited/scene.yaml || fail "scene.yaml was not renewed"
wrong 'has 64 nodes .* 81' "$weft" run tiny.yaml --resume --from 5 -o out/again --set 'cloths.sheet.grid.nodes=[9,9]'
[ "$(field frames out/again)" = 13 ] || fail "a scene that does not fit cost frames"
wrong 'frames 0 to 12' "$weft" run tiny.yaml --resume --from 99 --frames 200 -o out/again
wrong 'no run is there to resume' "$weft" run --resume -o nowhere
must 0 'nothing to resume' "$weft" run tiny.yaml --resume -o out/fresh --no-pictures

# ---- Ctrl-C --------------------------------------------------------------------------------------------------------
interrupt() { # SIGNAL TIMES CODE
    local code
    rm -rf out/cut
    "$weft" run tiny.yaml --frames 1000000 -o out/cut --set solver.newton_limit=8 2>cut.txt &
    local pid=$!
    for _ in $(seq 200); do
        [ -e out/cut/stats.csv ] && [ "$(wc -l <out/cut/stats.csv)" -gt 4 ] && break
        sleep 0.02
    done
    wrong 'another weft \(process' "$weft" run --resume -o out/cut --frames 1000000
    for _ in $(seq "$2"); do kill -"$1" $pid; done
    wait $pid
    code=$?
    [ $code -eq "$3" ] || fail "exit code $code after $1, not $3: $(tail -3 cut.txt)"
    grep -q 'to go on: weft run --resume -o out/cut' cut.txt || fail "nothing said on how to go on"
    n_frames=$(field frames out/cut)
    [ "$(field last_restart out/cut)" = $((n_frames - 1)) ] || fail "no restart point at the last frame"
    [ "$(field was_closed out/cut)" = true ] || fail "the cache was not closed"
}
interrupt TERM 1 143
interrupt INT 2 130
interrupt INT 1 130
more=$((n_frames + 3))
must 0 'final hash' "$weft" run --resume -o out/cut --frames $more --no-pictures
must 0 "final hash $(field hash out/cut)" "$weft" run tiny.yaml --frames $more -o out/uncut --no-pictures \
    --set solver.newton_limit=8

# ---- export --------------------------------------------------------------------------------------------------------
for format in ply pc2 mdd glb usda npz; do
    must 0 'frames' "$weft" export out/tiny --out "files/tiny.$format"
    [ -s "files/tiny.$format" ] || [ -s files/tiny_0012.$format ] || fail "no $format file"
done
must 0 'obj' "$weft" export out/tiny --format obj --out seq/tiny.obj --from 2 --to 8 --every 3 --axes z --scale 100
files=(seq/*)
[ ${#files[@]} = 3 ] || fail "not 3 files: ${files[*]}"
must 0 'vertices +64' "$weft" info "${files[0]}"
must 0 'points +64' "$weft" info files/tiny.pc2
wrong 'exists.*--force' "$weft" export out/tiny --out files/tiny.glb
must 0 'tiny.glb' "$weft" export out/tiny --out files/tiny.glb --force
wrong "no format 'glbb': did you mean 'glb'" "$weft" export out/tiny --out tiny.glbb
wrong 'no ending' "$weft" export out/tiny --out tiny
wrong "no cloth 'sheat': did you mean 'sheet'" "$weft" export out/tiny --out x.glb --cloth sheat
wrong 'needs --out' "$weft" export out/tiny

touch plain
wrong 'plain: Not a directory' "$weft" run tiny.yaml -o plain

# An adaptive cloth: levels in report and picture, and one topology where a format wants that.
tiny 8 12 | sed 's/fabric: cotton/fabric: cotton\n    adapt: {max_level: 2}/' >adaptive.yaml
must 0 'final hash' "$weft" run adaptive.yaml -o out/adaptive
grep -Eq 'not split: [0-9]+, 1: [0-9]+, 2: [0-9]+' out/adaptive/report.html ||
    fail "no levels in the report"
grep -q -- '--out tiny.pc2 --uniform' out/adaptive/report.html || fail "an export that fails is proposed"
! grep -q 'triangles by level' out/tiny/report.html || fail "levels of a mesh that has none"
must 0 'level.png' "$weft" render out/adaptive --color level --out level.png
must 0 'sides.png' "$weft" render out/adaptive --out sides.png
! cmp -s level.png sides.png || fail "levels have no colours"
wrong 'pc2 holds one mesh only' "$weft" export out/adaptive --out files/adaptive.pc2
must 0 'frames' "$weft" export out/adaptive --out files/adaptive.pc2 --uniform
[ "$(grep -c '^v ' files/adaptive.obj)" = 841 ] || fail "not the nodes of the finest uniform mesh"

# ---- render --------------------------------------------------------------------------------------------------------
must 0 '^last.png$' "$weft" render out/tiny --out last.png
cmp last.png out/tiny/preview.png || fail "the last frame is not the preview"
wrong 'exists already' "$weft" render out/tiny --out last.png
must 0 'stretch.png' "$weft" render out/tiny --frame 6 --color stretch --wire --out stretch.png
must 0 'stretch2.png' "$weft" render out/tiny --frame 6 --color stretch --wire --out stretch2.png --threads 1
cmp stretch.png stretch2.png || fail "pictures differ"
must 0 'near.png' "$weft" render out/tiny --eye 0,1,1 --target 0,0.1,0 --width 80 --height 60 --samples 2 --out near.png
must 0 'p_0012.png' "$weft" render out/tiny --frames 11:12 --out p.png
[ -s p_0011.png ] || fail "no picture of frame 11"
must 0 'sheet.png' "$weft" render out/tiny --sheet
if command -v ffmpeg >/dev/null; then must 0 'video.mp4' "$weft" render out/tiny --mp4; fi
wrong 'ffmpeg, which is not installed' env PATH=/nowhere "$weft" render out/tiny --mp4 --out v.mp4
wrong 'ffmpeg, which is not installed' env PATH=/nowhere "$weft" run tiny.yaml --mp4 -o out/video
[ ! -e out/video ] || fail "a run without its video was begun"
wrong 'no such frames' "$weft" render out/tiny --frame 13
wrong 'one of --frame' "$weft" render out/tiny --frame 1 --all
wrong 'go together' "$weft" render out/tiny --eye 1,2,3

# ---- a mesh as a collider ------------------------------------------------------------------------------------------
printf 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n' >body.obj
tiny 8 2 | sed 's/^colliders:/&\n  body: {shape: mesh, file: body.obj}/' >body.yaml
must 0 'preview.png' "$weft" run body.yaml -o out/body
rm body.obj
must 0 "warning: the mesh of 'body' is missing" "$weft" render out/body --out body.png
wrong 'body.obj' "$weft" run body.yaml -o out/body2
[ ! -e out/body2 ] || fail "a scene that is wrong left a folder"

# ---- schema --------------------------------------------------------------------------------------------------------
must 0 '"\$schema"' "$weft" schema
must 0 '^#' "$weft" schema --markdown

# ---- patterns ------------------------------------------------------------------------------------------------------
seeds=$WEFT_ROOT/fuzz/seeds
must 0 "panel 'front'" "$weft" pattern "$seeds/pattern_outline/skirt.json" -o files/skirt.svg
grep -q '</svg>' files/skirt.svg || fail "no drawing"
wrong 'skirt.svg exists already; replace it with --force' "$weft" pattern "$seeds/pattern_outline/skirt.json" -o files/skirt.svg
must 0 '"seam_pairs":' "$weft" pattern "$seeds/pattern_garmentcode/two.json" --json --size 15
must 0 'wrote files/front.json' "$weft" pattern "$seeds/pattern_dxf/front.dxf" -o files/front.json
must 0 'kind +pattern' "$weft" info files/front.json
wrong "edge '1' of panel 'front' is .* more than the factor 1" "$weft" pattern "$seeds/pattern_garmentcode/two.json" --ratio 1
wrong 'expected a name that ends with .svg, .json' "$weft" pattern files/front.json -o files/front.txt
sed 's/0.17, 0.4/0.17, -0.4/' "$seeds/pattern_outline/skirt.json" >crossed.json
wrong "crossed.json: panel 'front': edges 'hem' and 'a' cross" "$weft" pattern crossed.json

# ---- dress form ----------------------------------------------------------------------------------------------------
must 0 'hips +9[0-9.]+ cm' "$weft" form --hips 95 --triangles 3000 -o files/body.obj
must 0 'closed +yes' "$weft" info files/body.obj
[ -s files/body_landmarks.json ] || fail "no landmarks"
wrong 'body.obj exists already; replace it with --force' "$weft" form -o files/body.obj
must 0 'wrote files/shirt.json' "$weft" form --draft tshirt --hips 95 -o files/shirt.json

wrong 'find the camera themselves' "$weft" render out/tiny --follow --eye 0,1,2 --target 0,0,0
must 0 '' "$weft" render out/tiny --frame 1 --follow --turn 90 --samples 1 --width 64 --height 48 --out follow.png
must 0 '' "$weft" render out/tiny --frame 1 --follow --samples 1 --width 64 --height 48 --out along.png
! cmp -s follow.png along.png || fail "--turn does not turn"

# ---- sewing --------------------------------------------------------------------------------------------------------
wrong 'a body is needed' "$weft" sew files/shirt.json
wrong 'missing.obj' "$weft" sew files/shirt.json --body missing.obj
wrong 'missing.json' "$weft" sew missing.json --body files/body.obj -o out/none
wrong "none named .velvet" "$weft" sew files/shirt.json --body files/body.obj --fabric velvet
wrong "'--elastic waist': expected PANEL.EDGE=RATIO" "$weft" sew files/shirt.json --body files/body.obj --elastic waist -o out/none
head -c 3000 files/body.obj >open.obj
wrong 'open.obj' "$weft" sew files/shirt.json --body open.obj -o out/none
wrong "crossed.json: panel 'front': edges 'hem' and 'a' cross" "$weft" sew crossed.json --body files/body.obj -o out/none
wrong "none named .velvet" "$weft" sew files/shirt.json --body files/body.obj --rib velvet -o out/none
sed 's/"panel": "back", "edge": "side_l"/"panel": "back", "edge": "flank"/' files/shirt.json >missing_edge.json
wrong "missing_edge.json:[0-9:]+ panel 'back' has no edge 'flank'" "$weft" sew missing_edge.json --body files/body.obj -o out/none
wrong "edge '[a-z_]*' of panel '[a-z_]*' .* more than the factor 1" "$weft" sew files/shirt.json --body files/body.obj --ratio 1 -o out/none
[ ! -e out/none ] || fail 'a sewing that was refused has left something'
for draft in tshirt skirt trousers; do
    must 0 "wrote files/$draft.json" "$weft" form --draft $draft -o "files/$draft.json"
    cmp -s "files/$draft.json" "$WEFT_ROOT/scenes/garments/$draft.json" || fail "scenes/garments/$draft.json is not the draft"
    rm "files/$draft.json"
done
must 0 'wrote files/skirt.json' "$weft" form --draft skirt --hips 95 -o files/skirt.json
must 0 'intersections +0 of cloth with cloth, 0 with the body' "$weft" sew files/skirt.json --body files/body.obj --size 60 -q -o out/skirt
cp said.txt out/skirt.txt
for file in drape.png stretch.png placed.png report.html skirt.obj skirt.svg; do
    [ -s "out/skirt/$file" ] || fail "weft sew has not written $file"
done
grep -q 'Nothing goes through anything' out/skirt/report.html || fail "no audit in the report of a garment"
grep -q 'front.side_[a-z]* — back.side_[a-z]*' out/skirt/report.html || fail "no seams in the report of a garment"
wrong 'report.html exists already' "$weft" sew files/skirt.json --body files/body.obj -o out/skirt
inside='"placement": {"kind": "flat", "rotation_rows": [[1,0,0],[0,1,0],[0,0,1]], "translation": [0, 1.05, 0]},'
sed "0,/\"name\": \"front\",/s//\"name\": \"front\", $inside/" files/skirt.json >inside.json
must 0 "panel 'front' starts in the body or nearer than the clearance: moved by" "$weft" sew inside.json --body files/body.obj \
    --size 60 -q -o out/inside
must 0 'placed +front +by its name and the body, 30' "$weft" pattern files/shirt.json --body files/body.obj --size 50 \
    --landmarks files/body_landmarks.json -o files/placed.obj
must 0 'groups +4' "$weft" info files/placed.obj
wrong "there is no draft 'toga'" "$weft" form --draft toga
wrong 'inseam is 1.1 m, which is more than' "$weft" form --inseam 110
wrong 'the body is not closed' "$weft" pattern files/shirt.json --body files/placed.obj

# ---- what is probably a mistake of units or axes -------------------------------------------------------------------
scaled() { # FACTOR FILE: a mesh, larger
    awk -v s="$1" '$1 == "v" { print "v", s * $2, s * $3, s * $4; next } { print }' "$2"
}
worn() { # CLOTH BODY [FORCES]
    printf 'name: worn\ncloths:\n  shirt: {mesh: {file: %s}}\ncolliders:\n  body: {shape: mesh, file: %s}\n' "$1" "$2"
    printf '%s\noutput: {frames: 0}\n' "${3-}"
}
printf 'v -15 20 -23\nv 15 20 -23\nv 15 20 23\nv -15 20 23\nf 1 2 3 4\n' >shirt46.obj
scaled 0.0254 shirt46.obj | sed 's/^v \([^ ]*\) [^ ]*/v \1 1.8/' >shirt.obj
scaled 100 files/body.obj >body_cm.obj
scaled 1000 files/body.obj >body_mm.obj
awk '$1 == "v" { print "v", $2, -$4, $3; next } { print }' files/body.obj >body_z.obj
worn shirt46.obj files/body.obj >inches.yaml
inches="warning: cloth 'shirt' is 46 m across, and 'body' 1.[0-9]+ m: if its file is in inches, .*cloths.shirt.mesh.scale=0.0254"
must 0 "$inches" "$weft" info inches.yaml
must 0 "$inches" "$weft" run inches.yaml --no-pictures
grep -q 'its file is in inches' out/worn/report.html || fail "no mistake of units in the report"
"$weft" info inches.yaml --json 2>/dev/null | grep -q '"warnings":\["cloth .shirt. is 46 m across' || fail "no warnings in JSON"
"$weft" run inches.yaml --set cloths.shirt.mesh.scale=0.0254 --set cloths.shirt.mesh.position=[0,2,0] --no-pictures --force \
    >said.txt 2>&1 || fail "scaled: $(cat said.txt)"
! grep -q warning said.txt || fail "the cure does not cure: $(cat said.txt)"
worn shirt.obj body_cm.obj >cm.yaml
must 0 "collider 'body' is 1[0-9.]+ m across: if its file is in centimetres, .*colliders.body.scale=0.01" "$weft" info cm.yaml
worn shirt.obj body_mm.obj >mm.yaml
must 2 "collider 'body' is 1[0-9]+ m across: if its file is in millimetres, .*colliders.body.scale=0.001" "$weft" info mm.yaml
worn shirt.obj body_z.obj >z.yaml
must 0 "collider 'body' lies: .* colliders.body.z_up=true" "$weft" info z.yaml
"$weft" run z.yaml --set colliders.body.z_up=true --no-pictures --force -o out/worn >said.txt 2>&1 || fail "z_up: $(cat said.txt)"
! grep -q warning said.txt || fail "z_up does not cure: $(cat said.txt)"
worn shirt.obj files/body.obj 'forces: {gravity: [0, 0, -9.81]}' >side.yaml
must 0 'gravity points along z, but y is up' "$weft" info side.yaml
worn shirt.obj files/body.obj 'forces: {gravity: [0, -981, 0]}' >strong.yaml
must 0 'gravity is 981 m/s.*in centimetres' "$weft" info strong.yaml
must 0 'if it is in centimetres' "$weft" info body_cm.obj
must 2 'body_cm.obj: the body is 1[0-9.]+ m tall.*--body-scale 0.01' "$weft" sew files/skirt.json --body body_cm.obj -q -o out/none
must 0 'intersections +0 of cloth' "$weft" sew files/skirt.json --body body_cm.obj --body-scale 0.01 --size 60 -q -o out/scaled
! grep -q 'warning: .*scale' said.txt || fail "--body-scale does not cure: $(cat said.txt)"
must 1 'body_z.obj: the body lies: y has to be up' "$weft" sew files/skirt.json --body body_z.obj --size 60 -q -o out/lies \
    --sew-time 0.05 --settle-time 0.05
grep -q '<h2>Warnings</h2>' out/lies/report.html || fail "no warnings in the report of a garment"
! grep -q '<h2>Warnings</h2>' out/scaled/report.html || fail "warnings of a garment that has none"
# A body that turns inside out within a frame leaves the skirt no room.
cp files/body.obj mirrored_0001.obj
awk '$1 == "v" { print "v", -$2, $3, $4; next } { print }' files/body.obj >mirrored_0002.obj
must 1 'warning: [0-9]+ pairs of primitives have no room: once, at' "$weft" sew files/skirt.json --body files/body.obj --size 100 \
    --motion 'mirrored_####.obj' --sew-time 1 --settle-time 0.1 -q -o out/mirrored
grep -q 'pairs of primitives have no room' out/mirrored/report.html || fail "no warnings of the motion in the report"
head -c 3000 files/body.obj >mirrored_0003.obj
must 2 'warning: [0-9]+ pairs of primitives have no room: once, at' "$weft" sew files/skirt.json --body files/body.obj --size 100 \
    --motion 'mirrored_####.obj' --sew-time 1 --settle-time 0.1 -q -o out/broken
tail -1 said.txt | grep -q 'mirrored_0003.obj' || fail "not the reason last: $(cat said.txt)"
for scene in "$WEFT_ROOT"/scenes/*.yaml "$WEFT_ROOT"/scenes/*/*.yaml "$WEFT_ROOT"/scenes/*.obj "$WEFT_ROOT"/scenes/*/*.obj; do
    "$weft" info "$scene" >said.txt 2>&1 || fail "$scene: $(cat said.txt)"
    ! grep -q warning said.txt || fail "a false alarm: $(cat said.txt)"
done
! grep -Eq 'warning: .*(panel|the body)' out/skirt.txt || fail "a false alarm: $(cat out/skirt.txt)"

# ---- contacts: with a mesh they are pairs --------------------------------------------------------------------------
printf 'v -1 0 -1\nv -1 0 1\nv 1 0 1\nv 1 0 -1\nf 1 2 3 4\n' >floor.obj
tiny 8 20 | sed '/ball:/d; s/ground: .*/ground: {shape: mesh, file: floor.obj}/; s/centre: .*]}/centre: [0, 0.004, 0]}/' >floor.yaml
must 0 'frame 20/20,.* touching [1-9]' "$weft" run floor.yaml -o out/floor
grep -q 'Contacts with meshes, and of cloth with cloth' out/floor/report.html || fail "the report does not tell contacts apart"
"$weft" run floor.yaml -o out/floor --force --json --no-pictures 2>/dev/null | grep -q '"frame":20,.*"contacts":0,"pairs":[1-9]' ||
    fail "no pairs in the events"

# ---- bounds of a motion: those of all frames -----------------------------------------------------------------------
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >rise_0001.obj
printf 'v 0 0 5\nv 1 0 5\nv 0 1 7\nf 1 2 3\n' >rise_0002.obj
must 0 'bounds +x 0 … 1, y 0 … 1, z 0 … 7$' "$weft" info 'rise_####.obj'

# ---- mistakes ------------------------------------------------------------------------------------------------------
wrong "no verb 'rum': did you mean 'run'" "$weft" rum
wrong "no verb 'simulate'" "$weft" simulate
wrong "no option '--verison': did you mean '--version'" "$weft" --verison
wrong "no option '--threads' before a verb" "$weft" --threads 2 run tiny.yaml
for words in 'bench' 'bench step --quick' 'help bench'; do
    # shellcheck disable=SC2086
    wrong 'a program of their own: build/bench/weft-bench NAME, or ./dev bench NAME' "$weft" $words
done
"$weft" help >said.txt
! grep -q bench said.txt || fail "bench is still a verb"
must 0 'usage: weft VERB' "$weft" help --help
must 0 'usage: weft VERB' "$weft" help -h
wrong "did you mean 'denim'" "$weft" sew files/shirt.json --body files/body.obj --fabric denm
wrong "there are cotton, wool" "$weft" sew files/shirt.json --body files/body.obj --fabric zzzzz
for verb in run check untangle render sew; do
    wrong "did you mean '--threads'" "$weft" $verb x --thread 2
done
wrong "'radius' is 0,2: numbers have a decimal point, 0.2" "$weft" run <(tiny 8 1 | sed 's/radius: 0.1/radius: 0,2/') -o out/x
wrong "radius is '0,2': expected .* with a decimal point" "$weft" run tiny.yaml --set colliders.ball.radius=0,2 -o out/x
wrong "did you mean '--frames'" "$weft" run tiny.yaml --framse 3
wrong 'a whole number from 0' "$weft" run tiny.yaml --frames many
wrong 'needs a scene' "$weft" run
wrong "'--from' goes with '--resume'" "$weft" run tiny.yaml --from 3
wrong 'missing.yaml' "$weft" run missing.yaml
wrong 'is a folder' "$weft" run out
wrong 'tiny.yaml/x' "$weft" run tiny.yaml -o tiny.yaml/x
wrong 'holds a run already.*--resume.*--force.*-o' "$weft" run tiny.yaml
wrong 'would replace the scene' "$weft" run out/tiny/scene.yaml -o out/tiny --force
cp tiny.yaml scene.yaml
wrong 'would replace the scene' "$weft" run scene.yaml -o . --force
mkdir other && echo mine >other/report.html
wrong 'report.html exists already' "$weft" run tiny.yaml -o other
wrong 'unknown key|no key|clothes' "$weft" run <(tiny 8 1 | sed 's/^cloths/clothes/') -o out/x
wrong 'tiny.yaml:|frames' "$weft" run tiny.yaml --set output.frames=-1 -o out/x
wrong 'no such file or folder' "$weft" info nothing
wrong 'ending tells nothing' "$weft" info said.txt
wrong 'no run is there' "$weft" info seq
wrong 'no run is there' "$weft" export seq --out x.glb
echo 'no cache' >bad.weft
wrong 'bad.weft' "$weft" info bad.weft
cp out/tiny/cache.weft other.weft
printf '\002\0\0\0\375\377\377\377' | dd of=other.weft bs=1 seek=8 conv=notrunc 2>/dev/null
wrong 'version 2' "$weft" info other.weft
cp out/tiny/cache.weft head.weft
printf '\252\252\252\252' | dd of=head.weft bs=1 seek=200 conv=notrunc 2>/dev/null
wrong 'head.weft.*check sum' "$weft" info head.weft
must 0 'final hash' "$weft" run tiny.yaml --set output.restart_every=1000 --no-pictures -o damaged
middle=$(($(grep -abo FRAM damaged/cache.weft | sed -n 7p | cut -d: -f1) + 100)) # in a frame
printf '\252\125\252\125' | dd of=damaged/cache.weft bs=1 seek=$middle conv=notrunc 2>/dev/null
wrong 'damaged/cache.weft' "$weft" info damaged --check
wrong "'weft run --resume -o damaged' computes again what is lost" "$weft" info damaged --check
must 1 'frame [0-9]+ is damaged: its check sum is wrong; it is not judged' "$weft" check damaged --report damaged.html
grep -q 'damaged and not judged: 1' damaged.html || fail "the report of a damaged run does not say so"
grep -q 'damaged and left out: 1' damaged.html || fail "the player of a damaged run does not say so"
wrong 'damaged/cache.weft' "$weft" export damaged --out damaged.npz
[ ! -e damaged.npz ] || fail "half a file was left"
mkdir locked && chmod 500 locked
[ "$(id -u)" = 0 ] || wrong 'locked' "$weft" run tiny.yaml -o locked/x
must 0 'final hash '"$hash" "$weft" run tiny.yaml --force --no-pictures
# What held nodes alone force is told, and is a no; resumed, too.
cat >apart.yaml <<'END'
name: apart
cloths:
  sheet: {grid: {size: [0.2, 0.2], nodes: [5, 5], corner: [0, 0, 0], warp: [1, 0, 0], weft: [0, 0, 1]}, fabric: cotton}
attachments:
  - {cloth: sheet, select: warp_start}
  - {cloth: sheet, select: warp_end, keys: [{time: 0, position: [0, 0, 0]}, {time: 0.2, position: [0.1, 0, 0]}]}
output: {fps: 30, frames: 6}
END
must 1 'times as long as its stretch limit allows; held nodes alone force 1\.' "$weft" run apart.yaml --no-pictures
must 1 'stretched by far more than its limit' "$weft" run --resume -o out/apart --no-pictures
sed 's/0.1, 0, 0/0.005, 0, 0/' apart.yaml >near.yaml
must 0 'final hash' "$weft" run near.yaml --force --no-pictures
echo "$n_checks checks passed"
