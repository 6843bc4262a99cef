// SPDX-License-Identifier: MIT
// Lumps in the packed form of files.
#include "edit/pak/packed.h"

#include "edit/heap.h"
#include "pack/lzma.h"

#include <assert.h>
#include <string.h>

#define GAME_ALIGNMENT 4

bool bspi_lump_pack(bspi_heap *heap, const bsp_lump *lump, bsp_bytes data, bsp_blob *out,
                    bsp_error *error) {
    static const uint8_t zeros[GAME_ALIGNMENT];
    bsp_blob packed;
    if (lump->place != BSP_IN_GAME_LUMP) {
        return bspi_lzma_pack(heap, data, out, error);
    }
    memset(out, 0, sizeof *out);
    if (!bspi_lzma_pack(heap, data, &packed, error)) {
        return false;
    }
    bspi_buffer padded = {.heap = heap, .error = error};
    bspi_buffer_add(&padded, packed.data, packed.size);
    bspi_buffer_add(&padded, zeros, GAME_ALIGNMENT - packed.size % GAME_ALIGNMENT);
    bsp_blob_free(&packed);
    if (padded.failed) {
        bspi_buffer_free(&padded);
        return false;
    }
    return bspi_buffer_give(&padded, out);
}

bool bsp_lump_pack(const bsp_lump *lump, bsp_bytes data, const bsp_allocator *allocator,
                   bsp_blob *out, bsp_error *error) {
    assert(lump != NULL && out != NULL);
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_EDIT, data.size, NULL, allocator);
    return bspi_lump_pack(&heap, lump, data, out, error);
}

bool bsp_lump_change_make(const bsp_file *file, uint32_t lump, bsp_bytes data,
                          const bsp_allocator *allocator, bsp_blob *packed, bsp_lump_change *out,
                          bsp_error *error) {
    assert(file != NULL && packed != NULL && out != NULL);
    memset(packed, 0, sizeof *packed);
    *out = (bsp_lump_change){.lump = lump, .data = data, .version = BSP_NONE};
    if (lump >= bsp_file_get_info(file)->num_lumps) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no lump %u", lump);
    }
    const bsp_lump *old = bsp_file_lump(file, lump);
    if (!old->compressed || data.size == 0) {
        return true;
    }
    if (data.size > UINT32_MAX) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "%zu bytes are too many for a packed lump",
                        data.size);
    }
    bspi_heap heap;
    bspi_edit_heap(&heap, file, allocator);
    bspi_heap_extend(&heap, data.size);
    if (!bspi_lump_pack(&heap, old, data, packed, error)) {
        return false;
    }
    out->data = (bsp_bytes){packed->data, packed->size};
    out->unpacked_size = (uint32_t)data.size;
    return true;
}
