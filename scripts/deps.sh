#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/deps.sh TARGET PREFIX [CFLAGS [NAME...]]: builds the libraries that the library needs as static archives for
# a machine that Debian has none for, out of the sources that Debian has released, with a .pc file each.
# TARGET is wasm (needs emscripten), mingw (64-bit Windows; needs mingw-w64), musl (needs musl-tools) or
# linux (this machine, for shared libraries that contain them); all but the first also get what the command
# needs, and PREFIX/toolchain.cmake. For s390x (big-endian), arm64 and i386 (each needs Debian's compiler for it)
# the archives are Debian's own. These and musl have what tests need, too. Sources are fetched once, to
# PREFIX/../sources, by apt and without a change to the system's lists. PREFIX/licences receives their licences.
# NAMEs choose some of the libraries. The same sources give the same archives in any folder. The exit status is 77
# if sources cannot be had.
set -eu
target=$1
triplet=
mkdir -p "$2/../sources"
prefix=$(cd "$2/.." && pwd)/$(basename "$2")
top=$(dirname "$prefix")
# What the libraries say of their own files (asserts do) is the same in any folder.
flags="${3:--O2} -ffile-prefix-map=$top=."
sources=$top/sources
work=$prefix/work
export LC_ALL=C # the order of objects in an archive
mkdir -p "$work" "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/licences"

# --- sources ------------------------------------------------------------------------------------

# apt with the system's own mirrors as sources of source packages, and lists of its own.
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$sources/deb-src.sources" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$sources/lists" -o APT::Sandbox::User=root "$@"
}

# Writes the mirrors that the system has as source mirrors, in either form of such lists.
list_mirrors() {
    cat /etc/apt/sources.list.d/debian.sources 2>/dev/null | sed 's/^Types: .*/Types: deb-src/' \
        >"$sources/deb-src.sources"
    if [ ! -s "$sources/deb-src.sources" ]; then
        rm "$sources/deb-src.sources"
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null \
            >"$sources/deb-src.list" || true
        ln -sf deb-src.list "$sources/deb-src.sources"
    fi
    mkdir -p "$sources/lists/partial"
    apt update >/dev/null
}

# fetch PACKAGE: its sources, patched, in $sources/PACKAGE. A superseded version of the security archive
# is listed but gone; the next older one is taken then.
fetch() {
    [ ! -e "$sources/$1/.done" ] || return 0
    [ -e "$sources/deb-src.sources" ] || list_mirrors
    versions=$(apt-cache -o Dir::Etc::sourcelist="$sources/deb-src.sources" \
        -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$sources/lists" showsrc "$1" |
        sed -n 's/^Version: //p' | sort -Vr)
    for version in $versions; do
        rm -rf "${sources:?}/$1.new" && mkdir "$sources/$1.new"
        if (cd "$sources/$1.new" && apt source --download-only "$1=$version" >/dev/null 2>&1 &&
            dpkg-source --no-check -x ./*.dsc tree >/dev/null 2>&1); then
            rm -rf "${sources:?}/$1" && mv "$sources/$1.new/tree" "$sources/$1"
            rm -rf "$sources/$1.new"
            echo "$version" >"$sources/$1/.done"
            return 0
        fi
    done
    echo "deps: the sources of $1 cannot be had" >&2
    exit 77
}

# unpack_debian ARCHITECTURE TRIPLET: the archives and headers that Debian has for another machine.
unpack_debian() {
    lists=$sources/lists-$1 folder=$work/debs
    grep -q . /etc/apt/sources.list.d/debian.sources 2>/dev/null && list=/etc/apt/sources.list.d/debian.sources ||
        list=/etc/apt/sources.list
    mkdir -p "$lists/partial" "$folder"
    other() {
        apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" \
            -o Dir::State::lists="$lists" -o Dir::State::status=/dev/null -o Dir::Etc::sourcelist="$list" \
            -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root "$@"
    }
    architecture=$1
    other update >/dev/null 2>&1 || true
    if ! (cd "$folder" && other download zlib1g-dev liblzma-dev libdeflate-dev libbz2-dev libpng-dev \
        libjpeg62-turbo-dev libpcre2-dev libjansson-dev libsqlite3-dev libcmocka-dev >"$work/debs.log" 2>&1); then
        echo "deps: the packages of $1 cannot be had" >&2
        exit 77
    fi
    for package in "$folder"/*.deb; do
        dpkg-deb -x "$package" "$prefix"
    done
    [ ! -d "$prefix/usr/include/$2" ] || cp -r "$prefix/usr/include/$2/." "$prefix/usr/include/"
    rm -f "$prefix/usr/lib/$2"/*.so # archives only: one program that needs nothing else
}

# --- tools --------------------------------------------------------------------------------------

# write_toolchain SYSTEM PROCESSOR MORE: for CMake; libraries are looked for in the prefix only.
write_toolchain() {
    cat >"$prefix/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME $1)
set(CMAKE_SYSTEM_PROCESSOR $2)
set(CMAKE_C_COMPILER $cc)
$3
set(CMAKE_FIND_ROOT_PATH $prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} $prefix/lib/pkgconfig${triplet:+:$prefix/usr/lib/$triplet/pkgconfig})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${triplet:+$prefix})
END
}

case $target in
wasm)
    cc=emcc ar=emar configure=emcmake
    # Debian's emscripten finds its optimiser among the system's modules only with this.
    export NODE_PATH=/usr/share/nodejs
    # Checks of sizes read strings out of the linked file, which is JavaScript here.
    jpeg="-DHAVE_SIZE_T=1 -DSIZE_T=4 -DHAVE_UNSIGNED_LONG=1 -DUNSIGNED_LONG=4 -DCMAKE_SYSTEM_PROCESSOR=generic"
    word=4
    ;;
mingw)
    cc=x86_64-w64-mingw32-gcc ar=x86_64-w64-mingw32-ar configure="env"
    jpeg="-DCMAKE_TOOLCHAIN_FILE=$prefix/toolchain.cmake -DCMAKE_INSTALL_PREFIX=$prefix"
    word=8
    write_toolchain Windows x86_64 "set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)"
    ;;
musl)
    cc=musl-gcc ar=ar configure="env"
    jpeg="-DCMAKE_TOOLCHAIN_FILE=$prefix/toolchain.cmake -DCMAKE_INSTALL_PREFIX=$prefix"
    word=8
    write_toolchain Linux "$(uname -m)" ""
    ;;
linux)
    cc=gcc ar=ar configure="env"
    flags="$flags -fPIC -fvisibility=hidden"
    jpeg="-DCMAKE_TOOLCHAIN_FILE=$prefix/toolchain.cmake -DCMAKE_INSTALL_PREFIX=$prefix"
    word=8
    write_toolchain Linux "$(uname -m)" ""
    ;;
s390x | arm64 | i386)
    case $target in
    s390x) triplet=s390x-linux-gnu processor=s390x gcc=$triplet-gcc ;;
    arm64) triplet=aarch64-linux-gnu processor=aarch64 gcc=$triplet-gcc ;;
    i386) triplet=i386-linux-gnu processor=i686 gcc=i686-linux-gnu-gcc ;;
    esac
    cc=$gcc ar=${gcc%gcc}ar
    command -v "$cc" >/dev/null || { echo "deps: there is no $cc" >&2; exit 77; }
    emulator=qemu-${processor/i686/i386}-static
    # Processors of the same kind, and their systems, mostly run such programs themselves.
    if echo 'int main(void) { return 0; }' | "$cc" -static -x c - -o "$work/own" && "$work/own" 2>/dev/null; then
        emulator=
    fi
    # An archive comes after what calls it; packages name only what they are asked for themselves.
    write_toolchain Linux "$processor" "set(CMAKE_LIBRARY_ARCHITECTURE $triplet)
set(CMAKE_C_STANDARD_LIBRARIES \"$prefix/usr/lib/$triplet/libz.a -lm\")
set(CMAKE_CROSSCOMPILING_EMULATOR \"$emulator\")"
    ;;
*)
    echo "deps: no target $target" >&2
    exit 2
    ;;
esac

# library NAME: all of $work/NAME/*.o as libNAME.a.
library() {
    rm -f "$prefix/lib/lib$1.a"
    $ar rcs "$prefix/lib/lib$1.a" "$work/$1"/*.o
}

# compile NAME FLAGS FILE...: an object has the name that its source has below the folder of all, so that the
# archive is the same wherever that folder is.
compile() {
    name=$1 own=$2
    shift 2
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name"
    # shellcheck disable=SC2086
    printf '%s\n' "$@" | sed "s,^$top/,," | xargs -P 2 -I{} sh -c \
        "$cc $flags $own -c $top/{} -o $work/$name/\$(echo {} | tr / _).o"
    library "$name"
}

# describe PC-NAME VERSION LIBRARIES [REQUIRES]: paths are below the prefix where Debian's are, too.
describe() {
    root=$prefix
    [ -z "$triplet" ] || root=
    printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib %s\nCflags: -I%s/include\nRequires: %s\n' \
        "$1" "$1" "$2" "$root" "$3" "$root" "${4:-}" >"$prefix/lib/pkgconfig/$1.pc"
}

# licence NAME FILE...
licence() {
    name=$1
    shift
    cat "$@" >"$prefix/licences/$name.txt"
}

version_of() {
    sed 's/^[0-9]*://; s/[-+~].*//; s/\.dfsg$//' "$sources/$1/.done"
}

# --- libraries ----------------------------------------------------------------------------------

build_lzma() {
    fetch xz-utils
    s=$sources/xz-utils/src/liblzma
    files=
    for f in check/check check/crc32_table check/crc32_fast check/crc64_table check/crc64_fast \
        common/common common/vli_size common/vli_encoder common/vli_decoder common/easy_preset \
        common/filter_common common/filter_encoder common/filter_decoder common/filter_flags_encoder \
        common/filter_flags_decoder common/alone_decoder common/alone_encoder lz/lz_encoder \
        lz/lz_encoder_mf lz/lz_decoder lzma/lzma_encoder lzma/lzma_encoder_optimum_fast \
        lzma/lzma_encoder_optimum_normal lzma/lzma_encoder_presets lzma/fastpos_table lzma/lzma_decoder \
        lzma/lzma2_encoder lzma/lzma2_decoder rangecoder/price_table; do
        files="$files $s/$f.c"
    done
    define=
    for d in HAVE_STDBOOL_H HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STRING_H HAVE_LIMITS_H HAVE_CHECK_CRC32 \
        HAVE_CHECK_CRC64 HAVE_ENCODERS HAVE_DECODERS HAVE_ENCODER_LZMA1 HAVE_ENCODER_LZMA2 \
        HAVE_DECODER_LZMA1 HAVE_DECODER_LZMA2 HAVE_MF_HC3 HAVE_MF_HC4 HAVE_MF_BT2 HAVE_MF_BT3 HAVE_MF_BT4 \
        SIZEOF_SIZE_T=$word TUKLIB_SYMBOL_PREFIX=lzma_ HAVE___BUILTIN_BSWAPXX ASSUME_RAM=32 NDEBUG; do
        define="$define -D$d"
    done
    for i in api common check lz rangecoder lzma delta simple; do
        define="$define -I$s/$i"
    done
    # shellcheck disable=SC2086
    compile lzma "-std=gnu99 $define -I$sources/xz-utils/src/common" $files
    cp -r "$s"/api/lzma* "$prefix/include/"
    describe liblzma "$(version_of xz-utils)" -llzma
    licence liblzma "$sources/xz-utils/COPYING"
}

build_deflate() {
    fetch libdeflate
    s=$sources/libdeflate
    # shellcheck disable=SC2046
    compile deflate "-I$s -I$s/lib" $(ls "$s"/lib/*.c "$s"/lib/*/cpu_features.c)
    cp "$s/libdeflate.h" "$prefix/include/"
    describe libdeflate "$(version_of libdeflate)" -ldeflate
    licence libdeflate "$s/COPYING"
}

build_bzip2() {
    fetch bzip2
    s=$sources/bzip2
    # BZ_NO_STDIO: only memory; the library then asks for this function.
    echo 'void bz_internal_error(int code); void bz_internal_error(int code) { (void)code; __builtin_trap(); }' \
        >"$work/bz_error.c"
    compile bz2 "-DBZ_NO_STDIO -I$s" "$s/blocksort.c" "$s/huffman.c" "$s/crctable.c" "$s/randtable.c" \
        "$s/compress.c" "$s/decompress.c" "$s/bzlib.c" "$work/bz_error.c"
    cp "$s/bzlib.h" "$prefix/include/"
    licence bzip2 "$s/LICENSE"
}

build_zlib() {
    fetch zlib
    s=$sources/zlib
    compile z "-I$s" "$s/adler32.c" "$s/crc32.c" "$s/deflate.c" "$s/inffast.c" "$s/inflate.c" \
        "$s/inftrees.c" "$s/trees.c" "$s/zutil.c"
    cp "$s/zlib.h" "$s/zconf.h" "$prefix/include/"
    describe zlib "$(version_of zlib)" -lz
    sed -n '/Copyright (C) 1995/,/\*\//p' "$s/zlib.h" >"$prefix/licences/zlib.txt"
}

build_png() {
    fetch libpng1.6
    s=$sources/libpng1.6
    cp "$s/scripts/pnglibconf.h.prebuilt" "$prefix/include/pnglibconf.h"
    files=
    for f in png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans pngwio \
        pngwrite pngwtran pngwutil; do
        files="$files $s/$f.c"
    done
    # shellcheck disable=SC2086
    compile png16 "-DPNG_INTEL_SSE_OPT=0 -DPNG_ARM_NEON_OPT=0 -I$prefix/include -I$s" $files
    cp "$s/png.h" "$s/pngconf.h" "$prefix/include/"
    describe libpng "$(version_of libpng1.6)" "-lpng16 -lm" zlib
    licence libpng "$s/LICENSE"
}

build_jpeg() {
    fetch libjpeg-turbo
    s=$sources/libjpeg-turbo
    # shellcheck disable=SC2086
    $configure cmake -G Ninja -S "$s" -B "$work/jpeg" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
        -DENABLE_SHARED=OFF -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF -DWITH_ARITH_ENC=OFF $jpeg \
        >"$work/jpeg.log" 2>&1 &&
        cmake --build "$work/jpeg" -j2 --target jpeg-static >>"$work/jpeg.log" 2>&1 ||
        { tail -n 30 "$work/jpeg.log" >&2; exit 1; }
    cp "$work/jpeg/libjpeg.a" "$prefix/lib/"
    cp "$s/jpeglib.h" "$s/jmorecfg.h" "$s/jerror.h" "$work/jpeg/jconfig.h" "$prefix/include/"
    describe libjpeg "$(version_of libjpeg-turbo)" -ljpeg
    licence libjpeg-turbo "$s/LICENSE.md" "$s/README.ijg"
}

build_pcre2() {
    fetch pcre2
    s=$sources/pcre2/src
    mkdir -p "$work/pcre2"
    cp "$s/config.h.generic" "$work/pcre2/config.h"
    cp "$s/pcre2.h.generic" "$prefix/include/pcre2.h"
    cp "$s/pcre2_chartables.c.dist" "$work/pcre2/pcre2_chartables.c"
    files=$work/pcre2/pcre2_chartables.c
    for f in auto_possess compile config context convert dfa_match error extuni find_bracket jit_compile \
        maketables match match_data newline ord2utf pattern_info script_run serialize string_utils study \
        substitute substring tables ucd valid_utf xclass; do
        files="$files $s/pcre2_$f.c"
    done
    # shellcheck disable=SC2086
    compile pcre2-8 "-DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_UNICODE -DPCRE2_STATIC -I$work/pcre2 \
        -I$prefix/include -I$s" $files
    describe libpcre2-8 "$(version_of pcre2)" -lpcre2-8
    echo "Cflags: -I$prefix/include -DPCRE2_STATIC" >"$work/pcre2.flags"
    sed -i "/^Cflags/d" "$prefix/lib/pkgconfig/libpcre2-8.pc"
    cat "$work/pcre2.flags" >>"$prefix/lib/pkgconfig/libpcre2-8.pc"
    licence pcre2 "$sources/pcre2/LICENCE"
}

build_jansson() {
    fetch jansson
    # shellcheck disable=SC2086
    $configure cmake -G Ninja -S "$sources/jansson" -B "$work/jansson" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="$flags" $jpeg -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON \
        -DJANSSON_EXAMPLES=OFF >"$work/jansson.log" 2>&1 &&
        cmake --build "$work/jansson" -j2 >>"$work/jansson.log" 2>&1 ||
        { tail -n 30 "$work/jansson.log" >&2; exit 1; }
    cp "$work/jansson/lib/libjansson.a" "$prefix/lib/"
    cp "$work"/jansson/include/*.h "$prefix/include/"
    describe jansson "$(version_of jansson)" -ljansson
    licence jansson "$sources/jansson/LICENSE"
}

# The one file of which SQLite is usually built; its sources make it with Tcl and this machine's compiler.
build_sqlite() {
    fetch sqlite3
    mkdir -p "$work/sqlite"
    (cd "$work/sqlite" && "$sources/sqlite3/configure" --disable-tcl --disable-readline && make sqlite3.c) \
        >"$work/sqlite.log" 2>&1 || { tail -n 30 "$work/sqlite.log" >&2; exit 1; }
    compile sqlite3 "-DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1 \
        -I$work/sqlite" "$work/sqlite/sqlite3.c"
    cp "$work/sqlite/sqlite3.h" "$prefix/include/"
    describe sqlite3 "$(version_of sqlite3)" "-lsqlite3 -lm"
    echo "SQLite is in the public domain: https://www.sqlite.org/copyright.html" >"$prefix/licences/sqlite.txt"
}

build_cmocka() {
    fetch cmocka
    define=
    for d in ASSERT_H INTTYPES_H MALLOC_H MEMORY_H SETJMP_H SIGNAL_H STDARG_H STDDEF_H STDINT_H STDIO_H STDLIB_H \
        STRING_H STRINGS_H SYS_STAT_H SYS_TYPES_H TIME_H UNISTD_H STRUCT_TIMESPEC CALLOC EXIT FPRINTF FREE \
        LONGJMP SIGLONGJMP MALLOC MEMCPY MEMSET PRINTF SETJMP SIGNAL STRSIGNAL STRCMP CLOCK_GETTIME SNPRINTF \
        VSNPRINTF GCC_THREAD_LOCAL_STORAGE CLOCK_REALTIME; do
        define="$define -DHAVE_$d=1"
    done
    compile cmocka "$define -I$sources/cmocka/include" "$sources/cmocka/src/cmocka.c"
    cp "$sources/cmocka"/include/*.h "$prefix/include/"
    describe cmocka "$(version_of cmocka)" -lcmocka
}

names="lzma deflate bzip2 zlib png jpeg"
case $target in
wasm) ;;
linux) names="$names pcre2 jansson" ;;
mingw) names="$names pcre2 jansson sqlite" ;;
musl) names="$names pcre2 jansson sqlite cmocka" ;;
*) names=cmocka ;;
esac
if [ $# -gt 3 ]; then
    shift 3
    names=$*
fi
stamp="$target $flags $names"
if [ "$(cat "$prefix/.done" 2>/dev/null)" != "$stamp" ]; then
    [ "$names" != cmocka ] || unpack_debian "$target" "$triplet"
    for name in $names; do
        echo "deps: $name" >&2
        build_$name
    done
    echo "$stamp" >"$prefix/.done"
fi
