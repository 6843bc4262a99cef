// SPDX-License-Identifier: MIT
// The part of a tree that all of a box is in.
#ifndef BSPI_BAKE_NODE_AROUND_H
#define BSPI_BAKE_NODE_AROUND_H

#include "bspkit/map.h"

/// Returns the deepest node, or the leaf, that holds all of a box and what is that close to it,
/// below a node that does: for points of the box it is the same to begin there. `half`: of the
/// sides of the box. Adds the nodes that were gone through to `steps`, if that is not NULL.
int32_t bspi_node_around(const bsp_map *map, int32_t node, const float middle[3],
                         const float half[3], float apart, uint32_t *steps);

#endif
