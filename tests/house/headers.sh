#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles alone, as C17 and as C++, with each compiler that is there.
set -eu
cd "$SOURCE"
status=0
for header in include/bspkit/*.h; do
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        "$compiler" -std=c17 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror \
            -Iinclude -fsyntax-only -x c "$header" || status=1
    done
    for compiler in g++ clang++; do
        command -v "$compiler" >/dev/null || continue
        "$compiler" -std=c++11 -Wall -Wextra -Wconversion -Wpedantic -Werror \
            -Iinclude -fsyntax-only -x c++ "$header" || status=1
    done
done
exit "$status"
