// SPDX-License-Identifier: MIT
// The private structure of a renderer: triangles in world space, textures with their mips, light
// pages.
#ifndef BSPI_RENDERER_H
#define BSPI_RENDERER_H

#include "bspkit/render.h"
#include "asset/image/mip_chain.h"
#include "core/memory.h"

/// The factor that 255 on a light page stands for: lit surfaces may be twice as bright as their
/// texture, as in the engines.
#define BSPI_LIGHT_RANGE 2.0F

/// An image to sample from.
typedef struct bspi_texture {
    bspi_mip_chain chain;
    bool clamp;
    bsp_alpha alpha;
    float alpha_cut;
    bool two_sided;
    const struct bspi_texture *second; ///< mixed in on displacements; or NULL
} bspi_texture;

/// What is drawn where the map shows the sky.
typedef struct bspi_sky {
    bool found;
    bspi_texture sides[BSP_SKY_SIDES]; ///< no mips: missing
    bspi_texture layers[BSP_SKY_LAYERS];
    float scale[BSP_SKY_LAYERS][2];
    uint32_t num_layers;
    bool flat;
    float cloud_height;
} bspi_sky;

/// Triangles that are drawn the same way.
typedef struct bspi_batch {
    uint32_t first_index;
    uint32_t num_indices;
    uint32_t texture;    ///< in the renderer's textures
    uint32_t light_page; ///< or BSP_NONE
    bool vertex_lit;
    bool mixed;   ///< with the second texture, by the vertices' alpha
    bool sky;     ///< hides what is beyond it, and shows the sky
    bool blended; ///< drawn after all else, from back to front
    bool add;     ///< blended: added to the background
    float opacity;
} bspi_batch;

/// A face of the map in the renderer, once for each entity that shows its model.
typedef struct bspi_piece {
    float mins[3];
    float maxs[3];
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index;
    uint32_t num_indices;
    uint32_t batch;
    uint32_t face;
    bool in_leaf; ///< leaves of the world list it: visible only with one of them
    bool liquid;
    bool sky;
} bspi_piece;

struct bsp_renderer {
    const bsp_map *map; ///< borrowed
    bspi_heap heap;
    bspi_arena arena;
    bsp_mesh_vertex *vertices;
    uint32_t num_vertices;
    uint32_t *indices;
    uint32_t num_indices;
    bspi_batch *batches;
    uint32_t num_batches;
    bspi_piece *pieces;
    uint32_t num_pieces;
    const uint8_t *in_leaf; ///< bits: faces that leaves of the world list
    bspi_texture *textures;
    uint32_t num_textures;
    bspi_sky sky;
    bspi_mip *pages; ///< of light; one mip each
    uint32_t num_pages;
    bsp_text *missing;
    uint32_t num_missing;
    float mins[3];
    float maxs[3];
};

/// Copies the images of a sky into the arena.
bool bspi_sky_build(bspi_arena *arena, const bsp_sky *from, bspi_sky *to, bsp_error *error);

/// Returns the side that a direction hits, and where: s to the right, t up, both -1 to 1.
uint32_t bspi_sky_side(const float direction[3], float *s, float *t);
/// Computes where a direction hits the layers, in repeats. Returns false below the horizon of
/// clouds.
bool bspi_sky_place(const bspi_sky *sky, const float direction[3], float uv[2]);

/// Computes the colour of the map's own sky in a direction of any length.
void bspi_sky_color(const bspi_sky *sky, const float direction[3], uint8_t out[3]);

#endif
