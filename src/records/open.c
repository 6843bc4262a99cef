// SPDX-License-Identifier: MIT
// Opens and closes a file: its bytes, its branch, the files beside it, its directory.
#include "records/verified_ranges.h"

#include "core/options.h"
#include "formats/rules.h"
#include "pack/packed.h"
#include "records/directory.h"
#include "records/external.h"
#include "records/light_file.h"

#include <assert.h>
#include <string.h>

static bsp_file *new_file(const bsp_open_options *options, bsp_error *error) {
    bsp_file *file = bspi_object_new(options->allocator, sizeof *file, error);
    if (file != NULL) {
        bspi_heap_init_for(&file->heap, BSP_PRODUCT_FILE, 0, options->budget, options->allocator);
        bspi_arena_init(&file->arena, &file->heap);
    }
    return file;
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

// Makes the unscrambled copy that a scrambled file is read from.
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

// Opens a blob, which then belongs to the file; it is freed on failure too.
static bsp_file *open_blob(bsp_blob *blob, const char *path, const bsp_open_options *options,
                           bsp_error *error) {
    bsp_file *file = open_bytes((bsp_bytes){blob->data, blob->size}, path, options, error);
    if (file == NULL || !bspi_heap_charge(&file->heap, blob->size, error)) {
        bsp_file_close(file);
        bsp_blob_free(blob);
        return NULL;
    }
    file->blob = *blob;
    *blob = (bsp_blob){.data = NULL};
    return file;
}

// Opens what a program packed. The unpacked map counts as read into memory.
static bsp_file *open_packed(const char *by, bsp_bytes packed, const char *path,
                             const bsp_open_options *options, bsp_error *error) {
    bspi_heap heap;
    bsp_blob blob;
    bspi_heap_init_for(&heap, BSP_PRODUCT_FILE, packed.size, options->budget, options->allocator);
    bsp_file *file = bspi_unpack_file(packed, &heap, &blob, error)
                         ? open_blob(&blob, path, options, error)
                         : NULL;
    if (file != NULL) {
        file->info.packed_by = by;
    }
    return file;
}

bsp_file *bsp_file_open_memory(bsp_bytes bytes, const bsp_open_options *options, bsp_error *error) {
    bsp_open_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    const char *by = bspi_packed_by(bytes);
    return by != NULL ? open_packed(by, bytes, NULL, &taken, error)
                      : open_bytes(bytes, NULL, &taken, error);
}

bsp_file *bspi_file_open_blob(bsp_blob *blob, const bsp_open_options *options, bsp_error *error) {
    bsp_bytes bytes = {blob->data, blob->size};
    const char *by = bspi_packed_by(bytes);
    if (by == NULL) {
        return open_blob(blob, NULL, options, error);
    }
    bsp_file *file = open_packed(by, bytes, NULL, options, error);
    bsp_blob_free(blob);
    return file;
}

bsp_file *bsp_file_open(const char *path, const bsp_open_options *options, bsp_error *error) {
    assert(path != NULL);
    bsp_open_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    bspi_mapping mapping;
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, options->budget, options->allocator);
    if (!bspi_open_file(path, !options->read, &heap, &mapping, error)) {
        return NULL;
    }
    const char *by = bspi_packed_by(mapping.bytes);
    if (by != NULL) {
        bsp_file *unpacked = open_packed(by, mapping.bytes, path, options, error);
        bspi_unmap_file(&mapping);
        return unpacked;
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
    bspi_verified_free(file);
    bspi_external_close(file);
    bspi_light_file_close(file);
    bspi_arena_free(&file->arena);
    bspi_heap_discharge(&file->heap, file->blob.size);
    bsp_blob_free(&file->blob);
    if (file->mapping.bytes.data != NULL) {
        bspi_unmap_file(&file->mapping);
    }
    bspi_object_free(file, sizeof *file, &file->heap.allocator);
}
