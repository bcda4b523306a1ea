#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looks into a static libweft: no variable that can change (the library has no globals), no call that prints, exits or
# aborts, and the heap only from mem.c.
#
# usage: check_symbols.sh LIBWEFT.A
set -euo pipefail
export LC_ALL=C
[ -e "${1-}" ] || { echo "usage: $0 LIBWEFT.A" >&2 && exit 2; }

objdump -t "$1" | awk '
    /file format/ { object = $1; sub(/:$/, "", object); next }
    # value, flags, section, size, name; tables of constant pointers lie in .data.rel.ro and may stay
    / (\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.[A-Za-z_][A-Za-z0-9_.]*)?\t/ && !/\.data\.rel\.ro/ && !/ d / {
        print object ": " $NF " is a global variable"; bad = 1
    }
    / \*UND\*/ {
        name = $NF
        if (name ~ /^(__)?(v?f?printf|puts|fputs|putchar|perror|fwrite|exit|_Exit|_exit|quick_exit|abort|rand|srand|random)(_chk)?$/) {
            print object ": calls " name; bad = 1
        }
        if (name ~ /^(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup)$/ && object !~ /^mem\./) {
            print object ": calls " name; bad = 1
        }
    }
    END { exit bad }'
