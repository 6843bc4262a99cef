// SPDX-License-Identifier: MIT
// The search path: an index from names, in lower case, to bytes in archives or files in folders.
// Names are only looked up in the index: a file that was not listed when its folder was added
// cannot be reached, whatever name a map gives to its textures.
#include "asset/archive/search.h"

#include "core/options.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

#define MAX_FILES ((size_t)1 << 22)

struct bspi_mapping_list {
    bspi_opened opened;
    bspi_mapping_list *next;
};

// --- the index ----------------------------------------------------------------------------------

// Returns the slot that holds the name, or the empty one where it belongs.
static uint32_t *slot_of(const bsp_search *search, bsp_text name) {
    size_t mask = search->num_slots - 1;
    size_t slot = bspi_text_hash_nocase(name) & mask;
    while (search->slots[slot] != BSP_NONE &&
           !bspi_text_equal_nocase(search->assets[search->slots[slot]].name, name)) {
        slot = (slot + 1) & mask;
    }
    return &search->slots[slot];
}

static void fill_slots(bsp_search *search) {
    memset(search->slots, 0xFF, search->num_slots * sizeof *search->slots);
    for (size_t i = 0; i < search->count; i++) {
        *slot_of(search, search->assets[i].name) = (uint32_t)i;
    }
}

static void free_index(bsp_search *search) {
    bspi_heap_free(&search->heap, search->assets, search->room * sizeof *search->assets);
    bspi_heap_free(&search->heap, search->items, search->room * sizeof *search->items);
    bspi_heap_free(&search->heap, search->slots, search->num_slots * sizeof *search->slots);
}

// Makes room for one more file by doubling all arrays.
static bool make_room(bsp_search *search, bsp_error *error) {
    if (search->count < search->room) {
        return true;
    }
    if (search->count >= MAX_FILES) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "more than %zu files", MAX_FILES);
    }
    size_t room = search->room == 0 ? 64 : search->room * 2;
    bsp_asset *assets = bspi_heap_alloc(&search->heap, room * sizeof *assets, error);
    bspi_item *items = bspi_heap_alloc(&search->heap, room * sizeof *items, error);
    uint32_t *slots = bspi_heap_alloc(&search->heap, 2 * room * sizeof *slots, error);
    if (assets == NULL || items == NULL || slots == NULL) {
        bspi_heap_free(&search->heap, assets, room * sizeof *assets);
        bspi_heap_free(&search->heap, items, room * sizeof *items);
        bspi_heap_free(&search->heap, slots, 2 * room * sizeof *slots);
        return false;
    }
    if (search->count != 0) {
        memcpy(assets, search->assets, search->count * sizeof *assets);
        memcpy(items, search->items, search->count * sizeof *items);
    }
    free_index(search);
    search->assets = assets;
    search->items = items;
    search->slots = slots;
    search->room = room;
    search->num_slots = 2 * room;
    fill_slots(search);
    return true;
}

bool bspi_search_put(const bspi_archive *archive, bsp_text name, const bspi_item *item,
                     uint64_t size) {
    bsp_search *search = archive->search;
    char clean[BSPI_NAME_ROOM];
    if (!bspi_clean_name(name, clean)) {
        return true;
    }
    if (!make_room(search, archive->error)) {
        return false;
    }
    bsp_text text = bsp_text_of(clean);
    uint32_t *slot = slot_of(search, text);
    if (*slot != BSP_NONE) {
        return true;
    }
    text.data = bspi_arena_text(&search->arena, text, archive->error);
    if (text.data == NULL) {
        return false;
    }
    search->assets[search->count] = (bsp_asset){text, archive->source, size};
    search->items[search->count] = *item;
    *slot = (uint32_t)search->count++;
    return true;
}

void bspi_archive_issue(const bspi_archive *archive, uint32_t record, uint64_t offset,
                        const char *what) {
    bspi_issue(archive->search->issues, BSPI_ISSUE_ARCHIVE_ENTRY,
               bsp_place_at("", record, NULL, offset), "%.*s: %s", (int)archive->source.size,
               archive->source.data, what);
}

// --- creating and freeing ------------------------------------------------------------------------

bsp_search *bsp_search_new(const bsp_search_options *options, bsp_error *error) {
    bsp_search_options o;
    if (!BSPI_TAKE_OPTIONS(o, options, error)) {
        return NULL;
    }
    bsp_search *search = bspi_object_new(o.allocator, sizeof *search, error);
    if (search == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&search->heap, BSP_PRODUCT_SEARCH, 0, o.budget, o.allocator);
    bspi_arena_init(&search->arena, &search->heap);
    search->allocator = search->heap.allocator;
    search->file_limit = o.file_limit == 0 ? SIZE_MAX : o.file_limit;
    search->issues = o.issues;
    search->opening = o.opening;
    search->opening_user = o.opening_user;
    search->disk = o.disk;
    if (o.disk != NULL && !bspi_disk_begin(search, error)) {
        bsp_search_free(search);
        return NULL;
    }
    return search;
}

void bsp_search_free(bsp_search *search) {
    if (search == NULL) {
        return;
    }
    for (bspi_mapping_list *m = search->mappings; m != NULL; m = m->next) {
        bspi_search_close(search, &m->opened);
    }
    free_index(search);
    bspi_arena_free(&search->arena);
    bspi_object_free(search, sizeof *search, &search->allocator);
}

bool bspi_search_map(bsp_search *search, const char *path, bsp_bytes *bytes, bsp_error *error) {
    bspi_mapping_list *m = bspi_arena_raw(&search->arena, 1, sizeof *m, error);
    if (m == NULL || !bspi_search_open(search, path, &m->opened, error)) {
        return false;
    }
    m->next = search->mappings;
    search->mappings = m;
    *bytes = m->opened.mapping.bytes;
    return true;
}

// --- reading ------------------------------------------------------------------------------------

const bsp_asset *bsp_search_list(const bsp_search *search, size_t *count) {
    assert(search != NULL && count != NULL);
    *count = search->count;
    return search->assets;
}

size_t bspi_search_at(const bsp_search *search, bsp_text name) {
    char clean[BSPI_NAME_ROOM];
    bool rooted = name.size != 0 && (name.data[0] == '/' || name.data[0] == '\\');
    if (search->count == 0 || rooted || !bspi_clean_name(name, clean)) {
        return SIZE_MAX;
    }
    uint32_t at = *slot_of(search, bsp_text_of(clean));
    return at == BSP_NONE ? SIZE_MAX : at;
}

const bsp_asset *bsp_search_find(const bsp_search *search, bsp_text name) {
    assert(search != NULL);
    size_t at = bspi_search_at(search, name);
    if (at == SIZE_MAX) {
        return search->next == NULL ? NULL : bsp_search_find(search->next, name);
    }
    return &search->assets[at];
}
