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
