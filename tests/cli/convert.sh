#!/bin/sh
# SPDX-License-Identifier: MIT
# Maps packed, turned, and back; what has no such form is refused.
. "$(dirname "$0")/lib.sh"
source=samples/source/lobby.bsp

same() {
    cmp -s "$1" "$2" || { status=-; fail "$3"; }
}

expect 0 'the checksum that servers compare changes' \
    convert --compress lzma "$source" -o "$work/packed.bsp"
[ "$(stat -c %s "$work/packed.bsp")" -lt "$(stat -c %s "$source")" ] || fail "it should be smaller"
expect 0 '' convert --compress lzma "$work/packed.bsp" -o "$work/again.bsp"
same "$work/packed.bsp" "$work/again.bsp" "packing twice should change nothing"
expect 0 'the checksum that servers compare changes' \
    convert --compress none "$work/packed.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "unpacking should give the first file"

expect 0 '' convert --endian big "$source" -o "$work/big.bsp"
[ "$(head -c 4 "$work/big.bsp")" = PSBV ] || fail "the magic should be turned"
expect 0 '' convert --endian little "$work/big.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "turned back it should be the first file"
expect 0 '' convert --endian big --compress lzma "$source" -o "$work/both.bsp"
expect 0 '' convert --endian little --compress none "$work/both.bsp" -o "$work/back.bsp"
same "$source" "$work/back.bsp" "both, and both back, should give the first file"

# Branches: there and back, and what does not go.
expect 0 '' convert --to bsp2 "$map" -o "$work/bsp2.bsp"
[ "$(head -c 4 "$work/bsp2.bsp")" = BSP2 ] || fail "it should be a BSP2"
expect 0 '' convert --to quake "$work/bsp2.bsp" -o "$work/back.bsp"
for lump in entities planes faces nodes clipnodes lighting textures visibility models; do
    "$BSPKIT" lump extract "$map" $lump >"$work/a"
    "$BSPKIT" lump extract "$work/back.bsp" $lump | cmp - "$work/a" || fail "$lump should be back"
done
expect 3 'the colours of texture' convert --to goldsrc "$map" -o "$work/no.bsp"
mkdir -p "$work/game/gfx"
head -c 768 /dev/urandom >"$work/game/gfx/palette.lmp"
expect 0 '' convert --to goldsrc --game "$work/game" "$map" -o "$work/gold.bsp"
expect 3 'does not become one of branch' convert --to source_20 "$map" -o "$work/no.bsp"
expect 3 'm_nLightmapResolutionX' convert --static-props 5 "$source" -o "$work/no.bsp"
run convert --static-props 5 --lossy "$source" -o "$work/props.bsp"
[ "$status" -eq 0 ] || fail "--lossy should write it"
grep -q 'lost: game:sprp' "$work/err" || fail "--lossy should list what is lost"
"$BSPKIT" lumps "$work/props.bsp" | grep -q 'game:sprp .* 5 ' || fail "props of version 5"

expect 3 'packs no lumps' convert --compress lzma "$map" -o "$work/no.bsp"
expect 3 'one byte order only' convert --endian big "$map" -o "$work/no.bsp"
[ ! -e "$work/no.bsp" ] || fail "nothing should be written"
expect 2 'nothing to convert to' convert "$source" -o "$work/no.bsp"
expect 2 'lzma or none' convert --compress zip "$source" -o "$work/no.bsp"
expect 2 'little or big' convert --endian middle "$source" -o "$work/no.bsp"
finish
