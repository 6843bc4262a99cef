// SPDX-License-Identifier: MIT
// Lamps by the rules of q3map2. Formulas: sheet bake, 3.2; netradiant-custom,
// tools/quake3/q3map2/light.cpp.
#include "bake/light/base/keys.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/shaders.h"
#include "bake/light/lamps/spread.h"

#include "core/text.h"
#include "query/masks.h"

#include <math.h>
#include <string.h>

#define LIGHT 300.0f
#define LINEAR 8000.0f // a lamp that fades by distance alone gives light * BSPI_LAMP_POINT / LINEAR
#define RADIUS 64.0f   // units, of a spot where its target is
#define WIDER 16.0f    // units that it is wider there
#define GATE 0.01f
// Of the light on a surface, what it throws back, but for its colour: RADIOSITY_VALUE, its factor,
// formFactorValueScale and bounceScale (light_bounce.cpp, q3map2.h).
#define THROWN (500 * 0.375f * 3 * 0.25f / 255)
#define MOST_BOUNCES 1000.0f

#define FLOOD 128.0f        // of 255, light from everywhere,
#define FLOOD_REACH 1024.0f // and units that must be free for it

#define FLAG_LINEAR 1u
#define FLAG_NO_ANGLE 2u
#define FLAG_NO_GRID 16u
#define FLAG_AS_IT_IS 32u // its colour

// --- entities -----------------------------------------------------------------------------------

// Returns the number of the first of some keys that an entity has, 0 without one or if it is less.
static float first_number(const bsp_entity *entity, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bspi_key(entity, names[i]).size != 0) {
            return fmaxf(0, bspi_key_number(entity, names[i], 0));
        }
    }
    return 0;
}

// Returns how far the samples of a lamp are from it: units, of a sun degrees.
static float deviance_of(const bsp_entity *entity) {
    static const char *const names[] = {"_deviance", "_deviation", "_jitter"};
    return first_number(entity, names, sizeof names / sizeof *names);
}

// Returns the units within which light of a lamp is mixed.
static float filter_of(const bsp_entity *entity) {
    static const char *const names[] = {"_filterradius", "_filteradius", "_filter"};
    return first_number(entity, names, sizeof names / sizeof *names);
}

// Makes a lamp a spot towards its target, `distance` units away.
static void make_spot(const bsp_entity *entity, float distance, float light, bool half,
                      bspi_lamp *lamp) {
    float radius = bspi_key_number(entity, "_radius", RADIUS);
    lamp->widens = ((radius > 0 ? radius : RADIUS) + WIDER) / distance;
    lamp->fade = BSPI_FADE_CLAMPED;
    lamp->light = light * BSPI_LAMP_POINT;
    lamp->half = lamp->half || half;
    lamp->angle = 1;
}

// Returns the distance to the target, and sets the direction; 0 without one.
static float target_distance(const bspi_relight *own, const bsp_entity *entity, bspi_lamp *lamp) {
    const bsp_entity *at = bspi_target_of(&own->targets, entity);
    float way[3];
    if (at == NULL || !bspi_key_point(at, "origin", way) ||
        !bspi_aim_at(own, entity, lamp->origin, lamp->direction)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        way[i] -= lamp->origin[i];
    }
    return sqrtf(bspi_dot(way, way));
}

// Sets how a lamp that stands somewhere fades.
static void set_fade(const bspi_q3map2_told *told, const bsp_entity *entity, uint32_t flags,
                     bspi_lamp *lamp) {
    bool first = (flags & FLAG_LINEAR) != 0;
    bool second = (flags & FLAG_NO_ANGLE) != 0;
    lamp->angle = first || second ? 0 : 1;
    if (told->linear) { // the flags mean the opposite
        lamp->angle = first || second ? 1 : 0;
    }
    if (first != told->linear) {
        float fade = bspi_key_number(entity, "_fade", 1);
        lamp->fade = BSPI_FADE_LINE;
        lamp->wait = fade != 0 ? fade : 1;
        lamp->light /= LINEAR;
    }
    lamp->angle_scale = bspi_key_number(entity, "_anglescale", 0);
    lamp->angle = lamp->angle_scale != 0 ? 1 : lamp->angle;
    lamp->half = told->half_lambert != 0 && lamp->angle > 0;
    lamp->extra = fmaxf(0, bspi_key_number(entity, "_extradist", told->extra_dist));
}

static bool add_light(void *user, const bsp_entity *entity, bsp_error *error) {
    bspi_relight *own = user;
    const bspi_q3map2_told *told = &own->drawn->told;
    uint32_t flags = (uint32_t)bspi_key_whole(entity, "_spawnflags", 0, 0, 65535);
    bspi_lamp lamp = {.outer = -2, .angle = 1, .wait = 1, .fade = BSPI_FADE_CLAMPED};
    float light = bspi_key_number(entity, "_light", LIGHT);
    float deviance = deviance_of(entity);
    uint32_t count = bspi_lamp_count(bspi_key_number(entity, "_samples", 1));
    float scale = bspi_key_number(entity, "_scale", 1);
    light = (light != 0 ? light : LIGHT) * (scale != 0 ? scale : 1);
    (void)bspi_numbers(bspi_key(entity, "_color"), lamp.color, 3);
    bspi_told_color(told, lamp.color);
    if ((flags & FLAG_AS_IT_IS) == 0 || bspi_key(entity, "_color").size == 0) {
        bspi_brightest(lamp.color);
    }
    (void)bspi_key_point(entity, "origin", lamp.origin);
    lamp.range = BSPI_LAMP_CLOSEST;
    int style = bspi_key_whole(entity, "_style", 0, 0, 253);
    lamp.style = own->drawn->styled && !told->no_styles ? style : 0;
    lamp.off_grid = (flags & FLAG_NO_GRID) != 0;
    lamp.off_faces = bspi_text_is(bsp_entity_value(entity, "classname"), "lightJunior");
    float distance = target_distance(own, entity, &lamp);
    if (bspi_lamp_is_elsewhere(own, style)) {
        return bspi_heap_work(&own->heap, 1, error);
    }
    if (distance > 0 && bspi_key_number(entity, "_sun", 0) != 0) {
        lamp.kind = BSPI_LAMP_SUN;
        lamp.light = light * told->sky;
        lamp.half = told->half_lambert != 0;
        lamp.off_grid = lamp.off_faces = false;
        return bspi_lamp_add_sun(own, &lamp, deviance, count, error);
    }
    if (told->suns_only) {
        return bspi_heap_work(&own->heap, 1, error);
    }
    lamp.light = light * BSPI_LAMP_POINT * told->point;
    lamp.filter = filter_of(entity);
    own->drawn->lamps_mixed |= lamp.filter > 0;
    set_fade(told, entity, flags, &lamp);
    if (distance > 0) {
        make_spot(entity, distance, light * told->spot, told->half_lambert != 0, &lamp);
    }
    return bspi_lamp_add_spread(own, &lamp, deviance, count, error);
}

// --- the world ----------------------------------------------------------------------------------

// Sets the colour that an entity names, white without one.
static void color_of(const bspi_q3map2_told *told, const bsp_entity *entity, float color[3]) {
    color[0] = color[1] = color[2] = 0;
    (void)bspi_numbers(bspi_key(entity, "_color"), color, 3);
    if (color[0] == 0 && color[1] == 0 && color[2] == 0) {
        color[0] = color[1] = color[2] = 1;
    }
    bspi_told_color(told, color);
}

// Sets what an entity says is everywhere.
static void read_ambient(const bspi_q3map2_told *told, const bsp_entity *entity, float base[3]) {
    float ambient = bspi_key_number(entity, "_ambient", 0);
    color_of(told, entity, base);
    for (int c = 0; c < 3; c++) {
        base[c] *= ambient;
    }
}

// What is everywhere on a brush model, that of the world unless it says so, and whether shadows
// fall on it.
static bool read_models(bspi_relight *own, bsp_error *error) {
    for (uint32_t m = 0; m < own->map->num_models; m++) {
        const bsp_entity *entity = bspi_model_entity(own, m);
        bspi_lit_model *model = &own->models[m];
        memcpy(model->base, own->scale.curve.base, sizeof model->base);
        if (entity == NULL) {
            continue;
        }
        if (bspi_key(entity, "_ambient").size != 0) {
            read_ambient(&own->drawn->told, entity, model->base);
        }
        bsp_text said = bspi_key(entity, "_receiveShadows");
        float receives = 1;
        (void)bspi_numbers(said.size != 0 ? said : bspi_key(entity, "_rs"), &receives, 1);
        model->unshaded = receives > -1 && receives < 1;
        if (!bspi_heap_work(&own->heap, 1, error)) {
            return false;
        }
    }
    return true;
}

static void read_world(bspi_relight *own, const bsp_entity *world) {
    float color[3];
    color_of(&own->drawn->told, world, color);
    read_ambient(&own->drawn->told, world, own->scale.curve.base);
    float least = bspi_key_number(world, "_minlight", 0);
    float vertex = bspi_key_number(world, "_minvertexlight", least);
    float cell = bspi_key_number(world, "_mingridlight", least);
    float most = bspi_key_number(world, "_maxlight", 255);
    own->scale.curve.cap = fminf(255, fmaxf(most, 1));
    for (int c = 0; c < 3; c++) {
        own->scale.minimum[c] = color[c] * least;
        own->drawn->vertex_least[c] = color[c] * vertex;
        own->drawn->cell_least[c] = color[c] * cell;
    }
}

// "r g b", units, and how much of 255; a sixth number is of directions of light.
static void read_flood(const bspi_q3map2_told *told, const bsp_entity *world,
                       bspi_drawn_flood *out) {
    static const float usual[3] = {0.94f, 0.94f, 1};
    bsp_text value = world != NULL ? bspi_key(world, "_floodlight") : bsp_text_of("");
    float said[5] = {0, 0, 0, FLOOD_REACH, FLOOD};
    (void)bspi_numbers(value, said, 5);
    bool colored = said[0] != 0 || said[1] != 0 || said[2] != 0;
    out->on = told->floodlight || value.size != 0;
    out->reach = said[3] >= 1 ? said[3] : FLOOD_REACH;
    memcpy(out->color, colored ? said : usual, sizeof usual);
    bspi_told_color(told, out->color);
    bspi_brightest(out->color);
    for (int c = 0; c < 3; c++) {
        out->color[c] *= said[4] >= 1 ? said[4] : FLOOD;
    }
}

static uint32_t bounces_of(const bspi_q3map2_told *told) {
    return told->bounces > 0 ? (uint32_t)fminf(told->bounces, MOST_BOUNCES) : 0;
}

// The factor that a number from -255 to 255 stands for; 0: none.
static float contrast_of(const bspi_q3map2_told *told) {
    float contrast = fminf(255, fmaxf(-255, told->contrast));
    return contrast != 0 ? 259 * (contrast + 255) / (255 * (259 - contrast)) : 0;
}

bool bspi_lamps_q3map2(bspi_relight *own, bsp_error *error) {
    const bsp_entity *world = bspi_lit_world(own);
    const bsp_relight_options *options = own->options;
    bspi_q3map2_told *told = &own->drawn->told;
    if (!bspi_q3map2_told_read(&own->heap, world, own->drawn->deluxe, told, error)) {
        return false;
    }
    read_flood(told, world, &own->drawn->flood);
    bspi_random_begin(&own->drawn->random);
    own->drawn->patch_shadows = options->patch_shadows || told->patch_shadows;
    own->drawn->bounce_grid = options->bounce_grid || told->bounce_grid;
    own->scale = (bspi_light_scale){.curve = {.gain = told->brightness > 0 ? told->brightness : 1,
                                              .contrast = contrast_of(told),
                                              .gamma = told->gamma,
                                              .full = 255,
                                              .exposure = told->exposure,
                                              .saturation = told->saturation,
                                              .cap = 255,
                                              .srgb = told->srgb_light},
                                    .lift = 1,
                                    .gate = GATE,
                                    .mask = BSPI_SOLID_MASK,
                                    .dirt_depth = told->dirt_depth > 0 ? told->dirt_depth : 128,
                                    .dirt_angle = 88,
                                    .dirt_gain = told->dirt_gain > 0 ? told->dirt_gain : 1,
                                    .dirt_scale = told->dirt_scale > 0 ? told->dirt_scale : 1,
                                    .bounces = bounces_of(told),
                                    .bounce = THROWN * fmaxf(0, told->bounce)};
    own->scale.curve.after = told->compensate > 0 ? 1 / told->compensate : 1;
    if (world != NULL) {
        read_world(own, world);
    }
    return read_models(own, error) && bspi_drawn_pieces_find(own, error) &&
           bspi_drawn_rows_find(own, error) && bspi_lights_each(own, add_light, own, error) &&
           bspi_lamps_shaders(own, error);
}
