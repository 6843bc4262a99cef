#!/bin/sh
# SPDX-License-Identifier: MIT
# The one place that names the Debian packages. Installs those that are missing, as root or with
# sudo; says and does nothing when none is. `scripts/dependencies.sh coverage` adds a report tool,
# `manual` in its place what builds the manual, `web` what builds and tests the WebAssembly module, the npm
# package and the viewer, `python` the same of the Python package, `blender` what tests the add-on for Blender,
# `windows` what builds and tests the command for Windows, `static` what builds it for any Linux, `deb` what
# builds and tests Debian's packages, `cross` what builds and runs the tests for other machines, `big-endian` the
# part of it for s390x.
set -eu

# To build the library and the command, and to render the man pages.
packages="gcc libc6-dev make cmake ninja-build pkg-config liblzma-dev libdeflate-dev libbz2-dev scdoc"
packages="$packages libpng-dev libjpeg62-turbo-dev libpcre2-dev libjansson-dev libsqlite3-dev"
# To test: the second compiler with its sanitizers and fuzzer, C++ for the headers, test libraries.
packages="$packages clang libclang-rt-dev llvm g++ clang-format libcmocka-dev"
packages="$packages python3 binutils"
if [ "${1:-}" = coverage ]; then
    packages="$packages gcovr"
elif [ "${1:-}" = manual ]; then
    packages="$packages doxygen"
elif [ "${1:-}" = web ]; then
    packages="$packages emscripten nodejs npm dpkg-dev chromium"
elif [ "${1:-}" = windows ]; then
    packages="$packages mingw-w64 wine wine64 dpkg-dev zip tcl"
elif [ "${1:-}" = static ]; then
    packages="$packages musl-tools dpkg-dev tcl"
elif [ "${1:-}" = cross ]; then
    packages="$packages qemu-user-static dpkg-dev musl-tools tcl gcc-s390x-linux-gnu libc6-dev-s390x-cross"
    packages="$packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-i686-linux-gnu libc6-dev-i386-cross"
elif [ "${1:-}" = big-endian ]; then
    packages="$packages qemu-user-static dpkg-dev gcc-s390x-linux-gnu libc6-dev-s390x-cross"
elif [ "${1:-}" = deb ]; then
    packages="$packages debhelper dh-python dpkg-dev libjpeg-dev python3-cffi python3-dev python3-setuptools lintian"
    packages="$packages debootstrap"
elif [ "${1:-}" = blender ]; then
    packages="$packages blender python3-numpy python3-pytest"
elif [ "${1:-}" = python ]; then
    packages="$packages python3-dev python3-cffi python3-numpy python3-setuptools python3-wheel python3-pip"
    packages="$packages dpkg-dev python3-pytest python3-matplotlib python3-distributed mypy"
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
