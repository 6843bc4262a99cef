// SPDX-License-Identifier: MIT
// The contents of the map, made from its manifest (formats/map_manifest.h): the structures as
// targets of fields, and the table that fills each array.
#ifndef BSPI_MEMBERS_H
#define BSPI_MEMBERS_H

#include "bspkit/map.h"
#include "layout/bind.h"

/// An array of the map that the records of a table fill.
typedef struct bspi_array {
    bsp_table_id id;
    const bspi_struct *structure;
    size_t pointer; ///< offset in bsp_map of the array
    size_t count;   ///< offset in bsp_map of its count
    uint32_t load;  ///< bsp_load_mask bit that loads it
} bspi_array;

/// An array of names of the map, one for each record of a table.
typedef struct bspi_names {
    bsp_table_id id;
    size_t pointer; ///< offset in bsp_map of the array of bsp_text
    size_t count;   ///< offset in bsp_map of its count
    uint32_t load;  ///< bsp_load_mask bit that loads it
} bspi_names;

/// A lump of which the map has a view.
typedef struct bspi_view {
    bsp_table_id id;
    size_t view;   ///< offset in bsp_map of the bsp_bytes
    uint32_t load; ///< bsp_load_mask bit that loads it
} bspi_view;

/// Returns all arrays that hold records as stored, in the order in which those of one table are
/// filled.
const bspi_array *bspi_arrays(uint32_t *count);
/// Returns the first array of a table, or NULL.
const bspi_array *bspi_array_find(bsp_table_id id);
/// Returns all arrays of names.
const bspi_names *bspi_names_arrays(uint32_t *count);
/// Returns all lumps of which the map has a view.
const bspi_view *bspi_views(uint32_t *count);

/// Returns the member of the map that a number stands for; NULL for a fact that is no member. For
/// tests.
const bspi_member *bspi_member_of(uint16_t map_member);

#endif
