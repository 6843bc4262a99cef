// SPDX-License-Identifier: MIT
// The tree in which q3map2 looks along lines: that of the map, whose leaves are divided on where
// they have many triangles. Solid leaves stop a line, and so do triangles in the leaves before
// them.
#ifndef BSPI_BAKE_SHADE_TREE_H
#define BSPI_BAKE_SHADE_TREE_H

#include "bspkit/map.h"
#include "core/memory.h"
#include "core/vector.h"

#define BSPI_SHADE_LEAVES 256u  // of a line, whose triangles are looked at
#define BSPI_SHADE_ON 0.1f      // units from a plane that count as before it
#define BSPI_SHADE_FLAT 0.25f   // a triangle along a line is not met
#define BSPI_SHADE_BESIDE 0.01f // how far beside its edges an opaque triangle is met

/// What a triangle does to a line.
typedef enum bspi_shade_kind {
    BSPI_SHADE_OPAQUE, ///< stops it
    BSPI_SHADE_SKY,
    BSPI_SHADE_CLEAR, ///< lets some light through
} bspi_shade_kind;

/// A triangle that casts a shadow, or a part of one.
typedef struct bspi_shade_triangle {
    float corner[3];
    float edges[2][3];
    float normal[3]; ///< twice as long as its area
    float uv[3][2];  ///< places on its picture
    uint32_t face;
    uint8_t kind; ///< bspi_shade_kind
    bool patch;
} bspi_shade_triangle;

#define BSPI_SHADE_OPEN 0u
#define BSPI_SHADE_SOLID 1u

typedef struct bspi_shade_node {
    float normal[3];
    float dist;
    uint32_t children[2]; ///< they come after it; of a leaf: 0, and whether it is solid
    uint32_t first;       ///< triangle of a leaf; of a node: the axis of its normal, or 3
    uint32_t count;       ///< of triangles; of a node: of all below it
} bspi_shade_node;

static inline bool bspi_shade_is_leaf(const bspi_shade_node *node) {
    return node->children[0] == 0;
}

typedef struct bspi_shade_tree {
    bspi_shade_node *nodes; ///< in the heap
    uint32_t num_nodes;
    size_t room;
    bspi_shade_triangle *triangles; ///< in the heap; leaf by leaf
    uint32_t num_triangles;
    size_t triangle_room;
} bspi_shade_tree;

/// A line from its beginning on, as triangles are met.
typedef struct bspi_shade_look {
    const float *from;
    float way[3];
    float length; ///< units
    float near;   ///< units in which no triangle counts
} bspi_shade_look;

/// Does a line meet a triangle, or pass right beside it? Sets where by its edges, and after how
/// many units. What is too far is passed over before one looks where the line meets its plane.
static inline bool bspi_shade_meets(const bspi_shade_look *l, const bspi_shade_triangle *t,
                                    float at[2], float *depth) {
    float s[3];
    float q[3];
    float det = -bspi_dot(l->way, t->normal);
    for (int i = 0; i < 3; i++) {
        s[i] = l->from[i] - t->corner[i];
    }
    float along = bspi_dot(s, t->normal);
    float size = fabsf(det);
    float deep = det < 0 ? -along : along; // so many times `size`
    if (!(size >= BSPI_SHADE_FLAT) || deep <= l->near * size || deep >= l->length * size) {
        return false;
    }
    bspi_cross(s, l->way, q);
    at[0] = bspi_dot(t->edges[1], q) / det;
    at[1] = -bspi_dot(t->edges[0], q) / det;
    *depth = deep / size;
    return !(at[0] < -BSPI_SHADE_BESIDE || at[1] < -BSPI_SHADE_BESIDE ||
             at[0] + at[1] > 1 + BSPI_SHADE_BESIDE);
}

/// What a line passes through.
typedef struct bspi_shade_way {
    uint32_t leaves[BSPI_SHADE_LEAVES]; ///< with triangles, in order
    uint32_t num_leaves;
    float solid[3]; ///< where it goes into a solid leaf
    uint64_t steps; ///< nodes that were looked at are added
} bspi_shade_way;

/// Makes the tree of a map with such triangles, whose corners go clockwise seen from before them.
/// Freed by bspi_shade_tree_free, after an error too.
bool bspi_shade_tree_make(bspi_heap *heap, const bsp_map *map, const bspi_shade_triangle *list,
                          uint32_t count, bspi_shade_tree *out, bsp_error *error);
void bspi_shade_tree_free(bspi_heap *heap, bspi_shade_tree *tree);

/// Finds what a line passes through until it goes into a solid leaf; false if it does not. What is
/// within a tenth of a unit of a plane counts as before it. `beyond`: what has no triangles below
/// it is passed over, be it solid.
bool bspi_shade_walk(const bspi_shade_tree *tree, const float start[3], const float end[3],
                     bool beyond, bspi_shade_way *way);

#endif
