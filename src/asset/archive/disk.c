// SPDX-License-Identifier: MIT
// Where the files of a search path come from: the disk, or the files of a program (bsp_disk). The
// latter are sorted by path, without case and with '/' before all other characters: what a folder
// holds is then a run, and so is what each folder in it holds.
#include "asset/archive/search.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

// --- the order ----------------------------------------------------------------------------------

static int weight(char c) {
    return c == '/' ? 1 : c == '\0' ? 0 : 2 + (int)(unsigned char)bspi_lower(c);
}

// Compares the first `size` characters at most.
static int compare(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        int difference = weight(a[i]) - weight(b[i]);
        if (difference != 0 || a[i] == '\0') {
            return difference;
        }
    }
    return 0;
}

typedef struct sorted {
    const char *path;
    uint32_t number;
} sorted;

static int by_path(const void *left, const void *right) {
    const sorted *a = left;
    const sorted *b = right;
    int order = compare(a->path, b->path, SIZE_MAX);
    return order != 0 ? order : a->number < b->number ? -1 : 1;
}

bool bspi_disk_begin(bsp_search *search, bsp_error *error) {
    size_t count = search->disk->count;
    if (count >= BSP_NONE) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "%zu files", count);
    }
    search->disk_order = bspi_arena_raw(&search->arena, count, sizeof *search->disk_order, error);
    sorted *files = bspi_heap_alloc(&search->heap, count * sizeof *files, error);
    bool done = search->disk_order != NULL && files != NULL;
    for (size_t i = 0; done && i < count; i++) {
        files[i] = (sorted){search->disk->files[i].path, (uint32_t)i};
    }
    if (done && count != 0) {
        qsort(files, count, sizeof *files, by_path);
    }
    for (size_t i = 0; done && i < count; i++) {
        search->disk_order[i] = files[i].number;
    }
    bspi_heap_free(&search->heap, files, count * sizeof *files);
    return done;
}

static const bsp_disk_file *file_at(const bsp_search *search, size_t place) {
    return &search->disk->files[search->disk_order[place]];
}

// Returns the first place whose path is not before `path`, of which `size` characters count.
static size_t first_from(const bsp_search *search, const char *path, size_t size) {
    size_t low = 0;
    size_t high = search->disk->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = compare(file_at(search, middle)->path, path, size) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

// Writes the path as the files have theirs: "" for the folder of all. Returns false for one that
// leads out of it.
static bool clean_path(const char *path, char out[BSPI_NAME_ROOM]) {
    bool root = strspn(path, "./") == strlen(path) && strstr(path, "..") == NULL;
    out[0] = '\0';
    return root || bspi_clean_name(bsp_text_of(path), out);
}

// Returns the number of the file of that path, or SIZE_MAX.
static size_t find(const bsp_search *search, const char *path) {
    char clean[BSPI_NAME_ROOM];
    if (!clean_path(path, clean)) {
        return SIZE_MAX;
    }
    size_t place = first_from(search, clean, SIZE_MAX);
    bool is =
        place < search->disk->count && compare(file_at(search, place)->path, clean, SIZE_MAX) == 0;
    return is ? search->disk_order[place] : SIZE_MAX;
}

// --- folders ------------------------------------------------------------------------------------

// Visits what lies between `place` and the end of the run of paths that begin with `folder`, which
// ends in '/' or is empty.
static bool visit_run(const bsp_search *search, const char *folder, bspi_folder_visit visit,
                      void *user) {
    size_t before = strlen(folder);
    bool any = before == 0;
    char last[BSPI_NAME_ROOM] = "";
    for (size_t place = first_from(search, folder, before); place < search->disk->count; place++) {
        const bsp_disk_file *file = file_at(search, place);
        if (compare(file->path, folder, before) != 0) {
            break;
        }
        char name[BSPI_NAME_ROOM];
        size_t size = strcspn(file->path + before, "/");
        bool is_folder = file->path[before + size] == '/';
        any = true;
        if (size == 0 || size >= sizeof name) {
            continue;
        }
        memcpy(name, file->path + before, size);
        name[size] = '\0';
        if (compare(name, last, SIZE_MAX) == 0) {
            continue; // the next file of the same folder, or of the same path
        }
        memcpy(last, name, size + 1);
        const bspi_folder_entry entry = {name, is_folder, is_folder ? 0 : file->size};
        if (!visit(user, &entry)) {
            break;
        }
    }
    return any;
}

bool bspi_search_list(const bsp_search *search, const char *path, bool links,
                      bspi_folder_visit visit, void *user, bsp_error *error) {
    if (search->disk == NULL) {
        return bspi_list_folder(path, links, visit, user, error);
    }
    char folder[BSPI_NAME_ROOM + 1];
    bool there = clean_path(path, folder);
    size_t size = there ? strlen(folder) : 0;
    if (size != 0) {
        memcpy(folder + size, "/", 2);
    }
    return (there && visit_run(search, folder, visit, user)) ||
           bsp_fail(error, BSP_E_NOT_FOUND, NULL, "%s: there is no such folder", path);
}

// --- files --------------------------------------------------------------------------------------

static bool open_own(const bsp_search *search, const char *path, bspi_opened *out,
                     bsp_error *error) {
    const bsp_disk *disk = search->disk;
    out->number = find(search, path);
    if (out->number == SIZE_MAX) {
        return bsp_fail(error, BSP_E_NOT_FOUND, NULL, "%s: there is no such file", path);
    }
    if (!disk->open(disk->user, out->number, &out->mapping.bytes)) {
        return bsp_fail(error, BSP_E_IO, NULL, "%s: it cannot be read", path);
    }
    return true;
}

bool bspi_search_open(const bsp_search *search, const char *path, bspi_opened *out,
                      bsp_error *error) {
    *out = (bspi_opened){.number = SIZE_MAX};
    if (search->opening != NULL) {
        search->opening(search->opening_user, path);
    }
    return search->disk != NULL ? open_own(search, path, out, error)
                                : bspi_open_file(path, true, (bspi_heap *)(uintptr_t)&search->heap,
                                                 &out->mapping, error);
}

void bspi_search_close(const bsp_search *search, bspi_opened *opened) {
    if (opened->number == SIZE_MAX) {
        bspi_unmap_file(&opened->mapping);
    } else if (search->disk->close != NULL) {
        search->disk->close(search->disk->user, opened->number, opened->mapping.bytes);
    }
}

bool bspi_search_is_file(const bsp_search *search, const char *path) {
    if (search->disk != NULL) {
        return find(search, path) != SIZE_MAX;
    }
    bspi_heap heap;
    bspi_mapping mapping;
    bspi_heap_init(&heap, NULL, SIZE_MAX);
    bool is = bspi_open_file(path, true, &heap, &mapping, NULL);
    if (is) {
        bspi_unmap_file(&mapping);
    }
    return is;
}
