// SPDX-License-Identifier: MIT
// The map of the Source sample with changed arrays, for what no sample contains, and the result of
// decompiling it.
#ifndef TEST_MADE_H
#define TEST_MADE_H

#include "bspkit/decompile.h"

#define MADE_PATH BSP_TEST_SAMPLES "/source/lobby.bsp"
#define MADE_ARRAYS 16

/// A map whose arrays are copies, which a test may change.
typedef struct made {
    bsp_file *file;
    bsp_map *loaded;
    bsp_map map;
    bsp_entities *entities;
    void *arrays[MADE_ARRAYS];
    int num_arrays;
    bsp_issues *issues;
    bsp_decompile_report report;
    bsp_mapdoc *source;
} made;

/// Returns a copy of an array with room for some more elements. Freed by made_end.
void *made_copy(made *m, const void *array, size_t count, size_t size);
/// Loads the sample. `text` replaces the entities; NULL keeps them.
void made_begin(made *m, const char *text);
/// Decompiles the map in its present state; the last document is freed.
void made_run_with(made *m, bsp_decompile_options options);
/// Decompiles with `keep_angles` and defaults.
void made_run(made *m, bool keep_angles);
/// Checks that all brushes of the document are sound, and frees everything.
void made_end(made *m);
/// Returns true if the text is `name`.
bool made_is_name(bsp_text text, const char *name);
/// Returns how many issues there are of a kind.
unsigned made_count_issues(const made *m, const char *id);
/// Returns true if a note about that record of a lump says that something is a guess.
bool made_is_guess(const made *m, const char *lump, uint32_t record);
/// Returns entity `number` (0, 1 ...) of a class, or BSP_NONE.
uint32_t made_find_entity(const bsp_mapdoc *s, const char *name, uint32_t number);
/// Returns the only brush of an entity.
const bsp_mapdoc_brush *made_brush_of(const bsp_mapdoc *s, uint32_t entity);
/// Returns true if it is the number of a visgroup of that name.
bool made_is_visgroup(const bsp_mapdoc *s, uint32_t visgroup, const char *name);
/// Returns the box-shaped solid brush of the world with that number (0, 1 ...); fails without it.
uint32_t made_find_box(const bsp_map *map, uint32_t number, float box[2][3]);
/// Returns true if the brush is that box.
bool made_is_box(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush, const float box[2][3]);

/// Replaces an array of the map by a copy.
#define MADE_COPY(m, type, name)                                                                   \
    type *name = made_copy(m, (m)->map.name, (m)->map.num_##name, sizeof(type));                   \
    (m)->map.name = name

#endif
