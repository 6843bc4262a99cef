#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds up the JUnit results in a folder: "N passed, N failed, N skipped". A build that failed
# counts as one failed test.
set -eu
results=$1

sum() { # attribute of the testsuite elements
    total=0
    for file in "$results"/*.xml; do
        [ -e "$file" ] || continue
        value=$(grep -o "$1=\"[0-9]*\"" "$file" | head -n 1 | tr -dc 0-9)
        total=$((total + ${value:-0}))
    done
    echo "$total"
}

tests=$(sum tests)
bad=$(sum failures)
skipped=$(($(sum skipped) + $(sum disabled)))
builds=0
for file in "$results"/*.failed; do
    [ ! -e "$file" ] || builds=$((builds + 1))
done
line="$((tests - bad - skipped)) passed, $((bad + builds)) failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
