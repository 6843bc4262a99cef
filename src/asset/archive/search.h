// SPDX-License-Identifier: MIT
// The search path from inside: an index of names, and who fills it.
#ifndef BSPI_ASSET_ARCHIVE_SEARCH_H
#define BSPI_ASSET_ARCHIVE_SEARCH_H

#include "bspkit/asset.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/os.h"

/// The longest name of a file, the NUL included.
#define BSPI_NAME_ROOM 512u

/// How a file is stored.
typedef enum bspi_storage {
    BSPI_LOOSE,   ///< a file of its own: source, '/', name
    BSPI_STORED,  ///< `head`, then `packed`
    BSPI_DEFLATE, ///< `packed`
    BSPI_LZMA,    ///< `packed`, with the head that zips give it
} bspi_storage;

/// Where a file's bytes are.
typedef struct bspi_item {
    bspi_storage storage;
    bsp_bytes head; ///< VPK: what stands in the directory itself
    bsp_bytes packed;
} bspi_item;

typedef struct bspi_mapping_list bspi_mapping_list;

struct bsp_search {
    bspi_heap heap;
    bspi_arena arena;
    bsp_allocator allocator;
    size_t file_limit;
    bsp_issues *issues;
    void (*opening)(void *user, const char *path); ///< of the options; may be NULL
    void *opening_user;
    const bsp_search *next; ///< where names that are not here are looked for; may be NULL
    bspi_mapping_list *mappings;
    bsp_asset *assets; ///< parallel to `items`
    bspi_item *items;
    size_t count;
    size_t room;
    uint32_t *slots; ///< hash table of indices, BSP_NONE where empty
    size_t num_slots;
};

/// An archive being added.
typedef struct bspi_archive {
    bsp_search *search;
    bsp_bytes bytes;
    bsp_text source;  ///< lives as long as the search path
    const char *path; ///< NULL in memory
    bsp_error *error;
} bspi_archive;

/// Adds a file unless its name is taken already or is none that a game could ask for. `size` is
/// that of the unpacked file. False when memory ends.
bool bspi_search_put(const bspi_archive *archive, bsp_text name, const bspi_item *item,
                     uint64_t size);

/// Opens a file of the disk: all files of a search path are opened here, and told to the caller.
bool bspi_search_open(const bsp_search *search, const char *path, bspi_mapping *out,
                      bsp_error *error);
/// The index of the file of that name in this search path alone; SIZE_MAX without one.
size_t bspi_search_at(const bsp_search *search, bsp_text name);

/// The bytes of a file that the search path keeps mapped, or false.
bool bspi_search_map(bsp_search *search, const char *path, bsp_bytes *bytes, bsp_error *error);

/// Reports damage of an archive.
void bspi_archive_issue(const bspi_archive *archive, uint32_t record, uint64_t offset,
                        const char *what);

/// Writes a name with '/' for '\', without leading, doubled and final ones. False if it is empty,
/// too long, or has a "..".
bool bspi_clean_name(bsp_text name, char out[BSPI_NAME_ROOM]);

/// Fills the index. False when memory ends, or when the bytes are no such archive.
bool bspi_add_vpk(const bspi_archive *archive);
/// Adds an archive of any kind.
bool bspi_add_archive(const bspi_archive *archive);

/// Unpacks an item into `out`, which has room for `size` bytes.
bool bspi_unpack(const bspi_item *item, uint8_t *out, size_t size, const bsp_allocator *allocator,
                 bsp_error *error);

#endif
