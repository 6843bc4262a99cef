// SPDX-License-Identifier: MIT
// The corners of the sides of a brush, for dialects that store them.
#ifndef BSPI_MAPDOC_VERTICES_H
#define BSPI_MAPDOC_VERTICES_H

#include "mapdoc/print.h"
#include "mesh/polyhedron.h"

/// All zero: corners are not wanted, and the other calls do nothing.
typedef struct bspi_vertices {
    bool wanted;
    bspi_arena arena;
    bspi_polyhedron solid;
    double (*points)[3]; ///< room for the corners of a polygon
    uint32_t room;
    uint32_t first_side; ///< of the brush that was cut
    bool closed;         ///< the brush has corners
} bspi_vertices;

/// Makes room for every brush of a document. Returns false without memory; call bspi_vertices_end
/// in any case.
bool bspi_vertices_begin(bspi_vertices *v, const bsp_mapdoc *source, bspi_heap *heap,
                         bsp_error *error);
/// Computes the corners of a brush.
void bspi_vertices_cut(bspi_vertices *v, const bsp_mapdoc *source, const bsp_mapdoc_brush *brush);
/// Prints the block of a side of that brush, if it has corners.
void bspi_vertices_print(bspi_vertices *v, bspi_printer *p, unsigned depth, uint32_t side);
void bspi_vertices_end(bspi_vertices *v);

#endif
