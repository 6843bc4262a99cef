// SPDX-License-Identifier: MIT
// Normal maps of Source: which materials have one, and the light from three directions that they
// mix. It lies on pages as that of flat surfaces does.
#include "session.h"

#include <stdlib.h>

#define MOST_LAYERS 256u   // of a texture on every card (WebGL 2)

bool bv_bump_take(bv_session *s, uint32_t material, const bsp_scene_material *as) {
    bsp_texture bump;
    bv_bumps *bumps = &s->bumps;
    if (material >= s->map->num_materials || !as->found || as->unlit || !bsp_light_is_bumped(s->map)) {
        return true;
    }
    if (bumps->kinds == NULL) {
        bumps->kinds = calloc(s->map->num_materials, sizeof *bumps->kinds);
    }
    if (bumps->kinds == NULL ||
        !bsp_textures_find_bump(s->textures, material, &bump, &bv_last_error)) {
        return false;
    }
    if (bump.found) {
        bumps->kinds[material] = bump.self_shadowed ? BV_BUMP_SHADOWED : BV_BUMP_NORMAL;
        bumps->any = true;
        bv_give_image(7, material, &bump.image);
    }
    bsp_texture_free(&bump);
    return true;
}

bv_bump bv_bump_of(const bv_session *s, uint32_t material) {
    bool known = s->bumps.kinds != NULL && material < s->map->num_materials;
    return known && s->moment[1] != NULL ? s->bumps.kinds[material] : BV_BUMP_NONE;
}

void bv_bumps_free(bv_bumps *bumps) {
    free(bumps->kinds);
    *bumps = (bv_bumps){0};
}

// --- light --------------------------------------------------------------------------------------

const bsp_lightmap *bv_light_of(const bv_session *s, uint32_t direction) {
    bool first = direction == 0 && s->moment[0] == NULL;
    return first ? s->scene->lightmap : s->moment[direction];
}

bsp_lightmap *bv_light_make(const bv_session *s, uint32_t direction) {
    const bsp_lightmap_options options = {.styles = s->styles,
                                          .range = BV_LIGHT_RANGE,
                                          .external = s->external,
                                          .direction = direction};
    return bsp_lightmap_build(s->map, s->file, &options, &bv_last_error);
}

bool bv_bump_light(bv_session *s) {
    const bsp_lightmap *flat = s->scene->lightmap;
    uint32_t pages = flat == NULL ? 0 : flat->num_pages;
    for (uint32_t i = 1; s->bumps.any && pages != 0 && i < BV_DIRECTIONS; i++) {
        s->moment[i] = pages * BV_DIRECTIONS > MOST_LAYERS ? NULL : bv_light_make(s, i);
        if (s->moment[i] == NULL || s->moment[i]->num_pages != pages) {
            bv_light_forget(s);
            return pages * BV_DIRECTIONS > MOST_LAYERS;
        }
    }
    return true;
}

void bv_light_forget(bv_session *s) {
    for (uint32_t i = 0; i < BV_DIRECTIONS; i++) {
        bsp_lightmap_free(s->moment[i]);
        s->moment[i] = NULL;
    }
}
