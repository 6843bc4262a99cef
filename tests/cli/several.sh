#!/bin/sh
# SPDX-License-Identifier: MIT
# Several inputs: a bad one is reported and the others are still done. Standard input is an input.
. "$(dirname "$0")/lib.sh"

other=samples/quake2/lobby.bsp
for command in info lumps check entities; do
    run $command --json "$map" "$work/missing.bsp" "$other"
    check 3 "$work/missing.bsp: there is no such file or folder" "$command --json with a bad one"
    [ "$(wc -l <"$work/out")" -eq 2 ] || fail "$command --json: two lines for two good inputs"
    python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$work/out" ||
        fail "$command --json: each line is JSON"
done

expect 0 '' info --no-external "$map" # standard input has nothing beside it
cp "$work/out" "$work/direct"
status=0
"$BSPKIT" info - <"$map" >"$work/out" 2>"$work/err" || status=$?
check 0 '' "info - < a file"
tail -n +2 "$work/direct" >"$work/expected"
tail -n +2 "$work/out" | cmp - "$work/expected" || fail "info - differs from info FILE"
status=0
cat "$map" | "$BSPKIT" info - >"$work/out" 2>"$work/err" || status=$?
check 0 '' "info - from a pipe"
tail -n +2 "$work/out" | cmp - "$work/expected" || fail "info - from a pipe differs"

expect 0 '' entities "$map" "$other"
[ "$(grep -c '^// samples' "$work/out")" -eq 2 ] || fail "entities of two files name them"
finish
