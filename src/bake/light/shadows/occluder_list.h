// SPDX-License-Identifier: MIT
// Faces that cast shadows, while they are found.
#ifndef BSPI_BAKE_OCCLUDER_LIST_H
#define BSPI_BAKE_OCCLUDER_LIST_H

#include "bake/light/shadows/occluders.h"

/// A list under construction. Ended by bspi_occluder_list_end.
typedef struct bspi_occluder_list {
    bspi_relight *own;
    struct bspi_occluders *all; ///< in the arena; its lists are in the heap until the end
    size_t room;
    size_t edge_room;
    size_t bound_room;
    uint32_t num_edges;
    float (*bounds)[2][3]; ///< in the heap
    bsp_error *error;
} bspi_occluder_list;

/// Begins a list without faces. `all` is NULL on failure.
bspi_occluder_list bspi_occluder_list_begin(bspi_relight *own, bsp_error *error);
/// Adds a face, all of which is set but for its edges and their axes; one that is nowhere is left
/// out.
bool bspi_occluder_list_add(bspi_occluder_list *list, const bspi_occluder *face,
                            const float (*points)[3], uint32_t count);
/// Puts the faces into boxes, if `done`. Returns them, in the arena, or NULL on failure.
struct bspi_occluders *bspi_occluder_list_end(bspi_occluder_list *list, bool done);

#endif
