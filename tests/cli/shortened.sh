#!/bin/sh
# SPDX-License-Identifier: MIT
# A map that another program cuts while the command reads it: a message and status 3, no crash, and
# no file left behind. The second map is a pipe, so that the first is open when it is cut.
. "$SOURCE/tests/cli/lib.sh"

mkfifo "$work/pipe"
mkdir "$work/folder"
cp "$map" "$work/cut.bsp"
chmod u+w "$work/cut.bsp"
"$BSPKIT" diff -o "$work/folder/diff.txt" "$work/cut.bsp" "$work/pipe" >"$work/out" 2>"$work/err" &
reader=$!
exec 3>"$work/pipe"
: >"$work/cut.bsp"
cat "$map" >&3
exec 3>&-
status=0
wait "$reader" || status=$?
check 3 "was truncated while it was read" "diff of a map that is cut"
[ -z "$(ls "$work/folder")" ] || fail "a file is left behind"

finish
