#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A disk that is full: a clear error, and nothing before it is lost. usage: full_disk.sh WEFT
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"
tiny 16 60 >tiny.yaml
"$weft" run tiny.yaml -o whole --no-pictures --quiet || fail "the run with room enough"
hash=$(field hash whole)

# check FOLDER: what a full disk must leave
check() {
    [ "$(grep -c '^weft: ' said.txt)" -eq 1 ] || fail "not one message: $(cat said.txt)"
    grep -q 'to go on: weft run --resume' said.txt || fail "nothing said on how to go on: $(cat said.txt)"
    "$weft" info "$1" --check >info.txt 2>&1 || fail "frames are not readable: $(cat info.txt)"
    n_frames=$(field frames "$1")
    { [ "$n_frames" -gt 2 ] && [ "$n_frames" -lt 61 ]; } || fail "$n_frames frames"
    echo "$(cat said.txt) -- $n_frames frames are readable"
}

# A limit on the size of files, in kB
(ulimit -f 100 && exec "$weft" run tiny.yaml -o limited --no-pictures --quiet) >said.txt 2>&1
[ $? -eq 2 ] || fail "exit code is not 2: $(cat said.txt)"
grep -q 'File too large' said.txt || fail "no reason: $(cat said.txt)"
check limited
"$weft" run --resume -o limited --no-pictures --quiet || fail "resume with room enough"
[ "$(field hash limited)" = "$hash" ] || fail "another hash"

# A small disk, where we may make one
mkdir disk
if mount -t tmpfs -o size=128k none disk 2>/dev/null; then
    trap 'umount disk; rm -rf "$work"' EXIT
    "$weft" run tiny.yaml -o disk/run --no-pictures --quiet >said.txt 2>&1
    [ $? -eq 2 ] || fail "exit code is not 2: $(cat said.txt)"
    grep -q 'No space left' said.txt || fail "no reason: $(cat said.txt)"
    check disk/run
    cp -r disk/run moved
    "$weft" run --resume -o moved --no-pictures --quiet || fail "resume on another disk"
    [ "$(field hash moved)" = "$hash" ] || fail "another hash"
else
    echo "no tmpfs may be mounted here: left out"
fi
echo "nothing was lost"
