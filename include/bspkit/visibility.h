// SPDX-License-Identifier: MIT
/// @file visibility.h
/// Rows of visibility: bits of clusters, run-length packed.
#ifndef BSPKIT_VISIBILITY_H
#define BSPKIT_VISIBILITY_H

#include "bspkit/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Unpacks a run-length row (a zero byte is followed by how many zero bytes it stands for) into
/// `row`, which has `row_bytes` bytes: bit n % 8 of byte n / 8 is cluster n, or leaf n + 1 of Quake
/// and GoldSrc. Returns false if the data ends early or a run passes the row's end; what is missing
/// is zero. Facts: sheet bake, 2.4.
BSP_API bool bsp_vis_unpack(bsp_bytes packed, uint8_t *row, size_t row_bytes);

/// Packs a row as bsp_vis_unpack reads it. `out` has room for 2 * `row_bytes` bytes, and does not
/// overlap `row`. Returns the bytes written.
BSP_API size_t bsp_vis_pack(const uint8_t *row, size_t row_bytes, uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
