// SPDX-License-Identifier: MIT
// The collision model of a Source model (.phy): solids as in the physics of maps, then a text that
// names the bone of each. Source: the sheet models, 9.7.
#include "model/studio/source_physics.h"

#include "core/text.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/matrix.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_text.h"
#include "records/physics_pieces.h"
#include "records/physics_solid.h"

#include <math.h>
#include <string.h>

#define HEAD_SIZE 16u
#define MOST_SOLIDS 4096u

// clang-format off
static const bsp_field phyheader_fields[] = {
    { NAME("size"),       I32(1) },
    { NAME("id"),         I32(1) },
    { NAME("solidCount"), I32(1) },
    { NAME("checkSum"),   I32(1) },
};
static LAYOUT(phyheader_t, 16, phyheader_fields);
// clang-format on

// --- the file -----------------------------------------------------------------------------------

static void parse_phy(bspi_parse *parse) {
    size_t at = bspi_parse_solids(parse, HEAD_SIZE, parse->data.size, bspi_parse_u32(parse, 8));
    bspi_parse_solid_keys(parse, at, parse->data.size - at);
}

// There is no magic: the size of the head, and the mark of the first solid, whose surface has it
// where an old compiler wrote no head.
static bool accepts_phy(bsp_bytes bytes) {
    if (bytes.size < HEAD_SIZE + 8) {
        return false;
    }
    uint32_t count = bspi_load32(bytes.data + 8, false);
    uint32_t size = bspi_load32(bytes.data + HEAD_SIZE, false);
    bsp_bytes old = bspi_slice(bytes, HEAD_SIZE + 4 + bspi_ivp_layouts(false)->mark, 4);
    return bspi_load32(bytes.data, false) == HEAD_SIZE && count >= 1 && count <= MOST_SOLIDS &&
           size <= bytes.size - HEAD_SIZE - 4 &&
           (bspi_load32(bytes.data + HEAD_SIZE + 4, false) == BSPI_PHYSICS_VPHY ||
            (old.size != 0 && bspi_load32(old.data, false) == BSPI_PHYSICS_IVPS));
}

// --- solids and bones ---------------------------------------------------------------------------

static uint32_t find_bone(const bsp_model_file *mdl, bsp_text name) {
    bsp_table bones = bspi_model_table(mdl, BSPI_SRC_BONES, 0);
    size_t at = bspi_model_table_at(mdl, BSPI_SRC_BONES, 0);
    for (uint32_t i = 0; i < bones.count; i++, at += bones.layout->size) {
        bsp_text bone =
            bspi_source_text(mdl, (int64_t)at + bspi_model_int(&bones, i, "sznameindex", 0));
        if (bspi_text_equal_nocase(bone, name)) {
            return i;
        }
    }
    return BSP_NONE;
}

static uint32_t number_of(bsp_text text) {
    uint32_t value = 0;
    for (size_t i = 0; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
        value = value > MOST_SOLIDS ? value : value * 10 + (uint32_t)(text.data[i] - '0');
    }
    return value;
}

// Sets the bone of each solid from blocks "solid" of the text, which state its index and its name.
static bool name_bones(const bsp_model_asset *model, bsp_text text, uint32_t *bones, uint32_t count,
                       bsp_error *error) {
    bsp_text_options options = {.allocator = &model->heap.allocator, .budget = model->heap.budget};
    bsp_key_values *keys = bsp_key_values_parse(text, &options, error);
    bspi_meter meter = {.heap = (bspi_heap *)(uintptr_t)&model->heap, .error = error};
    uint64_t names = bspi_model_table(model->file, BSPI_SRC_BONES, 0).count;
    if (keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < keys->count; i = keys->list[i].end) {
        if (!keys->list[i].block ||
            !bspi_text_equal_nocase(keys->list[i].key, bsp_text_of("solid"))) {
            continue;
        }
        uint32_t solid = number_of(bsp_key_values_get(keys, i, "index"));
        if (solid < count && bspi_meter_add(&meter, names + 1)) {
            bones[solid] = find_bone(model->file, bsp_key_values_get(keys, i, "name"));
        }
    }
    bsp_key_values_free(keys);
    return bspi_meter_pay(&meter);
}

// The points of a single solid are in the space of the model, and so are those of a static prop,
// which is never posed. Of several solids each is in the space of its bone.
static uint32_t *find_bones(bsp_model_asset *model, const bsp_model_file *file, uint32_t count,
                            bsp_error *error) {
    uint32_t *bones = bspi_arena_raw(&model->arena, count, sizeof *bones, error);
    for (uint32_t i = 0; bones != NULL && i < count; i++) {
        bones[i] = BSP_NONE;
    }
    uint32_t keys = bsp_parts_find(&file->parts, bsp_text_of("keydata"));
    if (bones == NULL || count < 2 || model->info.static_prop || keys == BSP_NONE) {
        return bones;
    }
    const bsp_part *part = &file->parts.parts[keys];
    bsp_text text = {(const char *)file->parts.data.data + part->offset, part->size};
    return name_bones(model, text, bones, count, error) ? bones : NULL;
}

// --- hulls --------------------------------------------------------------------------------------

static void *keep(bsp_model_asset *model, const void *data, size_t count, size_t size,
                  bsp_error *error) {
    void *copy = bspi_arena_raw(&model->arena, count, size, error);
    if (copy != NULL && count != 0) {
        memcpy(copy, data, count * size);
    }
    return copy;
}

static bool keep_pieces(bsp_model_asset *model, const bspi_solid_pieces *pieces,
                        const uint32_t *bones, bspi_source_physics *out, bsp_error *error) {
    out->hulls = bspi_arena_raw(&model->arena, pieces->count, sizeof *out->hulls, error);
    out->points = keep(model, pieces->points, pieces->num_points, sizeof *out->points, error);
    out->indices = keep(model, pieces->indices, pieces->num_indices, sizeof *out->indices, error);
    if (out->hulls == NULL || out->points == NULL || out->indices == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < pieces->count; i++) {
        const bspi_solid_piece *p = &pieces->pieces[i];
        out->hulls[i] = (bsp_model_hull){.bone = bones[p->solid],
                                         .solid = p->solid,
                                         .first_point = p->first_point,
                                         .num_points = p->num_points,
                                         .first_index = p->first_index,
                                         .num_indices = p->num_indices};
        for (uint32_t k = 0; k < p->num_indices; k++) {
            out->indices[p->first_index + k] += p->first_point;
        }
    }
    out->num_hulls = pieces->count;
    out->num_points = pieces->num_points;
    out->num_indices = pieces->num_indices;
    return true;
}

bool bspi_source_physics_open(bsp_model_asset *model, const bsp_model_file *file,
                              bspi_source_physics *out, bsp_error *error) {
    uint32_t list = bsp_parts_find(&file->parts, bsp_text_of("solids"));
    bspi_solid_pieces pieces = {.pieces = NULL};
    bool done = list != BSP_NONE;
    uint32_t count = 0;
    uint32_t end = done ? file->parts.parts[list].end : 0;
    for (uint32_t i = list + 1; done && i < end; i = file->parts.parts[i].end, count++) {
        done = bspi_solid_pieces_add(&pieces, &file->parts, i, count, &model->heap, error);
    }
    uint32_t *bones = done ? find_bones(model, file, count, error) : NULL;
    done = bones != NULL && keep_pieces(model, &pieces, bones, out, error);
    bspi_solid_pieces_free(&pieces, &model->heap);
    return done;
}

// A point by its bone; bones of a damaged model may lead out of all numbers.
static void place_point(const bsp_model_bone *bone, const float point[3], float out[3]) {
    bspi_matrix_point((const float(*)[4])bone->place, point, out);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = isfinite(out[axis]) ? out[axis] : 0;
    }
}

bool bspi_source_physics_build(bspi_model_builder *b, const bspi_source_physics *physics) {
    bsp_model_mesh *mesh = b->mesh;
    size_t size = sizeof *physics->points;
    float(*points)[3] = bspi_arena_raw(b->arena, physics->num_points, size, b->error);
    if (points == NULL || !bspi_meter_add(&b->meter, physics->num_points)) {
        return false;
    }
    for (uint32_t i = 0; i < physics->num_hulls; i++) {
        const bsp_model_hull *hull = &physics->hulls[i];
        for (uint32_t k = hull->first_point; k < hull->first_point + hull->num_points; k++) {
            if (hull->bone < mesh->num_bones) {
                place_point(&mesh->bones[hull->bone], physics->points[k], points[k]);
            } else {
                memcpy(points[k], physics->points[k], size);
            }
        }
    }
    mesh->hulls = physics->hulls;
    mesh->num_hulls = physics->num_hulls;
    mesh->hull_points = (const float(*)[3])points;
    mesh->num_hull_points = physics->num_points;
    mesh->hull_indices = physics->indices;
    mesh->num_hull_indices = physics->num_indices;
    return true;
}

const bspi_model_def bspi_model_source_phy = {
    .format = {.name = "source-phy",
               .title = "collision model of a Source model",
               .ending = ".phy",
               .kind = BSP_MODEL_COMPANION},
    .accepts = accepts_phy,
    .head = &phyheader_t,
    .parse = parse_phy,
};
