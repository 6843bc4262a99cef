// SPDX-License-Identifier: MIT
// What the kinds of props share: a model is opened once, and has a mesh for each pose and skin that
// is shown; what is missing is listed once; a prop has a place and its light.
#include "scene/prop_builder.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

// --- models -------------------------------------------------------------------------------------

static bool same_pose(const bsp_model_pose *a, const bsp_model_pose *b) {
    return a->sequence == b->sequence && a->frame == b->frame && a->skin == b->skin &&
           a->body == b->body;
}

static uint32_t slot_of(const bspi_prop_builder *b, bsp_text path, const bsp_model_pose *pose) {
    uint32_t hash = bspi_text_hash_nocase(path);
    hash = (hash ^ pose->skin) * 16777619u;
    hash = (hash ^ pose->body) * 16777619u;
    hash = (hash ^ (pose->frame * 31u + pose->sequence)) * 16777619u;
    return hash & (b->num_slots - 1);
}

bool bspi_prop_missing(bspi_prop_builder *b, bsp_text path, const char *note, uint32_t *number) {
    if (!bspi_meter_add(&b->scene->meter, b->num_missing)) {
        return false;
    }
    for (uint32_t i = 0; i < b->num_missing; i++) {
        if (bspi_text_equal_nocase(b->missing[i].name, path)) {
            *number = i;
            return true;
        }
    }
    void *grown = bspi_grow(b->heap, b->missing, b->num_missing, &b->room_missing,
                            sizeof *b->missing, b->error);
    if (grown == NULL) {
        return false;
    }
    b->missing = grown;
    *number = (uint32_t)b->num_missing;
    bsp_scene_missing *m = &b->missing[b->num_missing++];
    *m = (bsp_scene_missing){.name = path};
    snprintf(m->note, sizeof m->note, "%.511s", note);
    return true;
}

// Takes the open model of another variant of the same file, or opens it.
static bsp_model_asset *open_model(bspi_prop_builder *b, bsp_text path, bsp_error *why) {
    bspi_scene *own = b->scene->own;
    for (uint32_t i = 0; i < own->num_open; i++) {
        if (!bspi_meter_add(&b->scene->meter, 1)) {
            *why = *b->error;
            return NULL;
        }
        if (bspi_text_equal_nocase(bsp_model_get_info(own->open[i])->name, path)) {
            return own->open[i];
        }
    }
    const bsp_model_open_options options = {.allocator = b->scene->options->allocator,
                                            .budget = b->scene->options->budget};
    void *grown =
        bspi_grow(&own->heap, own->open, own->num_open, &own->room_open, sizeof *own->open, why);
    if (grown == NULL) {
        return NULL;
    }
    own->open = grown;
    bsp_model_asset *model = bsp_model_open(b->search, path, &options, why);
    if (model != NULL) {
        own->open[own->num_open++] = model;
    }
    return model;
}

// The open model that a variant shows.
bsp_model_asset *bspi_prop_asset(const bspi_prop_builder *b, const bsp_model_info *info) {
    const bspi_scene *own = b->scene->own;
    for (uint32_t i = 0; i < own->num_open; i++) {
        if (bsp_model_get_info(own->open[i]) == info) {
            return own->open[i];
        }
    }
    return NULL;
}

// The number of the sequence that an entity names, by its name or number.
static uint32_t sequence_of(const bsp_model_info *info, bsp_text name) {
    int64_t number;
    for (uint32_t i = 0; i < info->num_sequences; i++) {
        if (name.size != 0 && bspi_text_equal_nocase(info->sequences[i].name, name)) {
            return i;
        }
    }
    return bsp_parse_int(name, &number) && number > 0 && number < info->num_sequences
               ? (uint32_t)number
               : 0;
}

static bool number_materials(bspi_prop_builder *b, bsp_scene_model *model) {
    uint32_t groups = model->mesh->num_groups;
    uint32_t *numbers = bspi_arena_raw(&b->scene->own->arena, groups, sizeof *numbers, b->error);
    if (numbers == NULL) {
        return false;
    }
    uint32_t first = BSP_NONE;
    for (uint32_t i = 0; i < b->num_models && first == BSP_NONE; i++) {
        first = b->models[i].info == model->info ? b->models[i].first_material : BSP_NONE;
    }
    if (first == BSP_NONE) {
        first = b->scene->num_materials;
        b->scene->num_materials += model->info->num_materials;
    }
    model->first_material = first;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t material = model->mesh->groups[g].material;
        numbers[g] = material < model->info->num_materials ? first + material : BSP_NONE;
    }
    model->materials = numbers;
    return true;
}

// The path as names of the search path are written.
static bsp_text keep_path(bspi_prop_builder *b, bsp_text path) {
    char *copy = bspi_arena_text(&b->scene->own->arena, path, b->error);
    for (size_t i = 0; copy != NULL && i < path.size; i++) {
        copy[i] = copy[i] == '\\' ? '/' : copy[i];
    }
    return (bsp_text){copy, copy == NULL ? 0 : path.size};
}

static bool add_model(bspi_prop_builder *b, const bsp_scene_model *model, uint32_t *number) {
    void *grown =
        bspi_grow(b->heap, b->models, b->num_models, &b->room_models, sizeof *b->models, b->error);
    if (grown == NULL) {
        return false;
    }
    b->models = grown;
    b->models[b->num_models] = *model;
    *number = (uint32_t)b->num_models++; // the mesh is freed with the list
    return true;
}

bool bspi_prop_card(bspi_prop_builder *b, bspi_sheet *sheet, const bsp_model_mesh *mesh,
                    uint32_t *number) {
    bsp_scene_model model;
    return bspi_card_model(b->scene, sheet, mesh, &model) && add_model(b, &model, number);
}

// Returns true if a name is that of a material: Source's sprites are. Names of older sprites mean
// the material of that name there.
static bool is_material(const bspi_prop_builder *b, bsp_text path) {
    return b->scene->map->traits->texture_source == BSP_TEXTURES_VMT &&
           (bspi_text_ends_nocase(path, ".vmt") || bspi_text_ends_nocase(path, ".spr"));
}

// Makes the card of a sprite that names a material. One that is missing is listed.
static bool make_sprite(bspi_prop_builder *b, bspi_prop_variant *v) {
    bspi_sheet *sheet;
    if (!bspi_sheet_find(b->scene, &b->sheets, v->path, false, &sheet)) {
        return false;
    }
    if (!sheet->found) {
        return bspi_prop_missing(b, v->path, sheet->note, &v->missing);
    }
    bsp_model_mesh *mesh = bspi_card_sprite(b->scene, sheet);
    return mesh != NULL && bspi_prop_card(b, sheet, mesh, &v->model);
}

// Makes the mesh of a variant. A model that is missing or damaged is listed.
static bool make_variant(bspi_prop_builder *b, bspi_prop_variant *v, bsp_text sequence) {
    if (is_material(b, v->path)) {
        return make_sprite(b, v);
    }
    bsp_error why = {0};
    bsp_model_asset *open = open_model(b, v->path, &why);
    bsp_model_mesh *mesh = NULL;
    if (open != NULL) {
        bsp_model_pose pose = v->key;
        pose.sequence = sequence_of(bsp_model_get_info(open), sequence);
        mesh = bsp_model_mesh_build(open, &pose, &why);
    }
    if (mesh == NULL) {
        return !bspi_out_of_memory(&why, b->error) &&
               bspi_prop_missing(b, v->path, why.message, &v->missing);
    }
    bsp_scene_model model = {.name = v->path,
                             .info = bsp_model_get_info(open),
                             .mesh = mesh,
                             .first_material = BSP_NONE};
    if (!number_materials(b, &model) || !add_model(b, &model, &v->model)) {
        bsp_model_mesh_free(mesh);
        return false;
    }
    return true;
}

// Finds or makes the variant. False without memory or over a limit.
bool bspi_prop_find(bspi_prop_builder *b, const bspi_shown *shown, const bspi_prop_variant **out) {
    const bsp_model_pose pose = {.frame = shown->frame,
                                 .skin = shown->skin,
                                 .body = shown->body,
                                 .sequence = bspi_text_hash_nocase(shown->sequence),
                                 .allocator = b->scene->options->allocator,
                                 .budget = b->scene->options->budget};
    uint32_t slot = slot_of(b, shown->path, &pose);
    for (uint32_t i = b->slots[slot]; i != BSPI_NO_SLOT; i = b->variants[i].next) {
        if (!bspi_meter_add(&b->scene->meter, 1)) {
            return false;
        }
        if (same_pose(&b->variants[i].key, &pose) &&
            bspi_text_equal_nocase(b->variants[i].given, shown->path)) {
            *out = &b->variants[i];
            return true;
        }
    }
    void *grown = bspi_grow(b->heap, b->variants, b->num_variants, &b->room_variants,
                            sizeof *b->variants, b->error);
    if (grown == NULL) {
        return false;
    }
    b->variants = grown;
    bspi_prop_variant *v = &b->variants[b->num_variants];
    *v = (bspi_prop_variant){.given = shown->path,
                             .path = keep_path(b, shown->path),
                             .key = pose,
                             .model = BSP_NONE,
                             .missing = BSP_NONE,
                             .next = b->slots[slot]};
    b->slots[slot] = (uint32_t)b->num_variants++;
    *out = v;
    return v->path.data != NULL && make_variant(b, v, shown->sequence);
}

// --- places and light ---------------------------------------------------------------------------

void bspi_prop_place(bsp_scene_prop *prop, const float origin[3], const float angles[3],
                     float scale) {
    float axes[3][3];
    bsp_angle_axes(angles, axes);
    prop->scale = scale;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            prop->place[i][j] = axes[j][i] * scale;
        }
        prop->place[i][3] = origin[i];
    }
}

void bspi_prop_to_world(const bsp_scene_prop *prop, const float in[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        const float *row = prop->place[i];
        out[i] = row[0] * in[0] + row[1] * in[1] + row[2] * in[2] + row[3];
    }
}

void bspi_prop_light(bspi_prop_builder *b, bsp_scene_prop *prop, const float point[3]) {
    memcpy(prop->light_point, point, sizeof prop->light_point);
    if (!b->scene->options->full_bright) {
        const bsp_map *map = b->scene->map;
        float cube[6][3];
        prop->light = bsp_query_light(map, b->scene->options->file, point);
        if (b->scene->options->hdr && prop->light.source == BSP_LIGHT_CUBE &&
            bsp_ambient_cube(map, bsp_query_leaf(map, point), point, true, cube)) {
            memcpy(prop->light.cube, cube, sizeof cube);
        }
    }
}

bsp_scene_prop *bspi_prop_begin(bspi_prop_builder *b, uint32_t model, bsp_scene_prop_kind kind,
                                uint32_t number) {
    bsp_scene_prop *prop = &b->props[b->num_props++];
    *prop = (bsp_scene_prop){.kind = kind,
                             .number = number,
                             .model = model,
                             .shown = true,
                             .color = {255, 255, 255, 255},
                             .look = {.mode = BSP_LOOK_NORMAL, .opacity = 1}};
    return prop;
}

bsp_scene_prop *bspi_prop_begin_variant(bspi_prop_builder *b, const bspi_prop_variant *v,
                                        bsp_scene_prop_kind kind, uint32_t number) {
    if (v->model == BSP_NONE) {
        b->missing[v->missing].props++;
        return NULL;
    }
    return bspi_prop_begin(b, v->model, kind, number);
}

bool bspi_prop_show(bspi_prop_builder *b, const bspi_shown *shown, bsp_scene_prop_kind kind,
                    uint32_t number, bsp_scene_prop **out) {
    const bspi_prop_variant *v;
    if (!bspi_prop_find(b, shown, &v)) {
        return false;
    }
    *out = bspi_prop_begin_variant(b, v, kind, number);
    return true;
}

// --- names --------------------------------------------------------------------------------------

#define NAME_SLOTS 1024u

static bsp_text name_of(const bspi_prop_builder *b, uint32_t entity) {
    return bspi_state_value(b->scene->options->state, b->scene->map, entity, "targetname");
}

static bool index_names(bspi_prop_builder *b) {
    uint32_t count = b->scene->map->entities->count;
    bspi_arena *arena = &b->scene->own->arena;
    b->names = bspi_arena_raw(arena, NAME_SLOTS, sizeof *b->names, b->error);
    b->next_names = bspi_arena_raw(arena, count, sizeof *b->next_names, b->error);
    if (b->names == NULL || b->next_names == NULL) {
        return false;
    }
    memset(b->names, 0xFF, NAME_SLOTS * sizeof *b->names); // BSP_NONE
    for (uint32_t i = count; i-- > 0;) {
        uint32_t slot = bspi_text_hash_nocase(name_of(b, i)) & (NAME_SLOTS - 1);
        b->next_names[i] = b->names[slot];
        b->names[slot] = i;
    }
    return bspi_meter_add(&b->scene->meter, count);
}

bool bspi_prop_named(bspi_prop_builder *b, bsp_text name, uint32_t *entity) {
    *entity = BSP_NONE;
    if (b->names == NULL && !index_names(b)) {
        return false;
    }
    uint32_t i = b->names[bspi_text_hash_nocase(name) & (NAME_SLOTS - 1)];
    for (; i != BSP_NONE && *entity == BSP_NONE; i = b->next_names[i]) {
        if (!bspi_meter_add(&b->scene->meter, 1)) {
            return false;
        }
        *entity = bspi_text_equal_nocase(name_of(b, i), name) ? i : BSP_NONE;
    }
    return true;
}
