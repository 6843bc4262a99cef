// SPDX-License-Identifier: MIT
// What the readers share: the builder, and errors with a line.
#ifndef BSPI_MAPDOC_READ_H
#define BSPI_MAPDOC_READ_H

#include "asset/find/script.h"
#include "mapdoc/build.h"

typedef struct bspi_map_reader {
    bsp_text text;
    bspi_builder out;
    bsp_error *error;
    bsp_text material; ///< the last one, owned by the document: neighbouring sides often share it
    bsp_budget *budget;
    const bsp_allocator *allocator;
} bspi_map_reader;

/// Fails with "line N: ...", and the offset when it is known (or UINT64_MAX).
bool bspi_read_fail(const bspi_map_reader *r, uint32_t line, uint64_t offset, const char *format,
                    ...) BSP_PRINTF(4, 5);
/// Parses a number that a map document may have: finite, within BSPI_MOST_VALUE.
bool bspi_read_double(bsp_text text, double *value);
/// Parses an integer of 32 bits, signed or not.
bool bspi_read_bits(bsp_text text, uint32_t *value);
/// Sets the material of the side. Returns false without memory.
bool bspi_read_material(bspi_map_reader *r, bsp_mapdoc_side *side, bsp_text material);
/// Sets points and plane of the side. Fails if the points are collinear.
bool bspi_read_plane(const bspi_map_reader *r, bsp_mapdoc_side *side, uint32_t line);
/// Checks that the last brush has enough sides.
bool bspi_read_brush_end(bspi_map_reader *r, uint32_t line);

/// Read a document, and set `dialect` to the one that was read.
bool bspi_read_map(bspi_map_reader *r, bsp_dialect *dialect);
bool bspi_read_vmf(bspi_map_reader *r, bsp_dialect *dialect);
/// Reads a "dispinfo" block, pair `block` of `values`; `disp` receives its index.
bool bspi_read_disp(bspi_map_reader *r, const bsp_key_values *values, uint32_t block,
                    uint32_t *disp);
/// Parses exactly `count` numbers, separated by blanks and brackets of any kind.
bool bspi_read_numbers(bsp_text text, double *numbers, uint32_t count);

#endif
