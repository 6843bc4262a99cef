// SPDX-License-Identifier: MIT
// Lamps by the rules of Source's vrad: those that it left in the map (WORLDLIGHTS), which name what
// gave light in linear units, or those of entities that the caller gives. Formulas: sheet
// bake, 3.2.
#include "bake/light/keys.h"

#include "core/curves.h"
#include "core/text.h"
#include "query/masks.h"
#include "query/world_light.h"

#include <math.h>
#include <string.h>

#define GATE 1e-5f // of full: what is weaker is left out
#define RADIANS (3.14159265358979f / 180)

static bool add_world_light(bspi_relight *own, const bsp_world_light *light, bsp_error *error) {
    bspi_lamp lamp = {.outer = -2, .light = 1, .angle = 1, .style = light->style, .world = light};
    memcpy(lamp.origin, light->origin, sizeof lamp.origin);
    memcpy(lamp.direction, light->normal, sizeof lamp.direction);
    memcpy(lamp.color, light->intensity, sizeof lamp.color);
    lamp.fade = BSPI_FADE_WORLD;
    lamp.kind = light->type == BSPI_WORLD_SUN   ? BSPI_LAMP_SUN
                : light->type == BSPI_WORLD_SKY ? BSPI_LAMP_SKY
                                                : BSPI_LAMP_PLACED;
    lamp.emits = light->type == BSPI_WORLD_SURFACE ? 1 : 0;
    lamp.reach = light->radius > 0 ? light->radius : 0;
    bool known = light->type <= BSPI_WORLD_SUN || light->type == BSPI_WORLD_SKY;
    bool finite = isfinite(lamp.color[0]) && isfinite(lamp.color[1]) && isfinite(lamp.color[2]);
    return !known || !finite || bspi_lamp_add(own, &lamp, error);
}

// --- entities -----------------------------------------------------------------------------------

// Reads "r g b brightness", as displayed, into linear light. False without the key.
static bool read_light(const bsp_entity *entity, const char *key, float out[3]) {
    float v[4] = {0, 0, 0, 255};
    int count = bspi_numbers(bsp_entity_value(entity, key), v, 4);
    for (int c = 0; c < 3; c++) {
        float part = (count == 1 ? v[0] : v[c]) / 255;
        out[c] = part > 0 ? bspi_power(part, 2.2f) * v[3] / 255 : 0;
    }
    return count == 1 || count >= 3;
}

// What is given applies at 100 units.
static void read_fade(const bsp_entity *entity, bsp_world_light *light) {
    light->constant_attn = bspi_number(entity, "_constant_attn", 0);
    light->linear_attn = bspi_number(entity, "_linear_attn", 0);
    light->quadratic_attn = bspi_number(entity, "_quadratic_attn", 0);
    float at = light->constant_attn + 100 * light->linear_attn + 10000 * light->quadratic_attn;
    if (!(at > 0)) {
        light->constant_attn = at = 1;
        light->linear_attn = light->quadratic_attn = 0;
    }
    for (int c = 0; c < 3; c++) {
        light->intensity[c] *= at;
    }
}

static void aim(const bspi_relight *own, const bsp_entity *entity, bsp_world_light *light) {
    float angles[3];
    (void)bspi_key_point(entity, "angles", angles);
    if (!bspi_aim_at(own, entity, light->origin, light->normal)) {
        float pitch = bspi_number(entity, "pitch", 0);
        bspi_light_look((double)(pitch != 0 ? pitch : angles[0]), (double)angles[1], light->normal);
    }
}

static bool add_entity(bspi_relight *own, const bsp_entity *entity, bsp_error *error) {
    bsp_text class = bsp_entity_value(entity, "classname");
    bool spot = bspi_text_is(class, "light_spot");
    bool sky = bspi_text_is(class, "light_environment");
    bsp_world_light *light = bspi_arena_zero(&own->arena, 2, sizeof *light, error);
    if (light == NULL || !(spot || sky || bspi_text_is(class, "light")) ||
        !read_light(entity, "_light", light->intensity)) {
        return light != NULL;
    }
    light->type = spot ? BSPI_WORLD_SPOT : sky ? BSPI_WORLD_SUN : BSPI_WORLD_POINT;
    light->style = bspi_key_whole(entity, "style", 0, -1, 255);
    (void)bspi_key_point(entity, "origin", light->origin);
    if (spot || sky) {
        aim(own, entity, light);
    }
    if (sky) {
        light[1] = light[0];
        light[1].type = BSPI_WORLD_SKY;
        return add_world_light(own, light, error) &&
               (!read_light(entity, "_ambient", light[1].intensity) ||
                add_world_light(own, &light[1], error));
    }
    float cone = bspi_number(entity, "_cone", 45);
    float inner = bspi_number(entity, "_inner_cone", cone);
    light->stopdot = bspi_cosine((inner < cone ? inner : cone) * RADIANS);
    light->stopdot2 = bspi_cosine(cone * RADIANS);
    light->exponent = bspi_number(entity, "_exponent", 1);
    read_fade(entity, light);
    return add_world_light(own, light, error);
}

// --- all ----------------------------------------------------------------------------------------

static bool add_entities(bspi_relight *own, bsp_error *error) {
    const bsp_entities *entities = own->options->lights;
    for (uint32_t i = 0; i < entities->count; i++) {
        if (!add_entity(own, &entities->list[i], error)) {
            return false;
        }
    }
    return true;
}

bool bspi_lamps_vrad(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bool high = own->relight.hdr && map->num_world_lights_hdr != 0;
    high = high || map->num_world_lights == 0;
    const bsp_world_light *lights = high ? map->world_lights_hdr : map->world_lights;
    uint32_t count = high ? map->num_world_lights_hdr : map->num_world_lights;
    own->scale = (bspi_light_scale){
        .gain = 1, .lift = 1, .gate = GATE, .mask = BSPI_OPAQUE, .bounces = 8, .bounce = 1};
    if (own->options->lights != NULL) {
        return add_entities(own, error);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_world_light(own, &lights[i], error)) {
            return false;
        }
    }
    return true;
}
