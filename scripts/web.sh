#!/bin/bash
# SPDX-License-Identifier: MIT
# `make web`: the library as WebAssembly, for any page, and the viewer's page, in web/dist; and the npm package,
# build/web/bspkit-VERSION.tgz. Needs emscripten and node (scripts/dependencies.sh web); packages of npm come by
# the lock file. build/web keeps what is compiled. The exit status is 77 if sources or packages cannot be had.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
out=$root/web/dist
jobs=${JOBS:-2}
# Debian's emscripten finds its optimiser among the system's modules only with this.
export NODE_PATH=/usr/share/nodejs

command -v emcc >/dev/null || { echo "web: emscripten is needed: scripts/dependencies.sh web" >&2; exit 1; }
mkdir -p build/web "$out"
[ -e web/node_modules/.done ] && [ web/node_modules/.done -nt web/package-lock.json ] || {
    npm --prefix web ci --ignore-scripts --no-fund --no-audit >build/web/npm.log 2>&1 ||
        { tail -n 20 build/web/npm.log >&2; exit 77; }
    touch web/node_modules/.done
}

# library NAME FLAGS: libbspkit.a for WebAssembly in build/web/NAME.
library() {
    scripts/deps.sh wasm "build/web/$1-deps" "-O3 $2"
    deps=$root/build/web/$1-deps
    export PKG_CONFIG_LIBDIR="$deps/lib/pkgconfig" # also where the build configures itself again
    if [ ! -e "build/web/$1/build.ninja" ]; then
        emcmake cmake -G Ninja -S . -B "build/web/$1" \
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS="$2" -DBSPKIT_COMMAND=OFF -DBSPKIT_SHARED=OFF \
            -DBSPKIT_MANUAL=OFF -DBSPKIT_INDEX=OFF -DBSPKIT_PCRE2=OFF -DBSPKIT_HARDENED=OFF -DBSPKIT_SMALL=ON \
            -DCMAKE_INSTALL_LIBDIR=lib \
            -DBZIP2_INCLUDE_DIR="$deps/include" -DBZIP2_LIBRARY_RELEASE="$deps/lib/libbz2.a" \
            >"build/web/$1.log" 2>&1 || { tail -n 30 "build/web/$1.log" >&2; exit 1; }
    fi
    cmake --build "build/web/$1" --target bspkit_static -j "$jobs" >"build/web/$1.log" 2>&1 ||
        { tail -n 30 "build/web/$1.log" >&2; exit 1; }
}

# module NAME FLAGS: the module, with those functions of the library that web/lib calls.
module() {
    deps=$root/build/web/$1-deps
    calls=$(grep -oh '_bsp_[a-z0-9_]*' web/lib/[!g]*.ts web/lib/g[!e]*.ts web/lib/geometry.ts | sort -u | tr '\n' ',')
    # shellcheck disable=SC2086
    emcc -std=c17 -O3 $2 -Iinclude web/lib/native.c "build/web/$1/libbspkit.a" -L"$deps/lib" \
        -llzma -ldeflate -lbz2 -lpng16 -lz -ljpeg -o "build/web/$1/module.mjs" -fvisibility=hidden \
        -sMODULARIZE=1 -sEXPORT_ES6=1 -sEXPORT_NAME=bspkit -sENVIRONMENT=web,worker -sALLOW_MEMORY_GROWTH=1 \
        -sMAXIMUM_MEMORY=4GB -sFILESYSTEM=0 -sWASM_BIGINT=1 -sEXPORTED_RUNTIME_METHODS= \
        -sEXPORTED_FUNCTIONS="${calls}_malloc,_free" -sINCOMING_MODULE_JS_API=instantiateWasm,locateFile
}

python3 scripts/bindings.py build/web/bindings --pointer 4 --cc none --typescript web/lib/generated.ts
for build in "simd -msimd128 -msse2" "plain "; do
    name=${build%% *} flags=${build#* }
    library "$name" "$flags"
    # What the bindings say about sizes and offsets, as the compiler of the module sees it.
    emcc -std=c17 -Iinclude -fsyntax-only build/web/bindings/check.c
    module "$name" "$flags"
done
# The code beside a module names its file, and nothing else of it.
cmp build/web/simd/module.mjs build/web/plain/module.mjs || { echo "web: the two modules need different code" >&2; exit 1; }
cp build/web/simd/module.wasm "$out/bspkit.wasm"
cp build/web/plain/module.wasm "$out/bspkit-plain.wasm"
(cd web && node build-lib.mjs ../build/web/simd/module.mjs dist)
rm -f build/web/bspkit-*.tgz
(cd web && node build-package.mjs dist ../build/web/simd-deps/licences ../build/web)
[ ! -e web/view/build.mjs ] || (cd web && node view/build.mjs dist && cp dist/index.html dist/view.html)
