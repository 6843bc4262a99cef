// SPDX-License-Identifier: MIT
// A file being written as one of another branch.
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
    bsp_map map;             ///< of the file, with what the target wants otherwise
    const bsp_file *written; ///< what the map alone makes of it
    bsp_lump_change *changes;
    uint32_t count;
    bsp_bytes colours; ///< BSPX: light of three bytes a luxel, where the target has one; else empty
    bool refused;      ///< something was lost that may not be
    bspi_heap heap;
    bspi_arena arena;
    bsp_error *error;
} bspi_convert;

/// Something has no place in the target: noted, or the reason to refuse the map (the first one).
void bspi_convert_lose(bspi_convert *c, bsp_place place, const char *format, ...) BSP_PRINTF(3, 4);

/// True if the light of the two branches has different luxels.
bool bspi_convert_light_differs(const bspi_convert *c);

/// Makes light, palettes and the light grid of the map as the target has them (convert_map.c).
bool bspi_convert_map(bspi_convert *c);

/// Carries the fields of a table over to the same records in another layout at `out`, where what
/// the map made of them stands (convert_records.c).
bool bspi_convert_table(bspi_convert *c, const char *lump, const bsp_table *from,
                        const bsp_table *to, uint8_t *out);

#endif
