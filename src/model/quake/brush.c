// SPDX-License-Identifier: MIT
// A map as a model: Quake's boxes of health and ammunition are maps of a few faces (b_bh25.bsp).
// What is drawn is the mesh of its model 0, around the map's own origin. Source: the sheet
// entities, 2.
#include "bspkit/mesh.h"
#include "model/brush.h"
#include "model/build.h"
#include "model/open.h"

/// What the model keeps.
typedef struct brush_model {
    bsp_file *file;
    bsp_map *map;
    bsp_mesh *mesh;
    bsp_textures *textures;
} brush_model;

static bool load(bsp_model_asset *model, brush_model *brush, bsp_error *error) {
    bsp_open_options how = {
        .allocator = &model->heap.allocator, .no_external = true, .budget = model->heap.budget};
    bsp_map_options parts = {.parts = BSP_LOAD_ENTITIES | BSP_LOAD_TREE | BSP_LOAD_SURFACES,
                             .allocator = &model->heap.allocator};
    bsp_mesh_options drawn = {.num_models = 1, .allocator = &model->heap.allocator};
    bsp_textures_options colors = {.allocator = &model->heap.allocator,
                                   .budget = model->heap.budget};
    if (model->has_palette) {
        colors.palette = (bsp_bytes){model->palette, sizeof model->palette};
    }
    bsp_bytes bytes = {model->blob.data, model->blob.size};
    brush->file = bsp_file_open_memory(bytes, &how, error);
    brush->map = brush->file == NULL ? NULL : bsp_map_load(brush->file, &parts, error);
    brush->mesh = brush->map == NULL ? NULL : bsp_mesh_build(brush->map, &drawn, error);
    brush->textures =
        brush->mesh == NULL ? NULL : bsp_textures_open(model->search, brush->map, &colors, error);
    return brush->textures != NULL;
}

// Sets a material as its texture is; one that is not found has its name only.
static bool set_material(bsp_model_asset *model, const brush_model *brush, uint32_t n,
                         bsp_model_material *out, bsp_error *error) {
    bsp_texture texture;
    out->name = bspi_model_join(model, brush->map->materials[n].name, (bsp_text){NULL, 0}, error);
    if (out->name.data == NULL || !bsp_textures_find(brush->textures, n, &texture, error)) {
        return false;
    }
    out->embedded = texture.found;
    out->width = texture.width;
    out->height = texture.height;
    out->alpha = texture.alpha;
    out->alpha_cut = texture.alpha_cut;
    out->two_sided = texture.two_sided;
    bsp_texture_free(&texture);
    return true;
}

static bool open_brush(bsp_model_asset *model, bsp_error *error) {
    brush_model *brush = bspi_arena_zero(&model->arena, 1, sizeof *brush, error);
    model->data = brush;
    if (brush == NULL || !load(model, brush, error)) {
        return false;
    }
    bsp_model_material *list = bspi_model_materials(model, brush->map->num_materials, error);
    for (uint32_t i = 0; list != NULL && i < brush->map->num_materials; i++) {
        if (!set_material(model, brush, i, &list[i], error)) {
            return false;
        }
    }
    model->info.num_triangles = brush->mesh->num_indices / 3;
    model->info.num_vertices = brush->mesh->num_vertices;
    return list != NULL;
}

static void close_brush(bsp_model_asset *model) {
    brush_model *brush = model->data;
    if (brush != NULL) {
        bsp_textures_close(brush->textures);
        bsp_mesh_free(brush->mesh);
        bsp_map_free(brush->map);
        bsp_file_close(brush->file);
    }
}

static bool add_group(bspi_model_builder *b, const bsp_mesh *mesh, const bsp_mesh_group *group) {
    const bsp_model_info *info = &b->model->info;
    bool known = group->material < info->num_materials;
    const bsp_model_material *m = known ? &info->materials[group->material] : NULL;
    bool texels = group->uv_in_texels && known && m->width != 0 && m->height != 0;
    if (!bspi_build_group(b, known ? group->material : BSP_NONE, 0, (bsp_text){NULL, 0})) {
        return false;
    }
    uint32_t base = b->num_vertices - group->first_vertex;
    for (uint32_t i = 0; i < group->num_vertices && !b->failed; i++) {
        const bsp_mesh_vertex *from = &mesh->vertices[group->first_vertex + i];
        bsp_model_vertex vertex = {
            .position = {from->position[0], from->position[1], from->position[2]},
            .normal = {from->normal[0], from->normal[1], from->normal[2]},
            .uv = {from->uv[0] / (texels ? (float)m->width : 1.0F),
                   from->uv[1] / (texels ? (float)m->height : 1.0F)},
            .color = {{255, 255, 255, 255}, {255, 255, 255, 255}},
        };
        (void)bspi_build_vertex(b, &vertex, NULL);
    }
    const uint32_t *indices = mesh->indices + group->first_index;
    for (uint32_t i = 0; i < group->num_indices && !b->failed; i += 3) { // they are turned already
        (void)bspi_build_triangle(b, base + indices[i], base + indices[i + 2],
                                  base + indices[i + 1]);
    }
    return !b->failed;
}

static bool build_brush(bspi_model_builder *b) {
    const bsp_mesh *mesh = ((const brush_model *)b->model->data)->mesh;
    bool done = true;
    for (uint32_t i = 0; done && i < mesh->num_groups; i++) {
        done = add_group(b, mesh, &mesh->groups[i]);
    }
    return done;
}

static bool image_brush(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                        bsp_error *error) {
    bsp_texture texture;
    if (!bsp_textures_find(((const brush_model *)model->data)->textures, material, &texture,
                           error)) {
        return false;
    }
    *out = texture.image;
    return true;
}

const bspi_model_def bspi_model_brush = {
    .format = {.name = "brush-model",
               .title = "map as a model",
               .ending = ".bsp",
               .kind = BSP_MODEL_MESH},
    .open = open_brush,
    .close = close_brush,
    .build = build_brush,
    .image = image_brush,
};
