#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Volino and Magnenat-Thalmann promises in counts, on small meshes; of times, which depend on what else
# the machine does, only that they are printed. usage: volino.sh WEFT_BENCH
# /* ctest: labels=long timeout=900 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

must 0 'kept: no elementary test' "$bench" volino --quick --only sphere
must 0 'kept: at most 3 elementary tests' "$bench" volino --quick --only loop
if has_data ccd/cloth_ball92.ply; then
    must 0 '^ +3800 \+ 17200 ' "$bench" volino --quick --only body
    "$bench" volino --quick --only boxes >said.txt
    grep -q 'kept: exactly 1,655,541 and 5,197,332 pairs' said.txt || fail "other pairs: $(cat said.txt)"
fi
for part in cost memory; do
    "$bench" volino --quick --only $part >said.txt
    [ $? -le 1 ] || fail "$part: $(cat said.txt)"
    grep -Eq '^(ribbon|sheet, still) +[0-9]+ \|' said.txt || fail "$part: $(cat said.txt)"
done
wrong 'there are sphere, loop' "$bench" volino --only nothing
