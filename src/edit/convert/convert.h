// SPDX-License-Identifier: MIT
// A file being converted to another branch.
#ifndef BSPI_EDIT_CONVERT_CONVERT_H
#define BSPI_EDIT_CONVERT_CONVERT_H

#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "core/memory.h"

typedef struct bspi_convert {
    const bsp_file *file;
    const bsp_file_info *info;
    const bsp_branch *target;
    const bsp_convert_options *options;
    bsp_map map;             ///< of the file, changed to what the target needs
    const bsp_file *written; ///< what the map alone makes of it
    bsp_lump_change *changes;
    uint32_t count;
    bsp_bytes
        colours;  ///< BSPX: light of three bytes per luxel, where the target has it; else empty
    bool refused; ///< a loss that the options do not allow
    bspi_heap heap;
    bspi_arena arena;
    bsp_error *error;
} bspi_convert;

/// Reports what has no place in the target: as an issue, or as the reason to refuse the map (the
/// first one).
void bspi_convert_lose(bspi_convert *c, bsp_place place, const char *format, ...) BSP_PRINTF(3, 4);

/// Returns true if the light of the two branches has different luxels.
bool bspi_convert_light_differs(const bspi_convert *c);

/// Returns true if the light of the two branches is on pages of different sizes.
bool bspi_convert_pages_differ(const bspi_convert *c);

/// Converts light on pages to those of the target, in the map (convert_pages.c).
bool bspi_convert_pages(bspi_convert *c);

/// Converts light, palettes and the light grid of the map to the target's form (convert_map.c).
bool bspi_convert_map(bspi_convert *c);

/// Copies the fields of a table to the same records in another layout at `out`, over what the map
/// wrote there (convert_records.c).
bool bspi_convert_table(bspi_convert *c, const char *lump, const bsp_table *from,
                        const bsp_table *to, uint8_t *out);

#endif
