#!/bin/bash
# SPDX-License-Identifier: MIT
# web/view/build-native.sh LIBRARY PREFIX OUT: links native/*.c, and what writes JSON in the command, with libbspkit.a
# (built for WebAssembly) and the libraries in PREFIX/lib as OUT/view.mjs and OUT/view.wasm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$1 prefix=$2 out=$3
json=$here/../../src/cli/parts/json.c
mkdir -p "$out"
# Linking takes half a minute: not again for the same input.
if [ -e "$out/view.wasm" ] && [ -z "$(find "$here/native" "$here/build-native.sh" "$json" "$library" -newer "$out/view.wasm")" ]; then
    exit 0
fi
# Debian's emscripten finds its optimiser among the system's modules only with this.
export NODE_PATH=/usr/share/nodejs
emcc -std=c17 -O3 -msimd128 -msse2 -fvisibility=hidden -I"$here/../../include" -I"$here/../../src" \
    "$here"/native/*.c "$json" "$library" -L"$prefix/lib" -llzma -ldeflate -lpng16 -lz -ljpeg -lbz2 -lworkerfs.js \
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB \
    -sFORCE_FILESYSTEM=1 -sTOTAL_STACK=1MB -sEXPORTED_FUNCTIONS=_malloc,_free \
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString,FS,WORKERFS,HEAPU8,stackSave,stackRestore,stackAlloc \
    -o "$out/view.mjs"
