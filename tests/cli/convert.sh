#!/bin/sh
# SPDX-License-Identifier: MIT
# Maps packed, turned, and back; what has no such form is refused.
. "$(dirname "$0")/lib.sh"
source=samples/source/lobby.bsp

same() {
    cmp -s "$1" "$2" || { status=-; fail "$3"; }
}

expect 0 '' convert --compress lzma "$source" -o "$work/packed.bsp"
[ "$(stat -c %s "$work/packed.bsp")" -lt "$(stat -c %s "$source")" ] || fail "it should be smaller"
expect 0 '' convert --compress lzma "$work/packed.bsp" -o "$work/again.bsp"
same "$work/packed.bsp" "$work/again.bsp" "packing twice should change nothing"
expect 0 '' convert --compress none "$work/packed.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "unpacking should give the first file"

expect 0 '' convert --endian big "$source" -o "$work/big.bsp"
[ "$(head -c 4 "$work/big.bsp")" = PSBV ] || fail "the magic should be turned"
expect 0 '' convert --endian little "$work/big.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "turned back it should be the first file"
expect 0 '' convert --endian big --compress lzma "$source" -o "$work/both.bsp"
expect 0 '' convert --endian little --compress none "$work/both.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "both, and both back, should give the first file"

expect 3 'packs no lumps' convert --compress lzma "$map" -o "$work/no.bsp"
expect 3 'one byte order only' convert --endian big "$map" -o "$work/no.bsp"
[ ! -e "$work/no.bsp" ] || fail "nothing should be written"
expect 2 'into what?' convert "$source" -o "$work/no.bsp"
expect 2 'lzma or none' convert --compress zip "$source" -o "$work/no.bsp"
expect 2 'big or little' convert --endian middle "$source" -o "$work/no.bsp"
finish
