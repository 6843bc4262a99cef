// SPDX-License-Identifier: MIT
// What traces through hulls share, one by one and many at once.
#ifndef BSPI_HULL_TRACE_H
#define BSPI_HULL_TRACE_H

#include "query/collide.h"
#include "query/hull.h"

/// A trace in the space of a hull.
typedef struct bspi_hull_way {
    const bspi_hull *hull;
    bspi_child root;
    float start[4], end[4]; ///< places, see bspi_way_place
    float offset[3];        ///< by which both were moved back
} bspi_hull_way;

/// Finds the hull of a trace. Returns false if there is none.
bool bspi_enter_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bspi_hull_way *way);
/// Sets the plane of a hit by a side of a node.
void bspi_hit_side(const bsp_map *map, const bspi_hull *hull, bspi_child side,
                   bsp_trace_result *result);
/// Sets the end of a trace whose fraction and start are known, and the contents. `result->end` is
/// in the space of the hull where something was hit; `offset` is that of the way.
void bspi_leave_hull(const bsp_trace_input *input, const bspi_placed *placed, const float offset[3],
                     bsp_trace_result *result);

/// Traces many as bsp_trace does each. Returns false, having done nothing, if there are few, the
/// map has no hulls or there is no memory. `count` fits in 32 bits.
bool bspi_trace_hulls(const bsp_trace_index *index, const bsp_trace_input *inputs,
                      bsp_trace_result *results, size_t count); // hull_many.c

#endif
