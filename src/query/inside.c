// SPDX-License-Identifier: MIT
// Makes tests of points out of brushes. A side across an axis compares one coordinate, since the
// products with 0 add nothing.
#include "query/inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const bsp_plane *plane_of(const bsp_map *map, const bsp_brush *brush, uint32_t side) {
    uint32_t number = map->brush_sides[brush->first_side + side].plane;
    return number < map->num_planes ? &map->planes[number] : NULL;
}

// Returns the axis that a plane is across, or 3.
static int axis_of(const bsp_plane *plane) {
    const float *n = plane->normal;
    for (int i = 0; i < 3; i++) {
        if (fabsf(n[i]) == 1 && n[(i + 1) % 3] == 0 && n[(i + 2) % 3] == 0) {
            return i;
        }
    }
    return 3;
}

// Sets the box of a brush, and its other planes where there is room for them.
static void set_brush(const bsp_map *map, const bsp_brush *from, bspi_inside *brush,
                      float (*planes)[4]) {
    brush->contents = from->contents;
    brush->count = 0;
    for (int i = 0; i < 3; i++) { // one without sides holds nothing
        brush->low[i] = from->num_sides == 0 ? FLT_MAX : -FLT_MAX;
        brush->high[i] = -brush->low[i];
    }
    for (uint32_t i = 0; i < from->num_sides; i++) {
        const bsp_plane *plane = plane_of(map, from, i);
        int axis = plane == NULL ? -1 : axis_of(plane);
        if (axis == 3) {
            if (planes != NULL) {
                memcpy(planes[brush->first + brush->count], plane->normal, sizeof plane->normal);
                planes[brush->first + brush->count][3] = plane->dist;
            }
            brush->count++;
        } else if (axis >= 0 && plane->normal[axis] > 0) {
            brush->high[axis] = plane->dist < brush->high[axis] ? plane->dist : brush->high[axis];
        } else if (axis >= 0) {
            brush->low[axis] = -plane->dist > brush->low[axis] ? -plane->dist : brush->low[axis];
        }
    }
}

bool bspi_build_insides(bspi_insides *out, const bsp_map *map, bspi_arena *arena,
                        bsp_error *error) {
    uint64_t total = 0;
    uint32_t count = map->num_brushes;
    bspi_inside *brushes = bspi_arena_raw(arena, count, sizeof *brushes, error);
    for (uint32_t i = 0; brushes != NULL && i < count; i++) {
        brushes[i].first = (uint32_t)total;
        set_brush(map, &map->brushes[i], &brushes[i], NULL);
        total += brushes[i].count;
    }
    float(*planes)[4] =
        brushes == NULL ? NULL : bspi_arena_raw(arena, (size_t)total, sizeof *planes, error);
    for (uint32_t i = 0; planes != NULL && i < count; i++) {
        set_brush(map, &map->brushes[i], &brushes[i], planes);
    }
    out->brushes = brushes;
    out->planes = (const float(*)[4])planes;
    return planes != NULL;
}

bool bspi_shares_little(const bsp_map *map) {
    uint64_t listed = 0;
    uint64_t sides = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        listed += map->leaves[i].num_brushes;
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        sides += map->brushes[i].num_sides;
    }
    return listed <= (uint64_t)map->num_leaf_brushes * BSPI_MOST_SHARING &&
           sides <= (uint64_t)map->num_brush_sides * BSPI_MOST_SHARING;
}
