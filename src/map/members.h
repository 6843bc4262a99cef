// SPDX-License-Identifier: MIT
// The structures of the map as targets of fields, and which table fills which array.
#ifndef BSPI_MEMBERS_H
#define BSPI_MEMBERS_H

#include "bspkit/map.h"
#include "layout/bind.h"

/// An array of the map that the records of a table fill.
typedef struct bspi_array {
    bsp_table_id id;
    const bspi_struct *structure;
    size_t pointer; ///< offset in bsp_map of the array
    size_t count;   ///< and of its count
    uint32_t load;  ///< bsp_load_mask bit that asks for it
} bspi_array;

/// All arrays that are filled from records as they are.
const bspi_array *bspi_arrays(uint32_t *count);

/// The member of the map that a feed stands for; NULL for feeds that are no member. For tests.
const bspi_member *bspi_member_of(uint16_t feed);

#endif
