// SPDX-License-Identifier: MIT
// Suns and skies by the rules of ericw-tools' light. Source: light/entities.cc of ericw-tools.
#include "bake/light/lamps/ericw.h"

#include "core/curves.h"
#include "query/open_sky.h"

#include <math.h>

#define RINGS 4u   // of directions of half a sky
#define AROUND 16u // in each
#define BLUR 64u   // directions of a sun that has a width

// Adds a sun whose directions are up to so many degrees off, in yaw and in pitch.
static bool add_sun(bspi_ericw *e, bspi_lamp *lamp, float width, bsp_error *error) {
    const float *axis = lamp->direction;
    float turn = bspi_angle_of(axis[1], axis[0]);
    float height = bspi_angle_of(axis[2], sqrtf(axis[0] * axis[0] + axis[1] * axis[1]));
    uint32_t count = width != 0 ? BLUR : 1;
    bool done = true;
    lamp->kind = BSPI_LAMP_SUN;
    lamp->grazes = BSPI_ERICW_GRAZES;
    lamp->light /= (float)count;
    width = bspi_radians(width);
    for (uint32_t i = 0; i < count && done; i++) {
        if (i != 0) {
            float aside = turn + bspi_random_next(&e->random) * width;
            float above = height + bspi_random_next(&e->random) * width;
            lamp->direction[0] = bspi_cosine(aside) * bspi_cosine(above);
            lamp->direction[1] = bspi_sine(aside) * bspi_cosine(above);
            lamp->direction[2] = bspi_sine(above);
        }
        done = bspi_lamp_add(e->own, lamp, error);
    }
    return done;
}

// Returns the first of some keys of the world that is there, or the last one.
static const char *first_of(const bspi_ericw *e, const char *const names[3]) {
    int at = 0;
    while (at < 2 && names[at + 1] != NULL && bspi_key(e->world, names[at]).size == 0) {
        at++;
    }
    return names[at];
}

// The names that keys of a sun of the world have.
typedef struct sun_keys {
    const char *light[3];
    const char *turns[3];
    const char *color[3];
} sun_keys;

static bool add_world_sun(bspi_ericw *e, const sun_keys *keys, bsp_error *error) {
    bspi_lamp lamp = {.outer = -2, .angle = e->angle, .direction = {0, 0, -1}, .switches = true};
    float turns[3] = {0, 0, 0};
    lamp.light = bspi_key_number(e->world, first_of(e, keys->light), 0);
    if (lamp.light == 0) {
        return true;
    }
    if (bspi_numbers(bspi_key(e->world, first_of(e, keys->turns)), turns, 3) >= 1) {
        bspi_light_look((double)turns[1], (double)turns[0], lamp.direction);
    }
    (void)bspi_key_color(e->world, first_of(e, keys->color), lamp.color);
    lamp.dirty = bspi_ericw_dirty(e, bspi_key_number(e->world, "_sunlight_dirt", 0));
    float width = bspi_key_number(e->world, "_sunlight_penumbra", 0);
    return add_sun(e, &lamp, fmaxf(0, fminf(180, width)), error);
}

// Adds the light of half a sky, `down` from above: rings of directions, and one straight down.
// Source: light/entities.cc of ericw-tools, with its 64 samples.
static bool add_dome(bspi_ericw *e, bspi_lamp *lamp, float down, bsp_error *error) {
    float turn = 0;
    lamp->kind = BSPI_LAMP_SUN;
    lamp->grazes = BSPI_ERICW_GRAZES;
    lamp->light /= (float)(RINGS * AROUND + 1);
    for (uint32_t ring = 0; lamp->light > 0 && ring < RINGS; ring++) {
        float height = bspi_radians(((float)ring + 0.5f) * (90.0f / (RINGS + 1)));
        for (uint32_t i = 0; i < AROUND; i++) {
            lamp->direction[0] = bspi_cosine(turn) * bspi_cosine(height);
            lamp->direction[1] = bspi_sine(turn) * bspi_cosine(height);
            lamp->direction[2] = -down * bspi_sine(height);
            turn += bspi_radians(360.0f / AROUND);
            if (!bspi_lamp_add(e->own, lamp, error)) {
                return false;
            }
        }
        turn += bspi_radians(360.0f / AROUND / RINGS);
    }
    lamp->direction[0] = lamp->direction[1] = 0;
    lamp->direction[2] = -down;
    return !(lamp->light > 0) || bspi_lamp_add(e->own, lamp, error);
}

static bool add_world_dome(bspi_ericw *e, const char *light, const char *color, const char *other,
                           float down, bsp_error *error) {
    bspi_lamp lamp = {.outer = -2, .angle = e->angle, .switches = true};
    lamp.light = bspi_key_number(e->world, light, 0);
    if (!bspi_key_color(e->world, color, lamp.color)) {
        (void)bspi_key_color(e->world, other, lamp.color);
    }
    lamp.dirty = bspi_ericw_dirty(e, bspi_key_number(e->world, "_sunlight2_dirt", 0));
    return add_dome(e, &lamp, down, error);
}

// Shines out of one texture alone, if the map has that.
static bool set_texture(const bspi_ericw *e, const bsp_entity *entity, bspi_lamp *lamp,
                        bsp_error *error) {
    uint32_t material;
    bool done = bspi_material_named(e->own, bspi_key(entity, "_suntexture"), &material, error);
    lamp->sky = material != BSP_NONE ? material + 1 : 0;
    return done;
}

// A light with "_sun" is one of the whole sky (arghrad's key), as is one with "_sunlight2" or
// "_sunlight3" from all of a half of it.
static bool add_entity_sun(void *user, const bsp_entity *entity, bsp_error *error) {
    bspi_ericw *e = user;
    bspi_lamp lamp = bspi_ericw_lamp(e, entity);
    float mangle[3];
    (void)bspi_key_point(entity, "origin", lamp.origin);
    if (!bspi_ericw_is_sky(entity) || !(lamp.light > 0)) {
        return true;
    }
    if (!set_texture(e, entity, &lamp, error)) {
        return false;
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
    bool wide = bspi_key_whole(entity, "_samples", 16, 0, 2) != 1;
    float width = wide ? bspi_key_number(entity, "_deviance", 0) : 0;
    return add_sun(e, &lamp, fmaxf(0, width), error);
}

bool bspi_ericw_skies(bspi_ericw *e, bsp_error *error) {
    static const sun_keys suns[] = {
        {{"_sunlight", "_sun_light", NULL},
         {"_sunlight_mangle", "_sun_mangle", "_sun_angle"},
         {"_sunlight_color", "_sun_color", NULL}},
        {{"_sun2", NULL, NULL}, {"_sun2_mangle", NULL, NULL}, {"_sun2_color", NULL, NULL}},
    };
    if (!bspi_lights_each(e->own, add_entity_sun, e, error)) {
        return false;
    }
    for (size_t i = 0; e->world != NULL && i < sizeof suns / sizeof *suns; i++) {
        if (!add_world_sun(e, &suns[i], error)) {
            return false;
        }
    }
    return e->world == NULL ||
           (add_world_dome(e, "_sunlight2", "_sunlight2_color", "_sunlight_color2", 1, error) &&
            add_world_dome(e, "_sunlight3", "_sunlight3_color", "_sunlight_color3", -1, error));
}
