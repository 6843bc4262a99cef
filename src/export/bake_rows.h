// SPDX-License-Identifier: MIT
// Rows of a triangle in a baked image.
#ifndef BSPI_EXPORT_BAKE_ROWS_H
#define BSPI_EXPORT_BAKE_ROWS_H

#include "asset/image/mip_chain.h"
#include "bspkit/mesh.h"
#include "scene/layers.h"

/// Texels on each side of a face's place.
#define BSPI_BAKE_BORDER 2u

/// The most images that are mixed in.
#define BSPI_MIXED (1 + BSPI_LAYERS)

/// How near to its triangle a texel of the image was drawn.
typedef enum bspi_bake_cover {
    BSPI_BAKE_NONE,
    BSPI_BAKE_BESIDE,
    BSPI_BAKE_INSIDE,
} bspi_bake_cover;

/// A triangle on the page.
typedef struct bspi_bake_triangle {
    const bsp_mesh_vertex *v[3];
    float at[3][2];   ///< in texels
    float area;       ///< twice the area, with its sign; not 0
    float edge[3][2]; ///< opposite of each corner
    float length[3];  ///< of the edges; not 0
    const bspi_mip_chain *mips;
    const bspi_mip_chain *mixed[BSPI_MIXED]; ///< one over the other by `share`; or NULL
    float share[BSPI_MIXED][3];              ///< at the corners, 0..255
    float repeats[BSPI_MIXED];               ///< as often as the first image
    const bspi_mip_chain *glow;              ///< light of its own; or NULL
    uint32_t level;
    uint32_t mixed_level[BSPI_MIXED];
    uint32_t glow_level;
    bspi_mip light; ///< its rows have no repeated texels
    float color[3]; ///< without an image
} bspi_bake_triangle;

/// Texels [from, to) of row y.
typedef struct bspi_bake_row {
    uint32_t y;
    uint32_t from;
    uint32_t to;
    uint8_t *pixels; ///< of texel 0
    uint8_t *cover;  ///< the same, a bspi_bake_cover each
} bspi_bake_row;

/// Draws the texels of a row that are nearer to this triangle than to those before it. Other
/// threads may draw the texels beside them.
typedef void bspi_bake_row_fn(const bspi_bake_triangle *set, const bspi_bake_row *row);

/// Draws texel by texel, with whatever the triangle has.
bspi_bake_row_fn bspi_bake_row_plain;

/// Draw eight texels at a time, and the same bits. The triangle has no image that is mixed in and
/// no glow.
bspi_bake_row_fn bspi_bake_row_base;
bspi_bake_row_fn bspi_bake_row_avx2; // where BSPI_MAKES_AVX2

/// Returns the fastest of the last two that this processor has.
bspi_bake_row_fn *bspi_bake_row_best(void);

#endif
