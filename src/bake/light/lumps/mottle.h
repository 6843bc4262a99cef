// SPDX-License-Identifier: MIT
// Uneven least light.
#ifndef BSPI_BAKE_MOTTLE_H
#define BSPI_BAKE_MOTTLE_H

#define BSPI_MOTTLE 48.0f // the most that is added, before the gain

/// Returns what is added to the least light at a point of the world, from 0 to below BSPI_MOTTLE:
/// noise whose values are a grid's of 16 units, and between these what lies between.
float bspi_mottle(const float point[3]);

#endif
