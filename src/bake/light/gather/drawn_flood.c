// SPDX-License-Identifier: MIT
// Quake 3: light from everywhere (_floodlight, -floodlight): as much as lines around the normal go
// far. Source: netradiant-custom, tools/quake3/q3map2/light_ydnar.cpp (FloodLightForSample).
#include "bake/light/gather/drawn_around.h"
#include "bake/light/shadows/shade.h"

#include "core/curves.h"

#include <assert.h>
#include <math.h>

#define TURNS 16u  // lines around the normal,
#define HEIGHTS 4u // and between it and the surface
#define HEIGHT 22  // degrees between those
#define RADIANS ((float)BSPI_PI / 180)

float bspi_drawn_flooded(const bspi_relight *own, const float point[3], const float normal[3],
                         float reach, bool sky, uint64_t *steps) {
    float right[3];
    float up[3];
    float open = 0;
    const bspi_shade_rules rules = {.near = BSPI_SHADE_NEAR,
                                    .grid = sky,
                                    .beyond = sky,
                                    .bare = own->drawn->told.no_surfaces,
                                    .shares = true};
    static_assert(TURNS * HEIGHTS % BSPI_SHADE_LANES == 0, "lines are looked along by eights");
    bspi_shade_eight eight = {.lanes = (1u << BSPI_SHADE_LANES) - 1};
    bspi_drawn_axes(normal, right, up);
    for (uint32_t i = 0; i < TURNS * HEIGHTS; i++) {
        float turn = (float)(i / HEIGHTS) * 360 / TURNS * RADIANS;
        float height = ((float)(i % HEIGHTS) + 0.5f) * HEIGHT * RADIANS;
        float ring = bspi_sine(height) * reach;
        const float way[3] = {ring * bspi_cosine(turn), ring * bspi_sine(turn),
                              bspi_cosine(height) * reach};
        uint32_t lane = i % BSPI_SHADE_LANES;
        for (int k = 0; k < 3; k++) {
            eight.from[k][lane] = point[k];
            eight.to[k][lane] = point[k] + right[k] * way[0] + up[k] * way[1] + normal[k] * way[2];
        }
        if (lane + 1 != BSPI_SHADE_LANES) {
            continue;
        }
        bspi_shade_many(own, &rules, &eight, NULL);
        for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
            bool clear = (eight.clear >> n & 1) != 0;
            open += clear ? 1 : fminf(1, eight.share[n]);
        }
    }
    *steps += eight.steps;
    return open / (TURNS * HEIGHTS);
}

// Adds the light to that of places.
static bool add(const bspi_gather *g, const bspi_drawn_flood *flood, float (*sums)[3],
                bsp_error *error) {
    const bspi_places *places = g->places;
    bool free = g->own->models[places->model].unshaded;
    bool done = true;
    for (uint32_t n = 0; done && n < places->count; n++) {
        uint64_t steps = 0;
        if (!places->lit[n]) {
            continue;
        }
        float open = free ? 1
                          : bspi_drawn_flooded(g->own, places->points[n], places->normals[n],
                                               flood->reach, false, &steps);
        for (int c = 0; c < 3; c++) {
            sums[n][c] += flood->color[c] * open;
        }
        done = bspi_shade_pay(g->own, steps, error);
    }
    return done;
}

// That of a shader comes in place of the red of all, as there.
bool bspi_drawn_flood_add(bspi_gather *g, bsp_error *error) {
    bspi_drawn_flood all = g->own->drawn->flood;
    const bspi_drawn_flood *more = g->places->flood;
    float(*sums)[3] = all.on ? bspi_gather_sums(g, 0) : NULL;
    bool both = more != NULL && more->on;
    all.color[0] = both ? 0 : all.color[0];
    return sums == NULL || (add(g, &all, sums, error) && (!both || add(g, more, sums, error)));
}
