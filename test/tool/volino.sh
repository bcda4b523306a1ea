#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Volino and Magnenat-Thalmann promises in counts, on small meshes; of times, which depend on what else
# the machine does, only that they are printed. usage: volino.sh WEFT
# /* ctest: labels=long timeout=900 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"
export WEFT_DATA=${WEFT_DATA:-$WEFT_ROOT/../shared/data}

must 0 'kept: no elementary test' "$weft" bench volino --quick --only sphere
must 0 'kept: at most 3 elementary tests' "$weft" bench volino --quick --only loop
if [ -e "$WEFT_DATA/ccd/cloth_ball92.ply" ]; then
    must 0 '^ +3800 \+ 17200 ' "$weft" bench volino --quick --only body
    "$weft" bench volino --quick --only boxes >said.txt
    grep -q 'kept: exactly 1,655,541 and 5,197,332 pairs' said.txt || fail "other pairs: $(cat said.txt)"
else
    echo "left out: body and boxes, there are no files in $WEFT_DATA"
fi
for part in cost memory; do
    "$weft" bench volino --quick --only $part >said.txt
    [ $? -le 1 ] || fail "$part: $(cat said.txt)"
    grep -Eq '^(ribbon|sheet, still) +[0-9]+ \|' said.txt || fail "$part: $(cat said.txt)"
done
wrong 'there are sphere, loop' "$weft" bench volino --only nothing
