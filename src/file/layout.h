// SPDX-License-Identifier: MIT
// Private helpers on layouts.
#ifndef BSPI_LAYOUT_H
#define BSPI_LAYOUT_H

#include "bspkit/file.h"

/// By how many bytes the offset grows behind this field: 0 for all but the last part of a bit set.
size_t bspi_field_advance(const bsp_field *field);

/// The first field that feeds the given member of the map, or NULL.
const bsp_field *bspi_layout_find(const bsp_layout *layout, uint16_t feed, uint32_t *index);

/// The COUNT field of the run that the FIRST field `first` begins: the nearest of the same target,
/// behind it or before. BSP_NONE without one.
uint32_t bspi_layout_run_count(const bsp_layout *layout, uint32_t first);

/// One element of a field at `p`, as bsp_table_int and bsp_table_float give it, for callers that
/// keep the offsets of fields.
int64_t bspi_load_int(const bsp_field *field, const uint8_t *p, bool big_endian);
float bspi_load_float(const uint8_t *p, bool big_endian);

/// Type of elements as they lie in memory when a field is taken as it is.
static inline bsp_type bspi_memory_type(bsp_type type) {
    return type == BSP_CHAR || type == BSP_PAD ? BSP_U8 : type;
}

#endif
