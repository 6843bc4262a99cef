#!/bin/sh
# SPDX-License-Identifier: MIT
# What render says beside the picture: statistics, and where an overview lies.
. "$SOURCE/tests/cli/lib.sh"

run render "$map" -o "$work/a.png" --plain
run render "$map" -o "$work/b.png" --plain --stats
grep -q '^seen  *[0-9]* *[0-9]*$' "$work/out" || fail "no line of what is seen"
cmp -s "$work/a.png" "$work/b.png" || fail "--stats changes the picture"
[ ! -e "$work/b.json" ] || fail "a view from inside has no overview"

run render "$map" -o "$work/b.png" --plain --stats --json
grep -q '^{"file":.*"leaves_seen":[0-9]*,.*"nanoseconds":{.*}}$' "$work/out" ||
    fail "--stats --json is a line of JSON"

run render "$map" -o "$work/top.png" --plain --top --size 400x300
grep -q '"width":400,"height":300,"pos_x":[-0-9.]*,"pos_y":[-0-9.]*,"scale":[0-9.]*,' \
    "$work/top.json" || fail "the overview says where it lies"

# The ending selects the format; another one is refused before the map is read.
run render "$map" -o "$work/a.jpg" --plain --strict
[ "$(od -An -tx1 -N3 "$work/a.jpg")" = " ff d8 ff" ] || fail "a.jpg is no JPEG"
[ "$(wc -c <"$work/a.jpg")" -gt 10000 ] || fail "a.jpg is short"
run render "$map" -o "$work/a.JPEG" --plain
cmp -s "$work/a.jpg" "$work/a.JPEG" || fail ".jpg and .JPEG differ"
run render "$map" -o "$work/noending" --plain
cmp -s "$work/a.png" "$work/noending" || fail "without an ending it is PNG"
expect 2 "ends in .png, .jpg or .jpeg" render "$work/nothing.bsp" -o "$work/a.bmp"
[ ! -e "$work/a.bmp" ] || fail "a.bmp was written"
run render "$map" -o "$work/top2.jpg" --plain --top --size 400x300
cmp -s "$work/top.json" "$work/top2.json" || fail "the overview of a JPEG"

# The state of area portals: a map with one area has none that could shut anything off.
run render samples/source/lobby.bsp -o "$work/all.png" --plain
for option in --portals-open --portals-closed; do
    run render samples/source/lobby.bsp -o "$work/b.png" --plain $option all
    cmp -s "$work/all.png" "$work/b.png" || fail "$option: one area shuts off nothing"
done
expect 2 "there is no area portal '3'" render samples/source/lobby.bsp -o "$work/b.png" --portals-closed 3

# A missing texture is a message, and a problem with --strict only.
room=samples/quake3/lobby.bsp
run render "$room" -o "$work/bare.png"
[ "$status" -eq 0 ] || fail "missing textures: status should be 0"
grep -q "no texture for 'textures/" "$work/err" || fail "a line for each missing texture"
run render "$room" -o "$work/strict.png" --strict
[ "$status" -eq 1 ] || fail "missing textures and --strict: status should be 1"
cmp -s "$work/bare.png" "$work/strict.png" || fail "--strict changes the picture"

for place in 1,2 1,2,3,4 1,2,x nan,0,0; do
    expect 2 "--from takes X,Y,Z, not '$place'" render "$map" -o "$work/a.png" --from "$place"
done
expect 2 "--region takes two corners" light "$map" -o "$work/a.bsp" --region 0,0,0,64,64,64,7
for wrong in 0 9 4294967296; do
    expect 2 "--extra takes a number from 1 to 8, not '$wrong'" light "$map" -o "$work/a.bsp" \
        --extra "$wrong"
done

# A picture that shows nothing, or is black, is said to be so.
run render "$map" -o "$work/up.png" --plain --from 0,0,5000 --angles -90,0,0
[ "$status" -eq 0 ] || fail "nothing in view: status should be 0"
grep -q "shows nothing of the map but its sky" "$work/err" || fail "a picture of the sky alone"
run render samples/quake2/lobby.bsp -o "$work/dark.png" -g samples/quake2 --style 0=0 --style 32=0 \
    --style 10=0 --angles 90,0,0
grep -q "the picture is black: --fullbright" "$work/err" || fail "a black picture"
: >"$work/none"
run lump replace "$map" FACES "$work/none" -o "$work/bare.bsp" --force
run render "$work/bare.bsp" -o "$work/bare.png" --no-props
grep -q "nothing to draw: the map has no surfaces" "$work/err" || fail "a map without surfaces"
run render "$map" -o "$work/b.png" --plain
! grep -q "nothing\|black" "$work/err" || fail "an ordinary picture"

expect 2 "--stats and -o - both write to standard output" render "$map" -o - --stats

# The map has its textures, and there is no palette: said once, as textures says it.
mkdir "$work/alone"
cp "$map" "$work/alone/"
for command in "render -o $work/grey.png" "export -o $work/grey.glb"; do
    # shellcheck disable=SC2086
    run $command "$work/alone/lobby.bsp"
    [ "$(grep -c 'gfx/palette.lmp was not found' "$work/err")" -eq 1 ] ||
        fail "$command does not say that there is no palette"
    # shellcheck disable=SC2086
    run $command "$work/alone/lobby.bsp" -g samples/quake
    ! grep -q 'palette' "$work/err" || fail "$command misses a palette that is there"
done

finish
