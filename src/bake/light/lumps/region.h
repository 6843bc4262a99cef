// SPDX-License-Identifier: MIT
// Light made anew in a part of a map.
#ifndef BSPI_BAKE_REGION_H
#define BSPI_BAKE_REGION_H

#include "bake/light/base/work.h"

/// Finds which faces get other light: those in the region of the options, and those in clusters
/// that may see it. Without a region: all.
bool bspi_region_find(bspi_relight *own, bsp_error *error);
/// May a cluster see into the region? Without one: true.
bool bspi_region_sees(const bspi_relight *own, uint32_t cluster);
/// Source: may a cluster see into it, or a face that is made anew?
bool bspi_region_sees_light(const bspi_relight *own, uint32_t cluster);
/// Gives faces that keep their light the luxels of the map, when all others are done.
bool bspi_region_restore(bspi_relight *own, bsp_error *error);

#endif
