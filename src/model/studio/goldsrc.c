// SPDX-License-Identifier: MIT
// Studio models of GoldSrc (MDL 10): rigid vertices in the space of one bone each, strips and fans,
// animations as runs of 16-bit numbers; textures and sequences may lie in files beside it. Source:
// the sheet models, 3.
#include "core/curves.h"
#include "core/text.h"
#include "formats/table.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/matrix.h"
#include "model/open.h"
#include "model/rows.h"
#include "model/studio/hitboxes.h"

#include <stdio.h>
#include <string.h>

#define MOST_GROUPS 32u // files of sequences that are opened
#define CHANNELS 6u     // of a bone: three of its place, three of its turn
#define LOOPS 1u        // flag of a sequence
/// Flags of textures.
enum { CHROME = 2, FULLBRIGHT = 4, ADDITIVE = 0x20, MASKED = 0x40 };

enum { ID_BONES = 1, ID_TEXTURES, ID_GROUPS }; // targets of roles

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("id"),                  CHARS(4) },
    { NAME("version"),             I32(1) },
    { NAME("name"),                CHARS(64) },
    { NAME("length"),              I32(1) },
    { NAME("eyeposition"),         F32(3) },
    { NAME("min"),                 F32(3), ROLE(BOUNDS) },
    { NAME("max"),                 F32(3), ROLE(BOUNDS) },
    { NAME("bbmin"),               F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"),               F32(3), ROLE(BOUNDS) },
    { NAME("flags"),               I32(1), ROLE(FLAGS) },
    { NAME("numbones"),            I32(1) },
    { NAME("boneindex"),           I32(1) },
    { NAME("numbonecontrollers"),  I32(1) },
    { NAME("bonecontrollerindex"), I32(1) },
    { NAME("numhitboxes"),         I32(1) },
    { NAME("hitboxindex"),         I32(1) },
    { NAME("numseq"),              I32(1) },
    { NAME("seqindex"),            I32(1) },
    { NAME("numseqgroups"),        I32(1) },
    { NAME("seqgroupindex"),       I32(1) },
    { NAME("numtextures"),         I32(1) },
    { NAME("textureindex"),        I32(1) },
    { NAME("texturedataindex"),    I32(1) },
    { NAME("numskinref"),          I32(1) },
    { NAME("numskinfamilies"),     I32(1) },
    { NAME("skinindex"),           I32(1) },
    { NAME("numbodyparts"),        I32(1) },
    { NAME("bodypartindex"),       I32(1) },
    { NAME("numattachments"),      I32(1) },
    { NAME("attachmentindex"),     I32(1) },
    { NAME("soundtable"),          I32(1) },
    { NAME("soundindex"),          I32(1) },
    { NAME("soundgroups"),         I32(1) },
    { NAME("soundgroupindex"),     I32(1) },
    { NAME("numtransitions"),      I32(1) },
    { NAME("transitionindex"),     I32(1) },
};
static LAYOUT(studiohdr_t, 244, head_fields);

static const bsp_field group_head_fields[] = {
    { NAME("id"),      CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("name"),    CHARS(64) },
    { NAME("length"),  I32(1) },
};
static LAYOUT(studioseqhdr_t, 76, group_head_fields);

static const bsp_field bone_fields[] = {
    { NAME("name"),           CHARS(32) },
    { NAME("parent"),         I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_BONES },
    { NAME("flags"),          I32(1), ROLE(FLAGS) },
    { NAME("bonecontroller"), I32(6) },
    { NAME("value"),          F32(6) },
    { NAME("scale"),          F32(6) },
};
static LAYOUT(mstudiobone_t, 112, bone_fields);

static const bsp_field controller_fields[] = {
    { NAME("bone"),  I32(1), .role = BSP_ROLE_INDEX_NONE, .target = ID_BONES },
    { NAME("type"),  I32(1), ROLE(FLAGS) },
    { NAME("start"), F32(1) },
    { NAME("end"),   F32(1) },
    { NAME("rest"),  I32(1) },
    { NAME("index"), I32(1) },
};
static LAYOUT(mstudiobonecontroller_t, 24, controller_fields);

static const bsp_field hitbox_fields[] = {
    { NAME("bone"),  I32(1), .role = BSP_ROLE_INDEX, .target = ID_BONES },
    { NAME("group"), I32(1) },
    { NAME("bbmin"), F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"), F32(3), ROLE(BOUNDS) },
};
static LAYOUT(mstudiobbox_t, 32, hitbox_fields);

static const bsp_field sequence_fields[] = {
    { NAME("label"),             CHARS(32) },
    { NAME("fps"),               F32(1) },
    { NAME("flags"),             I32(1), ROLE(FLAGS) },
    { NAME("activity"),          I32(1) },
    { NAME("actweight"),         I32(1) },
    { NAME("numevents"),         I32(1) },
    { NAME("eventindex"),        I32(1) },
    { NAME("numframes"),         I32(1) },
    { NAME("numpivots"),         I32(1) },
    { NAME("pivotindex"),        I32(1) },
    { NAME("motiontype"),        I32(1), ROLE(FLAGS) },
    { NAME("motionbone"),        I32(1) },
    { NAME("linearmovement"),    F32(3) },
    { NAME("automoveposindex"),  I32(1) },
    { NAME("automoveangleindex"), I32(1) },
    { NAME("bbmin"),             F32(3), ROLE(BOUNDS) },
    { NAME("bbmax"),             F32(3), ROLE(BOUNDS) },
    { NAME("numblends"),         I32(1) },
    { NAME("animindex"),         I32(1) },
    { NAME("blendtype"),         I32(2) },
    { NAME("blendstart"),        F32(2) },
    { NAME("blendend"),          F32(2) },
    { NAME("blendparent"),       I32(1) },
    { NAME("seqgroup"),          I32(1), .role = BSP_ROLE_INDEX, .target = ID_GROUPS },
    { NAME("entrynode"),         I32(1) },
    { NAME("exitnode"),          I32(1) },
    { NAME("nodeflags"),         I32(1), ROLE(FLAGS) },
    { NAME("nextseq"),           I32(1) },
};
static LAYOUT(mstudioseqdesc_t, 176, sequence_fields);

static const bsp_field event_fields[] = {
    { NAME("frame"),   I32(1) },
    { NAME("event"),   I32(1) },
    { NAME("type"),    I32(1) },
    { NAME("options"), CHARS(64) },
};
static LAYOUT(mstudioevent_t, 76, event_fields);

static const bsp_field pivot_fields[] = {
    { NAME("org"),   F32(3) },
    { NAME("start"), I32(1) },
    { NAME("end"),   I32(1) },
};
static LAYOUT(mstudiopivot_t, 20, pivot_fields);

static const bsp_field group_fields[] = {
    { NAME("label"),   CHARS(32) },
    { NAME("name"),    CHARS(64) },
    { NAME("runtime"), PAD(8) },
};
static LAYOUT(mstudioseqgroup_t, 104, group_fields);

static const bsp_field texture_fields[] = {
    { NAME("name"),   CHARS(64) },
    { NAME("flags"),  I32(1), ROLE(FLAGS) },
    { NAME("width"),  I32(1) },
    { NAME("height"), I32(1) },
    { NAME("index"),  I32(1) },
};
static LAYOUT(mstudiotexture_t, 80, texture_fields);

static const bsp_field skin_fields[] = {
    { NAME(""), I16(1), .role = BSP_ROLE_INDEX, .target = ID_TEXTURES },
};
static LAYOUT(mstudioskinref_t, 2, skin_fields);

static const bsp_field part_fields[] = {
    { NAME("name"),       CHARS(64) },
    { NAME("nummodels"),  I32(1) },
    { NAME("base"),       I32(1) },
    { NAME("modelindex"), I32(1) },
};
static LAYOUT(mstudiobodyparts_t, 76, part_fields);

static const bsp_field model_fields[] = {
    { NAME("name"),           CHARS(64) },
    { NAME("type"),           I32(1) },
    { NAME("boundingradius"), F32(1) },
    { NAME("nummesh"),        I32(1) },
    { NAME("meshindex"),      I32(1) },
    { NAME("numverts"),       I32(1) },
    { NAME("vertinfoindex"),  I32(1) },
    { NAME("vertindex"),      I32(1) },
    { NAME("numnorms"),       I32(1) },
    { NAME("norminfoindex"),  I32(1) },
    { NAME("normindex"),      I32(1) },
    { NAME("numgroups"),      I32(1) },
    { NAME("groupindex"),     I32(1) },
};
static LAYOUT(mstudiomodel_t, 112, model_fields);

static const bsp_field mesh_fields[] = {
    { NAME("numtris"),   I32(1) },
    { NAME("triindex"),  I32(1) },
    { NAME("skinref"),   I32(1) },
    { NAME("numnorms"),  I32(1) },
    { NAME("normindex"), I32(1) },
};
static LAYOUT(mstudiomesh_t, 20, mesh_fields);

static const bsp_field vertex_bone_fields[] = {
    { NAME(""), U8(1), .role = BSP_ROLE_INDEX, .target = ID_BONES },
};
static LAYOUT(mstudiovertinfo_t, 1, vertex_bone_fields);

static const bsp_field vector_fields[] = { { NAME(""), F32(3) } };
static LAYOUT(mstudiovec_t, 12, vector_fields);

static const bsp_field attachment_fields[] = {
    { NAME("name"),    CHARS(32) },
    { NAME("type"),    I32(1) },
    { NAME("bone"),    I32(1), .role = BSP_ROLE_INDEX, .target = ID_BONES },
    { NAME("org"),     F32(3) },
    { NAME("vectors"), F32(9) },
};
static LAYOUT(mstudioattachment_t, 88, attachment_fields);

static const bsp_field transition_fields[] = { { NAME(""), U8(1) } };
static LAYOUT(mstudiotransition_t, 1, transition_fields);

enum {
    BONES = 1, CONTROLLERS, HITBOXES, SEQUENCES, EVENTS, PIVOTS, GROUPS, TEXTURES, SKINS, PARTS, MODELS, MESHES,
    VERTEX_BONES, VERTICES, NORMAL_BONES, NORMALS, ATTACHMENTS, TRANSITIONS,
};

static const bspi_model_row rows[] = {
    { .name = "bones", .layout = &mstudiobone_t, .count = "numbones", .offset = "boneindex", .id = ID_BONES },
    { .name = "bonecontrollers", .layout = &mstudiobonecontroller_t, .count = "numbonecontrollers", .offset = "bonecontrollerindex" },
    { .name = "hitboxes", .layout = &mstudiobbox_t, .count = "numhitboxes", .offset = "hitboxindex" },
    { .name = "sequences", .layout = &mstudioseqdesc_t, .count = "numseq", .offset = "seqindex" },
    { .name = "events", .layout = &mstudioevent_t, .parent = SEQUENCES, .count = "numevents", .offset = "eventindex" },
    { .name = "pivots", .layout = &mstudiopivot_t, .parent = SEQUENCES, .count = "numpivots", .offset = "pivotindex" },
    { .name = "seqgroups", .layout = &mstudioseqgroup_t, .count = "numseqgroups", .offset = "seqgroupindex", .id = ID_GROUPS },
    { .name = "textures", .layout = &mstudiotexture_t, .count = "numtextures", .offset = "textureindex", .id = ID_TEXTURES },
    { .name = "skins", .layout = &mstudioskinref_t, .count = "numskinref", .times = "numskinfamilies", .offset = "skinindex" },
    { .name = "bodyparts", .layout = &mstudiobodyparts_t, .count = "numbodyparts", .offset = "bodypartindex" },
    { .name = "models", .layout = &mstudiomodel_t, .parent = PARTS, .count = "nummodels", .offset = "modelindex" },
    { .name = "meshes", .layout = &mstudiomesh_t, .parent = MODELS, .count = "nummesh", .offset = "meshindex" },
    { .name = "vertex_bones", .layout = &mstudiovertinfo_t, .parent = MODELS, .count = "numverts", .offset = "vertinfoindex" },
    { .name = "vertices", .layout = &mstudiovec_t, .parent = MODELS, .count = "numverts", .offset = "vertindex" },
    { .name = "normal_bones", .layout = &mstudiovertinfo_t, .parent = MODELS, .count = "numnorms", .offset = "norminfoindex" },
    { .name = "normals", .layout = &mstudiovec_t, .parent = MODELS, .count = "numnorms", .offset = "normindex" },
    { .name = "attachments", .layout = &mstudioattachment_t, .count = "numattachments", .offset = "attachmentindex" },
    { .name = "transitions", .layout = &mstudiotransition_t, .count = "numtransitions", .times = "numtransitions", .offset = "transitionindex" },
};

// clang-format on

// --- files beside it ----------------------------------------------------------------------------

// Returns the file that holds the textures.
static const bsp_model_file *texture_file(const bsp_model_asset *model) {
    const bsp_model_file *beside = bspi_model_companion_find(model, "textures");
    return beside != NULL && beside->def == model->def ? beside : model->file;
}

static bool open_textures(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = NULL;
    bsp_table head = bspi_model_head(model->file);
    if (bspi_model_int(&head, 0, "numtextures", 0) != 0 ||
        bspi_model_int(&head, 0, "numbodyparts", 0) == 0) {
        return true;
    }
    bsp_text name = bspi_model_sibling_name(model, "T", ".mdl", error);
    return name.data != NULL &&
           bspi_model_companion_open(model, "textures", name, true, &file, error);
}

// Opens the files of sequence groups that sequences need.
static bool open_groups(bsp_model_asset *model, bsp_error *error) {
    bool wanted[MOST_GROUPS] = {false};
    bsp_table sequences = bspi_model_table(model->file, SEQUENCES, 0);
    for (uint32_t i = 0; i < sequences.count; i++) {
        int64_t group = bspi_model_int(&sequences, i, "seqgroup", 0);
        if (group > 0 && group < MOST_GROUPS) {
            wanted[group] = true;
        }
    }
    for (uint32_t i = 1; i < MOST_GROUPS; i++) {
        char role[16];
        char number[8];
        const bsp_model_file *file;
        snprintf(role, sizeof role, "group %u", (unsigned)i);
        snprintf(number, sizeof number, "%02u", (unsigned)i);
        bsp_text name =
            wanted[i] ? bspi_model_sibling_name(model, number, ".mdl", error) : (bsp_text){"", 0};
        if (name.data == NULL ||
            (wanted[i] && !bspi_model_companion_open(model, role, name, true, &file, error))) {
            return false;
        }
    }
    return true;
}

// --- opening ------------------------------------------------------------------------------------

static bool set_materials(bsp_model_asset *model, bsp_error *error) {
    bsp_table textures = bspi_model_table(texture_file(model), TEXTURES, 0);
    bsp_model_material *list = bspi_model_materials(model, textures.count, error);
    for (uint32_t i = 0; list != NULL && i < textures.count; i++) {
        uint32_t flags = (uint32_t)bspi_model_int(&textures, i, "flags", 0);
        list[i].name = bspi_model_join(model, bspi_model_text(&textures, i, "name"),
                                       (bsp_text){NULL, 0}, error);
        list[i].embedded = true;
        list[i].width = (uint32_t)bspi_model_int(&textures, i, "width", 0);
        list[i].height = (uint32_t)bspi_model_int(&textures, i, "height", 0);
        list[i].alpha = (flags & MASKED) != 0     ? BSP_ALPHA_TEST
                        : (flags & ADDITIVE) != 0 ? BSP_ALPHA_ADD
                                                  : BSP_ALPHA_OPAQUE;
        list[i].alpha_cut = (flags & MASKED) != 0 ? 0.5F : 0;
        list[i].unlit = (flags & FULLBRIGHT) != 0;
        list[i].chrome = (flags & CHROME) != 0;
        if (list[i].name.data == NULL) {
            return false;
        }
    }
    return list != NULL;
}

static bool set_sequences(bsp_model_asset *model, bsp_error *error) {
    bsp_table table = bspi_model_table(model->file, SEQUENCES, 0);
    bsp_model_sequence *list = bspi_arena_zero(&model->arena, table.count, sizeof *list, error);
    for (uint32_t i = 0; list != NULL && i < table.count; i++) {
        int64_t frames = bspi_model_int(&table, i, "numframes", 0);
        list[i].name = bspi_model_text(&table, i, "label");
        list[i].num_frames = frames < 0 ? 0 : (uint32_t)frames;
        list[i].fps = bspi_model_float(&table, i, "fps", 0);
        list[i].loops = (bspi_model_int(&table, i, "flags", 0) & LOOPS) != 0;
    }
    model->info.sequences = list;
    model->info.num_sequences = list == NULL ? 0 : table.count;
    return list != NULL;
}

static bool set_parts(bsp_model_asset *model, bsp_error *error) {
    uint32_t count = bspi_model_num_tables(model->file, MODELS);
    uint32_t *choices = bspi_arena_raw(&model->arena, count, sizeof *choices, error);
    for (uint32_t i = 0; choices != NULL && i < count; i++) {
        choices[i] = bspi_model_table(model->file, MODELS, i).count;
    }
    model->info.choices = choices;
    model->info.num_body_parts = choices == NULL ? 0 : count;
    return choices != NULL;
}

static void count_all(bsp_model_asset *model) {
    for (uint32_t n = 0; n < bspi_model_num_tables(model->file, MESHES); n++) {
        bsp_table meshes = bspi_model_table(model->file, MESHES, n);
        for (uint32_t i = 0; i < meshes.count; i++) {
            int64_t triangles = bspi_model_int(&meshes, i, "numtris", 0);
            model->info.num_triangles += triangles < 0 ? 0 : (uint32_t)triangles;
        }
    }
    model->info.num_vertices = bspi_model_num_records(model->file, VERTICES);
}

static bool open_goldsrc(bsp_model_asset *model, bsp_error *error) {
    bsp_table head = bspi_model_head(model->file);
    bsp_model_info *info = &model->info;
    info->num_bones = bspi_model_table(model->file, BONES, 0).count;
    info->flags = (uint32_t)bspi_model_int(&head, 0, "flags", 0);
    bspi_model_floats(&head, 0, "eyeposition", 3, info->eye);
    bspi_model_floats(&head, 0, "min", 3, info->hull_mins);
    bspi_model_floats(&head, 0, "max", 3, info->hull_maxs);
    count_all(model);
    if (!open_textures(model, error) || !open_groups(model, error)) {
        return false;
    }
    bsp_table textures = bspi_model_head(texture_file(model));
    int64_t families = bspi_model_int(&textures, 0, "numskinfamilies", 0);
    info->num_skins = families > 1 && families <= UINT16_MAX ? (uint32_t)families : 1;
    return set_materials(model, error) && set_sequences(model, error) && set_parts(model, error);
}

static bool image_goldsrc(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                          bsp_error *error) {
    const bsp_model_file *file = texture_file(model);
    const bsp_model_material *m = &model->info.materials[material];
    bsp_table textures = bspi_model_table(file, TEXTURES, 0);
    int64_t at = bspi_model_int(&textures, material, "index", 0);
    uint64_t size = (uint64_t)m->width * m->height;
    uint64_t start = at < 0 ? UINT64_MAX / 2 : (uint64_t)at;
    bsp_bytes texels = bspi_slice(file->info.bytes, start, size);
    bsp_bytes palette = bspi_slice(file->info.bytes, start + texels.size, 768);
    return bspi_model_indexed_image(model, texels, m->width, m->height, palette,
                                    m->alpha == BSP_ALPHA_TEST ? 255 : -1, out, error);
}

// --- the pose -----------------------------------------------------------------------------------

/// Where the numbers of a sequence are.
typedef struct animation {
    bsp_bytes bytes; ///< of the file; empty: there is no animation
    uint64_t at;     ///< of the record of bone 0: six offsets of 16 bits each
    uint32_t frame;
} animation;

static animation find_animation(const bspi_model_builder *b) {
    const bsp_model_asset *model = b->model;
    bsp_table sequences = bspi_model_table(model->file, SEQUENCES, 0);
    animation none = {{NULL, 0}, 0, 0};
    if (b->pose->bind_pose || sequences.count == 0) {
        return none;
    }
    uint32_t n = b->pose->sequence < sequences.count ? b->pose->sequence : 0;
    uint32_t frames = model->info.sequences[n].num_frames;
    int64_t group = bspi_model_int(&sequences, n, "seqgroup", 0);
    int64_t at = bspi_model_int(&sequences, n, "animindex", 0);
    const bsp_model_file *file = model->file;
    if (group != 0) {
        char role[16];
        snprintf(role, sizeof role, "group %u", (unsigned)(group & 0xFFFF));
        file = bspi_model_companion_find(model, role);
    }
    if (file == NULL || at < 0) {
        return none;
    }
    uint32_t frame = b->pose->frame < frames ? b->pose->frame : frames - (frames != 0);
    return (animation){file->info.bytes, (uint64_t)at, frame};
}

// Reads the number of a channel: spans of `total` frames, of which the first `valid` have their
// own.
static float read_channel(bspi_model_builder *b, const animation *a, uint64_t at) {
    uint32_t frame = a->frame;
    for (;;) {
        bsp_bytes span = bspi_slice(a->bytes, at, 2);
        if (span.size == 0 || span.data[1] == 0 || !bspi_meter_add(&b->meter, 1)) {
            return 0;
        }
        uint32_t valid = span.data[0];
        uint32_t total = span.data[1];
        if (frame < total) {
            uint32_t k = frame < valid ? frame : valid - (valid != 0);
            bsp_bytes value = bspi_slice(a->bytes, at + 2 + (uint64_t)k * 2, 2);
            return valid == 0 || value.size == 0 ? 0
                                                 : (float)(int16_t)bspi_load16(value.data, false);
        }
        frame -= total;
        at += 2 + (uint64_t)valid * 2;
    }
}

// Sets a matrix from a place and three angles in radians: about x, then y, then z.
static void set_local(const float channel[CHANNELS], float out[3][4]) {
    static const float one[3] = {1, 1, 1};
    float s[3];
    float c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = bspi_sine(channel[3 + i] / 2);
        c[i] = bspi_cosine(channel[3 + i] / 2);
    }
    const float turn[4] = {
        s[0] * c[1] * c[2] - c[0] * s[1] * s[2], c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
        c[0] * c[1] * s[2] - s[0] * s[1] * c[2], c[0] * c[1] * c[2] + s[0] * s[1] * s[2]};
    bspi_matrix_compose(channel, turn, one, out);
}

static void place_bone(const bsp_model_bone *bones, uint32_t i, const float local[3][4], bool bind,
                       float out[3][4]) {
    if (bones[i].parent == BSP_NONE) {
        memcpy(out, local, sizeof(float[3][4]));
        return;
    }
    const bsp_model_bone *parent = &bones[bones[i].parent];
    bspi_matrix_multiply((const float(*)[4])(bind ? parent->bind : parent->place), local, out);
}

static bool set_bones(bspi_model_builder *b) {
    bsp_table table = bspi_model_table(b->model->file, BONES, 0);
    animation a = find_animation(b);
    bsp_model_bone *bones = bspi_arena_zero(b->arena, table.count, sizeof *bones, b->error);
    for (uint32_t i = 0; bones != NULL && i < table.count; i++) {
        int64_t parent = bspi_model_int(&table, i, "parent", 0);
        uint64_t record = a.at + (uint64_t)i * CHANNELS * 2;
        bsp_bytes offsets = bspi_slice(a.bytes, record, (size_t)CHANNELS * 2);
        float rest[CHANNELS];
        float posed[CHANNELS];
        float local[3][4];
        for (uint32_t c = 0; c < CHANNELS; c++) {
            uint16_t offset =
                offsets.size == 0 ? 0 : bspi_load16(offsets.data + (size_t)c * 2, false);
            rest[c] = posed[c] = bspi_model_float(&table, i, "value", c);
            posed[c] += offset == 0 ? 0
                                    : read_channel(b, &a, record + offset) *
                                          bspi_model_float(&table, i, "scale", c);
        }
        bones[i].name = bspi_model_text(&table, i, "name");
        bones[i].parent = parent >= 0 && parent < i ? (uint32_t)parent : BSP_NONE;
        set_local(rest, local);
        place_bone(bones, i, (const float(*)[4])local, true, bones[i].bind);
        set_local(posed, local);
        place_bone(bones, i, (const float(*)[4])local, false, bones[i].place);
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = bones == NULL ? 0 : table.count;
    return bones != NULL && bspi_meter_add(&b->meter, table.count);
}

static bool set_attachments(bspi_model_builder *b) {
    bsp_table table = bspi_model_table(b->model->file, ATTACHMENTS, 0);
    bsp_model_attachment *list = bspi_arena_zero(b->arena, table.count, sizeof *list, b->error);
    for (uint32_t i = 0; list != NULL && i < table.count; i++) {
        int64_t bone = bspi_model_int(&table, i, "bone", 0);
        bool there = bone >= 0 && bone < b->mesh->num_bones;
        float local[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        for (uint32_t axis = 0; axis < 3; axis++) {
            local[axis][3] = bspi_model_float(&table, i, "org", axis);
        }
        list[i].name = bspi_model_text(&table, i, "name");
        list[i].bone = there ? (uint32_t)bone : BSP_NONE;
        memcpy(list[i].place, local, sizeof local);
        if (there) {
            bspi_matrix_multiply((const float(*)[4])b->mesh->bones[bone].place,
                                 (const float(*)[4])local, list[i].place);
        }
    }
    b->mesh->attachments = list;
    b->mesh->num_attachments = list == NULL ? 0 : table.count;
    return list != NULL;
}

// --- triangles ----------------------------------------------------------------------------------

/// The model of a body part whose triangles are made.
typedef struct part_work {
    bspi_model_builder *b;
    bsp_table vertex_bones;
    bsp_table vertices;
    bsp_table normal_bones;
    bsp_table normals;
    bspi_corners corners;
    float size[2]; ///< texels of the texture
    bool chrome;
} part_work;

// Turns a vector of the file by its bone.
static uint16_t turn(const part_work *w, const bsp_table *vectors, const bsp_table *bones,
                     uint32_t n, bool point, float out[3]) {
    int64_t bone = n < bones->count ? bsp_table_int(bones, n, 0, 0) : 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        out[axis] = bsp_table_float(vectors, n, 0, axis);
    }
    if (bone >= w->b->mesh->num_bones) {
        return 0;
    }
    const float(*place)[4] = (const float(*)[4])w->b->mesh->bones[bone].place;
    if (point) {
        bspi_matrix_point(place, out, out);
    } else {
        bspi_matrix_direction(place, out, out);
    }
    return (uint16_t)bone;
}

// Returns the vertex of a corner: numbers of a vertex and a normal, and two texels. What is of
// chrome mirrors its surroundings; here as a viewer far away on +x sees it.
static uint32_t add_corner(part_work *w, const uint8_t *p) {
    uint32_t vertex = bspi_load16(p, false);
    uint32_t normal = bspi_load16(p + 2, false);
    uint32_t texels = bspi_load32(p + 4, false);
    if (vertex >= w->vertices.count) {
        return BSP_NONE;
    }
    uint32_t *place = bspi_corners_at(w->b, &w->corners, vertex << 16 | normal, texels);
    if (*place == BSP_NONE) {
        bsp_model_vertex out = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bsp_model_weights weights = {{0}, {1}};
        weights.bone[0] = turn(w, &w->vertices, &w->vertex_bones, vertex, true, out.position);
        if (normal < w->normals.count) {
            (void)turn(w, &w->normals, &w->normal_bones, normal, false, out.normal);
        }
        for (int i = 0; i < 2; i++) {
            float texel = (float)(int16_t)bspi_load16(p + 4 + i * 2, false);
            out.uv[i] = w->chrome        ? (out.normal[1 + i] + 1) / 2
                        : w->size[i] > 0 ? texel / w->size[i]
                                         : 0;
        }
        *place = bspi_build_vertex(w->b, &out, w->b->mesh->num_bones == 0 ? NULL : &weights);
    }
    return *place;
}

static void draw(part_work *w, const uint8_t *p, uint32_t count, bool fan) {
    uint32_t last[2] = {BSP_NONE, BSP_NONE};
    for (uint32_t i = 0; i < count && !w->b->failed; i++) {
        uint32_t v = add_corner(w, p + (size_t)i * 8);
        if (i >= 2) {
            bool odd = !fan && i % 2 != 0;
            (void)bspi_build_triangle(w->b, odd ? last[1] : last[0], odd ? last[0] : last[1], v);
        }
        if (i == 0) {
            last[0] = v;
        } else {
            last[0] = fan || i == 1 ? last[0] : last[1];
            last[1] = v;
        }
    }
}

// Walks over the commands of a mesh: a number of corners (above 0: a strip; below: a fan), and the
// corners. Returns how many corners there are; draws them if `w` is not NULL.
static uint32_t walk(bsp_bytes bytes, int64_t start, part_work *w) {
    uint64_t at = start < 0 ? UINT64_MAX / 2 : (uint64_t)start;
    uint32_t corners = 0;
    for (;;) {
        bsp_bytes head = bspi_slice(bytes, at, 2);
        int count = head.size == 0 ? 0 : (int16_t)bspi_load16(head.data, false);
        uint32_t of = (uint32_t)(count < 0 ? -count : count);
        bsp_bytes list = bspi_slice(bytes, at + 2, (uint64_t)of * 8);
        if (list.size == 0 || corners > UINT32_MAX / 2) {
            return corners;
        }
        corners += of;
        at += 2 + (uint64_t)of * 8;
        if (w != NULL) {
            draw(w, list.data, of, count < 0);
        }
    }
}

// Returns the texture of a mesh in a skin family, or BSP_NONE.
static uint32_t texture_of(const bspi_model_builder *b, int64_t reference) {
    const bsp_model_file *file = texture_file(b->model);
    bsp_table head = bspi_model_head(file);
    bsp_table skins = bspi_model_table(file, SKINS, 0);
    int64_t references = bspi_model_int(&head, 0, "numskinref", 0);
    int64_t family = b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
    int64_t at = family * references + reference;
    int64_t texture = at >= 0 && at < skins.count ? bsp_table_int(&skins, (uint32_t)at, 0, 0) : -1;
    return texture >= 0 && texture < b->model->info.num_materials ? (uint32_t)texture : BSP_NONE;
}

static bool add_mesh(part_work *w, const bsp_table *meshes, uint32_t n, uint32_t part,
                     bsp_text name) {
    bsp_bytes bytes = w->b->model->file->info.bytes;
    int64_t start = bspi_model_int(meshes, n, "triindex", 0);
    uint32_t material = texture_of(w->b, bspi_model_int(meshes, n, "skinref", 0));
    const bsp_model_material *m =
        material == BSP_NONE ? NULL : &w->b->model->info.materials[material];
    uint32_t corners = walk(bytes, start, NULL);
    w->size[0] = m == NULL ? 0 : (float)m->width;
    w->size[1] = m == NULL ? 0 : (float)m->height;
    w->chrome = m != NULL && m->chrome;
    if (!bspi_meter_add(&w->b->meter, corners) || !bspi_build_group(w->b, material, part, name) ||
        !bspi_corners_new(w->b, corners, &w->corners)) {
        return false;
    }
    (void)walk(bytes, start, w);
    bspi_corners_free(w->b, &w->corners);
    return !w->b->failed;
}

// Builds the model that the body's number chooses of a part.
static bool add_part(bspi_model_builder *b, uint32_t part) {
    const bsp_model_file *file = b->model->file;
    bsp_table parts = bspi_model_table(file, PARTS, 0);
    bsp_table models = bspi_model_table(file, MODELS, part);
    int64_t base = bspi_model_int(&parts, part, "base", 0);
    if (models.count == 0) {
        return true;
    }
    uint32_t chosen = b->pose->body / (base > 0 ? (uint32_t)base : 1) % models.count;
    uint32_t n = bspi_model_records_before(file, MODELS, part) + chosen;
    bsp_table meshes = bspi_model_table(file, MESHES, n);
    part_work w = {.b = b,
                   .vertex_bones = bspi_model_table(file, VERTEX_BONES, n),
                   .vertices = bspi_model_table(file, VERTICES, n),
                   .normal_bones = bspi_model_table(file, NORMAL_BONES, n),
                   .normals = bspi_model_table(file, NORMALS, n)};
    bool done = true;
    for (uint32_t i = 0; done && i < meshes.count; i++) {
        done = add_mesh(&w, &meshes, i, part, bspi_model_text(&models, chosen, "name"));
    }
    return done;
}

static bool build_goldsrc(bspi_model_builder *b) {
    bool done = set_bones(b) && set_attachments(b) && bspi_studio_hitboxes(b, HITBOXES);
    for (uint32_t i = 0; done && i < b->model->info.num_body_parts; i++) {
        done = add_part(b, i);
    }
    return done;
}

const bspi_model_def bspi_model_goldsrc_mdl = {
    .format = {.name = "goldsrc-mdl",
               .title = "GoldSrc studio model",
               .ending = ".mdl",
               .kind = BSP_MODEL_MESH,
               .pitch_negated = true},
    .magic = "IDST",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 10,
    .last = 10,
    .head = &studiohdr_t,
    .rows = rows,
    .num_rows = LENGTH(rows),
    .open = open_goldsrc,
    .build = build_goldsrc,
    .image = image_goldsrc,
};

const bspi_model_def bspi_model_goldsrc_group = {
    .format = {.name = "goldsrc-seq",
               .title = "GoldSrc sequence group",
               .ending = ".mdl",
               .kind = BSP_MODEL_COMPANION},
    .magic = "IDSQ",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 10,
    .last = 10,
    .head = &studioseqhdr_t,
};
