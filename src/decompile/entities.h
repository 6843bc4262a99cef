// SPDX-License-Identifier: MIT
// Entities of maps whose brush models were moved to their origin: Quake 2 and Quake 3.
#ifndef BSPI_DECOMPILE_ENTITIES_H
#define BSPI_DECOMPILE_ENTITIES_H

#include "decompile/work.h"

/// Copies the wanted entities, without the keys that the compiler wrote ("model" "*1", "origin" of
/// a brush model, "style" of an area portal).
bool bspi_copy_entities(bspi_work *w);
/// Adds an origin brush to each entity of a brush model that has an origin. Fills in the mapping of
/// `look`.
bool bspi_emit_origins(bspi_work *w, const bspi_look *look);

#endif
