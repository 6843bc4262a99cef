#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-web.sh [RESULTS]: tests what `make web` has made, in Node and in a headless Chromium, against the
# native command (BSPKIT, or build/bspkit). RESULTS is a folder for JUnit results. MAPS=N takes N maps of each
# family of the corpus (2), THOROUGH=1 all rules of accessibility in each theme and size, JOBS=N runs N files at a
# time (2), WALK_MINUTES=N walks for so long (0.4) in WALK_MAP, MEMORY=FOLDER measures the maps of a folder too.
set -u
cd "$(dirname "$0")/.."
BSPKIT=${BSPKIT:-$PWD/build/bspkit}
export BSPKIT
results=${1:-build/results/web}
mkdir -p "$results"
results=$(cd "$results" && pwd)
cd web && exec node --test --test-concurrency="${JOBS:-2}" --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=./test/junit.mjs --test-reporter-destination="$results/web.xml" test/*.test.mjs
