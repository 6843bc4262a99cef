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
