// SPDX-License-Identifier: MIT
// Padding before a region is computed again, so that a change and its reverse restore the original
// bytes; other bytes between two regions are kept.
#include "edit/rewrite/regions.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const bspi_region *x = a;
    const bspi_region *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static uint64_t padding(uint64_t at, const bspi_region *next) {
    return (next->alignment + next->phase - at % next->alignment) % next->alignment;
}

// Writes the bytes from `from` to the start of the next region: the padding that it now needs, then
// the bytes that were not padding.
static void write_gap(bsp_bytes old, uint64_t from, const bspi_region *next, uint64_t begin,
                      bspi_pieces *out) {
    uint64_t size = next->start - from;
    uint64_t old_pad = padding(from, next);
    uint64_t pad = padding(out->size - begin, next);
    old_pad = old_pad < size ? old_pad : size;
    uint64_t kept = pad < old_pad ? pad : old_pad;
    bspi_pieces_slice(out, old, from, kept);
    bspi_pieces_zeros(out, pad - kept);
    bspi_pieces_slice(out, old, from + old_pad, size - old_pad);
}

static void put(bspi_region *region, uint64_t begin, bspi_pieces *out) {
    region->moved_start = out->size - begin;
    bspi_pieces_add(out, region->data);
    for (size_t i = 0; i < region->num_pieces; i++) {
        bspi_pieces_add_piece(out, &region->pieces[i]);
    }
    region->moved_end = out->size - begin;
}

// Writes regions `first` to `last`, which share bytes: those that did not change keep their
// relative places.
static void write_island(bspi_regions *regions, uint32_t first, uint32_t last, uint64_t end,
                         bsp_bytes old, uint64_t begin, bspi_pieces *out) {
    bspi_region *list = regions->list;
    uint64_t start = list[first].start;
    uint64_t at = out->size - begin;
    if (first == last && list[first].changed) {
        put(&list[first], begin, out);
        return;
    }
    bspi_pieces_slice(out, old, start, end - start);
    for (uint32_t i = first; i <= last; i++) {
        list[i].moved_start = at + (list[i].start - start);
        list[i].moved_end = at + (list[i].end - start);
    }
    for (uint32_t i = first; i <= last; i++) {
        if (list[i].changed) {
            list[i].apart = true;
            bspi_pieces_zeros(out, padding(out->size - begin, &list[i]));
            put(&list[i], begin, out);
        }
    }
}

// Orders count lumps or files, so a table of them is as long as the list.
static bool index_list(bspi_regions *regions, bspi_pieces *out) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < regions->count; i++) {
        most = regions->list[i].order > most ? regions->list[i].order : most;
    }
    regions->num_orders = most + 1;
    regions->by_order =
        bspi_arena_raw(out->arena, regions->num_orders, sizeof *regions->by_order, out->error);
    if (regions->by_order == NULL) {
        out->failed = true;
        return false;
    }
    memset(regions->by_order, 0xFF, regions->num_orders * sizeof *regions->by_order);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < regions->count; i++) {
        regions->by_order[regions->list[i].order] = i;
        kept = regions->list[i].apart ? kept : i + 1;
        regions->list[i].kept = kept;
    }
    return true;
}

bool bspi_regions_write(bspi_regions *regions, bsp_bytes old, bspi_pieces *out) {
    uint64_t begin = out->size;
    uint64_t done = 0; // old bytes that are written
    if (regions->count != 0) {
        qsort(regions->list, regions->count, sizeof *regions->list, compare);
    }
    for (uint32_t i = 0; i < regions->count;) {
        uint32_t last = i;
        uint64_t end = regions->list[i].end;
        while (last + 1 < regions->count && regions->list[last + 1].start < end) {
            last++;
            end = regions->list[last].end > end ? regions->list[last].end : end;
        }
        write_gap(old, done, &regions->list[i], begin, out);
        write_island(regions, i, last, end, old, begin, out);
        done = end;
        i = last + 1;
    }
    if (done < old.size) {
        bspi_pieces_slice(out, old, done, old.size - done);
    }
    return !out->failed && index_list(regions, out);
}

const bspi_region *bspi_regions_find(const bspi_regions *regions, uint32_t order) {
    uint32_t found = order < regions->num_orders ? regions->by_order[order] : BSP_NONE;
    return found == BSP_NONE ? NULL : &regions->list[found];
}

uint64_t bspi_regions_map(const bspi_regions *regions, uint64_t at) {
    uint32_t low = 0; // number of regions that start at or before it
    for (uint32_t high = regions->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (regions->list[middle].start <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low = low == 0 ? 0 : regions->list[low - 1].kept;
    if (low == 0) {
        return at;
    }
    const bspi_region *before = &regions->list[low - 1];
    if (at >= before->end) {
        return before->moved_end + (at - before->end);
    }
    return before->moved_start + (at - before->start);
}
