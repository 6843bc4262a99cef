// SPDX-License-Identifier: MIT
// Flat polygons among the texels of a face.
#ifndef BSPI_BAKE_OUTLINE_H
#define BSPI_BAKE_OUTLINE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BSPI_UNFOLD_CORNERS 32u

/// A flat polygon; the corners run as those of the face do.
typedef struct bspi_outline {
    double points[BSPI_UNFOLD_CORNERS + 8][2];
    uint32_t count;
} bspi_outline;

/// An edge of one.
typedef struct bspi_outline_edge {
    double along[2]; ///< from its corner to the next
    double length;
} bspi_outline_edge;

/// Copies an outline, which may be large, without the room that is left.
static inline void bspi_outline_copy(const bspi_outline *from, bspi_outline *to) {
    to->count = from->count;
    memcpy(to->points, from->points, from->count * sizeof *from->points);
}

static inline double bspi_length(double x, double y) {
    return sqrt(x * x + y * y);
}
/// Keeps what of an outline is before a line: points p with normal * p >= dist. Nothing is left of
/// one that is nowhere farther before it than `slack`.
void bspi_outline_clip(bspi_outline *outline, const double normal[2], double dist, double slack);
/// Returns its area, below zero if its corners run clockwise.
double bspi_outline_area(const bspi_outline *outline);
/// Moves a point to the nearest one in an outline; `side` as bspi_unfold_face has it.
void bspi_outline_snap(const bspi_outline *outline, double side, double point[2]);
/// Sets the edges of an outline.
void bspi_outline_edges(const bspi_outline *outline, bspi_outline_edge *out);
/// Is a point in an outline that has these edges, or not farther beside it than `slack`? Below
/// zero: farther within.
bool bspi_outline_within(const bspi_outline *outline, const bspi_outline_edge *edges, double side,
                         const double point[2], double slack);

#endif
