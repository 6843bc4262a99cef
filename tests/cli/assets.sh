#!/bin/sh
# SPDX-License-Identifier: MIT
# What maps need: found in the map or the game, missing, unused; lists for servers; packing.
. "$(dirname "$0")/lib.sh"
source=samples/source/lobby.bsp
gold=samples/goldsrc/lobby.bsp

expect 1 '' assets --missing "$source"
grep -q '^model    models/lobby/urn.mdl (static props): missing$' "$work/out" || fail "the urn"
grep -q 'materials/LOBBY' "$work/out" && fail "what is in the pak is not missing"

# A game that has the model, what belongs to it, and a material that names a texture.
game=$work/game
mkdir -p "$game/models/lobby" "$game/materials/tools" "$game/materials/made"
echo 1 >"$game/models/lobby/urn.mdl"
echo 2 >"$game/models/lobby/urn.dx90.vtx"
printf 'LightmappedGeneric { $basetexture "made/up" Proxies { } $envmap env_cubemap }' \
    >"$game/materials/tools/toolsclip.vmt"
echo 3 >"$game/materials/made/up.vtf"
expect 1 '' assets -g "$game" "$source"
for line in "model    models/lobby/urn.mdl (static props): $game" \
    "model    models/lobby/urn.dx90.vtx (models/lobby/urn.mdl): $game" \
    "model    models/lobby/urn.vvd (models/lobby/urn.mdl): missing" \
    "material materials/TOOLS/TOOLSCLIP.vmt (faces): $game" \
    "texture  materials/made/up.vtf (materials/TOOLS/TOOLSCLIP.vmt): $game" \
    "texture  materials/lobby/brick1.vtf (materials/LOBBY/BRICK1.vmt): pak"; do
    grep -Fxq "$line" "$work/out" || fail "there should be '$line'"
done
grep -q env_cubemap "$work/out" && fail "env_cubemap is no file"

expect 1 'checksum' assets --pack -g "$game" "$source" -o "$work/packed.bsp"
expect 1 '' assets --json "$work/packed.bsp"
grep -q '"name":"models/lobby/urn.mdl","by":"static props","found":"pak"' "$work/out" ||
    fail "the urn should be in the map"
grep -q '"name":"materials/made/up.vtf","by":"materials/TOOLS/TOOLSCLIP.vmt","found":"pak"' \
    "$work/out" || fail "the texture should be in the map"
grep -q '"unused":\[\]' "$work/out" || fail "all files of the map are used"
expect 1 '' diff "$source" "$work/packed.bsp"
grep -q '4 added' "$work/out" || fail "four files should have come"

# GoldSrc: WADs have the textures; a list for servers.
expect 1 '' assets --res "$work/lobby.res" "$gold"
[ "$(cat "$work/lobby.res")" = "gfx/env/lobbybk.tga
gfx/env/lobbydn.tga
gfx/env/lobbyft.tga
gfx/env/lobbylf.tga
gfx/env/lobbyrt.tga
gfx/env/lobbyup.tga
lobby.wad" ] || fail "the list for servers"
expect 2 'belongs to --pack' assets --in-place "$source"
expect 2 'takes one map' assets --res "$work/x" "$source" "$gold"
expect 3 'embeds no files' assets --pack "$gold" -o "$work/no.bsp"
finish
