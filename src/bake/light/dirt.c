// SPDX-License-Identifier: MIT
// Corners: light is weaker where something is near, on all sides of the normal. Facts: sheet bake,
// 3.2.
#include "bake/light/relight.h"

#include "core/curves.h"
#include "core/vector.h"

#include <math.h>

#define AROUND 16u // directions around the normal
#define HEIGHTS 3u // and between it and the surface
#define RADIANS (3.14159265358979f / 180)

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

bool bspi_places_dirt(bspi_relight *own, bspi_places *places, bsp_error *error) {
    const bspi_light_scale *scale = &own->scale;
    float directions[AROUND * HEIGHTS][3];
    places->open = bspi_heap_alloc(&own->heap, places->count * sizeof *places->open, error);
    if (places->open == NULL ||
        !bspi_heap_work(&own->heap, (uint64_t)places->count * AROUND * HEIGHTS, error)) {
        return false;
    }
    fill_directions(own, directions);
    for (uint32_t n = 0; n < places->count; n++) {
        float near = places->lit[n] ? near_part(own, (const float(*)[3])directions,
                                                places->points[n], places->normals[n])
                                    : 0;
        near = near > 0 ? fminf(1, bspi_power(near, scale->dirt_gain)) * scale->dirt_scale : 0;
        places->open[n] = 1 - fminf(1, fmaxf(0, near));
    }
    return true;
}
