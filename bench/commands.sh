#!/bin/sh
# SPDX-License-Identifier: MIT
# Times whole commands on maps beside their limits, which are meant for a map of 10 MB:
#
#   bench/commands.sh BSPKIT MAP...
#
# Milliseconds are the fastest of 15 runs (hyperfine, without a shell), memory is the peak resident
# size (GNU time). "dump" is one process for each lump, its output thrown away.
set -eu
bspkit=$1
shift
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

milliseconds() {
    hyperfine --shell=none --ignore-failure --warmup 2 --runs 15 --export-csv "$lines" "$1" \
        >/dev/null 2>&1
    awk -F, 'NR == 2 { printf "%.1f", $7 * 1000 }' "$lines"
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

printf '%-28s %7s  %-9s %8s %6s %8s\n' map MB command ms limit MiB
for map; do
    megabytes=$(($(wc -c <"$map") / 100000))
    name=$(basename "$map" .bsp | cut -c 1-28)
    for pair in info:5 entities:10 check:60; do
        printf '%-28s %7s  %-9s %8s %6s %8s\n' "$name" "$((megabytes / 10)).$((megabytes % 10))" \
            "${pair%:*}" "$(milliseconds "$bspkit ${pair%:*} $map")" "${pair#*:}" \
            "$(memory "$bspkit ${pair%:*} $map")"
    done
    dump_all "$map" | {
        sum=0
        most=0
        while read -r command; do
            sum=$(echo "$sum $(milliseconds "$command")" | awk '{ print $1 + $2 }')
            most=$(echo "$most $(memory "$command")" | awk '{ print ($1 > $2) ? $1 : $2 }')
        done
        printf '%-28s %7s  %-9s %8s %6s %8s\n' "$name" "$((megabytes / 10)).$((megabytes % 10))" \
            dump "$sum" 500 "$most"
    }
done
