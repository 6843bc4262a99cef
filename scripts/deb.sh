#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/deb.sh [FOLDER]: the packages for this Debian, in FOLDER (build/dist), out of the commit that is
# checked out: bspkit, libbspkit0.2, libbspkit-dev and python3-bspkit. The same commit gives the same bytes.
# Lintian's errors and warnings are failures. `scripts/dependencies.sh deb` installs what this needs.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/dist}
version=$(sed -n 's/^#define BSP_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/bspkit/core.h | paste -sd.)
packaged=$(dpkg-parsechangelog -S Version)
if [ "${packaged%-*}" != "$version" ]; then
    echo "deb: debian/changelog is of $packaged, and the library of $version" >&2
    exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)"
mkdir -p "$out" build/deb
out=$(cd "$out" && pwd)
# Always the same place, so that nothing of it can differ between two runs.
rm -rf build/deb/*
git archive --prefix="bspkit-$version/" HEAD | tar -x -C build/deb
if ! (cd "build/deb/bspkit-$version" && dpkg-buildpackage -b -us -uc) >build/deb/log 2>&1; then
    tail -n 60 build/deb/log >&2
    exit 1
fi
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs build/deb/*.changes
cp build/deb/*.deb "$out/"
