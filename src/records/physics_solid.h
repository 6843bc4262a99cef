// SPDX-License-Identifier: MIT
// The solids of a physics model, of a map's lump or of a .phy file.
#ifndef BSPI_PHYSICS_SOLID_H
#define BSPI_PHYSICS_SOLID_H

#include "records/parse.h"

/// Marks as numbers: "VPHY" of the head of a solid, and "IVPS" of its surface.
#define BSPI_PHYSICS_VPHY 0x59485056u
#define BSPI_PHYSICS_IVPS 0x53505649u

/// Parses `count` solids from byte `at` of the lump or file on, each after its size: the list
/// "solids", with a group for each, of its head and of its surface if the kind is known; the rest
/// is bytes. None reaches beyond `end`. Returns where they end.
size_t bspi_parse_solids(bspi_parse *parse, size_t at, size_t end, uint32_t count);
/// Parses the key text that follows solids, without the NULs that end it.
void bspi_parse_solid_keys(bspi_parse *parse, size_t at, size_t size);

#endif
