// SPDX-License-Identifier: MIT
// Liquid at a point: its surface above, its end below. Where a map states the surface (Source) that
// is taken; else the column through the point is followed, leaf by leaf in families whose leaves
// say what fills them, brush by brush in the others.
#include "formats/quake_contents.h"
#include "map/needs.h"
#include "query/collide.h"
#include "query/liquids.h"

#include <assert.h>
#include <math.h>

#define PAST 0.03125 // units beyond an end at which the next piece of liquid is looked for
#define MOST_PIECES 4096u

// The part of a vertical line in something convex.
typedef struct span {
    double low;
    double high;
} span;

static const span everywhere = {-(double)BSPI_FAR, (double)BSPI_FAR};

// Returns the height at which a column crosses a plane; infinite for a vertical one.
static double crossing(const bsp_plane *plane, const double at[2]) {
    double flat = (double)plane->normal[0] * at[0] + (double)plane->normal[1] * at[1];
    return ((double)plane->dist - flat) / (double)plane->normal[2];
}

static bool is_vertical(const bsp_plane *plane) {
    return fabs((double)plane->normal[2]) < 1e-6;
}

// --- what the map's leaves and brushes say -------------------------------------------------------

static bool leaves_say(const bsp_map *map) {
    return map->traits->contents_numbers || bspi_rules_of(map->traits->clip)->leaves_say;
}

// Returns the leaf of the world at a height of a column, and its part of the column.
static uint32_t leaf_at(const bsp_map *map, const double at[2], double z, span *part) {
    if (map->num_nodes == 0 || map->num_models == 0) {
        return BSP_NONE;
    }
    int32_t number = map->models[0].headnodes[0];
    *part = everywhere;
    while (number >= 0) {
        const bsp_node *node = &map->nodes[number];
        if (node->plane >= map->num_planes) {
            return BSP_NONE;
        }
        const bsp_plane *plane = &map->planes[node->plane];
        double side = (double)plane->normal[0] * at[0] + (double)plane->normal[1] * at[1] +
                      (double)plane->normal[2] * z - (double)plane->dist;
        if (!is_vertical(plane)) {
            double height = crossing(plane, at);
            part->high = height > z ? fmin(part->high, height) : part->high;
            part->low = height > z ? part->low : fmax(part->low, height);
        }
        number = node->children[side < 0];
    }
    return (uint32_t)(-1 - number);
}

// Returns true if a brush contains that height of the column, and its part.
static bool brush_at(const bsp_map *map, const bsp_brush *brush, const double at[2], double z,
                     span *part) {
    *part = everywhere;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        uint32_t number = map->brush_sides[brush->first_side + i].plane;
        const bsp_plane *plane = number < map->num_planes ? &map->planes[number] : NULL;
        if (plane == NULL) {
            continue;
        }
        double height = crossing(plane, at);
        if (is_vertical(plane)) {
            part->high = (double)plane->normal[0] * at[0] + (double)plane->normal[1] * at[1] >
                                 (double)plane->dist
                             ? part->low
                             : part->high;
        } else if (plane->normal[2] > 0) {
            part->high = fmin(part->high, height);
        } else {
            part->low = fmax(part->low, height);
        }
    }
    return brush->num_sides != 0 && z >= part->low && z <= part->high && part->low < part->high;
}

// Adds a brush to what holds that height: liquid of several brushes reaches as far as the furthest.
static int32_t add_brush(const bsp_map *map, uint32_t number, const double at[2], double z,
                         span *part) {
    span own;
    int32_t liquid =
        number < map->num_brushes ? bspi_liquids_of(map, map->brushes[number].contents) : 0;
    if (liquid == 0 || !brush_at(map, &map->brushes[number], at, z, &own)) {
        return 0;
    }
    part->low = fmin(part->low, own.low);
    part->high = fmax(part->high, own.high);
    return liquid;
}

// Returns the liquids at a height of the column, 0 for none, and how far they reach there.
static int32_t liquid_at(const bsp_map *map, const double at[2], double z, span *part) {
    int32_t liquid = 0;
    uint32_t number = leaf_at(map, at, z, part);
    const bsp_leaf *leaf = number < map->num_leaves ? &map->leaves[number] : NULL;
    if (leaves_say(map)) {
        return leaf == NULL ? 0 : bspi_liquids_of(map, leaf->contents);
    }
    *part = (span){z, z};
    for (uint32_t i = 0; leaf != NULL && map->num_brushes != 0 && i < leaf->num_brushes; i++) {
        liquid |= add_brush(map, map->leaf_brushes[leaf->first_brush + i], at, z, part);
    }
    if (leaf == NULL && map->traits->model_runs && map->num_models != 0) {
        for (uint32_t i = 0; i < map->models[0].num_brushes; i++) {
            liquid |= add_brush(map, map->models[0].first_brush + i, at, z, part);
        }
    }
    return liquid;
}

// Follows the liquid up or down from a height at which it reaches to `part`.
static double follow(const bsp_map *map, const double at[2], span part, bool up) {
    double end = up ? part.high : part.low;
    for (uint32_t i = 0; i < MOST_PIECES && fabs(end) < (double)BSPI_FAR; i++) {
        span next;
        double z = end + (up ? PAST : -PAST);
        if (liquid_at(map, at, z, &next) == 0) {
            break;
        }
        end = up ? fmax(z, next.high) : fmin(z, next.low);
    }
    if (fabs(end) >= (double)BSPI_FAR && map->num_models != 0) { // it ends with the world
        end = (double)(up ? map->models[0].maxs[2] : map->models[0].mins[2]);
    }
    return end;
}

bool bsp_query_water(const bsp_map *map, const float point[3], bsp_water *out) {
    assert(map != NULL && point != NULL && out != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_BRUSHES | BSP_LOAD_SURFACES));
    const double at[2] = {(double)point[0], (double)point[1]};
    span part;
    *out = (bsp_water){.volume = BSP_NONE, .material = BSP_NONE};
    out->contents = liquid_at(map, at, (double)point[2], &part);
    if (out->contents == 0) {
        return false;
    }
    out->surface = (float)follow(map, at, part, true);
    out->bottom = (float)follow(map, at, part, false);
    uint32_t leaf = bsp_query_leaf(map, point);
    out->volume = leaf < map->num_leaves ? map->leaves[leaf].water : BSP_NONE;
    if (out->volume < map->num_leaf_waters) {
        const bsp_leaf_water *water = &map->leaf_waters[out->volume];
        out->surface = water->surface_z;
        out->material =
            water->texinfo < map->num_texinfos ? map->texinfos[water->texinfo].material : BSP_NONE;
    }
    out->depth = out->surface - point[2];
    return true;
}
