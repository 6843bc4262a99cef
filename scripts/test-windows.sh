#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-windows.sh [NAME...]: the tests of the command (tests/cli; all, or those named) with the command for
# Windows under Wine, on the same expectations. Those that tests/windows/posix.txt names are skipped, with the
# reason that stands there. Logs are in build/results/windows; JUNIT names a file for the results. Exit status 1
# if any failed, 77 if there is no Wine or no build-windows/bspkit.exe (`make windows`).
set -u
cd "$(dirname "$0")/.."
WINDOWS=${WINDOWS:-$PWD/build-windows/bspkit.exe}
command -v wine >/dev/null && [ -e "$WINDOWS" ] || { echo "SKIP: no Wine, or no $WINDOWS: make windows"; exit 77; }
SOURCE=$PWD BUILD=${BUILD:-$PWD/build/dev} BSPKIT=$PWD/tests/windows/bspkit.sh
CC=${CC:-cc} CMAKE=${CMAKE:-cmake} TEST_FLAGS='' PYTHONDONTWRITEBYTECODE=1 WINEPREFIX=$PWD/build/wine
export SOURCE BUILD BSPKIT WINDOWS CC CMAKE TEST_FLAGS PYTHONDONTWRITEBYTECODE WINEPREFIX
logs=$PWD/build/results/windows
mkdir -p "$logs" build
# One server for all runs: to begin one takes longer than most tests.
"$BSPKIT" version >/dev/null 2>&1 </dev/null
server=$(command -v wineserver || ls /usr/lib/wine/wineserver64 2>/dev/null || true)
if [ -n "$server" ]; then
    "$server" -k >/dev/null 2>&1 </dev/null
    "$server" -p >/dev/null 2>&1 </dev/null
    # What Wine begins beside the first program would keep the pipes of a test open.
    "$BSPKIT" version >/dev/null 2>&1 </dev/null
    trap '"$server" -k >/dev/null 2>&1' EXIT
fi

passed=0 failed=0 skipped=0
cases=
for script in tests/cli/*.sh tests/cli/*.py; do
    name=$(basename "$script" | sed 's/\..*//')
    [ "$name" != lib ] || continue
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    reason=$(sed -n "s/^$name: //p" tests/windows/posix.txt)
    runner=sh
    [ "$script" = "${script%.py}" ] || runner=python3
    status=77
    [ -n "$reason" ] || { timeout 900 "$runner" "$script" >"$logs/$name.log" 2>&1 </dev/null; status=$?; }
    case $status in
    0) passed=$((passed + 1)) word=passed inner= ;;
    77)
        skipped=$((skipped + 1)) inner='<skipped/>'
        word="skipped: ${reason:-$(tail -n 1 "$logs/$name.log")}"
        ;;
    *)
        failed=$((failed + 1)) word="failed: status $status, $logs/$name.log" inner='<failure/>'
        tail -n 20 "$logs/$name.log"
        ;;
    esac
    echo "windows_$name: $word"
    cases="$cases<testcase name=\"windows_$name\">$inner</testcase>"
done
[ -z "${JUNIT:-}" ] || printf '<testsuite name="windows" tests="%d" failures="%d" skipped="%d">%s</testsuite>\n' \
    "$((passed + failed + skipped))" "$failed" "$skipped" "$cases" >"$JUNIT"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
