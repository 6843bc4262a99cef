// SPDX-License-Identifier: MIT
// The accessors of an open file: its lumps, their bytes, its entities. A file is immutable except
// for packed lumps: the first call that needs one unpacks and publishes it.
#include "records/entities.h"
#include "records/file.h"

#include "core/reader.h"
#include "core/text.h"
#include "pack/lzma.h"

#include <assert.h>

void bspi_file_grow(bsp_file *file, uint64_t bytes) {
    bspi_heap_extend(&file->heap, bytes);
    bsp_budget_read(file->heap.budget, bytes);
}

const bsp_file_info *bsp_file_get_info(const bsp_file *file) {
    assert(file != NULL);
    return &file->info;
}

bool bspi_has_lump(const bsp_file *file, uint32_t n, bsp_error *error) {
    if (n < file->info.num_lumps) {
        return true;
    }
    return n == BSP_NONE ? bsp_fail(error, BSP_E_ARGUMENT, NULL, "the file has no such lump")
                         : bsp_fail(error, BSP_E_ARGUMENT, NULL,
                                    "there is no lump number %u: the file has %u", (unsigned)n,
                                    (unsigned)file->info.num_lumps);
}

const bsp_lump *bsp_file_lump(const bsp_file *file, uint32_t n) {
    assert(file != NULL);
    static const bsp_lump none = {.id = BSP_ID_NONE, .external = BSP_NONE};
    return bspi_has_lump(file, n, NULL) ? &file->lumps[n] : &none;
}

bsp_bytes bspi_lump_holder(const bsp_file *file, const bsp_lump *lump) {
    return lump->external == BSP_NONE ? file->info.bytes
                                      : file->info.external[lump->external].bytes;
}

bsp_bytes bspi_lump_stored(const bsp_file *file, const bsp_lump *lump) {
    return bspi_slice(bspi_lump_holder(file, lump), lump->offset, lump->size);
}

uint64_t bspi_lump_byte(const bsp_lump *lump, size_t at) {
    return lump->compressed ? at : lump->offset + at;
}

uint32_t bsp_file_find(const bsp_file *file, bsp_text name) {
    assert(file != NULL);
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        if (bspi_text_equal_nocase(name, bsp_text_of(file->lumps[i].name))) {
            return i;
        }
    }
    int64_t index;
    bool number = bsp_parse_int(name, &index) && index >= 0;
    return number && index < file->info.num_directory_lumps ? (uint32_t)index : BSP_NONE;
}

uint32_t bsp_file_find_id(const bsp_file *file, bsp_table_id id) {
    assert(file != NULL);
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        if (file->lumps[i].id == id) {
            return i;
        }
    }
    return BSP_NONE;
}

bsp_bytes bsp_file_stored(const bsp_file *file, uint32_t n) {
    assert(file != NULL);
    return bspi_has_lump(file, n, NULL) ? bspi_lump_stored(file, &file->lumps[n])
                                        : (bsp_bytes){NULL, 0};
}

// --- packed lumps -------------------------------------------------------------------------------

static uint8_t *unpack(const bsp_file *file, const bsp_lump *lump, bsp_bytes stored,
                       bsp_error *error) {
    bspi_heap *heap = bspi_file_heap(file);
    size_t scratch = bspi_lzma_memory(stored);
    uint8_t *out = NULL;
    bool done = false;
    if (bspi_heap_work(heap, lump->unpacked_size, error) &&
        bspi_heap_charge(heap, scratch, error)) {
        out = bspi_heap_alloc(heap, lump->unpacked_size, error);
        done = out != NULL && bsp_lzma_unpack(stored, out, &heap->allocator, error);
        bspi_heap_discharge(heap, scratch);
    }
    if (done) {
        return out;
    }
    bspi_heap_free(heap, out, lump->unpacked_size);
    if (error != NULL) {
        error->place = bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset);
    }
    return NULL;
}

bool bsp_file_data(const bsp_file *file, uint32_t n, bsp_bytes *data, bsp_error *error) {
    assert(file != NULL && data != NULL);
    *data = (bsp_bytes){NULL, 0};
    if (!bspi_has_lump(file, n, error)) {
        return false;
    }
    const bsp_lump *lump = &file->lumps[n];
    *data = bspi_lump_stored(file, lump);
    if (!lump->compressed) {
        return true;
    }
    uint8_t *out = atomic_load(&file->unpacked[n]);
    if (out == NULL) {
        out = unpack(file, lump, *data, error);
        if (out == NULL) {
            return false;
        }
        uint8_t *expected = NULL;
        if (!atomic_compare_exchange_strong(&file->unpacked[n], &expected, out)) {
            bspi_heap_free(bspi_file_heap(file), out, lump->unpacked_size);
            out = expected; // another thread published first
        }
    }
    data->data = out;
    data->size = lump->unpacked_size;
    return true;
}

// --- entities -----------------------------------------------------------------------------------

static bsp_entities *parse(const bsp_file *file, bsp_text text, bsp_issues *issues,
                           bsp_error *error) {
    return bspi_entities_parse(text, bspi_file_heap(file), &file->heap.allocator, issues, error);
}

bsp_entities *bsp_lump_entities(const bsp_file *file, uint32_t lump, bsp_issues *issues,
                                bsp_error *error) {
    assert(file != NULL);
    bsp_bytes data;
    if (!bsp_file_data(file, lump, &data, error)) {
        return NULL;
    }
    return parse(file, (bsp_text){(const char *)data.data, data.size}, issues, error);
}

bsp_entities *bsp_file_entities(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    assert(file != NULL);
    uint32_t n = bsp_file_find_id(file, BSP_ID_ENTITIES);
    if (n == BSP_NONE) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "branch %s has no entity lump",
                 file->info.detection.branch->name);
        return NULL;
    }
    return file->entities.size != 0 ? parse(file, file->entities, issues, error)
                                    : bsp_lump_entities(file, n, issues, error);
}
