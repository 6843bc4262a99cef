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

#define GATE 1e-5f           // of full: what is weaker is left out
#define AMBIENT (0.1f / 255) // light of all places of a map without visibility
#define BEFORE 0.25f         // units: traces stop 1/32 before a brush, vrad's do not

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
    if (!bspi_aim_at(own, entity, light->origin, light->normal)) {
        bspi_vrad_look(entity, light->normal);
    }
}

// Writes the lights of an entity, of which there are at most two; of several suns the compiler
// takes the first. Returns how many.
static uint32_t take_entity(const bspi_relight *own, const bsp_entity *entity, bool *sun,
                            bsp_world_light light[2]) {
    bsp_world_light taken = {0};
    if (!bspi_vrad_light(entity, own->relight.hdr, &taken) ||
        (taken.type == BSPI_WORLD_SUN && *sun)) {
        return 0;
    }
    (void)bspi_key_point(entity, "origin", taken.origin);
    uint32_t leaf = bsp_trace_leaf(own->index, taken.origin);
    taken.cluster = leaf < own->map->num_leaves ? own->map->leaves[leaf].cluster : BSP_NONE;
    light[0] = taken;
    if (taken.type != BSPI_WORLD_POINT) {
        aim(own, entity, light);
    }
    if (taken.type != BSPI_WORLD_SUN) {
        return 1;
    }
    *sun = true;
    light[1] = taken;
    light[1].type = BSPI_WORLD_SKY;
    bspi_vrad_sky(entity, own->relight.hdr, light[1].intensity);
    return 2;
}

// --- all ----------------------------------------------------------------------------------------

// The lights of the caller's entities, and what the list has of surfaces, which no entity tells.
static bool take_entities(bspi_relight *own, const bsp_world_light *old, uint32_t num_old,
                          bsp_error *error) {
    const bsp_entities *entities = own->options->lights;
    size_t most = num_old;
    for (uint32_t i = 0; i < entities->count; i++) {
        bsp_world_light light = {0};
        most += bspi_vrad_light(&entities->list[i], own->relight.hdr, &light) ? 2 : 0;
    }
    bsp_world_light *list = bspi_arena_zero(&own->arena, most, sizeof *list, error);
    uint32_t count = 0;
    if (list == NULL || !bspi_heap_work(&own->heap, (uint64_t)entities->count + num_old, error)) {
        return false;
    }
    bool sun = false;
    for (uint32_t i = 0; i < entities->count; i++) {
        count += take_entity(own, &entities->list[i], &sun, list + count);
    }
    for (uint32_t i = 0; i < num_old; i++) {
        if (old[i].type == BSPI_WORLD_SURFACE) {
            list[count++] = old[i];
        }
    }
    own->listed = list;
    own->num_listed = count;
    return true;
}

// Counts lights of entities that are not where the compiler had one.
static bool count_unlisted(bspi_relight *own, const bsp_world_light *list, uint32_t count,
                           bsp_error *error) {
    const bsp_entities *entities = own->map->entities;
    for (uint32_t i = 0; i < entities->count; i++) {
        bsp_world_light light = {0};
        if (!bspi_vrad_light(&entities->list[i], own->relight.hdr, &light) ||
            light.type == BSPI_WORLD_SUN ||
            light.intensity[0] + light.intensity[1] + light.intensity[2] <= 0) {
            continue;
        }
        if (!bspi_heap_work(&own->heap, count, error)) {
            return false;
        }
        (void)bspi_key_point(&entities->list[i], "origin", light.origin);
        bool listed = false;
        for (uint32_t n = 0; n < count && !listed; n++) {
            listed = bspi_vrad_is_at(&list[n], light.type, light.origin);
        }
        own->relight.num_unlisted += !listed;
    }
    return true;
}

bool bspi_lamps_vrad(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bool high = own->relight.hdr && map->num_world_lights_hdr != 0;
    high = high || map->num_world_lights == 0;
    const bsp_world_light *lights = high ? map->world_lights_hdr : map->world_lights;
    uint32_t count = high ? map->num_world_lights_hdr : map->num_world_lights;
    bool blind = map->visibility.num_clusters == 0;
    own->scale = (bspi_light_scale){.curve = {.gain = 1},
                                    .lift = 1,
                                    .before = BEFORE,
                                    .gate = GATE,
                                    .mask = BSPI_OPAQUE,
                                    .bounces = blind ? 0 : 100,
                                    .ambient = blind ? AMBIENT : 0,
                                    .bounce = 1,
                                    .vrad = bspi_vrad_rules_of(own),
                                    .cells = true};
    own->relight.release = own->scale.vrad->year;
    own->lists_high = high;
    if (own->options->lights != NULL) {
        if (!take_entities(own, lights, count, error)) {
            return false;
        }
        lights = own->listed;
        count = own->num_listed;
    } else if (map->entities != NULL && !count_unlisted(own, lights, count, error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!add_world_light(own, &lights[i], error)) {
            return false;
        }
    }
    return true;
}
