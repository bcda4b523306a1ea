#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a fresh clone work where only git is installed? Makes a minimal Debian 12 with debootstrap, clones HEAD into it
# and runs ./dev run and ./dev test all there. The host's apt sources and settings (mirrors, proxies) are used inside.
# Needs root, debootstrap and about 6 GB.
#
# usage: scripts/try_fresh.sh [DIRECTORY]
#        DIRECTORY: where the root is made, and stays; without, a temporary one that is removed
set -euo pipefail
# shellcheck source=scripts/fresh_root.sh
. "$(dirname "$0")/fresh_root.sh"

# npm trusts what the host's does: a proxy may stand between, with a certificate of its own.
if [ -e "${NODE_EXTRA_CA_CERTS-}" ]; then
    mkdir -p "$root${NODE_EXTRA_CA_CERTS%/*}"
    cp -L "$NODE_EXTRA_CA_CERTS" "$root$NODE_EXTRA_CA_CERTS"
fi

git clone -q --no-hardlinks "$repository" "$root/weft"

start=$SECONDS
say "$(git -C "$root/weft" log -1 --format='%h %s'): ./dev run"
inside /weft "./dev run && picture=\$(ls out/ball/*.png | head -1) && test -s \"\$picture\"" || die "./dev run failed"
say "./dev test all"
inside /weft "./dev test all" || die "./dev test all failed"
say "both work from a fresh clone; they took $((SECONDS - start)) s with the installation"
