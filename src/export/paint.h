// SPDX-License-Identifier: MIT
// The materials of a map in an exported file: their images as PNG, and their transparency.
#ifndef BSPI_EXPORT_PAINT_H
#define BSPI_EXPORT_PAINT_H

#include "bspkit/export.h"
#include "bspkit/scene.h"
#include "asset/image/mip_chain.h"
#include "asset/image/png_write.h"
#include "core/memory.h"
#include "core/progress.h"

/// The paint of a material: what the scene says about it, and its images.
typedef struct bspi_paint {
    bsp_scene_material is;
    bool dropped;        ///< its texture is never drawn, or sky
    uint32_t image;      ///< index in bspi_paints.images, or BSP_NONE
    uint32_t second;     ///< index of the image that displacements mix in, or BSP_NONE
    float color[3];      ///< without an image
    bspi_mip_chain mips; ///< for baking
    bspi_mip_chain second_mips;
} bspi_paint;

/// A PNG, and what distinguishes it from others.
typedef struct bspi_png {
    bsp_blob png;
    uint64_t hash;
    uint32_t width;
    uint32_t height;
    bool clamp;        ///< it does not repeat
    uint32_t material; ///< the first that uses it
    uint32_t number;   ///< in the file; BSP_NONE: not used
} bspi_png;

typedef struct bspi_paints {
    const bsp_map *map;
    const bsp_export_options *options;
    bspi_arena *arena;
    bspi_paint *list; ///< one for each material of the map
    bspi_png *images;
    uint32_t num_images;
    uint32_t missing;
    size_t held; ///< bytes of PNGs that the arena's heap counts
    bspi_png_packer packer;
    bspi_progress progress;
} bspi_paints;

/// Packs an image. The heap counts the work, and the memory until bspi_paints_free.
bool bspi_paints_pack(bspi_paints *paints, const bspi_picture *image, bsp_blob *out,
                      bsp_error *error);

/// Makes room for the paints of all materials. Returns false without memory; free in any case.
bool bspi_paints_begin(bspi_paints *paints, bsp_error *error);
/// Packs the textures of a material that the scene has found: a bsp_scene_pictures of bspi_paints.
bool bspi_paints_add(void *paints, uint32_t material, const bsp_scene_material *as,
                     bsp_texture *texture, bsp_texture *second, bsp_error *error);
/// Stores what the scene says about its materials.
void bspi_paints_end(bspi_paints *paints, const bsp_scene *scene);
void bspi_paints_free(bspi_paints *paints);

#endif
