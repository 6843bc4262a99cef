// SPDX-License-Identifier: MIT
// Files beside a map that hold some of its lumps. Respawn's tools write most lumps to
// NAME.bsp.0018.bsp_lump (the number of the lump in hexadecimal; .bsp_lump.client is for the client
// only) and entities to NAME_env.ent and four more, which begin with a line of their own. Source:
// sheet source-versions (8) and the notes of bsp_tool.
#include "records/external.h"
#include "records/file.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME 256u
#define MAX_FIRST_LINE 128u

static const char *const ent_names[] = {"env", "fx", "script", "snd", "spawn"};
#define NUM_ENT ((uint32_t)(sizeof ent_names / sizeof *ent_names))

static const char lump_suffix[] = ".bsp_lump";
static const char client_suffix[] = ".bsp_lump.client";

// A search for one file per lump of the directory, and one per .ent file.
typedef struct finder {
    bsp_file *file;
    uint32_t num_slots;
    const char **names;     // of the file in each slot, or NULL
    const bsp_bytes *bytes; // of the file being examined
    bsp_bytes *contents;    // from memory: of the file in each slot
    bsp_text map;           // from disk: the name of the map, with which the other names begin
    bool map_files;         // map the files; else read them
    bsp_error *error;
    bool failed;
} finder;

static bool ends_in(bsp_text name, const char *end) {
    size_t size = strlen(end);
    return name.size >= size && memcmp(name.data + name.size - size, end, size) == 0;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Reads the number before a suffix: ".0018". `name` becomes what precedes the number, with its dot.
static bool read_number(bsp_text *name, uint32_t *number) {
    if (name->size < 5 || name->data[name->size - 5] != '.') {
        return false;
    }
    *number = 0;
    for (size_t i = name->size - 4; i < name->size; i++) {
        int digit = hex_digit(name->data[i]);
        if (digit < 0) {
            return false;
        }
        *number = *number * 16 + (uint32_t)digit;
    }
    name->size -= 5;
    return true;
}

static bool is_client(bsp_text name) {
    return ends_in(name, client_suffix);
}

// Finds the slot of a file by its name; at least num_slots if the branch has no such file. `*map`
// receives what precedes: the name of the map, for .ent files without its extension.
static bool read_name(const finder *f, bsp_text name, uint32_t *slot, bsp_text *map) {
    uint32_t num_lumps = f->num_slots - NUM_ENT;
    *map = name;
    for (uint32_t i = 0; i < NUM_ENT; i++) {
        char suffix[16];
        snprintf(suffix, sizeof suffix, "_%s.ent", ent_names[i]);
        if (ends_in(name, suffix)) {
            *slot = num_lumps + i;
            map->size -= strlen(suffix);
            return true;
        }
    }
    const char *suffix = is_client(name) ? client_suffix : lump_suffix;
    if (!ends_in(name, suffix)) {
        return false;
    }
    map->size -= strlen(suffix);
    if (!read_number(map, slot)) {
        return false;
    }
    *slot = *slot < num_lumps ? *slot : f->num_slots;
    return true;
}

static bool is_of_map(const finder *f, bsp_text map, uint32_t slot) {
    bsp_text own = f->map;
    bool stem = slot >= f->num_slots - NUM_ENT && slot < f->num_slots;
    if (stem && ends_in(own, ".bsp")) {
        own.size -= 4;
    }
    return own.data == NULL || bsp_text_equal(own, map);
}

// Returns true if this file of two for the same lump is the one to use: not the one for the client
// only, else the first by name.
static bool is_better(const char *name, const char *than) {
    bool client = is_client(bsp_text_of(name));
    bool other = is_client(bsp_text_of(than));
    return client != other ? other : strcmp(name, than) < 0;
}

// Keeps the name of a file that is left out, the first by name, since folders have no order.
static void ignore(finder *f, const char *name) {
    char *known = f->file->ignored;
    if (known[0] == '\0' || strcmp(name, known) < 0) {
        snprintf(known, MAX_NAME, "%s", name);
    }
    f->file->num_ignored++;
}

static void take(finder *f, const char *name) {
    uint32_t slot;
    bsp_text map;
    if (strlen(name) >= MAX_NAME || !read_name(f, bsp_text_of(name), &slot, &map) ||
        !is_of_map(f, map, slot)) {
        return;
    }
    if (slot >= f->num_slots) {
        ignore(f, name);
        return;
    }
    const char *before = f->names[slot];
    if (before != NULL) {
        bool better = is_better(name, before);
        ignore(f, better ? before : name);
        if (!better) {
            return;
        }
    }
    f->names[slot] = bspi_arena_text(&f->file->arena, bsp_text_of(name), f->error);
    f->failed = f->failed || f->names[slot] == NULL;
    if (f->bytes != NULL) {
        f->contents[slot] = *f->bytes;
    }
}

// --- finding the files ---------------------------------------------------------------------------

static bool visit(void *user, const bspi_folder_entry *entry) {
    finder *f = user;
    if (!entry->folder) {
        take(f, entry->name);
    }
    return !f->failed;
}

static void find_given(finder *f, const bsp_open_options *options) {
    for (uint32_t i = 0; i < options->num_external && !f->failed; i++) {
        f->bytes = &options->external[i].bytes;
        take(f, options->external[i].name);
    }
}

// If the folder cannot be read there are no files beside the map; the map itself was read.
static void find_beside(finder *f, const char *path, bsp_text *folder) {
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    *folder = (bsp_text){path, size};
    f->map = bsp_text_of(path + size);
    bsp_text shown = size == 0 ? bsp_text_of(".") : *folder;
    char *text = bspi_arena_text(&f->file->arena, shown, f->error);
    f->failed = text == NULL || (!bspi_list_folder(text, true, visit, f, NULL) && f->failed);
}

static bool open_one(finder *f, bsp_text folder, bsp_external *out, bspi_mapping *mapping) {
    size_t name_size = strlen(out->name);
    char *path = bspi_arena_raw(&f->file->arena, folder.size + name_size + 1, 1, f->error);
    if (path == NULL) {
        return false;
    }
    memcpy(path, folder.data, folder.size);
    memcpy(path + folder.size, out->name, name_size + 1);
    bsp_error local = {0};
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_STREAM, 0, f->file->heap.budget,
                       &f->file->heap.allocator);
    if (!bspi_open_file(path, f->map_files, &heap, mapping, &local)) {
        return bsp_fail(f->error, local.code, NULL, "%s", local.message);
    }
    bspi_file_grow(f->file, mapping->bytes.size);
    out->bytes = mapping->bytes;
    if (!bspi_mapping_move(mapping, &f->file->heap, f->error)) {
        bspi_unmap_file(mapping);
        return false;
    }
    return true;
}

// Turns the slots that have a file into the list.
static bool list_files(finder *f, bsp_text folder, bool mapped) {
    bsp_file *file = f->file;
    bsp_external *list = bspi_arena_zero(&file->arena, f->num_slots, sizeof *list, f->error);
    uint32_t *slots = bspi_arena_zero(&file->arena, f->num_slots, sizeof *slots, f->error);
    bspi_mapping *maps =
        mapped ? bspi_arena_zero(&file->arena, f->num_slots, sizeof *maps, f->error) : NULL;
    if (list == NULL || slots == NULL || (mapped && maps == NULL)) {
        return false;
    }
    file->info.external = list;
    file->external = maps;
    file->external_slots = slots;
    for (uint32_t slot = 0; slot < f->num_slots; slot++) {
        slots[slot] = BSP_NONE;
        if (f->names[slot] == NULL) {
            continue;
        }
        uint32_t n = file->info.num_external;
        list[n] = (bsp_external){f->names[slot], f->contents[slot]};
        if (mapped && !open_one(f, folder, &list[n], &maps[n])) {
            return false;
        }
        if (!mapped) {
            bspi_file_grow(file, list[n].bytes.size);
        }
        slots[slot] = n;
        file->info.num_external++;
        if (list[n].bytes.size > UINT32_MAX) {
            return bsp_fail(f->error, BSP_E_LIMIT, NULL, "%s: more than 4 GiB", list[n].name);
        }
    }
    return true;
}

bool bspi_external_open(bsp_file *file, const char *path, const bsp_open_options *options,
                        bsp_error *error) {
    const bsp_branch *branch = file->info.detection.branch;
    bool given = options->num_external != 0;
    bool beside = path != NULL && strcmp(path, "-") != 0 && !given && !options->no_external;
    if (!bsp_branch_traits(branch)->external || !(beside || given)) {
        return true;
    }
    finder f = {.file = file,
                .num_slots = bsp_branch_shape(branch)->num_lumps + NUM_ENT,
                .map_files = !options->read,
                .error = error};
    bsp_text folder = {NULL, 0};
    f.names = bspi_arena_zero(&file->arena, f.num_slots, sizeof *f.names, error);
    f.contents = bspi_arena_zero(&file->arena, f.num_slots, sizeof *f.contents, error);
    file->ignored = bspi_arena_zero(&file->arena, MAX_NAME, 1, error);
    if (f.names == NULL || f.contents == NULL || file->ignored == NULL) {
        return false;
    }
    if (beside) {
        find_beside(&f, path, &folder);
    } else {
        find_given(&f, options);
    }
    return !f.failed && list_files(&f, folder, beside);
}

void bspi_external_close(bsp_file *file) {
    for (uint32_t i = 0; file->external != NULL && i < file->info.num_external; i++) {
        bspi_unmap_file(&file->external[i]);
    }
}

// --- contents of the files -----------------------------------------------------------------------

uint32_t bspi_external_find(const bsp_file *file, uint32_t lump) {
    return file->external_slots == NULL ? BSP_NONE : file->external_slots[lump];
}

void bspi_external_issues(const bsp_file *file, bsp_issues *issues) {
    if (file->num_ignored != 0) {
        bspi_issue(issues, BSPI_ISSUE_EXTERNAL_IGNORED, bsp_place_at(NULL, BSP_NONE, NULL, 0),
                   "%s%s", file->ignored, file->num_ignored > 1 ? " and others" : "");
    }
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        if (lump->external != BSP_NONE && lump->size != lump->stated_size) {
            bspi_issue(issues, BSPI_ISSUE_EXTERNAL_SIZE,
                       bsp_place_at(lump->name, BSP_NONE, NULL, 0),
                       "%s has %llu bytes, and the directory says %llu",
                       file->info.external[lump->external].name, (unsigned long long)lump->size,
                       (unsigned long long)lump->stated_size);
        }
    }
}

// Returns the size of the first line, which says what the file is ("ENTITIES01", "ENTITIES02
// num_models=3").
static size_t first_line(bsp_bytes bytes) {
    static const char mark[] = "ENTITIES";
    size_t size = bytes.size < MAX_FIRST_LINE ? bytes.size : MAX_FIRST_LINE;
    if (size < sizeof mark - 1 || memcmp(bytes.data, mark, sizeof mark - 1) != 0) {
        return 0;
    }
    const uint8_t *end = memchr(bytes.data, '\n', size);
    return end == NULL ? 0 : (size_t)(end - bytes.data) + 1;
}

uint32_t bspi_external_entities(const bsp_file *file, bsp_lump *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; file->external_slots != NULL && i < NUM_ENT; i++) {
        uint32_t n = file->external_slots[file->info.num_directory_lumps + i];
        if (n == BSP_NONE) {
            continue;
        }
        if (out != NULL) {
            bsp_bytes bytes = file->info.external[n].bytes;
            bsp_lump *lump = &out[count];
            snprintf(lump->name, sizeof lump->name, "ent:%s", ent_names[i]);
            lump->place = BSP_IN_ENT_FILE;
            lump->index = i;
            lump->kind = BSP_KIND_ENTITIES;
            lump->offset = first_line(bytes);
            lump->size = lump->stated_size = bytes.size - lump->offset;
            lump->unpacked_size = (uint32_t)lump->size;
            lump->external = n;
        }
        count++;
    }
    return count;
}

// Returns the text of a lump without the NULs at its end.
static bsp_text text_of(const bsp_file *file, const bsp_lump *lump) {
    bsp_bytes bytes = bspi_lump_stored(file, lump);
    while (bytes.size != 0 && bytes.data[bytes.size - 1] == '\0') {
        bytes.size--;
    }
    return (bsp_text){(const char *)bytes.data, bytes.size};
}

static bool is_entities(const bsp_lump *lump) {
    return lump->kind == BSP_KIND_ENTITIES && !lump->compressed;
}

bool bspi_external_join(bsp_file *file, bsp_error *error) {
    size_t size = 1;
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        size += is_entities(&file->lumps[i]) ? text_of(file, &file->lumps[i]).size + 1 : 0;
    }
    char *joined = bspi_arena_raw(&file->arena, size, 1, error);
    if (joined == NULL) {
        return false;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        if (is_entities(&file->lumps[i])) {
            bsp_text text = text_of(file, &file->lumps[i]);
            if (text.size != 0) {
                memcpy(joined + at, text.data, text.size);
            }
            at += text.size;
            joined[at++] = '\n';
        }
    }
    joined[at++] = '\0';
    file->entities = (bsp_text){joined, at};
    return true;
}
