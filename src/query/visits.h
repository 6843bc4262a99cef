// SPDX-License-Identifier: MIT
// The tree as the engine walks it, and in which of its leaves things are.
#ifndef BSPI_VISITS_H
#define BSPI_VISITS_H

#include "query/collide.h"

/// Tells whether a body is walked by a tree: the world is, and models that have one of their own.
static inline bool bspi_has_tree(const bsp_map *map, uint32_t model) {
    return map->num_nodes != 0 && map->num_leaves != 0 && model < map->num_models &&
           (model == 0 || !map->traits->model_runs);
}

/// Builds index->visits, for rules that decide by the tree.
bool bspi_build_visits(bspi_builder *b, const bspi_body *bodies, uint32_t num_bodies); // visits.c

/// Builds index->visits.borders.
bool bspi_build_borders(bspi_builder *b); // borders.c

/// Takes note of the facets that a point meets which starts in one of their planes, and which the
/// index may not have found.
void bspi_note_borders(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                       bspi_hit *hit); // borders.c

/// The patch of a body that belongs to a face, or NULL.
const bspi_patch_run *bspi_find_patch(const bsp_trace_index *index, const bspi_body *body,
                                      uint32_t face); // visits.c

#endif
