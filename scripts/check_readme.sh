#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The README's listings are the samples themselves: between  <!-- sample:NAME -->  and  <!-- /sample:NAME -->  stands
# samples/NAME.c in a code block. Checks that, or with --update writes them in.
#
# usage: check_readme.sh [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
awk '
    !skipping { print }
    /^<!-- sample:[a-z0-9_]+ -->$/ {
        name = $2; sub(/^sample:/, "", name)
        file = "samples/" name ".c"
        n = 0
        while ((status = (getline line < file)) > 0) {
            if (!n++) print "```c"
            print line
        }
        if (status < 0) print "*(" file " is not written yet)*"
        if (n) print "```"
        close(file)
        skipping = 1
    }
    /^<!-- \/sample:[a-z0-9_]+ -->$/ { print; skipping = 0 }
    END { if (skipping) { print "README.md: no end mark for sample " name > "/dev/stderr"; exit 1 } }
' README.md >"$fresh"

if [ "${1-}" = --update ]; then
    cat "$fresh" >README.md
elif ! diff -u README.md "$fresh"; then
    echo "The listing in README.md is not the sample: scripts/check_readme.sh --update puts it in."
    exit 1
fi
