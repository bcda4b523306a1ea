#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Villard and Borouchaki promises, on small meshes: adaptive explicit cloth on a ball takes less time
# than uniform, has as many folds, and lies where that lies. usage: bench.sh WEFT
# /* ctest: timeout=900 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/lib.sh"

must 0 '^ball: [0-9.]+ times less time, folds ([0-9]+) and \1, ' "$weft" bench villard --quick --only ball -o out
must 0 '^"ball, explicit, adaptive",196,' cat out/villard.csv
must 0 '' test -s out/villard-ball.png
