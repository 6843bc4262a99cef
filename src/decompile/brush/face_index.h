// SPDX-License-Identifier: MIT
// The faces of a map by their plane, for the search.
#ifndef BSPI_DECOMPILE_BRUSH_FACE_INDEX_H
#define BSPI_DECOMPILE_BRUSH_FACE_INDEX_H

#include "decompile/brush/faces.h"

#define BSPI_FACE_STEPS 16 // cells for a component of a normal, from 0 to 1
#define BSPI_FACE_SPAN (2 * BSPI_FACE_STEPS + 1)
#define BSPI_FACE_BLOCK 8u // pieces whose boxes are compared at once

/// Pieces in their order, a member of all of them after the other. Boxes are in steps of
/// bspi_face_place, which are coarse: boxes that are apart by them are, others may be.
typedef struct bspi_face_block {
    int16_t around[2][3]; ///< the box of all
    int16_t box[2][3][BSPI_FACE_BLOCK];
    uint32_t face[BSPI_FACE_BLOCK];
    uint32_t triangle[BSPI_FACE_BLOCK]; ///< Quake 3: its first draw index; else 0
} bspi_face_block;

struct bspi_face_index {
    bspi_face_block *blocks; ///< pieces sorted by cell, then by distance
    float *dists;            ///< of the pieces
    uint32_t *models;        ///< for each face: the model that it was added for, or BSP_NONE
    uint32_t num_pieces;
    uint32_t *starts;        ///< for each cell, and one more
    float low[3];            ///< of all boxes
    float scale[3];          ///< steps a unit
    bspi_face_search search; ///< of bspi_face_hits
};

/// Returns the step of a place along an axis: a larger place has never a smaller one.
static inline int16_t bspi_face_place(const bspi_face_index *index, int axis, float at) {
    float steps = (at - index->low[axis]) * index->scale[axis];
    return (int16_t)((steps > 0 ? (steps < UINT16_MAX ? (int32_t)steps : UINT16_MAX) : 0) +
                     INT16_MIN);
}

/// Returns the cell of a component of a normal.
uint32_t bspi_face_step(double component);
/// Stores the corners of a piece, and returns their number; 0 if they are not all there.
uint32_t bspi_face_corners(const bsp_map *map, uint32_t face, uint32_t triangle,
                           double points[BSPI_POLYGON_CORNERS][3]);
/// Gives the box of some corners, at least one.
void bspi_face_box(const double (*points)[3], uint32_t count, float box[2][3]);

#endif
