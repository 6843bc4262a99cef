#!/bin/sh
# SPDX-License-Identifier: MIT
# bspkit query: the fixed forms, on sample maps, and what is wrong with a question.
. "$(dirname "$0")/lib.sh"

q3=samples/quake3/lobby.bsp

# ask TEXT ARGUMENTS...: runs query with TEXT as standard input.
ask() {
    text=$1
    shift
    status=0
    printf '%b' "$text" | "$BSPKIT" query "$@" >"$work/out" 2>"$work/err" || status=$?
}

lines() {
    [ "$(wc -l <"$work/out")" -eq "$1" ] || fail "query: should print $1 lines"
}

like() {
    grep -Eq -- "$1" "$work/out" || fail "query: should print $1"
}

number='-?[0-9][0-9.e+-]*'

run query leaf -10.5 20 30 "$map"
check 0 "" "query leaf"
lines 1
like '^\{"file":".*","point":\[-10\.5,20,30\],"leaf":[0-9]+,"cluster":-?[0-9]+,.*"contents":-[0-9]+,'

run query vis 0 "$q3"
check 0 "" "query vis"
lines 1
like '"cluster":0,"clusters":34,"visible":\[0,'

ask '0 0 64\n\n# a comment\n-1.5\t3\t50000\n' contents "$map"
check 0 "" "query contents"
lines 2
like '^-[0-9]+	[0-9]+$'

ask '0 0 64\n0 0 -5000\n' contents "$q3"
check 0 "" "query contents"
lines 2
like '^0x[0-9A-F]+	[0-9]+$'

ask '0 0 64 0 0 -5000\n0 0 64 500 0 64 -16 -16 -24 16 16 32\n' trace --mask solid,playerclip "$q3"
check 0 "" "query trace"
lines 2
like "^($number	){7}[01]	[01]	0x[0-9A-F]+\$"
ask '0 0 64 0 0 64\n' trace --mask 0x10001 --all "$q3"
check 0 "" "query trace"
lines 1
ask '1 2 64 1 2 -5000\n' trace --hull 1 "$map"
check 0 "" "query trace"
like "^($number	){7}[01]	[01]	(-2|0)\$"

# The fixed form and JSON say the same, and the plane is the map's.
ask '100 40 64 100 40 -5000\n' trace "$q3"
cp "$work/out" "$work/fixed"
ask '100 40 64 100 40 -5000\n# none\n100 40 64 100 40 65\n' trace --json "$q3"
check 0 "" "query trace --json"
lines 2
like '"from":\[100,40,64\],"to":\[100,40,-5000\],"mins":\[0,0,0\],"maxs":\[0,0,0\],'
like '"normal":\[0,0,1\],"dist":0,"start_solid":false,"all_solid":false,"left_solid":0,'
like '"contents":1,"contents_names":\["solid"\],"surface_flags":0,"plane":[0-9]+,"brush":[0-9]+,'
like '"side":[0-9]+,"face":-1,"entity":-1,"material":"textures/[a-z0-9/]+"\}$'
like '"fraction":1,"end":\[100,40,65\],"normal":\[0,0,0\],.*"plane":-1,"brush":-1,"side":-1,"face":-1'
fraction=$(sed -n '1s/.*"fraction":\([^,]*\),.*/\1/p' "$work/out")
[ "$fraction" = "$(cut -f 1 "$work/fixed")" ] || fail "query trace: two fractions"
plane=$(sed -n '1s/.*"plane":\([0-9]*\),.*/\1/p' "$work/out")
"$BSPKIT" dump --json "$q3" planes | sed 's/},{/}\n{/g' | sed -n "$((plane + 1))p" |
    grep -Eq '\[0,0,1\].*:0[,}]' || fail "query trace: plane $plane is another"
ask '1 2 64 1 2 -5000\n' trace --json --hull 0 "$map"
check 0 "" "query trace --json"
like '"contents":-2,"contents_names":\[\],"surface_flags":0,"plane":[0-9]+,"brush":-1,.*"material":""\}$'
ask '0 0 64\n0 0 -5000\n' contents --json "$q3"
check 0 "" "query contents --json"
lines 2
like '"point":\[0,0,-5000\],"contents":[0-9]+,"contents_names":\[.*\],"leaf":-?[0-9]+\}$'
for question in "leaf 1 2 64" "vis 0" "light 1 2 64"; do
    run query $question --json "$q3"
    check 0 "" "query $question --json"
    cp "$work/out" "$work/json"
    run query $question "$q3"
    cmp -s "$work/out" "$work/json" || fail "query $question: --json changes it"
done

# The floor of the lobby is at 0: sight is what the trace between the points finds.
ask '100 40 64 100 40 1\n100 40 64 100 40 -50\n100 40 -50\t100,40,64\n' sight "$q3"
check 0 "" "query sight"
[ "$(tr -d '\n' <"$work/out")" = 100 ] || fail "query sight: should print 1, 0, 0"
ask '100 40 64 100 40 -50\n' sight --mask water "$q3"
check 0 "" "query sight --mask"
[ "$(cat "$work/out")" = 1 ] || fail "query sight --mask: stone is no water"
ask '100 40 64 100 40 -50\n' sight --json --all "$q3"
check 0 "" "query sight --json"
like '"from":\[100,40,64\],"to":\[100,40,-50\],"seen":false\}$'
ask '1 2 3 4 5 6\n1 2 3\n' sight "$map"
check 3 "line 2: ax ay az bx by bz was expected" "query sight"
lines 1
ask '' sight --mask slid "$q3"
check 2 "query sight: --mask: no contents of branch quake3 are called 'slid': did you mean 'solid'?" "query sight"

# A map without areas, one with a single area, and portals that are not there.
run query areas "$map"
check 0 "" "query areas"
like '"areas":\[\],"groups":0,"portals":\[\]\}$'
run query areas --open all samples/source/lobby.bsp
check 0 "" "query areas"
like '"areas":\[\{"area":1,"group":1,"leaves":[0-9]+,"portals":\[\]\}\],"groups":1,"portals":\[\]\}$'
run query portals "$map"
check 0 "" "query portals"
like '"portals":\[\],"clusters":\[\]\}$'
run query physics "$map"
check 0 "" "query physics"
like '"surface_props":\[\],"solids":\[\]\}$'
expect 2 "there is no area portal '3'; bspkit query areas lists them" query areas --closed 3 "$q3"
expect 2 "there is no area portal 'gate'" query vis 0 --open gate "$q3"
run query vis 0 "$q3"
cp "$work/out" "$work/all"
run query vis 0 --open none "$q3"
check 0 "" "query vis --open"
cmp -s "$work/out" "$work/all" || fail "query vis: one area shuts off nothing"

# The pool of the lobby reaches from -128 to -72: its source has it so.
for name in quake goldsrc quake2 quake3 source; do
    run query water 600 100 -100 samples/$name/lobby.bsp
    check 0 "" "query water"
    like '"wet":true,"contents":-?[0-9]+,.*"surface":-72,"bottom":-128,"depth":28,"volume":(-1|0),'
    run query water 600 100 -60 samples/$name/lobby.bsp
    like '"wet":false\}$'
done
run query leaf 600 100 -100 samples/source/lobby.bsp
like '"flags":1,"flag_names":\["sky"\],"water":0,"water_surface":-72,"water_bottom":-128,'
run query leaf 600 100 -100 "$map"
like '"sounds":\{"water":255,"sky":255,"slime":0,"lava":0\}\}$'
run query fog 600 100 -100 "$map"
check 0 "" "query fog"
like '"kind":"none"\}$'
run query cubemap 120 100 70 samples/source/lobby.bsp
check 0 "" "query cubemap"
like '"cubemap":0,"origin":\[128,112,80\],"size":8,"texture":"materials/maps/lobby/c128_112_80.vtf"\}$'
expect 2 "query water: 'x' is no number" query water 1 x 3 "$map"

run query light 10 10 64 "$q3"
check 0 "" "query light"
like '"source":"grid","ambient":\['

# 62 units below a light of 8627 for the square of the distance.
run query light --lights --normal 0,0,2 128 192 50 samples/source/lobby.bsp
check 0 "" "query light --lights"
like '"lights":\[\{"light":0,"type":"point","style":0,"origin":\[128,192,112\],"rgb":\[2\.244'
like '"seen":1,"direction":\[0,0,1\],"distance":62\}'
run query light --lights 1 2 64 "$q3"
like '"lights":\[\]\}$'
expect 2 "query light: --normal takes X,Y,Z, not '0,0'" query light --lights --normal 0,0 1 2 3 "$map"
expect 2 "not '0,0,0'" query light --lights --normal 0,0,0 1 2 3 "$map"

run query face 12 samples/source/lobby.bsp
check 0 "" "query face"
like '"type":"polygon",.*"normal":\[1,0,0\],"dist":560,"corners":\[\[560,'
like '"side":\{"original_face":68,"faces":\[12\],"corners":\[\[560,160,176\],\[560,32,176\]'
run query face 12 "$map"
like '"styles":\[\{"style":32\},\{"style":0\}\]\}$'
expect 2 "there is no face '99999'" query face 99999 "$map"
expect 2 "query face: 'x' is not the number of a face" query face x "$map"

ask '0 0 64 8 8 8 9 9 9\n' occluder samples/source/lobby.bsp
check 0 "" "query occluder"
[ "$(cat "$work/out")" = -1 ] || fail "query occluder: nothing is between"
ask '0 0 64 8 8\n' occluder "$map"
check 3 "line 1: ex ey ez minx" "query occluder"

# A barrel of Quake 2, 32 units wide and 40 high from its origin on, which a mask with monster
# meets and one without does not. It is turned, and its box is not.
q2=samples/quake2/lobby.bsp
game=$work/game
mkdir -p "$game/models/objects/barrels"
cp samples/models/quake2/models/*/tris.md2 "$game/models/objects/barrels/tris.md2" 2>/dev/null ||
    find samples/models/quake2 -name '*.md2' -exec cp {} "$game/models/objects/barrels/tris.md2" \;
{
    "$BSPKIT" entities "$q2"
    printf '{\n"classname" "misc_explobox"\n"origin" "100 40 8"\n"angle" "30"\n}\n'
    printf '{\n"classname" "weapon_bfg"\n"origin" "160 40 8"\n}\n'
} >"$work/entities"
"$BSPKIT" entities --import "$work/entities" "$q2" -o "$work/barrel.bsp"
run query props -g "$game" "$work/barrel.bsp"
check 0 "" "query props"
lines 1
like '"kind":"entity","number":[0-9]+,"class":"misc_explobox","model":"models/objects/barrels/tris.md2","origin":\[100,40,8\],"angles":\[0,30,0\],"scale":1,'
like '"solid":"box","hulls":0,"contents":33554432,"shown":true\}'
like '"missing":\[.*\{"model":"models/weapons/g_bfg/tris.md2","props":1,"note":'
run query props --csv -g "$game" "$work/barrel.bsp"
grep -q "^bspkit: .*no model 'models/weapons/g_bfg/tris.md2', of 1 prop: is not in the search path" \
    "$work/err" || fail "query props --csv: should report the missing model"
like 'entity,[0-9]+,misc_explobox,models/objects/barrels/tris.md2,100,40,8,0,30,0,1,'
barrel='0 40 30 100 40 30\n'
ask "$barrel" trace -g "$game" --props --json --mask solid,monster "$work/barrel.bsp"
like '"end":\[83\.96875,40,30\],"normal":\[-1,0,0\],"dist":-84,.*"contents":33554432,.*"prop":[0-9]+,"static_prop":-1,"hull":-1,"prop_model":"models/objects/barrels/tris.md2"\}'
ask '0 40 30 100 40 30 -8 -8 -8 8 8 8\n' trace -g "$game" --props --mask monster "$work/barrel.bsp"
like '^0\.7596875	75\.96875	40	30	-1	0	0	0	0	0x2000000$'
ask "$barrel" trace -g "$game" --props "$work/barrel.bsp"
like '^1	'
ask "$barrel" trace --mask solid,monster "$work/barrel.bsp"
like '^1	'
ask "$barrel" sight -g "$game" --props "$work/barrel.bsp"
[ "$(cat "$work/out")" = 1 ] || fail "query sight --props: a barrel of Quake 2 is seen past"
ask "$barrel" sight -g "$game" --props --mask solid,monster "$work/barrel.bsp"
[ "$(cat "$work/out")" = 0 ] || fail "query sight --props: the mask asks for it"
ask "$barrel" trace --csv -g "$game" --props "$work/barrel.bsp"
like 'material,prop,static_prop,hull,prop_model,error$'
ask "$barrel" trace --csv "$work/barrel.bsp"
like 'material,error$'

ask '1 2\n' contents "$map"
check 3 "line 1: x y z was expected" "query contents"
ask '1 2 3\n1 2 x\n' trace "$map"
check 3 "line 1: sx sy sz ex ey ez" "query trace"
ask '' trace --mask solids "$q3"
check 2 "no contents of branch quake3 are called 'solids'" "query trace"
ask '' trace --mask slid "$q3"
check 2 "are called 'slid': did you mean 'solid'?" "query trace"
expect 2 "there is no verb 'nonsense'" query nonsense "$map"
expect 2 "query leaf: it takes X Y Z FILE: an operand is missing" query leaf 1 2 "$map"
expect 2 "'x' is no number" query leaf 1 2 x "$map"
expect 2 "there is no cluster '-1'" query vis -1 "$map"
expect 2 "there is no cluster '99'" query vis 99 "$q3"
expect 3 "there is no such file or folder" query vis 0 "$work/missing.bsp"
finish
