// SPDX-License-Identifier: MIT
// Source models (MDL 44 to 49, and 52 of Titanfall) as they are opened: the files that belong to
// one, its materials and parts. The mesh is built in source_mesh.c. Source: the sheet models, 9.
#include "core/text.h"
#include "formats/source_flags.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/studio/source_includes.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_light.h"
#include "model/studio/source_model.h"
#include "model/studio/source_mesh.h"
#include "model/studio/source_text.h"

#include <string.h>

// Files of another build than the model's have another checksum; games refuse most of them.
static void compare_checksum(const bsp_model_asset *model, const bsp_model_file *file) {
    bsp_table head = bspi_model_head(file);
    bool lower = bsp_layout_find_field(head.layout, bsp_text_of("checksum")) != BSP_NONE;
    bsp_table own = bspi_model_head(model->file);
    int64_t stated = bspi_model_int(&head, 0, lower ? "checksum" : "checkSum", 0);
    int64_t wanted = bspi_model_int(&own, 0, "checksum", 0);
    if (stated != wanted) {
        bspi_issue(model->issues, BSPI_ISSUE_MODEL_COMPANION, bsp_place_none(),
                   "%s: checksum 0x%08x, but that of the model is 0x%08x", file->name,
                   (unsigned)stated, (unsigned)wanted);
    }
}

// Opens the first file of several endings that there is and that is of the format.
static bool open_beside(bsp_model_asset *model, const char *role, const char *const *endings,
                        uint32_t count, const bspi_model_def *def, const bsp_model_file **out,
                        bsp_error *error) {
    // Models that others include for their sequences draw nothing.
    bool drawn = bspi_model_num_records(model->file, BSPI_SRC_MODELS) != 0;
    *out = NULL;
    for (uint32_t i = 0; i < count && *out == NULL; i++) {
        const bsp_model_file *file = NULL;
        bsp_text name = bspi_model_sibling_name(model, "", endings[i], error);
        if (name.data == NULL ||
            !bspi_model_companion_open(model, role, name, drawn && i + 1 == count, &file, error)) {
            return false;
        }
        bool right = file != NULL && strcmp(file->def->format.name, def->format.name) == 0;
        *out = right ? file : NULL;
    }
    if (*out != NULL) {
        compare_checksum(model, *out);
    }
    return true;
}

// Puts the vertices into the order that meshes and strips mean.
static bool set_order(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    bsp_table fixups = bspi_model_table(m->vertices, BSPI_VVD_FIXUPS, 0);
    uint32_t stored = bspi_model_table(m->vertices, BSPI_VVD_VERTICES, 0).count;
    m->num_vertices = stored;
    if (fixups.count == 0) {
        return true;
    }
    m->order = bspi_arena_zero(&model->arena, stored, sizeof *m->order, error);
    uint32_t at = 0;
    for (uint32_t i = 0; m->order != NULL && i < fixups.count; i++) {
        int64_t first = bspi_model_int(&fixups, i, "sourceVertexID", 0);
        int64_t count = bspi_model_int(&fixups, i, "numVertexes", 0);
        for (int64_t k = 0; k < count && at < stored; k++) {
            m->order[at++] = first + k >= 0 && first + k < stored ? (uint32_t)(first + k) : 0;
        }
    }
    return m->order != NULL;
}

// A model without a collision model is usual.
static bool open_physics(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    const bsp_model_file *file = NULL;
    bsp_text name = bspi_model_sibling_name(model, "", ".phy", error);
    if (name.data == NULL ||
        !bspi_model_companion_open(model, "physics", name, false, &file, error)) {
        return false;
    }
    if (file == NULL || file->def != &bspi_model_source_phy) {
        return true;
    }
    compare_checksum(model, file);
    return bspi_source_physics_open(model, file, &m->physics, error);
}

static bool open_files(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    static const char *const vvd[] = {".vvd"};
    static const char *const vtx[] = {".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx"};
    return open_beside(model, "vertices", vvd, LENGTH(vvd), &bspi_model_source_vvd, &m->vertices,
                       error) &&
           open_beside(model, "strips", vtx, LENGTH(vtx), &bspi_model_source_vtx, &m->strips,
                       error) &&
           (m->vertices == NULL || set_order(model, m, error)) && open_physics(model, m, error);
}

static bool set_paths(bsp_model_asset *model, bsp_model_material *material, bsp_error *error) {
    bsp_table folders = bspi_model_table(model->file, BSPI_SRC_FOLDERS, 0);
    uint32_t count = folders.count + 1;
    bsp_text *paths = bspi_arena_zero(&model->arena, count, sizeof *paths, error);
    for (uint32_t i = 0; paths != NULL && i < folders.count; i++) {
        bsp_text folder = bspi_source_text(model->file, bsp_table_int(&folders, i, 0, 0));
        bool slash = folder.size != 0 && folder.data[folder.size - 1] != '/' &&
                     folder.data[folder.size - 1] != '\\';
        bsp_text whole = bspi_model_join(model, folder, bsp_text_of(slash ? "/" : ""), error);
        paths[i] =
            whole.data == NULL ? whole : bspi_model_join(model, whole, material->name, error);
        if (paths[i].data == NULL) {
            return false;
        }
    }
    if (paths != NULL) {
        paths[folders.count] = material->name;
    }
    material->paths = paths;
    material->num_paths = paths == NULL ? 0 : count;
    return paths != NULL;
}

static bool set_material(bsp_model_asset *model, bsp_model_material *material, bsp_text name,
                         bsp_error *error) {
    material->name = bspi_model_join(model, name, (bsp_text){NULL, 0}, error);
    return material->name.data != NULL && set_paths(model, material, error) &&
           bspi_heap_work(&model->heap, material->num_paths, error);
}

// Adds the materials that levels of detail draw in place of others; those of one name are one. A
// file that states no place of their lists, which would be its own head, has none.
static bool set_replaced(bsp_model_asset *model, bspi_source_model *m, bsp_model_material *list,
                         bsp_error *error) {
    const bsp_model_file *vtx = m->strips;
    bsp_table head = bspi_model_head(vtx == NULL ? model->file : vtx);
    bool stated = vtx != NULL && bspi_model_int(&head, 0, "materialReplacementListOffset", 0) != 0;
    uint32_t lists = stated ? bspi_model_num_tables(vtx, BSPI_VTX_REPLACED) : 0;
    uint32_t count = vtx == NULL ? 0 : bspi_model_num_records(vtx, BSPI_VTX_REPLACED);
    uint32_t *used = &model->info.num_materials;
    m->replaced = bspi_arena_raw(&model->arena, count, sizeof *m->replaced, error);
    for (uint32_t lod = 0; m->replaced != NULL && lod < lists; lod++) {
        bsp_table table = bspi_model_table(vtx, BSPI_VTX_REPLACED, lod);
        size_t at = bspi_model_table_at(vtx, BSPI_VTX_REPLACED, lod);
        for (uint32_t i = 0; i < table.count && m->num_replaced < count; i++) {
            int64_t texture = bsp_table_int(&table, i, 0, 0);
            bsp_text name = bspi_source_text(vtx, (int64_t)(at + (size_t)i * table.layout->size) +
                                                      bsp_table_int(&table, i, 1, 0));
            uint32_t same = 0;
            while (same < *used && !bspi_text_equal_nocase(list[same].name, name)) {
                same++;
            }
            if (!bspi_heap_work(&model->heap, same + 1, error) ||
                (same == *used && !set_material(model, &list[same], name, error))) {
                return false;
            }
            *used += same == *used;
            m->replaced[m->num_replaced++] =
                (bspi_source_replaced){lod, texture < 0 ? BSP_NONE : (uint32_t)texture, same};
        }
    }
    return m->replaced != NULL;
}

static bool set_materials(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    uint32_t count = bspi_model_table(model->file, BSPI_SRC_TEXTURES, 0).count;
    uint32_t more = m->strips == NULL ? 0 : bspi_model_num_records(m->strips, BSPI_VTX_REPLACED);
    bsp_model_material *list = bspi_model_materials(model, count + more, error);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        if (!set_material(model, &list[i],
                          bspi_source_record_text(model->file, BSPI_SRC_TEXTURES, i, "sznameindex"),
                          error)) {
            return false;
        }
    }
    model->info.num_materials = list == NULL ? 0 : count;
    return list != NULL && set_replaced(model, m, list, error);
}

static bool set_parts(bsp_model_asset *model, bsp_error *error) {
    uint32_t count = bspi_model_num_tables(model->file, BSPI_SRC_MODELS);
    uint32_t *choices = bspi_arena_raw(&model->arena, count, sizeof *choices, error);
    for (uint32_t i = 0; choices != NULL && i < count; i++) {
        choices[i] = bspi_model_table(model->file, BSPI_SRC_MODELS, i).count;
    }
    model->info.choices = choices;
    model->info.num_body_parts = choices == NULL ? 0 : count;
    return choices != NULL;
}

// Counts what strips of the first level of detail draw, in all choices.
static void count_triangles(bsp_model_asset *model, const bspi_source_model *m) {
    const bsp_model_file *vtx = m->strips;
    bsp_table head = bspi_model_head(vtx);
    int64_t lods = bspi_model_int(&head, 0, "numLODs", 0);
    model->info.num_lods = lods > 1 && lods <= 8 ? (uint32_t)lods : 1;
    for (uint32_t n = 0; n < bspi_model_num_tables(vtx, BSPI_VTX_LODS); n++) {
        uint32_t lod = bspi_model_records_before(vtx, BSPI_VTX_LODS, n);
        uint32_t meshes = bspi_model_table(vtx, BSPI_VTX_LODS, n).count == 0
                              ? 0
                              : bspi_model_table(vtx, BSPI_VTX_MESHES, lod).count;
        for (uint32_t i = 0; i < meshes; i++) {
            uint32_t mesh = bspi_model_records_before(vtx, BSPI_VTX_MESHES, lod) + i;
            uint32_t group = bspi_model_records_before(vtx, BSPI_VTX_GROUPS, mesh);
            uint32_t end = group + bspi_model_table(vtx, BSPI_VTX_GROUPS, mesh).count;
            for (; group < end; group++) {
                bsp_table strips = bspi_model_table(vtx, BSPI_VTX_STRIPS, group);
                for (uint32_t s = 0; s < strips.count; s++) {
                    int64_t indices = bspi_model_int(&strips, s, "numIndices", 0);
                    bool strip =
                        (bspi_model_int(&strips, s, "flags", 0) & BSPI_SOURCE_TRISTRIP) != 0;
                    indices = strip ? (indices < 2 ? 0 : indices - 2) : indices / 3;
                    model->info.num_triangles += indices < 0 ? 0 : (uint32_t)indices;
                }
            }
        }
    }
}

static bool open_source(bsp_model_asset *model, bsp_error *error) {
    bsp_model_info *info = &model->info;
    bsp_table head = bspi_model_head(model->file);
    bspi_source_model *m = bspi_arena_zero(&model->arena, 1, sizeof *m, error);
    if (m == NULL) {
        return false;
    }
    model->data = m;
    info->num_bones = bspi_model_table(model->file, BSPI_SRC_BONES, 0).count;
    info->flags = bspi_model_u32(&head, 0, "flags");
    info->contents = bspi_model_u32(&head, 0, "contents");
    info->static_prop = (info->flags & BSPI_MODEL_STATIC_PROP) != 0;
    if (!open_files(model, m, error)) {
        return false;
    }
    bspi_model_floats(&head, 0, "eyeposition", 3, info->eye);
    bspi_model_floats(&head, 0, "illumposition", 3, info->illumination);
    bspi_model_floats(&head, 0, "hull_min", 3, info->hull_mins);
    bspi_model_floats(&head, 0, "hull_max", 3, info->hull_maxs);
    info->num_vertices = m->num_vertices;
    info->num_hulls = m->physics.num_hulls;
    if (m->strips != NULL) {
        count_triangles(model, m);
    }
    int64_t families = bspi_model_int(&head, 0, "numskinfamilies", 0);
    info->num_skins = families > 1 && families <= UINT16_MAX ? (uint32_t)families : 1;
    return set_materials(model, m, error) && bspi_source_includes_open(model, m, error) &&
           set_parts(model, error);
}

// Titanfall's records are as large as before and have all that is used here at the same places; its
// whole frames have other flags. Source: rsx (studio_r1.h). There are no versions 50 and 51.
static bool accepts_source(bsp_bytes bytes) {
    uint32_t version = bytes.size < 8 ? 0 : bspi_load32(bytes.data + 4, false);
    return version <= 49 || version == BSPI_SOURCE_TITANFALL;
}

const bspi_model_def bspi_model_source_mdl = {
    .format = {.name = "source-mdl",
               .title = "Source model",
               .ending = ".mdl",
               .kind = BSP_MODEL_MESH},
    .magic = "IDST",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 44,
    .last = BSPI_SOURCE_TITANFALL,
    .accepts = accepts_source,
    .head = &bspi_studiohdr_t,
    .rows = bspi_source_rows,
    .num_rows = BSPI_SRC_ROWS,
    .open = open_source,
    .build = bspi_source_build,
    .light = bspi_source_light,
};
