// SPDX-License-Identifier: MIT
// Model files as records: opening, closing, and writing them as JSON.
#include "model/file.h"

#include "core/options.h"
#include "model/formats.h"
#include "model/rows.h"
#include "records/dump.h"

#include <assert.h>
#include <string.h>

static bool set_name(bsp_model_file *file, const char *name, bsp_error *error) {
    file->name_size = strlen(name) + 1;
    file->name = bspi_heap_alloc(&file->heap, file->name_size, error);
    if (file->name != NULL) {
        memcpy(file->name, name, file->name_size);
    }
    return file->name != NULL;
}

static uint32_t version_of(const bspi_model_def *def, bsp_bytes bytes) {
    return def->version_size == 0 ? 0
           : def->version_size == 2
               ? bspi_load16(bytes.data + def->version_at, def->format.big_endian)
               : bspi_load32(bytes.data + def->version_at, def->format.big_endian);
}

static bool read_bytes(bsp_model_file *file, bsp_bytes bytes, const char *name, bsp_issues *issues,
                       bsp_error *error) {
    const bspi_model_def *def = bspi_model_find(bytes, error);
    if (def == NULL) {
        return false;
    }
    file->def = def;
    file->info = (bsp_model_file_info){&def->format, version_of(def, bytes), bytes.size, bytes};
    return set_name(file, name, error) && bspi_rows_parse(file, issues, error);
}

// Fills a new file, or frees it and returns NULL.
static bsp_model_file *finish(bsp_model_file *file, bsp_bytes bytes, const char *name,
                              bsp_issues *issues, bsp_error *error) {
    if (file != NULL && !read_bytes(file, bytes, name, issues, error)) {
        bsp_model_file_close(file);
        return NULL;
    }
    return file;
}

bsp_model_file *bspi_model_file_open(bsp_bytes bytes, const char *name, bspi_heap *parent,
                                     bsp_issues *issues, bsp_error *error) {
    bsp_model_file *file = bspi_object_new(&parent->allocator, sizeof *file, error);
    if (file != NULL) {
        bspi_heap_init_under(&file->heap, parent, &parent->allocator);
    }
    return finish(file, bytes, name, issues, error);
}

static bsp_model_file *open_bytes(bsp_bytes bytes, const char *name,
                                  const bsp_model_open_options *options, bsp_error *error) {
    bsp_model_file *file = bspi_object_new(options->allocator, sizeof *file, error);
    if (file != NULL) {
        bspi_heap_init_for(&file->heap, BSP_PRODUCT_MODEL, bytes.size, options->budget,
                           options->allocator);
    }
    return finish(file, bytes, name, options->issues, error);
}

bsp_model_file *bsp_model_file_open_memory(bsp_bytes bytes, const char *name,
                                           const bsp_model_open_options *options,
                                           bsp_error *error) {
    assert(name != NULL);
    bsp_model_open_options taken;
    return BSPI_TAKE_OPTIONS(taken, options, error) ? open_bytes(bytes, name, &taken, error) : NULL;
}

bsp_model_file *bsp_model_file_open(const char *path, const bsp_model_open_options *options,
                                    bsp_error *error) {
    assert(path != NULL);
    bsp_model_open_options taken;
    bspi_mapping mapping;
    bspi_heap heap;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, taken.budget, taken.allocator);
    if (!bspi_open_file(path, true, &heap, &mapping, error)) {
        return NULL;
    }
    bsp_model_file *file = open_bytes(mapping.bytes, path, &taken, error);
    if (file == NULL || !bspi_mapping_move(&mapping, &file->heap, error)) {
        bsp_model_file_close(file);
        bspi_unmap_file(&mapping);
        return NULL;
    }
    file->mapping = mapping;
    return file;
}

void bsp_model_file_close(bsp_model_file *file) {
    if (file == NULL) {
        return;
    }
    bspi_rows_free(file);
    bspi_heap_free(&file->heap, file->name, file->name_size);
    if (file->mapping.bytes.data != NULL) {
        bspi_unmap_file(&file->mapping);
    }
    bspi_object_free(file, sizeof *file, &file->heap.allocator);
}

const bsp_model_file_info *bsp_model_file_get_info(const bsp_model_file *file) {
    assert(file != NULL);
    return &file->info;
}

const bsp_parts *bsp_model_file_parts(const bsp_model_file *file) {
    assert(file != NULL);
    return &file->parts;
}

bool bsp_model_dump_part_json(const bsp_model_file *file, uint32_t part, bsp_json *json,
                              bsp_error *error) {
    assert(file != NULL && json != NULL);
    if (part >= file->parts.count) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no part %u", (unsigned)part);
    }
    bspi_dump_part((bspi_heap *)(uintptr_t)&file->heap, &file->parts, part, json);
    return true;
}
