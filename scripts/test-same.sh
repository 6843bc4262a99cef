#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-same.sh TARGET [PROGRAM...]: what deps.sh builds for TARGET has the same bytes in folders of different
# names (one library that it compiles itself, and one of which asserts name files), and no PROGRAM that contains such
# libraries names the folder of its sources. The exit status is 77 if sources cannot be had.
set -eu
cd "$(dirname "$0")/.."
target=$1
shift
rm -rf build/same
for folder in a another_much_longer_name; do
    sources=build/same/$folder/sources
    mkdir -p "$sources"
    for name in bzip2 jansson; do
        [ ! -e "build/cross/sources/$name/.done" ] || cp -r "build/cross/sources/$name" "$sources/"
    done
    scripts/deps.sh "$target" "build/same/$folder/$target" "-O2 -g0" bzip2 jansson
done
status=0
for library in build/same/a/"$target"/lib/*.a; do
    cmp "$library" "build/same/another_much_longer_name/$target/lib/$(basename "$library")" || status=1
done
for program in "$@"; do
    if grep -qF "$PWD" "$program"; then
        echo "test-same: $program names $PWD" >&2
        status=1
    fi
done
exit "$status"
