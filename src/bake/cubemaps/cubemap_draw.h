// SPDX-License-Identifier: MIT
// The six sides of what is seen from a place.
#ifndef BSPI_BAKE_CUBEMAP_DRAW_H
#define BSPI_BAKE_CUBEMAP_DRAW_H

#include "bspkit/render.h"
#include "core/memory.h"

/// How many times darker the second picture of HDR is.
#define BSPI_CUBEMAP_DIMMED 8.0F

/// What cubes are drawn with. Immutable: any number of threads may draw.
typedef struct bspi_cubemap_drawing {
    const bsp_renderer *renderer;
    const bsp_renderer *dimmed; ///< with the light BSPI_CUBEMAP_DIMMED times darker; NULL: LDR
    float linear[256];          ///< linear light of a byte
    float linear_dimmed[256];   ///< and of one of the dimmed picture
} bspi_cubemap_drawing;

void bspi_cubemap_drawing_init(bspi_cubemap_drawing *drawing, const bsp_renderer *renderer,
                               const bsp_renderer *dimmed);

/// Draws the six sides as bsp_vtf_source has them into `out`, one after another, each side * side
/// pixels of three floats. The pixels of a side are the means of up to 16 of a larger picture.
bool bspi_cubemap_draw(const bspi_cubemap_drawing *drawing, const float from[3], uint32_t side,
                       float *out, bsp_error *error);

/// Makes the six sides out of a sky that has all six pictures, as linear light or as bytes.
bool bspi_cubemap_sky(const bsp_sky *sky, bool linear, uint32_t side,
                      const bsp_allocator *allocator, float *out, bsp_error *error);

#endif
