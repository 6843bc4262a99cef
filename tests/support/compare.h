// SPDX-License-Identifier: MIT
// Compares two maps member by member, by the tables.
#ifndef TEST_COMPARE_H
#define TEST_COMPARE_H

#include "bspkit/map.h"

/// Fails the test unless everything that `branch` stores is the same in both maps.
void compare_maps(const bsp_map *want, const bsp_map *got, const bsp_branch *branch,
                  uint32_t props);

/// Returns a hash of everything that every branch of the family of `branch` stores in the same way;
/// `pages`: with the places of light on pages.
uint64_t hash_shared(const bsp_map *map, const bsp_branch *branch, bool pages);

#endif
