#!/bin/sh
# SPDX-License-Identifier: MIT
# Quake 3 light in files of its own: the sample's pages, moved out of the file into TGA files, give
# the same light as before, from the folder beside the map and from a game folder; and a picture
# that a shader lays on by light coordinates stands for the page of its faces.
. "$(dirname "$0")/lib.sh"

python3 - samples/quake3/lobby.bsp "$work" <<'END' || exit 1
import os, struct, sys
data, work = bytearray(open(sys.argv[1], "rb").read()), sys.argv[2]
def lump(i): return struct.unpack_from("<2i", data, 8 + 8 * i)
offset, size = lump(14)
side = 128
pages = [data[at:at + side * side * 3] for at in range(offset, offset + size, side * side * 3)]
def tga(path, rgb):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    bgr = bytearray(rgb)
    bgr[0::3], bgr[2::3] = rgb[2::3], rgb[0::3]
    head = struct.pack("<BBB5xHHHHBB", 0, 0, 2, 0, 0, side, side, 24, 0x20)
    open(path, "wb").write(head + bgr)
struct.pack_into("<2i", data, 8 + 8 * 14, offset, 0)
for folder in ("beside", "empty"):
    os.makedirs(f"{work}/{folder}", exist_ok=True)
    open(f"{work}/{folder}/room.bsp", "wb").write(data)
for n, page in enumerate(pages):
    tga(f"{work}/beside/room/lm_{n:04}.tga", page)
    tga(f"{work}/game/maps/room/lm_{n:04}.tga", page)
# All faces without a page, all materials with a shader that names page 0.
faces, length = lump(13)
for at in range(faces, faces + length, 104):
    if struct.unpack_from("<i", data, at + 28)[0] >= 0:
        struct.pack_into("<i", data, at + 28, -3)
os.makedirs(f"{work}/shader/scripts")
first, length = lump(1)
with open(f"{work}/shader/scripts/room.shader", "w") as script:
    for at in range(first, first + length, 72):
        name = data[at:at + 64].split(b"\0")[0].decode()
        script.write(f"{name}\n{{\n{{\nmap {name}.png\n}}\n{{\nmap maps/room/lm_0000.tga\n"
                     "tcGen lightmap\nblendFunc filter\n}\n}\n")
open(f"{work}/shader/room.bsp", "wb").write(data)
tga(f"{work}/shader/maps/room/lm_0000.tga", pages[0])
END

cp samples/quake3/lobby.bsp "$work/room.bsp"
expect 0 '' lightmaps "$work/room.bsp" -o "$work/inside"
for game in "" "--game $work/game"; do
    folder=$([ -z "$game" ] && echo beside || echo empty)
    # shellcheck disable=SC2086
    expect 0 '' lightmaps $game "$work/$folder/room.bsp" -o "$work/out-$folder"
    diff -r "$work/inside" "$work/out-$folder" >/dev/null || fail "$folder: other light"
done
expect 0 '' lightmaps "$work/empty/room.bsp" -o "$work/out-none"
grep -q '^0 pages, 0 faces' "$work/out" || fail "light out of nothing"

expect 0 '' lightmaps --game "$work/shader" "$work/shader/room.bsp" -o "$work/out-shader"
grep -q '^1 page, [1-9]' "$work/out" || fail "the shader's page is not there"

# Pictures and exports take it as well.
expect 0 '' render --no-props --size 64x48 --game samples/quake3 "$work/room.bsp" -o "$work/a.png"
expect 0 '' render --no-props --size 64x48 --game samples/quake3 "$work/beside/room.bsp" -o "$work/b.png"
cmp -s "$work/a.png" "$work/b.png" || fail "render: another picture"
for how in uv baked vertex; do
    expect 0 '' export --no-props --lightmaps $how --game samples/quake3 "$work/room.bsp" -o "$work/inside/m.glb"
    expect 0 '' export --no-props --lightmaps $how --game samples/quake3 "$work/beside/room.bsp" \
        -o "$work/out-beside/m.glb"
    cmp -s "$work/inside/m.glb" "$work/out-beside/m.glb" || fail "export --lightmaps $how: other bytes"
done
finish
