// SPDX-License-Identifier: MIT
/// @file index.h
/// An index of many maps in one file of SQLite: what each is, and what it names. It is a library of
/// its own (libbspkit_index) over the public headers of bspkit, and the only one that needs SQLite.
///
/// The tables are documented in docs/index.md, and are for other programs to read. One process
/// writes an index at a time; any number may read it at the same time. A file that is no index, or
/// one of a later version, is refused and not written to. Memory is SQLite's (sqlite3_malloc).
#ifndef BSPKIT_INDEX_H
#define BSPKIT_INDEX_H

#include <bspkit/bspkit.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the tables (PRAGMA user_version).
#define BSP_INDEX_VERSION 1

/// An open index. Functions on one may be called from any number of threads: they take turns where
/// they touch the file.
typedef struct bsp_index bsp_index;

/// Opens an index, and makes it if there is none at `path` and it is not `read_only`. NULL on
/// failure: BSP_E_IO, BSP_E_PERMISSION, BSP_E_NOT_FOUND, BSP_E_FORMAT for another file,
/// BSP_E_UNSUPPORTED for a later version. Close it with bsp_index_close.
bsp_index *bsp_index_open(const char *path, bool read_only, bsp_error *error);
/// Writes what was added, and closes an index. NULL is allowed. Returns false if writing failed.
bool bsp_index_close(bsp_index *index, bsp_error *error);
/// Writes what was added so far: what comes later is lost if the process ends.
bool bsp_index_commit(bsp_index *index, bsp_error *error);

/// A map as it was found: `path` names it (a file, or ARCHIVE:NAME), `size` and `changed` are those
/// of the file on the disk that holds it.
typedef struct bsp_index_source {
    const char *path; ///< as it is listed in answers
    uint64_t size;    ///< bytes
    int64_t changed;  ///< time of its last change, nanoseconds since 1970
} bsp_index_source;

/// Sets `*current` to whether the index has that source as it is now.
bool bsp_index_is_current(bsp_index *index, const bsp_index_source *source, bool *current,
                          bsp_error *error);
/// Adds a map, in the place of what the index had of its path. `game` (may be NULL) is where the
/// files that the map names are looked for; without it none is missing. What the map's own budget
/// refuses is an error of the map, and is kept in its row. Reading happens on the caller's thread,
/// writing in turns.
bool bsp_index_add(bsp_index *index, const bsp_index_source *source, const bsp_file *file,
                   const bsp_search *game, bsp_error *error);
/// Adds a map that could not be read, and why.
bool bsp_index_add_unread(bsp_index *index, const bsp_index_source *source, const char *why,
                          bsp_error *error);
/// Takes out the maps for which `gone` returns true; `*count` receives how many.
bool bsp_index_forget(bsp_index *index, bool (*gone)(void *user, const char *path), void *user,
                      uint32_t *count, bsp_error *error);

/// Adds the maps of the index at `path`, in the place of those of the same paths, whole or not at
/// all. So shards that several machines wrote become one index: it says the same as one that was
/// written in one run. Fails as bsp_index_open does.
bool bsp_index_merge(bsp_index *index, const char *path, bsp_error *error);

/// What the index says of a map. Texts are valid during the call that hands it over.
typedef struct bsp_index_map {
    const char *path;
    const char *branch;  ///< empty: it could not be read
    const char *family;  ///< the same
    const char *game;    ///< empty: not known
    const char *sha256;  ///< 64 digits
    const char *problem; ///< why it could not be read whole, or empty
    uint64_t size;       ///< bytes of the map, unpacked
    uint32_t version;
    uint32_t entities;
    uint32_t faces;
    uint32_t leaves;
    uint32_t errors;   ///< of `check`
    uint32_t warnings; ///< the same
    float mins[3];     ///< of the world
    float maxs[3];
    float likeness; ///< with a term like=: 0 to 1; else 0
} bsp_index_map;

/// Receives a map that was found. Returns false to end the search.
typedef bool (*bsp_index_found)(void *user, const bsp_index_map *map);

/// Finds the maps that meet all terms, in the order of their paths (of their likeness, where that
/// is asked). A term is FIELD, a comparison and a value, as bsp_where_new has them. Fields:
///
/// - path, branch, family, game, sha256, checksum (8 digits), problem; numbers: size, version,
///   entities, faces, leaves, brushes, errors, warnings;
/// - class: a class of its entities; material, texture (embedded), model, sound, needs (any file
///   that it names), missing (one that was not found), embedded (a file in its pak), issue (an id
///   of `check`); limit:NAME: the share of the game's limit that a lump has, in percent;
/// - near=X,Y,Z,R: an entity stands within R units of the point; text=WORDS: a name or a value of
///   an entity has all these words;
/// - same=PATH: the same geometry as the map of that path, whatever its light; copy=PATH: the same
///   bytes; like=PATH: half of its vertices or more are those of the map; duplicate=geometry,
///   duplicate=content or duplicate=near: another map of the index has the same, or half of the
///   vertices;
/// - key:NAME, and any other name: a key of its entities ("targetname=door*").
///
/// Fails with BSP_E_ARGUMENT for a wrong term, and with BSP_E_NOT_FOUND for the PATH of a map that
/// the index has not.
bool bsp_index_find(bsp_index *index, const char *const *terms, uint32_t count,
                    bsp_index_found found, void *user, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
