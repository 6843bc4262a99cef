// SPDX-License-Identifier: MIT
// The mesh of a Source model: the strips that the body's number chooses, their vertices in the pose
// that is asked for, and what is fastened to bones. Source: the sheet models, 9.
#include "model/studio/source_mesh.h"

#include "model/matrix.h"
#include "model/studio/hitboxes.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_model.h"
#include "model/studio/source_pose.h"
#include "model/studio/source_text.h"

#include <string.h>

#define CLEARED 16 // places of a table of corners that are cleared in one step of work

/// A mesh being made.
typedef struct mesh_work {
    bspi_model_builder *b;
    const bspi_source_model *m;
    bsp_table vertices;
    float (*skin)[3][4];  ///< for each bone from the stored pose to this one
    bspi_corners corners; ///< vertices of this mesh by their number in it
    int64_t first;        ///< vertex of the mesh
} mesh_work;

static bool make_skin(mesh_work *w) {
    const bsp_model_mesh *mesh = w->b->mesh;
    bsp_table table = bspi_model_table(w->b->model->file, BSPI_SRC_BONES, 0);
    w->skin = bspi_arena_zero(w->b->arena, mesh->num_bones, sizeof *w->skin, w->b->error);
    for (uint32_t i = 0; w->skin != NULL && i < mesh->num_bones; i++) {
        float values[12];
        float to_bone[3][4];
        bspi_model_floats(&table, i, "poseToBone", 12, values);
        memcpy(to_bone, values, sizeof to_bone);
        bspi_matrix_multiply((const float(*)[4])mesh->bones[i].place, (const float(*)[4])to_bone,
                             w->skin[i]);
    }
    return w->skin != NULL;
}

static void pose_vertex(const mesh_work *w, const bsp_model_weights *weights,
                        bsp_model_vertex *vertex) {
    float place[3] = {0, 0, 0};
    float normal[3] = {0, 0, 0};
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float weight = weights->weight[i];
        if (weight > 0 && weights->bone[i] < w->b->mesh->num_bones) {
            const float(*m)[4] = (const float(*)[4])w->skin[weights->bone[i]];
            float moved[3];
            float turned[3];
            bspi_matrix_point(m, vertex->position, moved);
            bspi_matrix_direction(m, vertex->normal, turned);
            for (int axis = 0; axis < 3; axis++) {
                place[axis] += moved[axis] * weight;
                normal[axis] += turned[axis] * weight;
            }
            sum += weight;
        }
    }
    for (int axis = 0; axis < 3 && sum > 0; axis++) {
        vertex->position[axis] = place[axis] / sum;
        vertex->normal[axis] = normal[axis];
    }
}

// Returns the mesh's vertex of a number of the .mdl's mesh, or BSP_NONE.
static uint32_t add_vertex(mesh_work *w, uint32_t number) {
    int64_t at = w->first + number;
    if (at < 0 || at >= w->m->num_vertices) {
        return BSP_NONE;
    }
    uint32_t *place = bspi_corners_at(w->b, &w->corners, number, 0);
    if (*place == BSP_NONE) {
        uint32_t n = w->m->order == NULL ? (uint32_t)at : w->m->order[at];
        bsp_model_vertex vertex = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bsp_model_weights weights = {{0}, {0}};
        int64_t bones = bspi_model_int(&w->vertices, n, "numbones", 0);
        for (uint32_t i = 0; i < 3 && i < bones; i++) {
            weights.bone[i] = (uint16_t)bspi_model_int(&w->vertices, n, "bone", i);
            weights.weight[i] = bspi_model_float(&w->vertices, n, "weight", i);
        }
        bspi_model_floats(&w->vertices, n, "position", 3, vertex.position);
        bspi_model_floats(&w->vertices, n, "normal", 3, vertex.normal);
        bspi_model_floats(&w->vertices, n, "texcoord", 2, vertex.uv);
        if (!w->b->model->info.static_prop && !w->b->pose->bind_pose) {
            pose_vertex(w, &weights, &vertex);
        }
        *place = bspi_build_vertex(w->b, &vertex, w->b->mesh->num_bones == 0 ? NULL : &weights);
        if (*place == BSP_NONE || !bspi_build_number(w->b, (uint32_t)at)) {
            return BSP_NONE;
        }
    }
    return *place;
}

// Returns the vertex of an index of a strip group.
static uint32_t corner(mesh_work *w, const bsp_table *indices, const bsp_table *vertices,
                       int64_t at) {
    int64_t index =
        at >= 0 && at < indices->count ? bsp_table_int(indices, (uint32_t)at, 0, 0) : -1;
    return index < 0 || index >= vertices->count
               ? BSP_NONE
               : add_vertex(w, bspi_model_u32(vertices, (uint32_t)index, "origMeshVertID"));
}

static void add_group(mesh_work *w, uint32_t group) {
    const bsp_model_file *vtx = w->m->strips;
    bsp_table strips = bspi_model_table(vtx, BSPI_VTX_STRIPS, group);
    bsp_table indices = bspi_model_table(vtx, BSPI_VTX_INDICES, group);
    bsp_table vertices = bspi_model_table(vtx, BSPI_VTX_VERTICES, group);
    for (uint32_t s = 0; s < strips.count && !w->b->failed; s++) {
        bool strip = (bspi_model_int(&strips, s, "flags", 0) & BSPI_SOURCE_TRISTRIP) != 0;
        int64_t first = bspi_model_int(&strips, s, "indexOffset", 0);
        int64_t count = bspi_model_int(&strips, s, "numIndices", 0);
        count = count < indices.count ? count : indices.count;
        // Strips of a hostile file may all draw the same indices, and none of them a triangle.
        if (count > 0 && !bspi_meter_add(&w->b->meter, (uint64_t)count)) {
            return;
        }
        for (int64_t i = 0; i + 2 < count && !w->b->failed; i += strip ? 1 : 3) {
            bool odd = strip && i % 2 != 0;
            uint32_t a = corner(w, &indices, &vertices, first + i + (odd ? 1 : 0));
            uint32_t c = corner(w, &indices, &vertices, first + i + (odd ? 0 : 1));
            uint32_t d = corner(w, &indices, &vertices, first + i + 2);
            (void)bspi_build_triangle(w->b, a, c, d);
        }
    }
}

static uint32_t material_of(bspi_model_builder *b, uint32_t lod, int64_t reference) {
    const bspi_source_model *m = b->model->data;
    bsp_table head = bspi_model_head(b->model->file);
    bsp_table skins = bspi_model_table(b->model->file, BSPI_SRC_SKINS, 0);
    int64_t family = b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
    int64_t at = family * bspi_model_int(&head, 0, "numskinref", 0) + reference;
    int64_t texture = at >= 0 && at < skins.count ? bsp_table_int(&skins, (uint32_t)at, 0, 0) : -1;
    if (!bspi_meter_add(&b->meter, m->num_replaced)) {
        return BSP_NONE;
    }
    for (uint32_t i = 0; i < m->num_replaced; i++) {
        if (m->replaced[i].lod == lod && m->replaced[i].texture == texture) {
            return m->replaced[i].material;
        }
    }
    return texture >= 0 && texture < b->model->info.num_materials ? (uint32_t)texture : BSP_NONE;
}

// Builds the model that the body's number chooses of a part.
static bool add_part(mesh_work *w, uint32_t part) {
    const bsp_model_file *file = w->b->model->file;
    const bsp_model_file *vtx = w->m->strips;
    bsp_table parts = bspi_model_table(file, BSPI_SRC_PARTS, 0);
    bsp_table models = bspi_model_table(file, BSPI_SRC_MODELS, part);
    int64_t base = bspi_model_int(&parts, part, "base", 0);
    uint32_t chosen =
        models.count == 0 ? 0 : w->b->pose->body / (base > 0 ? (uint32_t)base : 1) % models.count;
    if (models.count == 0 || chosen >= bspi_model_table(vtx, BSPI_VTX_MODELS, part).count) {
        return true;
    }
    uint32_t n = bspi_model_records_before(vtx, BSPI_VTX_MODELS, part) + chosen;
    uint32_t lods = bspi_model_table(vtx, BSPI_VTX_LODS, n).count;
    if (lods == 0) {
        return true;
    }
    uint32_t level = w->b->pose->lod < lods ? w->b->pose->lod : lods - 1;
    uint32_t lod = bspi_model_records_before(vtx, BSPI_VTX_LODS, n) + level;
    bsp_table meshes = bspi_model_table(
        file, BSPI_SRC_MESHES, bspi_model_records_before(file, BSPI_SRC_MODELS, part) + chosen);
    uint32_t count = bspi_model_table(vtx, BSPI_VTX_MESHES, lod).count;
    for (uint32_t i = 0; i < count && i < meshes.count && !w->b->failed; i++) {
        uint32_t mesh = bspi_model_records_before(vtx, BSPI_VTX_MESHES, lod) + i;
        uint32_t group = bspi_model_records_before(vtx, BSPI_VTX_GROUPS, mesh);
        uint32_t end = group + bspi_model_table(vtx, BSPI_VTX_GROUPS, mesh).count;
        w->first = bspi_model_int(&models, chosen, "vertexindex", 0) / BSPI_SOURCE_VERTEX +
                   bspi_model_int(&meshes, i, "vertexoffset", 0);
        (void)bspi_build_group(w->b,
                               material_of(w->b, level, bspi_model_int(&meshes, i, "material", 0)),
                               part, bspi_model_text(&models, chosen, "name"));
        // Clearing is fast, but a hostile file has many meshes without triangles.
        if (!bspi_meter_add(&w->b->meter, w->corners.size / CLEARED + 1)) {
            return false;
        }
        bspi_corners_clear(&w->corners);
        for (; group < end && !w->b->meter.failed; group++) {
            add_group(w, group);
        }
    }
    return !w->b->failed && !w->b->meter.failed;
}

static bool set_attachments(bspi_model_builder *b) {
    const bsp_model_file *file = b->model->file;
    bsp_table table = bspi_model_table(file, BSPI_SRC_ATTACHMENTS, 0);
    bsp_model_attachment *list = bspi_arena_zero(b->arena, table.count, sizeof *list, b->error);
    for (uint32_t i = 0; list != NULL && i < table.count; i++) {
        int64_t bone = bspi_model_int(&table, i, "localbone", 0);
        list[i].name = bspi_source_record_text(file, BSPI_SRC_ATTACHMENTS, i, "sznameindex");
        list[i].bone = bone >= 0 && bone < b->mesh->num_bones ? (uint32_t)bone : BSP_NONE;
        float values[12];
        float local[3][4];
        bspi_model_floats(&table, i, "local", 12, values);
        memcpy(local, values, sizeof local);
        if (list[i].bone != BSP_NONE) {
            bspi_matrix_multiply((const float(*)[4])b->mesh->bones[bone].place,
                                 (const float(*)[4])local, local);
        }
        memcpy(list[i].place, local, sizeof local);
    }
    b->mesh->attachments = list;
    b->mesh->num_attachments = list == NULL ? 0 : table.count;
    return list != NULL;
}

bool bspi_source_build(bspi_model_builder *b) {
    mesh_work w = {.b = b, .m = b->model->data};
    if (!bspi_source_bones(b) || !set_attachments(b) ||
        !bspi_studio_hitboxes(b, BSPI_SRC_HITBOXES) ||
        !bspi_source_physics_build(b, &w.m->physics) || !make_skin(&w)) {
        return false;
    }
    if (w.m->vertices == NULL || w.m->strips == NULL) {
        return true;
    }
    w.vertices = bspi_model_table(w.m->vertices, BSPI_VVD_VERTICES, 0);
    // A mesh has as many vertices as it has numbers of 16 bits, at most.
    uint32_t most = w.m->num_vertices < 65536 ? w.m->num_vertices : 65536;
    if (!bspi_corners_new(b, most, &w.corners)) {
        return false;
    }
    bool done = true;
    for (uint32_t i = 0; done && i < b->model->info.num_body_parts; i++) {
        done = add_part(&w, i);
    }
    bspi_corners_free(b, &w.corners);
    return done;
}
