// SPDX-License-Identifier: MIT
// The tree as the engine walks it, and the leaves of brushes and patches.
#ifndef BSPI_VISITS_H
#define BSPI_VISITS_H

#include "query/collide.h"

/// The most brushes and faces that a trace asks leaf by leaf: a bound for hostile leaves, which
/// share them.
#define BSPI_MOST_ASKED 262144u

/// Returns true if a body is walked by a tree: the world, and models that have their own.
static inline bool bspi_has_tree(const bsp_map *map, uint32_t model) {
    return map->num_nodes != 0 && map->num_leaves != 0 && model < map->num_models &&
           (model == 0 || !map->traits->model_runs);
}

/// Finds which convexes are sure, and builds index->visits for rules with by_tree.
bool bspi_build_visits(bspi_builder *b, const bspi_body *bodies, uint32_t num_bodies); // visits.c

/// Builds index->visits.borders.
bool bspi_build_borders(bspi_builder *b); // borders.c

/// Records the facets that a point hits which starts in one of their planes, and which the walk of
/// the index may have missed.
void bspi_note_borders(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                       bspi_hit *hit); // borders.c

/// Returns the patch of a body that belongs to a face, or NULL.
const bspi_patch_run *bspi_find_patch(const bsp_trace_index *index, const bspi_body *body,
                                      uint32_t face); // visits.c

#endif
