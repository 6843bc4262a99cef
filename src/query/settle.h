// SPDX-License-Identifier: MIT
// The hit of a trace where the engine's tree decides.
#ifndef BSPI_SETTLE_H
#define BSPI_SETTLE_H

#include "query/collide.h"

/// Changes the result of a walk to the engine's: *hit becomes the hit of its trace, and `lane` is
/// set. For rules with by_tree only.
void bspi_settle(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                 const bspi_ray *ray, bspi_hit *hit); // settle.c

/// Returns the leaf whose lists a trace tests at a rank; NULL if it skips this leaf.
static inline const bsp_leaf *bspi_asked_leaf(const bsp_trace_index *index, const bspi_ray *ray,
                                              uint32_t number) {
    const bsp_leaf *leaf = number < index->map->num_leaves ? &index->map->leaves[number] : NULL;
    bool asked =
        leaf != NULL && (!index->rules->ask_leaves || ((uint32_t)leaf->contents & ray->mask) != 0);
    return asked ? leaf : NULL;
}

/// Returns the plane by which a ray enters a convex at a fraction, as in bspi_hit.
static inline uint32_t bspi_lane_of(const bsp_trace_index *index, const bspi_tracer *tracer,
                                    const bspi_ray *ray, const bspi_convex *c, float fraction) {
    return c->kind != BSPI_BRUSH && ray->point ? c->first_block * BSPI_LANES
                                               : tracer->find_lane(index, c, ray, fraction);
}

/// Does the engine's own trace down the tree, against everything or, with `only_near`, against
/// hit->near; then hit->convex is BSP_NONE if it hits none of those.
void bspi_visit(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
                const bspi_ray *ray, bool only_near, bspi_hit *hit); // visit.c
/// Returns true if the engine's trace tests a brush in a leaf that it visits before a fraction at
/// which it is stopped.
bool bspi_asks(const bsp_trace_index *index, const bspi_tracer *tracer, uint32_t model,
               const bspi_ray *ray, uint32_t n, float fraction); // visit.c
/// Does the engine's test of a position: sets hit->stuck and hit->solid to what is solid there, or
/// BSP_NONE. A model without a tree is left alone.
void bspi_visit_still(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                      bspi_hit *hit); // position.c

#endif
