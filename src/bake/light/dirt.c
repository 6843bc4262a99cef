// SPDX-License-Identifier: MIT
// Corners: light is weaker where something is near, on all sides of the normal. Facts: sheet bake,
// 3.2.
#include "bake/light/lamp.h"
#include "bake/light/places.h"
#include "bake/light/shadow.h"

#include "core/curves.h"
#include "core/vector.h"

#include <math.h>

#define AROUND 16u // directions around the normal
#define HEIGHTS 3u // and between it and the surface
#define RADIANS ((float)BSPI_PI / 180)

// The directions of lines where z is the normal.
static void fill_directions(const bspi_relight *own, float directions[AROUND * HEIGHTS][3]) {
    for (uint32_t i = 0; i < AROUND * HEIGHTS; i++) {
        float turn = (float)(i / HEIGHTS) * 360 / AROUND * RADIANS;
        float step = own->scale.dirt_angle / HEIGHTS;
        float height = step * ((float)(i % HEIGHTS) + 0.5f) * RADIANS;
        float ring = bspi_sine(height);
        directions[i][0] = ring * bspi_cosine(turn);
        directions[i][1] = ring * bspi_sine(turn);
        directions[i][2] = bspi_cosine(height);
    }
}

// Returns what is near, 0..1.
static float near_part(bspi_relight *own, const float directions[AROUND * HEIGHTS][3],
                       const float point[3], const float normal[3]) {
    float reach = own->scale.dirt_depth;
    float up[3];
    float side[3];
    float sum = 0;
    bspi_frame_of(normal, up, side);
    for (uint32_t i = 0; i < AROUND * HEIGHTS; i++) {
        const float *d = directions[i];
        float to[3];
        for (int c = 0; c < 3; c++) {
            to[c] = side[c] * d[0] + up[c] * d[1] + normal[c] * d[2];
        }
        sum += bspi_shadow_distance(own, point, to, reach);
    }
    return 1 - sum / ((float)(AROUND * HEIGHTS) * reach);
}

// Finds the place of a luxel that stands for all in it: the lit one that is nearest to the middle.
static uint32_t middle_of(const bspi_places *places, uint32_t luxel) {
    uint32_t extra = places->extra;
    uint32_t width = places->width * extra;
    uint32_t first = luxel / places->width * extra * width + luxel % places->width * extra;
    uint32_t best = BSP_NONE;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < extra * extra; i++) {
        uint32_t n = first + i / extra * width + i % extra;
        uint32_t x = 2 * (i % extra) + 1;
        uint32_t y = 2 * (i / extra) + 1;
        uint32_t away = (x > extra ? x - extra : extra - x) + (y > extra ? y - extra : extra - y);
        if (places->lit[n] && away < least) {
            least = away;
            best = n;
        }
    }
    return best;
}

static void set_luxel(const bspi_places *places, uint32_t luxel, float near) {
    uint32_t extra = places->extra;
    uint32_t width = places->width * extra;
    uint32_t first = luxel / places->width * extra * width + luxel % places->width * extra;
    for (uint32_t i = 0; i < extra * extra; i++) {
        places->near[first + i / extra * width + i % extra] = near;
    }
}

float bspi_place_open(const bspi_relight *own, const bspi_places *places, uint32_t place,
                      const bspi_lamp *lamp) {
    float gain = own->scale.dirt_gain;
    float factor = own->scale.dirt_scale;
    if (lamp != NULL) {
        gain = lamp->dirt_gain != 0 ? lamp->dirt_gain : gain;
        factor = lamp->dirt_scale != 0 ? lamp->dirt_scale : factor;
    }
    float near = places->near[place];
    if (!(near > 0)) {
        return 1;
    }
    near = gain == 1 ? near : fminf(1, bspi_power(near, gain));
    near = fminf(1, near * factor);
    if (lamp != NULL && lamp->dirt_on > lamp->dirt_off && lamp->kind == BSPI_LAMP_PLACED) {
        float way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = lamp->origin[c] - places->points[place][c];
        }
        float past = sqrtf(bspi_dot(way, way)) - lamp->dirt_off;
        near *= fmaxf(0, fminf(1, past / (lamp->dirt_on - lamp->dirt_off)));
    }
    return 1 - fmaxf(0, near);
}

// Corners change little within a luxel: one place of each is looked around from.
bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error) {
    float directions[AROUND * HEIGHTS][3];
    uint32_t luxels = places->width * places->height;
    places->near = bspi_heap_alloc(&own->heap, places->count * sizeof *places->near, error);
    if (places->near == NULL ||
        !bspi_heap_work(&own->heap, (uint64_t)luxels * AROUND * HEIGHTS, error)) {
        return false;
    }
    fill_directions(own, directions);
    for (uint32_t n = 0; n < luxels; n++) {
        uint32_t place = middle_of(places, n);
        set_luxel(places, n,
                  place == BSP_NONE ? 0
                                    : near_part(own, (const float(*)[3])directions,
                                                places->points[place], places->normals[place]));
    }
    return true;
}
