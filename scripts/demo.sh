#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job, on our own maps: what each file is, its lumps, its problems, its entities, every lump
# as JSON, a picture, a model for other programs, and the editor source. usage: scripts/demo.sh COMMAND OUTPUT-FOLDER
set -eu
cd "$(dirname "$0")/.."
bspkit=$1
out=$2

rm -rf "$out"
mkdir -p "$out"
maps=$(find samples -name '*.bsp' | sort)
for map in $maps; do
    name=$(echo "${map#samples/}" | sed 's/\.bsp$//; s,/,-,g')
    folder=$out/$name
    mkdir -p "$folder/dump"
    "$bspkit" info "$map" | tee "$folder/info.txt"
    echo
    "$bspkit" info --json "$map" >"$folder/info.json"
    "$bspkit" lumps "$map" >"$folder/lumps.txt"
    "$bspkit" entities "$map" >"$folder/entities.txt"
    "$bspkit" query marks "$map" >"$folder/marks.json"
    "$bspkit" query links "$map" >"$folder/links.txt"
    status=0
    "$bspkit" check "$map" >"$folder/check.txt" || status=$?
    [ "$status" -le 1 ] || exit "$status"
    game=$(dirname "$map")
    "$bspkit" render --game "$game" "$map" -o "$folder/picture.png"
    "$bspkit" export --game "$game" --lightmaps baked "$map" -o "$folder/map.glb"
    "$bspkit" decompile --game "$game" --report "$map" -o "$folder/" >"$folder/source.txt"
    "$bspkit" lumps --json "$map" | python3 -c '
import json, sys
for lump in json.load(sys.stdin)["lumps"]:
    if lump["size"]:
        print(lump["name"])' | while read -r lump; do
        "$bspkit" dump --json "$map" "$lump" >"$folder/dump/$(echo "$lump" | tr ':/' '__').json"
    done
done
echo "$(echo "$maps" | wc -l) maps; for each of them there is now in $out:"
echo "  info.txt info.json  what it is     lumps.txt  its directory    entities.txt  its entities"
echo "  marks.json          its sounds, particles and cubemaps    links.txt  which entity names which"
echo "  check.txt           its problems   dump/      every lump as JSON records"
echo "  picture.png         what it looks like        map.glb  for glTF viewers, lit"
echo "  *.map or *.vmf      its source back           source.txt  how that went"
