// SPDX-License-Identifier: MIT
// What the roles of fields demand: one rule for each role, asked by the check of the records and
// by the map where it trusts nothing.
#ifndef BSPI_REFERENCES_H
#define BSPI_REFERENCES_H

#include "bspkit/file.h"

/// How many records, and how many bytes, there are of each kind.
typedef struct bspi_counts {
    uint32_t records[BSP_ID_COUNT];
    uint32_t bytes[BSP_ID_COUNT];
} bspi_counts;

/// Maps with HDR light only have no faces but those of its lump: they are what indices mean.
void bspi_counts_finish(bspi_counts *counts);

/// Clipnode children of 16 bits are unsigned in maps with many clipnodes: contents are the last 16
/// values (0xFFF0 and up). Gives the child as a clipnode index or a negative content.
static inline int64_t bspi_clip_child(int64_t value, uint32_t num_clipnodes) {
    return value < -16 && num_clipnodes > INT16_MAX && value >= INT16_MIN ? value + 65536 : value;
}

/// The values that are allowed, `low` and `high` included; empty if `low` is above `high`.
typedef struct bspi_range {
    int64_t low;
    int64_t high;
} bspi_range;

/// What element `element` of a field with this role may be (a clip child: as bspi_clip_child gives
/// it). FIRST and COUNT are checked as pairs, elsewhere: anything.
bspi_range bspi_reference_range(const bsp_field *field, uint32_t element,
                                const bspi_counts *counts);

/// The number that the value had to stay below, and what is counted, for the message.
uint32_t bspi_reference_limit(const bsp_field *field, const bspi_counts *counts, const char **noun);

#endif
