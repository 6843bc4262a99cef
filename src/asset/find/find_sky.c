// SPDX-License-Identifier: MIT
// The sky of a map, as its branch finds it.
#include "asset/find/textures.h"

#include "map/needs.h"

#include <assert.h>
#include <string.h>

bool bsp_textures_find_sky(const bsp_textures *textures, bsp_sky *out, bsp_error *error) {
    assert(textures != NULL && out != NULL);
    static bspi_find_sky *const finders[] = {
        [BSP_SKIES_LAYERS] = bspi_sky_quake,  [BSP_SKIES_GOLDSRC] = bspi_sky_goldsrc,
        [BSP_SKIES_QUAKE2] = bspi_sky_quake2, [BSP_SKIES_SHADER] = bspi_sky_quake3,
        [BSP_SKIES_VMT] = bspi_sky_source,
    };
    memset(out, 0, sizeof *out);
    if (!bspi_map_needs(textures->map, BSP_LOAD_ENTITIES | BSP_LOAD_SURFACES, "a sky", error)) {
        return false;
    }
    if (bspi_textures_work(textures, textures->map->num_materials, error) &&
        finders[textures->map->traits->sky_source](textures, out, error)) {
        return true;
    }
    bsp_sky_free(out);
    return false;
}
