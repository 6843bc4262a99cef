#!/bin/sh
# SPDX-License-Identifier: MIT
# export: its files, and what is wrong on its command line. A second program (assimp, if it is
# there) reads what is written and finds as many triangles.
. tests/cli/lib.sh
room=samples/quake3/lobby.bsp
game=samples/quake3

expect 2 'ends in .glb, .gltf or .obj' export $map
expect 2 'ends in .glb, .gltf or .obj' export $map -o "$work/x.fbx"
expect 2 'ends in .glb, .gltf or .obj' export $map -o "$work/.glb/"
expect 2 '--lightmaps takes' export $map -o "$work/x.glb" --lightmaps some
expect 2 '--units takes' export $map -o "$work/x.glb" --units feet
expect 3 'nothing.bsp' export nothing.bsp -o "$work/x.glb"
expect 3 'x.glb' export $map -o "$work/nowhere/x.glb"
[ ! -e "$work/x.glb" ] || fail "a failed export left a file"

# Every file is there under its own name, and no other.
mkdir "$work/gltf" "$work/obj" "$work/bad"
expect 0 '' export $room --game $game -o "$work/gltf/room.gltf"
expect 0 '' export $room --game $game -o "$work/obj/room.obj"
for file in gltf/room.gltf gltf/room.bin gltf/room_light_0.png obj/room.obj obj/room.mtl; do
    [ -s "$work/$file" ] || fail "$file is not there"
done
stray=$(find "$work/gltf" "$work/obj" -type f ! -name 'room*.png' ! -name 'room.gltf' \
    ! -name 'room.bin' ! -name 'room.obj' ! -name 'room.mtl')
[ -z "$stray" ] || fail "stray files: $stray"
for image in $(sed -n 's/^map_Kd //p' "$work/obj/room.mtl"); do
    [ -s "$work/obj/$image" ] || fail "room.mtl names $image, which is not there"
done

# A texture that is missing: a line, and exit status 1.
run export $room -o "$work/bad/room.glb"
[ "$status" -eq 1 ] || fail "missing textures: status should be 1"
grep -q "^bspkit: $room: no texture for 'textures/" "$work/err" || fail "a line for each texture"

# A .glb has the same bytes under any name.
expect 0 '' export $room --game $game -o "$work/one.glb"
expect 0 '' export $room --game $game -o "$work/other.glb"
cmp -s "$work/one.glb" "$work/other.glb" || fail "a .glb depends on its name"

# More faces when they are asked for.
expect 0 '' export $room --game $game -o "$work/plain.glb" --lightmaps none
expect 0 '' export $room --game $game -o "$work/all.glb" --lightmaps none --tools --sky
[ "$(wc -c <"$work/all.glb")" -gt "$(wc -c <"$work/plain.glb")" ] || fail "--tools and --sky add none"

if command -v assimp >/dev/null; then
    triangles=$(grep -c '^f ' "$work/obj/room.obj")
    for file in plain.glb gltf/room.gltf obj/room.obj; do
        seen=$(assimp info "$work/$file" 2>/dev/null | sed -n 's/^Faces: *//p')
        [ "$seen" = "$triangles" ] || fail "assimp finds $seen triangles in $file, not $triangles"
    done
fi
finish
