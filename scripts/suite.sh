# SPDX-License-Identifier: MIT
# Read by test.sh and test-all.sh, with `results` set to an empty folder: builds a preset and runs its
# tests. Goes on after a failure, and sets `failed` then. JUnit results and logs go to `results`.
jobs=$(nproc 2>/dev/null || echo 2)
failed=0

# run_suite BUILD-PRESET [TEST-PRESET]
run_suite() {
    build=$1
    suite=${2:-$1}
    echo "== $suite"
    if ! { cmake --preset "$build" && cmake --build --preset "$build"; } \
        >"$results/$suite.build.log" 2>&1; then
        tail -n 60 "$results/$suite.build.log"
        echo "$suite: the build failed"
        touch "$results/$suite.failed"
        failed=1
        return
    fi
    ctest --preset "$suite" -j "$jobs" --output-junit "$results/$suite.xml" || failed=1
}

# Empties the folder of results and names it.
begin_suites() {
    results=$PWD/build/results/$1
    rm -rf "$results"
    mkdir -p "$results"
}
