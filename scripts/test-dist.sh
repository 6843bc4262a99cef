#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-dist.sh [FOLDER]: uses the archives of FOLDER (build/dist) in a new root that has nothing but Debian's
# base: their checksums; the static command on samples, with no package installed; the wheel beside Python, NumPy and
# cffi; the sources, built and installed with what README.md asks for. Each archive has the licences of the libraries
# in it. Needs to be root, debootstrap, and a mirror (MIRROR); the root is build/dist-root.
set -eu
cd "$(dirname "$0")/.."
out=$(cd "${1:-build/dist}" && pwd)
. scripts/root.sh
new_root dist-root
cp "$out"/* "$root/given/"
cp -r samples "$root/given/"
inside 'sha256sum --quiet -c SHA256SUMS'

# The command for any Linux.
inside '
tar -xf bspkit-*-linux-*.tar.gz
bspkit=$(echo /given/bspkit-*-linux-*/bspkit)
for map in samples/*/lobby.bsp; do
    folder=out/$(basename "$(dirname "$map")")
    $bspkit info "$map" >/dev/null
    $bspkit decompile "$map" -o "$folder/"
    $bspkit export "$map" -g "$(dirname "$map")" -o "$folder/map.glb"
    $bspkit render "$map" -g "$(dirname "$map")" -o "$folder/map.png"
done
$bspkit index maps.db -r samples
$bspkit find maps.db "class=info_player_*" | grep -c lobby
for library in libdeflate liblzma bzip2 zlib libpng libjpeg-turbo pcre2 jansson sqlite musl; do
    test -s "$(dirname "$bspkit")/licences/$library.txt"
done
'

# The wheel.
install python3-pip python3-numpy python3-cffi
inside '
pip install -q --break-system-packages --no-index --no-deps --root-user-action=ignore bspkit-*.whl
cd samples
python3 -c "
import pathlib, bspkit
with bspkit.open(\"source/lobby.bsp\") as file:
    hits = file.map.trace([[0, 0, 64]], [[0, 0, -4096]])
    print(file.branch, len(file.entities), hits[\"fraction\"])
    assert 0 < hits[\"fraction\"][0] < 1
"
module=$(python3 -c "import bspkit._native as n; print(n.__file__)")
ldd "$module" | grep -v -e libc.so -e libm.so -e libpthread.so -e linux-vdso -e ld-linux && exit 1
find /usr/local/lib -path "*bspkit*" -name libdeflate.txt | grep .
'

# The sources.
install gcc libc6-dev make cmake ninja-build pkg-config python3 liblzma-dev libdeflate-dev libbz2-dev libpng-dev \
    libjpeg62-turbo-dev libpcre2-dev libjansson-dev libsqlite3-dev scdoc
inside '
tar -xf "$(ls bspkit-*.tar.gz | grep -v linux)"
cd "$(ls -d bspkit-*/CMakeLists.txt | xargs dirname)"
make >/dev/null
make install >/dev/null
bspkit info samples/quake/lobby.bsp | grep "quake"
man=$(find /usr/local -name bspkit.1)
test -s "$man"
'
echo "test-dist: the static command, the wheel and the sources were used"
