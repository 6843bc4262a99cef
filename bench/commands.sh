#!/bin/sh
# SPDX-License-Identifier: MIT
# Times whole commands on maps beside their limits, which are meant for a map of 10 MB:
#
#   bench/commands.sh BSPKIT MAP...
#
# Milliseconds are the median of 15 runs, with least and most (hyperfine, without a shell), memory is the
# peak resident size (GNU time). "dump" is one process for each lump, its output thrown away; its least
# and most are sums of those of the lumps.
set -eu
bspkit=$1
shift
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

milliseconds() {
    hyperfine --shell=none --ignore-failure --warmup 2 --runs 15 --export-csv "$lines" "$1" \
        >/dev/null 2>&1
    awk -F, 'NR == 2 { printf "%.1f %.1f %.1f", $4 * 1000, $7 * 1000, $8 * 1000 }' "$lines"
}

memory() {
    /usr/bin/time -f %M -o "$lines" $1 >/dev/null 2>&1 || true
    tail -n 1 "$lines" | awk '{ printf "%.1f", $1 / 1024 }'
}

dump_all() {
    "$bspkit" info --json "$1" | grep -o '"index":[0-9]*,"name":"[^"]*"' | cut -d'"' -f6 |
        while read -r lump; do
            printf '%s dump --json %s %s\n' "$bspkit" "$1" "$lump"
        done
}

row() { # map, MB, command, median, least, most, limit, MiB
    printf '%-28s %7s  %-9s %8s %18s %6s %8s\n' "$@"
}

printf '%-28s %7s  %-9s %8s %18s %6s %8s\n' map MB command ms 'least to most' limit MiB
for map; do
    tenths=$(($(wc -c <"$map") / 100000))
    megabytes=$((tenths / 10)).$((tenths % 10))
    name=$(basename "$map" .bsp | cut -c 1-28)
    for pair in info:5 entities:10 check:60; do
        # shellcheck disable=SC2046 # three numbers
        set -- $(milliseconds "$bspkit ${pair%:*} $map")
        row "$name" "$megabytes" "${pair%:*}" "$1" "$2 to $3" "${pair#*:}" \
            "$(memory "$bspkit ${pair%:*} $map")"
    done
    dump_all "$map" | {
        sums='0 0 0'
        most=0
        while read -r command; do
            sums=$(echo "$sums $(milliseconds "$command")" |
                awk '{ print $1 + $4, $2 + $5, $3 + $6 }')
            most=$(echo "$most $(memory "$command")" | awk '{ print ($1 > $2) ? $1 : $2 }')
        done
        # shellcheck disable=SC2086 # three numbers
        set -- $sums
        row "$name" "$megabytes" dump "$1" "$2 to $3" 500 "$most"
    }
done
