#!/bin/sh
# SPDX-License-Identifier: MIT
# The progress bar: none in a pipe and none for short work, and a signal leaves no file behind. A
# pseudo-terminal is made by script(1), where it is there.
. "$SOURCE/tests/cli/lib.sh"

expect 0 "" export --no-props -g samples/quake "$map" -o "$work/map.glb"

mkdir "$work/terminal"
if command -v script >/dev/null; then
    status=0
    begun=$(date +%s%N)
    script -qec "'$BSPKIT' export --no-props -g samples/quake '$map' -o '$work/terminal/map.glb'" "$work/out" >"$work/err" </dev/null ||
        status=$?
    [ "$status" -eq 0 ] || fail "export on a terminal"
    # Slow builds of the sanitizers take longer, and may show one.
    [ $(($(date +%s%N) - begun)) -ge 1000000000 ] || ! grep -Fq '[#' "$work/out" ||
        fail "a bar for work of less than a second"
    cmp -s "$work/map.glb" "$work/terminal/map.glb" || fail "a terminal changes the output"
fi

# The output is a pipe that nobody reads, behind which a file waits for its name: the signal comes
# while both are open.
mkfifo "$work/pipe"
mkdir "$work/folder"
"$BSPKIT" info - -o "$work/folder/info.txt" <"$work/pipe" >"$work/out" 2>"$work/err" &
reader=$!
exec 3>"$work/pipe"
tries=0
while [ -z "$(find "$work/folder" -name 'info.txt.*')" ] && [ "$tries" -lt 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
[ -n "$(find "$work/folder" -name 'info.txt.*')" ] || fail "the output is not begun beside its name"
kill -TERM "$reader"
status=0
wait "$reader" || status=$?
exec 3>&-
[ "$status" -eq 143 ] || fail "the end by a signal should be seen as one"
[ -z "$(find "$work/folder" -name 'info*')" ] || fail "a signal leaves a file behind"

finish
