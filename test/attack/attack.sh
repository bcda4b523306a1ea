#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The attack as a test: its judge, the cases, and fixed seeds for a minute on two processes; half an hour with WEFT_LONG.
#
# usage: attack.sh ATTACK
# /* ctest: timeout=2400 */
set -euo pipefail
attack=$1
here=$(dirname "$0")
seconds=60
[ -z "${WEFT_LONG-}" ] || seconds=1800
"$attack" --self-test
"$attack" --cases "$here/cases.txt"
"$attack" --seeds 1..1000000 --seconds "$seconds" --jobs 2 --known "$here/known.txt"
