#!/bin/sh
# SPDX-License-Identifier: MIT
# What the shared library exports begins with bsp_, what the static one makes global with bsp_ or
# bspi_ (or belongs to the compiler's coverage and sanitizers). tests/house/symbols.txt lists what is
# exported, so that a change of the interface is seen when it is read: `make symbols` writes it.
set -eu
static=$BUILD/libbspkit.a
shared=$BUILD/libbspkit.so
status=0
if [ -e "$shared" ]; then
    exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }')
    [ -n "$exported" ] || { echo "$shared exports nothing"; exit 1; }
    echo "$exported" | LC_ALL=C sort | diff "$SOURCE/tests/house/symbols.txt" - ||
        { echo "libbspkit.so exports other symbols than the list; run make symbols"; status=1; }
    for name in $exported; do
        case $name in
        bsp_*) ;;
        *) echo "libbspkit.so exports $name" && status=1 ;;
        esac
    done
fi
global=$(nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }')
[ -n "$global" ] || { echo "$static is empty"; exit 1; }
for name in $global; do
    case $name in
    bsp_* | bspi_* | __* | .*) ;;
    *) echo "libbspkit.a has the global symbol $name" && status=1 ;;
    esac
done
exit "$status"
