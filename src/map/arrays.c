// SPDX-License-Identifier: MIT
// Fills the arrays of the map that hold records as stored: one decode for each table, driven by the
// members that its fields become.
#include "map/load.h"

#include "core/workers.h"

#include <string.h>

#define BLOCK ((uint32_t)256 << 10) // bytes of records, stored and decoded, that a thread takes
#define BLOCKS_A_START 8u           // for which a thread is started

static void store_array(bsp_map *map, const bspi_array *array, void *data, uint32_t count) {
    memcpy((uint8_t *)map + array->pointer, &data, sizeof data);
    memcpy((uint8_t *)map + array->count, &count, sizeof count);
}

// Maps with HDR light only have their faces in that lump; others have them in both.
static bool is_filled(const bsp_map *map, const bspi_array *array) {
    uint32_t count;
    memcpy(&count, (const uint8_t *)map + array->count, sizeof count);
    return count != 0;
}

// Returns the part of a lump that holds the table.
static uint32_t find_part(const bsp_parts *parts, bsp_table_id id) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE && parts->parts[i].id == id) {
            return i;
        }
    }
    return BSP_NONE;
}

// The grid of Quake 3 is left out where it is not wanted.
static bool is_asked(const bspi_loader *loader, const bspi_array *array) {
    bool grid = array->id == BSP_ID_LIGHT_GRID || array->id == BSP_ID_LIGHT_ARRAY;
    return (array->load & loader->load) != 0 && (!grid || (loader->load & BSP_LOAD_NO_GRID) == 0);
}

// A decode by several threads.
typedef struct decoding {
    const bsp_table *table;
    const bspi_struct *structure;
    uint8_t *out;
    uint32_t step; // records of a block
} decoding;

static bool decode_block(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const decoding *d = user;
    bsp_table block = *d->table;
    uint32_t first = item * d->step;
    (void)worker, (void)error;
    block.data += (size_t)first * block.layout->size;
    block.count = block.count - first < d->step ? block.count - first : d->step;
    bspi_bind_decode(&block, d->structure, d->out + (size_t)first * d->structure->size);
    return true;
}

static void decode(const bspi_loader *loader, const bsp_table *table, const bspi_struct *structure,
                   void *out) {
    uint32_t size = (uint32_t)(structure->size + table->layout->size);
    decoding d = {table, structure, out, 1 + BLOCK / size};
    uint32_t blocks = table->count / d.step + 1;
    uint32_t threads = blocks < BLOCKS_A_START ? 1 : bspi_heap_threads(&loader->owner->heap);
    uint32_t most = 1 + blocks / BLOCKS_A_START;
    if (threads < 2) {
        bspi_bind_decode(table, structure, out);
    } else {
        (void)bspi_workers_each(threads < most ? threads : most,
                                (table->count + d.step - 1) / d.step, decode_block, &d, NULL);
    }
}

static bool fill(bspi_loader *loader, const bspi_array *array, const bsp_lump *lump,
                 const bsp_parts *parts, uint32_t number) {
    bsp_table table = bsp_parts_table(parts, number);
    void *out =
        bspi_arena_raw(&loader->owner->arena, table.count, array->structure->size, loader->error);
    if (out == NULL) {
        return false;
    }
    decode(loader, &table, array->structure, out);
    bspi_window_pass(&loader->window,
                     (bsp_bytes){table.data, (size_t)table.count * table.layout->size});
    store_array(loader->map, array, out, table.count);
    return bspi_repair_references(loader, array, lump, &parts->parts[number], out);
}

// Several arrays may be filled from one lump (static props and their leaves), which is parsed once
// for all of them.
static bool fill_from(bspi_loader *loader, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(loader->file, n);
    uint32_t count;
    const bspi_array *arrays = bspi_arrays(&count);
    bsp_parts parts;
    bsp_bytes data;
    bsp_error local = {0};
    if (!bsp_file_data(loader->file, n, &data, &local)) {
        if (bspi_out_of_memory(&local, loader->error)) {
            return false;
        }
        return bspi_repaired(loader, BSPI_ISSUE_LUMP_COMPRESSED, local.place, "%s", local.message);
    }
    if (!bsp_file_parts(loader->file, n, loader->issues, &parts, loader->error)) {
        return false; // records that were counted are missing, so no index could be trusted
    }
    bool done = true;
    for (uint32_t a = 0; done && a < count; a++) {
        uint32_t part = is_asked(loader, &arrays[a]) ? find_part(&parts, arrays[a].id) : BSP_NONE;
        if (part != BSP_NONE && !is_filled(loader->map, &arrays[a])) {
            done = fill(loader, &arrays[a], lump, &parts, part);
        }
    }
    bsp_parts_free(&parts);
    return done;
}

bool bspi_is_wanted(const bspi_loader *loader, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(loader->file, n);
    if (lump->size == 0 || (lump->kind != BSP_KIND_ARRAY && lump->kind != BSP_KIND_SECTIONS)) {
        return false;
    }
    uint32_t count;
    const bspi_array *arrays = bspi_arrays(&count);
    for (uint32_t a = 0; a < count; a++) {
        bool fits = lump->kind == BSP_KIND_SECTIONS || arrays[a].id == lump->id;
        if (fits && is_asked(loader, &arrays[a])) {
            return true;
        }
    }
    return false;
}

bool bspi_load_arrays(bspi_loader *loader) {
    uint32_t count = bsp_file_get_info(loader->file)->num_lumps;
    for (uint32_t n = 0; n < count; n++) {
        if (bspi_is_wanted(loader, n) && !fill_from(loader, n)) {
            return false;
        }
    }
    bspi_window_end(&loader->window);
    return true;
}
