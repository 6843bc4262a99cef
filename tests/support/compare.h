// SPDX-License-Identifier: MIT
// Two maps side by side, member by member, as the tables name them.
#ifndef TEST_COMPARE_H
#define TEST_COMPARE_H

#include "bspkit/map.h"

/// Fails the test unless everything that `branch` stores is the same in both maps.
void compare_maps(const bsp_map *want, const bsp_map *got, const bsp_branch *branch,
                  uint32_t props);

/// A hash of all that every branch of the family of `branch` stores, and stores alike.
uint64_t hash_shared(const bsp_map *map, const bsp_branch *branch);

#endif
