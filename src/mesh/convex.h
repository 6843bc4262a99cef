// SPDX-License-Identifier: MIT
// The convex hull of points.
#ifndef BSPI_CONVEX_H
#define BSPI_CONVEX_H

#include "core/memory.h"

/// Triangles by the numbers of points, counter-clockwise seen from outside; in the heap.
typedef struct bspi_convex {
    uint32_t (*triangles)[3];
    uint32_t count;
    size_t room;
} bspi_convex;

/// Finds the triangles of the least convex solid that all points are in, as far as their
/// coordinates tell; none where they lie in a plane. Pays for its steps. Freed by bspi_convex_free,
/// after an error too. Points must be finite.
bool bspi_convex_find(bspi_heap *heap, const float (*points)[3], uint32_t count, bspi_convex *out,
                      bsp_error *error);
void bspi_convex_free(bspi_heap *heap, bspi_convex *convex);

#endif
