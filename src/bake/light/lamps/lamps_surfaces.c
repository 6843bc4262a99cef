// SPDX-License-Identifier: MIT
// The surfaces of Quake 2 that give light, by either of its compilers. Formulas: sheet bake, 3.2.
#include "bake/light/base/surface_keys.h"
#include "bake/light/faces/face_area.h"
#include "bake/light/lamps/ericw.h"
#include "bake/light/lamps/face_rows.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include <math.h>

#define CHOP 64.0f    // units: the longest edge of a piece of a surface
#define DIRECT 0.4f   // what a surface gives for each unit of its value and square unit
#define GATE 0.01f    // ericw-tools: what is weaker counts nothing
#define NEAREST 16.0f // units; nearer is not brighter

// The colour of the light of a surface: that of its texture, the brightest channel 1.
static void color_of(const bspi_relight *own, uint32_t material, float out[3]) {
    const float *mean = own->colors[material].mean;
    float most = fmaxf(mean[0], fmaxf(mean[1], mean[2]));
    for (int c = 0; c < 3; c++) {
        out[c] = most > 0 ? mean[c] / most : 1;
    }
}

// ericw-tools: one lamp in the middle of the face. Both cosines count half, unless it is flat; one
// that is wide shines to all sides.
bool bspi_ericw_surface(bspi_relight *own, uint32_t face, bspi_lamp *lamp, const float *color,
                        bool wide, bool flat, bsp_error *error) {
    const bspi_light_scale *scale = &own->scale;
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    const float *mean = keys->colored   ? keys->color
                        : color != NULL ? color
                                        : own->colors[bsp_surface_material(own->map, face)].mean;
    float most = fmaxf(mean[0], fmaxf(mean[1], mean[2]));
    float area = bspi_face_area(own, face);
    if (!(most > 0) || !(area >= 1) ||
        !bspi_face_middle(own, face, lamp->origin, lamp->direction)) {
        return true; // a black one gives no light
    }
    for (int c = 0; c < 3; c++) {
        lamp->color[c] = mean[c] / most;
    }
    lamp->light *= most * area * (wide ? scale->sky / 2 : scale->surface);
    flat = keys->rescales == keys->rescales ? keys->rescales == 0 : flat;
    lamp->style = (int)fminf(254, fmaxf(0, bspi_said(keys->style, (float)lamp->style)));
    lamp->angle = wide || flat ? 1 : 0.5f;
    lamp->emits = wide ? 0 : flat ? 1 : 0.5f;
    lamp->grazes = wide ? 0 : BSPI_ERICW_GRAZES;
    lamp->wait = scale->distance * bspi_said(keys->fades, 1);
    lamp->farther = wide ? scale->sky_distance : 0;
    lamp->range = NEAREST;
    lamp->of_face = true;
    lamp->gate = GATE;
    lamp->dirty = scale->dirt;
    lamp->reach = lamp->wait > 0 ? sqrtf(fabsf(lamp->light) / GATE) / lamp->wait : 0;
    bspi_face_lamp_sees(own, face, lamp);
    return bspi_lamp_add(own, lamp, error);
}

// ericw-tools: a key of the world has the colour of skies; black: they give no light.
static bool add_ericw(bspi_relight *own, uint32_t face, bspi_lamp *lamp, bool sky,
                      bsp_error *error) {
    const bsp_entity *world = sky ? bspi_lit_world(own) : NULL;
    float color[3];
    bool given = world != NULL && (bspi_numbers(bspi_key(world, "_sky_surface"), color, 3) == 3 ||
                                   bspi_numbers(bspi_key(world, "_sun_surface"), color, 3) == 3);
    if (given && !(fmaxf(color[0], fmaxf(color[1], color[2])) > 0)) {
        return bspi_heap_work(&own->heap, 1, error);
    }
    return bspi_ericw_surface(own, face, lamp, given ? color : NULL, sky, sky, error);
}

static bool add_surface(bspi_relight *own, uint32_t face, const bsp_texinfo *texinfo,
                        bsp_error *error) {
    bool sky = (texinfo->flags & own->map->traits->surface.sky) != 0;
    bspi_lamp lamp = {.outer = -2, .angle = 1, .emits = 1, .wait = 1, .fade = BSPI_FADE_CLAMPED};
    if (texinfo->material >= own->map->num_materials || !bspi_colors_find(own, error)) {
        return texinfo->material >= own->map->num_materials;
    }
    lamp.light = (float)texinfo->value;
    if (own->relight.compiler == BSP_COMPILER_ERICW) {
        return add_ericw(own, face, &lamp, sky, error);
    }
    lamp.range = NEAREST;
    color_of(own, texinfo->material, lamp.color);
    lamp.light *= DIRECT;
    return bspi_emitters_add(own, face, CHOP, &lamp, error);
}

bool bspi_lamps_surfaces(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t number = map->faces[f].texinfo;
        const bsp_texinfo *texinfo = number < map->num_texinfos ? &map->texinfos[number] : NULL;
        if (texinfo != NULL && (texinfo->flags & map->traits->surface.lit) != 0 &&
            texinfo->value > 0 && !add_surface(own, f, texinfo, error)) {
            return false;
        }
    }
    return true;
}
