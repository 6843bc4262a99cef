// SPDX-License-Identifier: MIT
// Lumps that the map shows as they are, and the bytes of any lump for those who read them.
#include "map/load.h"

bool bspi_lump_bytes(const bspi_loader *loader, uint32_t lump, bsp_bytes *out) {
    bsp_error why = {0};
    if (lump != BSP_NONE && bsp_file_data(loader->file, lump, out, &why)) {
        return true;
    }
    *out = (bsp_bytes){NULL, 0};
    return !bspi_out_of_memory(&why, loader->error);
}

static bool view(const bspi_loader *loader, bsp_table_id id, bsp_bytes *out) {
    return bspi_lump_bytes(loader, bsp_file_find_id(loader->file, id), out);
}

bool bspi_load_views(bspi_loader *loader) {
    bsp_map *map = loader->map;
    bool light = (loader->load & BSP_LOAD_LIGHT) != 0;
    bool surfaces = (loader->load & BSP_LOAD_SURFACES) != 0;
    bool props = (loader->load & BSP_LOAD_PROPS) != 0;
    return (!light || (view(loader, BSP_ID_LIGHTING, &map->light) &&
                       view(loader, BSP_ID_LIGHTING_HDR, &map->light_hdr) &&
                       view(loader, BSP_ID_LIGHTING_RTL, &map->light_rtl))) &&
           (!surfaces || view(loader, BSP_ID_DISP_SAMPLE_POSITIONS, &map->disp_samples)) &&
           (!props || (view(loader, BSP_ID_PAK, &map->pak) &&
                       view(loader, BSP_ID_PHYS_COLLIDE, &map->physics)));
}
