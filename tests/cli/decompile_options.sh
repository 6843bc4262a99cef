#!/bin/sh
# SPDX-License-Identifier: MIT
# Options of decompile as people give them: lists of maps, words and ranges, packed files, grammar.
. "$(dirname "$0")/lib.sh"

map=samples/source/lobby.bsp
entities() { # how many of a class a .vmf has
    grep -c "\"classname\" \"$2\"" "$1"
}

# Maps by list: from a file, with CR LF and empty lines, and from standard input.
printf 'samples/quake2/lobby.bsp\r\n\n%s\n' samples/source/lobby_19.bsp >"$work/list"
expect 3 'its document would replace' decompile --files-from "$work/list" -o "$work/many/" "$map"
[ -s "$work/many/lobby_19.vmf" ] || fail 'a map of the list is not written'
echo "$map" | "$BSPKIT" decompile --files-from - -o "$work/one.vmf" || fail 'a list on standard input'
"$BSPKIT" decompile "$map" -o "$work/all.vmf" || fail 'the sample'
cmp -s "$work/one.vmf" "$work/all.vmf" || fail 'a map of a list is another'
expect 2 'FILE... is missing' decompile -o "$work/x.vmf"
expect 3 'there is no such file or folder' decompile --files-from "$work/nowhere" -o "$work/x.vmf"
: >"$work/empty"
expect 2 'no map is named' decompile --files-from "$work/empty" -o "$work/x.vmf"

# Words and ranges.
expect 2 '--brushes takes' decompile --brushes flat "$map" -o "$work/x.vmf"
expect 2 '--instances takes' decompile --instances some "$map" -o "$work/x.vmf"
for thickness in 0 0.124 4096.5 -1 thick ''; do
    expect 2 '--thickness takes' decompile --thickness "$thickness" "$map" -o "$work/x.vmf"
done
for thickness in 0.125 4096; do
    expect 0 '' decompile --thickness "$thickness" "$map" -o "$work/x.vmf"
done
for brushes in planes original original-split split; do
    expect 0 '' decompile --brushes "$brushes" "$map" -o "$work/$brushes.vmf"
done
cmp -s "$work/planes.vmf" "$work/all.vmf" || fail 'planes is not the default'
cmp -s "$work/split.vmf" "$work/planes.vmf" && fail 'split changes nothing'

# Classes, several, by pattern and in any case.
[ "$(entities "$work/all.vmf" func_detail)" -gt 0 ] || fail 'the sample has no detail'
expect 0 '' decompile --without-class 'FUNC_DET*' --without-class prop_static "$map" -o "$work/less.vmf"
[ "$(entities "$work/less.vmf" func_detail)" -eq 0 ] || fail 'detail is there'
[ "$(entities "$work/less.vmf" prop_static)" -eq 0 ] || fail 'props are there'
[ "$(entities "$work/less.vmf" light)" -eq "$(entities "$work/all.vmf" light)" ] || fail 'lights are gone'

# One material on every side that a face shows, in each family; liquids of Quake keep their names.
for game in quake goldsrc quake2 quake3 source; do
    run decompile --json --face-texture made/up "samples/$game/lobby.bsp" -o "$work/worn" --game "samples/$game"
    faced=$(sed 's/.*"sides_faced":\([0-9]*\).*/\1/' "$work/out")
    worn=$(grep -ci 'made/up' "$work/worn")
    [ "$worn" -gt 0 ] && [ "$worn" -le "$faced" ] && [ "$worn" -gt $((faced * 9 / 10)) ] ||
        fail "$game: $worn sides wear it, and $faced are faced"
done

# Editors: cameras and corners.
expect 0 '' decompile --cameras --corners "$map" -o "$work/more.vmf"
[ "$(grep -c '^[[:space:]]*camera$' "$work/more.vmf")" -eq "$(entities "$work/all.vmf" 'info_player_[a-z]*')" ] ||
    fail 'not a camera for each start'
[ "$(grep -c vertices_plus "$work/more.vmf")" -eq "$(grep -c '^[[:space:]]*side$' "$work/more.vmf")" ] ||
    fail 'not corners for each side'
grep -q vertices_plus "$work/all.vmf" && fail 'corners that nobody asked for'

# One is one.
run decompile --report "$map" -o "$work/x.vmf"
grep -qx '       1  cubemap' "$work/out" || fail 'one cubemap'
grep -qx '       1  displacement' "$work/out" || fail 'one displacement'
grep -qx '       2  static props' "$work/out" || fail 'two static props'

# Packed files: what the compilers made is passed over, and counted.
cp "$map" "$work/packed.bsp"
mkdir -p "$work/files/materials/maps/lobby" "$work/files/sound"
for name in materials/maps/lobby/c1_2_3.vtf materials/maps/lobby/brick_1_2_-3.vmt sp_0.vhv sound/own.wav materials/maps/lobby/sign.vmt; do
    echo "$name" >"$work/files/$name"
done
"$BSPKIT" pak add "$work/packed.bsp" "$work/files" --in-place >"$work/out" 2>&1 || fail 'files are not packed'
run decompile --report --pak "$work/authored" --authored "$work/packed.bsp" -o "$work/x.vmf"
grep -q 'embedded files of the compilers passed over' "$work/out" || fail 'nothing is passed over'
[ -f "$work/authored/sound/own.wav" ] && [ -f "$work/authored/materials/maps/lobby/sign.vmt" ] ||
    fail "an author's file is missing"
[ ! -e "$work/authored/sp_0.vhv" ] && [ ! -e "$work/authored/materials/maps/lobby/c1_2_3.vtf" ] &&
    [ ! -e "$work/authored/materials/maps/lobby/brick_1_2_-3.vmt" ] || fail "a compiler's file is there"
run decompile --pak "$work/whole" "$work/packed.bsp" -o "$work/x.vmf"
[ -f "$work/whole/sp_0.vhv" ] || fail 'not all files'

# Detail and area portals.
expect 2 '--details takes' decompile --details some "$map" -o "$work/x.vmf"
expect 2 '--portals takes' decompile --portals near "$map" -o "$work/x.vmf"
for gap in 0 -1 4096.5 wide ''; do
    expect 2 '--detail-gap takes' decompile --detail-gap "$gap" "$map" -o "$work/x.vmf"
done
expect 0 '' decompile --detail-gap 4096 "$map" -o "$work/wide.vmf"
[ "$(entities "$work/wide.vmf" func_detail)" -eq 1 ] || fail 'detail is not joined over gaps'
expect 0 '' decompile --details each --detail-gap 4096 --portals order "$map" -o "$work/each.vmf"
[ "$(entities "$work/each.vmf" func_detail)" -gt 1 ] || fail 'detail is still joined'

# What an editor with these classes does not know.
printf '@SolidClass = worldspawn []\n@PointClass = light [ _light(string) : "Light" ]\n' >"$work/few.fgd"
run decompile --report --fgd "$work/few.fgd" "$map" -o "$work/x.vmf"
grep -q 'func_door is not defined' "$work/out" || fail 'a class that is not defined is not reported'
grep -q 'light has no property' "$work/out" || fail 'a key that is not defined is not reported'
! grep -q 'light is not defined' "$work/out" || fail 'a defined class is reported'
expect 3 'none.fgd: there is no such file' decompile --fgd "$work/none.fgd" "$map" -o "$work/x.vmf"

finish
