#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/test-deb.sh [FOLDER]: installs the packages of FOLDER (build/dist) into a new root that has nothing
# but Debian's base, and uses each there: the command on a sample, the module in Python, the library in a C
# program that pkg-config and CMake's package file build, the man pages; then removes them all. Needs to be root,
# debootstrap, and a mirror (MIRROR); the root is build/deb-root.
set -eu
cd "$(dirname "$0")/.."
out=$(cd "${1:-build/dist}" && pwd)
. scripts/root.sh
new_root deb-root
cp "$out"/*.deb samples/quake/lobby.bsp "$root/given/"
cp examples/*.c "$root/given/"

# Each package with what it asks for, and nothing else.
install ./libbspkit0*.deb
install ./bspkit_*.deb
inside 'bspkit info lobby.bsp; bspkit decompile lobby.bsp -o out.map; test -s out.map'
install ./python3-bspkit_*.deb
inside 'python3 -c "
import bspkit
with bspkit.open(\"lobby.bsp\") as file:
    hits = file.map.trace([[0, 0, 64]], [[0, 0, -4096]])
    print(file.branch, len(file.entities), hits[\"fraction\"])
    assert 0 < hits[\"fraction\"][0] < 1
"'
install './libbspkit-dev_*.deb gcc libc6-dev pkg-config man-db cmake make'
cat >"$root/given/catalogue.c" <<'END'
#include <bspkit_index/index.h>
#include <stdio.h>
int main(void) {
    bsp_error error;
    bsp_index *index = bsp_index_open("maps.db", false, &error);
    puts(index != NULL ? "an index" : error.message);
    return !bsp_index_close(index, &error);
}
END
cat >"$root/given/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(bspkit REQUIRED)
add_executable(user example.c)
target_link_libraries(user PRIVATE bspkit::bspkit)
END
inside '
for program in example entities; do
    gcc -Wall -Werror $program.c -o $program $(pkg-config --cflags --libs bspkit)
    ./$program lobby.bsp >$program.out
done
ldd example | grep libbspkit.so.0
gcc example.c -o static -Wl,-Bstatic $(pkg-config --cflags --libs bspkit) -Wl,-Bdynamic $(pkg-config --static --libs bspkit)
./static lobby.bsp | cmp - example.out
gcc catalogue.c -o catalogue -lbspkit_index $(pkg-config --libs bspkit sqlite3)
./catalogue
cmake -S . -B made >/dev/null
cmake --build made >/dev/null
made/user lobby.bsp | cmp - example.out
cat example.out
man -P cat bspkit | head -n 4
'
inside 'apt-get -qy purge bspkit libbspkit0.2 libbspkit-dev python3-bspkit' >>"$log" 2>&1
test -z "$(find "$root/usr" -path "$root/usr/share/doc" -prune -o -name '*bspkit*' -print)"
echo "test-deb: four packages were installed, used and removed"
