// SPDX-License-Identifier: MIT
// BSPX: "BSPX", a count, and entries of a name, an offset and a size, after the last lump.
#include "edit/rewrite/rewrite.h"

#include "core/reader.h"
#include "formats/composites.h"

#include <string.h>

#define HEAD_SIZE 8u
#define DIRECTORY_ALIGNMENT 4u // independent of that of the lumps

enum { OFFSET = 1, SIZE }; // fields of an entry

static bool directory_region(bspi_rewrite *r, uint64_t end_of_lumps) {
    bspi_bspx_rewrite *bspx = &r->bspx;
    uint64_t start = bspx->there ? bspx->start : end_of_lumps;
    uint64_t end =
        bspx->there ? start + HEAD_SIZE + (uint64_t)bspx->before * bspi_bspx_entry_t.size : start;
    bspi_region region = {
        .start = start, .end = end, .order = bspi_bspx_order(r), .alignment = DIRECTORY_ALIGNMENT};
    if (bspx->changes) {
        size_t size = HEAD_SIZE + (size_t)bspx->count * bspi_bspx_entry_t.size;
        uint8_t *bytes = bspi_arena_zero(r->arena, size, 1, r->error);
        if (bytes == NULL) {
            return false;
        }
        memcpy(bytes, "BSPX", 4);
        bspi_store32(bytes + 4, bspx->count, false);
        region.changed = true;
        region.data = (bsp_bytes){bytes, size};
    }
    r->regions.list[r->regions.count++] = region;
    return true;
}

static uint64_t end_of(const bspi_rewrite *r) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < r->regions.count; i++) {
        end = r->regions.list[i].end > end ? r->regions.list[i].end : end;
    }
    return end;
}

bool bspi_bspx_regions(bspi_rewrite *r, uint64_t end_of_lumps, uint32_t alignment) {
    bspi_bspx_rewrite *bspx = &r->bspx;
    bspx->count = bspx->before;
    for (uint32_t n = r->info->num_directory_lumps; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        if (lump->place != BSP_IN_BSPX) {
            continue;
        }
        bspx->count -= r->change_of[n] != NULL && r->change_of[n]->remove ? 1 : 0;
        if (lump->size != 0 || r->change_of[n] != NULL) {
            r->regions.list[r->regions.count++] = bspi_lump_region(r, n, alignment);
        }
    }
    uint64_t end = end_of(r);
    for (uint32_t i = 0; i < r->num_changes; i++) {
        if (bspi_change_adds(&r->changes[i], "bspx:")) {
            bspi_region region = {.start = end,
                                  .end = end,
                                  .order = bspi_added_order(r, i),
                                  .alignment = alignment,
                                  .changed = true};
            bspi_change_fill(&r->changes[i], &region);
            r->regions.list[r->regions.count++] = region;
            bspx->count++;
        }
    }
    return (!bspx->there && !bspx->changes) || directory_region(r, end_of_lumps);
}

bool bspi_bspx_check_place(const bspi_rewrite *r) {
    const bspi_region *directory = bspi_regions_find(&r->regions, bspi_bspx_order(r));
    uint64_t end = bsp_shape_size(r->shape);
    for (uint32_t n = 0; n < r->info->num_directory_lumps; n++) {
        const bspi_region *region = bspi_regions_find(&r->regions, BSPI_LUMP_ORDER + n);
        bool some = region != NULL && region->moved_start != region->moved_end;
        end = some && region->moved_end > end ? region->moved_end : end;
    }
    uint64_t place = (end + DIRECTORY_ALIGNMENT - 1) / DIRECTORY_ALIGNMENT * DIRECTORY_ALIGNMENT;
    return directory == NULL || r->bspx.count == 0 || directory->moved_start == place ||
           bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                    "lumps share bytes with the BSPX directory, which would not be found again");
}

// Writes the rest of the next entry, whose name is written.
static bool write_entry(const bspi_rewrite *r, uint8_t **at, uint32_t offset, uint32_t size) {
    uint8_t *bytes = *at;
    *at += bspi_bspx_entry_t.size;
    return bsp_table_encode(&bspi_bspx_entry_t, 1, false, OFFSET, BSP_U32, &offset, sizeof offset,
                            bytes, r->error) &&
           bsp_table_encode(&bspi_bspx_entry_t, 1, false, SIZE, BSP_U32, &size, sizeof size, bytes,
                            r->error);
}

static bool write_entries(bspi_rewrite *r, uint8_t *at) {
    for (uint32_t n = r->info->num_directory_lumps; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        bool goes = r->change_of[n] != NULL && r->change_of[n]->remove;
        uint32_t offset;
        uint32_t size;
        if (lump->place == BSP_IN_BSPX && !goes) {
            // The bytes after the name's NUL are kept too.
            const uint8_t *old = r->info->bytes.data + r->bspx.start + HEAD_SIZE;
            memcpy(at, old + (size_t)lump->index * bspi_bspx_entry_t.size, bspi_bspx_entry_t.size);
            bspi_rewrite_place(r, n, &offset, &size);
            if (!write_entry(r, &at, offset, size)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < r->num_changes; i++) {
        if (bspi_change_adds(&r->changes[i], "bspx:")) {
            const bspi_region *region = bspi_regions_find(&r->regions, bspi_added_order(r, i));
            const char *name = r->changes[i].name + strlen("bspx:");
            memcpy(at, name, strlen(name)); // at most 24 bytes, and zeros after them
            if (!write_entry(r, &at, (uint32_t)region->moved_start,
                             (uint32_t)(region->moved_end - region->moved_start))) {
                return false;
            }
        }
    }
    return true;
}

bool bspi_bspx_write_directory(bspi_rewrite *r) {
    if ((!r->bspx.there && !r->bspx.changes) || r->bspx.count == 0) {
        return true;
    }
    uint64_t start = bspi_regions_find(&r->regions, bspi_bspx_order(r))->moved_start + HEAD_SIZE;
    uint8_t *at = bspi_pieces_open(r->out, start, (size_t)r->bspx.count * bspi_bspx_entry_t.size);
    return at != NULL ? write_entries(r, at) : !r->out->failed;
}
