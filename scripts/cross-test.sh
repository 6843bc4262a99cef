#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/cross-test.sh ARCH [CTEST-WORD...]: builds the unit tests for another machine in build/test-ARCH, and
# runs them, under qemu where this machine cannot: s390x (big-endian), arm64 (char without a sign), i386 (size_t of 32
# bits), musl (another C library). CTEST-WORDs choose tests; CROSS_TARGETS names the targets that are built (those of
# all unit tests, and the command). The exit status is 77 if the compiler, qemu, or the libraries cannot be had.
set -eu
cd "$(dirname "$0")/.."
arch=$1
shift
deps=$PWD/build/cross/$arch
folder=build/test-$arch
case $arch in
musl) needed=musl-gcc ;;
s390x) needed=s390x-linux-gnu-gcc ;;
arm64) needed=aarch64-linux-gnu-gcc ;;
i386) needed=i686-linux-gnu-gcc ;;
*)
    echo "cross-test: no machine $arch" >&2
    exit 2
    ;;
esac
need() {
    [ -z "$1" ] || command -v "$1" >/dev/null || { echo "SKIP: there is no $1: scripts/dependencies.sh cross"; exit 77; }
}
need "$needed"
scripts/deps.sh "$arch" "build/cross/$arch" "-O2 -g0"
need "$(sed -n 's/^set(CMAKE_CROSSCOMPILING_EMULATOR "\(.*\)")$/\1/p' "$deps/toolchain.cmake")"
cmake -G Ninja -S . -B "$folder" --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$deps/toolchain.cmake" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1" -DBSPKIT_SHARED=OFF -DBSPKIT_MANUAL=OFF -DBSPKIT_TESTS=ON \
    -DBSPKIT_WERROR=ON -DCMAKE_EXE_LINKER_FLAGS="-static"
unit=$(ctest --test-dir "$folder" -N -L '^unit$' | sed -n 's/.*Test *#[0-9]*: //p')
# shellcheck disable=SC2086
cmake --build "$folder" -j "$(nproc)" --target ${CROSS_TARGETS:-$unit bspkit}
ctest --test-dir "$folder" -j "$(nproc)" -L '^unit$' --output-on-failure "$@"
