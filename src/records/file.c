// SPDX-License-Identifier: MIT
// The open file: what is shared by all that ask it. Immutable after opening, but for packed lumps,
// which the first to ask unpacks and publishes.
#include "records/known.h"

#include "core/reader.h"
#include "core/text.h"
#include "file/lzma.h"
#include "formats/rules.h"

#include <string.h>

static bsp_file *new_file(const bsp_open_options *options, bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init(&heap, options->allocator, 0);
    bsp_file *file = bspi_heap_alloc(&heap, sizeof *file, error);
    if (file != NULL) {
        memset(file, 0, sizeof *file);
        bspi_heap_init_for(&file->heap, BSP_PRODUCT_FILE, 0, options->budget, options->allocator);
        bspi_arena_init(&file->arena, &file->heap);
    }
    return file;
}

void bspi_file_grow(bsp_file *file, uint64_t bytes) {
    bspi_heap_extend(&file->heap, bytes);
    bsp_budget_read(file->heap.budget, bytes);
}

static bool find_branch(const char *name, const bsp_branch **branch, bsp_error *error) {
    *branch = name == NULL ? NULL : bsp_branch_find(name);
    if (name != NULL && *branch == NULL) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "no branch is named '%s'", name);
    }
    return true;
}

static bool find_game(const char *title, const bsp_game **game, bsp_error *error) {
    *game = title == NULL ? NULL : bsp_game_find(title);
    if (title != NULL && *game == NULL) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "no game, or more than one, is named '%s'",
                        title);
    }
    return true;
}

// A scrambled file is read from a copy.
static bool make_plain(bsp_file *file, bsp_error *error) {
    bsp_bytes bytes = file->info.bytes;
    if (!bsp_find_key(bytes, file->info.key)) {
        return true;
    }
    file->plain = bspi_heap_alloc(&file->heap, bytes.size, error);
    if (file->plain == NULL) {
        return false;
    }
    memcpy(file->plain, bytes.data, bytes.size);
    bsp_scramble(file->info.key, 0, file->plain, bytes.size);
    file->info.bytes.data = file->plain;
    file->info.scrambled = true;
    return true;
}

static bool read_file(bsp_file *file, const char *path, const bsp_open_options *options,
                      bsp_error *error) {
    const bsp_branch *forced;
    bspi_file_grow(file, file->info.bytes.size);
    if (!make_plain(file, error) || !find_branch(options->branch, &forced, error) ||
        !find_game(options->game, &file->game, error) ||
        !bspi_detect(file->info.bytes, file->info.scrambled, forced, &file->info.detection,
                     error) ||
        !bspi_external_open(file, path, options, error)) {
        return false;
    }
    if (!bspi_read_directory(file, options->issues, error) ||
        !bspi_light_file_open(file, path, options, error)) {
        return false;
    }
    file->unpacked =
        bspi_arena_raw(&file->arena, file->info.num_lumps, sizeof *file->unpacked, error);
    for (uint32_t i = 0; file->unpacked != NULL && i < file->info.num_lumps; i++) {
        atomic_init(&file->unpacked[i], NULL);
    }
    return file->unpacked != NULL;
}

static bsp_file *open_bytes(bsp_bytes bytes, const char *path, const bsp_open_options *options,
                            bsp_error *error) {
    static const bsp_open_options defaults = {0};
    options = options == NULL ? &defaults : options;
    bsp_file *file = new_file(options, error);
    if (file == NULL) {
        return NULL;
    }
    file->stored = file->info.bytes = bytes;
    if (!read_file(file, path, options, error)) {
        bsp_file_close(file);
        return NULL;
    }
    return file;
}

bsp_file *bsp_file_open_memory(bsp_bytes bytes, const bsp_open_options *options, bsp_error *error) {
    return open_bytes(bytes, NULL, options, error);
}

bsp_file *bsp_file_open(const char *path, const bsp_open_options *options, bsp_error *error) {
    static const bsp_open_options defaults = {0};
    options = options == NULL ? &defaults : options;
    bspi_mapping mapping;
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, options->budget, options->allocator);
    if (!bspi_open_file(path, !options->read, &heap, &mapping, error)) {
        return NULL;
    }
    bsp_file *file = open_bytes(mapping.bytes, path, options, error);
    if (file == NULL || !bspi_mapping_move(&mapping, &file->heap, error)) {
        bsp_file_close(file);
        bspi_unmap_file(&mapping);
        return NULL;
    }
    file->mapping = mapping;
    return file;
}

void bsp_file_close(bsp_file *file) {
    if (file == NULL) {
        return;
    }
    for (uint32_t i = 0; file->unpacked != NULL && i < file->info.num_lumps; i++) {
        bspi_heap_free(&file->heap, atomic_load(&file->unpacked[i]), file->lumps[i].unpacked_size);
    }
    if (file->plain != NULL) {
        bspi_heap_free(&file->heap, file->plain, file->info.bytes.size);
    }
    bspi_known_free(file);
    bspi_external_close(file);
    bspi_light_file_close(file);
    bspi_arena_free(&file->arena);
    if (file->mapping.bytes.data != NULL) {
        bspi_unmap_file(&file->mapping);
    }
    bsp_allocator allocator = file->heap.allocator;
    allocator.resize(allocator.user, file, sizeof *file, 0);
}

const bsp_file_info *bsp_file_get_info(const bsp_file *file) {
    return &file->info;
}

const bsp_lump *bsp_file_lump(const bsp_file *file, uint32_t n) {
    return &file->lumps[n];
}

uint64_t bspi_lump_byte(const bsp_lump *lump, size_t at) {
    return lump->compressed ? at : lump->offset + at;
}

uint32_t bsp_file_find(const bsp_file *file, bsp_text name) {
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
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        if (file->lumps[i].id == id) {
            return i;
        }
    }
    return BSP_NONE;
}

bsp_bytes bsp_file_stored(const bsp_file *file, uint32_t n) {
    return bspi_lump_stored(file, &file->lumps[n]);
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
            out = expected; // another thread was first
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
    bsp_bytes data;
    if (!bsp_file_data(file, lump, &data, error)) {
        return NULL;
    }
    return parse(file, (bsp_text){(const char *)data.data, data.size}, issues, error);
}

bsp_entities *bsp_file_entities(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_ENTITIES);
    if (n == BSP_NONE) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "branch %s has no entity lump",
                 file->info.detection.branch->name);
        return NULL;
    }
    return file->entities.size != 0 ? parse(file, file->entities, issues, error)
                                    : bsp_lump_entities(file, n, issues, error);
}
