#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles alone, and twice, as C11 and as C++11 without a warning; all together too.
set -euo pipefail
cd "$(dirname "$0")/../.."
strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude)

# compiles TEXT
compiles() {
    local cc
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        printf '%b' "$1" | $cc -x c -std=c11 "${strict[@]}" -Wstrict-prototypes -
    done
    for cc in g++ clang++; do
        command -v $cc >/dev/null || continue
        printf '%b' "$1" | $cc -x c++ -std=c++11 "${strict[@]}" -
    done
}

all=
for header in include/weft/*.h include/weft/io/*.h; do
    line="#include <${header#include/}>\n"
    compiles "$line$line" || { echo "$header does not stand alone" && exit 1; }
    all+=$line
done
compiles "$all"
