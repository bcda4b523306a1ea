#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weft-bench itself: the list of benches, their help, the folder of data, and the benches with options of their own.
# usage: program.sh WEFT_BENCH
# shellcheck source=test/tool/lib.sh
. "$(dirname "$0")/../tool/lib.sh"
bench=$weft

# ---- help ----------------------------------------------------------------------------------------------------------
must 0 '^  papers +all tables' "$bench"
must 0 'usage: weft-bench NAME' "$bench" --help
names=$("$bench" | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$names")" -eq 17 ] || fail "not seventeen benches: $names"
for name in $names; do
    must 0 "^usage: weft-bench $name .*\\[options\\]" "$bench" "$name" --help
    must 0 "^  weft-bench $name" "$bench" help "$name"
    must 0 '^ +--threads N' "$bench" "$name" --help
done
must 0 '^ +--data DIR' "$bench" step --help
must 0 '^ +--kind name' "$bench" ccd --help
wrong "no bench 'stpe': did you mean 'step'" "$bench" stpe
wrong "no bench 'everything'" "$bench" everything
wrong "'weft-bench step' has no option '--kind'" "$bench" step --kind vf
wrong "see 'weft-bench help solve'" "$bench" solve --xyzzyxyzzy

# ---- data ----------------------------------------------------------------------------------------------------------
wrong 'nowhere: there is no such folder' "$bench" volino --data nowhere
must 0 'boxes: left out, there is no ./ccd/cloth_ball92.ply' "$bench" volino --only boxes --data .
must 0 'boxes: left out, there is no nowhere/ccd/cloth_ball92.ply' env WEFT_DATA=nowhere "$bench" volino --only boxes
must 0 'boxes: left out, there is no folder of data' env -u WEFT_DATA "$bench" volino --only boxes
must 0 'left out, there is no folder of data with untangle/unit_LL.obj' env -u WEFT_DATA "$bench" ye --only units

# ---- contact -------------------------------------------------------------------------------------------------------
wrong "no part 'slides' of this bench: there are slide, creep" "$bench" contact --only slides
code=0
"$bench" contact --only sums --quick --threads 1 -o out >said.txt || code=$?
[ "$code" -eq "$(grep -q MISSED said.txt && echo 1 || echo 0)" ] || fail "exit code $code: $(cat said.txt)"
must 0 '^two that meet,default,60,' cat out/contact_sums.csv

wrong "no part 'swings' of this bench: there are swing, meet" "$bench" motion --only swings

# ---- repair --------------------------------------------------------------------------------------------------------
wrong "no kind of tangle named 'strap'" "$bench" repair 1 --only strap
wrong "seeds are 7 or 1..200" "$bench" repair 5..1
"$bench" repair 1 --only layers -o out >said.txt
[ $? -le 1 ] || fail "repair: $(cat said.txt)"
must 0 '^layers,1,' cat out/repair.csv

# ---- options of their own ------------------------------------------------------------------------------------------
must 0 '^hanging  uniform    20²     400   500 ' "$bench" solve --sizes 8,20 --stiffness 500 --seconds 0.05 \
    --scenes hanging --meshes uniform --csv solve.csv
grep -q '^hanging  uniform     8² left out: its 64 nodes are too few for multigrid' said.txt || fail "$(cat said.txt)"
must 0 '^hanging,uniform,20,400,500,0.01,[0-9]+,' cat solve.csv
wrong "'--sizes 12,x': expected up to 8 numbers" "$bench" solve --sizes 12,x
wrong 'cannot write no/where.csv' "$bench" solve --csv no/where.csv
must 0 '^bullet +2 +0 +0 ' "$bench" torture --scenes bullet --size 0.3 --seconds 0.03 --csv torture.csv
must 0 '^bullet,2,0,0,' cat torture.csv
wrong "'--rate 0': expected a number" "$bench" torture --rate 0
echo "$n_checks checks passed"
