// SPDX-License-Identifier: MIT
// One trace against one convex.
#ifndef BSPI_CLIP_H
#define BSPI_CLIP_H

#include "query/collide.h"

/// What the planes of a convex do to a segment.
typedef struct bspi_clipped {
    float enter; ///< -1: it never enters
    float leave;
    uint32_t order; ///< of the plane it enters by: bspi_clip_convex only
    uint32_t lane;  ///< and where that is: too
    bool start_out;
    bool end_out;
} bspi_clipped;

/// The distance of a plane that is moved outwards for the ray's box.
static inline float bspi_moved_dist(const bspi_ray *ray, const float normal[3], float dist) {
    float out[3];
    for (int axis = 0; axis < 3; axis++) {
        float low = normal[axis] * ray->mins[axis];
        float high = normal[axis] * ray->maxs[axis];
        out[axis] = low < high ? low : high;
    }
    return dist - (out[0] + out[1] + out[2]);
}

/// Clips against the first `blocks` blocks. False if the segment does not come near.
bool bspi_clip_convex(const bsp_trace_index *index, const bspi_convex *convex, uint32_t blocks,
                      const bspi_ray *ray, bspi_clipped *out);

/// Where a point touches a facet's surface inside all borders, and where it stops before it.
typedef struct bspi_touch {
    float fraction;
    float contact;
} bspi_touch;

/// A point against a facet. False if it does not touch it.
bool bspi_clip_point(const bsp_trace_index *index, const bspi_convex *convex, float epsilon,
                     const bspi_ray *ray, bspi_touch *out);

/// So deep in a solid rounding cannot matter: units. Compilers' trees are right to less than that.
#define BSPI_DEPTH 0.05f

/// True if the start is so deep in a convex.
bool bspi_is_deep(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray);

/// Takes note of a convex that the start is inside of, and of whether the engine is known to meet
/// it; `all`: so is the whole trace; `deep`: the start is so deep in it.
void bspi_note_stuck(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray, bool all,
                     bool deep, bspi_hit *hit);

/// Takes note of something that is met no later than hit->limit, which the tree may decide about.
void bspi_note(bspi_hit *hit, const bspi_ray *ray, const bspi_near *near);

/// True if a convex is something that the trace is stopped by.
static inline bool bspi_meets_mask(const bsp_trace_index *index, const bspi_convex *convex,
                                   const bspi_ray *ray) {
    return (convex->contents & ray->mask) != 0 && (convex->passes & ray->pass) == 0 &&
           (!index->rules->ask_leaves || (convex->gate & ray->mask) != 0);
}

/// The plain test of one convex.
void bspi_test_convex(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray, bspi_hit *hit);

#endif
