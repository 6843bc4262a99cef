#!/bin/sh
# SPDX-License-Identifier: MIT
# decompile as people call it: a file, a folder, standard output; dialects, selections, reports. What
# comes back is held against the source that the samples were compiled from.
. "$(dirname "$0")/lib.sh"

classes() { # the classes of a .map or .vmf, sorted
    grep -o '^[[:space:]]*"classname" "[^"]*"' "$1" | sed 's/.*" "//; s/"$//' | sort
}

# Every entity of the source comes back, but for what is no entity in a map: func_detail is part of
# the world. An info_null keeps a place from being filled that nothing reaches.
for game in quake goldsrc quake2 quake3 source; do
    ending=map
    [ "$game" = source ] && ending=vmf
    mkdir -p "$work/$game"
    expect 0 '' decompile "samples/$game/lobby.bsp" -o "$work/$game/" --game "samples/$game"
    classes "samples/$game/lobby.$ending" | grep -v -e '^func_detail' -e '^func_group' >"$work/want"
    classes "$work/$game/lobby.$ending" | grep -v -e '^func_detail' -e '^info_null' >"$work/have"
    diff "$work/want" "$work/have" >"$work/out" || fail "$game: other entities"
done

# The same bytes again, and on standard output.
run decompile samples/quake2/lobby.bsp -o - --game samples/quake2
cmp -s "$work/out" "$work/quake2/lobby.map" || fail "another run writes another source"

# Dialects by name.
for dialect in quake valve220 quake2 quake3 primitives vmf; do
    expect 0 '' decompile samples/quake2/lobby.bsp -o "$work/dialect.out" -d "$dialect"
done
grep -q '^versioninfo' "$work/dialect.out" || fail "no .vmf"
run decompile samples/quake3/lobby.bsp -o - -d primitives
grep -q brushDef "$work/out" || fail "no brush primitives"
grep -q patchDef2 "$work/out" || fail "no patches"
expect 1 '' decompile samples/quake3/lobby.bsp -o "$work/dialect.out" -d quake # no patches there

# Selections.
run decompile samples/quake/lobby.bsp -o - --world # func_detail_fence goes into the world
[ "$(classes "$work/out" | grep -cv '^func_detail')" -eq 1 ] || fail "--world: more than the world"
run decompile samples/quake/lobby.bsp -o - --where 'classname=func_*'
classes "$work/out" | grep -v '^func_detail' >"$work/have"
printf '%s\n' func_button func_button func_door func_wall worldspawn >"$work/want"
cmp -s "$work/have" "$work/want" || fail "--where: four func_ entities and the world"

# Reports.
expect 0 '' decompile --json samples/quake2/lobby.bsp samples/source/lobby_19.bsp -o "$work/both"
python3 - "$work/out" <<'END' || fail "--json"
import json, os, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    assert os.path.getsize(r["output"]) > 1000
    assert r["brushes_in"] == 73 or r["dialect"] == "vmf"
    assert r["brushes_lost"] == 0 and r["brushes_out"] > 50
    assert r["sides"] == r["sides_faced"] + r["sides_kept"] + r["sides_guessed"]
    assert ["worldspawn", 1] in r["entities"]
END
expect 0 '' decompile --report samples/source/lobby.bsp -o "$work/report.vmf"
grep -Eq '^ +[0-9]+  brushes written$' "$work/out" || fail "--report: no count"

# The same bytes at any number of threads.
for map in samples/quake/lobby.bsp samples/goldsrc/lobby.bsp ../shared/corpus/named/c0a0d.bsp; do
    [ -e "$map" ] || continue
    expect 0 '' decompile --threads 1 --report "$map" -o "$work/alone.map"
    grep -v 'alone.map' "$work/out" >"$work/alone.report"
    for threads in 2 4 7; do
        expect 0 '' decompile --threads $threads --report "$map" -o "$work/threads.map"
        grep -v 'threads.map' "$work/out" >"$work/threads.report"
        cmp "$work/alone.map" "$work/threads.map" || fail "$map on $threads threads"
        cmp "$work/alone.report" "$work/threads.report" || fail "the report of $map"
    done
done

# Wrong calls, and inputs that are none.
expect 2 "-o OUT" decompile samples/quake/lobby.bsp
expect 2 "not 'hammer'" decompile samples/quake/lobby.bsp -o "$work/x.map" -d hammer
expect 2 "is no condition" decompile samples/quake/lobby.bsp -o "$work/x.map" --where light
expect 2 "need a folder" decompile samples/quake/lobby.bsp samples/quake2/lobby.bsp -o -
expect 3 "there is no such file or folder" decompile "$work/nothing.bsp" -o "$work/x.map"
expect 3 "would replace that of" decompile samples/quake/lobby.bsp samples/quake2/lobby.bsp \
    -o "$work/names"
[ ! -e "$work/x.map" ] || fail "a file without an input"

# Maps without a command, as when they are dropped on the program: beside each a folder with its document.
mkdir "$work/drop"
cp samples/quake/lobby.bsp "$work/drop/one.bsp"
cp samples/source/lobby.bsp "$work/drop/two.bsp"
echo "of its author" >"$work/drop/one.map"
run "$work/drop/one.bsp" "$work/drop/two.bsp"
check 0 "" "two dropped maps"
"$BSPKIT" decompile samples/quake/lobby.bsp -o "$work/alone.map" || fail "the map alone"
cmp -s "$work/alone.map" "$work/drop/one_d/one.map" || fail "dropped: another document"
[ -s "$work/drop/two_d/two.vmf" ] || fail "dropped: the second has none"
[ "$(cat "$work/drop/one.map")" = "of its author" ] || fail "dropped: the document beside is replaced"
grep -q "one.bsp" "$work/out" && grep -q "two.bsp" "$work/out" || fail "dropped: no report"
expect 2 "there is no command" "$work/drop/one.bsp" "$work/drop/none.bsp"
finish
