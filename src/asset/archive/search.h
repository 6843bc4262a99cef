// SPDX-License-Identifier: MIT
// The private structure of the search path: an index of names, and the functions that fill it.
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
    BSPI_LOOSE,   ///< its own file: source, '/', name
    BSPI_STORED,  ///< `head`, then `packed`, then `parts`
    BSPI_DEFLATE, ///< `packed`
    BSPI_LZMA,    ///< `packed`, with the head as in a zip
} bspi_storage;

/// Where the bytes of a file are.
typedef struct bspi_item {
    bspi_storage storage;
    uint32_t num_parts;
    bsp_bytes head; ///< VPK: the part of the file in the directory itself
    bsp_bytes packed;
    const bsp_bytes *parts; ///< GCF: the pieces of the file
} bspi_item;

typedef struct bspi_mapping_list bspi_mapping_list;

struct bsp_search {
    bspi_heap heap;
    bspi_arena arena;
    bsp_allocator allocator;
    size_t file_limit;
    bsp_issues *issues;
    void (*opening)(void *user, const char *path); ///< from the options; may be NULL
    void *opening_user;
    const bsp_disk *disk;   ///< from the options; may be NULL
    uint32_t *disk_order;   ///< its files by path; see disk.c
    const bsp_search *next; ///< searched for names that are not found here; may be NULL
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
    bsp_text source;  ///< must outlive the search path
    const char *path; ///< NULL for an archive in memory
    bsp_error *error;
} bspi_archive;

/// Adds a file, unless its name is taken or no game could ask for it. `size` is that of the
/// unpacked file. Returns false without memory.
bool bspi_search_put(const bspi_archive *archive, bsp_text name, const bspi_item *item,
                     uint64_t size);

/// A file that a search path has opened: one of the disk, or of the caller's bsp_disk.
typedef struct bspi_opened {
    bspi_mapping mapping; ///< of the disk; `bytes` are also those of a bsp_disk
    size_t number;        ///< of the files of the bsp_disk; SIZE_MAX: the disk's
} bspi_opened;

/// Opens a file and reports its path to the caller's `opening`. Every file that a search path reads
/// is opened here. Close with bspi_search_close.
bool bspi_search_open(const bsp_search *search, const char *path, bspi_opened *out,
                      bsp_error *error);
void bspi_search_close(const bsp_search *search, bspi_opened *opened);
/// Lists a folder of the disk, or of the caller's files, as bspi_list_folder does.
bool bspi_search_list(const bsp_search *search, const char *path, bool links,
                      bspi_folder_visit visit, void *user, bsp_error *error);
/// Returns true if there is a file of that path that can be read.
bool bspi_search_is_file(const bsp_search *search, const char *path);

/// Sorts the files of the caller's bsp_disk. Returns false without memory.
bool bspi_disk_begin(bsp_search *search, bsp_error *error);
/// Returns the index of the file with that name in this search path alone; SIZE_MAX without one.
size_t bspi_search_at(const bsp_search *search, bsp_text name);

/// Adds a game folder and its archives, as bsp_search_add_game does one without gameinfo.txt.
bool bspi_search_add_folder(bsp_search *search, const char *folder, bsp_error *error);

/// Maps a file for as long as the search path exists, and gives its bytes. Returns false on
/// failure.
bool bspi_search_map(bsp_search *search, const char *path, bsp_bytes *bytes, bsp_error *error);

/// Reports damage of an archive.
void bspi_archive_issue(const bspi_archive *archive, uint32_t record, uint64_t offset,
                        const char *what);

/// Writes a name with '/' for '\', without leading, doubled and final ones. Returns false if it is
/// empty, too long, or has a "..".
bool bspi_clean_name(bsp_text name, char out[BSPI_NAME_ROOM]);

/// Fills the index. Returns false without memory, or when the bytes are no such archive.
bool bspi_add_vpk(const bspi_archive *archive);
bool bspi_add_gma(const bspi_archive *archive);
bool bspi_add_gcf(const bspi_archive *archive);
/// Returns true if this begins as a GCF does, which has no magic of its own.
bool bspi_is_gcf(bsp_bytes bytes);
/// Adds an archive of any kind.
bool bspi_add_archive(const bspi_archive *archive);

/// Unpacks an item into `out`, which has room for `size` bytes.
bool bspi_unpack(const bspi_item *item, uint8_t *out, size_t size, const bsp_allocator *allocator,
                 bsp_error *error);

#endif
