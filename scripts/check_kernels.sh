#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looks into a static libweft on x86-64: instructions that not every processor has (registers ymm and zmm, and all that
# are encoded like theirs) stand only in objects that define nothing for others but names ending in _avx2 or _avx512,
# which are called after the processor has been asked (src/math/kernel.h).
#
# usage: check_kernels.sh LIBWEFT.A
set -euo pipefail
export LC_ALL=C
[ -e "${1-}" ] || { echo "usage: $0 LIBWEFT.A" >&2 && exit 2; }

# The symbols of each object first, then its instructions; objects of one name are told apart by their order.
{ objdump -t "$1" && echo "instructions" && objdump -d --no-show-raw-insn "$1"; } | awk '
    /^instructions$/ { n = 0; code = 1; next }
    /file format/ { n++; object[n] = $1; sub(/:$/, "", object[n]); next }
    !code && $2 == "g" && !/\*UND\*/ {
        if ($NF ~ /_avx(2|512)$/) copies++; else plain[n] = $NF
    }
    code && n in plain && !(n in told) && (/%[yz]mm/ || /\tv[a-z0-9]+ .*%xmm/) {
        print object[n] " defines " plain[n] " and has" $0; told[n] = bad = 1
    }
    END {
        if (!copies) print "no kernel for AVX2"
        exit bad || !copies
    }'
