#!/bin/sh
# SPDX-License-Identifier: MIT
# What goes wrong: one line on standard error and the fixed exit status.
. "$(dirname "$0")/lib.sh"

printf '' >"$work/empty.bsp"
printf 'This is a shopping list, and no map.\n' >"$work/text.bsp"
printf 'PK\003\004xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' >"$work/zip.bsp"
mkdir "$work/folder.bsp"
head -c 100 "$map" >"$work/cut.bsp"

for command in info lumps check entities; do
    expect 3 "$work/missing.bsp: there is no such file or folder" $command "$work/missing.bsp"
    expect 3 "$work/folder.bsp: it is a folder without maps; -r takes those in the folders below it" \
        $command "$work/folder.bsp"
    expect 3 "$work/folder.bsp: it is a folder without maps, as are those below it" $command -r "$work/folder.bsp"
    expect 3 "$work/empty.bsp: " $command "$work/empty.bsp"
    expect 3 "$work/text.bsp: " $command "$work/text.bsp"
    expect 3 "$work/zip.bsp: " $command "$work/zip.bsp"
    expect 3 "$work/cut.bsp: " $command "$work/cut.bsp"
    expect 3 "standard input: " $command -
    expect 2 "FILE... is missing" $command
    expect 2 "there is no option '--nonsense'" $command --nonsense "$map"
    expect 2 "there is no option '-x'" $command -x "$map"
    expect 2 "no branch is named 'doom'" $command --branch doom "$map"
    expect 2 "a value is missing for 'branch'" $command "$map" --branch
    expect 2 "no value can be given to 'json'" $command --json=yes "$map"
    expect 3 "$work/no/such: there is no such file or folder" $command -o "$work/no/such" "$map"
    expect 3 "$work/folder.bsp: it is a folder" $command -o "$work/folder.bsp" "$map"
done

# The superuser reads everything.
if [ "$(id -u)" -ne 0 ]; then
    cp "$map" "$work/secret.bsp"
    chmod 0 "$work/secret.bsp"
    expect 3 "$work/secret.bsp: its permissions do not allow it" info "$work/secret.bsp"
fi

expect 2 "a command is missing"
expect 2 "there is no command 'nonsense'" nonsense
expect 2 "there is no command or topic 'nonsense'" help nonsense
expect 2 "'issues' is a topic of one page" help issues nonsense
expect 2 "--max takes a number" check --max many "$map"
expect 2 "--max takes a number" check --max -1 "$map"
expect 2 "--max takes a number" check --max 99999999999999999999 "$map"
expect 2 "there is no lump 'nonsense'" dump "$map" nonsense
expect 2 "there is no lump '4096'" dump "$map" 4096
expect 2 "there is no lump '-1'" dump "$map" -- -1
expect 2 "an operand is missing" dump "$map"
expect 2 "too many operands" dump "$map" faces planes
expect 2 "--where 'classname' is no condition" entities --where classname "$map"
expect 2 "'light>x': 'x' is not a number" entities --where 'light>x' "$map"
expect 2 'wrong at its character 2: missing closing parenthesis' entities --where 'classname~(' "$map"

# A message is one line whatever the name holds.
expect 3 "there is no such file or folder" info "$work/two
lines"
finish
