// SPDX-License-Identifier: MIT
// What shaders of Quake 3 say of light (lamps_shaders.c).
#ifndef BSPI_BAKE_SHADERS_H
#define BSPI_BAKE_SHADERS_H

#include "bake/light/lamps/lamp.h"

/// Adds the surfaces and skies whose shaders give light.
bool bspi_lamps_shaders(bspi_relight *own, bsp_error *error);
/// Adds a sun, or as `count` weaker ones: itself, and others at random within `radius` degrees.
bool bspi_lamp_add_sun(bspi_relight *own, const bspi_lamp *sun, float radius, uint32_t count,
                       bsp_error *error);
/// Makes the brightest channel 1; black becomes white.
void bspi_brightest(float color[3]);
/// Returns how many lamps "_samples" makes of one.
uint32_t bspi_lamp_count(float samples);

/// Is light of a style left out of the pages? Maps whose faces have one style have others in
/// shaders beside them, where the compiler made such.
bool bspi_lamp_is_elsewhere(const bspi_relight *own, int style);

#endif
