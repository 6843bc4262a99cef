// SPDX-License-Identifier: MIT
// Folders of a search path: all files below one, and the archives of a game folder in the order in
// which its engine searches them.
#include "asset/archive/search.h"

#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 24
#define MAX_NAMES ((size_t)1 << 20)

// --- a list of names ----------------------------------------------------------------------------

typedef struct file_name {
    const char *name; // relative to the folder that was added
    uint64_t size;
    int rank;        // of an archive
    uint32_t number; // of a pakN.pak
} file_name;

typedef struct file_list {
    bspi_heap *heap;
    bspi_arena arena;
    file_name *files;
    size_t count;
    size_t room;
    bsp_error *error;
    bool failed;
} file_list;

static void list_begin(file_list *list, bspi_heap *heap, bsp_error *error) {
    *list = (file_list){.heap = heap, .error = error};
    bspi_arena_init(&list->arena, heap);
}

static void list_end(file_list *list) {
    bspi_heap_free(list->heap, list->files, list->room * sizeof *list->files);
    bspi_arena_free(&list->arena);
}

static bool list_grow(file_list *list) {
    if (list->count >= MAX_NAMES) {
        return bsp_fail(list->error, BSP_E_LIMIT, NULL, "a folder with more than %zu files",
                        MAX_NAMES);
    }
    file_name *files =
        bspi_grow(list->heap, list->files, list->count, &list->room, sizeof *files, list->error);
    list->files = files == NULL ? list->files : files;
    return files != NULL;
}

static file_name *list_add(file_list *list, const char *name, uint64_t size) {
    const char *copy = NULL;
    if (list_grow(list)) {
        copy = bspi_arena_text(&list->arena, bsp_text_of(name), list->error);
    }
    if (copy == NULL) {
        list->failed = true;
        return NULL;
    }
    list->files[list->count] = (file_name){.name = copy, .size = size};
    return &list->files[list->count++];
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const file_name *)a)->name, ((const file_name *)b)->name);
}

// --- all files below a folder --------------------------------------------------------------------

typedef struct walk {
    const bsp_search *search;
    file_list *list;
    const char *root;
    char below[BSPI_NAME_ROOM]; // folder relative to the root, with a final '/', or ""
    int depth;
} walk;

static bool walk_folder(walk *w, bsp_error *error);

// Adds a file; one whose name is too long for a game is left out.
static bool visit_file(void *user, const bspi_folder_entry *entry) {
    walk *w = user;
    size_t before = strlen(w->below);
    size_t size = strlen(entry->name);
    if (before + size + 2 > sizeof w->below) {
        return true;
    }
    memcpy(w->below + before, entry->name, size + 1);
    if (!entry->folder) {
        (void)list_add(w->list, w->below, entry->size);
    } else if (w->depth < MAX_DEPTH) {
        memcpy(w->below + before + size, "/", 2);
        bsp_error why = {0};
        w->depth++;
        // A folder that may not be read is treated as empty.
        if (!walk_folder(w, &why) && bspi_out_of_memory(&why, w->list->error)) {
            w->list->failed = true;
        }
        w->depth--;
    }
    w->below[before] = '\0';
    return !w->list->failed;
}

static bool walk_folder(walk *w, bsp_error *error) {
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/%s", w->root, w->below);
    if (size < 0 || (size_t)size >= sizeof path) {
        return bsp_fail(error, BSP_E_IO, NULL, "the path is too long");
    }
    return bspi_search_list(w->search, path, false, visit_file, w, error);
}

static bool add_folder(bsp_search *search, const char *path, bsp_error *error) {
    file_list list;
    list_begin(&list, &search->heap, error);
    walk w = {.search = search, .list = &list, .root = path};
    bool done = walk_folder(&w, error) && !list.failed;
    const char *source = NULL;
    if (done) {
        source = bspi_arena_text(&search->arena, bsp_text_of(path), error);
        done = source != NULL;
    }
    if (done && list.count != 0) {
        qsort(list.files, list.count, sizeof *list.files, by_name);
    }
    bspi_archive archive = {search, {NULL, 0}, bsp_text_of(source), path, error};
    bspi_item item = {.storage = BSPI_LOOSE};
    for (size_t i = 0; done && i < list.count; i++) {
        done =
            bspi_search_put(&archive, bsp_text_of(list.files[i].name), &item, list.files[i].size);
    }
    list_end(&list);
    return done;
}

static bool visit_nothing(void *user, const bspi_folder_entry *entry) {
    (void)user;
    (void)entry;
    return false;
}

bool bsp_search_add(bsp_search *search, const char *path, bsp_error *error) {
    assert(search != NULL && path != NULL);
    if (bspi_search_list(search, path, true, visit_nothing, NULL, NULL)) {
        return add_folder(search, path, error);
    }
    const char *source = bspi_arena_text(&search->arena, bsp_text_of(path), error);
    bspi_archive archive = {search, {NULL, 0}, bsp_text_of(source), source, error};
    return source != NULL && bspi_search_map(search, path, &archive.bytes, error) &&
           bspi_add_archive(&archive);
}

// --- a game folder ------------------------------------------------------------------------------

// Returns true for a name as "pak12.pak", which gives 12.
static bool numbered_pak(bsp_text name, uint32_t *number) {
    bsp_text start = {name.data, 3};
    *number = 0;
    if (name.size < 8 || name.size > 12 || !bspi_text_equal_nocase(start, bsp_text_of("pak"))) {
        return false;
    }
    for (size_t i = 3; i < name.size - 4; i++) {
        if (name.data[i] < '0' || name.data[i] > '9') {
            return false;
        }
        *number = *number * 10 + (uint32_t)(name.data[i] - '0');
    }
    return true;
}

enum { RANK_ZIP = 1, RANK_NUMBERED, RANK_PAK, RANK_VPK, RANK_WAD };

static int rank_of(bsp_text name, uint32_t *number) {
    *number = 0;
    if (bspi_text_ends_nocase(name, ".pk3") || bspi_text_ends_nocase(name, ".pkz") ||
        bspi_text_ends_nocase(name, ".pk4")) {
        return RANK_ZIP;
    }
    if (bspi_text_ends_nocase(name, ".pak")) {
        return numbered_pak(name, number) ? RANK_NUMBERED : RANK_PAK;
    }
    return bspi_text_ends_nocase(name, "_dir.vpk") ? RANK_VPK
           : bspi_text_ends_nocase(name, ".wad")   ? RANK_WAD
                                                   : 0;
}

static bool visit_archive(void *user, const bspi_folder_entry *entry) {
    file_list *list = user;
    uint32_t number;
    int rank = entry->folder ? 0 : rank_of(bsp_text_of(entry->name), &number);
    if (rank != 0) {
        file_name *file = list_add(list, entry->name, entry->size);
        if (file != NULL) {
            file->rank = rank;
            file->number = number;
        }
    }
    return !list->failed;
}

static int compare_nocase(const char *a, const char *b) {
    for (; *a != '\0' && bspi_lower(*a) == bspi_lower(*b); a++, b++) {
    }
    return (int)(unsigned char)bspi_lower(*a) - (int)(unsigned char)bspi_lower(*b);
}

static int by_rank(const void *left, const void *right) {
    const file_name *a = left;
    const file_name *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number > b->number ? -1 : 1;
    }
    int order = compare_nocase(a->name, b->name);
    order = order != 0 ? order : strcmp(a->name, b->name);
    return a->rank <= RANK_PAK ? -order : order;
}

// Adds one archive. A bad one is reported and left out, unless memory ends.
static bool add_ranked(bsp_search *search, const char *folder, const char *name, bsp_error *error) {
    char path[4096];
    bsp_error why = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (bsp_search_add(search, path, &why)) {
        return true;
    }
    if (bspi_out_of_memory(&why, error)) {
        return false;
    }
    bspi_archive archive = {search, {NULL, 0}, bsp_text_of(path), path, error};
    bspi_archive_issue(&archive, BSP_NONE, UINT64_MAX, why.message);
    return true;
}

bool bspi_search_add_folder(bsp_search *search, const char *folder, bsp_error *error) {
    file_list list;
    list_begin(&list, &search->heap, error);
    bool done = bspi_search_list(search, folder, true, visit_archive, &list, error) &&
                !list.failed && add_folder(search, folder, error);
    if (done && list.count != 0) {
        qsort(list.files, list.count, sizeof *list.files, by_rank);
    }
    for (size_t i = 0; done && i < list.count; i++) {
        done = add_ranked(search, folder, list.files[i].name, error);
    }
    list_end(&list);
    return done;
}
