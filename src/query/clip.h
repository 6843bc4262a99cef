// SPDX-License-Identifier: MIT
// One trace against one convex.
#ifndef BSPI_CLIP_H
#define BSPI_CLIP_H

#include "query/collide.h"

/// The part of a segment inside the planes of a convex.
typedef struct bspi_clipped {
    float enter; ///< fraction of the entry; -1: it never enters
    float leave;
    uint32_t order; ///< of the plane of the entry; set by bspi_clip_convex only
    uint32_t lane;  ///< its lane; set by bspi_clip_convex only
    bool start_out;
    bool end_out;
} bspi_clipped;

/// Returns the distance of a plane that is moved outwards by the ray's box.
static inline float bspi_moved_dist(const bspi_ray *ray, const float normal[3], float dist) {
    float out[3];
    for (int axis = 0; axis < 3; axis++) {
        float low = normal[axis] * ray->mins[axis];
        float high = normal[axis] * ray->maxs[axis];
        out[axis] = low < high ? low : high;
    }
    return dist - (out[0] + out[1] + out[2]);
}

/// Clips against the first `blocks` blocks. Returns false if the segment misses the convex.
bool bspi_clip_convex(const bsp_trace_index *index, const bspi_convex *convex, uint32_t blocks,
                      const bspi_ray *ray, bspi_clipped *out);

/// A convex by which a segment was clipped.
typedef struct bspi_cut {
    const bspi_convex *convex;
    bspi_clipped clipped;
} bspi_cut;

#define BSPI_MOST_GROUPS 8u // of a leaf's brushes that are clipped at once

/// Clips a ray by the next brushes of a leaf, in the order of its list: from group *next of
/// bspi_brush_owners on. Returns how many are in `out`.
static inline uint32_t bspi_cut_next(const bsp_trace_index *index, const bspi_tracer *tracer,
                                     const bspi_spread *spread, uint32_t leaf, uint32_t *next,
                                     bspi_cut out[BSPI_MOST_GROUPS * BSPI_LANES]) {
    const bspi_brush_owners *owners = &index->owners;
    uint32_t first = *next;
    uint32_t count = owners->runs[leaf + 1] - first;
    count = count < BSPI_MOST_GROUPS ? count : BSPI_MOST_GROUPS;
    *next += count;
    return tracer->cut(index, spread, owners->groups + first, count, out);
}

/// Returns true if the brushes of leaves may be clipped by groups in a body.
static inline bool bspi_is_grouped(const bsp_trace_index *index, const bspi_tracer *tracer,
                                   const bspi_body *body) {
    return tracer->cut != NULL && index->owners.groups != NULL && body->num_open == 0;
}

/// Where a point touches a facet's surface inside all borders, and where it stops before it.
typedef struct bspi_touch {
    float fraction;
    float contact;
} bspi_touch;

/// Tests a point against a facet. Returns false if it does not touch it.
bool bspi_clip_point(const bsp_trace_index *index, const bspi_convex *convex, float epsilon,
                     const bspi_ray *ray, bspi_touch *out);

/// Depth in a solid, in units, at which rounding does not matter. The trees of compilers are more
/// exact than that.
#define BSPI_DEPTH 0.05f

/// Returns true if the start is BSPI_DEPTH deep in a convex.
bool bspi_is_deep(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray);

/// Returns true if a ray comes BSPI_DEPTH deep into a convex that it starts outside of. Sets
/// *contact to the fraction at which it does, or 1.
bool bspi_enters_deep(const bsp_trace_index *index, const bspi_convex *convex, const bspi_ray *ray,
                      float *contact);

/// Returns true if a ray that is BSPI_DEPTH deep in the planes of a brush is in a leaf that lists
/// it, for rules with leaves_solid. A box may be in the planes of other brushes, moved by its size,
/// without touching them; of a brush with six planes across the axes it has a point so deep inside
/// that no rounding matters, unless the brush is thin.
static inline bool bspi_is_surely_listed(const bspi_convex *convex, const bspi_ray *ray) {
    const float *dist = bspi_axial_of(convex);
    bool thick = true;
    for (int i = 0; i < 3; i++) {
        thick = thick && dist[i] + dist[3 + i] >= 2 * BSPI_DEPTH;
    }
    return convex->sure == BSPI_SURE &&
           (ray->point || (convex->num_blocks == bspi_num_axial(convex) && thick));
}

/// Records a convex that contains the start, and whether the engine certainly finds it there.
/// `all`: it contains the whole trace; `deep`: the start is BSPI_DEPTH deep in it.
void bspi_note_stuck(const bspi_convex *convex, const bspi_ray *ray, bool all, bool deep,
                     bspi_hit *hit);

/// Records something that is hit no later than hit->limit, about which the tree may decide.
void bspi_note(bspi_hit *hit, const bspi_ray *ray, const bspi_near *near);

/// Returns true if a convex has contents of the trace's mask.
static inline bool bspi_is_masked(const bsp_trace_index *index, const bspi_convex *convex,
                                  const bspi_ray *ray) {
    return (convex->contents & ray->mask) != 0 && (convex->passes & ray->pass) == 0 &&
           (!index->rules->ask_leaves || (convex->gate & ray->mask) != 0);
}

/// Does the plain test of one convex.
void bspi_test_convex(const bsp_trace_index *index, uint32_t n, const bspi_ray *ray, bspi_hit *hit);

#endif
