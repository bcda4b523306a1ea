#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a fresh clone work where only git is installed? Makes a minimal Debian 12 with debootstrap, clones HEAD into it
# and runs ./dev run and ./dev test all there. The host's apt sources and settings (mirrors, proxies) are used inside.
# Needs root, debootstrap and about 6 GB.
#
# usage: scripts/try_fresh.sh [DIRECTORY]
#        DIRECTORY: where the root is made, and stays; without, a temporary one that is removed
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { echo "try_fresh: $*"; }
die() { say "$@" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || die "please run as root: a chroot is made"
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"

keep=
if [ $# -gt 0 ]; then
    keep=1
    mkdir -p "$1"
    root=$(cd "$1" && pwd)
    [ "$root" != / ] || die "not in / itself"
    [ -z "$(ls -A "$root")" ] || die "$root is not empty"
else
    root=$(mktemp -d /var/tmp/weft-fresh.XXXXXX)
fi

mounted=()
leave() {
    local m
    for m in "${mounted[@]}"; do umount "$m" || keep=1; done
    [ -n "$keep" ] || rm -rf --one-file-system "$root"
}
trap leave EXIT

say "making a fresh $suite in $root"
said=$(debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$root" "$mirror" 2>&1) ||
    { echo "$said" | tail -20 && die "debootstrap failed"; }

# The host's mirrors and proxies, if it is a Debian of the same suite.
if grep -qs "VERSION_CODENAME=$suite" /etc/os-release; then
    rm -f "$root/etc/apt/sources.list"
    for f in sources.list sources.list.d auth.conf.d apt.conf apt.conf.d trusted.gpg trusted.gpg.d keyrings; do
        [ ! -e "/etc/apt/$f" ] || cp -rL "/etc/apt/$f" "$root/etc/apt/"
    done
fi
rm -rf "$root"/var/lib/apt/lists/*
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
if mount -t proc proc "$root/proc"; then mounted+=("$root/proc"); else say "no /proc inside: sanitizers may complain"; fi
if ! [ -c "$root/dev/null" ]; then mount --bind /dev "$root/dev" && mounted+=("$root/dev"); fi

# npm trusts what the host's does: a proxy may stand between, with a certificate of its own.
if [ -e "${NODE_EXTRA_CA_CERTS-}" ]; then
    mkdir -p "$root${NODE_EXTRA_CA_CERTS%/*}"
    cp -L "$NODE_EXTRA_CA_CERTS" "$root$NODE_EXTRA_CA_CERTS"
fi

git clone -q --no-hardlinks "$repository" "$root/weft"

inside() {
    local keep_env=() v
    for v in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS; do
        [ -z "${!v-}" ] || keep_env+=("$v=${!v}")
    done
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb "${keep_env[@]}" \
        chroot "$root" /bin/sh -c "cd /weft && $1"
}

start=$SECONDS
say "$(git -C "$root/weft" log -1 --format='%h %s'): ./dev run"
inside "./dev run && picture=\$(ls out/ball/*.png | head -1) && test -s \"\$picture\"" || die "./dev run failed"
say "./dev test all"
inside "./dev test all" || die "./dev test all failed"
say "both work from a fresh clone; they took $((SECONDS - start)) s with the installation"
