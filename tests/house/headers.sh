#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles alone, as C17 and as C++, with each compiler that is there; and so does a program that
# initialises options.
set -eu
cd "$SOURCE"
status=0
program="$(mktemp)"
trap 'rm -f "$program"' EXIT
cat >"$program" <<EOF
#include "bspkit/bspkit.h"
int main(void) {
    bsp_relight_options options = BSP_OPTIONS(bsp_relight_options);
    return (int)options.extra;
}
EOF
for source in include/bspkit/*.h "$program"; do
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        "$compiler" -std=c17 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror \
            -Iinclude -fsyntax-only -x c "$source" || status=1
    done
    for compiler in g++ clang++; do
        command -v "$compiler" >/dev/null || continue
        "$compiler" -std=c++11 -Wall -Wextra -Wconversion -Wpedantic -Werror \
            -Iinclude -fsyntax-only -x c++ "$source" || status=1
    done
done
exit "$status"
