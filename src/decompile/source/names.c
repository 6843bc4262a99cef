// SPDX-License-Identifier: MIT
// Restores the names of materials. The compiler writes materials into the pak, maps/MAP/NAME with
// an ending, for surfaces near a cubemap (_X_Y_Z), for blended terrain on a brush (_wvt_patch) and
// for water (_depth_N), and may apply several endings. The material in the pak names its base; if
// it does not, the name tells it. Facts: sheet outputs, section 3.
#include "decompile/source/steps.h"

#include "core/text.h"

#include <string.h>

#define MOST_LAYERS 8
#define LARGEST_MATERIAL ((size_t)1 << 16) // bytes: the compiler's own have some hundred
#define BYTES_A_STEP 16u                   // unpacked bytes per step of work

typedef struct names {
    bspi_work *w;
    bsp_search *pak; // NULL: none, or not used
} names;

// --- by the name --------------------------------------------------------------------------------

// Removes _X_Y_Z from the end.
static bool take_place(bsp_text *text, int64_t place[3]) {
    bsp_text left = *text;
    for (int axis = 2; axis >= 0; axis--) {
        if (!bspi_text_cut_number(&left, &place[axis])) {
            return false;
        }
    }
    *text = left;
    return true;
}

// Removes maps/MAP/ from the front.
static bool take_folder(bsp_text *text) {
    if (!bspi_text_begins_nocase(*text, "maps/")) {
        return false;
    }
    for (size_t i = sizeof "maps/" - 1; i < text->size; i++) {
        if (text->data[i] == '/') {
            *text = (bsp_text){text->data + i + 1, text->size - i - 1};
            return true;
        }
    }
    return false;
}

static uint32_t find_cubemap(bspi_work *w, const int64_t place[3]) {
    const bsp_map *map = w->map;
    uint32_t count = bspi_spend(w, map->num_cubemaps) ? map->num_cubemaps : 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *at = map->cubemaps[i].origin;
        if (at[0] == place[0] && at[1] == place[1] && at[2] == place[2]) {
            return i;
        }
    }
    return BSP_NONE;
}

// The kind of an ending.
typedef enum layer {
    LAYER_NONE,
    LAYER_CUBEMAP,
    LAYER_BLEND, // a complete material; the others change one
    LAYER_WATER,
} layer;

// Removes one ending from a name; `place` receives that of the cubemap.
static layer take_layer(bsp_text *name, int64_t place[3]) {
    bsp_text left = *name;
    layer found = LAYER_NONE;
    if (!take_folder(&left)) {
        return LAYER_NONE;
    }
    if (take_place(&left, place)) {
        found = LAYER_CUBEMAP;
    } else if (bspi_text_cut_end(&left, "_wvt_patch")) {
        found = LAYER_BLEND;
    } else {
        (void)bspi_text_cut_number(&left, NULL);
        found = bspi_text_cut_end(&left, "_depth") ? LAYER_WATER : LAYER_NONE;
    }
    if (found == LAYER_NONE || left.size == 0) {
        return LAYER_NONE;
    }
    *name = left;
    return found;
}

// --- by the pak ---------------------------------------------------------------------------------

static bool open_pak(names *n) {
    bspi_work *w = n->w;
    bsp_search_options options = {.allocator = w->options->allocator,
                                  .budget = w->heap.budget,
                                  .file_limit = LARGEST_MATERIAL};
    n->pak = bsp_search_new(&options, w->error);
    if (n->pak == NULL) {
        return false;
    }
    bsp_error error;
    if (!bsp_search_add_memory(n->pak, "pak", w->map->pak, &error)) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_PAK, BSP_NONE,
                  "materials are named without the pak: %s", error.message);
    }
    return true;
}

// Gives the base of a material of the pak: `*found` has NULL data if the material does not tell it,
// and is the name itself if no compiler made the material.
static bool ask_pak(names *n, bsp_text name, bsp_text *found) {
    static const char folder[] = "materials/";
    static const char ending[] = ".vmt";
    bspi_work *w = n->w;
    *found = (bsp_text){NULL, 0};
    size_t size = sizeof folder - 1 + name.size + sizeof ending - 1;
    char *path = bspi_arena_raw(&w->arena, size, 1, w->error);
    if (path == NULL) {
        return false;
    }
    memcpy(path, folder, sizeof folder - 1);
    memcpy(path + sizeof folder - 1, name.data, name.size);
    memcpy(path + size - (sizeof ending - 1), ending, sizeof ending - 1);
    bsp_blob blob;
    bsp_text full = {path, size};
    const bsp_asset *asset = bsp_search_find(n->pak, full);
    if (asset == NULL || asset->size > LARGEST_MATERIAL) {
        return true;
    }
    bsp_error error;
    if (!bspi_spend(w, asset->size / BYTES_A_STEP)) {
        return false;
    }
    if (!bsp_search_read(n->pak, full, &blob, &error)) {
        return !bspi_out_of_memory(&error, w->error); // else only the name tells
    }
    bsp_text_options options = {.allocator = w->options->allocator, .budget = w->heap.budget};
    bsp_key_values *values =
        bsp_key_values_parse((bsp_text){(const char *)blob.data, blob.size}, &options, w->error);
    if (values != NULL && values->count != 0) {
        bsp_text include = bsp_key_values_get(values, 0, "include");
        if (!bspi_text_is(values->list[0].key, "patch")) {
            *found = name;
        } else if (bspi_text_begins_nocase(include, folder) &&
                   bspi_text_cut_end(&include, ending)) {
            include.data += sizeof folder - 1;
            include.size -= sizeof folder - 1;
            char *copy = bspi_arena_text(&w->arena, include, w->error);
            *found = (bsp_text){copy, copy != NULL ? include.size : 0};
        }
    }
    bsp_key_values_free(values);
    bsp_blob_free(&blob);
    return values != NULL;
}

// --- all ----------------------------------------------------------------------------------------

static bool restore(names *n, bsp_text given, bspi_source_name *out) {
    bsp_text name = given;
    out->cubemap = BSP_NONE;
    for (int i = 0; i < MOST_LAYERS && bspi_text_begins_nocase(name, "maps/"); i++) {
        if (n->pak == NULL && n->w->map->pak.size != 0 && !open_pak(n)) {
            return false;
        }
        bsp_text told = {NULL, 0};
        if (n->pak != NULL && !ask_pak(n, name, &told)) {
            return false;
        }
        bsp_text guess = name;
        int64_t place[3];
        layer found = take_layer(&guess, place);
        if (told.data == name.data && found == LAYER_BLEND) {
            told = (bsp_text){NULL, 0};
        }
        bool whole = told.data == name.data; // a material of the author
        if (whole || (told.data == NULL && found == LAYER_NONE)) {
            break;
        }
        if (found == LAYER_CUBEMAP && out->cubemap == BSP_NONE) {
            out->cubemap = find_cubemap(n->w, place);
        }
        // The compiler writes the base in lower case; the map may still have the original case.
        bool by_name = told.data == NULL || bspi_text_equal_nocase(told, guess);
        name = found != LAYER_NONE && by_name ? guess : told;
    }
    out->name = name;
    n->w->report->renamed += name.data != given.data;
    return true;
}

bool bspi_source_names(bspi_work *w) {
    const bsp_map *map = w->map;
    bspi_source_state *state = bspi_source_of(w);
    state->names = bspi_arena_raw(&w->arena, map->num_materials, sizeof *state->names, w->error);
    if (state->names == NULL) {
        return false;
    }
    names n = {w, NULL};
    bool done = true;
    for (uint32_t i = 0; i < map->num_materials && done; i++) {
        done = restore(&n, map->materials[i].name, &state->names[i]);
    }
    bsp_search_free(n.pak);
    return done && !w->spent;
}
