// SPDX-License-Identifier: MIT
// Pieces of surfaces that give light: flat convex polygons.
#ifndef BSPI_BAKE_PIECE_H
#define BSPI_BAKE_PIECE_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_PIECE_CORNERS 64u // at most

/// A flat convex polygon.
typedef struct bspi_piece {
    float points[BSPI_PIECE_CORNERS][3];
    uint32_t count;
} bspi_piece;

/// Takes what of a piece is in front of a plane, or in it. False if it has too many corners then.
bool bspi_piece_clip(const bspi_piece *piece, const float normal[3], float dist, bspi_piece *out);

/// Returns the square units of a flat convex polygon; 0 with fewer than three corners.
float bspi_polygon_area(const float (*corners)[3], uint32_t count);
/// Sets the box around its corners, of which there is one at least.
void bspi_polygon_box(const float (*corners)[3], uint32_t count, float low[3], float high[3]);

/// Returns the square units of a piece.
float bspi_piece_area(const bspi_piece *piece);

#define BSPI_VIEW_WHOLE 6.2831853f // bspi_piece_view of what fills all that is before the normal

/// Returns twice the integral of the cosine at a normal over what a polygon fills of the view of a
/// point, below zero if its corners run the other way.
float bspi_piece_view(const float (*corners)[3], uint32_t count, const float point[3],
                      const float normal[3]);

#endif
