# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# To be sourced by what tries something in a minimal Debian 12: makes one with debootstrap, in the directory $1 (which stays)
# or a temporary one that is removed. The host's apt sources and settings (mirrors, proxies) are used inside. From then on
# $root is the root, and `inside WHERE COMMAND` runs a line of shell in it. Needs root and debootstrap.
repository=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { echo "$(basename "$0" .sh): $*"; }
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

# inside FOLDER COMMAND
inside() {
    local keep_env=() v
    for v in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS; do
        [ -z "${!v-}" ] || keep_env+=("$v=${!v}")
    done
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb "${keep_env[@]}" \
        chroot "$root" /bin/sh -c "cd $1 && $2"
}
