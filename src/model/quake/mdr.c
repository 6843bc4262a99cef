// SPDX-License-Identifier: MIT
// Skeletal models of Raven's Quake 3 games (MDR). Every frame has the matrices of all bones, whole
// or packed, and a vertex lies at a place of its own in each of its bones. Source: the sheet
// models, 7.
#include "core/text.h"
#include "formats/table.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/matrix.h"
#include "model/open.h"
#include "model/quake/skin.h"
#include "model/rows.h"

#include <string.h>

#define BONE_SIZE 48u        // three rows of four floats
#define PACKED_BONE_SIZE 24u // twelve numbers of 16 bits
#define VERTEX_SIZE 24u      // without its weights
#define WEIGHT_SIZE 20u

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("ident"),     CHARS(4) },
    { NAME("version"),   I32(1) },
    { NAME("name"),      CHARS(64) },
    { NAME("numFrames"), I32(1) },
    { NAME("numBones"),  I32(1) },
    { NAME("ofsFrames"), I32(1) },
    { NAME("numLODs"),   I32(1) },
    { NAME("ofsLODs"),   I32(1) },
    { NAME("numTags"),   I32(1) },
    { NAME("ofsTags"),   I32(1) },
    { NAME("ofsEnd"),    I32(1) },
};
static LAYOUT(mdrHeader_t, 104, head_fields);

static const bsp_field frame_fields[] = {
    { NAME("bounds"),      F32(6), ROLE(BOUNDS) },
    { NAME("localOrigin"), F32(3) },
    { NAME("radius"),      F32(1) },
    { NAME("name"),        CHARS(16) },
};
static LAYOUT(mdrFrame_t, 56, frame_fields);

static const bsp_field packed_frame_fields[] = {
    { NAME("bounds"),      F32(6), ROLE(BOUNDS) },
    { NAME("localOrigin"), F32(3) },
    { NAME("radius"),      F32(1) },
};
static LAYOUT(mdrCompFrame_t, 40, packed_frame_fields);

static const bsp_field bone_fields[] = { { NAME("matrix"), F32(12) } };
static LAYOUT(mdrBone_t, BONE_SIZE, bone_fields);

static const bsp_field packed_bone_fields[] = { { NAME("Comp"), U16(12) } };
static LAYOUT(mdrCompBone_t, PACKED_BONE_SIZE, packed_bone_fields);

static const bsp_field lod_fields[] = {
    { NAME("numSurfaces"), I32(1) },
    { NAME("ofsSurfaces"), I32(1) },
    { NAME("ofsEnd"),      I32(1) },
};
static LAYOUT(mdrLOD_t, 12, lod_fields);

static const bsp_field surface_fields[] = {
    { NAME("ident"),             I32(1) },
    { NAME("name"),              CHARS(64) },
    { NAME("shader"),            CHARS(64) },
    { NAME("shaderIndex"),       I32(1) },
    { NAME("ofsHeader"),         I32(1) },
    { NAME("numVerts"),          I32(1) },
    { NAME("ofsVerts"),          I32(1) },
    { NAME("numTriangles"),      I32(1) },
    { NAME("ofsTriangles"),      I32(1) },
    { NAME("numBoneReferences"), I32(1) },
    { NAME("ofsBoneReferences"), I32(1) },
    { NAME("ofsEnd"),            I32(1) },
};
static LAYOUT(mdrSurface_t, 168, surface_fields);

static const bsp_field triangle_fields[] = { { NAME("indexes"), I32(3) } };
static LAYOUT(mdrTriangle_t, 12, triangle_fields);

static const bsp_field tag_fields[] = {
    { NAME("boneIndex"), I32(1) },
    { NAME("name"),      CHARS(32) },
};
static LAYOUT(mdrTag_t, 36, tag_fields);

enum { TAGS = 1, LODS, SURFACES, TRIANGLES };

static const bspi_model_row rows[] = {
    { .name = "tags", .layout = &mdrTag_t, .count = "numTags", .offset = "ofsTags" },
    { .name = "lods", .layout = &mdrLOD_t, .count = "numLODs", .offset = "ofsLODs", .chain = "ofsEnd" },
    { .name = "surfaces", .layout = &mdrSurface_t, .parent = LODS, .count = "numSurfaces", .offset = "ofsSurfaces", .from_record = true, .chain = "ofsEnd" },
    { .name = "triangles", .layout = &mdrTriangle_t, .parent = SURFACES, .count = "numTriangles", .offset = "ofsTriangles", .from_record = true },
};

// clang-format on

// --- frames -------------------------------------------------------------------------------------

/// How the frames lie in the file.
typedef struct frames {
    uint32_t count;
    uint32_t bones;
    size_t at;
    size_t size; ///< of a frame
    bool packed;
} frames;

// Finds the frames; none where they do not lie in the file as a whole.
static frames find_frames(const bsp_table *head, size_t file_size) {
    int64_t at = bspi_model_int(head, 0, "ofsFrames", 0);
    int64_t count = bspi_model_int(head, 0, "numFrames", 0);
    int64_t bones = bspi_model_int(head, 0, "numBones", 0);
    frames f = {.packed = at < 0};
    uint64_t start = (uint64_t)(at < 0 ? -at : at);
    if (count <= 0 || bones < 0 || bones >= UINT16_MAX || start > file_size) {
        return f;
    }
    f.size = f.packed ? mdrCompFrame_t.size + (size_t)bones * PACKED_BONE_SIZE
                      : mdrFrame_t.size + (size_t)bones * BONE_SIZE;
    f.at = (size_t)start;
    f.bones = (uint32_t)bones;
    f.count = (uint64_t)count > (file_size - start) / f.size ? 0 : (uint32_t)count;
    return f;
}

static void parse_mdr(bspi_parse *parse) {
    bsp_table head = {&mdrHeader_t, parse->data.data, 1, false};
    frames f = find_frames(&head, parse->data.size);
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "frames");
    parse->place = "frames";
    if (f.count == 0 && bspi_model_int(&head, 0, "numFrames", 0) != 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 0, "the frames are not all there");
    }
    for (uint32_t i = 0; i < f.count && !parse->failed; i++) {
        const bsp_layout *layout = f.packed ? &mdrCompFrame_t : &mdrFrame_t;
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "frame");
        size_t at = f.at + i * f.size;
        (void)bspi_parse_record(parse, "frame", layout, at);
        (void)bspi_parse_table(parse, "bones", BSP_ID_NONE, f.packed ? &mdrCompBone_t : &mdrBone_t,
                               at + layout->size, f.bones);
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
}

// Reads the matrix of a bone. Packed ones begin with the place, in steps of 1/64; the nine others
// are parts of 32766.
static void read_bone(const frames *f, const uint8_t *frame, uint32_t bone, float out[3][4]) {
    const uint8_t *p = frame + (f->packed ? mdrCompFrame_t.size + (size_t)bone * PACKED_BONE_SIZE
                                          : mdrFrame_t.size + (size_t)bone * BONE_SIZE);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            if (!f->packed) {
                out[row][column] = bspi_load_finite(p + (row * 4 + column) * 4);
            } else if (column == 3) {
                out[row][3] = ((float)bspi_load16(p + row * 2, false) - 32768) / 64;
            } else {
                int at = 3 + row * 3 + column;
                out[row][column] = ((float)bspi_load16(p + at * 2, false) - 32768) / 32766;
            }
        }
    }
}

// --- opening ------------------------------------------------------------------------------------

static bsp_text surface_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table table = bspi_model_table(model->file, SURFACES, surface);
    return bspi_model_text(&table, 0, "name");
}

static bsp_text shader_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table table = bspi_model_table(model->file, SURFACES, surface);
    return bspi_model_text(&table, 0, "shader");
}

static bool open_mdr(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    frames f = find_frames(&head, file->info.bytes.size);
    uint32_t lods = bspi_model_num_tables(file, LODS);
    uint32_t end = bspi_model_first_table(file, SURFACES, 1);
    for (uint32_t i = 0; i < end; i++) {
        bsp_table surface = bspi_model_table(file, SURFACES, i);
        int64_t vertices = bspi_model_int(&surface, 0, "numVerts", 0);
        uint64_t most = file->info.bytes.size / VERTEX_SIZE;
        model->info.num_vertices +=
            vertices < 0 || (uint64_t)vertices > most ? 0 : (uint32_t)vertices;
        model->info.num_triangles += bspi_model_table(file, TRIANGLES, i).count;
    }
    model->info.num_lods = lods == 0 ? 1 : lods;
    model->info.num_bones = f.count == 0 ? 0 : f.bones;
    model->info.num_frames = f.count;
    return bspi_skin_materials(model, bspi_model_num_tables(file, SURFACES), surface_name,
                               shader_name, error);
}

// --- the mesh -----------------------------------------------------------------------------------

static bool set_bones(bspi_model_builder *b) {
    bsp_table head = bspi_model_head(b->model->file);
    frames f = find_frames(&head, b->model->file->info.bytes.size);
    uint32_t count = f.count == 0 ? 0 : f.bones;
    uint32_t frame = b->pose->frame < f.count ? b->pose->frame : f.count - (f.count != 0);
    const uint8_t *bytes = b->model->file->info.bytes.data + f.at + (size_t)frame * f.size;
    bsp_model_bone *bones = bspi_arena_zero(b->arena, count, sizeof *bones, b->error);
    for (uint32_t i = 0; bones != NULL && i < count; i++) {
        bones[i].parent = BSP_NONE; // the matrices lead into the model's space
        read_bone(&f, bytes, i, bones[i].place);
        read_bone(&f, b->model->file->info.bytes.data + f.at, i, bones[i].bind);
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = bones == NULL ? 0 : count;
    return bones != NULL && bspi_meter_add(&b->meter, count);
}

// Keeps the four weights that count most.
static void keep_weight(bsp_model_weights *weights, uint16_t bone, float weight) {
    int least = 0;
    for (int i = 1; i < 4; i++) {
        least = weights->weight[i] < weights->weight[least] ? i : least;
    }
    if (weight > weights->weight[least]) {
        weights->weight[least] = weight;
        weights->bone[least] = bone;
    }
}

// Adds what one of a vertex's bones says.
static void add_weight(const bspi_model_builder *b, const uint8_t *p, const float normal[3],
                       bsp_model_vertex *vertex, bsp_model_weights *weights) {
    uint32_t bone = bspi_load32(p, false);
    float weight = bspi_load_finite(p + 4);
    const float offset[3] = {bspi_load_finite(p + 8), bspi_load_finite(p + 12),
                             bspi_load_finite(p + 16)};
    float place[3];
    float turned[3];
    if (bone >= b->mesh->num_bones) {
        return;
    }
    bspi_matrix_point((const float(*)[4])b->mesh->bones[bone].place, offset, place);
    bspi_matrix_direction((const float(*)[4])b->mesh->bones[bone].place, normal, turned);
    for (int axis = 0; axis < 3; axis++) {
        vertex->position[axis] += place[axis] * weight;
        vertex->normal[axis] += turned[axis] * weight;
    }
    keep_weight(weights, (uint16_t)bone, weight);
}

// Adds the vertex at a byte of the file, and moves on. Returns false where it is not all there.
static bool add_vertex(bspi_model_builder *b, uint64_t *at) {
    bsp_bytes bytes = b->model->file->info.bytes;
    bsp_bytes head = bspi_slice(bytes, *at, VERTEX_SIZE);
    uint32_t count = head.size == 0 ? 0 : bspi_load32(head.data + 20, false);
    bsp_bytes list = bspi_slice(bytes, *at + VERTEX_SIZE, (uint64_t)count * WEIGHT_SIZE);
    if (head.size == 0 || (count != 0 && list.size == 0)) {
        return false;
    }
    const float normal[3] = {bspi_load_finite(head.data), bspi_load_finite(head.data + 4),
                             bspi_load_finite(head.data + 8)};
    bsp_model_vertex vertex = {
        .uv = {bspi_load_finite(head.data + 12), bspi_load_finite(head.data + 16)},
        .color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
    bsp_model_weights weights = {{0}, {0}};
    for (uint32_t i = 0; i < count; i++) {
        add_weight(b, list.data + (size_t)i * WEIGHT_SIZE, normal, &vertex, &weights);
    }
    *at += VERTEX_SIZE + (uint64_t)count * WEIGHT_SIZE;
    return bspi_meter_add(&b->meter, count) &&
           bspi_build_vertex(b, &vertex, b->mesh->num_bones == 0 ? NULL : &weights) != BSP_NONE;
}

static bool add_surface(bspi_model_builder *b, uint32_t surface, uint32_t material) {
    const bsp_model_file *file = b->model->file;
    bsp_table head = bspi_model_table(file, SURFACES, surface);
    bsp_table triangles = bspi_model_table(file, TRIANGLES, surface);
    int64_t count = bspi_model_int(&head, 0, "numVerts", 0);
    int64_t start = bspi_model_int(&head, 0, "ofsVerts", 0) +
                    (int64_t)bspi_model_table_at(file, SURFACES, surface);
    if (!bspi_build_group(b, material, 0, surface_name(b->model, surface))) {
        return false;
    }
    uint32_t base = b->num_vertices;
    uint64_t at = start < 0 ? UINT64_MAX / 2 : (uint64_t)start;
    for (int64_t i = 0; i < count && add_vertex(b, &at); i++) {
    }
    for (uint32_t i = 0; i < triangles.count && !b->failed; i++) {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            int64_t index = bsp_table_int(&triangles, i, 0, k);
            v[k] = index < 0 || index >= count ? BSP_NONE : base + (uint32_t)index;
        }
        (void)bspi_build_triangle(b, v[0], v[1], v[2]);
    }
    return !b->failed && !b->meter.failed;
}

static bool add_tags(bspi_model_builder *b) {
    bsp_table tags = bspi_model_table(b->model->file, TAGS, 0);
    bsp_model_attachment *list = bspi_arena_zero(b->arena, tags.count, sizeof *list, b->error);
    uint32_t count = 0;
    for (uint32_t i = 0; list != NULL && i < tags.count; i++) {
        int64_t bone = bspi_model_int(&tags, i, "boneIndex", 0);
        if (bone >= 0 && bone < b->mesh->num_bones) {
            list[count].name = bspi_model_text(&tags, i, "name");
            list[count].bone = (uint32_t)bone;
            memcpy(list[count++].place, b->mesh->bones[bone].place, sizeof list->place);
        }
    }
    b->mesh->attachments = list;
    b->mesh->num_attachments = count;
    return list != NULL;
}

static bool build_mdr(bspi_model_builder *b) {
    const bsp_model_info *info = &b->model->info;
    uint32_t surfaces = bspi_model_num_tables(b->model->file, SURFACES);
    uint32_t skin = b->pose->skin < info->num_skins ? b->pose->skin : 0;
    uint32_t lod = b->pose->lod < info->num_lods ? b->pose->lod : info->num_lods - 1;
    uint32_t i = bspi_model_first_table(b->model->file, SURFACES, lod);
    uint32_t end = bspi_model_first_table(b->model->file, SURFACES, lod + 1);
    bool done = set_bones(b) && add_tags(b);
    for (; done && i < end; i++) {
        uint32_t material = skin * surfaces + i;
        done = bspi_skin_hides(&info->materials[material]) || add_surface(b, i, material);
    }
    return done;
}

const bspi_model_def bspi_model_mdr = {
    .format = {.name = "mdr", .title = "Raven model", .ending = ".mdr", .kind = BSP_MODEL_MESH},
    .magic = "RDM5",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 2,
    .last = 2,
    .head = &mdrHeader_t,
    .rows = rows,
    .num_rows = LENGTH(rows),
    .parse = parse_mdr,
    .open = open_mdr,
    .build = build_mdr,
};
