#!/bin/sh
# SPDX-License-Identifier: MIT
# The textures of a map as PNG files, the report of those that are missing, and names that try to
# leave the folder.
. "$(dirname "$0")/lib.sh"

for map in quake/lobby goldsrc/lobby quake2/lobby quake3/lobby source/lobby; do
    out=$work/$map
    mkdir -p "$work/${map%/*}"
    expect 0 '' textures "samples/$map.bsp" -o "$out" --game "samples/${map%/*}"
    grep -q ' 0 missing$' "$work/out" || fail "$map: something is missing"
    find "$out" -name '*.png' | while read -r file; do
        [ "$(head -c 4 "$file" | tail -c 3)" = PNG ] || echo "$file"
    done | grep . && fail "$map: no PNG"
    [ -n "$(find "$out" -iname '*brick1.png')" ] || fail "$map: no brick1.png"
done

# The same files and the same report, of textures and of light, at any number of threads.
for command in textures lightmaps; do
    for threads in 1 2 7; do
        run $command --threads $threads --json samples/quake3/lobby.bsp -o "$work/threads$threads/$command"
        cp "$work/out" "$work/threads$threads/$command.json"
    done
done
for threads in 2 7; do
    diff -r "$work/threads1" "$work/threads$threads" >&2 || fail "$threads threads change a file"
done
[ "$(find "$work/threads1/textures" -name '*.png' | wc -l)" -gt 10 ] || fail "few textures"
[ "$(find "$work/threads1/lightmaps" -name '*.png' | wc -l)" -ge 1 ] || fail "no page of light"

# Cubemaps: six sides each, of the size that the map states; with --pak everything that is in it.
expect 0 '' textures --cubemaps samples/source/lobby.bsp -o "$work/cubes" --game samples/source
grep -q '^[1-9][0-9]* images of the pak$' "$work/out" || fail "--cubemaps: no count"
for side in right left back front up down; do
    file=$work/cubes/materials/maps/lobby/c128_112_80_$side.png
    [ -s "$file" ] || fail "--cubemaps: no side $side"
    [ "$(od -An -tu1 -j16 -N8 "$file" | tr -s ' ')" = " 0 0 0 8 0 0 0 8" ] || fail "$side: not 8 x 8"
done
[ "$(find "$work/cubes/materials" -name '*.png' | wc -l)" -eq "$(sed -n 's/ images of the pak//p' "$work/out")" ] ||
    fail "--cubemaps: another number of files"
expect 0 '' textures --pak --json samples/source/lobby.bsp -o "$work/pak" --game samples/source
python3 - "$work/out" "$work/pak/materials" <<'END' || fail "--pak --json"
import json, pathlib, sys
pak = json.load(open(sys.argv[1]))["pak"]
files = len(list(pathlib.Path(sys.argv[2]).rglob("*.png")))
sys.exit(0 if pak and sum(t["sides"] for t in pak) == files else 1)
END

# The same bytes again.
expect 0 '' textures samples/quake3/lobby.bsp -o "$work/again" --game samples/quake3
diff -r "$work/again" "$work/quake3/lobby" >/dev/null || fail "another run writes other files"

expect 1 '' textures samples/quake3/lobby.bsp -o "$work/none"
grep -q '^missing: textures/lobby/brick1 (not found)$' "$work/out" || fail "no line for brick1"
[ -s "$work/none/textures/lobby/brick1.png" ] || fail "no checkerboard"

expect 1 '' textures --json samples/quake3/lobby.bsp -o "$work/none"
python3 - "$work/out" <<'END' || fail "--json"
import json, sys
report = json.load(open(sys.argv[1]))
missing = [t for t in report["textures"] if not t["found"]]
sys.exit(0 if len(missing) == report["missing"] > 10 and missing[0]["note"] else 1)
END

# A material named ../../evil stays in the folder.
sed 's|textures/lobby/brick1|../../evil/../brick1xx|g' samples/quake3/lobby.bsp >"$work/evil.bsp"
mkdir -p "$work/deep/er"
expect 1 '' textures "$work/evil.bsp" -o "$work/deep/er/out"
[ -z "$(find "$work" -name '*brick1xx*' -not -path "$work/deep/er/out/*")" ] || fail "left the folder"
[ -n "$(find "$work/deep/er/out" -name '*brick1xx*')" ] || fail "the picture is not there"

# Names that are one file where case does not count get numbers, whatever is called so already.
python3 - samples/quake/lobby.bsp "$work/names.bsp" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
names = [b"wall", b"WALL", b"wall_2", b"Wall", b"wall_3", b"wall"]
pixels = struct.pack("<6I", 16, 16, 40, 296, 360, 376) + bytes(340)
lump = struct.pack("<I", len(names))
lump += b"".join(struct.pack("<I", 4 + 4 * len(names) + 380 * i) for i in range(len(names)))
lump += b"".join(name.ljust(16, b"\0") + pixels for name in names)
head = bytearray(data)
struct.pack_into("<2I", head, 4 + 8 * 2, len(data), len(lump))
open(sys.argv[2], "wb").write(head + lump)
END
expect 0 '' textures "$work/names.bsp" -o "$work/names" --game samples/quake
(cd "$work/names" && find . -name '*.png' | LC_ALL=C sort | tr -d '\n' >"$work/list")
[ "$(cat "$work/list")" = ./WALL_2.png./Wall_3.png./wall.png./wall_2_2.png./wall_3_2.png./wall_4.png ] ||
    fail "names: $(cat "$work/list")"

expect 2 "-o DIR" textures samples/quake/lobby.bsp
expect 2 "FILE is missing" textures -o "$work/x"
expect 3 "there is no such file or folder" textures "$work/nothing.bsp" -o "$work/x"
expect 3 "there is no such file or folder" textures samples/quake/lobby.bsp -o "$work/x" --game "$work/nothing"
: >"$work/file"
expect 3 "is not a folder" textures samples/quake3/lobby.bsp -o "$work/file" --game samples/quake3
finish
