// SPDX-License-Identifier: MIT
// The cells of a flat face of Source: the pieces that the squares between luxels cut it into. vrad
// measures light in the middle of each, and mixes luxels of the cells around them.
#ifndef BSPI_BAKE_CELLS_H
#define BSPI_BAKE_CELLS_H

#include "bake/light/faces/flat.h"
#include "bake/light/places/places.h"

/// A piece of a face, in luxels.
typedef struct bspi_cell {
    float at[2]; ///< its middle: the centre of its area
    float mins[2];
    float maxs[2]; ///< less than `mins`: there is no piece
    float area;    ///< square luxels
} bspi_cell;

/// The pieces of a face, a row of `width` after another. Memory is of the heap.
typedef struct bspi_cells {
    bspi_cell *list;
    uint32_t count; ///< width * height; 0: the face has no such pieces
    uint32_t width;
    uint32_t height;
    uint32_t face;
    bspi_flat flat;
    bspi_luxels luxels;
    uint32_t num_corners;
    bsp_surface_corner *corners;
    float middle[3]; ///< of the corners
    bool smooth;     ///< the map has normals of its corners that are not those of the plane
} bspi_cells;

/// Cuts a face; `count` is 0 for a displacement, and for a face without luxels.
bool bspi_cells_find(bspi_relight *own, uint32_t face, bspi_cells *out, bsp_error *error);
void bspi_cells_free(bspi_relight *own, bspi_cells *cells);
static inline bool bspi_cell_is(const bspi_cell *cell) {
    return cell->maxs[0] >= cell->mins[0];
}

/// Lists the vertices' faces, and where the corners of each face begin in the map's normals, before
/// any cells are found (cells_around.c).
bool bspi_cells_prepare(bspi_relight *own, bsp_error *error);
/// Finds the faces around one that its light goes on into: at most `room`. Returns how many.
uint32_t bspi_cells_around(const bspi_relight *own, uint32_t face, uint32_t *out, uint32_t room);

/// Sets places at `count` points of a face, given in luxels, `width` of them in a row. `lit` of
/// each is true. Freed by bspi_places_free.
bool bspi_cells_places(bspi_relight *own, const bspi_cells *cells, const float (*at)[2],
                       uint32_t count, uint32_t width, bspi_places *out, bsp_error *error);

/// Measures the direct light in the cells of a face, and where it changes fast at sixteen places of
/// the cell (cells_light.c). The luxels of the face are those of the cells.
bool bspi_cells_light(bspi_relight *own, const bspi_cells *cells, bsp_relight_face *out,
                      bsp_error *error);
/// Makes luxels of the cells of all faces (cells_blend.c).
bool bspi_cells_blend(bspi_relight *own, bsp_error *error);

#endif
