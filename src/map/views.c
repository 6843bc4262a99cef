// SPDX-License-Identifier: MIT
// Lumps of which the map has a view, and the bytes of any lump for the other loaders.
#include "map/load.h"

#include <string.h>

bool bspi_lump_bytes(const bspi_loader *loader, uint32_t lump, bsp_bytes *out) {
    bsp_error why = {0};
    if (lump != BSP_NONE && bsp_file_data(loader->file, lump, out, &why)) {
        return true;
    }
    *out = (bsp_bytes){NULL, 0};
    return !bspi_out_of_memory(&why, loader->error);
}

bool bspi_load_views(bspi_loader *loader) {
    uint32_t count;
    const bspi_view *views = bspi_views(&count);
    for (uint32_t i = 0; i < count; i++) {
        bsp_bytes bytes;
        if ((loader->load & views[i].load) == 0) {
            continue;
        }
        if (!bspi_lump_bytes(loader, bsp_file_find_id(loader->file, views[i].id), &bytes)) {
            return false;
        }
        memcpy((uint8_t *)loader->map + views[i].view, &bytes, sizeof bytes);
    }
    return true;
}
