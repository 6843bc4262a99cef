// SPDX-License-Identifier: MIT
// Lights of the entities. The compilers' own formulas (sheets entities and light; q3map2: a point
// light has 7500 photons per unit of "light"; vrad: "_light" applies at 100 units) are converted to
// candela, which fade by the square of the distance, as export.h says: a surface of albedo 1 that
// receives pi lux is full white.
#include "export/light.h"

#include "core/curves.h"
#include "core/search.h"
#include "core/text.h"

#include "export/entity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FULL_BYTE 255.0
#define GAMMA 2.2
#define PHOTONS 7500.0 // Quake 3: of a point light, per unit of "light"
#define OVERBRIGHT 4.0 // Quake 3: the engine's shift by two bits
#define FIT 256.0      // units at which a light that fades otherwise is as bright as by the square
#define NEUTRAL 128.0  // Quake: the luxel that shows a texture unchanged
#define DEFAULT_LIGHT 300.0F
#define DEFAULT_RADIUS 64.0F // Quake 3: of a spotlight's circle at its target
#define MIN_CONE 1e-3
#define MAX_CONE (89.9 * BSPI_DEGREE)

static bool is_light_class(bsp_text name) {
    bsp_text start = {name.data, name.size < 6 ? name.size : 6};
    return bspi_text_is(name, "light") || bspi_text_is(start, "light_") ||
           bspi_text_is(name, "lightJunior");
}

double bspi_light_hue(float color[3]) {
    float most = fmaxf(color[0], fmaxf(color[1], color[2]));
    for (int i = 0; i < 3; i++) {
        color[i] = most > 0 && color[i] > 0 ? color[i] / most : most > 0 ? 0 : 1;
    }
    return most > 0 ? (double)most : 0;
}

// Reads "_light" "r g b brightness", 0..255 as displayed; a single number is a brightness.
static double read_bright(const bsp_entity *entity, bspi_light *out) {
    float v[4] = {255, 255, 255, 200};
    bsp_text value = bsp_entity_value(entity, "_light");
    value = value.size != 0 ? value : bsp_entity_value(entity, "light");
    int count = bspi_numbers(value, v, 4);
    if (count == 1) {
        v[3] = v[0];
        v[0] = v[1] = v[2] = 255;
    }
    for (int i = 0; i < 3; i++) {
        double part = v[i] > 0 ? (double)v[i] / FULL_BYTE : 0;
        out->color[i] = (float)pow(part < 1e6 ? part : 1e6, GAMMA);
    }
    double most = bspi_light_hue(out->color);
    return v[3] > 0 ? most * (double)v[3] / FULL_BYTE : 0;
}

// Reads "light" (or "_light") as a number and "_color" separately, 0..1 or 0..255, whose brightness
// has no meaning.
static double read_plain(const bsp_entity *entity, bspi_light *out) {
    float v[3] = {1, 1, 1};
    bsp_text color = bsp_entity_value(entity, "_color");
    (void)bspi_numbers(color.size != 0 ? color : bsp_entity_value(entity, "color"), v, 3);
    memcpy(out->color, v, sizeof v);
    (void)bspi_light_hue(out->color);
    float light = bspi_number(entity, "light", bspi_number(entity, "_light", DEFAULT_LIGHT));
    return light > 0 ? (double)light : 0;
}

float bspi_light_sun(bsp_falloff falloff, double light) {
    double lux = BSPI_PI * light;
    if (falloff == BSP_FALLOFF_LINE) {
        lux = light > 0 ? BSPI_PI * pow(light / NEUTRAL, GAMMA) : 0;
    } else if (falloff == BSP_FALLOFF_PHOTONS) {
        lux = BSPI_PI * OVERBRIGHT * light / FULL_BYTE;
    }
    float result = (float)lux;
    return isfinite(result) && result > 0 ? result : 0;
}

bsp_falloff bspi_light_falloff(const bsp_map *map) {
    return map->traits->lights.falloff;
}

// Returns the brightness, times the square of the distance, of a light that states 1.
static double read_square(const bsp_entity *entity, float unit) {
    float attn[3];
    double at = (double)bspi_light_fade(entity, attn);
    double by = (double)attn[0] + FIT * ((double)attn[1] + FIT * (double)attn[2]);
    double square =
        at > 0 && by > 0 ? FIT * FIT * at / by : (double)BSPI_STATED_AT * (double)BSPI_STATED_AT;
    return square * (double)unit * (double)unit;
}

static void read_strength(const bsp_entity *entity, bsp_falloff kind, float scale,
                          bspi_light *out) {
    double unit = (double)scale;
    double strength = 0;
    double light = 0;
    switch (kind) {
    case BSP_FALLOFF_LINE:
        light = read_plain(entity, out);
        strength =
            BSPI_PI * pow(light / 2 / NEUTRAL, GAMMA) * (light / 2 * unit) * (light / 2 * unit);
        out->range = (float)(light * unit);
        break;
    case BSP_FALLOFF_PHOTONS:
        light = read_plain(entity, out) * (double)bspi_number(entity, "scale", 1);
        strength = BSPI_PI * OVERBRIGHT * PHOTONS * light / FULL_BYTE * unit * unit;
        break;
    case BSP_FALLOFF_HUNDRED:
        light = read_bright(entity, out);
        strength = BSPI_PI * light * read_square(entity, scale);
        break;
    }
    float result = (float)strength;
    out->intensity = isfinite(result) && result > 0 ? result : 0;
    if (out->kind == BSPI_LIGHT_SUN) {
        out->intensity = bspi_light_sun(kind, light);
    }
    bool ends = out->kind != BSPI_LIGHT_SUN && isfinite(out->range) && out->range > 0;
    out->range = ends ? out->range : 0;
}

// --- direction ----------------------------------------------------------------------------------

/// An entity by its targetname.
struct bspi_target {
    bsp_text name;
    const bsp_entity *entity;
};

// Sorts by name, then in the order of the file.
static int by_name(const void *left, const void *right) {
    const struct bspi_target *a = left;
    const struct bspi_target *b = right;
    int order = bspi_text_compare(a->name, b->name);
    return order != 0 ? order : (a->entity > b->entity) - (a->entity < b->entity);
}

bool bspi_targets_build(bspi_targets *targets, const bsp_entities *entities, bspi_arena *arena,
                        bsp_error *error) {
    uint32_t count = entities == NULL ? 0 : entities->count;
    struct bspi_target *list = bspi_arena_raw(arena, count, sizeof *list, error);
    *targets = (bspi_targets){list, 0};
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        bsp_text name = bsp_entity_value(&entities->list[i], "targetname");
        if (name.size != 0) {
            list[targets->count++] = (struct bspi_target){name, &entities->list[i]};
        }
    }
    if (targets->count != 0) {
        qsort(list, targets->count, sizeof *list, by_name);
    }
    return list != NULL;
}

const bsp_entity *bspi_target_of(const bspi_targets *targets, const bsp_entity *entity) {
    const struct bspi_target key = {.name = bsp_entity_value(entity, "target")};
    if (key.name.size == 0) {
        return NULL;
    }
    size_t at =
        bspi_lower_bound(&key, targets->list, targets->count, sizeof *targets->list, by_name);
    bool found = at < targets->count && bsp_text_equal(targets->list[at].name, key.name);
    return found ? targets->list[at].entity : NULL;
}

void bspi_light_look(double pitch, double yaw, float direction[3]) {
    direction[0] = (float)(cos(yaw * BSPI_DEGREE) * cos(pitch * BSPI_DEGREE));
    direction[1] = (float)(sin(yaw * BSPI_DEGREE) * cos(pitch * BSPI_DEGREE));
    direction[2] = (float)sin(pitch * BSPI_DEGREE);
}

static void read_angles(const bsp_entity *entity, float direction[3]) {
    float angles[3];
    float mangle[3] = {0, -90, 0}; // Quake: yaw and pitch
    if (bspi_has(entity, "mangle")) {
        (void)bspi_numbers(bsp_entity_value(entity, "mangle"), mangle, 3);
        bspi_light_look((double)mangle[1], (double)mangle[0], direction);
        return;
    }
    bsp_entity_angles(entity, angles);
    float angle = bspi_number(entity, "angle", 0);
    bool upright = !bspi_has(entity, "angles") && (angle == -1 || angle == -2);
    double pitch = upright ? (angle == -1 ? 90 : -90) : (double)angles[0];
    bspi_light_look((double)bspi_number(entity, "pitch", (float)pitch),
                    upright ? 0 : (double)angles[1], direction);
}

// Sets the direction to a target. Returns false if light and target are in one place.
static bool look_at(const bsp_entity *entity, const bsp_entity *target, bspi_light *out,
                    double *distance) {
    float from[3] = {0, 0, 0};
    float to[3] = {0, 0, 0};
    double square = 0;
    (void)bspi_numbers(bsp_entity_value(entity, "origin"), from, 3);
    (void)bspi_numbers(bsp_entity_value(target, "origin"), to, 3);
    for (int i = 0; i < 3; i++) {
        out->direction[i] = to[i] - from[i];
        square += (double)out->direction[i] * (double)out->direction[i];
    }
    *distance = sqrt(square);
    return square > 0 && isfinite((float)square);
}

static void set_cone(bspi_light *out, double inner, double outer) {
    outer = outer > MIN_CONE ? outer : MIN_CONE;
    outer = outer < MAX_CONE ? outer : MAX_CONE;
    inner = inner > 0 ? inner : 0;
    inner = inner < outer ? inner : outer * 0.999;
    out->cone[0] = (float)inner;
    out->cone[1] = (float)outer;
}

static void read_cone(const bsp_entity *entity, const bsp_light_rules *row, double distance,
                      bspi_light *out) {
    if (row->spread == NULL) { // a circle of a radius at the target
        double radius = (double)bspi_number(entity, "radius", DEFAULT_RADIUS);
        set_cone(out, 0, atan2(radius, distance > 0 ? distance : radius));
        return;
    }
    double cone = (double)bspi_number(entity, row->spread, 0) * row->spread_unit;
    cone = cone > 0 ? cone : (double)row->cone * row->spread_unit;
    // Source: "_inner_cone" and "_cone"; GoldSrc: "_cone" and "_cone2".
    double inner = (double)bspi_number(entity, "_inner_cone", (float)(cone * 0.8));
    double outer = (double)bspi_number(entity, "_cone2", (float)cone);
    set_cone(out, (inner < cone ? inner : cone) * BSPI_DEGREE,
             (outer > cone ? outer : cone) * BSPI_DEGREE);
}

bool bspi_light_of(const bsp_map *map, const bspi_targets *targets, const bsp_entity *entity,
                   float scale, bspi_light *out) {
    bsp_text name = bsp_entity_value(entity, "classname");
    if (!is_light_class(name)) {
        return false;
    }
    const bsp_light_rules *row = &map->traits->lights;
    const bsp_entity *target = bspi_target_of(targets, entity);
    double distance = 0;
    memset(out, 0, sizeof *out);
    bool aimed = target != NULL && look_at(entity, target, out, &distance);
    bool sun = bspi_text_is(name, "light_environment") || bspi_text_is(name, "light_directional") ||
               bspi_number(entity, "_sun", 0) == 1;
    bool spot = aimed || bspi_text_is(name, "light_spot") || bspi_has(entity, "mangle");
    out->kind = sun ? BSPI_LIGHT_SUN : spot ? BSPI_LIGHT_SPOT : BSPI_LIGHT_POINT;
    if (out->kind != BSPI_LIGHT_POINT && !aimed) {
        read_angles(entity, out->direction);
    }
    if (out->kind == BSPI_LIGHT_SPOT) {
        read_cone(entity, row, distance, out);
    }
    read_strength(entity, row->falloff, scale, out);
    return true;
}
