// SPDX-License-Identifier: MIT
// The allowed values of each role, for the check of records and for the map, which trusts no value.
#ifndef BSPI_REFERENCES_H
#define BSPI_REFERENCES_H

#include "bspkit/file.h"

/// The number of records and bytes of each kind.
typedef struct bspi_counts {
    uint32_t records[BSP_ID_COUNT];
    uint32_t bytes[BSP_ID_COUNT];
} bspi_counts;

/// Completes the counts: in maps with HDR light only, indices of faces refer to the faces of its
/// lump.
void bspi_counts_finish(bspi_counts *counts);

/// Returns a clipnode child as a clipnode index or a negative content. Children of 16 bits are
/// unsigned in maps with many clipnodes: contents are the last 16 values (0xFFF0 and up).
static inline int64_t bspi_clip_child(int64_t value, uint32_t num_clipnodes) {
    return value < -16 && num_clipnodes > INT16_MAX && value >= INT16_MIN ? value + 65536 : value;
}

/// The values that are allowed, from `low` to `high` inclusive; none if `low` is above `high`.
typedef struct bspi_range {
    int64_t low;
    int64_t high;
} bspi_range;

/// Returns what element `element` of a field with this role may be (a clip child: as
/// bspi_clip_child returns it). FIRST and COUNT are checked as pairs elsewhere, so any value is
/// allowed here.
bspi_range bspi_reference_range(const bsp_field *field, uint32_t element,
                                const bspi_counts *counts);

/// Returns the number that the value must be below, and what is counted, for the message.
uint32_t bspi_reference_limit(const bsp_field *field, const bspi_counts *counts, const char **noun);

#endif
