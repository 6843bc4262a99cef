// SPDX-License-Identifier: MIT
// The text of entities, parsed for what pays for it.
#ifndef BSPI_RECORDS_ENTITIES_H
#define BSPI_RECORDS_ENTITIES_H

#include "bspkit/entities.h"
#include "core/memory.h"

/// Parses entities whose memory counts for `parent`, which may be NULL and must outlive them.
bsp_entities *bspi_entities_parse(bsp_text text, bspi_heap *parent, const bsp_allocator *allocator,
                                  bsp_issues *issues, bsp_error *error);

/// Returns the heap that the memory of the entities counts for; NULL: none.
bspi_heap *bspi_entities_parent(const bsp_entities *entities);

#endif
