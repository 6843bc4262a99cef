// SPDX-License-Identifier: MIT
// The search for the files that a map needs: what was found so far, and how more is added.
#ifndef BSPI_COMPARE_ASSETS_FINDER_H
#define BSPI_COMPARE_ASSETS_FINDER_H

#include "compare/assets/tables.h"
#include "bspkit/model.h"
#include "core/memory.h"

/// A file of the list, and how it is read for the names of others.
typedef struct bspi_found_asset {
    bsp_asset_use use;
    bspi_asset_role role;
} bspi_found_asset;

/// The search. Names are kept in the arena.
typedef struct bspi_finder {
    bspi_heap *heap;
    bspi_arena *arena;
    const bsp_map *map;
    const bsp_search *pak;  ///< the map's own zip
    const bsp_search *game; ///< may be NULL
    const bsp_search *base; ///< what comes with the game; may be NULL
    bsp_family family;      ///< selects the rows of the tables
    const bspi_asset_ways *ways;
    const bsp_textures *textures; ///< where materials are shaders of scripts; else NULL
    bspi_found_asset *list;       ///< each name once, in the order in which they were added
    uint32_t count;
    size_t room;
    uint32_t *slots; ///< hash table of indices of `list`; BSP_NONE where empty
    size_t num_slots;
    bsp_error *error;
} bspi_finder;

/// Looks for a file in the map's zip and then in the game. Returns NULL if there is none.
const bsp_asset *bspi_finder_look(const bspi_finder *f, bsp_text name, bool *in_pak);

/// Adds the files that a name of that form stands for. With `required` a file that was not found is
/// listed too. `by` is kept as it is: it must outlive the search. A name that cannot be a file's
/// adds nothing. Returns false without memory or when a limit is passed.
bool bspi_finder_add(bspi_finder *f, bspi_asset_form_id form, bsp_text name, bsp_text by,
                     bool required);

/// Adds the file NAME ENDING, for the first of the endings that exists. `role` says how it is read.
bool bspi_finder_add_beside(bspi_finder *f, const bspi_asset_companion *row, bsp_text stem,
                            bsp_text by);

/// Adds the material of a Source model: the first of the names FOLDER NAME that exists, in the
/// order of the folders and then without one; if there is none, the first is missing.
bool bspi_finder_add_material(bspi_finder *f, const bsp_text *folders, uint32_t num_folders,
                              bsp_text name, bsp_text by);

/// Adds what the value of a key stands for by the tables, if anything: perhaps several names.
/// `*row` receives the row, NULL if there is none; it may be NULL.
bool bspi_finder_add_value(bspi_finder *f, bspi_asset_role from, bsp_text key, bsp_text value,
                           bsp_text by, const bspi_asset_key **row);

/// Reads a file that was found. `blob` is empty if it cannot be read. Returns false without memory.
bool bspi_finder_read(const bspi_finder *f, const bsp_asset_use *use, bsp_blob *blob);

/// Frees the list. The names stay in the arena.
void bspi_finder_free(bspi_finder *f);

/// Adds the pictures and the script of a shader, or the picture that a name stands for.
bool bspi_finder_add_shader(bspi_finder *f, bsp_text name, bsp_text by);
/// Opens the records of a model, which borrow `bytes`; close it with bsp_model_file_close. NULL for
/// a file of no format that is read, or without its head: it names nothing. `*done` is false only
/// without memory or over a limit, with the error filled.
bsp_model_file *bspi_finder_open_model(const bspi_finder *f, bsp_bytes bytes, bool *done);
/// Adds what a model names.
bool bspi_finder_read_model(bspi_finder *f, const bsp_asset_use *use, bsp_bytes bytes);
/// Adds what a text or particle file names, by the tables for its role.
bool bspi_finder_read_text(bspi_finder *f, bspi_asset_role role, bsp_bytes bytes, bsp_text by);
/// Adds the sounds and effects that entities call by names, with the scripts that define them.
bool bspi_finder_add_defined(bspi_finder *f);
/// Adds what the map itself names, and files that bear its name.
bool bspi_finder_add_map(bspi_finder *f, bsp_text map_name);

#endif
