#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks what may use what.
#
#   1. src/X includes "Y/..." only for Y = X or a folder above X in the list below; nothing else in quotes.
#   2. The core includes the C library's headers, <weft/...>, in base only threads, in math only intrinsics. No other
#      library (but src/io).
#   3. include/weft, src/io, samples and tool see the public API only, beside what is their own; src/io has the growable
#      array of base too (a shared libweft-io has a copy of base/array.c and base/mem.c, and of nothing else). bench,
#      test and fuzz may use everything, and are not looked at.
#   4. src does not print, exit, abort, call rand or, but for src/base/mem.c and src/io, the heap.
#   5. src calls no function of libm that two libraries may round differently.
#
# usage: check_dependencies.sh [DIRECTORY]     the repository, or another tree of the same shape
#        check_dependencies.sh --self-test     feeds it faults and expects each to be found
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")/.." && pwd)

# Source text without comments and with empty strings, one line for one line, so that words can be searched.
# Include lines keep their file name.
stripped() {
    awk '
    function rest(s, i) { return substr(s, i) }
    {
        line = $0; out = ""
        if (!inside && line ~ /^[ \t]*#[ \t]*include/) { print line; next }
        while (line != "") {
            if (inside) {
                i = index(line, "*/")
                if (!i) { line = ""; break }
                inside = 0; out = out " "; line = rest(line, i + 2)
            } else if (match(line, /\/\*|\/\/|"|\047/)) {
                mark = substr(line, RSTART, RLENGTH)
                out = out substr(line, 1, RSTART - 1)
                line = rest(line, RSTART + RLENGTH)
                if (mark == "/*") inside = 1
                else if (mark == "//") line = ""
                else {
                    while (line != "" && substr(line, 1, 1) != mark)
                        line = rest(line, substr(line, 1, 1) == "\\" ? 3 : 2)
                    line = rest(line, 2)
                    out = out mark mark
                }
            } else { out = out line; line = "" }
        }
        print out
    }' "$1"
}

# Reads stripped text; prints "file:line: what". `kind` is core, io or public.
judge() {
    awk -v file="$1" -v kind="$2" -v folder="$3" '
    function fault(text) { print file ":" NR ": " text }
    function calls(names,  pattern) {
        pattern = "(^|[^A-Za-z0-9_.>])(" names ")[ \t]*[(]"
        if (!match($0, pattern)) return ""
        found = substr($0, RSTART, RLENGTH)
        gsub(/^[^A-Za-z_]|[ \t]*[(]$/, "", found)
        return found
    }
    BEGIN {
        n = split("base math mesh bvh force solve contact untangle garment sim repair sew io", order, " ")
        for (i = 1; i <= n; i++) place[order[i]] = i
        split("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign " \
              "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar " \
              "wchar wctype", names, " ")
        for (i in names) standard[names[i] ".h"] = 1
        split("pthread.h unistd.h sched.h windows.h process.h sanitizer/asan_interface.h", names, " ")
        for (i in names) system_header[names[i]] = 1
        intrinsics["emmintrin.h"] = intrinsics["immintrin.h"] = 1
    }
    /^[ \t]*#[ \t]*include/ {
        name = $0
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
        quoted = substr(name, 1, 1) == "\""
        name = substr(name, 2)
        sub(/[">].*/, "", name)
        top = name ~ /\// ? substr(name, 1, index(name, "/") - 1) : ""
        if (name ~ /\.\./) fault("includes \"" name "\": no .. in an include")
        else if (kind == "public") {
            own = folder ~ /^tool/ && top == "render" || folder ~ /^tool(\/(report|player|view))?$/ && (top == "report" || top == "player" || top == "view" || top == "")
            if (quoted ? !own : (top in place))
                fault("includes " name ": only <weft/...> is public")
            else if (folder == "include/weft" && top != "weft" && !(name in standard))
                fault("includes <" name ">: a public header needs the C library only")
        } else if (quoted) {
            if (!(top in place)) fault("includes \"" name "\": write \"folder/file.h\", relative to src")
            else if (folder == "io" && top != "io" && name != "base/array.h" && name != "base/mem.h")
                fault("includes \"" name "\": io stands on the public API")
            else if (place[top] > place[folder]) fault("includes \"" name "\": " folder " may not use " top)
        } else if (top != "weft" && kind == "core" && !(name in standard) && !(folder == "base" && name in system_header) &&
                 !(folder == "math" && name in intrinsics))
            fault("includes <" name ">: not of the C library")
        next
    }
    kind == "public" { next }
    {
        what = calls("printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror|exit|_Exit|_exit|quick_exit|abort|rand|srand|random|drand48|system")
        if (what == "" || kind == "io" && what ~ /^(fprintf|fputs|vfprintf)$/) what = ""
        if (what != "") fault("calls " what)
        what = calls("malloc|calloc|realloc|free|aligned_alloc|strdup|strndup")
        if (what != "" && kind == "core" && file !~ /src\/base\/mem\.c$/) fault("calls " what ": memory comes from base/mem.h")
        what = calls("(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10|log1p|pow|hypot|cbrt|erf|erfc|tgamma|lgamma)[fl]?")
        if (what != "" && kind == "core") fault("calls " what ": not the same on every machine, see math/trig.h")
    }'
}

# Judges every source file below $1; prints the faults, fails if there are any.
check_tree() {
    local root=$1 file folder kind faults
    faults=$(
        cd "$root"
        for d in include/weft src samples tool; do
            [ ! -d "$d" ] || find "$d" -name '*.[ch]'
        done | sort | while read -r file; do
            folder=$(dirname "$file") kind=public
            case $file in
            src/io/*) folder=io kind=io ;;
            src/*/*) folder=${file#src/} folder=${folder%%/*} kind=core ;;
            src/*) echo "$file:1: lies in no folder of src" && continue ;;
            esac
            stripped "$file" | judge "$file" "$kind" "$folder"
        done
    )
    [ -z "$faults" ] || { echo "$faults" && return 1; }
}

# fault_is_found TEXT PATH LINE: a tree with this line in this file must be refused, with TEXT in the message
fault_is_found() {
    local tree said
    tree=$(mktemp -d)
    mkdir -p "$tree/$(dirname "$2")"
    printf '/* printf(1); exit(1); */\n#include <math.h>\n%s\n' "$3" >"$tree/$2"
    if said=$(check_tree "$tree"); then said="nothing"; fi
    rm -rf "$tree"
    case $said in
    *"$2:3: "*"$1"*) ;;
    *) echo "not found: $3 in $2 (it said: $said)" && return 1 ;;
    esac
}

# line_is_fine PATH LINE
line_is_fine() {
    local tree said
    tree=$(mktemp -d)
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$tree/$1"
    said=$(check_tree "$tree") || { rm -rf "$tree" && echo "wrongly refused: $2 ($said)" && return 1; }
    rm -rf "$tree"
}

self_test() {
    local bad=0
    fault_is_found "math may not use sim" src/math/a.h '#include "sim/step.h"' || bad=1
    fault_is_found "base may not use math" src/base/a.c '#  include "math/vec.h"' || bad=1
    fault_is_found "sim may not use io" src/sim/a.c '#include "io/obj.h"' || bad=1
    fault_is_found "relative to src" src/sim/a.c '#include "step.h"' || bad=1
    fault_is_found "no .." src/math/a.c '#include "../sim/step.h"' || bad=1
    fault_is_found "not of the C library" src/sim/a.c '#include <yaml.h>' || bad=1
    fault_is_found "not of the C library" src/sim/a.c '#include <pthread.h>' || bad=1
    fault_is_found "only <weft/...> is public" samples/a.c '#include "sim/step.h"' || bad=1
    fault_is_found "only <weft/...> is public" samples/a.c '#include "render/picture.h"' || bad=1
    fault_is_found "only <weft/...> is public" tool/render/a.c '#include "args.h"' || bad=1
    fault_is_found "only <weft/...> is public" tool/render/a.c '#include "report/plot.h"' || bad=1
    fault_is_found "only <weft/...> is public" tool/report/a.c '#include "sim/step.h"' || bad=1
    fault_is_found "io stands on the public API" src/io/a.c '#include "math/vec.h"' || bad=1
    fault_is_found "io stands on the public API" src/io/a.c '#include "base/error.h"' || bad=1
    fault_is_found "calls printf" src/io/a.c '    printf("%d", 1);' || bad=1
    fault_is_found "only <weft/...> is public" tool/a.c '#include <sim/step.h>' || bad=1
    fault_is_found "C library only" include/weft/a.h '#include <pthread.h>' || bad=1
    fault_is_found "calls printf" src/sim/a.c '    if (x) printf("%d", 1);' || bad=1
    fault_is_found "calls abort" src/sim/a.c '"a /* b"; abort();' || bad=1
    fault_is_found "calls malloc" src/sim/a.c 'void *p = malloc (3);' || bad=1
    fault_is_found "calls rand" src/math/a.h 'return rand() / 3;' || bad=1
    fault_is_found "calls sinf" src/math/a.h 'return sinf(3);' || bad=1
    line_is_fine src/sim/a.c '#include "sim/step.h" /* abort() */' || bad=1
    line_is_fine src/sim/a.c 'snprintf(s, 3, "printf(%d)", m->log(3), weft_exp(2), s.free(1)); // exit(1)' || bad=1
    line_is_fine src/base/mem.c 'void *p = realloc(q, 3);' || bad=1
    fault_is_found "not of the C library" src/bvh/a.c '#include <emmintrin.h>' || bad=1
    line_is_fine src/math/box.h '#include <emmintrin.h>' || bad=1
    line_is_fine src/base/pool.c '#include <pthread.h>' || bad=1
    line_is_fine src/io/a.c '#include <yaml.h>' || bad=1
    line_is_fine tool/a.c '#include "render/picture.h"' || bad=1
    line_is_fine src/io/a.c '#include "base/array.h"' || bad=1
    line_is_fine tool/a.c '#include "args.h"' || bad=1
    line_is_fine tool/a.c '#include "report/report.h"' || bad=1
    line_is_fine tool/report/a.c '#include "report/report.h"' || bad=1
    line_is_fine tool/report/a.c '#include "page.h"' || bad=1
    line_is_fine src/io/a.c 'void *p = malloc(3);' || bad=1
    return $bad
}

case ${1-} in
--self-test) self_test ;;
*) check_tree "${1:-$here}" ;;
esac
