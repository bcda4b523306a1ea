#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy over src, tool, bench and samples; .clang-tidy says what it looks for.
#
# usage: lint.sh --whole     all checks
#        lint.sh --fast      without clang's analyzer, which takes nine tenths of the time
#
# A source that is clean is not looked at again before something changes: build-lint/clean has an empty file for each,
# named by the hash of all that the answer depends on: clang-tidy's version and configuration, the compiler's command,
# the source, and the text that it becomes with all it includes.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$PWD/build-lint
jobs=$(nproc 2>/dev/null || echo 2)

# Assertions are on: they tell the analyzer what the code relies on. A compiler cache would stand in clang-tidy's way.
configure() {
    mkdir -p "$dir/clean"
    cmake --preset clang-debug -B "$dir" -DWEFT_TESTS=OFF -DCMAKE_C_COMPILER_LAUNCHER= \
        >"$dir/configure.log" 2>&1 || { tail -20 "$dir/configure.log" && return 1; }
}

# Two lines for each source: its path and the command that compiles it.
sources() {
    awk -F'": "' -v root="$PWD/" '
        { value = $2; sub(/",?$/, "", value); gsub(/\\"/, "\"", value); gsub(/\\\\/, "\\", value) }
        $1 ~ /"command$/ { command = value }
        $1 ~ /"file$/ && index(value, root) == 1 && substr(value, length(root) + 1) ~ /^(src|tool|bench|samples)\// {
            print value; print command
        }' "$dir/compile_commands.json"
}

# key FILE COMPILER FLAG ..
key() {
    local file=$1
    shift
    { echo "$WEFT_TIDY" "$@" && cat "$file" && "$@" -E -C "$file"; } | sha256sum | cut -d' ' -f1
}

# tidy CHECKS FILE COMPILER FLAG ..: prints what it finds. It gets the command here, for in CMake's database a kernel has
# several, and would be looked at by all of them each time.
tidy() {
    local checks=$1 file=$2 said
    shift 3
    said=$(clang-tidy --quiet "--checks=$checks" "$file" -- "$@" 2>&1) && return
    grep -v ' warnings\? generated\|warnings\? treated as error' <<<"$said" || true
    return 1
}

# look MODE FILE COMMAND ..: CMake ends a command with  -o OBJECT -c FILE
look() {
    local mode=$1 checks='' stamp file words failed=0
    [ "$mode" = whole ] || checks='-clang-analyzer-*'
    shift
    while [ $# -gt 0 ]; do
        file=$1
        eval "words=(${2% -o *})"
        shift 2
        stamp=$dir/clean/$(key "$file" "${words[@]}")
        if [ -e "$stamp.$mode" ] || [ -e "$stamp.whole" ]; then
            touch -c "$stamp.fast" "$stamp.whole"
        elif tidy "$checks" "$file" "${words[@]}"; then
            touch "$stamp.$mode"
        else
            failed=1
        fi
    done
    return $failed
}

look_at_all() {
    local failed=0
    configure || return
    WEFT_TIDY=$(clang-tidy --version && clang-tidy --dump-config)
    export WEFT_TIDY
    sources | xargs -d '\n' -P "$jobs" -n 8 scripts/lint.sh --look "$1" || failed=1
    find "$dir/clean" -type f -mtime +60 -delete
    return $failed
}

case ${1-} in
--whole | --fast) look_at_all "${1#--}" ;;
--look) shift && look "$@" ;;
*) echo "usage: lint.sh --whole | --fast" >&2 && exit 2 ;;
esac
