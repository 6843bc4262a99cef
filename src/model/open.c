// SPDX-License-Identifier: MIT
// What the formats use while a model is opened: files beside it, names, materials, sequences.
#include "model/open.h"

#include "core/text.h"
#include "formats/composites.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_A_SECOND 10 // of formats that do not say, as their games show them
#define PATH_MOST 4096u

// --- names --------------------------------------------------------------------------------------

bsp_text bspi_folder_of(bsp_text name) {
    bsp_text last = bspi_text_last_part(name);
    return (bsp_text){name.data, name.size - last.size};
}

bsp_text bspi_model_join(bsp_model_asset *model, bsp_text first, bsp_text second,
                         bsp_error *error) {
    size_t size = first.size + second.size;
    char *text = bspi_arena_raw(&model->arena, size + 1, 1, error);
    if (text == NULL) {
        return (bsp_text){NULL, 0};
    }
    if (first.size != 0) {
        memcpy(text, first.data, first.size);
    }
    if (second.size != 0) {
        memcpy(text + first.size, second.data, second.size);
    }
    text[size] = '\0';
    for (size_t i = 0; i < size; i++) {
        text[i] = text[i] == '\\' ? '/' : text[i];
    }
    return (bsp_text){text, size};
}

bsp_text bspi_model_sibling_name(bsp_model_asset *model, const char *middle, const char *ending,
                                 bsp_error *error) {
    bsp_text name = model->info.name;
    bsp_text last = bspi_text_last_part(name);
    for (size_t i = last.size; i > 0; i--) {
        if (last.data[i - 1] == '.') {
            name.size -= last.size - (i - 1);
            break;
        }
    }
    bsp_text stem = bspi_model_join(model, name, bsp_text_of(middle), error);
    return stem.data == NULL ? stem : bspi_model_join(model, stem, bsp_text_of(ending), error);
}

// --- companions ---------------------------------------------------------------------------------

// Names of files of the disk are looked for in any case.
typedef struct folder_find {
    bsp_text name;
    char found[256];
} folder_find;

static bool look_at(void *user, const bspi_folder_entry *entry) {
    folder_find *find = user;
    if (!entry->folder && bspi_text_equal_nocase(bsp_text_of(entry->name), find->name) &&
        strlen(entry->name) < sizeof find->found) {
        snprintf(find->found, sizeof find->found, "%s", entry->name);
    }
    return find->found[0] == '\0';
}

static bool read_beside(const bsp_model_asset *model, bsp_text name, bsp_blob *out,
                        bsp_error *error) {
    bsp_text folder = bspi_folder_of(bsp_text_of(model->path));
    char path[PATH_MOST];
    folder_find find = {bspi_text_last_part(name), {0}};
    if (folder.size >= PATH_MOST - sizeof find.found) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the path is too long");
    }
    snprintf(path, sizeof path, "%.*s", (int)(folder.size == 0 ? 1 : folder.size),
             folder.size == 0 ? "." : folder.data);
    if (!bspi_list_folder(path, true, look_at, &find, error)) {
        return false;
    }
    if (find.found[0] == '\0') {
        return bsp_fail(error, BSP_E_NOT_FOUND, NULL, "there is no such file");
    }
    snprintf(path, sizeof path, "%.*s%s", (int)folder.size, folder.data, find.found);
    return bsp_blob_read(path, model->heap.budget, &model->heap.allocator, out, error);
}

bool bspi_model_read(const bsp_model_asset *model, bsp_text name, bsp_blob *out, bsp_error *error) {
    if (model->search == NULL) {
        return read_beside(model, name, out, error);
    }
    if (bsp_search_find(model->search, name) == NULL) {
        return bsp_fail(error, BSP_E_NOT_FOUND, NULL, "it is not in the search path");
    }
    return bsp_search_read(model->search, name, out, error);
}

static bool add(bsp_model_asset *model, const char *role, bsp_blob *blob, const char *name,
                const bsp_model_file **file, bsp_error *error) {
    bspi_model_companion *list = bspi_grow(&model->heap, model->companions, model->num_companions,
                                           &model->companions_room, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    model->companions = list;
    bspi_heap_extend(&model->heap, blob->size);
    bsp_bytes bytes = {blob->data, blob->size};
    bsp_model_file *opened = model->open_file(bytes, name, &model->heap, model->issues, error);
    if (opened == NULL) {
        return false;
    }
    bspi_model_companion *companion = &list[model->num_companions++];
    *companion = (bspi_model_companion){.file = opened, .blob = *blob};
    snprintf(companion->role, sizeof companion->role, "%s", role);
    *blob = (bsp_blob){.data = NULL};
    *file = opened;
    return true;
}

bool bspi_model_companion_open(bsp_model_asset *model, const char *role, bsp_text name, bool needed,
                               const bsp_model_file **file, bsp_error *error) {
    bsp_error why = {.code = BSP_OK};
    bsp_blob blob = {.data = NULL};
    *file = NULL;
    if (bspi_model_read(model, name, &blob, &why)) {
        char *text = bspi_arena_text(&model->arena, name, &why);
        (void)(text != NULL && add(model, role, &blob, text, file, &why));
        bsp_blob_free(&blob);
    }
    if (*file == NULL && bspi_out_of_memory(&why, error)) {
        return false;
    }
    bool missing = why.code == BSP_E_NOT_FOUND || why.code == BSP_E_ARGUMENT;
    if (*file == NULL && (needed || !missing)) {
        bspi_issue(model->issues, BSPI_ISSUE_MODEL_COMPANION, bsp_place_none(), "%.*s: %s",
                   (int)(name.size < 96 ? name.size : 96), name.data, why.message);
    }
    return true;
}

const bsp_model_file *bspi_model_companion_find(const bsp_model_asset *model, const char *role) {
    for (uint32_t i = 0; i < model->num_companions; i++) {
        if (strcmp(model->companions[i].role, role) == 0) {
            return model->companions[i].file;
        }
    }
    return NULL;
}

// --- materials ----------------------------------------------------------------------------------

bsp_model_material *bspi_model_materials(bsp_model_asset *model, uint32_t count, bsp_error *error) {
    bsp_model_material *list = bspi_arena_zero(&model->arena, count, sizeof *list, error);
    if (list != NULL) {
        model->info.materials = list;
        model->info.num_materials = count;
    }
    return list;
}

bool bspi_material_paths(bsp_model_asset *model, bsp_model_material *material,
                         const bsp_text *paths, uint32_t count, bsp_error *error) {
    bsp_text *list = bspi_arena_zero(&model->arena, count, sizeof *list, error);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        list[i] = bspi_model_join(model, paths[i], (bsp_text){NULL, 0}, error);
        if (list[i].data == NULL) {
            return false;
        }
    }
    material->paths = list;
    material->num_paths = list == NULL ? 0 : count;
    return list != NULL;
}

// --- sequences ----------------------------------------------------------------------------------

static bsp_text stem_of(bsp_text name) {
    while (name.size > 1 && name.data[name.size - 1] >= '0' && name.data[name.size - 1] <= '9') {
        name.size--;
    }
    return name;
}

bool bspi_model_name_sequences(bsp_model_asset *model, uint32_t num_frames,
                               bsp_text (*name_of)(const bsp_model_asset *model, uint32_t frame),
                               bsp_error *error) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_frames; i++) {
        count +=
            i == 0 || !bsp_text_equal(stem_of(name_of(model, i - 1)), stem_of(name_of(model, i)));
    }
    bsp_model_sequence *list = bspi_arena_zero(&model->arena, count, sizeof *list, error);
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0, at = 0; i < num_frames; i++) {
        bsp_text stem = stem_of(name_of(model, i));
        if (i == 0 || !bsp_text_equal(stem_of(name_of(model, i - 1)), stem)) {
            list[at++] = (bsp_model_sequence){stem, i, 0, FRAMES_A_SECOND, true};
        }
        list[at - 1].num_frames++;
    }
    model->info.sequences = list;
    model->info.num_sequences = count;
    return true;
}

// --- palettes and pictures ----------------------------------------------------------------------

bool bspi_model_palette(bsp_model_asset *model, bsp_error *error) {
    bsp_blob blob;
    bsp_error why = {.code = BSP_OK};
    if (model->has_palette || model->search == NULL) {
        return true;
    }
    if (!bspi_model_read(model, bsp_text_of("gfx/palette.lmp"), &blob, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    bsp_bytes palette = bsp_palette_of((bsp_bytes){blob.data, blob.size});
    if (palette.size == sizeof model->palette) {
        memcpy(model->palette, palette.data, palette.size);
        model->has_palette = true;
    }
    bsp_blob_free(&blob);
    return true;
}

static void color_of(bsp_bytes palette, uint8_t index, uint8_t *out) {
    for (size_t c = 0; c < 3; c++) {
        out[c] = palette.size >= BSPI_PALETTE_SIZE ? palette.data[(size_t)index * 3 + c] : index;
    }
    out[3] = 255;
}

bool bspi_model_indexed_image(const bsp_model_asset *model, bsp_bytes indices, uint32_t width,
                              uint32_t height, bsp_bytes palette, int hole, bsp_image *out,
                              bsp_error *error) {
    static const uint8_t clear[4] = {0, 0, 0, 0};
    if (indices.size < (uint64_t)width * height) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the picture of %u x %u is not all there",
                        (unsigned)width, (unsigned)height);
    }
    if (!bsp_image_fill(width, height, clear, &model->heap.allocator, out, error)) {
        return false;
    }
    size_t pixels = (size_t)width * height;
    for (size_t i = 0; i < pixels; i++) {
        color_of(palette, indices.data[i], out->pixels + i * 4);
        out->pixels[i * 4 + 3] = indices.data[i] == hole ? 0 : 255;
    }
    return true;
}
