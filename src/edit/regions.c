// SPDX-License-Identifier: MIT
// Padding before a region is computed anew, so that a change and its reverse give the first bytes
// again; bytes between two regions that are more than padding are kept.
#include "edit/regions.h"

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

// The bytes from `from` to where the next region begins: padding as wide as it now has to be, then
// what was more than padding.
static void write_gap(bsp_bytes old, uint64_t from, const bspi_region *next, uint64_t begin,
                      bspi_buffer *out) {
    uint64_t size = next->start - from;
    uint64_t old_pad = padding(from, next);
    uint64_t pad = padding(out->size - begin, next);
    old_pad = old_pad < size ? old_pad : size;
    uint64_t kept = pad < old_pad ? pad : old_pad;
    bspi_buffer_add(out, old.data + from, (size_t)kept);
    (void)bspi_buffer_grow(out, (size_t)(pad - kept));
    bspi_buffer_add(out, old.data + from + old_pad, (size_t)(size - old_pad));
}

static void put(bspi_region *region, bsp_bytes bytes, uint64_t begin, bspi_buffer *out) {
    region->moved_start = out->size - begin;
    bspi_buffer_add(out, bytes.data, bytes.size);
    region->moved_end = out->size - begin;
}

// Regions `first` to `last` share bytes: those that did not change stay as they lie.
static void write_island(bspi_regions *regions, uint32_t first, uint32_t last, uint64_t end,
                         bsp_bytes old, uint64_t begin, bspi_buffer *out) {
    bspi_region *list = regions->list;
    uint64_t start = list[first].start;
    uint64_t at = out->size - begin;
    if (first == last && list[first].changed) {
        put(&list[first], list[first].data, begin, out);
        return;
    }
    bspi_buffer_add(out, old.data + start, (size_t)(end - start));
    for (uint32_t i = first; i <= last; i++) {
        list[i].moved_start = at + (list[i].start - start);
        list[i].moved_end = at + (list[i].end - start);
    }
    for (uint32_t i = first; i <= last; i++) {
        if (list[i].changed) {
            list[i].apart = true;
            (void)bspi_buffer_grow(out, (size_t)padding(out->size - begin, &list[i]));
            put(&list[i], list[i].data, begin, out);
        }
    }
}

void bspi_regions_write(bspi_regions *regions, bsp_bytes old, bspi_buffer *out) {
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
        bspi_buffer_add(out, old.data + done, (size_t)(old.size - done));
    }
}

const bspi_region *bspi_regions_find(const bspi_regions *regions, uint32_t order) {
    for (uint32_t i = 0; i < regions->count; i++) {
        if (regions->list[i].order == order) {
            return &regions->list[i];
        }
    }
    return NULL;
}

uint64_t bspi_regions_map(const bspi_regions *regions, uint64_t at) {
    const bspi_region *before = NULL;
    for (uint32_t i = 0; i < regions->count && regions->list[i].start <= at; i++) {
        if (!regions->list[i].apart) {
            before = &regions->list[i];
        }
    }
    if (before == NULL) {
        return at;
    }
    if (at >= before->end) {
        return before->moved_end + (at - before->end);
    }
    return before->moved_start + (at - before->start);
}
