// SPDX-License-Identifier: MIT
/// @file stale.h
/// Whether what compilers baked into a map still fits the rest of it. Facts: sheet bake, 4.
#ifndef BSPKIT_STALE_H
#define BSPKIT_STALE_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of a part of the baked data.
typedef enum bsp_stale_state {
    BSP_STALE_FITS = 0,      ///< nothing speaks against it
    BSP_STALE_STALE = 1,     ///< it is of another state of the map
    BSP_STALE_UNDECIDED = 2, ///< the map does not tell
} bsp_stale_state;

/// One finding. Borrowed until the call returns.
typedef struct bsp_stale {
    const char *part;      ///< "lights", "lightmaps", "visibility", "cubemaps"; of two maps also
                           ///< "light grid", "ambient light", "tree". Static storage
    bsp_stale_state state; ///< of the part, by this finding
    uint32_t entity;       ///< that it is about, or BSP_NONE
    const char *text;      ///< the reason, as a sentence without its end
} bsp_stale;

/// Receives a finding; `user` is what the call was given. It is called in the thread of the
/// caller.
typedef void (*bsp_stale_sink)(void *user, const bsp_stale *found);

/// Looks at what is baked into a map, part by part in the order above, which was loaded with all
/// parts (BSP_LOAD_ALL): lights of the entities beside those that the light compiler stored; runs
/// of luxels that faces share in part; rows of visibility beside the portals of the tree; pictures
/// of cubemaps. `found` is called at least once for each part. `file` is the one that the map was
/// loaded from. `old`, what it was before an edit, may be NULL: else what bsp_stale_compare tells
/// comes first, and of a part that is stale by it no other state is told. `allocator` may be NULL.
/// Returns false on failure: with BSP_E_ARGUMENT if a part was not loaded, without memory, or over
/// a limit; what was found before was told.
BSP_API bool bsp_stale_find(const bsp_file *file, const bsp_map *map, const bsp_file *old,
                            bsp_stale_sink found, void *user, const bsp_allocator *allocator,
                            bsp_error *error);

/// Compares a map with what it was before an edit, and tells each part that stayed, to the byte,
/// while what it is made of changed: lights and keys of light of the entities, planes, corners and
/// textures of faces, luxels, brushes, or nodes. Without such a part `found` is not called.
/// `allocator` may be NULL. Returns false on failure: without an entity lump in one of them,
/// without memory, or over a limit.
BSP_API bool bsp_stale_compare(const bsp_file *old, const bsp_file *file, bsp_stale_sink found,
                               void *user, const bsp_allocator *allocator, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
