// SPDX-License-Identifier: MIT
// Opens and closes models.
#include "model/model.h"

#include "core/options.h"
#include "model/brush.h"
#include "model/file.h"

#include <assert.h>
#include <string.h>

static bsp_model_asset *new_model(const bsp_model_open_options *options, bsp_error *error) {
    bsp_model_asset *model = bspi_object_new(options->allocator, sizeof *model, error);
    if (model == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&model->heap, BSP_PRODUCT_MODEL, 0, options->budget, options->allocator);
    bspi_arena_init(&model->arena, &model->heap);
    model->issues = options->issues;
    model->open_file = bspi_model_file_open;
    model->has_palette = options->palette.size >= sizeof model->palette;
    if (model->has_palette) {
        memcpy(model->palette, options->palette.data, sizeof model->palette);
    }
    return model;
}

// Sets the box of what the model shows without further keys.
static bool set_bounds(bsp_model_asset *model, bsp_error *error) {
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, error);
    if (mesh == NULL) {
        return false;
    }
    memcpy(model->info.mins, mesh->mins, sizeof mesh->mins);
    memcpy(model->info.maxs, mesh->maxs, sizeof mesh->maxs);
    bsp_model_mesh_free(mesh);
    return true;
}

// Opens the file in model->blob, and what belongs to it.
static bool read_model(bsp_model_asset *model, bsp_text name, bsp_error *error) {
    char *text = bspi_arena_text(&model->arena, name, error);
    if (text == NULL) {
        return false;
    }
    bsp_bytes bytes = {model->blob.data, model->blob.size};
    bspi_heap_extend(&model->heap, bytes.size);
    bsp_detection map = {.version = 0};
    if (!bsp_model_detect(bytes) && bsp_detect(bytes, NULL, &map, NULL)) {
        model->def = &bspi_model_brush;
    } else {
        model->file = bspi_model_file_open(bytes, text, &model->heap, model->issues, error);
        if (model->file == NULL) {
            return false;
        }
        model->def = model->file->def;
    }
    const bspi_model_def *def = model->def;
    if (def->open == NULL || def->build == NULL) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "a %s is a part of a model", def->format.title);
    }
    model->info.name = (bsp_text){text, name.size};
    model->info.format = &def->format;
    model->info.version = model->file == NULL ? map.version : model->file->info.version;
    model->info.num_skins = 1;
    model->info.num_lods = 1;
    return def->open(model, error) && set_bounds(model, error);
}

static bsp_model_asset *finish(bsp_model_asset *model, bsp_text name, bsp_error *error) {
    if (!read_model(model, name, error)) {
        bsp_model_close(model);
        return NULL;
    }
    model->issues = NULL;
    return model;
}

bsp_model_asset *bsp_model_open(const bsp_search *search, bsp_text name,
                                const bsp_model_open_options *options, bsp_error *error) {
    assert(search != NULL);
    bsp_model_open_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    if (bsp_search_find(search, name) == NULL) {
        (void)bsp_fail(error, BSP_E_NOT_FOUND, NULL, "%.*s is not in the search path",
                       (int)(name.size < 200 ? name.size : 200), name.data);
        return NULL;
    }
    bsp_model_asset *model = new_model(&taken, error);
    if (model == NULL) {
        return NULL;
    }
    model->search = search;
    if (!bsp_search_read(search, name, &model->blob, error)) {
        bsp_model_close(model);
        return NULL;
    }
    return finish(model, name, error);
}

bsp_model_asset *bsp_model_open_path(const char *path, const bsp_model_open_options *options,
                                     bsp_error *error) {
    assert(path != NULL);
    bsp_model_open_options taken;
    bsp_model_asset *model =
        BSPI_TAKE_OPTIONS(taken, options, error) ? new_model(&taken, error) : NULL;
    if (model == NULL) {
        return NULL;
    }
    model->path = bspi_arena_text(&model->arena, bsp_text_of(path), error);
    if (model->path == NULL ||
        !bsp_blob_read(path, taken.budget, taken.allocator, &model->blob, error)) {
        bsp_model_close(model);
        return NULL;
    }
    return finish(model, bsp_text_of(path), error);
}

void bsp_model_close(bsp_model_asset *model) {
    if (model == NULL) {
        return;
    }
    if (model->def != NULL && model->def->close != NULL) {
        model->def->close(model);
    }
    for (uint32_t i = 0; i < model->num_companions; i++) {
        bsp_model_file_close(model->companions[i].file);
        bsp_blob_free(&model->companions[i].blob);
    }
    bspi_heap_free(&model->heap, model->companions,
                   model->companions_room * sizeof *model->companions);
    bsp_model_file_close(model->file);
    bspi_arena_free(&model->arena);
    bsp_blob_free(&model->blob);
    bspi_object_free(model, sizeof *model, &model->heap.allocator);
}

const bsp_model_info *bsp_model_get_info(const bsp_model_asset *model) {
    assert(model != NULL);
    return &model->info;
}

bool bsp_model_image(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                     bsp_error *error) {
    assert(model != NULL && out != NULL);
    const bspi_model_def *def = model->def;
    *out = (bsp_image){.pixels = NULL};
    if (material >= model->info.num_materials || def->image == NULL ||
        !model->info.materials[material].embedded) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the model holds no picture of material %u",
                        (unsigned)material);
    }
    return def->image(model, material, out, error);
}

bool bsp_model_vertex_light(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                            const bsp_model_file *light, uint8_t (*colors)[4], bsp_error *error) {
    assert(model != NULL && mesh != NULL && light != NULL && colors != NULL);
    if (model->def->light == NULL || mesh->vertex_numbers == NULL) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the model has no vertices to light");
    }
    return model->def->light(model, mesh, light, colors, error);
}
