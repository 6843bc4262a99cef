// SPDX-License-Identifier: MIT
// What belongs to the cubemaps of a map, by its name, and which of it is there. Names: sheet bake,
// 5.
#include "map/cubemap_names.h"

#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- lists --------------------------------------------------------------------------------------

struct bspi_cubemap_place {
    int32_t origin[3];
    uint32_t number;
};

struct bspi_cubemap_entry {
    bsp_text name;
    uint32_t number;
};

static int compare_origins(const int32_t a[3], const int32_t b[3]) {
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_places(const void *a, const void *b) {
    const bspi_cubemap_place *x = a;
    const bspi_cubemap_place *y = b;
    int order = compare_origins(x->origin, y->origin);
    return order != 0 ? order : x->number < y->number ? -1 : x->number > y->number;
}

static int compare_entries(const void *a, const void *b) {
    const bspi_cubemap_entry *x = a;
    const bspi_cubemap_entry *y = b;
    int order = bspi_text_compare_nocase(x->name, y->name);
    return order != 0 ? order : x->number < y->number ? -1 : x->number > y->number;
}

#define NAME_WORK 96u // steps that each name costs: to be sorted, and to be looked up

static void find_defaults(bspi_cubemap_names *names) {
    static const char *const endings[2] = {"/cubemapdefault.vtf", "/cubemapdefault.hdr.vtf"};
    for (uint32_t i = 0; i < names->pak->count; i++) {
        for (int kind = 0; kind < 2; kind++) {
            if (bspi_text_ends_nocase(names->pak->entries[i].name, endings[kind])) {
                names->defaults[kind] = i;
            }
        }
    }
}

bool bspi_cubemap_names_init(bspi_cubemap_names *names, const bsp_map *map, const bsp_pak *pak,
                             bspi_arena *arena, bsp_error *error) {
    uint64_t items = (uint64_t)map->num_cubemaps + map->num_materials + pak->count;
    bspi_cubemap_place *places = bspi_arena_raw(arena, map->num_cubemaps, sizeof *places, error);
    bspi_cubemap_entry *entries =
        places == NULL ? NULL : bspi_arena_raw(arena, pak->count, sizeof *entries, error);
    if (entries == NULL || !bspi_heap_work(arena->heap, items * NAME_WORK, error)) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        memcpy(places[i].origin, map->cubemaps[i].origin, sizeof places[i].origin);
        places[i].number = i;
    }
    for (uint32_t i = 0; i < pak->count; i++) {
        entries[i] = (bspi_cubemap_entry){pak->entries[i].name, i};
    }
    qsort(places, map->num_cubemaps, sizeof *places, compare_places);
    qsort(entries, pak->count, sizeof *entries, compare_entries);
    *names = (bspi_cubemap_names){map, pak, places, entries, {BSP_NONE, BSP_NONE}};
    find_defaults(names);
    return true;
}

static uint32_t cubemap_at(const bspi_cubemap_names *names, const int32_t origin[3]) {
    uint32_t first = 0;
    uint32_t end = names->map->num_cubemaps;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (compare_origins(names->places[middle].origin, origin) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    bool found = first < names->map->num_cubemaps &&
                 compare_origins(names->places[first].origin, origin) == 0;
    return found ? names->places[first].number : BSP_NONE;
}

uint32_t bspi_cubemap_first(const bspi_cubemap_names *names, uint32_t number) {
    return cubemap_at(names, names->map->cubemaps[number].origin);
}

// --- names --------------------------------------------------------------------------------------

#define MOST_NAME 512u

static const char in_materials[] = "materials/";
static const char in_maps[] = "maps/";

// Cuts "_X_Y_Z" from the end.
static bool cut_place(bsp_text *text, int32_t place[3]) {
    bsp_text rest = *text;
    for (int i = 3; i-- > 0;) {
        int64_t number;
        if (!bspi_text_cut_number(&rest, &number) || number < INT32_MIN || number > INT32_MAX) {
            return false;
        }
        place[i] = (int32_t)number;
    }
    *text = rest;
    return true;
}

static bsp_text cut_start(bsp_text text, size_t size) {
    return (bsp_text){text.data + size, text.size - size};
}

// Cuts "maps/NAME/" from the start.
static bool cut_folder(bsp_text *text, bsp_text *folder) {
    if (!bspi_text_begins_nocase(*text, in_maps)) {
        return false;
    }
    bsp_text rest = cut_start(*text, sizeof in_maps - 1);
    *folder = (bsp_text){rest.data, 0};
    while (folder->size < rest.size && rest.data[folder->size] != '/') {
        folder->size++;
    }
    if (folder->size == 0 || folder->size == rest.size) {
        return false;
    }
    *text = cut_start(rest, folder->size + 1);
    return true;
}

// "cX" has its first number without a line before it.
bool bspi_cubemap_picture(const bspi_cubemap_names *names, bsp_text name, uint32_t *cubemap,
                          bsp_cubemap_kind *kind) {
    char spread[64];
    int32_t place[3];
    bsp_text folder;
    if (!bspi_text_begins_nocase(name, in_materials) || !bspi_text_cut_end(&name, ".vtf")) {
        return false;
    }
    name = cut_start(name, sizeof in_materials - 1);
    *kind = bspi_text_cut_end(&name, ".hdr") ? BSP_CUBEMAP_HDR : BSP_CUBEMAP_LDR;
    if (!cut_folder(&name, &folder) || !bspi_text_begins_nocase(name, "c") ||
        name.size >= sizeof spread) {
        return false;
    }
    memcpy(spread, name.data, name.size);
    spread[0] = '_';
    bsp_text rest = {spread, name.size};
    if (!cut_place(&rest, place) || rest.size != 0) {
        return false;
    }
    *cubemap = cubemap_at(names, place);
    return true;
}

bool bspi_cubemap_material(const bspi_cubemap_names *names, bsp_text name, bspi_patched *out) {
    int32_t place[3];
    out->base = name;
    if (!cut_folder(&out->base, &out->folder) || !cut_place(&out->base, place) ||
        out->base.size == 0) {
        return false;
    }
    out->cubemap = cubemap_at(names, place);
    return out->cubemap != BSP_NONE;
}

// Returns the first file that does not come before the name.
static uint32_t entry_at(const bspi_cubemap_names *names, bsp_text name) {
    uint32_t first = 0;
    uint32_t end = names->pak->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (bspi_text_compare_nocase(names->entries[middle].name, name) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

uint32_t bspi_cubemap_material_file(const bspi_cubemap_names *names, bsp_text name) {
    char path[MOST_NAME];
    int size = snprintf(path, sizeof path, "%s%.*s.vmt", in_materials, BSPI_TEXT(name));
    if (size < 0 || (size_t)size >= sizeof path) {
        return BSP_NONE;
    }
    bsp_text whole = {path, (size_t)size};
    uint32_t at = entry_at(names, whole);
    bool found = at < names->pak->count && bspi_text_equal_nocase(names->entries[at].name, whole);
    return found ? names->entries[at].number : BSP_NONE;
}

bool bspi_cubemap_name(char *out, size_t room, bsp_text folder, const int32_t *origin) {
    int size = origin == NULL ? snprintf(out, room, "maps/%.*s/cubemapdefault", BSPI_TEXT(folder))
                              : snprintf(out, room, "maps/%.*s/c%ld_%ld_%ld", BSPI_TEXT(folder),
                                         (long)origin[0], (long)origin[1], (long)origin[2]);
    return size > 0 && (size_t)size < room;
}

// --- what is there ------------------------------------------------------------------------------

static bool has_bytes(const bsp_file *file, bsp_table_id id) {
    uint32_t lump = bsp_file_find_id(file, id);
    return lump != BSP_NONE && bsp_file_lump(file, lump)->size != 0;
}

// Returns true if the pictures of a file's cubemaps are files of its zip that have such names.
// Engines that keep all cubemaps in one picture have sorts of materials; consoles have pictures of
// their own forms.
static bool are_files(const bsp_file *file) {
    return bsp_file_find_id(file, BSP_ID_PAK) != BSP_NONE &&
           !bsp_file_get_info(file)->detection.big_endian &&
           !has_bytes(file, BSP_ID_MATERIAL_SORTS);
}

uint32_t bspi_cubemap_kinds(const bsp_file *file) {
    bool hdr = has_bytes(file, BSP_ID_LIGHTING_HDR);
    bool ldr = has_bytes(file, BSP_ID_LIGHTING) || !hdr;
    return (ldr ? (uint32_t)BSP_CUBEMAP_LDR : 0) | (hdr ? (uint32_t)BSP_CUBEMAP_HDR : 0);
}

// Is one of two files a copy of the other, by what the zip says?
static bool is_same(const bsp_pak *pak, uint32_t a, uint32_t b) {
    return pak->entries[a].crc == pak->entries[b].crc &&
           pak->entries[a].size == pak->entries[b].size;
}

static void find_pictures(const bspi_cubemap_names *names, uint8_t *states,
                          bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < names->pak->count; i++) {
        uint32_t cubemap;
        bsp_cubemap_kind kind;
        if (!bspi_cubemap_picture(names, names->pak->entries[i].name, &cubemap, &kind)) {
            continue;
        }
        if (cubemap == BSP_NONE) {
            out->strange++;
            continue;
        }
        bool hdr = kind == BSP_CUBEMAP_HDR;
        bool copy =
            names->defaults[hdr] != BSP_NONE && is_same(names->pak, i, names->defaults[hdr]);
        states[2 * (size_t)cubemap + hdr] = copy ? BSP_CUBEMAP_DEFAULT : BSP_CUBEMAP_DRAWN;
    }
}

static void find_materials(const bspi_cubemap_names *names, bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < names->map->num_materials; i++) {
        bspi_patched patched;
        bsp_text name = names->map->materials[i].name;
        if (bspi_cubemap_material(names, name, &patched) &&
            bspi_cubemap_material_file(names, name) == BSP_NONE) {
            out->materials++;
        }
    }
}

// Cubemaps at one place have one picture.
static void count_states(const bspi_cubemap_names *names, uint8_t *states,
                         bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < names->map->num_cubemaps; i++) {
        uint32_t least = BSP_CUBEMAP_DRAWN;
        size_t first = bspi_cubemap_first(names, i);
        for (uint32_t kind = 0; kind < 2; kind++) {
            uint32_t state = states[2 * (size_t)i + kind] = states[2 * first + kind];
            least = (out->kinds >> kind & 1) != 0 && state < least ? state : least;
        }
        out->missing += least == BSP_CUBEMAP_MISSING;
        out->undrawn += least == BSP_CUBEMAP_DEFAULT;
    }
}

void bspi_cubemap_states(const bspi_cubemap_names *names, uint32_t kinds, uint8_t *states,
                         bsp_cubemap_counts *out) {
    *out = (bsp_cubemap_counts){.count = names->map->num_cubemaps, .kinds = kinds};
    memset(states, BSP_CUBEMAP_MISSING, 2 * (size_t)out->count);
    find_pictures(names, states, out);
    find_materials(names, out);
    count_states(names, states, out);
}

bool bsp_cubemaps_find(const bsp_file *file, const bsp_map *map, uint8_t *states,
                       bsp_cubemap_counts *out, const bsp_allocator *allocator, bsp_error *error) {
    assert(file != NULL && map != NULL && out != NULL);
    assert(bspi_map_has(map, BSP_LOAD_PROPS));
    bspi_heap heap;
    bspi_arena arena;
    bspi_cubemap_names names;
    *out = (bsp_cubemap_counts){0};
    if (map->num_cubemaps == 0 || !are_files(file)) {
        return true;
    }
    bsp_pak *pak = bsp_file_pak(file, NULL, error);
    if (pak == NULL) {
        return false;
    }
    bspi_map_heap(&heap, BSP_PRODUCT_FILE, map, NULL, allocator);
    bspi_arena_init(&arena, &heap);
    states =
        states != NULL ? states : bspi_arena_raw(&arena, 2 * (size_t)map->num_cubemaps, 1, error);
    bool done = states != NULL && bspi_cubemap_names_init(&names, map, pak, &arena, error);
    if (done) {
        bspi_cubemap_states(&names, bspi_cubemap_kinds(file), states, out);
    }
    bspi_arena_free(&arena);
    bsp_pak_close(pak);
    return done;
}
