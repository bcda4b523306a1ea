#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the packages that ./dev deb has left in out/ install, run and purge where nothing else is? Installs them into a fresh
# Debian 12, runs the command and Python's first sample, builds programs against the library by pkg-config and by CMake,
# and purges all. Needs root and debootstrap.
#
# usage: scripts/try_deb.sh [DIRECTORY]
set -euo pipefail
# shellcheck source=scripts/fresh_root.sh
. "$(dirname "$0")/fresh_root.sh"

packages=(weft libweft0 libweft-dev python3-weft)
mkdir -p "$root/try"
for p in "${packages[@]}"; do
    cp "$repository/out/${p}_"*.deb "$root/try/" || die "out/ has no $p: ./dev deb makes it"
done
cp -r "$repository/test/install/consumer" "$repository/samples/drape.py" "$root/try/"
apt='env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends'

say "libraries alone: no Embree comes with them"
inside /try "apt-get -q update >/dev/null && $apt install ./libweft0_*.deb ./python3-weft_*.deb >install.log 2>&1" ||
    { tail -20 "$root/try/install.log" && die "the libraries do not install"; }
! inside /try "dpkg -l libembree3-3 2>/dev/null | grep -q ^ii" || die "Embree was installed"
inside /try "python3 drape.py" || die "Python's first sample"
say "all, and what programs are built with"
inside /try "$apt install ./*.deb gcc g++ libc6-dev pkg-config cmake ninja-build man-db >install.log 2>&1" ||
    { tail -20 "$root/try/install.log" && die "the packages do not install"; }
inside /try "weft --version && weft new drape && weft run drape.yaml --frames 5 && test -s out/drape/preview.png" ||
    die "the command does not run"
inside /try "gcc consumer/main.c -o c \$(pkg-config --cflags --libs weft) && ./c" || die "pkg-config"
inside /try "gcc consumer/main_io.c -o io \$(pkg-config --cflags --libs weft-io) && ./io" || die "pkg-config weft-io"
inside /try "cmake -S consumer -B cmake -G Ninja >cmake.log 2>&1 && cmake --build cmake >>cmake.log 2>&1 &&
    cmake/consumer_c && cmake/consumer_cpp" || { tail -20 "$root/try/cmake.log" && die "find_package"; }
say "purge"
inside /try "$apt purge ${packages[*]} >purge.log 2>&1" || { tail -20 "$root/try/purge.log" && die "purge"; }
left=$(find "$root/usr" "$root/etc" "$root/var/lib/dpkg/info" -iname '*weft*' ! -path '*/__pycache__/*' | head)
[ -z "$left" ] || die "left behind: $left"
say "the packages install, run and purge"
