// SPDX-License-Identifier: MIT
// Quake 3: the flat pieces of surfaces that throw light back, before they are cut.
#ifndef BSPI_BAKE_FACETS_H
#define BSPI_BAKE_FACETS_H

#include "bake/light/drawn/drawn.h"

#define BSPI_FACET_CORNERS 4u

/// A triangle or a flat quadrangle of a surface; the corners go clockwise, seen from before it.
typedef struct bspi_facet {
    bspi_drawn_corner corners[BSPI_FACET_CORNERS];
    uint32_t count;
} bspi_facet;

/// The facets of a face.
typedef struct bspi_facets {
    bspi_facet *list; ///< in the heap
    uint32_t count;
    size_t size; ///< bytes
} bspi_facets;

/// Finds how long the curves of patches are: those that meet count as one (curves.c).
bool bspi_curves_find(bspi_relight *own, bsp_error *error);

#define BSPI_FACET_THROWS 0.1f   // units off a plane: of quadrangles that throw light, and shade,
#define BSPI_FACET_MEASURED 0.5f // and of those on which it is measured

/// Finds the facets of a face; patches as few as their curves need, with quadrangles whose corners
/// are less than `flat` units off a plane. Freed by bspi_facets_free.
bool bspi_facets_of(bspi_relight *own, uint32_t face, float flat, bspi_facets *out,
                    bsp_error *error);
void bspi_facets_free(bspi_relight *own, bspi_facets *facets);

#endif
