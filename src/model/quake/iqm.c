// SPDX-License-Identifier: MIT
// Inter-Quake models (IQM). Vertices are arrays by kind, in the pose of the joints; frames are runs
// of 16-bit numbers for those channels of a bone that move. Source: the sheet models, 8.
#include "asset/image/image.h"
#include "core/text.h"
#include "formats/table.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/matrix.h"
#include "model/open.h"
#include "model/quake/iqm_arrays.h"
#include "model/quake/skin.h"
#include "model/report.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define MOST_CHANNELS 10u

enum { ID_TRIANGLES = 1, ID_JOINTS, ID_POSES }; // targets of roles

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("magic"),             CHARS(16) },
    { NAME("version"),           U32(1) },
    { NAME("filesize"),          U32(1) },
    { NAME("flags"),             U32(1), ROLE(FLAGS) },
    { NAME("num_text"),          U32(1) },
    { NAME("ofs_text"),          U32(1) },
    { NAME("num_meshes"),        U32(1) },
    { NAME("ofs_meshes"),        U32(1) },
    { NAME("num_vertexarrays"),  U32(1) },
    { NAME("num_vertexes"),      U32(1) },
    { NAME("ofs_vertexarrays"),  U32(1) },
    { NAME("num_triangles"),     U32(1) },
    { NAME("ofs_triangles"),     U32(1) },
    { NAME("ofs_adjacency"),     U32(1) },
    { NAME("num_joints"),        U32(1) },
    { NAME("ofs_joints"),        U32(1) },
    { NAME("num_poses"),         U32(1) },
    { NAME("ofs_poses"),         U32(1) },
    { NAME("num_anims"),         U32(1) },
    { NAME("ofs_anims"),         U32(1) },
    { NAME("num_frames"),        U32(1) },
    { NAME("num_framechannels"), U32(1) },
    { NAME("ofs_frames"),        U32(1) },
    { NAME("ofs_bounds"),        U32(1) },
    { NAME("num_comment"),       U32(1) },
    { NAME("ofs_comment"),       U32(1) },
    { NAME("num_extensions"),    U32(1) },
    { NAME("ofs_extensions"),    U32(1) },
};
static LAYOUT(iqmheader, 124, head_fields);

static const bsp_field mesh_fields[] = {
    { NAME("name"),           U32(1) },
    { NAME("material"),       U32(1) },
    { NAME("first_vertex"),   U32(1) },
    { NAME("num_vertexes"),   U32(1) },
    { NAME("first_triangle"), U32(1), .role = BSP_ROLE_FIRST, .target = ID_TRIANGLES },
    { NAME("num_triangles"),  U32(1), .role = BSP_ROLE_COUNT, .target = ID_TRIANGLES },
};
static LAYOUT(iqmmesh, 24, mesh_fields);

static const bsp_field array_fields[] = {
    { NAME("type"),   U32(1) },
    { NAME("flags"),  U32(1), ROLE(FLAGS) },
    { NAME("format"), U32(1) },
    { NAME("size"),   U32(1) },
    { NAME("offset"), U32(1) },
};
static LAYOUT(iqmvertexarray, 20, array_fields);

static const bsp_field triangle_fields[] = { { NAME("vertex"), U32(3) } };
static LAYOUT(iqmtriangle, 12, triangle_fields);

static const bsp_field joint1_fields[] = {
    { NAME("name"),      U32(1) },
    { NAME("parent"),    I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_JOINTS },
    { NAME("translate"), F32(3) },
    { NAME("rotate"),    F32(3) },
    { NAME("scale"),     F32(3) },
};
static LAYOUT(iqmjointv1, 44, joint1_fields);

static const bsp_field joint_fields[] = {
    { NAME("name"),      U32(1) },
    { NAME("parent"),    I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_JOINTS },
    { NAME("translate"), F32(3) },
    { NAME("rotate"),    F32(4) },
    { NAME("scale"),     F32(3) },
};
static LAYOUT(iqmjoint, 48, joint_fields);

static const bsp_field pose1_fields[] = {
    { NAME("parent"),        I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_POSES },
    { NAME("mask"),          U32(1), ROLE(FLAGS) },
    { NAME("channeloffset"), F32(9) },
    { NAME("channelscale"),  F32(9) },
};
static LAYOUT(iqmposev1, 80, pose1_fields);

static const bsp_field pose_fields[] = {
    { NAME("parent"),        I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_POSES },
    { NAME("mask"),          U32(1), ROLE(FLAGS) },
    { NAME("channeloffset"), F32(10) },
    { NAME("channelscale"),  F32(10) },
};
static LAYOUT(iqmpose, 88, pose_fields);

static const bsp_field anim_fields[] = {
    { NAME("name"),        U32(1) },
    { NAME("first_frame"), U32(1) },
    { NAME("num_frames"),  U32(1) },
    { NAME("framerate"),   F32(1) },
    { NAME("flags"),       U32(1), ROLE(FLAGS) },
};
static LAYOUT(iqmanim, 20, anim_fields);

static const bsp_field channel_fields[] = { { NAME(""), U16(1) } };
static LAYOUT(iqmframechannel, 2, channel_fields);

static const bsp_field bounds_fields[] = {
    { NAME("bbmin"),    F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"),    F32(3), ROLE(BOUNDS) },
    { NAME("xyradius"), F32(1) },
    { NAME("radius"),   F32(1) },
};
static LAYOUT(iqmbounds, 32, bounds_fields);

enum { MESHES = 1, ARRAYS, TRIANGLES, JOINTS, POSES, ANIMS, FRAMES };

#define ROWS(joint, pose) \
    { .name = "meshes", .layout = &iqmmesh, .count = "num_meshes", .offset = "ofs_meshes" }, \
    { .name = "vertexarrays", .layout = &iqmvertexarray, .count = "num_vertexarrays", .offset = "ofs_vertexarrays" }, \
    { .name = "triangles", .layout = &iqmtriangle, .count = "num_triangles", .offset = "ofs_triangles", .id = ID_TRIANGLES }, \
    { .name = "joints", .layout = &(joint), .count = "num_joints", .offset = "ofs_joints", .id = ID_JOINTS }, \
    { .name = "poses", .layout = &(pose), .count = "num_poses", .offset = "ofs_poses", .id = ID_POSES }, \
    { .name = "anims", .layout = &iqmanim, .count = "num_anims", .offset = "ofs_anims" }, \
    { .name = "frames", .layout = &iqmframechannel, .count = "num_frames", .times = "num_framechannels", .offset = "ofs_frames" },

static const bspi_model_row rows1[] = { ROWS(iqmjointv1, iqmposev1) };
static const bspi_model_row rows2[] = { ROWS(iqmjoint, iqmpose) };

// clang-format on

// --- parts --------------------------------------------------------------------------------------

// Adds the names, boxes of frames, comment, and the bytes of each vertex array.
static void parse_iqm(bspi_parse *parse) {
    bsp_table head = {&iqmheader, parse->data.data, 1, false};
    uint32_t text = bspi_model_u32(&head, 0, "num_text");
    uint32_t comment = bspi_model_u32(&head, 0, "num_comment");
    uint32_t bounds = bspi_model_u32(&head, 0, "ofs_bounds");
    parse->place = "text";
    if (text != 0 &&
        bspi_slice(parse->data, bspi_model_u32(&head, 0, "ofs_text"), text).size == 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 0, "%u bytes of names are not all there",
                         (unsigned)text);
    } else if (text != 0) {
        bsp_part part = {.kind = BSP_PART_STRINGS,
                         .name = "text",
                         .offset = bspi_model_u32(&head, 0, "ofs_text"),
                         .size = text};
        (void)bspi_parse_add(parse, part);
    }
    parse->place = "bounds";
    if (bounds != 0) {
        (void)bspi_parse_table(parse, "bounds", BSP_ID_NONE, &iqmbounds, bounds,
                               bspi_model_u32(&head, 0, "num_frames"));
    }
    parse->place = "comment";
    if (comment != 0) {
        (void)bspi_parse_text(parse, "comment", bspi_model_u32(&head, 0, "ofs_comment"), comment);
    }
}

// Returns the name at a byte of the names; empty where it leads nowhere.
static bsp_text name_at(const bsp_model_file *file, uint32_t at) {
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of("text"));
    if (part == BSP_NONE || at >= file->parts.parts[part].size) {
        return (bsp_text){NULL, 0};
    }
    const char *start = (const char *)file->parts.data.data + file->parts.parts[part].offset + at;
    size_t room = file->parts.parts[part].size - at;
    const char *end = memchr(start, '\0', room);
    return (bsp_text){start, end == NULL ? room : (size_t)(end - start)};
}

// Finds the arrays of the vertices.
static void find_arrays(const bsp_model_file *file, bspi_iqm_array out[BSPI_IQM_KINDS]) {
    bsp_table head = bspi_model_head(file);
    bsp_table arrays = bspi_model_table(file, ARRAYS, 0);
    bspi_iqm_find(file->info.bytes, &arrays, bspi_model_u32(&head, 0, "num_vertexes"), out);
}

// --- opening ------------------------------------------------------------------------------------

static bsp_text mesh_name(const bsp_model_asset *model, uint32_t mesh) {
    bsp_table meshes = bspi_model_table(model->file, MESHES, 0);
    return name_at(model->file, bspi_model_u32(&meshes, mesh, "name"));
}

static bsp_text mesh_material(const bsp_model_asset *model, uint32_t mesh) {
    bsp_table meshes = bspi_model_table(model->file, MESHES, 0);
    return name_at(model->file, bspi_model_u32(&meshes, mesh, "material"));
}

static bool set_sequences(bsp_model_asset *model, bsp_error *error) {
    bsp_table anims = bspi_model_table(model->file, ANIMS, 0);
    bsp_model_sequence *list = bspi_arena_zero(&model->arena, anims.count, sizeof *list, error);
    for (uint32_t i = 0; list != NULL && i < anims.count; i++) {
        list[i].name = name_at(model->file, bspi_model_u32(&anims, i, "name"));
        list[i].num_frames = bspi_model_u32(&anims, i, "num_frames");
        list[i].fps = bspi_model_float(&anims, i, "framerate", 0);
        list[i].loops = (bspi_model_u32(&anims, i, "flags") & 1) != 0;
    }
    model->info.sequences = list;
    model->info.num_sequences = list == NULL ? 0 : anims.count;
    return list != NULL;
}

static bool open_iqm(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    bspi_iqm_array arrays[BSPI_IQM_KINDS];
    find_arrays(file, arrays);
    model->info.num_triangles = bspi_model_table(file, TRIANGLES, 0).count;
    model->info.num_vertices =
        arrays[BSPI_IQM_POSITION].data == NULL ? 0 : bspi_model_u32(&head, 0, "num_vertexes");
    model->info.num_bones = bspi_model_table(file, JOINTS, 0).count;
    model->info.flags = bspi_model_u32(&head, 0, "flags");
    return bspi_skin_materials(model, bspi_model_table(file, MESHES, 0).count, mesh_name,
                               mesh_material, error) &&
           set_sequences(model, error);
}

// --- the pose -----------------------------------------------------------------------------------

// Version 1 leaves the fourth component of a rotation out, which is negative.
static void complete_turn(bool three, float turn[4]) {
    if (three) {
        float rest = 1 - turn[0] * turn[0] - turn[1] * turn[1] - turn[2] * turn[2];
        turn[3] = rest > 0 ? -sqrtf(rest) : 0;
    }
}

// Sets the bind matrices; a joint's parent must stand before it.
static void set_bind(const bsp_table *joints, bsp_model_bone *bones, const bsp_model_file *file) {
    bool three = file->info.version == 1;
    for (uint32_t i = 0; i < joints->count; i++) {
        float place[3];
        float turn[4] = {0, 0, 0, 0};
        float scale[3];
        float local[3][4];
        int64_t parent = bspi_model_int(joints, i, "parent", 0);
        bspi_model_floats(joints, i, "translate", 3, place);
        bspi_model_floats(joints, i, "rotate", three ? 3 : 4, turn);
        bspi_model_floats(joints, i, "scale", 3, scale);
        complete_turn(three, turn);
        bspi_matrix_compose(place, turn, scale, local);
        bones[i].name = name_at(file, bspi_model_u32(joints, i, "name"));
        bones[i].parent = parent >= 0 && parent < i ? (uint32_t)parent : BSP_NONE;
        if (bones[i].parent == BSP_NONE) {
            memcpy(bones[i].bind, local, sizeof local);
        } else {
            bspi_matrix_multiply((const float(*)[4])bones[parent].bind, (const float(*)[4])local,
                                 bones[i].bind);
        }
        memcpy(bones[i].place, bones[i].bind, sizeof local);
    }
}

// Reads the channels of one bone in a frame: `*at` is the next number of the frame.
static void read_pose(const bsp_table *poses, uint32_t bone, const bsp_table *frames, size_t *at,
                      size_t end, float channels[MOST_CHANNELS]) {
    uint32_t mask = bspi_model_u32(poses, bone, "mask");
    uint32_t count = poses->layout == &iqmposev1 ? 9 : 10;
    for (uint32_t c = 0; c < count; c++) {
        channels[c] = bspi_model_float(poses, bone, "channeloffset", c);
        if ((mask >> c & 1) != 0 && *at < end) {
            channels[c] += (float)bspi_load16(frames->data + *at * 2, false) *
                           bspi_model_float(poses, bone, "channelscale", c);
            (*at)++;
        }
    }
}

static void set_place(bsp_model_bone *bones, uint32_t i, bool three,
                      const float channels[MOST_CHANNELS]) {
    float turn[4] = {channels[3], channels[4], channels[5], three ? 0 : channels[6]};
    const float *scale = channels + (three ? 6 : 7);
    float local[3][4];
    complete_turn(three, turn);
    bspi_matrix_compose(channels, turn, scale, local);
    if (bones[i].parent == BSP_NONE) {
        memcpy(bones[i].place, local, sizeof local);
    } else {
        bspi_matrix_multiply((const float(*)[4])bones[bones[i].parent].place,
                             (const float(*)[4])local, bones[i].place);
    }
}

// Returns the number of the frame that the pose asks for, or BSP_NONE for the bind pose.
static uint32_t frame_of(const bspi_model_builder *b, const bsp_table *poses,
                         const bsp_table *frames, uint32_t channels) {
    const bsp_model_info *info = &b->model->info;
    bsp_table anims = bspi_model_table(b->model->file, ANIMS, 0);
    if (b->pose->bind_pose || info->num_sequences == 0 || poses->count != info->num_bones ||
        channels == 0) {
        return BSP_NONE;
    }
    uint32_t sequence = b->pose->sequence < info->num_sequences ? b->pose->sequence : 0;
    uint32_t count = info->sequences[sequence].num_frames;
    uint64_t frame = bspi_model_u32(&anims, sequence, "first_frame");
    frame += count == 0 ? 0 : b->pose->frame < count ? b->pose->frame : count - 1;
    return (frame + 1) * channels <= frames->count ? (uint32_t)frame : BSP_NONE;
}

static void pose_bones(const bspi_model_builder *b, bsp_model_bone *bones) {
    bsp_table head = bspi_model_head(b->model->file);
    bsp_table poses = bspi_model_table(b->model->file, POSES, 0);
    bsp_table frames = bspi_model_table(b->model->file, FRAMES, 0);
    uint32_t channels = bspi_model_u32(&head, 0, "num_framechannels");
    uint32_t frame = frame_of(b, &poses, &frames, channels);
    size_t at = (size_t)frame * channels;
    size_t end = at + channels;
    for (uint32_t i = 0; frame != BSP_NONE && i < poses.count; i++) {
        float values[MOST_CHANNELS] = {0};
        read_pose(&poses, i, &frames, &at, end, values);
        set_place(bones, i, b->model->file->info.version == 1, values);
    }
}

// Sets the bones of the mesh, and for each the matrix from the bind pose to this one.
static bool set_bones(bspi_model_builder *b, float (**skin)[3][4]) {
    bsp_table joints = bspi_model_table(b->model->file, JOINTS, 0);
    bsp_model_bone *bones = bspi_arena_zero(b->arena, joints.count, sizeof *bones, b->error);
    *skin = bones == NULL ? NULL : bspi_arena_zero(b->arena, joints.count, sizeof **skin, b->error);
    if (*skin == NULL) {
        return false;
    }
    set_bind(&joints, bones, b->model->file);
    pose_bones(b, bones);
    for (uint32_t i = 0; i < joints.count; i++) {
        float inverse[3][4];
        bspi_matrix_invert((const float(*)[4])bones[i].bind, inverse);
        bspi_matrix_multiply((const float(*)[4])bones[i].place, (const float(*)[4])inverse,
                             (*skin)[i]);
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = joints.count;
    return bspi_meter_add(&b->meter, joints.count);
}

// --- the mesh -----------------------------------------------------------------------------------

static void move(const bspi_model_builder *b, float (*skin)[3][4], const bsp_model_weights *weights,
                 bsp_model_vertex *vertex) {
    float place[3] = {0, 0, 0};
    float normal[3] = {0, 0, 0};
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        if (weights->weight[i] > 0 && weights->bone[i] < b->mesh->num_bones) {
            float moved[3];
            float turned[3];
            bspi_matrix_point((const float(*)[4])skin[weights->bone[i]], vertex->position, moved);
            bspi_matrix_direction((const float(*)[4])skin[weights->bone[i]], vertex->normal,
                                  turned);
            for (int axis = 0; axis < 3; axis++) {
                place[axis] += moved[axis] * weights->weight[i];
                normal[axis] += turned[axis] * weights->weight[i];
            }
            sum += weights->weight[i];
        }
    }
    for (int axis = 0; axis < 3 && sum > 0; axis++) {
        vertex->position[axis] = place[axis] / sum;
        vertex->normal[axis] = normal[axis];
    }
}

static bool add_mesh(bspi_model_builder *b, const bspi_iqm_array arrays[BSPI_IQM_KINDS],
                     float (*skin)[3][4], uint32_t mesh, uint32_t material) {
    bsp_table meshes = bspi_model_table(b->model->file, MESHES, 0);
    bsp_table triangles = bspi_model_table(b->model->file, TRIANGLES, 0);
    uint64_t first = bspi_model_u32(&meshes, mesh, "first_vertex");
    uint64_t end = first + bspi_model_u32(&meshes, mesh, "num_vertexes");
    uint64_t triangle = bspi_model_u32(&meshes, mesh, "first_triangle");
    uint64_t last = triangle + bspi_model_u32(&meshes, mesh, "num_triangles");
    end = end < b->model->info.num_vertices ? end : b->model->info.num_vertices;
    last = last < triangles.count ? last : triangles.count;
    if (!bspi_build_group(b, material, 0, mesh_name(b->model, mesh))) {
        return false;
    }
    uint64_t base = b->num_vertices;
    for (uint64_t i = first; i < end && !b->failed; i++) {
        bsp_model_vertex vertex;
        bsp_model_weights weights;
        bspi_iqm_vertex(arrays, (uint32_t)i, &vertex, &weights);
        if (bspi_iqm_is_moved(arrays)) {
            move(b, skin, &weights, &vertex);
        }
        (void)bspi_build_vertex(b, &vertex, b->mesh->num_bones == 0 ? NULL : &weights);
    }
    for (; triangle < last && !b->failed; triangle++) {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            uint64_t index = (uint64_t)bsp_table_int(&triangles, (uint32_t)triangle, 0, k);
            v[k] = index < first || index >= end ? BSP_NONE : (uint32_t)(base + index - first);
        }
        (void)bspi_build_triangle(b, v[0], v[1], v[2]);
    }
    return !b->failed;
}

static bool build_iqm(bspi_model_builder *b) {
    bspi_iqm_array arrays[BSPI_IQM_KINDS];
    float(*skin)[3][4];
    uint32_t meshes = bspi_model_table(b->model->file, MESHES, 0).count;
    uint32_t of_skin = b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
    bool done = set_bones(b, &skin);
    find_arrays(b->model->file, arrays);
    for (uint32_t i = 0; done && i < meshes; i++) {
        uint32_t material = of_skin * meshes + i;
        if (!bspi_skin_hides(&b->model->info.materials[material])) {
            done = add_mesh(b, arrays, skin, i, material);
        }
    }
    return done;
}

static void check_iqm(const bsp_model_file *file, bsp_issues *issues) {
    bsp_table head = bspi_model_head(file);
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of("triangles"));
    bspi_report_indices(file, part, 0, bspi_model_u32(&head, 0, "num_vertexes"), "vertexes",
                        issues);
}

#define IQM_ROW(number, the_rows)                                                                  \
    .format = {.name = "iqm",                                                                      \
               .title = "Inter-Quake model",                                                       \
               .ending = ".iqm",                                                                   \
               .kind = BSP_MODEL_MESH},                                                            \
    .magic = "INTERQUAKEMODEL", .magic_size = 16, .version_at = 16, .version_size = 4,             \
    .version = (number), .last = (number), .head = &iqmheader, .rows = (the_rows),                 \
    .num_rows = LENGTH(the_rows), .parse = parse_iqm, .check = check_iqm, .open = open_iqm,        \
    .build = build_iqm

const bspi_model_def bspi_model_iqm1 = {IQM_ROW(1, rows1)};
const bspi_model_def bspi_model_iqm2 = {IQM_ROW(2, rows2)};
