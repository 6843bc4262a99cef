// SPDX-License-Identifier: MIT
// Baked data as changes of a file: lumps with other bytes, and records that say where these are.
#ifndef BSPI_BAKE_CHANGES_H
#define BSPI_BAKE_CHANGES_H

#include "bspkit/edit.h"
#include "bspkit/map.h"
#include "core/buffer.h"

#define BSPI_MOST_CHANGES 12u
#define BSPI_MOST_TAKEN 10u

typedef struct bspi_changes {
    const bsp_file *file;
    bspi_heap heap;
    bsp_error *error;
    bool big_endian; ///< numbers of the file
    uint32_t count;
    bsp_lump_change list[BSPI_MOST_CHANGES];
    bsp_blob packed[BSPI_MOST_CHANGES]; ///< bytes that such a lump has in the file
    uint32_t num_taken;
    bsp_blob taken[BSPI_MOST_TAKEN]; ///< bytes that lumps get
} bspi_changes;

/// Begins without changes. `map` was loaded from `file`.
void bspi_changes_begin(bspi_changes *changes, const bsp_map *map, const bsp_file *file,
                        const bsp_allocator *allocator, bsp_error *error);
/// Gives a lump other bytes, which stay the caller's and must outlive the changes.
bool bspi_changes_add(bspi_changes *changes, uint32_t lump, bsp_bytes bytes);
/// Takes the bytes of a buffer, if it has any, and frees it; they live as long as the changes.
/// Returns false after a failure, which may be the buffer's.
bool bspi_changes_take(bspi_changes *changes, bspi_buffer *buffer, bsp_bytes *out);
/// Adds a lump, as bsp_lump_change names it.
void bspi_changes_new(bspi_changes *changes, const char *name, bsp_bytes bytes);
/// Removes a lump.
void bspi_changes_remove(bspi_changes *changes, uint32_t lump);
/// Gives a table other records: `edit` changes those of `copy`, whose layout and number are those
/// of `table`.
bool bspi_changes_records(bspi_changes *changes, bsp_table_id id,
                          bool (*edit)(void *user, const bsp_table *table, uint8_t *copy),
                          void *user);
/// Frees what the changes own.
void bspi_changes_end(bspi_changes *changes);

#endif
