#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/cross.sh mingw|musl FOLDER: builds the command for 64-bit Windows, or for any Linux of this
# machine's kind, in FOLDER: one file that needs no libraries but the system's. The libraries that it
# contains are built first (deps.sh), in build/cross, where their licences are, too.
set -eu
cd "$(dirname "$0")/.."
target=$1
folder=$2
deps=$PWD/build/cross/$target
scripts/deps.sh "$target" "build/cross/$target" "-O2 -g0"
link="-static -s"
case $target in
mingw)
    link="$link -Wl,--no-insert-timestamp" # the same sources are the same file
    runtime="gcc-mingw-w64-base mingw-w64-common"
    ;;
*) runtime=musl ;;
esac
# What the compiler puts into every program.
for package in $runtime; do
    cp "/usr/share/doc/$package/copyright" "$deps/licences/$package.txt" 2>/dev/null ||
        echo "cross: the licence of $package is not there" >&2
done
cmake -G Ninja -S . -B "$folder" --log-level=WARNING \
    -DCMAKE_TOOLCHAIN_FILE="$deps/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DBSPKIT_SHARED=OFF \
    -DBSPKIT_MANUAL=OFF -DCMAKE_EXE_LINKER_FLAGS="$link"
cmake --build "$folder" --target bspkit -j "$(nproc)"
