#!/bin/sh
# SPDX-License-Identifier: MIT
# The one place that names the Debian packages. Installs those that are missing, as root or with
# sudo; says and does nothing when none is. `scripts/dependencies.sh coverage` adds a report tool,
# `scripts/dependencies.sh manual` what builds the manual.
set -eu

# To build the library and the command, and to render the man pages.
packages="gcc libc6-dev make cmake ninja-build pkg-config liblzma-dev libdeflate-dev scdoc"
packages="$packages libpng-dev libjpeg62-turbo-dev libpcre2-dev libjansson-dev"
# To test: the second compiler with its sanitizers and fuzzer, C++ for the headers, test libraries.
packages="$packages clang libclang-rt-dev llvm g++ clang-format libcmocka-dev"
packages="$packages python3 binutils"
if [ "${1:-}" = coverage ]; then
    packages="$packages gcovr"
elif [ "${1:-}" = manual ]; then
    packages="$packages doxygen"
fi

if ! command -v dpkg-query >/dev/null; then
    echo "dependencies: no Debian system; what is needed: $packages" >&2
    exit 0
fi

missing=
for package in $packages; do
    # A virtual package (pkg-config is one by now) is there if something provides it.
    if ! dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
        grep '^installed ' | grep -Eq "[ ,]$(echo "$package" | sed 's/[+.]/\\&/g')([ ,]|\$)"; then
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0

run=
if [ "$(id -u)" -ne 0 ]; then
    run=sudo
fi
echo "dependencies: installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! { $run env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
    $run env DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "dependencies: could not install$missing" >&2
    exit 1
fi
