#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs: a file, a full disk, a closed pipe; no colour unless on a terminal.
. "$(dirname "$0")/lib.sh"

expect 0 '' info "$map"
cp "$work/out" "$work/expected"
grep -q "$(printf '\033')" "$work/out" && fail "colour without a terminal"

expect 0 '' info -o "$work/info.txt" "$map"
[ ! -s "$work/out" ] || fail "info -o writes to standard output as well"
cmp "$work/info.txt" "$work/expected" || fail "info -o differs"
expect 0 '' info -o - "$map"
cmp "$work/out" "$work/expected" || fail "info -o - differs"
expect 0 '' info -o /dev/null "$map"

# No temporary file is left beside an output.
[ "$(find "$work" -name 'info.txt*' | wc -l)" -eq 1 ] || fail "a temporary file is left"

# What fails before it writes anything leaves a file of that name as it was, and makes none.
head -c 100 "$map" >"$work/torn.bsp"
for command in render "light --part 1/2" "vis --part 1/2" info dump; do
    lump=
    [ "$command" = dump ] && lump=faces
    printf 'kept' >"$work/there.png"
    # shellcheck disable=SC2086
    expect 3 "torn.bsp: " $command "$work/torn.bsp" $lump -o "$work/there.png"
    [ "$(cat "$work/there.png")" = kept ] || fail "$command takes the place of a file with nothing"
    # shellcheck disable=SC2086
    expect 3 "torn.bsp: " $command "$work/torn.bsp" $lump -o "$work/new.png"
    [ ! -e "$work/new.png" ] || fail "$command leaves an empty file"
done

# What writes a folder says so, and makes none that is called "-".
for command in "textures -g samples/quake" lightmaps; do
    # shellcheck disable=SC2086
    expect 3 "-: standard output is not a folder" $command "$map" -o -
    [ ! -e - ] || fail "$command makes a folder '-'"
done

if [ -w /dev/full ]; then
    for command in info lumps entities help version; do
        operand=$map
        case $command in help | version) operand= ;; esac
        status=0
        # shellcheck disable=SC2086
        "$BSPKIT" $command $operand >/dev/full 2>"$work/err" || status=$?
        : >"$work/out"
        check 3 "standard output: no space is left" "$command > /dev/full"
    done
    expect 3 "/dev/full: no space is left" dump --json -o /dev/full "$map" faces
fi

# A file that may not grow so far: the message says so, and nothing of it stays.
mkdir "$work/small"
status=0
(ulimit -f 1 && exec "$BSPKIT" vis "$map" -o "$work/small/new.bsp") >"$work/out" 2>"$work/err" || status=$?
check 3 "the file is too large" "ulimit -f 1"
[ -z "$(ls -A "$work/small")" ] || fail "a file that is too large leaves something"

# A reader that has enough: no message, whether the pipe kills or only refuses.
"$BSPKIT" dump "$map" textures 2>"$work/err" | head -n 1 >/dev/null
[ ! -s "$work/err" ] || fail "a closed pipe is no reason to talk"
status=0
python3 - "$BSPKIT" "$map" 2>"$work/err" <<'END' || status=$?
import os, signal, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
done = subprocess.run([sys.argv[1], "dump", "--json", sys.argv[2], "faces"], stdout=writer,
                      stderr=subprocess.PIPE, restore_signals=False,
                      preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
sys.exit(0 if done.returncode == 3 and done.stderr == b"" else f"{done}")
END
[ "$status" -eq 0 ] || fail "a refused pipe should end with 3 in silence"
finish
