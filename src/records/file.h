// SPDX-License-Identifier: MIT
// The private structure of an open file.
#ifndef BSPI_FILE_H
#define BSPI_FILE_H

#include "bspkit/entities.h"
#include "bspkit/pak.h"
#include "bspkit/parts.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/os.h"
#include "records/head.h"

#include <stdatomic.h>

struct bsp_file {
    bspi_heap heap;
    bspi_arena arena;
    bspi_mapping mapping;   ///< empty when opened from memory
    bsp_blob blob;          ///< bytes that the file was given to own; else zeros
    bsp_bytes stored;       ///< the file as stored
    uint8_t *plain;         ///< an unscrambled copy of a scrambled file, else NULL
    bspi_mapping *external; ///< the mappings of info.external; NULL when the caller gave the bytes
    bspi_mapping light_mapping; ///< of the file of coloured light, if it was found on disk
    uint32_t *external_slots; ///< for each lump of the directory, then each .ent file: the index of
                              ///< its external file
    char *ignored;            ///< name of a file beside the map that is not read
    uint32_t num_ignored;
    bsp_text entities; ///< text of the entity lump and all .ent files; empty without such files
    bsp_file_info info;
    const bsp_game *game; ///< as the options say, or NULL
    bsp_lump *lumps;
    _Atomic(uint8_t *)
        *unpacked; ///< for each lump: its bytes after the first call that unpacked it, else NULL
    _Atomic(struct bspi_verified *) known; ///< verified checksums (verified_ranges.h), or NULL
};

/// Opens bytes that the file owns from now on; they are freed if it cannot be opened, and `blob` is
/// zero in any case. The options were taken.
bsp_file *bspi_file_open_blob(bsp_blob *blob, const bsp_open_options *options, bsp_error *error);

/// Returns true if `n` is the number of a lump; else fails with BSP_E_ARGUMENT.
bool bspi_has_lump(const bsp_file *file, uint32_t n, bsp_error *error);

/// The heap of a file that is const otherwise: it counts with atomics.
static inline bspi_heap *bspi_file_heap(const bsp_file *file) {
    return &((bsp_file *)(uintptr_t)file)->heap;
}

/// Reports that `bytes` of the file, or of one beside it, were read: its limits grow in proportion.
void bspi_file_grow(bsp_file *file, uint64_t bytes);
/// Returns the bytes of the file and of those beside it.
static inline uint64_t bspi_file_size(const bsp_file *file) {
    return file->heap.bytes;
}
/// Returns the budget for what is made from the file; NULL: default limits.
static inline bsp_budget *bspi_file_budget(const bsp_file *file) {
    return file->heap.budget;
}

/// Parses entities whose memory counts for `parent`, which may be NULL and must outlive them.
bsp_entities *bspi_entities_parse(bsp_text text, bspi_heap *parent, const bsp_allocator *allocator,
                                  bsp_issues *issues, bsp_error *error);
/// Returns the heap that the memory of the entities counts for; NULL: none.
bspi_heap *bspi_entities_parent(const bsp_entities *entities);
/// Opens a zip in a lump of `file`, which may be NULL and must outlive it; the memory counts for
/// the file.
bsp_pak *bspi_pak_open(bsp_bytes data, const bsp_file *file, const bsp_allocator *allocator,
                       bsp_issues *issues, bsp_error *error);
bsp_bytes bspi_pak_data(const bsp_pak *pak);
/// Returns the heap that counts what is read from the zip; NULL where a program made the struct.
bspi_heap *bspi_pak_heap(const bsp_pak *pak);
const bsp_file *bspi_pak_file(const bsp_pak *pak);

/// Returns true for the archive of Counter-Strike Online 2.
bool bspi_is_cs_pak(bsp_bytes data);
bool bspi_cs_pak_list(bsp_bytes data, bspi_arena *arena, bsp_issues *issues, bsp_pak *out,
                      bsp_error *error);

/// Unpacks a file of a zip (DEFLATE or LZMA) that has `size` bytes.
bool bspi_zip_unpack(uint16_t method, bsp_bytes packed, uint8_t *out, size_t size,
                     const bsp_allocator *allocator, bsp_error *error);
/// The most bytes that one byte of DEFLATE data can unpack to, rounded up.
#define BSPI_DEFLATE_RATIO 1040u

/// Reads head, directory, game lump directory and BSPX directory into file->info and file->lumps.
bool bspi_read_directory(bsp_file *file, bsp_issues *issues, bsp_error *error);

/// Decodes the records of a table and encodes them again into `out`, which has the table's size.
/// `heap` counts the memory for a field that is too large for the stack.
bool bspi_encode_table(const bsp_table *table, bspi_heap *heap, uint8_t *out, bsp_error *error);
bool bspi_encode_directory(const bsp_file *file, uint8_t *out, bsp_error *error);
/// Encodes one entry into its place of `out`, a copy of the file's head.
bool bspi_encode_entry(const bsp_file *file, uint32_t index, const bspi_entry *entry, uint8_t *out,
                       bsp_error *error);

/// Writes into an entry whether its lump is packed, where entries of the branch have a flag for it.
bool bspi_encode_packed(const bsp_file *file, uint32_t index, bool packed, uint8_t *out,
                        bsp_error *error);

/// An entry of the game lump's directory.
typedef struct bspi_game_entry {
    uint32_t id;
    uint32_t flags;
    uint32_t version;
    uint32_t offset;
    uint32_t size;
    uint32_t from; ///< its index in the directory that it was read from; BSP_NONE: a new one
} bspi_game_entry;

/// The directory of the game lump.
typedef struct bspi_game_directory {
    const bsp_lump *lump;
    bsp_table table; ///< of the entries
    bool relative;   ///< offsets count from the lump, as on consoles
} bspi_game_directory;

/// Finds the directory of the game lump. Returns false if the file has none.
bool bspi_game_directory_find(const bsp_file *file, bspi_game_directory *out);
bspi_game_entry bspi_game_entry_read(const bspi_game_directory *directory, uint32_t index);
/// Returns true if an entry tells from where the offsets of a game lump of `size` bytes at `start`
/// count.
bool bspi_game_entry_tells(const bspi_game_entry *entry, uint64_t start, uint64_t size,
                           bool *relative);
/// Encodes an entry at `out`, in the given byte order. One that was read from the directory keeps
/// its unknown fields. `out` must not lie in the directory's bytes.
bool bspi_game_entry_write(const bspi_game_directory *directory, const bspi_game_entry *entry,
                           bool big_endian, uint8_t *out, bsp_error *error);

/// Gives the place of the BSPX directory and the number of its lumps. Returns false without one.
bool bspi_file_bspx(const bsp_file *file, size_t *directory, uint32_t *count);

/// Sets info.external: the files that the caller gave, or those beside the map at `path`, which may
/// be NULL.
bool bspi_external_open(bsp_file *file, const char *path, const bsp_open_options *options,
                        bsp_error *error);
void bspi_external_close(bsp_file *file);
/// Returns the index of the file that replaces a lump of the directory, or BSP_NONE.
uint32_t bspi_external_find(const bsp_file *file, uint32_t lump);
/// Reports files that are not read, and files whose size is not that of the directory.
void bspi_external_issues(const bsp_file *file, bsp_issues *issues);
/// Returns the number of .ent files, and describes them as lumps in `out` if it is not NULL.
uint32_t bspi_external_entities(const bsp_file *file, bsp_lump *out);
/// Sets file->entities.
bool bspi_external_join(bsp_file *file, bsp_error *error);

/// Sets info.light_file: the file that the caller gave, or that beside the map at `path`, which may
/// be NULL. The directory must have been read.
bool bspi_light_file_open(bsp_file *file, const char *path, const bsp_open_options *options,
                          bsp_error *error);
void bspi_light_file_close(bsp_file *file);

/// Returns the bytes that a lump's offset counts in: those of the map, or of a file beside it.
bsp_bytes bspi_lump_holder(const bsp_file *file, const bsp_lump *lump);
/// Returns the bytes of a lump as stored, in the map or in a file beside it.
bsp_bytes bspi_lump_stored(const bsp_file *file, const bsp_lump *lump);

/// Returns the layout of an ARRAY lump by its version and size; NULL without variants.
const bsp_layout *bspi_pick_layout(const bsp_lump_def *def, uint32_t version, uint64_t size);

/// Returns the number of records of an ARRAY lump.
uint32_t bspi_array_count(const bsp_lump *lump);

/// Returns the byte offset in the file of a byte of a lump, for places; `at` itself when the lump
/// is packed.
uint64_t bspi_lump_byte(const bsp_lump *lump, size_t at);

/// Finds a table as bsp_file_table does, but returns false only without memory, so that a missing
/// table is not confused with that.
bool bspi_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts, bsp_table *table,
                     bool *there, bsp_error *error);
/// Counts as bsp_file_count does, and returns false only without memory.
bool bspi_file_count(const bsp_file *file, bsp_table_id id, uint32_t *count, bsp_error *error);

#endif
