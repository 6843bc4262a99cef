// SPDX-License-Identifier: MIT
// Lumps as files hold them packed.
#include "bspkit/edit.h"

#include "core/buffer.h"

#include <string.h>

#define GAME_ALIGNMENT 4

bool bsp_lump_pack(const bsp_lump *lump, bsp_bytes data, const bsp_allocator *allocator,
                   bsp_blob *out, bsp_error *error) {
    static const uint8_t zeros[GAME_ALIGNMENT];
    bsp_blob packed;
    bspi_heap heap;
    if (lump->place != BSP_IN_GAME_LUMP) {
        return bsp_lzma_pack(data, allocator, out, error);
    }
    memset(out, 0, sizeof *out);
    if (!bsp_lzma_pack(data, allocator, &packed, error)) {
        return false;
    }
    bspi_heap_init(&heap, allocator, 0);
    bspi_buffer padded = {.heap = &heap, .error = error};
    bspi_buffer_add(&padded, packed.data, packed.size);
    bspi_buffer_add(&padded, zeros, GAME_ALIGNMENT - packed.size % GAME_ALIGNMENT);
    bsp_blob_free(&packed);
    if (padded.failed) {
        bspi_buffer_free(&padded);
        return false;
    }
    return bspi_buffer_give(&padded, out);
}
