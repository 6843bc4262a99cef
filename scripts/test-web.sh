#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-web.sh [RESULTS]: tests what `make web` has made, in Node and in a headless Chromium, against the
# native command (BSPKIT, or build/bspkit). RESULTS is a folder for JUnit results. MAPS=N takes N maps of each
# family of the corpus.
set -u
cd "$(dirname "$0")/.."
BSPKIT=${BSPKIT:-$PWD/build/bspkit}
export BSPKIT
results=${1:-build/results/web}
mkdir -p "$results"
results=$(cd "$results" && pwd)
cd web && exec node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=./test/junit.mjs --test-reporter-destination="$results/web.xml" test/*.test.mjs
