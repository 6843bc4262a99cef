#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual builds without a warning of Doxygen; every link in it leads somewhere, and no page loads a
# script or anything from elsewhere.
set -eu
[ -n "${BSPKIT:-}" ] || { echo "SKIP: built without the command"; exit 77; }
command -v doxygen >/dev/null || { echo "SKIP: doxygen is not there (scripts/dependencies.sh manual)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$SOURCE/scripts/manual.py" "$BSPKIT" "$work/manual"
