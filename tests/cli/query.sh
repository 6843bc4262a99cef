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

run query light 10 10 64 "$q3"
check 0 "" "query light"
like '"source":"grid","ambient":\['

ask '1 2\n' contents "$map"
check 3 "line 1: x y z was expected" "query contents"
ask '1 2 3\n1 2 x\n' trace "$map"
check 3 "line 1: sx sy sz ex ey ez" "query trace"
ask '' trace --mask solids "$q3"
check 2 "no contents of branch quake3 are called 'solids'" "query trace"
expect 2 "there is no question 'nonsense'" query nonsense "$map"
expect 2 "leaf takes 3 operands" query leaf 1 2 "$map"
expect 2 "'x' is no number" query leaf 1 2 x "$map"
expect 2 "there is no cluster '-1'" query vis -1 "$map"
expect 2 "there is no cluster '99'" query vis 99 "$q3"
expect 3 "No such file" query vis 0 "$work/missing.bsp"
finish
