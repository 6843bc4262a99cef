#!/bin/sh
# SPDX-License-Identifier: MIT
# Every command on the least stack that is promised: 128 KiB (README, "Limits").
. "$(dirname "$0")/lib.sh"

LEAST=128

if grep -q '__asan_init\|__tsan_init' "$BSPKIT"; then
    echo "SKIP: sanitizers make frames larger"
    exit 77
fi

# small ARGUMENTS...: neither a crash nor a failure.
small() {
    status=0
    (ulimit -s "$LEAST" && exec "$BSPKIT" "$@") >"$work/out" 2>"$work/err" <"${input:-/dev/null}" || status=$?
    [ "$status" -le 1 ] || fail "bspkit $*, with a stack of $LEAST KiB"
}

cat >"$work/new.txt" <<EOF
{
"classname" "light"
"origin" "1 2 3"
}
EOF
for map in samples/quake/lobby.bsp samples/goldsrc/lobby.bsp samples/quake2/lobby.bsp \
    samples/quake3/lobby.bsp samples/source/lobby.bsp; do
    for command in info lumps check checksum entities; do
        small $command "$map"
        small $command --json "$map"
    done
    small dump "$map" 1
    small dump --json "$map" 1
    small diff "$map" "$map"
    for light in none uv baked; do
        small export -l $light "$map" -o "$work/map.glb"
        small export -l $light "$map" -o "$work/map.gltf"
        small export -l $light "$map" -o "$work/map.obj"
    done
    small render --size 96x64 "$map" -o "$work/picture.png"
    small render --size 96x64 --threads 4 --top "$map" -o "$work/picture.png"
    small decompile "$map" -o "$work/source"
    small textures "$map" -o "$work/textures"
    small lightmaps "$map" -o "$work/lightmaps"
    small assets "$map"
    echo "0 0 0" >"$work/points"
    echo "0 0 0 500 300 -100" >"$work/segments"
    echo "0 0 0 500 300 -100 -16 -16 -24 16 16 32" >>"$work/segments"
    input=$work/points small query contents "$map"
    input=$work/segments small query trace "$map"
    small query light 0 0 0 "$map"
    small query leaf 0 0 0 "$map"
    small query vis 0 "$map"
    small entities --set a=b --index 0 "$map" -o "$work/changed.bsp"
    small entities --add "$work/new.txt" "$map" -o "$work/changed.bsp"
    small lump extract "$map" 0 -o "$work/lump.bin"
done
small convert --to bsp2 samples/quake/lobby.bsp -o "$work/converted.bsp"
small pak list samples/source/lobby.bsp
small pak extract samples/source/lobby.bsp -o "$work/pak"
cp samples/source/lobby.bsp "$work/map.bsp"
small pak add --method lzma --force "$work/map.bsp" samples/quake2/textures -o "$work/packed.bsp"
small convert --compress lzma samples/source/lobby.bsp -o "$work/compressed.bsp"
finish
