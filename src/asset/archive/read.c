// SPDX-License-Identifier: MIT
// Reads files of a search path from folders and archives.
#include "asset/archive/search.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Reads a file of a folder, which stays mapped while it is copied.
static bool read_loose(const bsp_search *search, const bsp_asset *asset, bspi_opened *opened,
                       bsp_error *error) {
    char path[4096];
    int size = snprintf(path, sizeof path, "%.*s/%.*s", (int)asset->source.size, asset->source.data,
                        (int)asset->name.size, asset->name.data);
    if (size < 0 || (size_t)size >= sizeof path) {
        return bsp_fail(error, BSP_E_IO, NULL, "the path is too long");
    }
    return bspi_search_open(search, path, opened, error);
}

static bool read_item(const bsp_search *search, const bspi_item *item, size_t size, bsp_blob *out,
                      bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init_under(&heap, (bspi_heap *)(uintptr_t)&search->heap, &search->allocator);
    out->data = bspi_heap_alloc(&heap, size, error);
    if (out->data == NULL) {
        return false;
    }
    bspi_heap_give(&heap, size);
    out->size = size;
    out->allocator = search->allocator;
    if (!bspi_unpack(item, out->data, size, &search->allocator, error)) {
        bsp_blob_free(out);
        return false;
    }
    return true;
}

bool bsp_search_read(const bsp_search *search, bsp_text name, bsp_blob *out, bsp_error *error) {
    assert(search != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    size_t at = bspi_search_at(search, name);
    if (at == SIZE_MAX) {
        return search->next != NULL ? bsp_search_read(search->next, name, out, error)
                                    : bsp_fail(error, BSP_E_ARGUMENT, NULL, "no file of that name");
    }
    const bsp_asset *asset = &search->assets[at];
    bspi_item item = search->items[at];
    if (asset->size > search->file_limit) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "%llu bytes pass the limit of %zu",
                        (unsigned long long)asset->size, search->file_limit);
    }
    if (item.storage != BSPI_LOOSE) {
        return read_item(search, &item, (size_t)asset->size, out, error);
    }
    bspi_opened opened;
    if (!read_loose(search, asset, &opened, error)) {
        return false;
    }
    item = (bspi_item){.storage = BSPI_STORED, .packed = opened.mapping.bytes};
    bool done = read_item(search, &item, opened.mapping.bytes.size, out, error);
    bspi_search_close(search, &opened);
    return done;
}
