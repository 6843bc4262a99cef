#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed package is found and linked by an outside project: through CMake (shared and static; of
# a build without the shared library both are the static one) and through pkg-config; the version of the
# headers is that of the shared library's name, of the package, of pkg-config and of the command. Man
# pages and completions are installed.
set -eu
[ -n "${BSPKIT:-}" ] || { echo "SKIP: built without the command"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
map=$SOURCE/samples/quake/lobby.bsp

"$CMAKE" --install "$BUILD" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
"$prefix/bin/bspkit" version
number() { sed -n "s/^#define BSP_VERSION_$1 //p" "$prefix/include/bspkit/core.h"; }
minor=$(number MAJOR).$(number MINOR)
"$prefix/bin/bspkit" version | grep -qx "bspkit $minor.$(number PATCH)"

mkdir "$work/project"
cp "$SOURCE/examples/example.c" "$work/project"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(outside C)
if(NOT wanted)
  set(wanted $minor)
endif()
find_package(bspkit \${wanted} REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE bspkit::bspkit)
add_executable(example_static example.c)
target_link_libraries(example_static PRIVATE bspkit::bspkit_static)
END
configure() {
    "$CMAKE" -S "$work/project" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$TEST_FLAGS" \
        -DCMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" 2>&1
}
configure -B "$work/build" &&
    "$CMAKE" --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/build/example" "$map"
"$work/build/example_static" "$map"

config=$(dirname "$(find "$prefix" -name bspkit.pc)")
library=$(PKG_CONFIG_PATH=$config pkg-config --variable=libdir bspkit)
static=
[ -e "$library/libbspkit.so" ] || static=--static
flags=$(PKG_CONFIG_PATH=$config pkg-config --cflags --libs $static bspkit)
# shellcheck disable=SC2086
"$CC" $TEST_FLAGS "$work/project/example.c" -o "$work/example" $flags
test "$(PKG_CONFIG_PATH=$config pkg-config --modversion bspkit)" = "$minor.$(number PATCH)"
if [ -z "$static" ]; then
    test "$(readlink "$library/libbspkit.so")" = "libbspkit.so.$minor"
    readelf -d "$library/libbspkit.so" | grep -q "SONAME.*\[libbspkit\.so\.$minor\]"
fi
# An older minor version has another interface, and is not taken for this one.
if configure -B "$work/other" -Dwanted=0.1; then
    echo "the package is found for version 0.1"
    exit 1
fi
LD_LIBRARY_PATH=$library "$work/example" "$map"

[ -d "$BUILD/completions" ] || exit 0 # built without the manual
test -e "$prefix/share/bash-completion/completions/bspkit"
test -e "$prefix/share/zsh/site-functions/_bspkit"
test -e "$prefix/share/fish/vendor_completions.d/bspkit.fish"
if command -v scdoc >/dev/null; then
    for page in $("$BSPKIT" manual --list); do
        test -s "$prefix/share/man/man1/$page.1"
    done
fi
