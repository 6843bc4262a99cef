// SPDX-License-Identifier: MIT
// The sky of a map, as its family finds it.
#include "asset/find/textures.h"

#include <string.h>

bool bsp_textures_find_sky(const bsp_textures *textures, bsp_sky *out, bsp_error *error) {
    static bspi_find_sky *const finders[] = {
        [BSP_QUAKE] = bspi_sky_quake,   [BSP_GOLDSRC] = bspi_sky_goldsrc,
        [BSP_QUAKE2] = bspi_sky_quake2, [BSP_QUAKE3] = bspi_sky_quake3,
        [BSP_SOURCE] = bspi_sky_source, [BSP_TITANFALL] = bspi_sky_source,
    };
    memset(out, 0, sizeof *out);
    if (bspi_textures_work(textures, textures->map->num_materials, error) &&
        finders[textures->map->branch->family](textures, out, error)) {
        return true;
    }
    bsp_sky_free(out);
    return false;
}
