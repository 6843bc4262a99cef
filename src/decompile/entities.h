// SPDX-License-Identifier: MIT
// Entities of maps whose brush models were moved to their origin: Quake 2 and Quake 3.
#ifndef BSPI_DECOMPILE_ENTITIES_H
#define BSPI_DECOMPILE_ENTITIES_H

#include "decompile/work.h"

/// Copies the entities that are wanted: without what the compiler wrote into them ("model" "*1",
/// "origin" of a brush model, "style" of an area portal).
bool bspi_copy_entities(bspi_work *w);
/// Adds the origin brush to each entity of a brush model that has an origin. The look's mapping is
/// filled in.
bool bspi_emit_origins(bspi_work *w, const bspi_look *look);

#endif
