// SPDX-License-Identifier: MIT
// The places of the lumps of a file that is rewritten, before and after a change.
#include "edit/rewrite/rewrite.h"

#include <string.h>

bool bspi_change_adds(const bsp_lump_change *change, const char *prefix) {
    return change->lump == BSP_NONE && strncmp(change->name, prefix, strlen(prefix)) == 0;
}

void bspi_change_fill(const bsp_lump_change *change, bspi_region *region) {
    if (!change->remove && change->plan != NULL) {
        region->pieces = change->plan->pieces.list;
        region->num_pieces = change->plan->pieces.count;
    } else if (!change->remove) {
        region->data = change->data;
    }
}

uint64_t bspi_change_size(const bsp_lump_change *change) {
    return change->plan == NULL ? change->data.size : bsp_plan_size(change->plan);
}

bspi_region bspi_lump_region(const bspi_rewrite *r, uint32_t n, uint32_t alignment) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    const bsp_lump_change *change = r->change_of[n];
    // What the directory states may lie outside of the file, which then has no bytes of it.
    uint64_t size = r->info->bytes.size;
    uint64_t start = lump->offset < size ? lump->offset : size;
    bspi_region region = {.start = start,
                          .end = lump->size < size - start ? start + lump->size : size,
                          .order = BSPI_LUMP_ORDER + n,
                          .alignment = alignment,
                          .changed = change != NULL};
    if (change != NULL) {
        bspi_change_fill(change, &region);
    }
    return region;
}

// Returns true for a lump that the file does not hold completely.
static bool is_cut(const bsp_lump *lump) {
    return lump->size < lump->stated_size;
}

uint64_t bspi_rewrite_moved(const bspi_rewrite *r, uint64_t at) {
    uint64_t size = r->info->bytes.size;
    return at < size ? bspi_regions_map(&r->regions, at) : r->out->size + (at - size);
}

void bspi_rewrite_place(const bspi_rewrite *r, uint32_t n, uint32_t *offset, uint32_t *size) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    const bspi_region *region = bspi_regions_find(&r->regions, BSPI_LUMP_ORDER + n);
    bool changed = region != NULL && region->changed;
    // The offset of an empty lump is arbitrary, and one outside of the file must not refer to new
    // bytes.
    bool there = region != NULL && (changed || lump->offset < r->info->bytes.size);
    *offset = bspi_stated_offset(there ? region->moved_start : bspi_rewrite_moved(r, lump->offset));
    *size = (uint32_t)lump->stated_size;
    if (changed) {
        *size = (uint32_t)(region->moved_end - region->moved_start);
    } else if (there && is_cut(lump) && region->moved_end < r->out->size) {
        *size = (uint32_t)lump->size; // the bytes that now follow it do not belong to it
    }
}
