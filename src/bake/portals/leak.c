// SPDX-License-Identifier: MIT
// The way out of a map that is not sealed: from the leaves at the world's edge inwards through all
// openings, to the nearest entity.
#include "bake/portals/recover.h"

#include "core/options.h"
#include "formats/quake_contents.h"
#include "map/entity.h"
#include "map/needs.h"
#include "query/masks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define OUTSIDE (BSP_NONE - 1) // in the place of an opening: the leaf is at the edge

typedef struct finding {
    bspi_recover recover;
    bsp_leak leak;
    /// For each leaf: the opening that leads outwards, OUTSIDE, or BSP_NONE.
    uint32_t *way;
    uint32_t *steps; ///< for each leaf: openings to the edge
    uint32_t *todo;  ///< leaves in the order in which they were reached
    uint32_t num_todo;
    uint32_t *first; ///< of the openings of each leaf, one more at the end
    uint32_t *openings;
    double (*edges)[3]; ///< of leaves at the edge: a point of it
} finding;

static bool is_solid(const bsp_leaf *leaf) {
    return ((uint32_t)leaf->contents & BSPI_SOLID_MASK) != 0;
}

// Leaf 0 is the solid one of a family whose leaves tell their contents; else the clusters tell.
static bool is_open(const bsp_map *map, const bsp_leaf *leaf) {
    if (map->traits->contents_numbers) {
        return !bspi_is_closed(leaf->contents);
    }
    bool tells = is_solid(&map->leaves[0]);
    return tells ? !is_solid(leaf) : leaf->cluster != BSP_NONE;
}

static bool mark_open(finding *f) {
    bspi_recover *r = &f->recover;
    const bsp_map *map = r->map;
    r->leaf_clusters =
        bspi_arena_raw(&r->arena, map->num_leaves, sizeof *r->leaf_clusters, r->error);
    r->stands = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *r->stands, r->error);
    if (r->leaf_clusters == NULL || r->stands == NULL) {
        return false;
    }
    memset(r->stands, 0xff, map->num_nodes * sizeof *r->stands);
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        r->leaf_clusters[i] = is_open(map, &map->leaves[i]) ? i : BSP_NONE;
    }
    return true;
}

static void middle_of(const double (*points)[3], uint32_t count, double out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            out[axis] += points[i][axis] / count;
        }
    }
}

static void note_edge(void *user, uint32_t leaf, const bspi_polygon *part) {
    finding *f = user;
    if (f->way[leaf] == BSP_NONE) {
        f->way[leaf] = OUTSIDE;
        f->todo[f->num_todo++] = leaf;
        middle_of(part->points, part->count, f->edges[leaf]);
    }
}

// Lists the openings of each leaf.
static bool list_openings(finding *f) {
    bspi_recover *r = &f->recover;
    uint32_t leaves = r->map->num_leaves;
    f->first = bspi_arena_zero(&r->arena, (size_t)leaves + 1, sizeof *f->first, r->error);
    f->openings =
        bspi_arena_raw(&r->arena, 2 * (size_t)r->portals.count, sizeof *f->openings, r->error);
    if (f->first == NULL || f->openings == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < r->portals.count; i++) {
        f->first[r->list[i].leaves[0] + 1]++;
        f->first[r->list[i].leaves[1] + 1]++;
    }
    for (uint32_t i = 0; i < leaves; i++) {
        f->first[i + 1] += f->first[i];
    }
    for (uint32_t i = 0; i < r->portals.count; i++) {
        for (int side = 0; side < 2; side++) {
            f->openings[f->first[r->list[i].leaves[side]]++] = i;
        }
    }
    memmove(f->first + 1, f->first, leaves * sizeof *f->first);
    f->first[0] = 0;
    return true;
}

// Spreads from the edge inwards.
static void spread(finding *f) {
    const bspi_recover *r = &f->recover;
    for (uint32_t done = 0; done < f->num_todo; done++) {
        uint32_t leaf = f->todo[done];
        for (uint32_t i = f->first[leaf]; i < f->first[leaf + 1]; i++) {
            const bsp_portal *opening = &r->list[f->openings[i]];
            uint32_t other = opening->leaves[opening->leaves[0] == leaf];
            if (f->way[other] == BSP_NONE) {
                f->way[other] = f->openings[i];
                f->steps[other] = f->steps[leaf] + 1;
                f->todo[f->num_todo++] = other;
            }
        }
    }
}

// --- entities -----------------------------------------------------------------------------------

// Returns BSP_NONE over the limit of work.
static uint32_t leaf_at(bspi_recover *r, const float point[3]) {
    const bsp_map *map = r->map;
    int32_t child = map->models[0].headnodes[0];
    while (child >= 0) {
        uint32_t number = map->nodes[child].plane;
        if (!bspi_meter_add(&r->meter, 1)) {
            return BSP_NONE;
        }
        if (number >= map->num_planes) {
            child = map->nodes[child].children[0];
            continue;
        }
        const bsp_plane *plane = &map->planes[number];
        double away = (double)plane->normal[0] * point[0] + (double)plane->normal[1] * point[1] +
                      (double)plane->normal[2] * point[2] - (double)plane->dist;
        child = map->nodes[child].children[away < 0];
    }
    return (uint32_t)(-1 - child);
}

// Returns true for an entity at a point of the world: brush models stand where their brushes are.
static bool has_place(const bsp_entity *entity, float out[3]) {
    return !bspi_is_brush_model(bsp_entity_value(entity, "model")) &&
           bsp_parse_vector(bsp_entity_value(entity, "origin"), out);
}

static bool write_way(finding *f, const float from[3], uint32_t leaf, uint32_t steps) {
    bspi_recover *r = &f->recover;
    double(*points)[3] = bspi_arena_raw(&r->arena, (size_t)steps + 2, sizeof *points, r->error);
    if (points == NULL) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        points[0][axis] = from[axis];
    }
    for (uint32_t i = 1; f->way[leaf] != OUTSIDE; i++) {
        const bsp_portal *opening = &r->list[f->way[leaf]];
        middle_of((const double(*)[3])r->points + opening->first_point, opening->num_points,
                  points[i]);
        leaf = opening->leaves[opening->leaves[0] == leaf];
    }
    memcpy(points[steps + 1], f->edges[leaf], sizeof *points);
    f->leak.points = (const double(*)[3])points;
    f->leak.num_points = steps + 2;
    return true;
}

static bool find_entity(finding *f) {
    const bsp_map *map = f->recover.map;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    uint32_t best = BSP_NONE;
    uint32_t best_leaf = BSP_NONE;
    float best_place[3] = {0, 0, 0};
    for (uint32_t i = 1; i < count && !f->recover.meter.failed; i++) {
        float place[3];
        uint32_t leaf =
            has_place(&map->entities->list[i], place) ? leaf_at(&f->recover, place) : BSP_NONE;
        if (leaf != BSP_NONE && f->way[leaf] != BSP_NONE && f->steps[leaf] < best) {
            best = f->steps[leaf];
            best_leaf = leaf;
            memcpy(best_place, place, sizeof best_place);
            f->leak.entity = i;
        }
    }
    f->leak.found = best != BSP_NONE;
    return bspi_meter_pay(&f->recover.meter) &&
           (best == BSP_NONE || write_way(f, best_place, best_leaf, best));
}

static bool find(finding *f) {
    bspi_recover *r = &f->recover;
    const bsp_map *map = r->map;
    if (bspi_recover_root(map) < 0) {
        return true;
    }
    f->way = bspi_arena_raw(&r->arena, map->num_leaves, sizeof *f->way, r->error);
    f->steps = bspi_arena_zero(&r->arena, map->num_leaves, sizeof *f->steps, r->error);
    f->todo = bspi_arena_raw(&r->arena, map->num_leaves, sizeof *f->todo, r->error);
    f->edges = bspi_arena_raw(&r->arena, map->num_leaves, sizeof *f->edges, r->error);
    if (f->way == NULL || f->steps == NULL || f->todo == NULL || f->edges == NULL) {
        return false;
    }
    memset(f->way, 0xff, map->num_leaves * sizeof *f->way);
    if (!mark_open(f) || !bspi_recover_nodes(r) || !bspi_recover_edge(r, note_edge, f)) {
        return false;
    }
    if (f->num_todo == 0) {
        return true; // sealed
    }
    if (!bspi_recover_openings(r) || !list_openings(f)) {
        return false;
    }
    spread(f);
    return find_entity(f);
}

bsp_leak *bsp_leak_find(const bsp_map *map, const bsp_leak_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_leak_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bspi_map_needs(map, BSP_LOAD_TREE | BSP_LOAD_ENTITIES, "a leak", error)) {
        return NULL;
    }
    finding *f = bspi_object_new(taken.allocator, sizeof *f, error);
    if (f == NULL) {
        return NULL;
    }
    f->leak.owner = f;
    bspi_recover_begin(&f->recover, map, taken.budget, taken.allocator, error);
    if (!find(f)) {
        bsp_leak_free(&f->leak);
        return NULL;
    }
    return &f->leak;
}

void bsp_leak_free(bsp_leak *leak) {
    finding *f = leak == NULL ? NULL : leak->owner;
    if (f == NULL) {
        return;
    }
    bspi_recover_end(&f->recover);
    bspi_object_free(f, sizeof *f, &f->recover.heap.allocator);
}
