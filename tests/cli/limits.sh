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
expect 3 "the memory limit of 1024 bytes would be exceeded; see bspkit help limits" \
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
# refuse MESSAGE ARGUMENTS...: a limit, among other lines.
refuse() {
    message=$1
    shift
    run "$@"
    [ "$status" = 3 ] && grep -Fq -- "$message" "$work/err" || fail "bspkit $*: should say '$message'"
}

# Output: nothing is written in part.
refuse "the files limit of 1 files would be exceeded" \
    textures --limit files=1 "$map" -o "$work/pictures"
[ -z "$(ls -A "$work/pictures" 2>/dev/null)" ] || fail "pictures were written"
refuse "the output limit of 100 bytes would be exceeded" \
    export --limit output=100 "$map" -o "$work/map.obj"
[ ! -e "$work/map.obj" ] || fail "a part of an export was written"
refuse "the work limit of 100 steps would be exceeded" \
    export --limit work=100 -l baked "$map" -o "$work/map.glb"
[ ! -e "$work/map.glb" ] || fail "a part of an export was written"

# The files of shared/hostile, each of which once took the machine: refused, or made with little.
hostile=$SOURCE/../shared/hostile
if [ -d "$hostile" ]; then
    refuse "the output limit of " pak extract "$hostile/bomb.bsp" -o "$work/bomb"
    [ ! -e "$work/bomb" ] || fail "a part of bomb.bsp was extracted"
    refuse "the work limit of " export --limit work=10M -l baked "$hostile/slow-export.bsp" -o "$work/slow.glb"
    run textures "$hostile/many-textures.bsp" -o "$work/many"
    [ "$status" = 3 ] && grep -q "the files limit of " "$work/err" || fail "many-textures.bsp"
    [ -z "$(ls -A "$work/many" 2>/dev/null)" ] || fail "a part of many-textures.bsp was written"
    for number in 1 2 3; do
        # A checkerboard for each name that the map lists, and nothing shows, took 0.5 to 1.4 GB.
        run render --limit memory=64M --size 96x64 "$hostile/memory-render-$number.bsp" -o "$work/picture.png"
        [ "$status" -lt 3 ] || fail "memory-render-$number.bsp"
    done
fi
finish
