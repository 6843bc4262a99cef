#!/bin/sh
# SPDX-License-Identifier: MIT
# The command for Windows as a test of tests/cli calls it. WINDOWS names the program, WINEPREFIX the folder of Wine.
export WINEDEBUG=-all DISPLAY= WINEDLLOVERRIDES="mscoree,mshtml=;winedbg.exe=d"
if [ -f /dev/stdin ]; then # Wine cannot read a file that another system's shell has opened
    cat | wine "$WINDOWS" "$@"
    exit $?
fi
exec wine "$WINDOWS" "$@"
