// SPDX-License-Identifier: MIT
// The light of the vertices of one static prop (.vhv): a colour for each vertex of each group of
// strips, in the order of the .vtx. Source: the sheet models, 9.8.
#include "model/studio/source_light.h"

#include "formats/table.h"
#include "model/formats.h"
#include "model/rows.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_model.h"

#include <string.h>

#define COLORS 4u // flag of the vertices, and bytes of each: other kinds are not known
#define MOST_MESHES 65536u

enum { VHV_MESHES = 1, VHV_COLORS };

// clang-format off
static const bsp_field head_fields[] = {
    { NAME("m_nVersion"),     I32(1) },
    { NAME("m_nChecksum"),    I32(1) },
    { NAME("m_nVertFlags"),   U32(1) },
    { NAME("m_nVertexSize"),  U32(1) },
    { NAME("m_nVertexes"),    U32(1) },
    { NAME("m_nMeshes"),      I32(1) },
    { NAME("m_nUnused"),      PAD(16) },
};
static LAYOUT(vhv_fileheader_t, 40, head_fields);

static const bsp_field mesh_fields[] = {
    { NAME("m_nLod"),      U32(1) },
    { NAME("m_nVertexes"), U32(1) },
    { NAME("m_nOffset"),   U32(1) },
    { NAME("m_nUnused"),   PAD(16) },
};
static LAYOUT(vhv_meshheader_t, 28, mesh_fields);

static const bsp_field color_fields[] = {
    { NAME("b"), U8(1) },
    { NAME("g"), U8(1) },
    { NAME("r"), U8(1) },
    { NAME("a"), U8(1) },
};
static LAYOUT(vhv_color32_t, 4, color_fields);

static const bspi_model_row vhv_rows[] = {
    { .name = "meshes", .layout = &vhv_meshheader_t, .count = "m_nMeshes" },
    { .name = "colors", .layout = &vhv_color32_t, .parent = VHV_MESHES, .count = "m_nVertexes", .offset = "m_nOffset" },
};
// clang-format on

static bool accepts_vhv(bsp_bytes bytes) {
    bsp_table head = {&vhv_fileheader_t, bytes.data, 1, false};
    return bytes.size >= vhv_fileheader_t.size &&
           bspi_model_int(&head, 0, "m_nVertFlags", 0) == COLORS &&
           bspi_model_int(&head, 0, "m_nVertexSize", 0) == COLORS &&
           bspi_model_int(&head, 0, "m_nMeshes", 0) >= 0 &&
           bspi_model_int(&head, 0, "m_nMeshes", 0) <= MOST_MESHES;
}

// --- onto the vertices --------------------------------------------------------------------------

/// Colours of all vertices of a model, by their numbers; alpha 0: none yet.
typedef struct lit {
    const bsp_model_asset *model;
    const bspi_source_model *m;
    const bsp_model_file *light;
    uint8_t (*of)[4];
} lit;

// The groups of strips must be those that the light was made for.
static bool groups_match(const lit *l) {
    bsp_table meshes = bspi_model_table(l->light, VHV_MESHES, 0);
    uint32_t groups = bspi_model_num_records(l->m->strips, BSPI_VTX_GROUPS);
    bool same = meshes.count == groups;
    for (uint32_t i = 0; same && i < groups; i++) {
        same = bspi_model_table(l->light, VHV_COLORS, i).count ==
               bspi_model_table(l->m->strips, BSPI_VTX_VERTICES, i).count;
    }
    return same;
}

// A vertex that several groups have takes the light of the first: that of the finest level.
static void light_group(const lit *l, uint32_t group, int64_t first) {
    bsp_table vertices = bspi_model_table(l->m->strips, BSPI_VTX_VERTICES, group);
    bsp_table colors = bspi_model_table(l->light, VHV_COLORS, group);
    for (uint32_t i = 0; i < vertices.count; i++) {
        int64_t at = first + bspi_model_int(&vertices, i, "origMeshVertID", 0);
        if (at < 0 || at >= l->m->num_vertices || l->of[at][3] != 0) {
            continue;
        }
        for (uint32_t c = 0; c < 3; c++) {
            l->of[at][c] = (uint8_t)bsp_table_int(&colors, i, 2 - c, 0);
        }
        l->of[at][3] = 255;
    }
}

// Lights the groups of all levels of a model: the chosen one of a body part.
static void light_model(const lit *l, uint32_t part, uint32_t choice) {
    const bsp_model_file *mdl = l->model->file;
    const bsp_model_file *vtx = l->m->strips;
    bsp_table models = bspi_model_table(mdl, BSPI_SRC_MODELS, part);
    uint32_t number = bspi_model_records_before(mdl, BSPI_SRC_MODELS, part) + choice;
    bsp_table meshes = bspi_model_table(mdl, BSPI_SRC_MESHES, number);
    int64_t start = bspi_model_int(&models, choice, "vertexindex", 0) / BSPI_SOURCE_VERTEX;
    uint32_t drawn = bspi_model_records_before(vtx, BSPI_VTX_MODELS, part) + choice;
    uint32_t lod = bspi_model_records_before(vtx, BSPI_VTX_LODS, drawn);
    uint32_t last = lod + bspi_model_table(vtx, BSPI_VTX_LODS, drawn).count;
    for (; lod < last; lod++) {
        uint32_t count = bspi_model_table(vtx, BSPI_VTX_MESHES, lod).count;
        for (uint32_t i = 0; i < count && i < meshes.count; i++) {
            uint32_t mesh = bspi_model_records_before(vtx, BSPI_VTX_MESHES, lod) + i;
            uint32_t group = bspi_model_records_before(vtx, BSPI_VTX_GROUPS, mesh);
            uint32_t end = group + bspi_model_table(vtx, BSPI_VTX_GROUPS, mesh).count;
            for (; group < end; group++) {
                light_group(l, group, start + bspi_model_int(&meshes, i, "vertexoffset", 0));
            }
        }
    }
}

static void light_all(const lit *l) {
    uint32_t parts = bspi_model_num_tables(l->model->file, BSPI_SRC_MODELS);
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t choices = bspi_model_table(l->model->file, BSPI_SRC_MODELS, part).count;
        uint32_t drawn = bspi_model_table(l->m->strips, BSPI_VTX_MODELS, part).count;
        for (uint32_t i = 0; i < choices && i < drawn; i++) {
            light_model(l, part, i);
        }
    }
}

static bool fits(const lit *l, bsp_error *error) {
    if (l->light->def != &bspi_model_source_vhv) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "%s is no light of vertices", l->light->name);
    }
    bsp_table head = bspi_model_head(l->light);
    bsp_table own = bspi_model_head(l->model->file);
    if (bspi_model_int(&head, 0, "m_nChecksum", 0) != bspi_model_int(&own, 0, "checksum", 0)) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s was made for another model",
                        l->light->name);
    }
    return groups_match(l) ||
           bsp_fail(error, BSP_E_ARGUMENT, NULL,
                    "%s was made for other strips than those of the model", l->light->name);
}

bool bspi_source_light(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                       const bsp_model_file *light, uint8_t (*colors)[4], bsp_error *error) {
    const bspi_source_model *m = model->data;
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&model->heap;
    lit l = {.model = model, .m = m, .light = light};
    if (m->strips == NULL || m->vertices == NULL) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "the model has no vertices to light");
    }
    uint64_t steps = (uint64_t)bspi_model_num_records(m->strips, BSPI_VTX_VERTICES) +
                     mesh->num_vertices + m->num_vertices;
    if (!fits(&l, error) || !bspi_heap_work(heap, steps, error)) {
        return false;
    }
    size_t size = (size_t)m->num_vertices * sizeof *l.of;
    l.of = bspi_heap_alloc(heap, size, error);
    if (l.of == NULL) {
        return false;
    }
    memset(l.of, 0, size);
    light_all(&l);
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        uint32_t number = mesh->vertex_numbers[i];
        static const uint8_t none[4] = {0, 0, 0, 0};
        memcpy(colors[i], number < m->num_vertices ? l.of[number] : none, sizeof *colors);
    }
    bspi_heap_free(heap, l.of, size);
    return true;
}

const bspi_model_def bspi_model_source_vhv = {
    .format = {.name = "source-vhv",
               .title = "light of a Source static prop",
               .ending = ".vhv",
               .kind = BSP_MODEL_COMPANION},
    .version_at = 0,
    .version_size = 4,
    .version = 2,
    .last = 2,
    .accepts = accepts_vhv,
    .head = &vhv_fileheader_t,
    .rows = vhv_rows,
    .num_rows = LENGTH(vhv_rows),
};
