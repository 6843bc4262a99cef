// SPDX-License-Identifier: MIT
// The open file from inside.
#ifndef BSPI_FILE_H
#define BSPI_FILE_H

#include "bspkit/entities.h"
#include "bspkit/pak.h"
#include "bspkit/parts.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/os.h"

#include <stdatomic.h>

struct bsp_file {
    bspi_heap heap;
    bspi_arena arena;
    bspi_mapping mapping;       ///< empty when opened from memory
    bsp_bytes stored;           ///< the file as it stands
    uint8_t *plain;             ///< a copy of a scrambled file, else NULL
    bspi_mapping *external;     ///< those of info.external; NULL when they are the caller's
    bspi_mapping light_mapping; ///< of the file of coloured light, if it was found on the disk
    uint32_t *external_slots;   ///< for each lump of the directory, then each .ent file: which one
    char *ignored;              ///< the name of a file beside the map that is not read
    uint32_t num_ignored;
    bsp_text entities; ///< of the entity lump and all .ent files; empty without such files
    bsp_file_info info;
    const bsp_game *game; ///< as the options say, or NULL
    bsp_lump *lumps;
    _Atomic(uint8_t *) *unpacked; ///< for each lump: its bytes once somebody asked, else NULL
    _Atomic(struct bspi_verified *) known; ///< checksums (known.h), or NULL
};

/// The heap of a file that is const otherwise: it counts with atomics.
/// True if `n` is the number of a lump; else fails with BSP_E_ARGUMENT.
bool bspi_has_lump(const bsp_file *file, uint32_t n, bsp_error *error);

static inline bspi_heap *bspi_file_heap(const bsp_file *file) {
    return &((bsp_file *)(uintptr_t)file)->heap;
}

/// So many bytes of the file, or of one beside it, were read: its limits grow with them.
void bspi_file_grow(bsp_file *file, uint64_t bytes);
/// Bytes of the file and of those beside it.
static inline uint64_t bspi_file_size(const bsp_file *file) {
    return file->heap.bytes;
}
/// Who pays for what is made out of the file; NULL: default limits.
static inline bsp_budget *bspi_file_budget(const bsp_file *file) {
    return file->heap.budget;
}

/// Entities whose memory counts for `parent` (which may be NULL, and must outlive them).
bsp_entities *bspi_entities_parse(bsp_text text, bspi_heap *parent, const bsp_allocator *allocator,
                                  bsp_issues *issues, bsp_error *error);
/// The heap that memory of the entities counts for; NULL: none.
bspi_heap *bspi_entities_parent(const bsp_entities *entities);
/// A zip in a lump of `file` (which may be NULL, and must outlive it): its memory counts there.
bsp_pak *bspi_pak_open(bsp_bytes data, const bsp_file *file, const bsp_allocator *allocator,
                       bsp_issues *issues, bsp_error *error);
bsp_bytes bspi_pak_data(const bsp_pak *pak);
/// Pays for what is read out of the zip.
bspi_heap *bspi_pak_heap(const bsp_pak *pak);
const bsp_file *bspi_pak_file(const bsp_pak *pak);

/// True for the archive of Counter-Strike Online 2, and its list, whose entries `arena` holds.
bool bspi_is_cs_pak(bsp_bytes data);
bool bspi_cs_pak_list(bsp_bytes data, bspi_arena *arena, bsp_issues *issues, bsp_pak *out,
                      bsp_error *error);

/// Unpacks a file of a zip (DEFLATE or LZMA) that has `size` bytes.
bool bspi_zip_unpack(uint16_t method, bsp_bytes packed, uint8_t *out, size_t size,
                     const bsp_allocator *allocator, bsp_error *error);
/// The most bytes that a byte of deflate data can become, rounded up.
#define BSPI_DEFLATE_RATIO 1040u

/// A lump entry of the directory, as our own structure.
typedef struct bspi_entry {
    uint32_t offset;
    uint32_t size;
    uint32_t version;
    uint32_t fourcc;
} bspi_entry;

/// Reads head, directory, game lump directory and BSPX directory into file->info and file->lumps.
bool bspi_read_directory(bsp_file *file, bsp_issues *issues, bsp_error *error);

/// Encodes head, directory and tail into `out` (the size of the shape).
/// Decodes the records of a table and encodes them again into `out`, which has the table's size.
/// `heap` pays for a field that is larger than what a function may have on its stack.
bool bspi_encode_table(const bsp_table *table, bspi_heap *heap, uint8_t *out, bsp_error *error);
bool bspi_encode_directory(const bsp_file *file, uint8_t *out, bsp_error *error);
/// Encodes one entry into its place of `out`, a copy of the file's head.
bool bspi_encode_entry(const bsp_file *file, uint32_t index, const bspi_entry *entry, uint8_t *out,
                       bsp_error *error);

/// Says in an entry whether its lump is packed, where entries of the branch have a flag for it.
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
    bsp_table table; ///< entries
    bool relative;   ///< offsets count from the lump, as on consoles
} bspi_game_directory;

/// False if the file has none.
bool bspi_game_directory_find(const bsp_file *file, bspi_game_directory *out);
bspi_game_entry bspi_game_entry_read(const bspi_game_directory *directory, uint32_t index);
/// True if an entry tells what the offsets of a game lump of `size` bytes at `start` count from.
bool bspi_game_entry_tells(const bspi_game_entry *entry, uint64_t start, uint64_t size,
                           bool *relative);
/// Encodes an entry at `out`, in that byte order. One that was read from the directory keeps what
/// is not known of it. The directory's bytes must not be those of `out`.
bool bspi_game_entry_write(const bspi_game_directory *directory, const bspi_game_entry *entry,
                           bool big_endian, uint8_t *out, bsp_error *error);

/// Where the BSPX directory of the file begins, and how many lumps it lists; false without one.
bool bspi_file_bspx(const bsp_file *file, size_t *directory, uint32_t *count);

/// Sets info.external: what the caller gave, or what stands beside the map at `path` (which may be
/// NULL).
bool bspi_external_open(bsp_file *file, const char *path, const bsp_open_options *options,
                        bsp_error *error);
void bspi_external_close(bsp_file *file);
/// The file that stands for a lump of the directory, or BSP_NONE.
uint32_t bspi_external_find(const bsp_file *file, uint32_t lump);
/// Notes what is not read, and what has another size.
void bspi_external_issues(const bsp_file *file, bsp_issues *issues);
/// How many .ent files there are; describes them as lumps in `out` if it is not NULL.
uint32_t bspi_external_entities(const bsp_file *file, bsp_lump *out);
/// Sets file->entities.
bool bspi_external_join(bsp_file *file, bsp_error *error);

/// Sets info.light_file: what the caller gave, or what stands beside the map at `path` (which may
/// be NULL). The directory has been read.
bool bspi_light_file_open(bsp_file *file, const char *path, const bsp_open_options *options,
                          bsp_error *error);
void bspi_light_file_close(bsp_file *file);

/// The file that a lump's offset counts in: the map, or a file beside it.
bsp_bytes bspi_lump_holder(const bsp_file *file, const bsp_lump *lump);
/// The bytes of a lump as they are stored, in the map or in a file of their own.
bsp_bytes bspi_lump_stored(const bsp_file *file, const bsp_lump *lump);

/// The layout that an ARRAY lump has, by its version and size; NULL without variants.
const bsp_layout *bspi_pick_layout(const bsp_lump_def *def, uint32_t version, uint64_t size);

/// How many records an ARRAY lump has.
uint32_t bspi_array_count(const bsp_lump *lump);

/// Byte offset in the file of a byte of a lump (for places): `at` itself when the lump is packed.
uint64_t bspi_lump_byte(const bsp_lump *lump, size_t at);

/// As bsp_file_table for those who would take the end of memory for a table that is not there: that
/// alone makes it false.
bool bspi_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts, bsp_table *table,
                     bool *there, bsp_error *error);
/// bsp_file_count in the same way.
bool bspi_file_count(const bsp_file *file, bsp_table_id id, uint32_t *count, bsp_error *error);

#endif
