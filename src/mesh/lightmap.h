// SPDX-License-Identifier: MIT
// A lightmap under construction.
#ifndef BSPI_LIGHTMAP_H
#define BSPI_LIGHTMAP_H

#include "bspkit/mesh.h"
#include "core/memory.h"
#include "mesh/pack.h"
#include "mesh/shade.h"

#define BSPI_BORDER 1u // luxels around each rectangle

typedef struct bspi_lightmap {
    bsp_lightmap lightmap; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} bspi_lightmap;

typedef struct bspi_light_builder {
    const bsp_map *map;
    const bsp_lightmap_options *options;
    bspi_lightmap *own;
    bspi_light_source source; ///< surfedge families
    bspi_shade shade;
    float styles[BSP_LIGHT_STYLES];
    bsp_light_face *faces;
    bspi_rect *rects; ///< in the heap, `num_rects` of them
    uint32_t num_rects;
    bspi_meter meter; ///< a step: a luxel of a style, a corner that is visited
    bsp_error *error;
} bspi_light_builder;

/// Computes the first `width` texels of row y of a rectangle, 4 bytes each.
typedef void (*bspi_texel_row)(const void *user, uint32_t y, uint32_t width, uint8_t *out);

/// Packs the rectangles and makes black pages.
bool bspi_light_pages(bspi_light_builder *builder);
/// Draws a rectangle and its border.
void bspi_light_draw(const bspi_light_builder *builder, const bspi_rect *rect, bspi_texel_row draw,
                     const void *user);

/// Draws the rectangle with that number, and says where it is.
typedef void (*bspi_draw_rect)(void *user, uint32_t number);
/// Draws all rectangles, on several threads: no two may write the same.
bool bspi_light_draw_all(bspi_light_builder *builder, bspi_draw_rect draw, void *user);

/// Makes the pages of a family that stores whole pages (Quake 3).
bool bspi_light_file_pages(bspi_light_builder *builder);

#endif
