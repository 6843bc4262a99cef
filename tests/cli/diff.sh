#!/bin/sh
# SPDX-License-Identifier: MIT
# diff: nothing between a map and itself, and one change as one line.
. "$(dirname "$0")/lib.sh"
new=$work/new.bsp
expect 0 '' diff "$map" "$map"
[ ! -s "$work/out" ] || fail "nothing should be printed"
expect 0 '' diff --json "$map" "$map"
grep -q '"parts":\[\],"differences":0}' "$work/out" || fail "no differences in JSON"

"$BSPKIT" lump extract "$map" entities | sed '0,/"worldspawn"/s//&\n"test_key" "test value"/' \
    >"$work/entities.txt"
expect 0 '' lump replace "$map" entities "$work/entities.txt" -o "$new"
expect 1 '' diff "$map" "$new"
grep -q '^entities$' "$work/out" || fail "the part should be named"
grep -q '+ \[0\] worldspawn test_key: test value' "$work/out" || fail "the pair should be named"
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "nothing else should be told"
expect 1 '' diff --json "$new" "$map"
grep -q '"kind":"removed","name":"worldspawn","record":0,"field":"test_key","before":"test value"' \
    "$work/out" || fail "the same in JSON, the other way round"

# A start that moved, in a map whose entities have no numbers of an editor.
"$BSPKIT" lump extract "$map" entities | sed '0,/"origin" "128 32 24"/s//"origin" "136 32 24"/' >"$work/entities.txt"
expect 0 '' lump replace "$map" entities "$work/entities.txt" -o "$new"
expect 1 '' diff "$map" "$new"
grep -q '^  ~ \[6\] info_player_start origin: 128 32 24 -> 136 32 24$' "$work/out" || fail "what moved is changed"
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "and nothing else"

"$BSPKIT" lump extract "$map" planes >"$work/planes"
printf '\001\002' | dd of="$work/planes" bs=1 seek=20 conv=notrunc 2>/dev/null
expect 0 'checksum' lump replace --force "$map" planes "$work/planes" -o "$new"
expect 1 '' diff --records "$map" "$new"
grep -q '\[1\].normal: ' "$work/out" || fail "the record should be named"
expect 3 'nothing.bsp' diff "$map" "$work/nothing.bsp"
expect 3 'nothing.bsp' diff "$work/nothing.bsp" "$map"

# The object of the first map says which file cannot be read.
run diff --json "$map" "$work/nothing.bsp"
grep -q "\"error\":\"$work/nothing.bsp: there is no such file" "$work/out" || fail "whose error is it?"
run diff --json "$work/nothing.bsp" "$map"
grep -q '"error":"there is no such file' "$work/out" || fail "the name stands there already"
finish
