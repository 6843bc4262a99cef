// SPDX-License-Identifier: MIT
// Parts as JSON, and lumps whose natural structure in JSON is not that of their parts.
#ifndef BSPI_DUMP_H
#define BSPI_DUMP_H

#include "bspkit/parts.h"
#include "core/memory.h"

/// Writes visibility with its rows unpacked: for each cluster (Quake, GoldSrc: each leaf that has a
/// row) what is seen and heard, in hexadecimal. Bit n of a row (byte n / 8, bit n % 8) is cluster
/// n.
bool bspi_dump_visibility(const bsp_file *file, const bsp_parts *parts, bsp_lump_kind kind,
                          bsp_json *json, bsp_error *error);

/// Writes a part as it is: a group as an object, a list or a table as an array.
void bspi_dump_part(bspi_heap *heap, const bsp_parts *parts, uint32_t part, bsp_json *json);

#endif
