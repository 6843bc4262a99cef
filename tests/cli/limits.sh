#!/bin/sh
# SPDX-License-Identifier: MIT
# --limit: what it takes, what happens when a limit is passed, and streams that do not end.
. "$(dirname "$0")/lib.sh"

expect 2 "not 'memory'" info --limit memory "$map"
expect 2 "not 'memory=0'" info --limit memory=0 "$map"
expect 2 "not 'memory=-1'" info --limit memory=-1 "$map"
expect 2 "not 'memory=1X'" info --limit memory=1X "$map"
expect 2 "not 'memory=99999999T'" info --limit memory=99999999T "$map"
expect 2 "not 'time=1'" info --limit time=1 "$map"
expect 3 "the memory limit of 1024 bytes would be passed; see bspkit help limits" \
    info --limit memory=1K "$map"
# The last one counts, and a map is read whole or not at all.
expect 0 "" info --limit memory=1K --limit memory=1G "$map" -o "$work/result"
expect 0 "" info --limit memory=1K --limit none "$map" -o "$work/result"
expect 0 "" info --limit memory=none "$map" -o "$work/result"
run info --limit report "$map"
[ "$status" = 0 ] && grep -q "^bspkit: limits: memory: [1-9][0-9]* bytes$" "$work/err" || fail "--limit report"

# A stream that does not end, standing for a map or for what goes into one.
for command in info check entities; do
    status=0
    "$BSPKIT" $command --limit memory=8M - </dev/zero >"$work/out" 2>"$work/err" || status=$?
    check 3 "standard input: the memory limit of 8388608 bytes" "$command -"
done
cp "$map" "$work/map.bsp"
status=0
"$BSPKIT" lump replace --limit memory=8M "$work/map.bsp" 0 - -o "$work/new.bsp" \
    </dev/zero >"$work/out" 2>"$work/err" || status=$?
check 3 "memory limit" "lump replace -"
[ ! -e "$work/new.bsp" ] || fail "an output was made of an endless stream"
finish
