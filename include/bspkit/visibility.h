// SPDX-License-Identifier: MIT
/// @file visibility.h
/// Rows of visibility: bits of clusters, run-length packed.
#ifndef BSPKIT_VISIBILITY_H
#define BSPKIT_VISIBILITY_H

#include "bspkit/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Unpacks a run-length row (a zero byte is followed by how many zero bytes it stands for) of
/// `row_bytes` bytes. Returns false if the data ends early or a run passes the row's end; what is
/// missing is zero.
BSP_API bool bsp_vis_unpack(bsp_bytes packed, uint8_t *row, size_t row_bytes);

/// Packs a visibility row: a zero byte is followed by how many it stands for. `out` has room for
/// 2 * `row_bytes`. Returns the bytes written.
BSP_API size_t bsp_vis_pack(const uint8_t *row, size_t row_bytes, uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
