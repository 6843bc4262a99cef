// SPDX-License-Identifier: MIT
// What the light that the map has tells of how it was made.
#ifndef BSPI_BAKE_STORED_H
#define BSPI_BAKE_STORED_H

#include "bake/light/base/work.h"

/// Sets the luxels that the map has of a face, those of style 0 first. False without.
bool bspi_stored_luxels(const bspi_relight *own, uint32_t face, bspi_luxels *out);

/// Sets a luxel of style 0, in its first direction. RGBEXP32 is linear light, the others are steps
/// of a byte.
void bspi_stored_luxel(const bspi_luxels *luxels, uint32_t luxel, float rgb[3]);

/// Looks at a luxel as bspi_stored_luxel sets it; faces hold what was made so far.
typedef void bspi_stored_look(void *user, uint32_t face, uint32_t luxel, const float stored[3]);

/// Looks at `most` luxels or fewer, spread over the faces whose light was made as large as the map
/// has it; `lit`: only over those that have light of style 0 first.
bool bspi_stored_spread(bspi_relight *own, uint32_t most, bool lit, bspi_stored_look *look,
                        void *user, bsp_error *error);

#endif
