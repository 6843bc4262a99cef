// SPDX-License-Identifier: MIT
// The far plane that a map's entities ask for. Facts: sheet bake, 2.3.
#include "bspkit/vis.h"

#include "core/text.h"

#include <assert.h>

// A distance, which may end in a letter that says how compilers measure it. 0: none.
static float distance_of(bsp_text value) {
    float distance = 0;
    if (value.size > 1 && ((value.data[value.size - 1] | 0x20) >= 'a')) {
        value.size--;
    }
    return bsp_parse_float(value, &distance) && distance > 0 ? distance : 0;
}

double bsp_vis_far_plane(const bsp_map *map) {
    assert(map != NULL);
    float most = 0;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        bsp_text class = bsp_entity_value(entity, "classname");
        bool fog = bspi_text_is(class, "env_fog_controller");
        if (!fog && !bspi_text_is(class, "worldspawn")) {
            continue;
        }
        float reach = distance_of(bsp_entity_value(entity, fog ? "farz" : "_farplanedist"));
        if (fog && reach <= 0) {
            return 0; // the game may take this one
        }
        most = reach > most ? reach : most;
    }
    return (double)most;
}
