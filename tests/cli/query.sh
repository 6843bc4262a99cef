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

run query light 10 10 64 "$q3"
check 0 "" "query light"
like '"source":"grid","ambient":\['

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
