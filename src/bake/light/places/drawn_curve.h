// SPDX-License-Identifier: MIT
// Quake 3: where light is measured on a curved patch.
#ifndef BSPI_BAKE_DRAWN_CURVE_H
#define BSPI_BAKE_DRAWN_CURVE_H

#include "bake/light/drawn/facets.h"

/// Takes a point of a facet.
typedef void bspi_curve_put(void *user, const bspi_drawn_corner *at);

/// Which of its points are visited.
typedef enum bspi_curve_part {
    BSPI_CURVE_ALL,
    BSPI_CURVE_EDGES,  ///< of a triangle: corners, and edges along an axis of the page
    BSPI_CURVE_INSIDE, ///< then corners again, and all others
} bspi_curve_part;

/// Visits the points of a facet in the order of the compiler, until those beside each other are no
/// more than `apart` places apart; `light` of its corners counts places.
bool bspi_curve_visit(bspi_heap *heap, const bspi_facet *facet, bspi_curve_part part, float apart,
                      bspi_curve_put *put, void *user, bsp_error *error);

#endif
