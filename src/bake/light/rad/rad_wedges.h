// SPDX-License-Identifier: MIT
// What is around a patch, in its plane.
#ifndef BSPI_BAKE_RAD_WEDGES_H
#define BSPI_BAKE_RAD_WEDGES_H

#include "bake/light/rad/rad.h"

#include <math.h>

#define BSPI_MOST_WEDGES 96u

/// A place in the plane of a patch, from its middle.
typedef struct bspi_flat_spot {
    float x;
    float y;
} bspi_flat_spot;

/// The same, with the unit vector to it and how far it is.
typedef struct bspi_flat_ray {
    bspi_flat_spot spot;
    bspi_flat_spot way;
    float dist;
} bspi_flat_ray;

typedef enum bspi_wedge_shape {
    BSPI_WEDGE_TRIANGLE,
    BSPI_WEDGE_CONVEX,  ///< wide, but less than a half turn
    BSPI_WEDGE_CONCAVE, ///< more than that
    BSPI_WEDGE_LEFT,    ///< half of a square, with the next one
    BSPI_WEDGE_RIGHT,   ///< and the other half
} bspi_wedge_shape;

/// What is between one patch and the next one, clockwise.
typedef struct bspi_wedge {
    bspi_wedge_shape shape;
    uint32_t patch;
    bspi_flat_spot spot;
    bspi_flat_spot way;    ///< to the spot, a unit vector
    bspi_flat_spot across; ///< its meaning is the shape's
} bspi_wedge;

/// What is around a patch.
typedef struct bspi_rad_around {
    float middle[3];
    float axes[3][3]; ///< of its plane, and the normal
    float reach;      ///< units from the middle, beyond which it counts nothing
    bspi_wedge *wedges;
    uint32_t num_wedges;
    bspi_flat_spot *hull; ///< clockwise; where its weight is 0
    uint32_t num_hull;
    bspi_flat_spot *ways; ///< of the wedges; after the hull in memory
} bspi_rad_around;

/// The same under construction.
typedef struct bspi_wedges {
    bspi_wedge list[BSPI_MOST_WEDGES];
    uint32_t count;
    bspi_flat_spot hull[BSPI_MOST_WEDGES + 2 * BSPI_PIECE_CORNERS];
    uint32_t num_hull;
} bspi_wedges;

/// Returns where a point of a surface is in the plane of a patch, from its middle (rad_around.c).
bspi_flat_spot bspi_rad_flat(const bspi_rad_around *around, const bspi_rad_spot *on);

/// Adds a patch that is at a place. Those beyond the most that there is room for are left out.
void bspi_wedges_add(bspi_wedges *wedges, uint32_t patch, bspi_flat_spot spot);

/// Makes wedges of the patches, and the hull, out of them and the corners of the patch.
bool bspi_wedges_make(bspi_wedges *wedges, const bspi_flat_spot *corners, uint32_t num_corners,
                      bspi_heap *heap, bspi_rad_around *out, bsp_error *error);

void bspi_wedges_free(bspi_heap *heap, bspi_rad_around *around);

/// Sets the weight of a patch at a place, 1 in its middle. False outside of the hull
/// (rad_shares.c).
bool bspi_wedges_weigh(const bspi_rad_around *around, bspi_flat_ray at, float *weight);

/// Finds the shares of the patches around, and of `patch`, the one in the middle, at a place
/// (rad_shares.c).
uint32_t bspi_wedges_share(const bspi_rad_around *around, uint32_t patch, bspi_flat_ray at,
                           bspi_rad_share out[BSPI_RAD_SHARES]);

#define BSPI_FLAT_EPSILON 1e-5f

// --- the plane ----------------------------------------------------------------------------------

static inline float bspi_flat_dot(bspi_flat_spot a, bspi_flat_spot b) {
    return a.x * b.x + a.y * b.y;
}
/// To the right of a direction.
static inline bspi_flat_spot bspi_flat_right(bspi_flat_spot a) {
    return (bspi_flat_spot){a.y, -a.x};
}
static inline bspi_flat_spot bspi_flat_left(bspi_flat_spot a) {
    return (bspi_flat_spot){-a.y, a.x};
}
static inline bspi_flat_spot bspi_flat_from(bspi_flat_spot a, bspi_flat_spot to) {
    return (bspi_flat_spot){to.x - a.x, to.y - a.y};
}
/// a * (1 - part) + b * part.
static inline bspi_flat_spot bspi_flat_between(bspi_flat_spot a, bspi_flat_spot b, float part) {
    return (bspi_flat_spot){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}
/// Makes a vector one unit long; one without a length stays.
static inline bspi_flat_spot bspi_flat_unit(bspi_flat_spot a, float *length) {
    *length = sqrtf(bspi_flat_dot(a, a));
    return *length > 0 ? (bspi_flat_spot){a.x / *length, a.y / *length} : a;
}
static inline bspi_flat_ray bspi_flat_ray_to(bspi_flat_spot spot) {
    bspi_flat_ray ray = {.spot = spot};
    ray.way = bspi_flat_unit(spot, &ray.dist);
    return ray;
}
/// Returns a number that grows with the angle from `right` counterclockwise to `left`, 0 up to 4:
/// to tell which of some is the least.
static inline float bspi_flat_turn(bspi_flat_spot left, bspi_flat_spot right) {
    float sine = right.x * left.y - right.y * left.x;
    float cosine = bspi_flat_dot(right, left);
    float wide = cosine < 0 ? -cosine : cosine;
    float high = sine < 0 ? -sine : sine;
    float part = high + wide > 0 ? high / (high + wide) : 0;
    return sine >= 0 ? (cosine >= 0 ? part : 2 - part) : (cosine < 0 ? 2 + part : 4 - part);
}
/// Returns where a direction crosses the line between two spots, the left one first, 0..1.
static inline float bspi_flat_part(bspi_flat_spot left, bspi_flat_spot right, bspi_flat_spot way) {
    bspi_flat_spot across = bspi_flat_right(way);
    float a = bspi_flat_dot(left, across);
    float b = bspi_flat_dot(right, across);
    return a >= -BSPI_FLAT_EPSILON ? 0 : b <= BSPI_FLAT_EPSILON ? 1 : a / (a - b);
}

#endif
