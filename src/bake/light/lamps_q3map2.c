// SPDX-License-Identifier: MIT
// Lamps by the rules of q3map2. Formulas: sheet bake, 3.2; netradiant-custom,
// tools/quake3/q3map2/light.cpp.
#include "bake/light/drawn.h"
#include "bake/light/keys.h"

#include "core/text.h"
#include "query/masks.h"

#include <math.h>
#include <string.h>

#define LIGHT 300.0f
#define POINT 7500.0f  // what a lamp gives for each unit of its light
#define LINEAR 8000.0f // a lamp that fades by distance alone gives light * POINT / LINEAR
#define NEAREST 16.0f  // units; nearer is not brighter
#define RADIUS 64.0f   // units, of a spot where its target is
#define WIDER 16.0f    // units that it is wider there
#define GATE 0.01f

#define FLAG_LINEAR 1u
#define FLAG_NO_ANGLE 2u
#define FLAG_AS_IT_IS 32u // its colour

typedef struct q3map2 {
    bspi_relight *own;
    bsp_error *error;
} q3map2;

// --- entities -----------------------------------------------------------------------------------

// Spreads a lamp over places around it: the same ones each time, evenly in a box.
static bool add_spread(const q3map2 *q, const bspi_lamp *lamp, const bsp_entity *entity) {
    static const float steps[3] = {0.8191725134f, 0.6710436067f, 0.5497004779f};
    uint32_t count = bspi_lamp_count(bspi_key_number(entity, "_samples", 1));
    float deviance = bspi_key_number(entity, "_deviance", 0);
    deviance = deviance != 0 ? deviance : bspi_key_number(entity, "_jitter", 0);
    for (uint32_t n = 0; n < count; n++) {
        bspi_lamp one = *lamp;
        one.light /= (float)count;
        for (int i = 0; i < 3 && n != 0 && deviance > 0; i++) {
            float part = 0.5f + steps[i] * (float)n;
            one.origin[i] += deviance * (2 * (part - floorf(part)) - 1);
        }
        if (!bspi_lamp_add(q->own, &one, q->error)) {
            return false;
        }
    }
    return true;
}

// Makes a lamp that has a target a spot. False: it is a sun, and added.
static bool aim(const q3map2 *q, const bsp_entity *entity, bspi_lamp *lamp, float light,
                bool *done) {
    const bsp_entity *at = bspi_target_of(&q->own->targets, entity);
    float place[3];
    *done = true;
    if (at == NULL || !bspi_key_point(at, "origin", place) ||
        !bspi_aim_at(q->own, entity, lamp->origin, lamp->direction)) {
        return true;
    }
    if (bspi_key_number(entity, "_sun", 0) != 0) {
        lamp->kind = BSPI_LAMP_SUN;
        lamp->light = light;
        *done = bspi_lamp_add_sun(q->own, lamp, bspi_key_number(entity, "_deviance", 0),
                                  bspi_key_number(entity, "_samples", 1), q->error);
        return false;
    }
    float square = 0;
    for (int i = 0; i < 3; i++) {
        square += (place[i] - lamp->origin[i]) * (place[i] - lamp->origin[i]);
    }
    float radius = bspi_key_number(entity, "_radius", RADIUS);
    lamp->widens = (fmaxf(radius > 0 ? radius : RADIUS, 0) + WIDER) / sqrtf(square);
    lamp->fade = BSPI_FADE_CLAMPED;
    lamp->light = light * POINT;
    lamp->angle = 1;
    return true;
}

static bool add_light(const q3map2 *q, const bsp_entity *entity) {
    uint32_t flags = (uint32_t)bspi_key_whole(entity, "_spawnflags", 0, 0, 65535);
    bspi_lamp lamp = {.outer = -2, .angle = 1, .wait = 1, .fade = BSPI_FADE_CLAMPED};
    float light = bspi_key_number(entity, "_light", LIGHT);
    float scale = bspi_key_number(entity, "_scale", 1);
    bool done;
    light = (light != 0 ? light : LIGHT) * (scale != 0 ? scale : 1);
    (void)bspi_numbers(bspi_key(entity, "_color"), lamp.color, 3);
    if ((flags & FLAG_AS_IT_IS) == 0 || bspi_key(entity, "_color").size == 0) {
        bspi_brightest(lamp.color);
    }
    (void)bspi_key_point(entity, "origin", lamp.origin);
    lamp.angle = (flags & (FLAG_LINEAR | FLAG_NO_ANGLE)) != 0 ? 0 : 1;
    lamp.range = NEAREST;
    lamp.light = light * POINT;
    if ((flags & FLAG_LINEAR) != 0) {
        float fade = bspi_key_number(entity, "_fade", 1);
        lamp.fade = BSPI_FADE_LINE;
        lamp.wait = fade != 0 ? fade : 1;
        lamp.light /= LINEAR;
        lamp.reach = fabsf(lamp.light / lamp.wait);
    }
    if (!aim(q, entity, &lamp, light, &done)) {
        return done;
    }
    lamp.reach = lamp.fade == BSPI_FADE_CLAMPED ? 0 : lamp.reach;
    return add_spread(q, &lamp, entity);
}

// --- the world ----------------------------------------------------------------------------------

static void read_world(bspi_relight *own, const bsp_entity *world) {
    float color[3] = {0, 0, 0};
    (void)bspi_numbers(bspi_key(world, "_color"), color, 3);
    if (color[0] == 0 && color[1] == 0 && color[2] == 0) {
        color[0] = color[1] = color[2] = 1;
    }
    float ambient = bspi_key_number(world, "_ambient", 0);
    float least = bspi_key_number(world, "_minlight", 0);
    float vertex = bspi_key_number(world, "_minvertexlight", least);
    float cell = bspi_key_number(world, "_mingridlight", least);
    float most = bspi_key_number(world, "_maxlight", 255);
    own->scale.cap = fminf(255, fmaxf(most, 1));
    for (int c = 0; c < 3; c++) {
        own->scale.base[c] = color[c] * ambient;
        own->scale.minimum[c] = color[c] * least;
        own->drawn->vertex_least[c] = color[c] * vertex;
        own->drawn->cell_least[c] = color[c] * cell;
    }
}

bool bspi_lamps_q3map2(bspi_relight *own, bsp_error *error) {
    const bsp_entities *entities = bspi_lit_entities(own);
    uint32_t count = entities == NULL ? 0 : entities->count;
    q3map2 q = {own, error};
    own->scale = (bspi_light_scale){.gain = 1,
                                    .full = 255,
                                    .cap = 255,
                                    .lift = 1,
                                    .gate = GATE,
                                    .mask = BSPI_SOLID_MASK,
                                    .bounce = 0.75f};
    if (count != 0) {
        read_world(own, &entities->list[0]);
    }
    for (uint32_t i = 1; i < count; i++) {
        const bsp_entity *entity = &entities->list[i];
        bsp_text name = bsp_entity_value(entity, "classname");
        if (bspi_text_begins_nocase(name, "light") && !bspi_text_is(name, "lightJunior") &&
            !add_light(&q, entity)) {
            return false;
        }
    }
    return bspi_lamps_shaders(own, error);
}
