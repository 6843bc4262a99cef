#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/blender.sh [OUT.zip]: the add-on for Blender with the shared libraries that it needs, which contain
# all others: that of this machine, and that for 64-bit Windows where mingw-w64 is installed. The libraries
# that they contain are built first (deps.sh), in build/cross.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/blender/io_import_bsp.zip}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

# library TARGET MORE-LINK-FLAGS: the shared library, in build/blender/TARGET.
library() {
    deps=$PWD/build/cross/$1
    scripts/deps.sh "$1" "build/cross/$1" "-O2 -g0"
    PKG_CONFIG_LIBDIR=$deps/lib/pkgconfig cmake -G Ninja -S . -B "build/blender/$1" --log-level=WARNING \
        -DCMAKE_TOOLCHAIN_FILE="$deps/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release -DBSPKIT_SHARED=ON \
        -DBSPKIT_COMMAND=OFF -DBSPKIT_INDEX=OFF -DBSPKIT_MANUAL=OFF -DCMAKE_SHARED_LINKER_FLAGS="-s $2"
    cmake --build "build/blender/$1" --target bspkit_shared -j "$(nproc)"
}

library linux "-static-libgcc -Wl,--exclude-libs,ALL"
set -- build/cross/linux/licences build/blender/linux/libbspkit.so
if command -v x86_64-w64-mingw32-gcc >/dev/null; then
    library mingw "-static -Wl,--no-insert-timestamp"
    set -- "$@" build/cross/mingw/licences "$(ls build/blender/mingw/*.dll)"
else
    echo "blender: without mingw-w64 the add-on has no library for Windows" >&2
fi
python3 blender/make_zip.py "$out" "$@"
