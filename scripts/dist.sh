#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/dist.sh [FOLDER]: what a release offers, in FOLDER (build/dist): the sources, the command for Windows
# (.zip) and for any Linux of this machine's kind (.tar.gz), the wheel for Python, each with the licences of all that it
# contains, the packages for this Debian, and SHA256SUMS. Dates are those of the commit, names are sorted, and no path of
# this machine is in what is compiled: two builds of a commit by the same compilers give the same bytes in any folder.
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/dist}
version=$(sed -n 's/^#define BSP_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/bspkit/core.h | paste -sd.)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
mkdir -p "$out"
out=$(cd "$out" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# prepare NAME PROGRAM TARGET: a folder with what belongs into the archive.
prepare() {
    mkdir -p "$stage/$1/licences"
    cp "$2" LICENSE CHANGELOG.md "$stage/$1/"
    cp docs/guide/13-windows.md "$stage/$1/README.md"
    cp build/cross/"$3"/licences/* "$stage/$1/licences/"
    find "$stage/$1" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    find "$stage/$1" -type d -exec chmod 755 {} + -o -exec chmod 644 {} +
    chmod 755 "$stage/$1/$(basename "$2")"
}

scripts/cross.sh mingw build-windows
scripts/cross.sh musl build-static

git archive --prefix="bspkit-$version/" HEAD | gzip -9n >"$out/bspkit-$version.tar.gz"

name=bspkit-$version-windows-x86_64
prepare "$name" build-windows/bspkit.exe mingw
rm -f "$out/$name.zip"
(cd "$stage" && find "$name" -type f | sort | zip -q -9 -X "$out/$name.zip" -@)

name=bspkit-$version-linux-$(uname -m)
prepare "$name" build-static/bspkit musl
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
    gzip -9n >"$out/$name.tar.gz"

cmake --preset release --log-level=WARNING
cmake --build --preset release --target bspkit_static
scripts/python.sh "$out"

rm -f "$out"/*.deb
scripts/deb.sh "$out"

(cd "$out" && sha256sum bspkit-"$version"*.gz bspkit-"$version"*.zip bspkit-"$version"*.whl ./*.deb | sed 's,\./,,' >SHA256SUMS && cat SHA256SUMS)
