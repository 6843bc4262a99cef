// SPDX-License-Identifier: MIT
// Direct light of the lights that Source's light compiler stored. Its rules: sheet light,
// section 3.
#include "core/curves.h"
#include "map/needs.h"
#include "query/collide.h"
#include "query/masks.h"
#include "query/open_sky.h"
#include "query/world_light.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SKY_RAYS 256u // for the light of the whole sky

typedef struct lit {
    const bsp_trace_index *index;
    const float *point;
    const float *normal; // or NULL
} lit;

static float cosine(const float *normal, const float direction[3]) {
    return normal == NULL ? 1 : bspi_dot(normal, direction);
}

// --- shadows -------------------------------------------------------------------------------------

static bool reaches(const lit *l, const float to[3]) {
    bsp_trace_input in = {.mask = BSPI_OPAQUE};
    bsp_trace_result out;
    memcpy(in.start, l->point, sizeof in.start);
    memcpy(in.end, to, sizeof in.end);
    bsp_trace(l->index, &in, &out);
    return out.fraction == 1 && !out.start_solid;
}

static bool sees_sky(const lit *l, const float direction[3]) {
    float at[3];
    return bspi_sees_sky(l->index, BSPI_OPAQUE, l->point, direction, at);
}

// Returns how much of the sky a surface sees, by the cosine of its directions; without a normal all
// directions count alike.
static float sky_part(const lit *l) {
    float sum = 0;
    float seen = 0;
    for (uint32_t i = 0; i < SKY_RAYS; i++) {
        float direction[3];
        bspi_dome_direction(i, SKY_RAYS, -1, direction);
        float weight = cosine(l->normal, direction);
        if (weight > 0) {
            sum += weight;
            seen += sees_sky(l, direction) ? weight : 0;
        }
    }
    return sum > 0 ? seen / sum : 0;
}

// --- one light -----------------------------------------------------------------------------------

// Between the cones the exponent fades; 0 is taken as 1, as the engine has it.
static float cone(const bsp_world_light *light, float out) {
    if (out <= light->stopdot2) {
        return 0;
    }
    float width = light->stopdot - light->stopdot2;
    float fringe = out >= light->stopdot || width <= 0 ? 1 : (out - light->stopdot2) / width;
    float exponent = light->exponent == 0 ? 1 : light->exponent;
    return out * bspi_power(fringe, exponent);
}

float bspi_world_light_at(const bsp_world_light *light, const float point[3], float direction[3],
                          float *distance) {
    float square = 0;
    for (int i = 0; i < 3; i++) {
        direction[i] = light->origin[i] - point[i];
        square += direction[i] * direction[i];
    }
    float length = sqrtf(square);
    *distance = length;
    for (int i = 0; i < 3; i++) {
        direction[i] = length > 0 ? direction[i] / length : 0;
    }
    float d = length > 1 ? length : 1;
    float out = -bspi_dot(light->normal, direction);
    float by = light->constant_attn + light->linear_attn * d + light->quadratic_attn * d * d;
    if (light->type > BSPI_WORLD_SPOT || (light->radius > 0 && length > light->radius)) {
        return 0;
    }
    if (light->type == BSPI_WORLD_SURFACE) {
        return out > 0 ? out / (d * d) : 0;
    }
    return by <= 0 ? 0 : (light->type == BSPI_WORLD_SPOT ? cone(light, out) : 1) / by;
}

// Returns the factor of a light that stands somewhere.
static float placed_factor(const bsp_world_light *light, const lit *l, bsp_light_part *part) {
    float factor = bspi_world_light_at(light, l->point, part->direction, &part->distance);
    float angle = cosine(l->normal, part->direction);
    return angle > 0 ? factor * angle : 0;
}

static bool add_light(const bsp_world_light *light, const lit *l, bsp_light_part *part) {
    float factor = 1;
    if (light->type == BSPI_WORLD_SUN) {
        for (int i = 0; i < 3; i++) {
            part->direction[i] = -light->normal[i];
        }
        factor = cosine(l->normal, part->direction);
    } else if (light->type != BSPI_WORLD_SKY) {
        factor = placed_factor(light, l, part);
    }
    if (!(factor > 0)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        part->rgb[c] = light->intensity[c] * factor;
    }
    part->seen = light->type == BSPI_WORLD_SKY   ? sky_part(l)
                 : light->type == BSPI_WORLD_SUN ? (sees_sky(l, part->direction) ? 1.0f : 0.0f)
                                                 : (reaches(l, light->origin) ? 1.0f : 0.0f);
    return true;
}

uint32_t bsp_query_lights(const bsp_trace_index *index, bool hdr, const float point[3],
                          const float *normal, bsp_light_part *parts, uint32_t room) {
    assert(index != NULL && point != NULL);
    assert(parts != NULL || room == 0);
    const bsp_map *map = index->map;
    assert(bspi_map_has(map, BSP_LOAD_LIGHT));
    bool high = map->num_world_lights == 0 || (hdr && map->num_world_lights_hdr != 0);
    const bsp_world_light *lights = high ? map->world_lights_hdr : map->world_lights;
    uint32_t count = high ? map->num_world_lights_hdr : map->num_world_lights;
    const lit l = {index, point, normal};
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        bsp_light_part part = {.light = i};
        if (add_light(&lights[i], &l, &part)) {
            if (found < room) {
                parts[found] = part;
            }
            found++;
        }
    }
    return found;
}
