# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of programs share. To be sourced with $1 the path of the built program, weft or weft-bench, which is
# $weft from then on; leaves us in an empty folder.
set -u
weft=$(realpath "$1")
program=$(basename "$weft")
work=$(mktemp -d "${TMPDIR:-/tmp}/weft_test.XXXXXX")
# A child that a signal ends before it has become the command has this trap, too: the folder is not its own. (With && it
# stays as well where the shell, thus interrupted, takes the test for failed.)
trap '[ "$BASHPID" = $$ ] && rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C.UTF-8
n_checks=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# must CODE PATTERN COMMAND..: runs it, compares the exit code, and looks for an (extended) pattern in what it said.
must() {
    local code=$1 pattern=$2 found
    shift 2
    "$@" >said.txt 2>&1
    found=$?
    [ "$found" -eq "$code" ] || fail "exit code $found, not $code: $* -- $(cat said.txt)"
    grep -Eq -- "$pattern" said.txt || fail "'$pattern' was not said by: $* -- $(cat said.txt)"
    n_checks=$((n_checks + 1))
}

# wrong PATTERN COMMAND..: exit code 2 and one message.
wrong() {
    local pattern=$1
    shift
    must 2 "^$program: .*$pattern" "$@"
    [ "$(grep -c "^$program: " said.txt)" -eq 1 ] || fail "not one message: $* -- $(cat said.txt)"
}

# has_data FILE: whether the folder of data (WEFT_DATA) has it; if not, a line says what is left out.
has_data() {
    [ -n "${WEFT_DATA-}" ] || { echo "left out, WEFT_DATA is not set: $1" && return 1; }
    [ -e "$WEFT_DATA/$1" ] || { echo "left out, there is no $WEFT_DATA/$1" && return 1; }
}

# field NAME FOLDER: a number or text of weft info --json
field() {
    "$weft" info "$2" --json | tr ',{}' '[\n*]' | sed -n "s/^\"$1\":\"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" | head -1
}

# A sheet on a ball, small enough to run in a blink. tiny NODES FRAMES >FILE
tiny() {
    cat <<END
name: tiny
cloths:
  sheet:
    grid: {size: [0.4, 0.4], nodes: [$1, $1], centre: [0, 0.25, 0]}
    fabric: cotton
colliders:
  ball: {shape: sphere, radius: 0.1, position: [0, 0.1, 0]}
  ground: {shape: plane}
output: {fps: 60, frames: $2, restart_every: 5}
picture: {width: 160, height: 120, samples: 1}
END
}
