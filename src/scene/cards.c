// SPDX-License-Identifier: MIT
// Cards: models without a file. The size and the way of turning of Source's sprites are those of
// their material: spritemodel.cpp and sprite.cpp of the SDK ($spriteorigin, $spriteorientation).
#include "scene/cards.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const bsp_model_format card_format = {.name = "card",
                                             .title = "Material without a model file",
                                             .ending = "",
                                             .kind = BSP_MODEL_SPRITE};

bool bspi_is_card(const bsp_model_info *info) {
    return info->format == &card_format;
}

// --- materials ----------------------------------------------------------------------------------

static bsp_sprite_facing facing_of(bsp_text value) {
    static const char *const words[] = {"parallel_upright", "facing_upright", "vp_parallel",
                                        "oriented", "vp_parallel_oriented"};
    int64_t number;
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (bspi_text_is(value, words[i])) {
            return (bsp_sprite_facing)i;
        }
    }
    bool numbered = bsp_parse_int(value, &number) && number >= 0 && number <= 4;
    return numbered ? (bsp_sprite_facing)number : BSP_SPRITE_PARALLEL_UPRIGHT;
}

// Reads "[ 0.5 0.5 ]".
static void read_origin(bsp_text value, float out[2]) {
    float read[2];
    size_t at = 0;
    for (int i = 0; i < 2; i++) {
        while (at < value.size && strchr("[ \t", value.data[at]) != NULL) {
            at++;
        }
        size_t first = at;
        while (at < value.size && strchr("] \t", value.data[at]) == NULL) {
            at++;
        }
        if (at == first || !bsp_parse_float((bsp_text){value.data + first, at - first}, &read[i]) ||
            !(fabsf(read[i]) < 1e4F)) {
            return;
        }
    }
    memcpy(out, read, sizeof read);
}

// What the material says of sprites. One that cannot be read says nothing.
static bool read_script(const bspi_scene_builder *builder, bspi_sheet *sheet) {
    char path[256];
    bsp_error why = {.code = BSP_OK};
    bsp_blob blob;
    const bsp_search *search = bsp_textures_search(builder->options->textures);
    int size =
        snprintf(path, sizeof path, "materials/%.*s.vmt", (int)sheet->name.size, sheet->name.data);
    if (size < 0 || (size_t)size >= sizeof path ||
        bsp_search_find(search, bsp_text_of(path)) == NULL) {
        return true;
    }
    if (!bsp_search_read(search, bsp_text_of(path), &blob, &why)) {
        return !bspi_out_of_memory(&why, builder->error);
    }
    const bsp_text_options options = {
        .name = path, .allocator = builder->options->allocator, .budget = builder->options->budget};
    bsp_vmt *vmt =
        bsp_vmt_parse((bsp_text){(const char *)blob.data, blob.size}, search, &options, &why);
    if (vmt != NULL) {
        sheet->facing = facing_of(bsp_vmt_get(vmt, "$spriteorientation"));
        read_origin(bsp_vmt_get(vmt, "$spriteorigin"), sheet->origin);
    }
    bsp_vmt_free(vmt);
    bsp_blob_free(&blob);
    return !bspi_out_of_memory(&why, builder->error);
}

static bool read_picture(const bspi_scene_builder *builder, bspi_sheet *sheet) {
    bsp_texture texture;
    if (!bsp_textures_find_file(builder->options->textures, &sheet->name, 1, &texture,
                                builder->error)) {
        return false;
    }
    sheet->found = texture.found;
    sheet->width = texture.width;
    sheet->height = texture.height;
    snprintf(sheet->note, sizeof sheet->note, "materials/%.*s.vmt is not in the search path",
             sheet->name.size > 256 ? 256 : (int)sheet->name.size, sheet->name.data);
    bsp_texture_free(&texture);
    return true;
}

// The name of a material: without its folder and ending, slashes forward.
static bsp_text clean(bspi_scene_builder *builder, bsp_text name) {
    static const char folder[] = "materials/";
    char *copy = bspi_arena_text(&builder->own->arena, name, builder->error);
    size_t size = name.size;
    for (size_t i = 0; copy != NULL && i < size; i++) {
        copy[i] = copy[i] == '\\' ? '/' : copy[i];
    }
    if (copy != NULL && bspi_text_begins_nocase((bsp_text){copy, size}, folder)) {
        copy += sizeof folder - 1;
        size -= sizeof folder - 1;
    }
    const bsp_text all = {copy, size};
    bool ends =
        copy != NULL && (bspi_text_ends_nocase(all, ".vmt") || bspi_text_ends_nocase(all, ".spr"));
    return (bsp_text){copy, ends ? size - 4 : size};
}

static bspi_sheet *new_sheet(bspi_scene_builder *builder, bsp_text name, bool lit) {
    bspi_arena *arena = &builder->own->arena;
    bspi_sheet *sheet = bspi_arena_zero(arena, 1, sizeof *sheet, builder->error);
    if (sheet == NULL) {
        return NULL;
    }
    sheet->name = name;
    sheet->lit = lit;
    sheet->number = BSP_NONE;
    sheet->origin[0] = sheet->origin[1] = 0.5F;
    if (!read_picture(builder, sheet) || !read_script(builder, sheet)) {
        return NULL;
    }
    sheet->material = (bsp_model_material){.name = name,
                                           .paths = &sheet->name,
                                           .num_paths = 1,
                                           .width = sheet->width,
                                           .height = sheet->height,
                                           .unlit = !lit,
                                           .two_sided = true};
    sheet->info = (bsp_model_info){.name = name,
                                   .format = &card_format,
                                   .num_triangles = 2,
                                   .num_vertices = 4,
                                   .num_frames = 1,
                                   .num_skins = 1,
                                   .num_lods = 1,
                                   .materials = &sheet->material,
                                   .num_materials = 1};
    return sheet;
}

bool bspi_sheet_find(bspi_scene_builder *builder, bspi_sheet **list, bsp_text name, bool lit,
                     bspi_sheet **out) {
    bsp_text cleaned = clean(builder, name);
    for (bspi_sheet *s = *list; cleaned.data != NULL && s != NULL; s = s->next) {
        if (!bspi_meter_add(&builder->meter, 1)) {
            return false;
        }
        if (s->lit == lit && bspi_text_equal_nocase(s->name, cleaned)) {
            *out = s;
            return true;
        }
    }
    bspi_sheet *made = cleaned.data == NULL ? NULL : new_sheet(builder, cleaned, lit);
    if (made == NULL) {
        return false;
    }
    made->next = *list;
    *list = *out = made;
    return true;
}

// --- meshes -------------------------------------------------------------------------------------

static void normal_of(const bspi_card_side *side, float out[3]) {
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = side->at[1][i] - side->at[0][i];
        b[i] = side->at[3][i] - side->at[0][i];
    }
    float square = 0;
    for (int i = 0; i < 3; i++) { // b x a: corners are clockwise
        out[i] = b[(i + 1) % 3] * a[(i + 2) % 3] - b[(i + 2) % 3] * a[(i + 1) % 3];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = square > 0 ? out[i] / sqrtf(square) : i == 0;
    }
}

static void put_side(const bspi_card_side *side, uint32_t first, bsp_model_vertex *vertices,
                     uint32_t *indices) {
    static const uint32_t order[6] = {0, 2, 1, 0, 3, 2};
    float normal[3];
    normal_of(side, normal);
    for (int v = 0; v < 4; v++) {
        memcpy(vertices[v].position, side->at[v], sizeof side->at[v]);
        memcpy(vertices[v].normal, normal, sizeof normal);
        memcpy(vertices[v].uv, side->uv[v], sizeof side->uv[v]);
        memset(vertices[v].color, 255, sizeof vertices[v].color);
    }
    for (int i = 0; i < 6; i++) {
        indices[i] = first + order[i];
    }
}

static void measure(bsp_model_mesh *mesh) {
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        const float *at = mesh->vertices[v].position;
        for (int i = 0; i < 3; i++) {
            mesh->mins[i] = v == 0 || at[i] < mesh->mins[i] ? at[i] : mesh->mins[i];
            mesh->maxs[i] = v == 0 || at[i] > mesh->maxs[i] ? at[i] : mesh->maxs[i];
        }
    }
}

bsp_model_mesh *bspi_card_make(bspi_scene_builder *builder, const bspi_card_side *sides,
                               uint32_t count) {
    bspi_arena *arena = &builder->own->arena;
    bsp_model_mesh *mesh = bspi_arena_zero(arena, 1, sizeof *mesh, builder->error);
    bsp_model_group *group = bspi_arena_zero(arena, 1, sizeof *group, builder->error);
    bsp_model_vertex *vertices =
        bspi_arena_zero(arena, (size_t)count * 4, sizeof *vertices, builder->error);
    uint32_t *indices = bspi_arena_raw(arena, (size_t)count * 6, sizeof *indices, builder->error);
    if (mesh == NULL || group == NULL || vertices == NULL || indices == NULL ||
        !bspi_meter_add(&builder->meter, (uint64_t)count * 4)) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        put_side(&sides[i], 4 * i, vertices + (size_t)4 * i, indices + (size_t)6 * i);
    }
    group->num_vertices = mesh->num_vertices = 4 * count;
    group->num_indices = mesh->num_indices = 6 * count;
    mesh->vertices = vertices;
    mesh->indices = indices;
    mesh->groups = group;
    mesh->num_groups = 1;
    measure(mesh);
    return mesh;
}

bsp_model_mesh *bspi_card_sprite(bspi_scene_builder *builder, const bspi_sheet *sheet) {
    static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; // from the top left
    bspi_card_side side;
    for (int i = 0; i < 4; i++) {
        side.at[i][0] = 0;
        side.at[i][1] = -(corners[i][0] - sheet->origin[0]) * (float)sheet->width;
        side.at[i][2] = (sheet->origin[1] - corners[i][1]) * (float)sheet->height;
        memcpy(side.uv[i], corners[i], sizeof corners[i]);
    }
    bsp_model_mesh *mesh = bspi_card_make(builder, &side, 1);
    if (mesh != NULL) {
        mesh->sprite = true;
        mesh->facing = sheet->facing;
    }
    return mesh;
}

bool bspi_card_model(bspi_scene_builder *builder, bspi_sheet *sheet, const bsp_model_mesh *mesh,
                     bsp_scene_model *out) {
    uint32_t *number = bspi_arena_raw(&builder->own->arena, 1, sizeof *number, builder->error);
    if (number == NULL) {
        return false;
    }
    if (sheet->number == BSP_NONE) {
        sheet->number = builder->num_materials++;
    }
    *number = sheet->number;
    *out = (bsp_scene_model){.name = sheet->name,
                             .info = &sheet->info,
                             .mesh = mesh,
                             .first_material = sheet->number,
                             .materials = number};
    return true;
}
