#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Villard and Borouchaki promises, on small meshes: adaptive cloth on a ball takes less time than
# uniform, lies where that lies and has as many folds, with explicit and implicit steps. usage: villard.sh WEFT_BENCH
# /* ctest: labels=long timeout=900 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

must 0 '^ball: .* folds 8 and 8, ' "$bench" villard --quick --only ball -o out
must 0 '^"ball, explicit, adaptive",1444,' cat out/villard.csv
[ -s out/villard-ball.png ] || fail "no picture of the ball"
must 0 '^implicit: .* folds 4 and 4, ' "$bench" villard --quick --only implicit
