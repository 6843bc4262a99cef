#!/bin/sh
# SPDX-License-Identifier: MIT
# All C is as clang-format writes it (make format).
set -eu
cd "$SOURCE"
command -v clang-format >/dev/null || { echo "SKIP: no clang-format"; exit 77; }
find src include tests fuzz bench examples tools -name '*.[ch]' -print0 |
    xargs -0 clang-format --dry-run -Werror || { echo "run make format"; exit 1; }
