#!/bin/sh
# SPDX-License-Identifier: MIT
# Several inputs: a bad one is reported and the others are still done. Standard input is an input.
. "$(dirname "$0")/lib.sh"

other=samples/quake2/lobby.bsp
for command in info lumps check entities; do
    run $command --json "$map" "$work/missing.bsp" "$other"
    [ "$status" -eq 3 ] || fail "$command --json with a bad one: status"
    printf 'bspkit: %s\n' "$work/missing.bsp: there is no such file or folder" \
        "$command: 3 files: 2 without problems, 0 with problems, 1 failed" |
        cmp -s - "$work/err" || fail "$command --json with a bad one: which one, and the totals"
    python3 -c 'import json, sys
lines = [json.loads(line) for line in sys.stdin]
assert len(lines) == 3
assert lines[1] == {"file": sys.argv[1], "error": "there is no such file or folder"}, lines[1]' \
        "$work/missing.bsp" <"$work/out" || fail "$command --json: the bad one has its reason"
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
