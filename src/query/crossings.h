// SPDX-License-Identifier: MIT
// The nodes of the world whose planes a line crosses, as the engines and vrad look for the face
// that light falls on.
#ifndef BSPI_CROSSINGS_H
#define BSPI_CROSSINGS_H

#include "bspkit/map.h"

#define BSPI_MOST_CROSSED 256u // that wait; what is farther than those is not found

/// A node whose plane a line crosses, and the rest of the line after it.
typedef struct bspi_crossing {
    int32_t node;
    bool back; ///< the line comes from the back
    float at;  ///< where, in lengths of `way` from the start
    float end; ///< of that rest, likewise
} bspi_crossing;

typedef struct bspi_crossings {
    const bsp_map *map;
    const float *from;
    const float *way;
    int32_t node; ///< that the line goes on in, from `at` to `end`
    float at;
    float end;
    uint32_t steps; ///< nodes that were gone through: at most as many as there are
    uint32_t count; ///< of `stack`
    bspi_crossing stack[BSPI_MOST_CROSSED];
} bspi_crossings;

/// Begins at a point; the line ends after `length` times `way`. Both are borrowed.
void bspi_crossings_begin(bspi_crossings *line, const bsp_map *map, const float from[3],
                          const float way[3], float length);

/// Returns the next node, and sets the point where the line crosses its plane, and how far on the
/// line that is. NULL without another one.
const bsp_node *bspi_crossings_next(bspi_crossings *line, float point[3], float *at);

#endif
