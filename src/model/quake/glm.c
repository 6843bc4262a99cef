// SPDX-License-Identifier: MIT
// Ghoul 2 models of Raven (GLM), and the skeletons that they name (GLA). What stands in a map shows
// the base pose, in which the file has its vertices. Source: the sheet models, 7.
#include "core/text.h"
#include "formats/table.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/skin.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define MOST_WEIGHTS 4u
#define WEIGHT_UNIT 1023.0F // of a weight of ten bits
#define SURFACE_OFF 2u      // flag of a surface: it is not shown

enum { ID_VERTICES = 1, ID_SURFACES, ID_BONES }; // targets of roles

// clang-format off

static const bsp_field glm_fields[] = {
    { NAME("ident"),            CHARS(4) },
    { NAME("version"),          I32(1) },
    { NAME("name"),             CHARS(64) },
    { NAME("animName"),         CHARS(64) },
    { NAME("animIndex"),        I32(1) },
    { NAME("numBones"),         I32(1) },
    { NAME("numLODs"),          I32(1) },
    { NAME("ofsLODs"),          I32(1) },
    { NAME("numSurfaces"),      I32(1) },
    { NAME("ofsSurfHierarchy"), I32(1) },
    { NAME("ofsEnd"),           I32(1) },
};
static LAYOUT(mdxmHeader_t, 164, glm_fields);

static const bsp_field offset_fields[] = { { NAME("offset"), I32(1) } };
static LAYOUT(mdxm_offset_t, 4, offset_fields);

static const bsp_field hierarchy_fields[] = {
    { NAME("name"),        CHARS(64) },
    { NAME("flags"),       U32(1), ROLE(FLAGS) },
    { NAME("shader"),      CHARS(64) },
    { NAME("shaderIndex"), I32(1) },
    { NAME("parentIndex"), I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_SURFACES },
    { NAME("numChildren"), I32(1) },
};
static LAYOUT(mdxmSurfHierarchy_t, 144, hierarchy_fields);

// The offset of the first surface counts from the second word.
static const bsp_field lod_fields[] = {
    { NAME("ofsEnd"), I32(1) },
    { NAME("first"),  I32(1) },
};
static LAYOUT(mdxmLOD_t, 8, lod_fields);

static const bsp_field surface_fields[] = {
    { NAME("ident"),             I32(1) },
    { NAME("thisSurfaceIndex"),  I32(1), .role = BSP_ROLE_INDEX, .target = ID_SURFACES },
    { NAME("ofsHeader"),         I32(1) },
    { NAME("numVerts"),          I32(1) },
    { NAME("ofsVerts"),          I32(1) },
    { NAME("numTriangles"),      I32(1) },
    { NAME("ofsTriangles"),      I32(1) },
    { NAME("numBoneReferences"), I32(1) },
    { NAME("ofsBoneReferences"), I32(1) },
    { NAME("ofsEnd"),            I32(1) },
};
static LAYOUT(mdxmSurface_t, 40, surface_fields);

static const bsp_field triangle_fields[] = {
    { NAME("indexes"), I32(3), .role = BSP_ROLE_INDEX, .target = ID_VERTICES },
};
static LAYOUT(mdxmTriangle_t, 12, triangle_fields);

static const bsp_field vertex_fields[] = {
    { NAME("normal"),      F32(3) },
    { NAME("vertCoords"),  F32(3) },
    { NAME("weights"),     U32(1) },
    { NAME("BoneWeights"), U8(4) },
};
static LAYOUT(mdxmVertex_t, 32, vertex_fields);

static const bsp_field number_fields[] = { { NAME(""), I32(1) } };
static LAYOUT(mdxm_number_t, 4, number_fields);

enum { OFFSETS = 1, HIERARCHY, CHILDREN, LODS, SURFACES, TRIANGLES, VERTICES, BONE_REFS };

static const bspi_model_row glm_rows[] = {
    { .name = "surface_offsets", .layout = &mdxm_offset_t, .count = "numSurfaces" },
    { .name = "hierarchy", .layout = &mdxmSurfHierarchy_t, .parent = OFFSETS, .offset = "offset", .plus = 164, .id = ID_SURFACES },
    { .name = "children", .layout = &mdxm_number_t, .parent = HIERARCHY, .count = "numChildren" },
    { .name = "lods", .layout = &mdxmLOD_t, .count = "numLODs", .offset = "ofsLODs", .chain = "ofsEnd" },
    { .name = "surfaces", .layout = &mdxmSurface_t, .parent = LODS, .count = "numSurfaces", .offset = "first", .from_record = true, .plus = 4, .chain = "ofsEnd" },
    { .name = "triangles", .layout = &mdxmTriangle_t, .parent = SURFACES, .count = "numTriangles", .offset = "ofsTriangles", .from_record = true },
    { .name = "vertices", .layout = &mdxmVertex_t, .parent = SURFACES, .count = "numVerts", .offset = "ofsVerts", .from_record = true, .id = ID_VERTICES },
    { .name = "bone_references", .layout = &mdxm_number_t, .parent = SURFACES, .count = "numBoneReferences", .offset = "ofsBoneReferences", .from_record = true },
};

// --- the skeleton -------------------------------------------------------------------------------

static const bsp_field gla_fields[] = {
    { NAME("ident"),           CHARS(4) },
    { NAME("version"),         I32(1) },
    { NAME("name"),            CHARS(64) },
    { NAME("fScale"),          F32(1) },
    { NAME("numFrames"),       I32(1) },
    { NAME("ofsFrames"),       I32(1) },
    { NAME("numBones"),        I32(1) },
    { NAME("ofsCompBonePool"), I32(1) },
    { NAME("ofsSkel"),         I32(1) },
    { NAME("ofsEnd"),          I32(1) },
};
static LAYOUT(mdxaHeader_t, 100, gla_fields);

static const bsp_field skel_fields[] = {
    { NAME("name"),           CHARS(64) },
    { NAME("flags"),          U32(1), ROLE(FLAGS) },
    { NAME("parent"),         I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_BONES },
    { NAME("BasePoseMat"),    F32(12) },
    { NAME("BasePoseMatInv"), F32(12) },
    { NAME("numChildren"),    I32(1) },
};
static LAYOUT(mdxaSkel_t, 172, skel_fields);

static const bsp_field index_fields[] = { { NAME(""), U8(3) } };
static LAYOUT(mdxaIndex_t, 3, index_fields);

enum { SKEL_OFFSETS = 1, SKEL, SKEL_CHILDREN, FRAMES };

static const bspi_model_row gla_rows[] = {
    { .name = "bone_offsets", .layout = &mdxm_offset_t, .count = "numBones" },
    { .name = "bones", .layout = &mdxaSkel_t, .parent = SKEL_OFFSETS, .offset = "offset", .plus = 100, .id = ID_BONES },
    { .name = "children", .layout = &mdxm_number_t, .parent = SKEL, .count = "numChildren" },
    { .name = "frames", .layout = &mdxaIndex_t, .count = "numFrames", .times = "numBones", .offset = "ofsFrames" },
};

// clang-format on

// --- opening ------------------------------------------------------------------------------------

static bsp_text surface_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table table = bspi_model_table(model->file, HIERARCHY, surface);
    return bspi_model_text(&table, 0, "name");
}

static bsp_text shader_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table table = bspi_model_table(model->file, HIERARCHY, surface);
    return bspi_model_text(&table, 0, "shader");
}

// Opens the skeleton; "*default" means that there is none.
static bool open_skeleton(bsp_model_asset *model, bsp_error *error) {
    bsp_table head = bspi_model_head(model->file);
    bsp_text name = bspi_model_text(&head, 0, "animName");
    const bsp_model_file *skeleton = NULL;
    if (name.size == 0 || name.data[0] == '*') {
        return true;
    }
    bsp_text path = bspi_model_join(model, name, bsp_text_of(".gla"), error);
    if (path.data == NULL ||
        !bspi_model_companion_open(model, "skeleton", path, true, &skeleton, error)) {
        return false;
    }
    if (skeleton != NULL && skeleton->def == &bspi_model_gla) {
        uint32_t bones = bspi_model_num_tables(skeleton, SKEL);
        model->info.num_bones = bones < UINT16_MAX ? bones : UINT16_MAX;
    }
    return true;
}

// The surfaces of a level of detail: as many as the head says, unless the chain ended before.
static uint32_t first_surface(const bsp_model_file *file, uint32_t lod, uint32_t *end) {
    *end = bspi_model_first_table(file, SURFACES, lod + 1);
    return bspi_model_first_table(file, SURFACES, lod);
}

static bool open_glm(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    uint32_t end;
    for (uint32_t i = first_surface(file, 0, &end); i < end; i++) {
        model->info.num_triangles += bspi_model_table(file, TRIANGLES, i).count;
        model->info.num_vertices += bspi_model_table(file, VERTICES, i).count;
    }
    uint32_t lods = bspi_model_num_tables(file, LODS);
    model->info.num_lods = lods == 0 ? 1 : lods;
    return bspi_skin_materials(model, bspi_model_num_tables(file, HIERARCHY), surface_name,
                               shader_name, error) &&
           open_skeleton(model, error);
}

// --- the mesh -----------------------------------------------------------------------------------

static bool set_bones(bspi_model_builder *b) {
    const bsp_model_file *skeleton = bspi_model_companion_find(b->model, "skeleton");
    uint32_t count = b->model->info.num_bones;
    bsp_model_bone *bones = bspi_arena_zero(b->arena, count, sizeof *bones, b->error);
    for (uint32_t i = 0; bones != NULL && skeleton != NULL && i < count; i++) {
        bsp_table bone = bspi_model_table(skeleton, SKEL, i);
        int64_t parent = bspi_model_int(&bone, 0, "parent", 0);
        bones[i].name = bspi_model_text(&bone, 0, "name");
        bones[i].parent = parent >= 0 && parent < i ? (uint32_t)parent : BSP_NONE;
        for (uint32_t k = 0; k < 12; k++) {
            bones[i].bind[k / 4][k % 4] = bspi_model_float(&bone, 0, "BasePoseMat", k);
        }
        memcpy(bones[i].place, bones[i].bind, sizeof bones[i].bind);
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = bones == NULL ? 0 : count;
    return bones != NULL;
}

// A vertex names up to four of its surface's bones in five bits each. The last weight is what the
// others leave.
static void read_weights(const bsp_table *vertices, uint32_t n, const bsp_table *references,
                         bsp_model_weights *out) {
    uint32_t packed = (uint32_t)bsp_table_int(vertices, n, 2, 0);
    uint32_t count = (packed >> 30) + 1;
    float rest = 1;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < count && i < MOST_WEIGHTS; i++) {
        uint32_t reference = packed >> 5 * i & 31;
        uint32_t high = packed >> (20 + 2 * i) & 3;
        float weight =
            (float)((uint32_t)bsp_table_int(vertices, n, 3, i) | high << 8) / WEIGHT_UNIT;
        weight = i + 1 == count ? rest : weight;
        int64_t bone =
            reference < references->count ? bsp_table_int(references, reference, 0, 0) : 0;
        out->bone[i] = bone >= 0 && bone < UINT16_MAX ? (uint16_t)bone : 0;
        out->weight[i] = weight > 0 ? weight : 0;
        rest -= weight;
    }
}

static void add_vertices(bspi_model_builder *b, uint32_t surface, const bsp_table *vertices) {
    const bsp_model_file *file = b->model->file;
    bsp_table references = bspi_model_table(file, BONE_REFS, surface);
    // The coordinates of the picture follow all vertices.
    size_t at =
        bspi_model_table_at(file, VERTICES, surface) + (size_t)vertices->count * mdxmVertex_t.size;
    for (uint32_t i = 0; i < vertices->count && !b->failed; i++) {
        bsp_model_vertex vertex = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bsp_model_weights weights;
        bsp_bytes uv = bspi_slice(file->info.bytes, (uint64_t)at + (uint64_t)i * 8, 8);
        for (uint32_t k = 0; k < 3; k++) {
            vertex.normal[k] = bsp_table_float(vertices, i, 0, k);
            vertex.position[k] = bsp_table_float(vertices, i, 1, k);
        }
        for (uint32_t k = 0; k < 2 && uv.size != 0; k++) {
            vertex.uv[k] = bspi_load_float(uv.data + k * 4, false);
        }
        read_weights(vertices, i, &references, &weights);
        (void)bspi_build_vertex(b, &vertex, b->mesh->num_bones == 0 ? NULL : &weights);
    }
}

static bool add_surface(bspi_model_builder *b, uint32_t surface, uint32_t number,
                        uint32_t material) {
    bsp_table triangles = bspi_model_table(b->model->file, TRIANGLES, surface);
    bsp_table vertices = bspi_model_table(b->model->file, VERTICES, surface);
    if (!bspi_build_group(b, material, 0, surface_name(b->model, number))) {
        return false;
    }
    uint32_t base = b->num_vertices;
    add_vertices(b, surface, &vertices);
    for (uint32_t i = 0; i < triangles.count && !b->failed; i++) {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            int64_t index = bsp_table_int(&triangles, i, 0, k);
            v[k] = index < 0 || index >= vertices.count ? BSP_NONE : base + (uint32_t)index;
        }
        (void)bspi_build_triangle(b, v[0], v[1], v[2]);
    }
    return !b->failed;
}

// Surfaces whose name begins with a star are places for other models.
static bool is_shown(const bsp_model_asset *model, uint32_t number) {
    bsp_table table = bspi_model_table(model->file, HIERARCHY, number);
    bsp_text name = bspi_model_text(&table, 0, "name");
    return table.count != 0 && (bspi_model_int(&table, 0, "flags", 0) & SURFACE_OFF) == 0 &&
           (name.size == 0 || name.data[0] != '*') && !bspi_text_ends_nocase(name, "_off");
}

static bool build_glm(bspi_model_builder *b) {
    const bsp_model_file *file = b->model->file;
    const bsp_model_info *info = &b->model->info;
    uint32_t numbers = bspi_model_num_tables(file, HIERARCHY);
    uint32_t skin = b->pose->skin < info->num_skins ? b->pose->skin : 0;
    uint32_t end;
    uint32_t i = first_surface(
        file, b->pose->lod < info->num_lods ? b->pose->lod : info->num_lods - 1, &end);
    bool done = set_bones(b);
    for (; done && i < end; i++) {
        bsp_table surface = bspi_model_table(file, SURFACES, i);
        int64_t number = bspi_model_int(&surface, 0, "thisSurfaceIndex", 0);
        if (number >= 0 && number < numbers && is_shown(b->model, (uint32_t)number)) {
            uint32_t material = skin * numbers + (uint32_t)number;
            done = bspi_skin_hides(&info->materials[material]) ||
                   add_surface(b, i, (uint32_t)number, material);
        }
    }
    return done;
}

const bspi_model_def bspi_model_glm = {
    .format = {.name = "glm", .title = "Ghoul 2 model", .ending = ".glm", .kind = BSP_MODEL_MESH},
    .magic = "2LGM",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 6,
    .last = 6,
    .head = &mdxmHeader_t,
    .rows = glm_rows,
    .num_rows = LENGTH(glm_rows),
    .open = open_glm,
    .build = build_glm,
};

const bspi_model_def bspi_model_gla = {
    .format = {.name = "gla",
               .title = "Ghoul 2 skeleton",
               .ending = ".gla",
               .kind = BSP_MODEL_COMPANION},
    .magic = "2LGA",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 6,
    .last = 6,
    .head = &mdxaHeader_t,
    .rows = gla_rows,
    .num_rows = LENGTH(gla_rows),
};
