#!/bin/sh
# SPDX-License-Identifier: MIT
# export: its files, and what is wrong on its command line. A second program (assimp, if it is
# there) reads what is written and finds as many triangles.
. tests/cli/lib.sh
room=samples/quake3/lobby.bsp
game=samples/quake3

expect 2 'export: -o OUT.glb, OUT.gltf or OUT.obj is needed' export $map
expect 2 "ends in .glb, .gltf or .obj, not '$work/x.fbx'" export $map -o "$work/x.fbx"
expect 2 'ends in .glb, .gltf or .obj' export $map -o "$work/.glb/"
expect 2 '--lightmaps takes' export $map -o "$work/x.glb" --lightmaps some
expect 2 '--units takes' export $map -o "$work/x.glb" --units feet
expect 3 'nothing.bsp' export nothing.bsp -o "$work/x.glb"
expect 3 'x.glb' export $map -o "$work/nowhere/x.glb"
[ ! -e "$work/x.glb" ] || fail "a failed export left a file"

# Every file is there under its own name, and no other.
mkdir "$work/gltf" "$work/obj" "$work/bad"
expect 0 '' export --no-props $room --game $game -o "$work/gltf/room.gltf"
expect 0 '' export --no-props $room --game $game -o "$work/obj/room.obj"
for file in gltf/room.gltf gltf/room.bin gltf/room_baked_0.png obj/room.obj obj/room.mtl; do
    [ -s "$work/$file" ] || fail "$file is not there"
done
stray=$(find "$work/gltf" "$work/obj" -type f ! -name 'room*.png' ! -name 'room.gltf' \
    ! -name 'room.bin' ! -name 'room.obj' ! -name 'room.mtl')
[ -z "$stray" ] || fail "stray files: $stray"
for image in $(sed -n 's/^map_Kd //p' "$work/obj/room.mtl"); do
    [ -s "$work/obj/$image" ] || fail "room.mtl names $image, which is not there"
done

# A texture that is missing: a line, and exit status 1 with --strict only; the file is the same.
run export $room -o "$work/bad/room.glb"
[ "$status" -eq 0 ] || fail "missing textures: status should be 0"
grep -q "^bspkit: $room: no texture for 'textures/" "$work/err" || fail "a line for each texture"
cp "$work/err" "$work/lines"
run export $room -o "$work/bad/strict.glb" --strict
[ "$status" -eq 1 ] || fail "missing textures and --strict: status should be 1"
cmp "$work/err" "$work/lines" && cmp "$work/bad/room.glb" "$work/bad/strict.glb" || fail "--strict changes more"
expect 0 '' export --no-props $room --game $game --strict -o "$work/bad/good.glb"

# A .glb has the same bytes under any name.
expect 0 '' export --no-props $room --game $game -o "$work/one.glb"
expect 0 '' export --no-props $room --game $game -o "$work/other.glb"
cmp -s "$work/one.glb" "$work/other.glb" || fail "a .glb depends on its name"

# What is lit by default, and how strongly: a .glb is baked, an .obj is not. Watts are 683 times plain lights.
expect 0 '' export --no-props $room --game $game -o "$work/baked.glb" --lightmaps baked
cmp -s "$work/one.glb" "$work/baked.glb" || fail "a .glb is baked by default"
expect 0 '' export --no-props $room --game $game -o "$work/bare.obj" --lightmaps none
cmp -s "$work/bare.obj" "$work/obj/room.obj" || sed 's/bare/room/' "$work/bare.obj" |
    cmp -s - "$work/obj/room.obj" || fail "an .obj has no light by default"
for how in watts plain none; do
    expect 0 '' export --no-props $room --game $game -o "$work/$how.glb" --lights $how --lightmaps none
done
expect 2 '--bake-density takes 1 to 32' export $room -o "$work/x.glb" --bake-density 33
for density in 1 8; do
    expect 0 '' export --no-props $room --game $game -o "$work/density$density.gltf" --bake-density $density
done
python3 - "$work" <<'END' || fail "lights and densities"
import json, struct, sys, os
def glb(name):
    data = open(f"{sys.argv[1]}/{name}.glb", "rb").read()
    return json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])
def lights(name):
    return glb(name)["extensions"]["KHR_lights_punctual"]["lights"]
watts, plain = lights("watts"), lights("plain")
assert len(watts) == len(plain) > 3
for w, p in zip(watts, plain):
    assert abs(w["intensity"] / p["intensity"] - 683) < 0.01, (w, p)
assert "KHR_lights_punctual" not in json.dumps(glb("none"))
def entities(name):
    return sum("extras" in node for node in glb(name)["nodes"])
assert entities("none") == entities("watts") > 3
sides = []
for density in (1, 8):
    pixels = 0
    for image in json.load(open(f"{sys.argv[1]}/density{density}.gltf"))["images"]:
        if "baked" in image["uri"]:
            png = open(f"{sys.argv[1]}/{image['uri']}", "rb").read(24)
            width, height = struct.unpack(">II", png[16:24])
            assert width <= 1024 and height <= 1024
            pixels += width * height
    sides.append(pixels)
assert sides[1] > 8 * sides[0], sides
END

# More faces when they are asked for.
expect 0 '' export --no-props $room --game $game -o "$work/plain.glb" --lightmaps none
expect 0 '' export --no-props $room --game $game -o "$work/all.glb" --lightmaps none --tools --sky
[ "$(wc -c <"$work/all.glb")" -gt "$(wc -c <"$work/plain.glb")" ] || fail "--tools and --sky add none"

# The faces that bound fog have no picture of their own, and would hide what they fill.
for how in plain watts one; do
    ! grep -aq 'textures/lobby/fog1' "$work/$how.glb" || fail "$how.glb has the faces of fog"
done
grep -aq 'textures/lobby/fog1' "$work/all.glb" || fail "--tools has no faces of fog"

# A pane whose texture is missing can be seen through.
expect 0 'the checksum that servers compare' pak remove --force samples/source/lobby.bsp 'materials/lobby/glass1.*' -o "$work/pane.bsp"
expect 0 "no texture for 'LOBBY/GLASS1'" export --no-props "$work/pane.bsp" -o "$work/pane.gltf"
python3 - "$work/pane.gltf" <<'END' || fail "a pane without its texture is opaque"
import json, sys
pane = next(one for one in json.load(open(sys.argv[1]))["materials"] if one["name"] == "LOBBY/GLASS1")
assert pane["alphaMode"] == "BLEND" and pane["pbrMetallicRoughness"]["baseColorFactor"][3] == 0.6, pane
END

if command -v assimp >/dev/null; then
    triangles=$(grep -c '^f ' "$work/obj/room.obj")
    for file in plain.glb gltf/room.gltf obj/room.obj; do
        seen=$(assimp info "$work/$file" 2>/dev/null | sed -n 's/^Faces: *//p')
        [ "$seen" = "$triangles" ] || fail "assimp finds $seen triangles in $file, not $triangles"
    done
fi
finish
