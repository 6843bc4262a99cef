// SPDX-License-Identifier: MIT
// What the roles of fields demand: one rule for each role, asked by the check of the records and
// by the map where it trusts nothing.
#ifndef BSPI_REFERENCES_H
#define BSPI_REFERENCES_H

#include "bspkit/records.h"

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

/// True if the value of element `element` of a field with this role is allowed. FIRST and COUNT
/// are checked as pairs, elsewhere; they pass.
bool bspi_reference_ok(const bsp_field *field, uint32_t element, int64_t value,
                       const bspi_counts *counts);

/// The number that the value had to stay below, and what is counted, for the message.
uint32_t bspi_reference_limit(const bsp_field *field, const bspi_counts *counts, const char **noun);

#endif
