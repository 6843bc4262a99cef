// SPDX-License-Identifier: MIT
// The maps of samples/ and, where it exists, of the shared corpus, one after the other.
#ifndef TEST_EACH_MAP_H
#define TEST_EACH_MAP_H

#include "bspkit/mesh.h"

/// An open map. `name` is its path without the leading folders.
typedef struct each_map {
    const char *name;
    const bsp_file *file;
    const bsp_map *map;
} each_map;

/// Calls `work` with each map that opens and whose records are known, sorted by path. Returns how
/// many are from the corpus, and says so if there are none.
unsigned each_map_do(void (*work)(const each_map *m, void *user), void *user);
/// Does the same for all samples, and for the first of every `step` maps of the corpus (test_step
/// in support/effort.h).
unsigned each_map_do_some(unsigned step, void (*work)(const each_map *m, void *user), void *user);

/// Returns false for the map of the corpus whose brushes are not closed: the tool that made it for
/// Dota 2 cleared the plane of every third side (src/formats/source_games.c).
bool each_map_has_bodies(const each_map *m);

/// Makes the mesh of a map with all faces, or fails the test. The caller frees it with
/// bsp_mesh_free.
bsp_mesh *each_map_mesh(const each_map *m, const bsp_lightmap *lightmap);

#endif
