// SPDX-License-Identifier: MIT
// The light of the vertices of one static prop (.vhv): a colour for each vertex of each group of
// strips, in the order of the .vtx. Source: the sheet models, 9.8.
#include "model/studio/source_light.h"

#include "core/buffer.h"
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

// --- groups of strips ---------------------------------------------------------------------------

/// Is called with each group of strips in the order of the .vtx: its number, its level of detail,
/// and the vertex of the model that its vertices count from.
typedef void group_visitor(void *user, uint32_t group, uint32_t level, int64_t first);

// Visits the groups of all levels of a model: the chosen one of a body part.
static void visit_model(const bsp_model_asset *model, uint32_t part, uint32_t choice,
                        group_visitor *visit, void *user) {
    const bsp_model_file *mdl = model->file;
    const bsp_model_file *vtx = ((const bspi_source_model *)model->data)->strips;
    bsp_table models = bspi_model_table(mdl, BSPI_SRC_MODELS, part);
    uint32_t number = bspi_model_records_before(mdl, BSPI_SRC_MODELS, part) + choice;
    bsp_table meshes = bspi_model_table(mdl, BSPI_SRC_MESHES, number);
    int64_t start = bspi_model_int(&models, choice, "vertexindex", 0) / BSPI_SOURCE_VERTEX;
    uint32_t drawn = bspi_model_records_before(vtx, BSPI_VTX_MODELS, part) + choice;
    uint32_t first = bspi_model_records_before(vtx, BSPI_VTX_LODS, drawn);
    uint32_t levels = bspi_model_table(vtx, BSPI_VTX_LODS, drawn).count;
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t lod = first + level;
        uint32_t count = bspi_model_table(vtx, BSPI_VTX_MESHES, lod).count;
        for (uint32_t i = 0; i < count && i < meshes.count; i++) {
            uint32_t mesh = bspi_model_records_before(vtx, BSPI_VTX_MESHES, lod) + i;
            uint32_t group = bspi_model_records_before(vtx, BSPI_VTX_GROUPS, mesh);
            uint32_t end = group + bspi_model_table(vtx, BSPI_VTX_GROUPS, mesh).count;
            for (; group < end; group++) {
                visit(user, group, level, start + bspi_model_int(&meshes, i, "vertexoffset", 0));
            }
        }
    }
}

static void visit_groups(const bsp_model_asset *model, group_visitor *visit, void *user) {
    const bspi_source_model *m = model->data;
    uint32_t parts = bspi_model_num_tables(model->file, BSPI_SRC_MODELS);
    for (uint32_t part = 0; part < parts; part++) {
        uint32_t choices = bspi_model_table(model->file, BSPI_SRC_MODELS, part).count;
        uint32_t drawn = bspi_model_table(m->strips, BSPI_VTX_MODELS, part).count;
        for (uint32_t i = 0; i < choices && i < drawn; i++) {
            visit_model(model, part, i, visit, user);
        }
    }
}

// --- reading ------------------------------------------------------------------------------------

// A vertex that several groups have takes the light of the first: that of the finest level.
static void light_group(void *user, uint32_t group, uint32_t level, int64_t first) {
    const lit *l = user;
    (void)level;
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
    visit_groups(model, light_group, &l);
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        uint32_t number = mesh->vertex_numbers[i];
        static const uint8_t none[4] = {0, 0, 0, 0};
        memcpy(colors[i], number < m->num_vertices ? l.of[number] : none, sizeof *colors);
    }
    bspi_heap_free(heap, l.of, size);
    return true;
}

// --- writing ------------------------------------------------------------------------------------

#define ALIGNED 512u // bytes: colours begin at a multiple of it, and the file ends there

typedef struct writer {
    const bsp_model_asset *model;
    const uint8_t (*colors)[3];
    bspi_buffer head;    // of the file, and of the groups
    bspi_buffer colored; // vertices, a group after another
    uint32_t groups;
    uint32_t vertices;
    uint32_t first; // byte of the file at which colours begin; 0: groups are counted
} writer;

static void add_group(void *user, uint32_t group, uint32_t level, int64_t first) {
    static const uint8_t unused[16] = {0};
    writer *w = user;
    const bspi_source_model *m = w->model->data;
    bsp_table vertices = bspi_model_table(m->strips, BSPI_VTX_VERTICES, group);
    if (w->first == 0) {
        w->groups++;
        w->vertices += vertices.count;
        return;
    }
    bspi_buffer_u32(&w->head, level, false);
    bspi_buffer_u32(&w->head, vertices.count, false);
    bspi_buffer_u32(&w->head, w->first + (uint32_t)w->colored.size, false);
    bspi_buffer_add(&w->head, unused, sizeof unused);
    uint8_t *to = bspi_buffer_grow(&w->colored, (size_t)vertices.count * COLORS);
    for (uint32_t i = 0; to != NULL && i < vertices.count; i++, to += COLORS) {
        int64_t at = first + bspi_model_int(&vertices, i, "origMeshVertID", 0);
        bool known = at >= 0 && at < m->num_vertices;
        for (uint32_t c = 0; c < 3; c++) {
            to[c] = known ? w->colors[at][2 - c] : 0;
        }
        to[3] = 255;
    }
}

static void add_head(writer *w) {
    bsp_table own = bspi_model_head(w->model->file);
    const uint32_t numbers[] = {
        2, bspi_model_u32(&own, 0, "checksum"), COLORS, COLORS, w->vertices, w->groups, 0, 0, 0, 0};
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        bspi_buffer_u32(&w->head, numbers[i], false);
    }
}

uint32_t bspi_source_light_count(const bsp_model_asset *model) {
    const bspi_source_model *m = model->data;
    return model->def->light == bspi_source_light && m->strips != NULL && m->vertices != NULL
               ? m->num_vertices
               : 0;
}

void bspi_source_light_vertex(const bsp_model_asset *model, uint32_t number, float point[3],
                              float normal[3]) {
    const bspi_source_model *m = model->data;
    bsp_table vertices = bspi_model_table(m->vertices, BSPI_VVD_VERTICES, 0);
    uint32_t n = m->order == NULL ? number : m->order[number];
    bspi_model_floats(&vertices, n, "position", 3, point);
    bspi_model_floats(&vertices, n, "normal", 3, normal);
}

bool bspi_source_light_write(const bsp_model_asset *model, const uint8_t (*colors)[3],
                             bsp_blob *out, bsp_error *error) {
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&model->heap;
    writer w = {.model = model, .colors = colors};
    w.head = (bspi_buffer){.heap = heap, .error = error};
    w.colored = w.head;
    visit_groups(model, add_group, &w);
    uint64_t head = vhv_fileheader_t.size + (uint64_t)w.groups * vhv_meshheader_t.size;
    uint64_t size = head + ALIGNED + (uint64_t)w.vertices * COLORS;
    if (w.groups > MOST_MESHES || size > INT32_MAX) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "the model has too many groups of strips");
    }
    w.first = ((uint32_t)head + ALIGNED - 1) / ALIGNED * ALIGNED;
    add_head(&w);
    visit_groups(model, add_group, &w);
    bspi_buffer_align(&w.head, ALIGNED);
    bspi_buffer_add(&w.head, w.colored.data, w.colored.size);
    bspi_buffer_align(&w.head, ALIGNED);
    bool done = !w.head.failed && !w.colored.failed && bspi_buffer_give(&w.head, out);
    bspi_buffer_free(&w.head);
    bspi_buffer_free(&w.colored);
    return done;
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
