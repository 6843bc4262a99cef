// SPDX-License-Identifier: MIT
// Lamps by the rules of Source's vrad: those that it left in the map (WORLDLIGHTS), which name what
// gave light in linear units, or those of entities that the caller gives. Formulas: sheet
// bake, 3.2.
#include "bake/light/base/keys.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/vrad_entity.h"

#include "query/masks.h"
#include "query/world_light.h"

#include <math.h>
#include <string.h>

#define GATE 1e-5f   // of full: what is weaker is left out
#define BEFORE 0.25f // units: traces stop 1/32 before a brush, vrad's do not

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

static void aim(const bspi_relight *own, const bsp_entity *entity, bsp_world_light *light) {
    float angles[3];
    (void)bspi_key_point(entity, "angles", angles);
    if (!bspi_aim_at(own, entity, light->origin, light->normal)) {
        float pitch = bspi_number(entity, "pitch", 0);
        bspi_light_look((double)(pitch != 0 ? pitch : angles[0]), (double)angles[1], light->normal);
    }
}

static bool add_entity(bspi_relight *own, const bsp_entity *entity, bsp_error *error) {
    bsp_world_light *light = bspi_arena_zero(&own->arena, 2, sizeof *light, error);
    if (light == NULL || !bspi_vrad_light(entity, own->relight.hdr, light)) {
        return light != NULL;
    }
    (void)bspi_key_point(entity, "origin", light->origin);
    if (light->type != BSPI_WORLD_POINT) {
        aim(own, entity, light);
    }
    if (light->type == BSPI_WORLD_SUN) {
        light[1] = light[0];
        light[1].type = BSPI_WORLD_SKY;
        bspi_vrad_sky(entity, own->relight.hdr, light[1].intensity);
    }
    return add_world_light(own, light, error) &&
           (light->type != BSPI_WORLD_SUN || add_world_light(own, &light[1], error));
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
    own->scale = (bspi_light_scale){.curve = {.gain = 1},
                                    .lift = 1,
                                    .before = BEFORE,
                                    .gate = GATE,
                                    .mask = BSPI_OPAQUE,
                                    .bounces = 100,
                                    .bounce = 1,
                                    .vrad = bspi_vrad_rules_of(own),
                                    .cells = true};
    own->relight.release = own->scale.vrad->year;
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
