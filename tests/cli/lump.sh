#!/bin/sh
# SPDX-License-Identifier: MIT
# Lumps out of maps and into them; where a changed map goes, and that nothing else happens.
. "$(dirname "$0")/lib.sh"
old=$work/old.bsp
new=$work/new.bsp
cp "$map" "$old"
changes='the checksum that servers compare changes'
printf '{\n"classname" "worldspawn"\n}\n\0' >"$work/entities.txt"

same() {
    cmp -s "$1" "$2" || { status=-; fail "$3"; }
}

# Out, in, and back: the same file.
expect 0 '' lump extract "$old" entities -o "$work/first.txt"
"$BSPKIT" lump extract "$old" 0 | cmp - "$work/first.txt" || fail "extract by number"
expect 0 '' lump replace "$old" Entities "$work/entities.txt" -o "$new"
expect 0 '' lump extract "$new" entities -o "$work/second.txt"
same "$work/second.txt" "$work/entities.txt" "what was put in should come out"
expect 0 '' lump replace "$new" entities "$work/first.txt" -o "$work/back.bsp"
same "$work/back.bsp" "$old" "changed back it should be the same file"
same "$map" "$old" "the map itself should not change"
for lump in planes faces lighting models; do
    "$BSPKIT" lump extract "$old" $lump >"$work/a"
    "$BSPKIT" lump extract "$new" $lump | cmp - "$work/a" || fail "$lump should keep its bytes"
done

# In place, with and without the old one.
cp "$old" "$work/place.bsp"
chmod 640 "$work/place.bsp"
expect 0 '' lump replace --in-place "$work/place.bsp" entities "$work/entities.txt"
same "$work/place.bsp" "$new" "--in-place should do what --output does"
same "$work/place.bsp.bak" "$old" "the old map should be kept"
[ -n "${WINDOWS:-}" ] || [ "$(stat -c %a "$work/place.bsp")" = 640 ] || fail "--in-place should keep the rights"
rm "$work/place.bsp.bak"
expect 0 '' lump replace --in-place --no-backup "$work/place.bsp" entities "$work/first.txt"
same "$work/place.bsp" "$old" "in place and back"
[ ! -e "$work/place.bsp.bak" ] || fail "--no-backup should keep nothing"
if [ -z "${WINDOWS:-}" ]; then # which has rights and links of another kind
    ln -s place.bsp "$work/link.bsp"
    expect 0 '' lump replace --in-place "$work/link.bsp" entities "$work/entities.txt"
    [ -L "$work/link.bsp" ] || fail "a link to a map should stay one"
    same "$work/place.bsp" "$new" "what a link points to should change"
fi

# Other destinations.
"$BSPKIT" lump replace "$old" entities "$work/entities.txt" -o - | cmp - "$new" || fail "-o -"
mkdir "$work/folder"
expect 0 '' lump replace "$old" entities "$work/entities.txt" -o "$work/folder"
same "$work/folder/old.bsp" "$new" "a folder as the output"
expect 0 '' lump replace "$old" entities "$work/entities.txt" -o "$work/made/"
same "$work/made/old.bsp" "$new" "a folder that is made"

# BSPX comes, and goes again; game lumps have the same verbs.
printf 'abc' >"$work/abc"
expect 0 '' lump insert "$old" bspx:TEST "$work/abc" -o "$new"
[ "$("$BSPKIT" lump extract "$new" bspx:test)" = abc ] || fail "a BSPX lump should come out"
expect 0 '' lump list "$new"
grep -q 'bspx:TEST' "$work/out" || fail "lump list should name it"
expect 0 '' lump remove "$new" bspx:TEST -o "$work/back.bsp"
"$BSPKIT" lump list --json "$work/back.bsp" | grep -q bspx && fail "it should be gone"
# Padding before the directory of BSPX is not that directory.
for size in 1 2 3 4; do
    head -c $size "$work/abc" >"$work/odd"
    expect 0 "$changes" lump replace "$new" models "$work/odd" --force -o "$work/odd.bsp"
    expect 0 '' lump replace "$work/odd.bsp" entities "$work/odd" --force -o "$work/odder.bsp"
    "$BSPKIT" check "$work/odder.bsp" | grep -q file-gap && fail "BSPX is no gap ($size)"
done
source=$(ls samples/source/*.bsp | head -n 1)
expect 0 "$changes" lump insert "$source" game:test "$work/abc" --version 7 -o "$new"
[ "$("$BSPKIT" lump extract "$new" game:test)" = abc ] || fail "a game lump should come out"
expect 0 "$changes" lump remove "$new" game:test -o "$work/back.bsp"
same "$work/back.bsp" "$source" "a game lump that came and went leaves the same file"

# Source's files of one lump.
expect 0 '' lump extract --lmp "$source" entities -o "$work/map_l_0.lmp"
python3 - "$work/map_l_0.lmp" "$source" <<'END' || fail "the head of a .lmp file"
import struct, sys
patch, whole = (open(path, "rb").read() for path in sys.argv[1:])
revision = struct.unpack_from("<I", whole, 8 + 64 * 16)[0]
offset, size, version = struct.unpack_from("<III", whole, 8)
assert struct.unpack_from("<5I", patch) == (20, 0, version, size, revision)
assert patch[20:] == whole[offset:offset + size]
END
expect 0 '' lump replace --lmp "$source" entities "$work/map_l_0.lmp" -o "$work/back.bsp"
same "$work/back.bsp" "$source" "a .lmp file of the map itself changes nothing"
expect 3 "it is for lump 0, and PLANES is lump 1" \
    lump replace --lmp "$source" planes "$work/map_l_0.lmp" -o "$new"
expect 3 "this is no .lmp file" lump replace --lmp "$source" planes "$work/abc" -o "$new"
expect 2 "--lmp: only" lump extract --lmp "$map" entities

# Every command that reads reads them: a world of another skin, and its source.
expect 0 "$changes" entities "$source" --where classname=worldspawn --set skyname=of_the_patch -o "$new"
expect 0 '' lump extract --lmp "$new" entities -o "$work/other_l_0.lmp"
for lmp in "" "--lmp=$work/other_l_0.lmp"; do
    "$BSPKIT" decompile ${lmp:+"$lmp"} "$source" -o "$work/map.vmf" 2> "$work/report"
    "$BSPKIT" export ${lmp:+"$lmp"} "$source" -o "$work/map.glb" 2> "$work/report"
    for file in map.vmf map.glb; do
        if grep -q of_the_patch "$work/$file"; then found=yes; else found=no; fi
        [ "$found" = "${lmp:+yes}" ] || [ "$found${lmp}" = no ] || fail "$file with '$lmp': $found"
    done
done

# Refused: nothing is written.
rm -f "$new" "$work"/*.bak
expect 2 "the changed map has no destination" lump remove "$old" faces
expect 2 "contradict each other" lump remove "$old" faces -o "$new" --in-place
expect 2 "--no-backup belongs to --in-place" lump remove "$old" faces -o "$new" --no-backup
expect 3 "that is the map itself" lump remove "$old" lighting -o "$old"
expect 2 "no name" lump remove - faces --in-place
expect 3 "a new problem" lump remove "$old" planes -o "$new"
expect 3 "a new problem" lump remove "$old" planes --in-place
[ ! -e "$new" ] && [ ! -e "$old.bak" ] || fail "a refused map should not be written"
same "$old" "$map" "a refused change should leave the map alone"
expect 3 "not written: the checksum that servers compare would change" \
    lump remove "$old" planes -o "$new" --force --keep-checksum
[ ! -e "$new" ] || fail "--keep-checksum should not write it"
sum=$("$BSPKIT" checksum "$source" | cut -d ' ' -f 1)
expect 0 '' entities "$source" --where 'classname=*' --set message=longer --keep-checksum -o "$new"
[ "$("$BSPKIT" checksum "$new" | cut -d ' ' -f 1)" = "$sum" ] || fail "the checksum should stay"
rm -f "$new"
expect 0 "$changes" lump remove "$old" planes -o "$new" --force
[ -s "$new" ] || fail "--force should write it"
expect 2 "there is no lump 'nonsense'" lump remove "$old" nonsense -o "$new"
expect 2 "there is a lump ENTITIES already" lump insert "$old" ENTITIES "$work/abc" -o "$new"
expect 2 "has no place" lump insert "$old" game:test "$work/abc" -o "$new"
expect 2 "there is no verb 'nonsense'" lump nonsense "$old"
expect 2 "lump replace: it takes FILE LUMP DATA: an operand is missing" lump replace "$old" entities
expect 3 "there is no such file or folder" lump replace "$old" entities "$work/missing" -o "$new"
expect 3 "there is no such folder" lump remove "$old" lighting -o "$work/no/such/map.bsp"
if [ -w /dev/full ]; then
    expect 3 "no space is left" lump remove "$old" lighting -o /dev/full
fi
[ "$(find "$work" -name '*.??????' | wc -l)" -eq 0 ] || fail "a temporary file is left"
finish
