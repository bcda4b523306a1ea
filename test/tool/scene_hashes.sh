#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every scene of the repository, and a sewn garment, give the bits that scene_hashes.txt has: what is meant to change
# no result changes none. Reduced lengths; with WEFT_LONG set the whole of each scene. WEFT_UPDATE=1 writes the table
# anew, which a commit that changes results does and explains. usage: scene_hashes.sh WEFT
# /* ctest: timeout=1800 */
table=$(realpath "$(dirname "$0")")/scene_hashes.txt
scenes=$(realpath "$(dirname "$0")/../../scenes")
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

# hash_of SCENE FRAMES: of the state after so many frames, 0: after all
hash_of() {
    local frames=()
    [ "$2" -eq 0 ] || frames=(--frames "$2")
    "$weft" run "$scenes/$1.yaml" -o out --force --no-pictures -q "${frames[@]}" >said.txt 2>&1 ||
        fail "$1: $(cat said.txt)"
    tail -1 out/stats.csv | cut -d, -f3
}

# garment_hash PATTERN SIZE: of the worn mesh, whose file has all digits
garment_hash() {
    [ -e body.obj ] || "$weft" form -o body.obj >said.txt 2>&1 || fail "form: $(cat said.txt)"
    "$weft" sew "$scenes/garments/$1.json" --body body.obj --size "$2" -o sewn --force -q >said.txt 2>&1 ||
        fail "$1: $(cat said.txt)"
    sha256sum "sewn/$1.obj" | cut -c1-16
}

now() {
    case $2 in
    sewn:*) garment_hash "$1" "${2#sewn:}" ;;
    *) hash_of "$1" "$2" ;;
    esac
}

while read -r scene length short long; do
    case $scene in \#*) echo "$scene $length $short $long" && continue ;; esac
    if [ -n "${WEFT_UPDATE-}" ]; then
        short=$(now "$scene" "$length")
        case $length in sewn:*) long=- ;; *) long=$(now "$scene" 0) ;; esac
        echo "$scene $length $short $long"
        continue
    fi
    found=$(now "$scene" "$length") || exit 1
    [ "$found" = "$short" ] || { echo "FAILED: $scene, $length: $found, not $short" >&2 && bad=1; }
    if [ -n "${WEFT_LONG-}" ] && [ "$long" != - ]; then
        found=$(now "$scene" 0) || exit 1
        [ "$found" = "$long" ] || { echo "FAILED: $scene, all of it: $found, not $long" >&2 && bad=1; }
    fi
    n_checks=$((n_checks + 1))
done <"$table" >table.txt
[ -z "${bad-}" ] || exit 1
if [ -n "${WEFT_UPDATE-}" ]; then cp table.txt "$table"; fi
echo "$n_checks checks passed"
