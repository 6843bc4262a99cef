// SPDX-License-Identifier: MIT
// The walk down the groups of a compact copy. A file for each instruction set includes it and
// defines BSPI_GROUP_WALK, the name of the implementation. All give the same leaf.
#include "query/compact.h"
#include "query/simd.h"

// Each step tests the seven nodes of a group, which costs less than a side of one node that the
// processor predicted wrongly.
BSPI_INLINE uint32_t walk_groups(const bspi_compact *c, int32_t at, const float point[3],
                                 bool to_back) {
    f8 x = f8_all(point[0]);
    f8 y = f8_all(point[1]);
    f8 z = f8_all(point[2]);
    while (at >= 0) {
        const bspi_group *group = &c->groups[at >> BSPI_LINK_SHIFT];
        f8 dot = f8_add(
            f8_add(f8_mul(f8_load(group->normal[0]), x), f8_mul(f8_load(group->normal[1]), y)),
            f8_mul(f8_load(group->normal[2]), z));
        f8 dist = f8_load(group->dist);
        unsigned back = to_back ? ~m8_bits(f8_gt(dot, dist)) : m8_bits(f8_gt(dist, dot));
        unsigned sides = (back ^ (unsigned)at) & ((1u << BSPI_GROUP) - 1);
        at = group->exits[c->shapes[((unsigned)at >> BSPI_GROUP) % BSPI_SHAPES][sides]];
    }
    return (uint32_t)(-1 - at);
}

BSPI_TARGET static uint32_t walk_either(const bspi_compact *c, int32_t root, const float point[3],
                                        bool to_back) {
    return to_back ? walk_groups(c, root, point, true) : walk_groups(c, root, point, false);
}

const bspi_group_walk BSPI_GROUP_WALK = walk_either;
