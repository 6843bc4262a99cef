// SPDX-License-Identifier: MIT
// What hlrad did, by its age. Since it knows textures (VHLT, SDHLT) the world of a map has a key
// `compiler`. Before, surfaces threw back half of the light, whatever their texture, and once; only
// what came straight from lamps was doubled; and light was stored with another curve. Facts: ZHLT
// 3.4 and VHLT 34 (hlrad.h, lightmap.cpp, vismatrixutil.cpp); the ratios of channels in maps of the
// corpus that are lit by lamps of one colour: 0.50 of the logarithm of the lamp's, 0.55 in others.
#include "bake/light/lamps/hlrad_settings.h"

#include "bake/light/base/keys.h"

#define NEW_GAMMA (1 / 0.55f)
#define NEW_BOUNCES 8
#define OLD_GAMMA 2.0f
#define OLD_REFLECTS 0.25f // half, beside light of lamps that is doubled
#define OLD_BOUNCES 1
#define FULL 255
#define LIMIT 188 // VHLT: the brightest that engines show
#define SURE 64u  // luxels that are as bright as the limit, and none is brighter

// Was the light of the map limited?
static bool is_limited(const bspi_relight *own) {
    bsp_bytes light = own->source.data;
    uint32_t at = 0;
    for (size_t i = 0; i < light.size && own->own_format == BSPI_RGB8; i++) {
        at += light.data[i] == LIMIT;
        if (light.data[i] > LIMIT) {
            return false;
        }
    }
    return at >= SURE;
}

void bspi_hlrad_settings(bspi_relight *own) {
    const bsp_entity *world = bspi_world_of(own->map->entities);
    bool old = world != NULL && bsp_entity_value(world, "compiler").size == 0;
    own->scale.curve.gamma = old ? OLD_GAMMA : NEW_GAMMA;
    own->scale.bounces = old ? OLD_BOUNCES : NEW_BOUNCES;
    own->scale.reflects = old ? OLD_REFLECTS : 0;
    own->scale.bounce = 1;
    own->scale.curve.cap = is_limited(own) ? LIMIT : FULL;
}
