// SPDX-License-Identifier: MIT
// Materials of models whose surfaces name shaders, and .skin files: a line "surface,shader" each.
// Source: the sheet models, 6 and 8.
#include "model/quake/skin.h"

#include "core/text.h"
#include "model/open.h"

#include <string.h>

#define MOST_SKINS 64u // of a model; more files are left out

/// The .skin files of a model, as texts in its arena.
typedef struct skins {
    bsp_text texts[MOST_SKINS]; ///< without data: the model's own names
    uint32_t count;
} skins;

// --- names --------------------------------------------------------------------------------------

// Quake 3 matches surfaces without the number of their level of detail.
static bsp_text cut_level(bsp_text name) {
    bool level = name.size > 2 && name.data[name.size - 2] == '_' &&
                 name.data[name.size - 1] >= '0' && name.data[name.size - 1] <= '9';
    return (bsp_text){name.data, name.size - (level ? 2 : 0)};
}

// Finds the shader that a skin gives a surface. Returns false if it does not name it.
static bool find_in_skin(bsp_text text, bsp_text surface, bsp_text *shader) {
    while (text.size != 0) {
        const char *end = memchr(text.data, '\n', text.size);
        size_t size = end == NULL ? text.size : (size_t)(end - text.data);
        const char *comma = size == 0 ? NULL : memchr(text.data, ',', size);
        if (comma != NULL) {
            bsp_text name = bspi_text_trim((bsp_text){text.data, (size_t)(comma - text.data)});
            bsp_text rest = {comma + 1, size - name.size - 1};
            rest.size = (size_t)(text.data + size - rest.data);
            if (bspi_text_equal_nocase(name, surface) ||
                bspi_text_equal_nocase(name, cut_level(surface))) {
                *shader = bspi_text_trim(rest);
                return true;
            }
        }
        size += end != NULL;
        text = (bsp_text){text.data + size, text.size - size};
    }
    return false;
}

// Community files hold whole paths of their author's disk: what counts begins at a game folder.
static bsp_text cut_to_game(bsp_text name) {
    static const char *const folders[] = {"models/", "textures/"};
    if (name.size < 2 || (name.data[0] != '/' && name.data[1] != ':')) {
        return name;
    }
    for (size_t at = 0; at < name.size; at++) {
        bsp_text rest = {name.data + at, name.size - at};
        for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
            if (bspi_text_begins_nocase(rest, folders[f])) {
                return rest;
            }
        }
    }
    return bspi_text_last_part(name);
}

static bool set_material(bsp_model_asset *model, bsp_model_material *material, bsp_text name,
                         bsp_error *error) {
    material->name = bspi_model_join(model, name, (bsp_text){NULL, 0}, error);
    if (material->name.data == NULL || material->name.size == 0) {
        return material->name.data != NULL;
    }
    bsp_text path = cut_to_game(material->name);
    bsp_text beside =
        bspi_model_join(model, bspi_folder_of(model->info.name), bspi_text_last_part(path), error);
    bsp_text paths[2] = {path, beside};
    bool same = bspi_text_equal_nocase(path, beside);
    return beside.data != NULL && bspi_material_paths(model, material, paths, same ? 1 : 2, error);
}

// --- files --------------------------------------------------------------------------------------

static bool read_skin(bsp_model_asset *model, bsp_text name, skins *out, bool *found,
                      bsp_error *error) {
    bsp_blob blob;
    bsp_error why = {.code = BSP_OK};
    *found = bspi_model_read(model, name, &blob, &why);
    if (!*found) {
        return !bspi_out_of_memory(&why, error);
    }
    bsp_text text = {(const char *)blob.data, blob.size};
    const char *copy = bspi_arena_text(&model->arena, text, error);
    out->texts[out->count++] = (bsp_text){copy, text.size};
    bsp_blob_free(&blob);
    return copy != NULL;
}

// Finds the other skins: files of the model's name, an underscore and a word.
static bool read_others(bsp_model_asset *model, bsp_text first, skins *out, bsp_error *error) {
    size_t count = 0;
    const bsp_asset *list = model->search == NULL ? NULL : bsp_search_list(model->search, &count);
    bsp_text stem = bspi_model_sibling_name(model, "_", "", error);
    if (stem.data == NULL) {
        return false;
    }
    for (size_t i = 0; i < count && out->count < MOST_SKINS; i++) {
        bool found;
        if (bspi_text_ends_nocase(list[i].name, ".skin") &&
            bspi_text_begins_nocase(list[i].name, stem.data) &&
            !bspi_text_equal_nocase(list[i].name, first) &&
            !read_skin(model, list[i].name, out, &found, error)) {
            return false;
        }
    }
    return true;
}

static bool read_skins(bsp_model_asset *model, skins *out, bsp_error *error) {
    bsp_text first = {NULL, 0};
    bool found = false;
    out->count = 0;
    for (int i = 0; i < 3 && !found; i++) { // DarkPlaces keeps the ending: NAME.iqm_0.skin
        first = i == 2 ? bspi_model_join(model, model->info.name, bsp_text_of("_0.skin"), error)
                       : bspi_model_sibling_name(model, i == 0 ? "_default" : "_0", ".skin", error);
        if (first.data == NULL || !read_skin(model, first, out, &found, error)) {
            return false;
        }
    }
    if (!found) {
        out->texts[out->count++] = (bsp_text){NULL, 0};
    }
    return read_others(model, first, out, error);
}

bool bspi_skin_materials(bsp_model_asset *model, uint32_t surfaces, bspi_surface_name *surface_name,
                         bspi_surface_name *shader_name, bsp_error *error) {
    skins found;
    if (!read_skins(model, &found, error)) {
        return false;
    }
    if (surfaces > UINT32_MAX / MOST_SKINS) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "%u surfaces are too many", (unsigned)surfaces);
    }
    bsp_model_material *list = bspi_model_materials(model, surfaces * found.count, error);
    for (uint32_t i = 0; list != NULL && i < surfaces * found.count; i++) {
        uint32_t surface = i % surfaces;
        bsp_text text = found.texts[i / surfaces];
        bsp_text shader = shader_name(model, surface);
        if (text.data != NULL) {
            (void)find_in_skin(text, surface_name(model, surface), &shader);
        }
        if (!set_material(model, &list[i], shader, error) ||
            !bspi_heap_work(&model->heap, text.size, error)) {
            return false;
        }
    }
    model->info.num_skins = found.count;
    return list != NULL;
}

bool bspi_skin_hides(const bsp_model_material *material) {
    return bspi_text_is(material->name, "nodraw") ||
           bspi_text_is(material->name, "textures/common/nodraw");
}
