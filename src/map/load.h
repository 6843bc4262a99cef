// SPDX-License-Identifier: MIT
// A map under construction.
#ifndef BSPI_LOAD_H
#define BSPI_LOAD_H

#include "bspkit/map.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "map/members.h"
#include "map/owner.h"
#include "records/page_window.h"
#include "records/references.h"

typedef struct bspi_loader {
    bspi_map *owner;
    bsp_map *map; ///< &owner->map
    const bsp_file *file;
    uint32_t load; ///< bsp_load_mask bits
    bool strict;
    bsp_issues *issues;
    bsp_error *error;
    bspi_counts counts; ///< of the file, to check indices against
    bspi_window window; ///< follows the decoding: records are not needed again
} bspi_loader;

/// Reports something that was repaired. In strict mode fails instead, and returns false.
bool bspi_repaired(bspi_loader *loader, int kind, bsp_place place, const char *format, ...)
    BSP_PRINTF(4, 5); // repair.c

/// Returns an array of the map for writing; the public pointers are const.
static inline void *bspi_writable(const void *array) {
    return (void *)(uintptr_t)array;
}

/// Gives the unpacked bytes of a lump: none if it is missing, or cannot be unpacked. Returns false
/// only without memory.
bool bspi_lump_bytes(const bspi_loader *loader, uint32_t lump, bsp_bytes *out); // views.c

/// Returns true if the records of a lump fill an array that is loaded.
bool bspi_is_wanted(const bspi_loader *loader, uint32_t lump);

// The steps, in order. Each returns false on failure with the error filled.
bool bspi_load_views(bspi_loader *loader);  // views.c
bool bspi_load_arrays(bspi_loader *loader); // arrays.c
bool bspi_repair_references(bspi_loader *loader, const bspi_array *array, const bsp_lump *lump,
                            const bsp_part *part, void *out); // repair.c
bool bspi_load_materials(bspi_loader *loader);                // materials.c
bool bspi_load_boxes(bspi_loader *loader);                    // respawn_boxes.c: Respawn's brushes
bool bspi_load_meshes(bspi_loader *loader);     // respawn_meshes.c: Respawn's surfaces
bool bspi_load_surfaces(bspi_loader *loader);   // derive.c: what the branch leaves implicit
bool bspi_load_names(bspi_loader *loader);      // materials.c: models of props
bool bspi_load_visibility(bspi_loader *loader); // visibility.c
bool bspi_repair_trees(bspi_loader *loader);    // tree.c

#endif
