#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes what is generated: the blocks of docs/guide (scripts/guide.py), docs/issues.md, docs/limits.md, docs/map.md (scripts/bindings.py), docs/formats/*.md, and in README.md what stands between a line <!-- NAME -->
# and the next <!-- end -->: the table of formats, the example. usage: docs.sh COMMAND [FOLDER]
set -eu
bspkit=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$root}

block() { # file, name; the new text on standard input
    text=$(mktemp)
    cat >"$text"
    awk -v name="<!-- $2 -->" -v text="$text" '
        $0 == name { print; while ((getline line < text) > 0) print line; skip = 1 }
        $0 == "<!-- end -->" { skip = 0 }
        !skip && $0 != name { print }' "$1" >"$text.new"
    cat "$text.new" >"$1"
    rm -f "$text" "$text.new"
}

"$bspkit" help issues --markdown >"$folder/docs/issues.md"
"$bspkit" help models --markdown >"$folder/docs/models.md"
"$bspkit" help limits --markdown >"$folder/docs/limits.md"
"$bspkit" help where --markdown >"$folder/docs/conditions.md"
"$bspkit" help tables --markdown >"$folder/docs/tables.md"
mkdir -p "$folder/docs/formats"
{ printf '# The games of Source\n\n'; "$bspkit" formats --games --markdown; } >"$folder/docs/games.md"
for name in $("$bspkit" formats | awk 'NR > 1 { print $1 }'); do
    "$bspkit" formats --markdown "$name" >"$folder/docs/formats/$name.md"
done
"$bspkit" help formats --markdown | block "$folder/README.md" formats
{ echo '```c'; cat "$root/examples/example.c"; echo '```'; } | block "$folder/README.md" example
if command -v python3 >/dev/null; then
    python3 "$root/scripts/guide.py" "$bspkit" "$folder/docs"
    python3 -B "$root/scripts/bindings.py" --page "$folder/docs/map.md"
fi
work=$(mktemp -d) # for what is written
trap 'rm -rf "$work"' EXIT
ln -s "$root/samples" "$work/samples"
for word in info check entities dump lumps decompile; do
    case $word in
    info) line="info samples/goldsrc/lobby.bsp" ;;
    lumps) line="lumps samples/quake/lobby.bsp" ;;
    check) line="check samples/quake2/lobby.bsp" ;;
    entities) line="entities --where classname=light* --count samples/quake3/lobby.bsp" ;;
    dump) line="dump samples/goldsrc/lobby.bsp models" ;;
    decompile) line="decompile --report -o lobby.map samples/quake2/lobby.bsp" ;;
    esac
    shown=$line
    [ "$word" != entities ] || shown="entities --where 'classname=light*' --count samples/quake3/lobby.bsp"
    {
        echo '```'
        echo "\$ bspkit $shown"
        set -f
        # shellcheck disable=SC2086
        (cd "$work" && "$bspkit" $line) || true
        set +f
        echo '```'
    } | block "$folder/README.md" "$word"
done
