// SPDX-License-Identifier: MIT
// Packs and unpacks lumps. Each is a change of a rewrite; the embedded zip is packed file by file
// and never as a whole. Sheet source-lumps, section 8.
#include "edit/heap.h"
#include "edit/pak/packed.h"
#include "edit/pak/zip_method.h"
#include "core/buffer.h"
#include "formats/map_members.h"
#include "records/pak.h"

#include <assert.h>

typedef struct compressor {
    const bsp_file *file;
    bool lzma;
    bool packs_game; // its lumps can be packed
    bsp_lump_change *changes;
    bsp_blob *blobs; // bytes that the changes refer to
    uint32_t count;
    uint32_t num_blobs;
    bsp_pak *pak;
    bsp_plan *zip;
    bspi_heap heap;
    bspi_arena arena; // for all of these
    bsp_error *error;
} compressor;

// Returns true for branches whose entries have a word for the unpacked size.
static bool knows_packing(const bsp_branch *branch) {
    const bsp_layout *entry = bsp_branch_shape(branch)->entry;
    for (uint32_t f = 0; f < entry->num_fields; f++) {
        if (entry->fields[f].map_member == BSPI_MEMBER_entry_fourcc) {
            return !branch->opaque && !branch->partial;
        }
    }
    return false;
}

static uint32_t alignment_of(const bsp_file *file) {
    return bsp_branch_shape(bsp_file_get_info(file)->detection.branch)->alignment;
}

// Returns true if the bytes after a lump, up to where the next one may begin, are not all zeros:
// vbsp writes stale bytes of its buffer there.
static bool is_padded_oddly(const bsp_file *file, const bsp_lump *lump) {
    bsp_bytes bytes = bsp_file_get_info(file)->bytes;
    uint32_t alignment = alignment_of(file);
    bool odd = false;
    for (uint64_t at = lump->offset + lump->size;
         alignment > 1 && at < bytes.size && at % alignment != 0; at++) {
        odd = odd || bytes.data[at] != 0;
    }
    return odd;
}

// A packed game lump ends where the next one begins, so they must follow each other. They stay
// unpacked where the padding of the whole game lump would be lost.
static bool can_pack_game(const bsp_file *file) {
    uint64_t end = 0;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        if (lump->kind == BSP_KIND_GAME && is_padded_oddly(file, lump)) {
            return false;
        }
        if (lump->place == BSP_IN_GAME_LUMP) {
            if (lump->offset < end) {
                return false;
            }
            end = lump->offset + lump->size;
        }
    }
    return true;
}

static bool add(compressor *c, uint32_t n, bsp_bytes data, uint32_t unpacked) {
    c->changes[c->count++] =
        (bsp_lump_change){.lump = n, .data = data, .version = BSP_NONE, .unpacked_size = unpacked};
    return true;
}

// Adds zeros after packed bytes, whose end is marked, so that as many bytes of padding follow as
// before. Game lumps have their own rule.
static bool keep_padding(compressor *c, const bsp_lump *lump, bsp_blob *blob) {
    uint32_t alignment = alignment_of(c->file);
    if (lump->place != BSP_IN_DIRECTORY || !is_padded_oddly(c->file, lump)) {
        return true;
    }
    size_t more =
        (size_t)((lump->size % alignment + alignment - blob->size % alignment) % alignment);
    bspi_buffer padded = {.heap = &c->heap, .error = c->error};
    bspi_buffer_add(&padded, blob->data, blob->size);
    (void)bspi_buffer_grow(&padded, more);
    bsp_blob_free(blob);
    if (padded.failed) {
        bspi_buffer_free(&padded);
        return false;
    }
    return bspi_buffer_give(&padded, blob);
}

static bool pack(compressor *c, uint32_t n, const bsp_lump *lump) {
    bsp_bytes data;
    bsp_blob *blob = &c->blobs[c->num_blobs];
    if (!bsp_file_data(c->file, n, &data, c->error) ||
        !bspi_lump_pack(&c->heap, lump, data, blob, c->error) || !keep_padding(c, lump, blob)) {
        return false;
    }
    if (blob->size >= lump->size) {
        bsp_blob_free(blob);
        return true;
    }
    c->num_blobs++;
    return add(c, n, (bsp_bytes){blob->data, blob->size}, lump->unpacked_size);
}

static bool unpack(compressor *c, uint32_t n) {
    bsp_bytes data;
    return bsp_file_data(c->file, n, &data, c->error) && add(c, n, data, 0);
}

static bool change_zip(compressor *c, uint32_t n) {
    bsp_bytes data;
    if (c->pak != NULL) {
        return true; // a second one: no branch has it
    }
    if (!bsp_file_data(c->file, n, &data, c->error)) {
        return false;
    }
    c->pak = bspi_pak_open(data, c->file, &c->heap.allocator, NULL, c->error);
    c->zip = c->pak == NULL ? NULL : bspi_plan_new(c->file, &c->heap.allocator, c->error);
    if (c->zip == NULL || !bspi_zip_set_method(c->pak, c->lzma, c->zip, c->error)) {
        return false;
    }
    c->zip->pieces.error = NULL;
    if (bsp_plan_size(c->zip) != 0) {
        (void)add(c, n, (bsp_bytes){NULL, 0}, 0);
        c->changes[c->count - 1].plan = c->zip;
    }
    return true;
}

static bool change_lump(compressor *c, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(c->file, n);
    bool game = lump->place == BSP_IN_GAME_LUMP;
    if (lump->size == 0 || lump->size != lump->stated_size || lump->place == BSP_IN_BSPX ||
        lump->kind == BSP_KIND_GAME || lump->id == BSP_ID_XZIP) {
        return true;
    }
    if (lump->kind == BSP_KIND_ZIP) {
        return (c->lzma && is_padded_oddly(c->file, lump)) || change_zip(c, n);
    }
    if (c->lzma) {
        return lump->compressed || (game && !c->packs_game) || pack(c, n, lump);
    }
    return !lump->compressed || unpack(c, n);
}

static bool collect(compressor *c) {
    uint32_t lumps = bsp_file_get_info(c->file)->num_lumps;
    c->packs_game = can_pack_game(c->file);
    c->changes = bspi_arena_zero(&c->arena, lumps, sizeof *c->changes, c->error);
    c->blobs = bspi_arena_zero(&c->arena, lumps, sizeof *c->blobs, c->error);
    bool done = c->changes != NULL && c->blobs != NULL;
    for (uint32_t n = 0; done && n < lumps; n++) {
        done = change_lump(c, n);
    }
    return done;
}

static void close_compressor(void *keep) {
    compressor *c = keep;
    for (uint32_t i = 0; i < c->num_blobs; i++) {
        bsp_blob_free(&c->blobs[i]);
    }
    bsp_plan_free(c->zip);
    bsp_pak_close(c->pak);
    bspi_arena_free(&c->arena);
    bspi_object_free(c, sizeof *c, &c->heap.allocator);
}

bsp_plan *bsp_file_compress_plan(const bsp_file *file, bool lzma, const bsp_allocator *allocator,
                                 bsp_error *error) {
    assert(file != NULL);
    const bsp_branch *branch = bsp_file_get_info(file)->detection.branch;
    if (!knows_packing(branch)) {
        bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "branch %s packs no lumps", branch->name);
        return NULL;
    }
    compressor *c = bspi_object_new(allocator, sizeof *c, error);
    if (c == NULL) {
        return NULL;
    }
    c->file = file;
    c->lzma = lzma;
    c->error = error;
    bspi_edit_heap(&c->heap, file, allocator);
    bspi_arena_init(&c->arena, &c->heap);
    bsp_plan *plan =
        collect(c) ? bsp_file_plan(file, c->changes, c->count, allocator, error) : NULL;
    if (plan == NULL) {
        close_compressor(c);
        return NULL;
    }
    plan->close = close_compressor;
    plan->keep = c;
    return plan;
}

bool bsp_file_compress(const bsp_file *file, bool lzma, const bsp_allocator *allocator,
                       bsp_blob *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    bsp_plan *plan = bsp_file_compress_plan(file, lzma, allocator, error);
    return bspi_plan_finish(plan, allocator, out, error);
}
