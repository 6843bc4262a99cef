// SPDX-License-Identifier: MIT
// Triangles of the sky in maps of Quake 3, which lines to suns must meet.
#ifndef BSPI_BAKE_SHADE_SKIES_H
#define BSPI_BAKE_SHADE_SKIES_H

#include "bake/light/shadows/occluder_list.h"
#include "bake/light/shadows/shade_tree.h"

/// Adds a triangle of the sky, as large as bspi_shade_meets takes it or any part of it, to a list.
/// (shade_skies.c)
bool bspi_shade_skies_add(bspi_occluder_list *list, const bspi_shade_triangle *triangle);

#endif
