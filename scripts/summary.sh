#!/bin/sh
# SPDX-License-Identifier: MIT
# Adds up the JUnit results in folders: "N passed, N failed, N skipped". A build that failed counts
# as one failed test, and so does a folder that is not there: its suite never began.
set -eu

# The sum of an attribute of the testsuite elements: sum ATTRIBUTE FOLDER...
sum() {
    attribute=$1
    shift
    total=0
    for folder in "$@"; do
        for file in "$folder"/*.xml; do
            [ -e "$file" ] || continue
            value=$(grep -o "$attribute=\"[0-9]*\"" "$file" | head -n 1 | tr -dc 0-9)
            total=$((total + ${value:-0}))
        done
    done
    echo "$total"
}

tests=$(sum tests "$@")
bad=$(sum failures "$@")
skipped=$(($(sum skipped "$@") + $(sum disabled "$@")))
builds=0
for folder in "$@"; do
    [ -d "$folder" ] || builds=$((builds + 1))
    for file in "$folder"/*.failed; do
        [ ! -e "$file" ] || builds=$((builds + 1))
    done
done
line="$((tests - bad - skipped)) passed, $((bad + builds)) failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
