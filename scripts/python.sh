#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/python.sh [FOLDER]: the wheel of the Python package, in FOLDER (build/python), with the library of the
# release build (make) and all libraries that it needs, which deps.sh builds first: the module asks for nothing but
# the C library. Where their sources cannot be had it links those of the system, and says so. The same commit gives
# the same bytes.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/python}
BSPKIT_BUILD=build BSPKIT_LIBRARIES=build/cross/linux
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 315532800)
export BSPKIT_BUILD BSPKIT_LIBRARIES SOURCE_DATE_EPOCH
status=0
scripts/deps.sh linux "$BSPKIT_LIBRARIES" "-O2 -g0" || status=$?
if [ "$status" -eq 77 ]; then
    echo "python: the wheel links the libraries of this system" >&2
    unset BSPKIT_LIBRARIES
elif [ "$status" -ne 0 ]; then
    exit "$status"
fi
mkdir -p "$out"
rm -f "$out"/bspkit-*.whl
rm -rf build/python/setuptools build/bdist.*
/usr/bin/python3 -m pip wheel -q --no-build-isolation --no-deps --no-index -w "$out" .
