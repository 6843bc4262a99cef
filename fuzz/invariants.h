// SPDX-License-Identifier: MIT
// What map.h promises about a loaded map.
#ifndef FUZZ_INVARIANTS_H
#define FUZZ_INVARIANTS_H

#include "bspkit/map.h"

/// Aborts unless every index of a map that was loaded with all its parts is valid or BSP_NONE,
/// every run lies inside its array, and no tree has a cycle.
void fuzz_check_map(const bsp_map *map);

#endif
