#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/view-demo.sh BSPKIT FOLDER: a page for each sample map, which opens from the disk; one is shown where there
# is a desktop.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$2"
for map in samples/*/lobby.bsp; do
    family=$(basename "$(dirname "$map")")
    "$1" view --game "samples/$family" "$map" -o "$2/$family.html"
    echo "file://$PWD/$2/$family.html"
done
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
    xdg-open "$2/source.html" >/dev/null 2>&1 &
fi
