// SPDX-License-Identifier: MIT
// Lamps by the rules of GoldSrc's hlrad and its heirs. Keys and formulas: sheet bake, 3.2.
#include "bake/light/lamps/hlrad_settings.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/vrad_entity.h"
#include "bake/light/lamps/texlights.h"

#include "core/curves.h"
#include "core/text.h"
#include "formats/quake_contents.h"
#include "query/masks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONE 10.0f       // half angle of a spot, degrees
#define CHOP 32.0f       // units: the longest edge of a piece of a surface that gives light
#define SKY_SHARE 0.125f // what an open sky gives of _diffuse_light: half of a quarter
#define GATE 0.001f      // a tenth of its coring
#define LIFT 0.5f        // units
#define EDGE 0.8f        // units
#define BLUR 1.5f        // luxels
// Older compilers: of the light of a surface, whatever its texture.
#define OLD_GLOW (0.1f * (float)BSPI_PI)

static void aim(const bspi_relight *own, const bsp_entity *entity, bspi_lamp *lamp) {
    if (!bspi_aim_at(own, entity, lamp->origin, lamp->direction)) {
        bspi_vrad_look(entity, lamp->direction);
    }
}

static bool add_sky(bspi_relight *own, const bsp_entity *entity, const bspi_lamp *sun,
                    bsp_error *error) {
    bspi_lamp sky = *sun;
    float opposite[3];
    if (!bspi_key_light(entity, "_diffuse_light", sky.color)) {
        memcpy(sky.color, sun->color, sizeof sky.color);
    }
    if (bspi_key_light(entity, "_diffuse_light2", opposite)) { // of the half away from the sun
        for (int c = 0; c < 3; c++) {
            sky.color[c] = (sky.color[c] + opposite[c]) / 2;
        }
    }
    sky.kind = BSPI_LAMP_SKY;
    sky.light = SKY_SHARE;
    return bspi_lamp_add(own, &sky, error);
}

typedef struct lights {
    bspi_relight *own;
    const bsp_entity *sky; // the one that counts; NULL: all
    uint32_t leaf;         // where it stands
} lights;

static bool is_sky(const bsp_entity *entity) {
    return bspi_text_is(bsp_entity_value(entity, "classname"), "light_environment") ||
           bspi_number(entity, "_sky", 0) != 0;
}

// Older compilers let one sky light a place: that in the lowest leaf, and of those in it the last.
static bool find_sky(void *user, const bsp_entity *entity, bsp_error *error) {
    lights *l = user;
    float origin[3];
    if (!is_sky(entity)) {
        return true;
    }
    (void)bspi_key_point(entity, "origin", origin);
    uint32_t leaf = bsp_trace_leaf(l->own->index, origin);
    if (l->sky == NULL || leaf <= l->leaf) {
        l->sky = entity;
        l->leaf = leaf;
    }
    return bspi_heap_work(&l->own->heap, 1, error);
}

static bool add_light(void *user, const bsp_entity *entity, bsp_error *error) {
    const lights *l = user;
    bspi_relight *own = l->own;
    bsp_text class = bsp_entity_value(entity, "classname");
    bsp_text before = bsp_entity_value(entity, "convertfrom"); // its class, which the game has not
    class = before.size != 0 ? before : class;
    if (bspi_is_texlight_entity(entity) || bspi_text_is(class, "light_shadow") ||
        bspi_text_is(class, "light_bounce") || bspi_text_is(class, "info_sunlight")) { // no lamps
        return true;
    }
    bool sky = is_sky(entity);
    if (sky && l->sky != NULL && l->sky != entity) {
        return true;
    }
    bool spot =
        sky || bspi_text_is(class, "light_spot") || bsp_entity_value(entity, "target").size != 0;
    bspi_lamp lamp = {.outer = -2, .light = 1, .angle = 1, .wait = 1, .range = 1};
    lamp.fade = BSPI_FADE_CLAMPED;
    lamp.style = abs(bspi_key_whole(entity, "style", 0, -255, 255));
    (void)bspi_key_point(entity, "origin", lamp.origin);
    if (!bspi_key_light(entity, "_light", lamp.color) &&
        !bspi_key_light(entity, "light", lamp.color)) {
        lamp.color[0] = lamp.color[1] = lamp.color[2] = 300;
    }
    if (spot) {
        aim(own, entity, &lamp);
    }
    if (sky) {
        lamp.kind = BSPI_LAMP_SUN;
        return bspi_lamp_add(own, &lamp, error) && add_sky(own, entity, &lamp, error);
    }
    if (spot) {
        float inner = bspi_number(entity, "_cone", 0);
        inner = inner > 0 ? inner : CONE;
        float outer = fmaxf(inner, bspi_number(entity, "_cone2", 0));
        lamp.inner = bspi_cosine(bspi_radians(inner));
        lamp.outer = bspi_cosine(bspi_radians(outer));
        lamp.cone_fades = true;
    }
    float most = fmaxf(lamp.color[0], fmaxf(lamp.color[1], lamp.color[2]));
    lamp.light = most * most / 10;
    lamp.reach = sqrtf(lamp.light * most / GATE);
    return !(most > 0) || bspi_lamp_add(own, &lamp, error);
}

// --- surfaces -----------------------------------------------------------------------------------

// What a surface gives goes by the colour of its texture too, and to all sides of its front alike.
static bool add_face(bspi_relight *own, uint32_t face, const bspi_texlight *t, bsp_error *error) {
    uint32_t texinfo = own->map->faces[face].texinfo;
    bspi_lamp lamp = {.outer = t->outer, .angle = 1, .emits = 1, .wait = 1};
    lamp.fade = BSPI_FADE_CLAMPED;
    lamp.inner = t->inner;
    lamp.style = t->style;
    if (!bspi_colors_find(own, error)) {
        return false;
    }
    const float *texture =
        t->has_texture ? t->texture : own->colors[own->map->texinfos[texinfo].material].reflects;
    for (int c = 0; c < 3; c++) {
        own->glow[face][c] = t->style == 0 ? t->light[c] : 0;
        lamp.color[c] = t->light[c] * (bspi_hlrad_is_old(own) ? OLD_GLOW : texture[c]);
    }
    float chop = t->chop > 0 ? t->chop : CHOP;
    lamp.light = t->scale / (float)BSPI_PI;
    lamp.range = chop / 2;
    return bspi_emitters_grid(own, face, chop, &lamp, error);
}

static bool add_surfaces(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    const bsp_text *values;
    bspi_texlight_entities entities;
    if (!bspi_texlights_find(own, &values, error) ||
        !bspi_texlight_entities_find(own, &entities, error)) {
        return false;
    }
    bool any = values != NULL || entities.count != 0;
    own->glow = any ? bspi_arena_zero(&own->arena, map->num_faces, sizeof *own->glow, error) : NULL;
    if (any && own->glow == NULL) {
        return false;
    }
    for (uint32_t f = 0; any && f < map->num_faces; f++) {
        uint32_t texinfo = map->faces[f].texinfo;
        uint32_t material =
            texinfo < map->num_texinfos ? map->texinfos[texinfo].material : BSP_NONE;
        bspi_texlight t = {.scale = 1, .outer = -2};
        bool gives = material < map->num_materials &&
                     (bspi_texlight_of(own, &entities, f, &t) ||
                      (values != NULL && bspi_light_value(values[material], t.light)));
        if (!bspi_heap_work(&own->heap, 1 + entities.count, error) ||
            (gives && !add_face(own, f, &t, error))) {
            return false;
        }
    }
    return true;
}

bool bspi_lamps_hlrad(bspi_relight *own, bsp_error *error) {
    lights all = {.own = own};
    own->scale =
        (bspi_light_scale){.curve = {.gain = 2, .full = 256, .differ = true, .rounds = true},
                           .lift = LIFT,
                           .edge = EDGE,
                           .blur = BLUR,
                           .styled = true,
                           .gate = GATE,
                           .mask = BSPI_SOLID_MASK};
    bspi_hlrad_settings(own);
    for (uint32_t l = 0; l < own->map->num_leaves && own->map->num_models != 0; l++) {
        own->liquids |= bspi_is_liquid(own->map->leaves[l].contents);
    }
    return bspi_heap_work(&own->heap, own->map->num_leaves, error) &&
           (!bspi_hlrad_is_old(own) || bspi_lights_each(own, find_sky, &all, error)) &&
           bspi_lights_each(own, add_light, &all, error) && add_surfaces(own, error);
}
