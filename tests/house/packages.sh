# SPDX-License-Identifier: MIT
# Debian's packages are of the version that the library has, and name the library as its file is named.
set -eu
cd "$SOURCE"
version=$(sed -n 's/^#define BSP_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/bspkit/core.h | paste -sd.)
name=libbspkit${version%.*}
failed=0
packaged=$(sed -n '1s/^bspkit (\(.*\)-[^-]*) .*/\1/p' debian/changelog)
[ "$packaged" = "$version" ] || { echo "debian/changelog is of $packaged, the library of $version"; failed=1; }
for file in debian/control debian/rules; do
    other=$(grep -o 'libbspkit[0-9][0-9.]*[0-9]' "$file" | grep -Fxv "$name" || true)
    [ -z "$other" ] || { echo "$file: $other, not $name"; failed=1; }
done
[ -e "debian/$name.install" ] || { echo "there is no debian/$name.install"; failed=1; }
exit "$failed"
