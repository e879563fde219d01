#!/bin/sh
# Install Debian packages, as root or with a sudo that asks for no password. On failure, print the reason in one line on standard
# error. Usage: sh tools/apt.sh PACKAGE...
[ "$(id -u)" -eq 0 ] && sudo='' || sudo='sudo -n'
get() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes "$@" </dev/null; }

if ! command -v apt-get >/dev/null || ! $sudo true 2>/dev/null; then
    echo "cannot install $*: that takes apt-get, and root or a sudo that asks for no password" >&2
    exit 1
fi
echo "Installing $* ..."
said=$({ get install --no-install-recommends "$@" || { get update && get install --no-install-recommends "$@"; }; } 2>&1) ||
    { echo "cannot install $*: $(echo "$said" | sed -n 's/^E: //p' | tail -n 1)" >&2; exit 1; }
