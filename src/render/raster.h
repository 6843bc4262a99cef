// SPDX-License-Identifier: MIT
// Triangles to pixels.
#ifndef BSPI_RASTER_H
#define BSPI_RASTER_H

#include "render/scene.h"

/// A vertex in view space, before the division: what is interpolated over a triangle.
typedef struct bspi_corner {
    float x;   ///< to the right, times the focal length in pixels
    float y;   ///< downwards, the same
    float w;   ///< distance along the view; 1 in a parallel view
    float key; ///< parallel view: height. Greater is nearer; perspective: not used
    float uv[2];
    float light_uv[2];
    float color[3]; ///< 0..1
} bspi_corner;

/// The picture being drawn, or a band of its rows.
typedef struct bspi_canvas {
    uint8_t *pixels; ///< RGBA of the whole picture
    float *depth;    ///< the same size; greater is nearer, 0 (or less) is infinitely far
    uint32_t width;
    uint32_t height;
    uint32_t first_row; ///< of the band
    uint32_t end_row;
    bool parallel;
} bspi_canvas;

/// How a triangle's pixels get their colour.
typedef struct bspi_paint {
    const bspi_texture *texture;
    const bspi_mip *light; ///< or NULL
    bool vertex_lit;
    bool sky; ///< only hides: what shows is the background
    bool blended;
    float opacity;
} bspi_paint;

/// Draws a triangle that is counter-clockwise seen from the front; one seen from behind is left out
/// unless its texture is two-sided. Clips at the near plane.
void bspi_draw_triangle(const bspi_canvas *canvas, const bspi_paint *paint,
                        const bspi_corner corners[3]);

#endif
