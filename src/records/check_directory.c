// SPDX-License-Identifier: MIT
// Checks how the lumps lie in the file: aligned, without overlaps, and without bytes between them.
#include "records/check.h"
#include "records/directory.h"
#include "records/file.h"

#include "core/reader.h"
#include "formats/composites.h"

#include <stdlib.h>

#define BSPX_HEAD 8u // the mark and the number of entries

typedef struct span {
    uint64_t offset;
    uint64_t end;
    const char *name;
} span;

static int by_offset(const void *a, const void *b) {
    const span *x = a;
    const span *y = b;
    if (x->offset != y->offset) {
        return x->offset < y->offset ? -1 : 1;
    }
    return x->end < y->end ? -1 : x->end > y->end ? 1 : 0;
}

// Gives the span of the map's own copy of a lump that another file replaces, if the map holds all
// of it.
static uint32_t own_copy(const bsp_file *file, const bsp_lump *lump, span *out) {
    uint64_t end = lump->stated_offset + lump->stated_size;
    bool there =
        lump->place == BSP_IN_DIRECTORY && lump->stated_size != 0 && end <= file->info.bytes.size;
    if (there) {
        *out = (span){lump->stated_offset, end, lump->name};
    }
    return there ? 1 : 0;
}

// Collects the spans of the lumps in the file. Game lumps lie inside the game lump and are left
// out.
static uint32_t collect(const bsp_file *file, span *spans) {
    const bsp_shape *shape = bsp_branch_shape(file->info.detection.branch);
    uint32_t count = 0;
    span head = {0, bsp_shape_size(shape), "the directory"};
    spans[count++] = head;
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        if (lump->external != BSP_NONE) {
            count += own_copy(file, lump, &spans[count]);
        } else if (lump->size != 0 && lump->place != BSP_IN_GAME_LUMP) {
            span lump_span = {lump->offset, lump->offset + lump->size, lump->name};
            spans[count++] = lump_span;
        }
    }
    size_t first_entry;
    uint32_t entries;
    if (bspi_file_bspx(file, &first_entry, &entries)) {
        uint64_t end = first_entry + (uint64_t)entries * bspi_bspx_entry_t.size;
        span directory = {first_entry - BSPX_HEAD, end, "the BSPX directory"};
        spans[count++] = directory;
    }
    qsort(spans, count, sizeof *spans, by_offset);
    return count;
}

static bool all_zero(bsp_bytes bytes) {
    for (size_t i = 0; i < bytes.size; i++) {
        if (bytes.data[i] != 0) {
            return false;
        }
    }
    return true;
}

static void check_unowned(const bsp_file *file, bsp_issues *issues, uint64_t from, uint64_t to) {
    bsp_bytes bytes = bspi_slice(file->info.bytes, from, to - from);
    uint32_t alignment = bsp_branch_shape(file->info.detection.branch)->alignment;
    bool last = to == file->info.bytes.size;
    if (last && bytes.size < alignment && all_zero(bytes)) {
        return; // the padding of the last lump
    }
    if (bytes.size != 0 && (last || !all_zero(bytes))) {
        bspi_issue(issues, last ? BSPI_ISSUE_TRAILING : BSPI_ISSUE_LUMP_GAP,
                   bsp_place_at(NULL, BSP_NONE, NULL, from), "%zu bytes at %llu", bytes.size,
                   (unsigned long long)from);
    }
}

static void check_alignment(const bsp_file *file, bsp_issues *issues) {
    const bsp_shape *shape = bsp_branch_shape(file->info.detection.branch);
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        if (lump->size != 0 && lump->external == BSP_NONE && lump->offset % shape->alignment != 0) {
            bspi_issue(issues, BSPI_ISSUE_LUMP_ALIGNMENT,
                       bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset),
                       "byte %llu is no multiple of %u", (unsigned long long)lump->offset,
                       shape->alignment);
        }
    }
}

bool bspi_check_directory(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    bspi_heap *heap = bspi_file_heap(file);
    size_t room = (file->info.num_lumps + 2u) * sizeof(span);
    span *spans = bspi_heap_alloc(heap, room, error);
    if (spans == NULL) {
        return false;
    }
    check_alignment(file, issues);
    uint32_t count = collect(file, spans);
    uint64_t end = 0;
    const char *owner = "";
    for (uint32_t i = 0; i < count; i++) {
        if (spans[i].offset > end) {
            check_unowned(file, issues, end, spans[i].offset);
        } else if (spans[i].offset < end) {
            bspi_issue(issues, BSPI_ISSUE_LUMP_OVERLAP,
                       bsp_place_at(spans[i].name, BSP_NONE, NULL, spans[i].offset),
                       "begins inside %s, which ends at %llu", owner, (unsigned long long)end);
        }
        if (spans[i].end > end) {
            end = spans[i].end;
            owner = spans[i].name;
        }
    }
    if (end < file->info.bytes.size) {
        check_unowned(file, issues, end, file->info.bytes.size);
    }
    bspi_heap_free(heap, spans, room);
    return true;
}
