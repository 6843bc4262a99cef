// SPDX-License-Identifier: MIT
// The trees of the hulls of Quake and GoldSrc, as the walk of a trace reads them.
#ifndef BSPI_HULL_H
#define BSPI_HULL_H

#include "bspkit/map.h"

#include <string.h>

#define BSPI_SLOPING 3u // bspi_step.axis of a plane that is not across an axis

/// A node of a hull.
typedef struct bspi_step {
    int32_t children[2]; ///< front, back: a node, or a negative content
    uint32_t axis;       ///< that its plane is across, or BSPI_SLOPING
    int32_t order;       ///< the plane's distance as bspi_order has it; SLOPING: its slope
} bspi_step;

/// A plane that is not across an axis.
typedef struct bspi_slope {
    float normal[3];
    float dist;
} bspi_slope;

/// All nodes of one array of the map: those of hull 0, or the clipnodes of the other hulls.
typedef struct bspi_hull {
    const bspi_step *steps; ///< numbered as in the map
    const bspi_slope *slopes;
    uint32_t num_steps;
    bool clips; ///< they are clipnodes
} bspi_hull;

/// Returns the bits of a float as an integer of the same order, so that a walk compares coordinates
/// without the floating-point unit. -0 comes before 0: let there be none.
static inline int32_t bspi_order(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ ((bits >> 31) & INT32_MAX);
}

/// Returns the float that bspi_order made an integer of.
static inline float bspi_order_float(int32_t order) {
    float x;
    int32_t bits = order ^ ((order >> 31) & INT32_MAX);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// Returns a child of the drawing tree as a hull has it: a leaf becomes its contents.
int32_t bspi_hull_child(const bsp_map *map, int32_t child); // hull_build.c

#endif
