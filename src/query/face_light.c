// SPDX-License-Identifier: MIT
// The average light of a face, which Source stores before its luxels.
#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "map/needs.h"

#include <assert.h>

bool bsp_query_face_light(const bsp_map *map, uint32_t face, uint32_t slot, bool hdr,
                          float rgb[3]) {
    assert(map != NULL && rgb != NULL);
    assert(bspi_map_has(map, BSP_LOAD_SURFACES | BSP_LOAD_LIGHT));
    rgb[0] = rgb[1] = rgb[2] = 0;
    bool high = map->light_hdr.size != 0 && (hdr || map->light.size == 0);
    bsp_bytes bytes = high ? map->light_hdr : map->light;
    bool own = high && map->num_face_lights_hdr != 0;
    const bsp_face_light *lights = own ? map->face_lights_hdr : map->face_lights;
    uint32_t count = own ? map->num_face_lights_hdr : map->num_face_lights;
    if (map->traits->light != BSP_LIGHT_RGBEXP32 || face >= count || slot >= 4 ||
        lights[face].styles[slot] == BSP_NO_STYLE || lights[face].offset == BSP_NONE) {
        return false;
    }
    // Those of the further styles stand further in front.
    uint64_t before = 4 * ((uint64_t)slot + 1);
    if (lights[face].offset < before || lights[face].offset - before + 4 > bytes.size) {
        return false;
    }
    bsp_light_decode(bytes.data + (lights[face].offset - before), rgb);
    return true;
}
