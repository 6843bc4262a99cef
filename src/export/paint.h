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
#include "scene/layers.h"

/// A texture that only displacements with multiblend mix in.
typedef struct bspi_layer {
    uint32_t image; ///< index in bspi_paints.images, or BSP_NONE: there is none, or it is baked
    bspi_mip_chain mips; ///< for baking; none: there is none
    float blend[2];      ///< bsp_texture.blend
    float repeats;
} bspi_layer;

/// The paint of a material: what the scene says about it, and its images.
typedef struct bspi_paint {
    bsp_scene_material is;
    bool dropped;        ///< its texture is never drawn, or bounds fog, or is sky
    uint32_t image;      ///< index in bspi_paints.images, or BSP_NONE
    uint32_t second;     ///< index of the image that displacements mix in, or BSP_NONE
    uint32_t normal;     ///< index of its normal map, as glTF has them, or BSP_NONE
    uint32_t glow;       ///< index of the image of its own light, or BSP_NONE
    float color[3];      ///< without an image
    bspi_mip_chain mips; ///< for baking
    bspi_mip_chain second_mips;
    float blend[2]; ///< of the second
    float repeats;
    bspi_layer layers[BSPI_LAYERS]; ///< mixed in after it on displacements with multiblend
    bspi_mip_chain glow_mips;
} bspi_paint;

/// A PNG, and what distinguishes it from others.
typedef struct bspi_png {
    bsp_blob png;
    uint64_t hash;
    uint32_t width;
    uint32_t height;
    bool clamp;        ///< it does not repeat
    uint32_t material; ///< the first that uses it; of a decal: number of its picture
    bool decal;        ///< a decal uses it first
    uint32_t number;   ///< in the file; BSP_NONE: not used
    bsp_image image;   ///< until it is packed
} bspi_png;

/// An image that is packed.
typedef struct bspi_packing {
    bspi_picture picture;
    bsp_blob *out;
} bspi_packing;

typedef struct bspi_paints {
    const bsp_map *map;
    const bsp_export_options *options;
    bspi_arena *arena;
    bspi_paint *list;   ///< one for each material of the scene: the map's, then those of models
    uint32_t room;      ///< in `list`; there is four times as much in `images`, and one a decal
    bspi_paint *decals; ///< for each picture of decals, or NULL
    uint32_t num_decals;
    bspi_png *images;
    uint32_t num_images;
    uint32_t missing;
    bool normals; ///< normal maps, and light of materials' own, are wanted: glTF
    size_t held;  ///< bytes of PNGs that the arena's heap counts
    uint32_t threads;
    bspi_png_packer *packers; ///< one for each thread
    uint32_t first_waiting;   ///< images from here on are not packed
    size_t waiting;           ///< bytes of their pixels, counted by the arena's heap
    bspi_progress progress;
} bspi_paints;

/// Finds the PNG with these pixels, or makes it and takes the pixels. `png` tells whose it is.
/// Fails without memory or over a limit.
bool bspi_paints_store(bspi_paints *paints, bsp_image *image, bspi_png png, uint32_t *number,
                       bsp_error *error); // packing.c
/// Packs images, and all textures that still wait for it, on several threads. The heap counts the
/// work, and the memory until bspi_paints_free. On failure some may be packed: free each in any
/// case.
bool bspi_paints_pack(bspi_paints *paints, const bspi_packing *list, uint32_t count,
                      bsp_error *error); // packing.c
/// Frees the images that still wait to be packed.
void bspi_paints_forget_waiting(bspi_paints *paints); // packing.c
/// Packs an image, for the thread with that number, on at most `threads` threads. The image is
/// freed, also on failure.
bool bspi_paints_pack_away(bspi_paints *paints, uint32_t worker, uint32_t threads, bsp_image *image,
                           bsp_blob *out,
                           bsp_error *error); // packing.c

/// Makes room for the paints of all materials. Returns false without memory; free in any case.
bool bspi_paints_begin(bspi_paints *paints, bsp_error *error);
/// Packs the textures of a material that the scene has found: a bsp_scene_pictures of bspi_paints.
bool bspi_paints_add(void *paints, uint32_t material, const bsp_scene_material *as,
                     bsp_texture *texture, bsp_texture *second, bsp_error *error);
/// Packs the picture of a decal: a bsp_scene_decal_pictures of bspi_paints.
bool bspi_paints_decal(void *paints, uint32_t picture, uint32_t count, const bsp_texture *texture,
                       bsp_error *error);
/// Stores what the scene says about its materials. Returns false without memory.
bool bspi_paints_end(bspi_paints *paints, const bsp_scene *scene, bsp_error *error);
/// Frees the PNGs of images without a number.
void bspi_paints_drop_unused(bspi_paints *paints);
void bspi_paints_free(bspi_paints *paints);

#endif
