#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Villard and Borouchaki promises, on small meshes: adaptive explicit cloth on a ball takes less time
# than uniform and lies where that lies; implicit cloth has the same folds as well. usage: bench.sh WEFT
# /* ctest: labels=long timeout=900 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

line=$("$weft" bench villard --quick --only ball -o out | grep '^ball: ') # folds may differ: the exit code tells
awk '{ exit !($2 >= 1 && match($0, /apart by [0-9.]+/) && substr($0, RSTART + 9, RLENGTH - 9) <= 1) }' <<<"$line" ||
    fail "the adaptive drape is elsewhere, or took longer: $line"
must 0 '^"ball, explicit, adaptive",196,' cat out/villard.csv
[ -s out/villard-ball.png ] || fail "no picture of the ball"
must 0 '^implicit: .* folds 4 and 4, ' "$weft" bench villard --quick --only implicit
