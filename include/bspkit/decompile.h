// SPDX-License-Identifier: MIT
/// @file decompile.h
/// From a compiled map back to the source that editors open and compilers compile, and that means
/// the same place.
#ifndef BSPKIT_DECOMPILE_H
#define BSPKIT_DECOMPILE_H

#include "bspkit/asset.h"
#include "bspkit/editor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bsp_decompile_options {
    /// The map's file: BSPX brushes, pak, and the separator of outputs. May be NULL.
    const bsp_file *file;
    /// Sizes of textures that the map does not hold (Quake 3), and what patched materials were made
    /// of. May be NULL.
    const bsp_textures *textures;
    bool world_only; ///< worldspawn and what goes into it
    /// Says which entities are wanted (worldspawn always is). NULL: all.
    bool (*wanted)(void *user, const bsp_entity *entity);
    void *user;
    bool no_guesses;    ///< sides that no face shows get the game's plain texture
    bool no_merge;      ///< Quake, GoldSrc: a brush for each solid leaf
    bool keep_angles;   ///< Source: leave brush models that their entity turns as they are
    bsp_issues *issues; ///< hears what is missing and why; may be NULL
    bsp_progress progress;
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< who pays; NULL: the one of the map, or the default limits
} bsp_decompile_options;

/// What became of the map.
typedef struct bsp_decompile_report {
    uint32_t brushes_in;    ///< of the file; Quake, GoldSrc: solid leaves and clip volumes
    uint32_t brushes_out;   ///< written
    uint32_t brushes_lost;  ///< could not be built: each is an issue
    uint32_t sides;         ///< written
    uint32_t sides_faced;   ///< of these: texture and alignment from a face
    uint32_t sides_kept;    ///< from the side's own record
    uint32_t sides_guessed; ///< by guess: neighbours, tool textures from flags
    uint32_t bevels;        ///< sides left out because only the compiler needs them
    uint32_t patches;
    uint32_t displacements;
    uint32_t displacements_lost;
    uint32_t overlays;
    uint32_t cubemaps;
    uint32_t static_props;
    uint32_t detail_props;
    uint32_t renamed;     ///< materials whose original name was restored
    uint32_t outputs;     ///< entity outputs
    uint32_t protections; ///< tricks against decompilers that were seen: each is an issue
} bsp_decompile_report;

/// Decompiles a map that was loaded with all its parts. `options` and `report` may be NULL. What
/// cannot be recovered is an issue with its place, the rest is there. NULL on failure: memory, or a
/// map without anything that could be decompiled. Free with bsp_source_free.
BSP_API bsp_source *bsp_decompile(const bsp_map *map, const bsp_decompile_options *options,
                                  bsp_decompile_report *report, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
