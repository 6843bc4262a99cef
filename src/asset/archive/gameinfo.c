// SPDX-License-Identifier: MIT
// A game folder, with the search path that its gameinfo.txt states if it has one (Source): folders
// and archives below the folder itself or its parent, in their order. Format: KeyValues, GameInfo >
// FileSystem > SearchPaths; meaning: the Source SDK 2013's filesystem_init.
#include "asset/archive/search.h"

#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_ROOM 4096u
#define MOST_PATHS 256u

typedef struct game_paths {
    bsp_search *search;
    const char *folder;     // with gameinfo.txt
    char parent[PATH_ROOM]; // of it
    bsp_text name;          // its last part; empty if it has none
    char *added[MOST_PATHS];
    size_t count;
    bool own; // the folder itself is among them
    bspi_arena arena;
    bsp_error *error;
} game_paths;

// --- names --------------------------------------------------------------------------------------

// Finds the parent, and the name of the folder in it.
static bool split(game_paths *g) {
    bsp_text path = bsp_text_of(g->folder);
    while (path.size > 1 && path.data[path.size - 1] == '/') {
        path.size--;
    }
    bsp_text name = bspi_text_last_part(path);
    bool plain = name.size != 0 && !bspi_text_is(name, ".") && !bspi_text_is(name, "..");
    size_t before = path.size - name.size;
    g->name = plain ? name : (bsp_text){NULL, 0};
    int size = !plain ? snprintf(g->parent, sizeof g->parent, "%.*s/..", (int)path.size, path.data)
               : before == 0
                   ? snprintf(g->parent, sizeof g->parent, ".")
                   : snprintf(g->parent, sizeof g->parent, "%.*s", (int)before, path.data);
    return size > 0 && (size_t)size < sizeof g->parent;
}

static bool begins(bsp_text *value, const char *token) {
    bool is = bspi_text_begins_nocase(*value, token);
    if (is) {
        value->data += strlen(token);
        value->size -= strlen(token);
    }
    return is;
}

// Returns true if a key such as "game+mod" is for files that maps use.
static bool is_for_files(bsp_text key) {
    static const char *const uses[] = {"game", "mod", "platform"};
    size_t start = 0;
    for (size_t i = 0; i <= key.size; i++) {
        if (i < key.size && key.data[i] != '+') {
            continue;
        }
        for (size_t u = 0; u < sizeof uses / sizeof *uses; u++) {
            if (bspi_text_is((bsp_text){key.data + start, i - start}, uses[u])) {
                return true;
            }
        }
        start = i + 1;
    }
    return false;
}

// --- adding -------------------------------------------------------------------------------------

static bool is_there(const bsp_search *search, const char *path, bool *folder);

// Adds a folder or an archive, once; one that is not there, or cannot be read, is left out.
static bool add_path(game_paths *g, const char *path) {
    bool folder;
    for (size_t i = 0; i < g->count; i++) {
        if (strcmp(g->added[i], path) == 0) {
            return true;
        }
    }
    char *copy = bspi_arena_text(&g->arena, bsp_text_of(path), g->error);
    if (copy == NULL || g->count == MOST_PATHS || !is_there(g->search, path, &folder)) {
        return copy != NULL;
    }
    g->added[g->count++] = copy;
    bsp_error why = {0};
    bool done = folder ? bspi_search_add_folder(g->search, path, &why)
                       : bsp_search_add(g->search, path, &why);
    if (!done && bspi_out_of_memory(&why, g->error)) {
        return false;
    }
    if (!done) {
        const bspi_archive archive = {g->search, {NULL, 0}, bsp_text_of(copy), copy, g->error};
        bspi_archive_issue(&archive, BSP_NONE, UINT64_MAX, why.message);
    }
    return true;
}

static bool note(void *user, const bspi_folder_entry *entry) {
    (void)entry;
    *(bool *)user = true;
    return false;
}

static bool is_there(const bsp_search *search, const char *path, bool *folder) {
    bool any = false;
    *folder = bspi_search_list(search, path, true, note, &any, NULL);
    return *folder || bspi_search_is_file(search, path);
}

// The entries of a folder that "custom/*" stands for.
typedef struct entries {
    game_paths *game;
    const char **names;
    size_t count;
    bool failed;
} entries;

static bool visit(void *user, const bspi_folder_entry *entry) {
    entries *e = user;
    if ((!entry->folder && !bspi_text_ends_nocase(bsp_text_of(entry->name), ".vpk")) ||
        e->count == MOST_PATHS || entry->name[0] == '.') {
        return true;
    }
    e->names[e->count] = bspi_arena_text(&e->game->arena, bsp_text_of(entry->name), e->game->error);
    e->failed = e->names[e->count] == NULL;
    e->count++;
    return !e->failed;
}

static int compare(const void *a, const void *b) {
    return bspi_text_compare_nocase(bsp_text_of(*(const char *const *)a),
                                    bsp_text_of(*(const char *const *)b));
}

static bool add_all_in(game_paths *g, const char *folder) {
    entries e = {.game = g};
    e.names = bspi_arena_zero(&g->arena, MOST_PATHS, sizeof *e.names, g->error);
    if (e.names == NULL) {
        return false;
    }
    (void)bspi_search_list(g->search, folder, true, visit, &e, NULL);
    if (e.count > 1) {
        qsort((void *)e.names, e.count, sizeof *e.names, compare);
    }
    bool done = !e.failed;
    for (size_t i = 0; done && i < e.count; i++) {
        char path[PATH_ROOM];
        int size = snprintf(path, sizeof path, "%s/%s", folder, e.names[i]);
        done = size < 0 || (size_t)size >= sizeof path || add_path(g, path);
    }
    return done;
}

// An archive is named without the "_dir" of its file.
static bool add_vpk(game_paths *g, const char *path) {
    char directory[PATH_ROOM];
    bool folder;
    bsp_text stem = bsp_text_of(path);
    if (is_there(g->search, path, &folder)) {
        return add_path(g, path);
    }
    (void)bspi_text_cut_end(&stem, ".vpk");
    int size = snprintf(directory, sizeof directory, "%.*s_dir.vpk", (int)stem.size, stem.data);
    return size < 0 || (size_t)size >= sizeof directory || add_path(g, directory);
}

// Adds what one line of the search path names. What would lead out of the parent is not followed.
static bool add_value(game_paths *g, bsp_text value) {
    char clean[BSPI_NAME_ROOM] = "";
    char path[PATH_ROOM];
    bool own = begins(&value, "|gameinfo_path|");
    (void)(own || begins(&value, "|all_source_engine_paths|"));
    bool all = value.size >= 1 && value.data[value.size - 1] == '*';
    value.size -= all ? 1 : 0;
    bool here = value.size == 0 || bspi_text_is(value, ".") || bspi_text_is(value, "./") ||
                bspi_text_is(value, "/");
    bool rooted =
        value.size > 1 && (value.data[0] == '/' || value.data[0] == '\\' || value.data[1] == ':');
    if (!here && ((rooted && !own) || !bspi_clean_name(value, clean))) {
        const bspi_archive archive = {g->search, {NULL, 0}, bsp_text_of(g->folder), NULL, g->error};
        bspi_archive_issue(&archive, BSP_NONE, UINT64_MAX,
                           "gameinfo.txt names a folder outside of the game's");
        return true;
    }
    own = own || (!here && bspi_text_equal_nocase(bsp_text_of(clean), g->name));
    here = here || (own && bspi_text_equal_nocase(bsp_text_of(clean), g->name));
    int size = here ? snprintf(path, sizeof path, "%s", own ? g->folder : g->parent)
                    : snprintf(path, sizeof path, "%s/%s", own ? g->folder : g->parent, clean);
    if (size < 0 || (size_t)size >= sizeof path) {
        return true;
    }
    g->own = g->own || (own && here && !all);
    return all                                                ? add_all_in(g, path)
           : bspi_text_ends_nocase(bsp_text_of(path), ".vpk") ? add_vpk(g, path)
                                                              : add_path(g, path);
}

static bool add_paths(game_paths *g, bsp_text text) {
    const bsp_text_options options = {.name = "gameinfo.txt",
                                      .allocator = &g->search->heap.allocator};
    bsp_key_values *values = bsp_key_values_parse(text, &options, g->error);
    uint32_t end = 0;
    bool done = values != NULL;
    for (uint32_t i = 0; done && i < values->count; i++) {
        const bsp_key_value *pair = &values->list[i];
        if (pair->block && bspi_text_is(pair->key, "SearchPaths")) {
            end = pair->end;
        } else if (!pair->block && i < end && is_for_files(pair->key)) {
            done = add_value(g, pair->value);
        }
    }
    bsp_key_values_free(values);
    return done && (g->own || add_path(g, g->folder));
}

// --- the folder ---------------------------------------------------------------------------------

typedef struct finding {
    char name[64];
} finding;

static bool find(void *user, const bspi_folder_entry *entry) {
    finding *found = user;
    bool is = !entry->folder && bspi_text_is(bsp_text_of(entry->name), "gameinfo.txt");
    if (is) {
        snprintf(found->name, sizeof found->name, "%s", entry->name);
    }
    return !is;
}

static bool add_with(bsp_search *search, const char *folder, const char *path, bsp_error *error) {
    game_paths *g = bspi_arena_zero(&search->arena, 1, sizeof *g, error);
    bspi_opened opened;
    if (g == NULL || !bspi_search_open(search, path, &opened, error)) {
        return false;
    }
    *g = (game_paths){.search = search, .folder = folder, .error = error};
    bspi_arena_init(&g->arena, &search->heap);
    bsp_text text = {(const char *)opened.mapping.bytes.data, opened.mapping.bytes.size};
    bool done = split(g) && add_paths(g, text);
    bspi_arena_free(&g->arena);
    bspi_search_close(search, &opened);
    return done;
}

bool bsp_search_add_game(bsp_search *search, const char *folder, bsp_error *error) {
    assert(search != NULL && folder != NULL);
    char path[PATH_ROOM];
    finding found = {""};
    (void)bspi_search_list(search, folder, true, find, &found, NULL);
    int size = snprintf(path, sizeof path, "%s/%s", folder, found.name);
    bool states = found.name[0] != '\0' && size > 0 && (size_t)size < sizeof path;
    return states ? add_with(search, folder, path, error)
                  : bspi_search_add_folder(search, folder, error);
}
