// SPDX-License-Identifier: MIT
// The light in the middle of brush models. Sources: LightFace_AutoMin and CalcLightgridAtPoint of
// light/ltface.cc of ericw-tools.
#include "bake/light/base/keys.h"
#include "bake/light/gather/model_light.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/slide.h"
#include "bake/light/places/places.h"
#include "bake/light/shadows/shadow.h"

#include "core/curves.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

static void add_style(bspi_model_light *out, int style, const float color[3], float strength) {
    uint32_t at = 0;
    while (at < out->num_styles && out->styles[at] != style) {
        at++;
    }
    if (at == BSPI_MODEL_STYLES) {
        return;
    }
    if (at == out->num_styles) {
        out->styles[out->num_styles++] = style;
    }
    for (int c = 0; c < 3; c++) {
        out->light[at][c] += color[c] * strength;
    }
}

// What falls on that of six sides of a place that gets the most.
static float on_side(const bspi_lamp *lamp, const float direction[3]) {
    float most = fmaxf(fabsf(direction[0]), fmaxf(fabsf(direction[1]), fabsf(direction[2])));
    float angle = lamp->emits > 0 ? 1 : lamp->angle;
    return 1 - angle + angle * most;
}

static void add_placed(bspi_relight *own, const bspi_lamp *lamp, const float point[3],
                       bspi_model_light *out) {
    float direction[3];
    float through[1][3];
    float distance;
    float strength = bspi_lamp_at(lamp, point, direction, &distance);
    float gate = lamp->gate > 0 ? lamp->gate : own->scale.gate;
    bsp_sight_line line;
    bool seen;
    if (!(fabsf(strength) > gate) || (lamp->reach > 0 && distance > lamp->reach)) {
        return;
    }
    memcpy(line.from, point, sizeof line.from);
    memcpy(line.to, lamp->origin, sizeof line.to);
    bspi_shadow_lines(own, bspi_shaded_model(0), &line, &seen, through, 1);
    if (!seen) {
        return;
    }
    float color[3];
    bspi_slide_tint(lamp->slide, point, through[0]);
    for (int c = 0; c < 3; c++) {
        color[c] = lamp->color[c] * through[0][c];
    }
    add_style(out, lamp->style, color, strength * on_side(lamp, direction));
}

static void add_sun(bspi_relight *own, const bspi_lamp *lamp, const float point[3],
                    bspi_model_light *out) {
    const float to[3] = {-lamp->direction[0], -lamp->direction[1], -lamp->direction[2]};
    float color[3];
    if (bspi_lamp_sun_at(own, lamp, bspi_shaded_model(0), point, color)) {
        for (int c = 0; c < 3; c++) {
            color[c] *= lamp->color[c];
        }
        add_style(out, lamp->style, color, lamp->light * on_side(lamp, to));
    }
}

// Light of a place is scaled as that of a face is, and once more with the face that takes it.
static void scale(const bspi_light_curve *by, bspi_model_light *out) {
    for (uint32_t i = 0; i < out->num_styles; i++) {
        for (int c = 0; c < 3; c++) {
            float sum = out->light[i][c] > 0 ? out->light[i][c] * by->gain : 0;
            out->light[i][c] = by->gamma > 0 && by->gamma != 1
                                   ? by->full * bspi_power(sum / by->full, 1 / by->gamma)
                                   : sum;
        }
    }
}

// Finds a place that is not in the world's solid. False if there is none.
static bool find_place(bspi_relight *own, uint32_t model, float point[3]) {
    bool found = false;
    for (int i = 0; i < BSPI_PLACES_BESIDE && !found; i++) {
        bspi_place_beside(own->models[model].middle, i, point);
        found = !bspi_place_in_world(own, point);
    }
    return found;
}

static bool find(bspi_relight *own, const bsp_entity *entity, uint32_t model, bsp_error *error) {
    bool given = bspi_key(entity, "_autominlight").size != 0;
    bool wanted = bspi_key_number(entity, "_autominlight", 0) > 0;
    float point[3];
    if ((given && !wanted) || !find_place(own, model, point)) {
        return bspi_heap_work(&own->heap, 1, error);
    }
    bspi_model_light *out = bspi_arena_zero(&own->arena, 1, sizeof *out, error);
    if (out == NULL || !bspi_heap_work(&own->heap, 1 + (uint64_t)own->num_lamps * 4, error)) {
        return false;
    }
    out->all = wanted;
    for (uint32_t i = 0; i < own->num_lamps; i++) {
        const bspi_lamp *lamp = &own->lamps[i];
        if (lamp->kind == BSPI_LAMP_PLACED && bspi_lamp_is_common(lamp)) {
            add_placed(own, lamp, point, out);
        } else if (lamp->kind == BSPI_LAMP_SUN) {
            add_sun(own, lamp, point, out);
        }
    }
    scale(&own->scale.curve, out);
    own->models[model].inside = out;
    return true;
}

bool bspi_model_lights_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    uint32_t count = map->entities == NULL || own->occluders == NULL ? 0 : map->entities->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[i]);
        if (model != BSP_NONE && model != 0 && model < map->num_models &&
            own->models[model].inside == NULL && map->models[model].num_faces != 0 &&
            !find(own, &map->entities->list[i], model, error)) {
            return false;
        }
    }
    return true;
}
