// SPDX-License-Identifier: MIT
// The trees of the hulls of Quake and GoldSrc, as the walk of a trace reads them.
#ifndef BSPI_HULL_H
#define BSPI_HULL_H

#include "bspkit/map.h"

#define BSPI_HULL_EPSILON 0.03125f // DIST_EPSILON: crossings are on the near side of a plane
#define BSPI_SLOPING 3u            // axis of a plane that is not across one

/// A child of a node is a leaf, or a node: its number times 16, plus 4 times the axis that its
/// plane is across. The highest bit is set for leaves and sloping planes. A side of a node is the
/// node, plus 1 for its back side.
typedef uint32_t bspi_child;

#define BSPI_ODD 0x80000000u       // a leaf, or a node with a sloping plane
#define BSPI_OPEN_LEAF 0xC0000000u // all below this are nodes
#define BSPI_SOLID_LEAF 0xC0000001u
#define BSPI_SKY_LEAF 0xC0000002u // open, too
#define BSPI_MOST_STEPS (1u << 26)

/// A node of a hull.
typedef struct bspi_step {
    union {
        float dist;     ///< of a plane across an axis
        uint32_t slope; ///< else
    };
    bspi_child children[2]; ///< front, back
    uint32_t plane;         ///< of the map
} bspi_step;

/// A plane that is not across an axis.
typedef struct bspi_slope {
    float normal[3];
    float dist;
} bspi_slope;

/// The points that a walk from the root leads to a node: those between the planes across axes above
/// it that are on their side of the sloping ones. None, if the node is below several others.
typedef struct bspi_extent {
    float low[3];
    bspi_child above; ///< the nearest side of a sloping node, or BSP_NONE
    float high[3];    ///< not included
    uint32_t unused;
} bspi_extent;

/// All nodes of one array of the map: those of hull 0, or the clipnodes of the other hulls.
typedef struct bspi_hull {
    const bspi_step *steps; ///< numbered as in the map
    const bspi_slope *slopes;
    const bspi_extent *extents; ///< of each node
    const bspi_child *roots;    ///< of each model: BSP_MAX_HULLS
    uint32_t num_steps;
} bspi_hull;

static inline uint32_t bspi_axis_of(bspi_child node) {
    return node >> 2 & 3;
}
static inline uint32_t bspi_node_of(bspi_child node) {
    return (node & ~BSPI_ODD) >> 4;
}

/// Distances to sloping planes are summed in double precision, as in QuakeSpasm and on the x87.
static inline float bspi_slope_distance(const bspi_slope *slope, const float p[3]) {
    double sum = (double)slope->normal[0] * (double)p[0] + (double)slope->normal[1] * (double)p[1] +
                 (double)slope->normal[2] * (double)p[2];
    return (float)(sum - (double)slope->dist);
}

/// Returns the distance of a point from the plane of a node.
static inline float bspi_step_distance(const bspi_hull *hull, bspi_child node, const float p[3]) {
    const bspi_step *step = &hull->steps[bspi_node_of(node)];
    uint32_t axis = bspi_axis_of(node);
    return axis < BSPI_SLOPING ? p[axis] - step->dist
                               : bspi_slope_distance(&hull->slopes[step->slope], p);
}

/// Returns the leaf of a point below a node.
static inline bspi_child bspi_hull_leaf(const bspi_hull *hull, bspi_child at, const float p[3]) {
    while (at < BSPI_OPEN_LEAF) {
        const bspi_step *step = &hull->steps[bspi_node_of(at)];
        uint32_t axis = bspi_axis_of(at);
        if (axis < BSPI_SLOPING ? p[axis] < step->dist
                                : bspi_slope_distance(&hull->slopes[step->slope], p) < 0) {
            at = step->children[1];
        } else {
            at = step->children[0];
        }
    }
    return at;
}

/// Returns where a piece crosses a plane, as a fraction of the piece, by the distances of its start
/// and its end. `back`: its start is on the back side.
static inline float bspi_crossing(float t1, float t2, uint32_t back) {
    static const float epsilons[2] = {BSPI_HULL_EPSILON, -BSPI_HULL_EPSILON};
    float part = (t1 - epsilons[back]) / (t1 - t2);
    part = 0 > part ? 0 : part;
    return 1 < part ? 1 : part;
}

/// Sets a place of a piece, by its fraction of the piece. Places of a way are a point, and in [3]
/// their fraction of the way.
static inline void bspi_way_place(float at[restrict 4], const float start[restrict 4],
                                  const float end[restrict 4], float part) {
    for (int i = 0; i < 4; i++) {
        at[i] = start[i] + part * (end[i] - start[i]);
    }
}

/// Returns true if a walk from the root certainly leads a point to a side of a node.
static inline bool bspi_is_on_side(const bspi_hull *hull, bspi_child side, const float p[3]) {
    const bspi_extent *extent = &hull->extents[bspi_node_of(side)];
    bool in = (bspi_step_distance(hull, side, p) < 0) == (side % 2 != 0);
    for (int i = 0; i < 3; i++) {
        in = in & (p[i] >= extent->low[i]) & (p[i] < extent->high[i]);
    }
    for (bspi_child above = extent->above; in && above != BSP_NONE;) {
        in = (bspi_step_distance(hull, above, p) < 0) == (above % 2 != 0);
        above = hull->extents[bspi_node_of(above)].above;
    }
    return in;
}

/// Returns true if a walk from the root leads a point to solid. `side`: that of a node, if what the
/// walk finds there is known not to be solid; else BSP_NONE.
static inline bool bspi_is_in_solid(const bspi_hull *hull, bspi_child root, bspi_child side,
                                    const float p[3]) {
    return !(side != BSP_NONE && bspi_is_on_side(hull, side, p)) &&
           bspi_hull_leaf(hull, root, p) == BSPI_SOLID_LEAF;
}

/// Returns a child of the drawing tree as a hull has it: a leaf becomes its contents.
int32_t bspi_hull_child(const bsp_map *map, int32_t child); // hull_build.c

#endif
