// SPDX-License-Identifier: MIT
// Quake 3: lamps that stand somewhere.
#ifndef BSPI_BAKE_SPREAD_H
#define BSPI_BAKE_SPREAD_H

#include "bake/light/lamps/lamp.h"

#define BSPI_LAMP_POINT 7500.0f // what a lamp gives for each unit of its light
#define BSPI_LAMP_CLOSEST 16.0f // units; nearer is not brighter

/// Adds a lamp, or as `count` weaker ones: itself, and others at random so many units around it.
/// Those in solid are moved, or left out.
bool bspi_lamp_add_spread(bspi_relight *own, const bspi_lamp *lamp, float deviance, uint32_t count,
                          bsp_error *error);
/// Adds a lamp that stands where a surface does which turns to the eye; `light` is that of the
/// shader.
bool bspi_lamp_add_sprite(bspi_relight *own, const bspi_lamp *sprite, bsp_error *error);

#endif
