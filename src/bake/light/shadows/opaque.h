// SPDX-License-Identifier: MIT
// Where lines go into what is solid in the tree, by the rules of q3map2.
#ifndef BSPI_BAKE_OPAQUE_H
#define BSPI_BAKE_OPAQUE_H

#include "bspkit/map.h"

/// Returns where on a line, as a share of it, the first leaf begins that has no cluster; 2 without
/// one, or in trees that no compiler makes. What is less than `on` units off a plane is on both
/// sides of it. Adds the nodes that were looked at to `steps`.
float bspi_opaque_at(const bsp_map *map, const float start[3], const float end[3], float on,
                     uint64_t *steps);

#endif
