#!/bin/sh
# SPDX-License-Identifier: MIT
# All C is as clang-format writes it (make format).
set -eu
cd "$SOURCE"
command -v clang-format >/dev/null || { echo "SKIP: no clang-format"; exit 77; }
files=$(find src include tests fuzz bench examples -name '*.[ch]')
status=0
for file in $files; do
    clang-format "$file" | cmp -s - "$file" || { echo "$file: run make format"; status=1; }
done
exit "$status"
