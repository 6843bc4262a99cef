// SPDX-License-Identifier: MIT
// Trees that tests make, and what documents that are made of them hold.
#ifndef BSPI_TEST_TREE_MADE_H
#define BSPI_TEST_TREE_MADE_H

#include "bspkit/decompile.h"
#include "bspkit/query.h"
#include "decompile/tree/names.h"
#include "decompile/tree/space.h"
#include "support/random.h"
#include "support/report.h"

#include "core/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A point this near to a plane may be on either side of it: floats of a few thousand units, and the
// slivers that the decompiler leaves out.
#define NEAR 0.05

// Worldspawn, and the fences that the decompiler makes for Quake.
static inline bool belongs_to_world(const bsp_map *map, const bsp_mapdoc *source, uint32_t entity) {
    return entity == 0 ||
           (map->branch->family == BSP_QUAKE &&
            bspi_text_is(bsp_mapdoc_value(source, entity, "classname"), "func_detail_fence"));
}

// How far a point is from the inside of a brush: negative inside.
static inline double outside(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush,
                             const double point[3]) {
    double most = -INFINITY;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + s];
        double distance = -side->dist;
        for (int a = 0; a < 3; a++) {
            distance += side->normal[a] * point[a];
        }
        most = distance > most ? distance : most;
    }
    return most;
}

// What compilers make of a brush; 0: nothing that is in hull 0.
static inline int32_t contents_of(const bsp_map *map, const bsp_mapdoc *source,
                                  const bsp_mapdoc_brush *brush) {
    bsp_text material = source->sides[brush->first_side].material;
    int32_t contents = bspi_contents_of_name(map, material);
    return contents == BSPI_TREE_CLIP || bspi_text_is(material, "hint") ? 0 : contents;
}

// The contents of the world at a point by its brushes; 0 if it is too near to tell.
static inline int32_t contents_at(const bsp_map *map, const bsp_mapdoc *source,
                                  const double point[3]) {
    int32_t found = BSPI_TREE_EMPTY;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        const bsp_mapdoc_brush *brush = &source->brushes[b];
        int32_t contents =
            belongs_to_world(map, source, brush->entity) ? contents_of(map, source, brush) : 0;
        double distance = contents == 0 ? NEAR : outside(source, brush, point);
        if (distance < NEAR && distance > -NEAR) {
            return 0;
        }
        if (distance < 0 && found != BSPI_TREE_SOLID) {
            found = contents;
        }
    }
    return found;
}

// How many brushes of the world have a point inside. Compilers cut brushes that overlap into many
// pieces; the cells of a tree do not, nor may what they are merged to.
static inline uint32_t count_holders(const bsp_map *map, const bsp_mapdoc *source,
                                     const double point[3]) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        const bsp_mapdoc_brush *brush = &source->brushes[b];
        count += belongs_to_world(map, source, brush->entity) &&
                 contents_of(map, source, brush) != 0 && outside(source, brush, point) < -NEAR;
    }
    return count;
}

static inline int32_t hull_at(const bsp_map *map, uint32_t hull, const double at[3]) {
    int32_t n = map->models[0].headnodes[hull];
    while (n >= 0) {
        const bsp_plane *plane = &map->planes[map->clipnodes[n].plane];
        double distance = -(double)plane->dist;
        for (int a = 0; a < 3; a++) {
            distance += (double)plane->normal[a] * at[a];
        }
        n = map->clipnodes[n].children[distance < 0];
    }
    return n;
}

// True if a mover may stand so that its box holds the point: then no brush is there, and what is
// solid in hull 0 is void that the compiler filled.
static inline bool is_void(const bsp_map *map, const double point[3]) {
    enum { STEPS = 8 };
    for (uint32_t h = 1; h < map->traits->num_hulls; h++) {
        const bsp_hull *box = &map->traits->hulls[h];
        for (int i = 0; map->models[0].headnodes[h] >= 0 && i < STEPS * STEPS * STEPS; i++) {
            const int part[3] = {i % STEPS, i / STEPS % STEPS, i / STEPS / STEPS};
            double at[3];
            for (int a = 0; a < 3; a++) {
                double size = (double)box->maxs[a] - (double)box->mins[a];
                at[a] = point[a] - (double)box->mins[a] - size * part[a] / (STEPS - 1);
            }
            if (hull_at(map, h, at) != BSPI_TREE_SOLID) {
                return true;
            }
        }
    }
    return false;
}

// Points of the world's box where tree and brushes differ, or that two brushes hold.
static inline uint32_t count_differences(const bsp_map *map, const bsp_mapdoc *source,
                                         uint32_t points, uint32_t *told) {
    test_random random = {42};
    const bsp_model *world = &map->models[0];
    uint32_t different = 0;
    for (uint32_t i = 0; i < points; i++) {
        float at[3];
        double point[3];
        for (int a = 0; a < 3; a++) {
            float part = (float)random_u32(&random) / 4294967296.0f;
            at[a] = world->mins[a] + part * (world->maxs[a] - world->mins[a]);
            point[a] = (double)at[a];
        }
        int32_t brushes = contents_at(map, source, point);
        int32_t tree = bsp_query_contents(map, 0, at);
        uint32_t holders = count_holders(map, source, point);
        *told += brushes != 0;
        if (brushes == BSPI_TREE_EMPTY && tree == BSPI_TREE_SOLID && is_void(map, point)) {
            continue;
        }
        if ((brushes != 0 && brushes != tree) || holders > 1) {
            different++;
            REPORT("    %g %g %g: tree %d, %u brushes %d\n", point[0], point[1], point[2], tree,
                   holders, brushes);
        }
    }
    return different;
}

static inline bsp_mapdoc *decompile(const bsp_map *map, const bsp_file *file, bool no_merge,
                                    bsp_decompile_report *report) {
    bsp_error error = {0};
    bsp_decompile_options options = {.file = file, .no_merge = no_merge};
    bsp_mapdoc *source = bsp_decompile(map, &options, report, &error);
    if (source == NULL) {
        fail_msg("%s", error.message);
    }
    return source;
}

static inline void all_sound(const bsp_mapdoc *source) {
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(source, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, source->num_brushes);
}

#define MOST_NODES 64

typedef struct made {
    bsp_plane planes[MOST_NODES];
    bsp_node nodes[MOST_NODES];
    bsp_clipnode clipnodes[MOST_NODES];
    bsp_leaf leaves[4]; // solid, empty, water, sky
    bsp_model model;
    bsp_map map;
} made;

enum { SOLID = -1, EMPTY = -2, WATER = -3, SKY = -4 }; // children

static inline void begin(made *m) {
    memset(m, 0, sizeof *m);
    m->map.branch = bsp_branch_find("quake");
    assert_non_null(m->map.branch);
    m->map.traits = m->map.branch->traits;
    m->leaves[0].contents = BSPI_TREE_SOLID;
    m->leaves[1].contents = BSPI_TREE_EMPTY;
    m->leaves[2].contents = -3;
    m->leaves[3].contents = BSPI_TREE_SKY;
    for (int a = 0; a < 3; a++) {
        m->model.mins[a] = -128;
        m->model.maxs[a] = 128;
    }
    for (int h = 1; h < BSP_MAX_HULLS; h++) {
        m->model.headnodes[h] = BSPI_TREE_EMPTY;
    }
    m->map.planes = m->planes;
    m->map.nodes = m->nodes;
    m->map.clipnodes = m->clipnodes;
    m->map.leaves = m->leaves;
    m->map.num_leaves = 4;
    m->map.models = &m->model;
    m->map.num_models = 1;
}

// A node; its children may be filled in later.
static inline int32_t add_node(made *m, double x, double y, double z, double dist, int32_t front,
                               int32_t back) {
    uint32_t n = m->map.num_nodes++;
    double length = sqrt(x * x + y * y + z * z);
    m->planes[n] = (bsp_plane){
        {(float)(x / length), (float)(y / length), (float)(z / length)}, (float)dist, 5};
    m->nodes[n].plane = n;
    m->nodes[n].children[0] = front;
    m->nodes[n].children[1] = back;
    m->map.num_planes = n + 1;
    return (int32_t)n;
}

static inline bool has_side(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush, double x,
                            double y, double z, double dist) {
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + s];
        if (fabs(side->normal[0] - x) < 1e-5 && fabs(side->normal[1] - y) < 1e-5 &&
            fabs(side->normal[2] - z) < 1e-5 && fabs(side->dist - dist) < 1e-3) {
            return true;
        }
    }
    return false;
}

#endif
