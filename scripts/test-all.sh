#!/bin/sh
# SPDX-License-Identifier: MIT
# `make test-all`: what `make test` leaves out. All of what it tries a part of; the suite again under the
# address and undefined-behaviour sanitizers of clang; under these mutated maps, killed and concurrent
# edits; a short run of each fuzz target; the tests in which threads run, under the thread sanitizer; and the
# manual, the Python package and the npm package, for which it installs what is missing. The add-on for
# Blender and a machine of the other byte order are tested where their packages are there already, so that
# all of it stays within an hour. JUnit results and logs are in build/results/test-all. Exit status 1 if any
# failed.
set -u
cd "$(dirname "$0")/.."
. scripts/suite.sh

# The Python package: its wheel, its types and its tests.
run_python() {
    echo "== python"
    wheel=build/python/installed
    rm -rf "$wheel"
    if ! { make python && python3=/usr/bin/python3 && mkdir -p "$wheel" &&
        $python3 -m zipfile -e build/python/bspkit-*.whl "$wheel" && $python3 -m mypy; } \
        >"$results/python.build.log" 2>&1; then
        tail -n 60 "$results/python.build.log"
        touch "$results/python.failed"
        failed=1
        return
    fi
    if ! [ -e build/duckdb/node_modules ] &&
        ! npm install --silent --no-audit --no-fund --prefix build/duckdb @duckdb/node-api@1.5.6-r.1 \
            >>"$results/python.build.log" 2>&1; then
        echo "the npm package of DuckDB cannot be had: its test is skipped"
    fi
    PYTHONPATH=$wheel $python3 -m pytest -q -p no:cacheprovider --junitxml "$results/python.xml" python/tests ||
        failed=1
}

# The add-on for Blender, with the library as it was built for this machine.
run_blender() {
    echo "== blender"
    if ! make all >"$results/blender.build.log" 2>&1; then
        tail -n 60 "$results/blender.build.log"
        touch "$results/blender.failed"
        failed=1
        return
    fi
    /usr/bin/python3 -m pytest -q -p no:cacheprovider --junitxml "$results/blender.xml" blender/tests || failed=1
}

# The WebAssembly module, the npm package and the viewer's page.
run_web() {
    echo "== web"
    make all >"$results/web.build.log" 2>&1 && scripts/web.sh >>"$results/web.build.log" 2>&1
    case $? in
    0) ;;
    77)
        echo "SKIP: sources or npm packages for WebAssembly cannot be had"
        return
        ;;
    *)
        tail -n 60 "$results/web.build.log"
        touch "$results/web.failed"
        failed=1
        return
        ;;
    esac
    scripts/test-web.sh "$results" || failed=1
}

# The command for Windows, and its tests under Wine; long_windows takes it, too.
run_windows() {
    echo "== windows"
    if ! scripts/dependencies.sh windows >"$results/windows.build.log" 2>&1; then
        echo "SKIP: the packages for Windows cannot be had"
        return
    fi
    scripts/cross.sh mingw build-windows >>"$results/windows.build.log" 2>&1
    case $? in
    0)
        JUNIT="$results/windows.xml" scripts/test-windows.sh assets diff export || [ $? -eq 77 ] || failed=1
        if ! scripts/test-same.sh mingw build-windows/bspkit.exe; then
            touch "$results/windows.same.failed"
            failed=1
        fi
        ;;
    77) echo "SKIP: sources of libraries for Windows cannot be had" ;;
    *)
        tail -n 60 "$results/windows.build.log"
        touch "$results/windows.failed"
        failed=1
        ;;
    esac
}

# A machine of the other byte order: the unit tests that concern bytes, and its command for long_machines.
run_big_endian() {
    echo "== s390x"
    if ! command -v s390x-linux-gnu-gcc >/dev/null || ! command -v qemu-s390x-static >/dev/null; then
        echo "SKIP: the compiler or the emulator for s390x is not there (scripts/dependencies.sh big-endian)"
        return
    fi
    tests="test_bspx_parts test_checksum test_composites test_gzip test_mip_chain test_os test_physics_parts test_png test_traits test_zip_parts"
    CROSS_TARGETS="bspkit $tests" scripts/cross-test.sh s390x --output-junit "$results/s390x.xml" \
        -R "^($(echo "$tests" | tr ' ' '|'))\$" >"$results/s390x.log" 2>&1
    case $? in
    0) grep 'tests passed' "$results/s390x.log" ;;
    77) echo "SKIP: $(tail -n 1 "$results/s390x.log")" ;;
    *)
        tail -n 60 "$results/s390x.log"
        [ -e "$results/s390x.xml" ] || touch "$results/s390x.failed"
        failed=1
        ;;
    esac
}

begin_suites test-all
run_suite dev thorough
run_suite asan
run_windows
run_big_endian
run_suite asan long
run_suite fuzz
run_suite tsan
scripts/dependencies.sh manual || echo "the manual's packages cannot be had: its test is skipped"
run_suite dev manual
if scripts/dependencies.sh python; then
    run_python
else
    echo "the Python package's packages cannot be had: its tests are skipped"
fi
if command -v blender >/dev/null; then
    run_blender
else
    echo "SKIP: Blender is not there (scripts/dependencies.sh blender)"
fi
if scripts/dependencies.sh web; then
    run_web
else
    echo "the packages for WebAssembly cannot be had: the npm package and the viewer are skipped"
fi
scripts/summary.sh "$results"
exit "$failed"
