// SPDX-License-Identifier: MIT
// The parts of the check that need the meaning of the map.
#ifndef BSPI_MAP_CHECK_H
#define BSPI_MAP_CHECK_H

#include "bspkit/map.h"
#include "core/issue_kinds.h"
#include "core/memory.h"

/// A map being checked.
typedef struct bspi_map_check {
    const bsp_file *file;
    const bsp_map *map; ///< entities, tree and surfaces of it
    bsp_bytes light;
    bsp_issues *issues;
    bspi_heap *heap;
    bsp_error *error;
} bspi_map_check;

/// Returns a place in the lump of a kind of table: record `record`, field `field`.
bsp_place bspi_map_place(const bspi_map_check *check, bsp_table_id id, uint32_t record,
                         const char *field);

bool bspi_check_tree(bspi_map_check *check);       // check_tree.c: false without memory
bool bspi_check_visibility(bspi_map_check *check); // check_visibility.c: false without memory
bool bspi_check_surfaces(bspi_map_check *check);   // check_surfaces.c

#endif
