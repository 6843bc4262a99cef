// SPDX-License-Identifier: MIT
// Brushes as tests of points.
#ifndef BSPI_INSIDE_H
#define BSPI_INSIDE_H

#include "query/collide.h"

/// A brush as a test of points: its sides across axes are the box, the others a run of planes.
typedef struct bspi_inside {
    float low[3];
    float high[3];
    uint32_t first;
    uint32_t count;
    int32_t contents;
} bspi_inside;

/// The brushes of a map.
typedef struct bspi_insides {
    const bspi_inside *brushes;
    const float (*planes)[4]; ///< normal, distance
} bspi_insides;

/// Makes the tests of all brushes of a map, in an arena. Returns false without memory.
bool bspi_build_insides(bspi_insides *out, const bsp_map *map, bspi_arena *arena, bsp_error *error);

/// Returns true if a point is on the back side of all sides of a brush, or on them: the same as
/// without the box, since the products of a normal across an axis with 0 add nothing.
static inline bool bspi_is_inside(const bspi_insides *all, const bspi_inside *brush,
                                  const float p[3]) {
    for (int i = 0; i < 3; i++) {
        if (p[i] < brush->low[i] || p[i] > brush->high[i]) {
            return false;
        }
    }
    for (uint32_t i = 0; i < brush->count; i++) {
        const float *plane = all->planes[brush->first + i];
        if (bspi_dot(plane, p) > plane[3]) {
            return false;
        }
    }
    return true;
}

/// Returns false for a map whose leaves and brushes share more than those of any compiler.
bool bspi_shares_little(const bsp_map *map);

#define BSPI_LARGEST_RANK 32767
/// Returns a coordinate as a small integer, -BSPI_LARGEST_RANK..BSPI_LARGEST_RANK. A larger
/// coordinate never has a smaller one.
static inline int16_t bspi_rank_of(float x, float origin, float scale) {
    float rank = (x - origin) * scale;
    return (int16_t)(rank < -BSPI_LARGEST_RANK  ? -BSPI_LARGEST_RANK
                     : rank > BSPI_LARGEST_RANK ? BSPI_LARGEST_RANK
                                                : rank);
}

#endif
