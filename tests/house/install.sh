#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed package is found and linked by an outside project: through CMake (shared and static)
# and through pkg-config. Man pages and completions are installed.
set -eu
[ -n "${BSPKIT:-}" ] || { echo "SKIP: built without the command"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
map=$SOURCE/samples/quake/lobby.bsp

"$CMAKE" --install "$BUILD" --prefix "$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
"$prefix/bin/bspkit" version

mkdir "$work/project"
cp "$SOURCE/examples/example.c" "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(outside C)
find_package(bspkit 0.1 REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE bspkit::bspkit)
add_executable(example_static example.c)
target_link_libraries(example_static PRIVATE bspkit::bspkit_static)
END
"$CMAKE" -S "$work/project" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 &&
    "$CMAKE" --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/build/example" "$map"
"$work/build/example_static" "$map"

config=$(dirname "$(find "$prefix" -name bspkit.pc)")
flags=$(PKG_CONFIG_PATH=$config pkg-config --cflags --libs bspkit)
# shellcheck disable=SC2086
"$CC" "$work/project/example.c" -o "$work/example" $flags
library=$(PKG_CONFIG_PATH=$config pkg-config --variable=libdir bspkit)
LD_LIBRARY_PATH=$library "$work/example" "$map"

test -e "$prefix/share/bash-completion/completions/bspkit"
test -e "$prefix/share/zsh/site-functions/_bspkit"
test -e "$prefix/share/fish/vendor_completions.d/bspkit.fish"
if command -v scdoc >/dev/null; then
    for page in $("$BSPKIT" manual --list); do
        test -s "$prefix/share/man/man1/$page.1"
    done
fi
