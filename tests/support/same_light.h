// SPDX-License-Identifier: MIT
// Compares the faces and vertices of a map of Quake 3's family, and the light that is under them.
#ifndef TEST_SAME_LIGHT_H
#define TEST_SAME_LIGHT_H

#include "bspkit/map.h"

/// Fails the test unless the maps, whose pages of light may have different sizes, have the same
/// vertices but for coordinates of light, the same faces but for places on pages, and the same
/// luxels between the vertices of each face. `whole`: the others may not have less, that is, fewer
/// light styles or light on fewer faces. Returns the number of luxels compared.
uint64_t compare_light(const char *name, const bsp_map *want, const bsp_map *got, bool whole);

#endif
