// SPDX-License-Identifier: MIT
// Lamps by the rules of ericw-tools' light. Keys and formulas: sheet bake, 3.2; its documentation.
#include "bake/light/lamps/face_rows.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/work/keys.h"

#include "core/curves.h"
#include "core/text.h"
#include "query/masks.h"
#include "query/open_sky.h"

#include <math.h>
#include <string.h>

#define LIGHT 300.0f       // without a key
#define CHOP 128.0f        // units: the longest edge of what a "_surface" light stands for
#define OFFSET 2.0f        // units from the surface to what stands for it
#define CONE 40.0f         // whole angle of a spot, degrees
#define RINGS 4u           // of directions of half a sky
#define AROUND 16u         // in each
#define BLUR 16u           // directions of a sun that has a width
#define GATE (1 / 1000.0f) // of 255: what is weaker is left out
#define MOST_BOUNCES 100
#define HALF_RADIANS ((float)BSPI_PI / 360)
#define RADIANS ((float)BSPI_PI / 180)

// The numbers of the world.
typedef struct ericw {
    bspi_relight *own;
    const bsp_entity *world;
    float angle;    // _anglescale
    float distance; // _dist: all waits are multiplied by it
    bool dirty;     // _dirt
} ericw;

// Does a key of dirt that says 1 (yes), -1 (no) or 0 say that there is some?
static bool is_dirty(const ericw *e, float value) {
    return value == 0 ? e->dirty : value > 0;
}

static void set_dirt(const ericw *e, const bsp_entity *entity, bspi_lamp *lamp) {
    lamp->dirty = is_dirty(e, bspi_key_number(entity, "_dirt", 0));
    e->own->scale.dirt |= lamp->dirty;
    lamp->dirt_gain = bspi_key_number(entity, "_dirtgain", 0);
    lamp->dirt_scale = bspi_key_number(entity, "_dirtscale", 0);
    bool ramp = bspi_key(entity, "_dirt_off_radius").size != 0 &&
                bspi_key(entity, "_dirt_on_radius").size != 0;
    lamp->dirt_off = ramp ? bspi_key_number(entity, "_dirt_off_radius", 0) : 0;
    lamp->dirt_on = ramp ? bspi_key_number(entity, "_dirt_on_radius", 0) : 0;
}

static bspi_lamp new_lamp(const ericw *e, const bsp_entity *entity, float otherwise) {
    bspi_lamp lamp = {.outer = -2, .wait = 1};
    lamp.light = bspi_key_number(entity, "_light", otherwise);
    lamp.angle =
        bspi_key_number(entity, "_anglescale", bspi_key_number(entity, "_anglesense", e->angle));
    lamp.angle = lamp.angle >= 0 && lamp.angle <= 1 ? lamp.angle : e->angle;
    lamp.style = bspi_key_whole(entity, "_style", 0, -1, 255);
    set_dirt(e, entity, &lamp);
    (void)bspi_key_color(entity, "_color", lamp.color);
    return lamp;
}

static void set_fade(const bsp_entity *entity, bspi_lamp *lamp) {
    static const bspi_fade fades[] = {BSPI_FADE_LINE,   BSPI_FADE_INVERSE, BSPI_FADE_SQUARE,
                                      BSPI_FADE_NONE,   BSPI_FADE_NONE,    BSPI_FADE_SOFT,
                                      BSPI_FADE_CLAMPED};
    int delay = bspi_key_whole(entity, "_delay", 0, -1, 7);
    delay = delay >= 0 && delay <= 6 ? delay : 0;
    float falloff = bspi_key_number(entity, "_falloff", 0);
    lamp->fade = fades[delay];
    lamp->kind = delay == 4 ? BSPI_LAMP_LEAST : BSPI_LAMP_PLACED;
    if (delay == 0 && falloff > 0) {
        lamp->fade = BSPI_FADE_RANGE;
        lamp->range = falloff;
    } else if (delay == 6) {
        lamp->range = 128;
    }
}

// Sets how far the lamp reaches before the gate holds it back.
static void set_reach(const bspi_light_scale *scale, bspi_lamp *lamp) {
    float most = fabsf(lamp->light) *
                 fmaxf(fabsf(lamp->color[0]), fmaxf(fabsf(lamp->color[1]), fabsf(lamp->color[2])));
    float ratio = most / scale->gate;
    float unit = lamp->wait > 0 ? 1 / lamp->wait : 0;
    switch (lamp->fade) {
    case BSPI_FADE_LINE:
        lamp->reach = fabsf(lamp->light) * unit;
        break;
    case BSPI_FADE_RANGE:
        lamp->reach = lamp->range;
        break;
    case BSPI_FADE_INVERSE:
        lamp->reach = 128 * ratio * unit;
        break;
    case BSPI_FADE_SQUARE:
    case BSPI_FADE_SOFT:
        lamp->reach = 128 * sqrtf(ratio) * unit;
        break;
    case BSPI_FADE_CLAMPED:
        lamp->reach = sqrtf(ratio) * unit;
        break;
    case BSPI_FADE_NONE:
    case BSPI_FADE_WORLD:
        break;
    }
}

static void set_spot(const ericw *e, const bsp_entity *entity, bspi_lamp *lamp) {
    float mangle[3];
    if (bspi_aim_at(e->own, entity, lamp->origin, lamp->direction)) {
        // a target counts before an angle
    } else if (bspi_key_point(entity, "mangle", mangle)) {
        bspi_light_look((double)mangle[1], (double)mangle[0], lamp->direction);
    } else {
        return;
    }
    const char *spread = e->own->map->traits->lights.spread; // what it is without either key
    float usual = spread != NULL && spread[0] == '_' ? 2 * e->own->map->traits->lights.cone : CONE;
    float cone = bspi_key_number(entity, "_angle", usual);
    cone = 2 * bspi_key_number(entity, "_cone", cone / 2);
    float soft = bspi_key_number(entity, "_softangle", 0);
    cone = cone > 0 ? cone : usual;
    lamp->outer = bspi_cosine(cone * HALF_RADIANS);
    lamp->inner = soft > 0 && soft < cone ? bspi_cosine(soft * HALF_RADIANS) : lamp->outer;
}

// A light with "_surface" stands for one before each piece of the faces of that texture.
static bool add_template(const ericw *e, bsp_text name, float lift, const bspi_lamp *lamp,
                         bsp_error *error) {
    const bsp_map *map = e->own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t texinfo = map->faces[f].texinfo;
        uint32_t material =
            texinfo < map->num_texinfos ? map->texinfos[texinfo].material : BSP_NONE;
        if (material < map->num_materials &&
            bspi_text_equal_nocase(map->materials[material].name, name) &&
            !bspi_emitters_copy(e->own, f, CHOP, lift, lamp, error)) {
            return false;
        }
    }
    return bspi_heap_work(&e->own->heap, map->num_faces, error);
}

static bool add_point(const ericw *e, const bsp_entity *entity, bsp_error *error) {
    bspi_lamp lamp = new_lamp(e, entity, LIGHT);
    bsp_text surface = bspi_key(entity, "_surface");
    if (!bspi_key_point(entity, "origin", lamp.origin) || lamp.light == 0 ||
        bspi_key_number(entity, "_nostaticlight", 0) != 0) {
        return true;
    }
    lamp.wait = bspi_key_number(entity, "_wait", 1) * e->distance;
    set_fade(entity, &lamp);
    if (lamp.fade == BSPI_FADE_CLAMPED) {
        lamp.light *= 128 * 128;
    }
    set_spot(e, entity, &lamp);
    set_reach(&e->own->scale, &lamp);
    float offset = bspi_key_number(entity, "_surface_offset", 0);
    return surface.size != 0 ? add_template(e, surface, offset != 0 ? offset : OFFSET, &lamp, error)
                             : bspi_lamp_add(e->own, &lamp, error);
}

// --- skies --------------------------------------------------------------------------------------

// Adds a sun that is so many degrees wide.
static bool add_sun(const ericw *e, bspi_lamp *lamp, float width, bsp_error *error) {
    lamp->kind = BSPI_LAMP_SUN;
    return bspi_lamp_add_sun(e->own, lamp, width / 2, BLUR, error);
}

static bool add_world_sun(const ericw *e, const char *const keys[3], bsp_error *error) {
    bspi_lamp lamp = {.outer = -2, .angle = e->angle, .direction = {0, 0, -1}};
    float angles[3] = {0, 0, 0};
    lamp.light = bspi_key_number(e->world, keys[0], 0);
    if (lamp.light == 0) {
        return true;
    }
    if (bspi_numbers(bspi_key(e->world, keys[1]), angles, 3) >= 1) {
        bspi_light_look((double)angles[1], (double)angles[0], lamp.direction);
    }
    (void)bspi_key_color(e->world, keys[2], lamp.color);
    lamp.dirty = is_dirty(e, bspi_key_number(e->world, "_sunlight_dirt", 0));
    return add_sun(e, &lamp, bspi_key_number(e->world, "_sunlight_penumbra", 0), error);
}

// Adds the light of half a sky, `down` from above: rings of directions, and one straight down.
// Source: light/entities.cc of ericw-tools, with its 64 samples.
static bool add_dome(const ericw *e, bspi_lamp *lamp, float down, bsp_error *error) {
    float turn = 0;
    lamp->kind = BSPI_LAMP_SUN;
    lamp->light /= (float)(RINGS * AROUND + 1);
    for (uint32_t ring = 0; lamp->light > 0 && ring < RINGS; ring++) {
        float height = ((float)ring + 0.5f) * (90.0f / (RINGS + 1)) * RADIANS;
        for (uint32_t i = 0; i < AROUND; i++) {
            lamp->direction[0] = bspi_cosine(turn) * bspi_cosine(height);
            lamp->direction[1] = bspi_sine(turn) * bspi_cosine(height);
            lamp->direction[2] = -down * bspi_sine(height);
            turn += 360.0f / AROUND * RADIANS;
            if (!bspi_lamp_add(e->own, lamp, error)) {
                return false;
            }
        }
        turn += 360.0f / AROUND / RINGS * RADIANS;
    }
    lamp->direction[0] = lamp->direction[1] = 0;
    lamp->direction[2] = -down;
    return !(lamp->light > 0) || bspi_lamp_add(e->own, lamp, error);
}

static bool add_world_dome(const ericw *e, const char *light, const char *color, const char *other,
                           float down, bsp_error *error) {
    bspi_lamp lamp = {.outer = -2, .angle = e->angle};
    lamp.light = bspi_key_number(e->world, light, 0);
    if (!bspi_key_color(e->world, color, lamp.color)) {
        (void)bspi_key_color(e->world, other, lamp.color);
    }
    lamp.dirty = is_dirty(e, bspi_key_number(e->world, "_sunlight2_dirt", 0));
    return add_dome(e, &lamp, down, error);
}

// A light with "_sun" is one of the whole sky (arghrad's key), as is one with "_sunlight2" or
// "_sunlight3" from all of a half of it.
static bool add_entity_sun(const ericw *e, const bsp_entity *entity, bsp_error *error) {
    bspi_lamp lamp = new_lamp(e, entity, LIGHT);
    float mangle[3];
    (void)bspi_key_point(entity, "origin", lamp.origin);
    if (!(lamp.light > 0)) {
        return true;
    }
    if (bspi_key_number(entity, "_sun", 0) == 0) {
        bool above = bspi_key_number(entity, "_sunlight2", 0) != 0;
        return add_dome(e, &lamp, above ? 1 : -1, error);
    }
    if (bspi_aim_at(e->own, entity, lamp.origin, lamp.direction)) {
        // a target counts before an angle
    } else if (bspi_key_point(entity, "mangle", mangle)) {
        bspi_light_look((double)mangle[1], (double)mangle[0], lamp.direction);
    } else {
        lamp.direction[2] = -1;
    }
    return add_sun(e, &lamp, bspi_key_number(entity, "_deviance", 0), error);
}

// --- all ----------------------------------------------------------------------------------------

static void read_world(ericw *e) {
    bspi_light_scale *scale = &e->own->scale;
    const bsp_light_rules *rules = &e->own->map->traits->lights;
    float color[3] = {1, 1, 1};
    *scale = (bspi_light_scale){
        .full = 255, .cap = 255, .lift = 1, .gate = GATE, .mask = BSPI_SOLID_MASK};
    bool strong = rules->bounces != 0; // Quake 2
    scale->gain = rules->range;
    scale->bounces = rules->bounces;
    scale->bounce = strong ? 0.85f : 1;
    scale->tint = strong ? 0.5f : 0;
    scale->styled = strong;
    scale->surface = scale->sky = strong ? 0.65f : 1;
    scale->distance = 1;
    scale->dirt_depth = 128;
    scale->dirt_angle = 88;
    scale->dirt_gain = scale->dirt_scale = 1;
    e->angle = 0.5f;
    e->distance = 1;
    if (e->world == NULL) {
        return;
    }
    e->angle = bspi_key_number(e->world, "_anglescale", 0.5f);
    e->distance = bspi_key_number(e->world, "_dist", 1);
    e->dirty = scale->dirt =
        bspi_key_number(e->world, "_dirt", bspi_key_number(e->world, "_dirty", 0)) > 0;
    scale->least_dirty = bspi_key_number(e->world, "_minlight_dirt", e->dirty ? 1 : 0) != 0;
    scale->dirt |= scale->least_dirty || bspi_key_number(e->world, "_sunlight_dirt", 0) > 0 ||
                   bspi_key_number(e->world, "_sunlight2_dirt", 0) > 0;
    scale->dirt_depth = fmaxf(1, bspi_key_number(e->world, "_dirtdepth", scale->dirt_depth));
    scale->dirt_angle = bspi_key_number(e->world, "_dirtangle", scale->dirt_angle);
    scale->dirt_gain = bspi_key_number(e->world, "_dirtgain", 1);
    scale->dirt_scale = bspi_key_number(e->world, "_dirtscale", 1);
    scale->gain = bspi_key_number(e->world, "_range", scale->gain);
    scale->gamma =
        bspi_key_number(e->world, "_lightmapgamma", bspi_key_number(e->world, "_gamma", 1));
    scale->bounces =
        (uint32_t)bspi_key_whole(e->world, "_bounce", (int)scale->bounces, 0, MOST_BOUNCES);
    scale->bounce = bspi_key_number(e->world, "_bouncescale", scale->bounce);
    scale->tint = bspi_key_number(e->world, "_bouncecolorscale", scale->tint);
    scale->styled = bspi_key_number(e->world, "_bouncestyled", scale->styled ? 1 : 0) != 0;
    scale->surface = bspi_key_number(e->world, "_surflightscale", scale->surface);
    scale->sky = bspi_key_number(e->world, "_surflightskyscale", scale->sky);
    scale->distance = e->distance;
    float least = bspi_key_number(e->world, "_light", bspi_key_number(e->world, "_minlight", 0));
    (void)(bspi_key_color(e->world, "_minlight_color", color) ||
           bspi_key_color(e->world, "_mincolor", color));
    for (int i = 0; i < 3; i++) {
        scale->minimum[i] = least * color[i];
    }
    scale->adds = bspi_key_number(e->world, "_addmin", 0) != 0;
}

static bool add_skies(const ericw *e, bsp_error *error) {
    static const char *const suns[][3] = {{"_sunlight", "_sunlight_mangle", "_sunlight_color"},
                                          {"_sun_light", "_sun_mangle", "_sun_color"},
                                          {"_sun2", "_sun2_mangle", "_sun2_color"}};
    for (size_t i = 0; e->world != NULL && i < sizeof suns / sizeof *suns; i++) {
        if (!add_world_sun(e, suns[i], error)) {
            return false;
        }
    }
    return e->world == NULL ||
           (add_world_dome(e, "_sunlight2", "_sunlight2_color", "_sunlight_color2", 1, error) &&
            add_world_dome(e, "_sunlight3", "_sunlight3_color", "_sunlight_color3", -1, error));
}

static bool add_light(void *user, const bsp_entity *entity, bsp_error *error) {
    const ericw *e = user;
    bool sun = bspi_key_number(entity, "_sun", 0) != 0 ||
               bspi_key_number(entity, "_sunlight2", 0) != 0 ||
               bspi_key_number(entity, "_sunlight3", 0) != 0;
    return sun ? add_entity_sun(e, entity, error) : add_point(e, entity, error);
}

bool bspi_lamps_ericw(bspi_relight *own, bsp_error *error) {
    ericw e = {.own = own, .world = bspi_lit_world(own)};
    read_world(&e);
    return bspi_face_clusters_find(own, error) && bspi_lights_each(own, add_light, &e, error) &&
           add_skies(&e, error) && bspi_lamps_surfaces(own, error);
}
