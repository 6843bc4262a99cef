// SPDX-License-Identifier: MIT
// Collects what a stage of baking changes: whole lumps as the tables of the file's branch pack
// them, and copies of records with some fields set. The file stays as it is (bsp_plan writes the
// changes).
#include "bake/result/changes.h"

#include "map/heap.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

void bspi_changes_begin(bspi_changes *changes, const bsp_map *map, const bsp_file *file,
                        const bsp_allocator *allocator, bsp_error *error) {
    memset(changes, 0, sizeof *changes);
    bspi_map_heap(&changes->heap, BSP_PRODUCT_EDIT, map, NULL, allocator);
    changes->file = file;
    changes->big_endian = bsp_file_get_info(file)->detection.big_endian;
    changes->error = error;
}

bool bspi_changes_add(bspi_changes *changes, uint32_t lump, bsp_bytes bytes) {
    uint32_t number = changes->count++;
    assert(number < BSPI_MOST_CHANGES);
    return bsp_lump_change_make(changes->file, lump, bytes, &changes->heap.allocator,
                                &changes->packed[number], &changes->list[number], changes->error);
}

bool bspi_changes_take(bspi_changes *changes, bspi_buffer *buffer, bsp_bytes *out) {
    bool done = !buffer->failed;
    *out = (bsp_bytes){NULL, 0};
    if (done && buffer->size != 0) {
        assert(changes->num_taken < BSPI_MOST_TAKEN);
        bsp_blob *blob = &changes->taken[changes->num_taken++];
        done = bspi_buffer_give(buffer, blob);
        *out = (bsp_bytes){blob->data, blob->size};
    }
    bspi_buffer_free(buffer);
    return done;
}

void bspi_changes_new(bspi_changes *changes, const char *name, bsp_bytes bytes) {
    assert(changes->count < BSPI_MOST_CHANGES);
    changes->list[changes->count++] =
        (bsp_lump_change){.lump = BSP_NONE, .name = name, .data = bytes, .version = BSP_NONE};
}

void bspi_changes_remove(bspi_changes *changes, uint32_t lump) {
    assert(changes->count < BSPI_MOST_CHANGES);
    changes->list[changes->count++] =
        (bsp_lump_change){.lump = lump, .remove = true, .version = BSP_NONE};
}

bool bspi_changes_records(bspi_changes *changes, bsp_table_id id,
                          bool (*edit)(void *user, const bsp_table *table, uint8_t *copy),
                          void *user) {
    bsp_parts parts;
    bsp_table table;
    bool there;
    bspi_buffer copy = {.heap = &changes->heap, .error = changes->error};
    bsp_bytes records;
    if (!bspi_file_table(changes->file, id, &parts, &table, &there, changes->error)) {
        return false;
    }
    if (!there || table.count == 0) {
        bsp_parts_free(&parts);
        return bsp_fail(changes->error, BSP_E_UNSUPPORTED, NULL, "the map has no %s",
                        bsp_table_id_name(id));
    }
    bspi_buffer_add(&copy, table.data, table.layout->size * table.count);
    bool done = !copy.failed && edit(user, &table, copy.data) &&
                bspi_changes_take(changes, &copy, &records);
    bspi_buffer_free(&copy);
    bsp_parts_free(&parts);
    return done && bspi_changes_add(changes, bsp_file_find_id(changes->file, id), records);
}

void bspi_changes_end(bspi_changes *changes) {
    for (uint32_t i = 0; i < BSPI_MOST_CHANGES; i++) {
        bsp_blob_free(&changes->packed[i]);
    }
    for (uint32_t i = 0; i < BSPI_MOST_TAKEN; i++) {
        bsp_blob_free(&changes->taken[i]);
    }
}
