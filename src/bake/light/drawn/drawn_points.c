// SPDX-License-Identifier: MIT
// Quake 3: where the cells of the light grid are measured. One whose place is in solid is looked
// for around it, at random and farther and farther off. Source: TraceGrid of netradiant-custom,
// tools/quake3/q3map2/light.cpp.
#include "bake/light/drawn/drawn.h"

#include "core/vector.h"

#include <string.h>

#define STEP 0.005 // of a cell: so much wider is each try
#define TRIES 199u // steps that come to less than 1 where they are added up
#define SKIN -0.125f
#define TOUCHES 0.1f // units from a plane of the tree
#define PENDING 64u
#define STEPS 1024u // nodes that are looked at

// Is all of a box solid in the tree? Adds the nodes that were looked at to `steps`.
static bool is_closed(const bsp_map *map, const float low[3], const float high[3],
                      uint32_t *steps) {
    int32_t pending[PENDING];
    uint32_t count = 1;
    uint32_t looked = 0;
    bool closed = true;
    pending[0] = map->num_nodes != 0 ? 0 : -1;
    while (closed && count != 0) {
        int32_t child = pending[--count];
        uint32_t leaf = (uint32_t)(-1 - child);
        if (child < 0) {
            closed = leaf >= map->num_leaves || map->leaves[leaf].cluster == BSP_NONE;
            continue;
        }
        if ((uint32_t)child >= map->num_nodes || map->nodes[child].plane >= map->num_planes ||
            count + 2 > PENDING || ++looked > STEPS) {
            closed = false;
            continue;
        }
        const bsp_plane *plane = &map->planes[map->nodes[child].plane];
        float most = -plane->dist;
        float least = -plane->dist;
        for (int i = 0; i < 3; i++) {
            float a = plane->normal[i] * low[i];
            float b = plane->normal[i] * high[i];
            most += fmaxf(a, b);
            least += fminf(a, b);
        }
        if (most >= -TOUCHES) {
            pending[count++] = map->nodes[child].children[0];
        }
        if (least <= TOUCHES) {
            pending[count++] = map->nodes[child].children[1];
        }
    }
    *steps += looked;
    return closed;
}

// Looks around a cell. Returns steps that are to be paid.
static uint32_t look_around(bspi_relight *own, const bsp_light_grid *grid, const float at[3],
                            bspi_drawn_point *out) {
    bspi_random *random = &own->drawn->random;
    float low[3];
    float high[3];
    uint32_t tries = 0;
    for (int i = 0; i < 3; i++) {
        low[i] = at[i] - grid->step[i] / 2;
        high[i] = at[i] + grid->step[i] / 2;
    }
    if (is_closed(own->map, low, high, &tries)) {
        bspi_random_skip(random, 3 * TRIES);
        return tries + TRIES / 16;
    }
    for (double step = STEP; step <= 1 && out->cluster == BSP_NONE; step += STEP, tries++) {
        for (int i = 0; i < 3; i++) {
            double aside = step * (double)bspi_random_next(random) / 2;
            out->point[i] = (float)((double)at[i] + aside * (double)grid->step[i]);
        }
        out->cluster = bspi_drawn_cluster(own, out->point, SKIN);
    }
    return tries;
}

// Sets the place of a cell.
static void put_place(const bsp_light_grid *grid, uint32_t cell, float out[3]) {
    const uint32_t at[3] = {cell % grid->size[0], cell / grid->size[0] % grid->size[1],
                            cell / grid->size[0] / grid->size[1]};
    for (int i = 0; i < 3; i++) {
        out[i] = grid->origin[i] + (float)at[i] * grid->step[i];
    }
}

bool bspi_drawn_points_find(bspi_relight *own, const bsp_light_grid *grid, bspi_drawn_point *out,
                            uint32_t *moved, bsp_error *error) {
    bool done = true;
    *moved = 0;
    for (uint32_t n = 0; done && n < own->drawn->num_cells; n++) {
        float place[3];
        uint32_t tries = 0;
        put_place(grid, n, place);
        memcpy(out[n].point, place, sizeof place);
        out[n].moved = BSP_NONE;
        out[n].cluster = bspi_drawn_cluster(own, place, 0);
        if (out[n].cluster == BSP_NONE) {
            tries = look_around(own, grid, place, &out[n]);
            out[n].moved = (*moved)++;
        }
        done = bspi_heap_work(&own->heap, 1 + tries, error);
    }
    return done;
}

bool bspi_drawn_points_again(bspi_relight *own, const bsp_light_grid *grid,
                             const bspi_drawn_point *points, bspi_drawn_point *out,
                             bsp_error *error) {
    bool done = true;
    for (uint32_t n = 0; done && n < own->drawn->num_cells; n++) {
        float place[3];
        if (points[n].moved == BSP_NONE) {
            continue;
        }
        put_place(grid, n, place);
        out[points[n].moved].cluster = BSP_NONE;
        uint32_t tries = look_around(own, grid, place, &out[points[n].moved]);
        done = bspi_heap_work(&own->heap, 1 + tries, error);
    }
    return done;
}
