// SPDX-License-Identifier: MIT
// What belongs to the cubemaps of a map, by its name, and which of it is there. Names: sheet bake,
// 5.
#include "map/cubemap_names.h"

#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

// --- names --------------------------------------------------------------------------------------

static const char in_materials[] = "materials/";
static const char in_maps[] = "maps/";

// Cuts "_X_Y_Z" from the end.
static bool cut_place(bsp_text *text, int64_t place[3]) {
    bsp_text rest = *text;
    for (int i = 3; i-- > 0;) {
        if (!bspi_text_cut_number(&rest, &place[i])) {
            return false;
        }
    }
    *text = rest;
    return true;
}

static uint32_t cubemap_at(const bsp_map *map, const int64_t place[3]) {
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        const int32_t *origin = map->cubemaps[i].origin;
        if (origin[0] == place[0] && origin[1] == place[1] && origin[2] == place[2]) {
            return i;
        }
    }
    return BSP_NONE;
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
bool bspi_cubemap_picture(const bsp_map *map, bsp_text name, uint32_t *cubemap,
                          bsp_cubemap_kind *kind) {
    char spread[64];
    int64_t place[3];
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
    *cubemap = cubemap_at(map, place);
    return true;
}

bool bspi_cubemap_material(const bsp_map *map, bsp_text name, bspi_patched *out) {
    int64_t place[3];
    out->base = name;
    if (!cut_folder(&out->base, &out->folder) || !cut_place(&out->base, place) ||
        out->base.size == 0) {
        return false;
    }
    out->cubemap = cubemap_at(map, place);
    return out->cubemap != BSP_NONE;
}

uint32_t bspi_cubemap_file(const bsp_pak *pak, bsp_text name, const char *ending) {
    size_t start = sizeof in_materials - 1;
    size_t size = start + name.size + strlen(ending);
    for (uint32_t i = 0; i < pak->count; i++) {
        bsp_text entry = pak->entries[i].name;
        if (entry.size == size && bspi_text_begins_nocase(entry, in_materials) &&
            bspi_text_ends_nocase(entry, ending) &&
            bspi_text_equal_nocase((bsp_text){entry.data + start, name.size}, name)) {
            return i;
        }
    }
    return BSP_NONE;
}

bool bspi_cubemap_same(const bsp_pak *pak, uint32_t a, uint32_t b) {
    return pak->entries[a].crc == pak->entries[b].crc &&
           pak->entries[a].size == pak->entries[b].size;
}

uint32_t bspi_cubemap_kinds(const bsp_map *map) {
    bool hdr = map->light_hdr.size != 0;
    bool ldr = map->light.size != 0 || !hdr;
    return (ldr ? (uint32_t)BSP_CUBEMAP_LDR : 0) | (hdr ? (uint32_t)BSP_CUBEMAP_HDR : 0);
}

// --- what is there ------------------------------------------------------------------------------

typedef struct finding {
    const bsp_map *map;
    const bsp_pak *pak;
    uint8_t *states;
    uint32_t defaults[2]; // files of the zip: LDR, HDR
} finding;

static void find_defaults(finding *f) {
    static const char *const names[2] = {"/cubemapdefault.vtf", "/cubemapdefault.hdr.vtf"};
    f->defaults[0] = f->defaults[1] = BSP_NONE;
    for (uint32_t i = 0; i < f->pak->count; i++) {
        for (int kind = 0; kind < 2; kind++) {
            if (bspi_text_ends_nocase(f->pak->entries[i].name, names[kind])) {
                f->defaults[kind] = i;
            }
        }
    }
}

static void find_pictures(finding *f, bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < f->pak->count; i++) {
        uint32_t cubemap;
        bsp_cubemap_kind kind;
        if (!bspi_cubemap_picture(f->map, f->pak->entries[i].name, &cubemap, &kind)) {
            continue;
        }
        if (cubemap == BSP_NONE) {
            out->strange++;
            continue;
        }
        uint32_t of = f->defaults[kind == BSP_CUBEMAP_HDR];
        bool copy = of != BSP_NONE && bspi_cubemap_same(f->pak, i, of);
        f->states[2 * (size_t)cubemap + (kind == BSP_CUBEMAP_HDR)] =
            copy ? BSP_CUBEMAP_DEFAULT : BSP_CUBEMAP_DRAWN;
    }
}

static void find_materials(const finding *f, bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < f->map->num_materials; i++) {
        bspi_patched patched;
        bsp_text name = f->map->materials[i].name;
        if (bspi_cubemap_material(f->map, name, &patched) &&
            bspi_cubemap_file(f->pak, name, ".vmt") == BSP_NONE) {
            out->materials++;
        }
    }
}

static void count_states(const finding *f, bsp_cubemap_counts *out) {
    for (uint32_t i = 0; i < f->map->num_cubemaps; i++) {
        uint32_t least = BSP_CUBEMAP_DRAWN;
        for (uint32_t kind = 0; kind < 2; kind++) {
            uint32_t state = f->states[2 * (size_t)i + kind];
            least = (out->kinds >> kind & 1) != 0 && state < least ? state : least;
        }
        out->missing += least == BSP_CUBEMAP_MISSING;
        out->undrawn += least == BSP_CUBEMAP_DEFAULT;
    }
}

static bool find(finding *f, bspi_heap *heap, bsp_cubemap_counts *out, bsp_error *error) {
    uint64_t files = f->pak->count;
    uint64_t names = (uint64_t)f->map->num_cubemaps + f->map->num_materials;
    if (!bspi_heap_work(
            heap, files * names + (uint64_t)f->map->num_materials * f->map->num_cubemaps, error)) {
        return false;
    }
    find_defaults(f);
    find_pictures(f, out);
    find_materials(f, out);
    count_states(f, out);
    return true;
}

bool bsp_cubemaps_find(const bsp_file *file, const bsp_map *map, uint8_t *states,
                       bsp_cubemap_counts *out, const bsp_allocator *allocator, bsp_error *error) {
    assert(file != NULL && map != NULL && out != NULL);
    assert(bspi_map_has(map, BSP_LOAD_PROPS | BSP_LOAD_LIGHT));
    bspi_heap heap;
    size_t size = 2 * (size_t)map->num_cubemaps;
    *out = (bsp_cubemap_counts){0};
    if (map->num_cubemaps == 0 || bsp_file_find_id(file, BSP_ID_PAK) == BSP_NONE) {
        return true;
    }
    bspi_map_heap(&heap, BSP_PRODUCT_VIS, map, NULL, allocator);
    bsp_pak *pak = bsp_file_pak(file, NULL, error);
    uint8_t *own = pak == NULL || states != NULL ? NULL : bspi_heap_alloc(&heap, size, error);
    finding f = {.map = map, .pak = pak, .states = states != NULL ? states : own};
    bool done = pak != NULL && f.states != NULL;
    if (done) {
        memset(f.states, BSP_CUBEMAP_MISSING, size);
        out->count = map->num_cubemaps;
        out->kinds = bspi_cubemap_kinds(map);
        done = find(&f, &heap, out, error);
    }
    if (own != NULL) {
        bspi_heap_free(&heap, own, size);
    }
    bsp_pak_close(pak);
    return done;
}
