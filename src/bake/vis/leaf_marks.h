// SPDX-License-Identifier: MIT
// What leaves state of what they see, as records.
#ifndef BSPI_BAKE_LEAF_MARKS_H
#define BSPI_BAKE_LEAF_MARKS_H

#include "bspkit/vis.h"
#include "formats/map_members.h"
#include "layout/layout.h"

/// Writes what leaves state into a copy of their records. True, without a change, where the records
/// have no place for it.
bool bspi_leaf_marks_write(const bsp_vis_leaves *leaves, const bsp_table *table, bool big_endian,
                           uint8_t *copy, bsp_error *error);

#endif
