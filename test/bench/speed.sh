#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The benches of time print their tables and leave them as CSV; what they measure depends on the machine, what they
# audit does not. usage: speed.sh WEFT_BENCH
# /* ctest: timeout=300 */
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

# A bar may be missed: exit code 1.
"$bench" peers --quick --only sheet --threads 1 -o out >said.txt 2>&1
[ $? -le 1 ] || fail "peers: $(cat said.txt)"
grep -Eq '^weft +1936 +[0-9.]+ +1\.[0-9]+ +0 this run' said.txt || fail "peers: $(cat said.txt)"
grep -Eq '^weft,1936,[0-9.]+,[0-9.]+,0,this run$' out/peers_sheet.csv || fail "peers_sheet.csv: $(cat out/peers_sheet.csv)"
[ "$(wc -l <out/peers_sheet.csv)" -eq 5 ] || fail "not five lines: $(cat out/peers_sheet.csv)"
wrong 'there are phases, real' "$bench" step --only nothing
wrong 'there are sizes, threads' "$bench" scale --only nothing
wrong 'there are ball, sheet' "$bench" peers --only nothing
wrong 'there are villard, volino, provot' "$bench" papers --only nothing
echo "$n_checks checks passed"
