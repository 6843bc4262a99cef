// SPDX-License-Identifier: MIT
// A solid of a physics model.
#ifndef BSPI_PHYSICS_SOLID_H
#define BSPI_PHYSICS_SOLID_H

#include "records/parse.h"

/// Parses the solid between two bytes of the lump: its head, and its surface if the kind is known.
/// The rest is bytes.
void bspi_parse_solid(bspi_parse *split, size_t at, size_t end);

#endif
