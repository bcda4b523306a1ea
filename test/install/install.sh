#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs a build into a temporary prefix and builds a small program against it, in C and C++, by pkg-config and by
# find_package; runs the command from there, with its manual pages and completion. With WEFT_LONG set also for a shared library, which is built for this, and must export weft_* only.
#
# usage: install.sh BUILD_DIRECTORY C_COMPILER
set -euo pipefail
build=$1 cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict=(-Wall -Wextra -Wpedantic -Werror)

# by_pkg_config PREFIX NAME
by_pkg_config() {
    local flags
    export PKG_CONFIG_PATH=$1/lib/pkgconfig
    # Libraries of Debian's own layout lie in lib/<machine>.
    [ -d "$PKG_CONFIG_PATH" ] || PKG_CONFIG_PATH=$(dirname "$(find "$1" -name weft.pc)")
    read -r -a flags <<<"$(pkg-config --cflags --libs weft)"
    "$cc" -std=c11 "${strict[@]}" "$here/consumer/main.c" -o "$work/$2-c" "${flags[@]}"
    g++ -std=c++11 "${strict[@]}" "$here/consumer/main.cpp" -o "$work/$2-cpp" "${flags[@]}"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir weft) "$work/$2-c"
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir weft) "$work/$2-cpp"
    if pkg-config --exists weft-io; then
        read -r -a flags <<<"$(pkg-config --cflags --libs weft-io)"
        "$cc" -std=c11 "${strict[@]}" "$here/consumer/main_io.c" -o "$work/$2-io" "${flags[@]}"
        LD_LIBRARY_PATH=$(pkg-config --variable=libdir weft) "$work/$2-io"
    fi
    echo "$2: pkg-config is fine: ${flags[*]}"
}

# by_find_package PREFIX NAME
by_find_package() {
    cmake -S "$here/consumer" -B "$work/$2-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$1" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_CXX_COMPILER=g++
    cmake --build "$work/$2-cmake"
    "$work/$2-cmake/consumer_c"
    "$work/$2-cmake/consumer_cpp"
    echo "$2: find_package is fine"
}

both() {
    by_pkg_config "$@"
    by_find_package "$@"
}

# the_command PREFIX: it runs, man finds a page of each verb, and shells find what completes words.
the_command() {
    [ -x "$1/bin/weft" ] || { echo "no command was built" && return 0; }
    (cd "$work" && "$1/bin/weft" new drape && "$1/bin/weft" run drape.yaml --frames 1 --no-pictures -q)
    for verb in $("$1/bin/weft" help | sed -n '/^examples/q; s/^  \([a-z]*\) .*/\1/p'); do
        [ "$verb" = help ] || [ -s "$1/share/man/man1/weft-$verb.1" ] || { echo "no page of $verb" && exit 1; }
    done
    [ ! -x "$(command -v man)" ] || MANPATH=$1/share/man man -w weft weft-run
    bash -c '. "$0" && complete -p weft' "$1/share/bash-completion/completions/weft"
    grep -q '^#compdef weft' "$1/share/zsh/site-functions/_weft"
    echo "the command is fine"
}

cmake --install "$build" --prefix "$work/prefix"
both "$work/prefix" built
the_command "$work/prefix"

if [ -n "${WEFT_LONG-}" ]; then
    cmake -S "$here/../.." -B "$work/shared" -G Ninja -DCMAKE_C_COMPILER="$cc" -DWEFT_SHARED=ON -DWEFT_TESTS=OFF \
        -DWEFT_BENCH=OFF -DWEFT_SAMPLES=OFF -DWEFT_COMMAND=OFF -DCMAKE_INSTALL_PREFIX="$work/prefix-shared"
    cmake --build "$work/shared"
    cmake --install "$work/shared"
    both "$work/prefix-shared" shared
    if nm -D --defined-only "$work"/shared/libweft*.so | awk 'NF == 3 { print $3 }' | grep -v '^weft_'; then
        echo "the shared library exports more than the public API" && exit 1
    fi
fi
