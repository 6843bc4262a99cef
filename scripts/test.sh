#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole suite: all tests in a plain build, the programs and the command again under the address
# and undefined-behaviour sanitizers, and a short run of each fuzz target (built with clang).
# Goes on after a failure; JUnit results and logs are in build/results. Exit status 1 if any failed.
set -u
cd "$(dirname "$0")/.."

results=$PWD/build/results
rm -rf "$results"
mkdir -p "$results"
jobs=$(nproc 2>/dev/null || echo 2)
failed=0

run_suite() { # preset, ctest arguments
    preset=$1
    shift
    echo "== $preset"
    if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } \
        >"$results/$preset.build.log" 2>&1; then
        tail -n 60 "$results/$preset.build.log"
        echo "$preset: the build failed"
        touch "$results/$preset.failed"
        failed=1
        return
    fi
    ctest --preset "$preset" -j "$jobs" --output-junit "$results/$preset.xml" "$@" || failed=1
}

run_suite dev
run_suite asan
run_suite fuzz
scripts/summary.sh "$results"
exit "$failed"
