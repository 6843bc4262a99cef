// SPDX-License-Identifier: MIT
// A solid of a physics model.
#ifndef BSPI_PHYSICS_SOLID_H
#define BSPI_PHYSICS_SOLID_H

#include "records/parse.h"

/// Takes the solid between two bytes of the lump apart: its head, and its surface of the kinds that
/// are known. What is not known is bytes.
void bspi_parse_solid(bspi_parse *split, size_t at, size_t end);

#endif
