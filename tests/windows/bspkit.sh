#!/bin/sh
# SPDX-License-Identifier: MIT
# The command for Windows as a test of tests/cli calls it. WINDOWS names the program, WINEPREFIX the folder of Wine.
export WINEDEBUG=-all DISPLAY= WINEDLLOVERRIDES="mscoree,mshtml=;winedbg.exe=d"
exec wine "$WINDOWS" "$@"
