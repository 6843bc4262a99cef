// SPDX-License-Identifier: MIT
/// @file cubemaps.h
/// Cubemaps of Source made anew: what a map shows around each env_cubemap, drawn in software, as
/// the pictures that its engine looks for in the map's zip. Facts: sheet bake, 5.
#ifndef BSPKIT_CUBEMAPS_H
#define BSPKIT_CUBEMAPS_H

#include "bspkit/edit.h"
#include "bspkit/render.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How cubemaps are drawn. All zero gives the defaults.
typedef struct bsp_cubemaps_options {
    size_t size;              ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_search *search; ///< where textures are looked for, borrowed for the call; NULL: only
                              ///< what the map holds
    /// The folder of the pictures, materials/maps/NAME, where neither the map's materials nor its
    /// zip tell it; may be NULL.
    const char *name;
    uint32_t side;  ///< pixels across a side, a power of two up to 1024; 0: as each cubemap states,
                    ///< or 32
    uint32_t kinds; ///< bits of bsp_cubemap_kind; 0: what the light of the map is for
    bool absent;    ///< only what is missing, or the compiler's own
    int32_t format; ///< of LDR: BSP_VTF_DXT1, or BSP_VTF_BGR888; 0: as those in the map are, or the
                    ///< latter
    const bsp_definitions *definitions; ///< of the game's classes: which models entities show
    const bsp_allocator *allocator;
    bsp_budget *budget;    ///< counts memory and work, and states the threads; NULL: the map's
    bsp_progress progress; ///< told about the work
} bsp_cubemaps_options;

/// Files that go into the zip of a map.
typedef struct bsp_cubemaps {
    const bsp_pak_change *files; ///< for bsp_pak_plan: pictures, then materials
    uint32_t num_files;
    uint32_t num_pictures;  ///< of cubemaps: one for each and each kind that was drawn
    uint32_t num_materials; ///< patched materials that name a cubemap and were missing
    uint32_t
        num_untextured; ///< materials that are drawn in one colour, as their texture is missing
    bool has_default;   ///< one is cubemapdefault.vtf, made from the sky, since there was none
    void *owner;        ///< private
} bsp_cubemaps;

/// Draws the cubemaps of a map, which was loaded with all its parts, from the file that it was
/// loaded from, with the light and the models that it shows as it begins, and without reflections,
/// as the engine does; materials without a texture have the average colour that the map states. HDR
/// pictures are linear light of which 1 is white in the others. The result is the same at any
/// number of threads. BSP_E_UNSUPPORTED for a map whose branch embeds no files, or keeps all
/// cubemaps in one picture; BSP_E_ARGUMENT where the name of the folder is not known, and for a
/// side, kind or format that cannot be written. NULL on failure; free with bsp_cubemaps_free, after
/// the plan that is made of it.
BSP_API bsp_cubemaps *bsp_cubemaps_build(const bsp_file *file, const bsp_map *map,
                                         const bsp_cubemaps_options *options, bsp_error *error);
/// Frees what bsp_cubemaps_build returned. NULL is allowed and does nothing.
BSP_API void bsp_cubemaps_free(bsp_cubemaps *cubemaps);

#ifdef __cplusplus
}
#endif
#endif
