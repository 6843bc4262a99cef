// SPDX-License-Identifier: MIT
// Lumps as files hold them packed.
#include "edit/pak/packed.h"

#include "pack/lzma.h"

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
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_EDIT, data.size, NULL, allocator);
    return bspi_lump_pack(&heap, lump, data, out, error);
}
