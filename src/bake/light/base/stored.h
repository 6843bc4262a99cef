// SPDX-License-Identifier: MIT
// What the light that the map has tells of how it was made.
#ifndef BSPI_BAKE_STORED_H
#define BSPI_BAKE_STORED_H

#include "bake/light/base/work.h"

/// Sets the luxels that the map has of a face of Source, those of style 0 first. False without.
bool bspi_stored_luxels(const bspi_relight *own, uint32_t face, bspi_luxels *out);

/// Looks at a luxel of style 0 that the map has; faces hold what was made so far.
typedef void bspi_stored_look(void *user, uint32_t face, uint32_t luxel, const float stored[3]);

/// Looks at `most` luxels or fewer, spread over the faces whose light was made as large as the map
/// has it. RGBEXP32 is linear light, the others are steps of a byte.
bool bspi_stored_spread(bspi_relight *own, uint32_t most, bspi_stored_look *look, void *user,
                        bsp_error *error);

#endif
