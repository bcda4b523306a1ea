#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the bench of Ye and Zhao promises, in part: ribbons, and bodies that keep their shape. usage: ye.sh WEFT_BENCH
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

must 0 'all as promised' "$bench" ye --only ribbons
must 0 'all as promised' "$bench" ye --only rigid --quick
wrong "no part 'cup'" "$bench" ye --only cup
echo "$n_checks checks passed"
