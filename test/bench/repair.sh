#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random tangles that are repaired, one of each kind that takes a second. usage: repair.sh WEFT_BENCH
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

for case in 'sleeve 5' 'layers 9' 'body 8' 'capsule 8' 'sheets 4' 'hopeless 1'; do
    # shellcheck disable=SC2086
    set -- $case
    must 0 "^$1 +1 of +1 as they should be" "$bench" repair "$2" --only "$1" --quick
done
must 0 '^sheets +1 of +1 as they should be' "$bench" untangling 4 --only sheets --quick
wrong "no kind of tangle named 'cup'" "$bench" repair 1 --only cup
wrong 'seeds are' "$bench" repair 5..3
echo "$n_checks checks passed"
