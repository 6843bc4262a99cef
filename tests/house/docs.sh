#!/bin/sh
# SPDX-License-Identifier: MIT
# What is generated is current (make docs), the guide shows the programs of examples/ and what commands
# really print, the example of the README is examples/example.c, and help,
# man page and completions of each command name the same options.
set -eu
[ -n "${BSPKIT:-}" ] || { echo "SKIP: built without the command"; exit 77; }
cd "$SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

cp -r README.md docs "$work"
rm -rf "$work/docs/formats"
scripts/docs.sh "$BSPKIT" "$work"
diff -ru docs/guide "$work/docs/guide" || { echo "docs/guide: run make docs"; status=1; }
diff -r docs/formats "$work/docs/formats" || { echo "docs/formats: run make docs"; status=1; }
for file in README.md docs/issues.md docs/limits.md docs/models.md docs/games.md docs/map.md docs/conditions.md docs/tables.md; do
    diff -u "$file" "$work/$file" || { echo "$file: run make docs"; status=1; }
done

map=samples/quake/lobby.bsp
"$BUILD/examples/example" "$map" || { echo "examples/example fails"; status=1; }

for command in $("$BSPKIT" manual --list | sed -n 's/^bspkit-//p'); do
    "$BSPKIT" help "$command" >"$work/help"
    "$BSPKIT" "$command" --help | diff -u "$work/help" - || status=1
    "$BSPKIT" manual "bspkit-$command" >"$work/page"
    for shell in bash zsh fish; do
        "$BSPKIT" completion "$shell" >"$work/$shell"
    done
    for option in $(grep -oE -- '^  (-., |    )--[a-z0-9-]+' "$work/help" | grep -o -- '--[a-z0-9-]*$'); do
        grep -q -- "\\*$option\\*" "$work/page" || { echo "$command: no $option in the man page"; status=1; }
        grep "^    $command)" "$work/bash" | grep -q -- "$option" || { echo "$command: bash lacks $option"; status=1; }
        grep -q -- "$option" "$work/zsh" || { echo "$command: zsh lacks $option"; status=1; }
        grep -E "from $command['; ]" "$work/fish" | grep -q -- "-l ${option#--}" || { echo "$command: fish lacks $option"; status=1; }
    done
    if command -v scdoc >/dev/null; then
        scdoc <"$work/page" >/dev/null || status=1
    fi
done
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || continue
    "$shell" -n "$work/$shell" || { echo "$shell: the completion is no valid script"; status=1; }
done
exit "$status"
