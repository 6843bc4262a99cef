// SPDX-License-Identifier: MIT
// The records of GoldSrc's models (MDL 10) and of their files of sequences. Source: the sheet
// models, 3.
#include "model/studio/goldsrc_layouts.h"

#include "formats/table.h"
#include "model/formats.h"

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
FAMILY_LAYOUT(goldsrc, studiohdr_t, 244, head_fields);

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

const bspi_model_row bspi_goldsrc_rows[BSPI_MDL10_ROWS] = {
    { .name = "bones", .layout = &mstudiobone_t, .count = "numbones", .offset = "boneindex", .id = ID_BONES },
    { .name = "bonecontrollers", .layout = &mstudiobonecontroller_t, .count = "numbonecontrollers", .offset = "bonecontrollerindex" },
    { .name = "hitboxes", .layout = &mstudiobbox_t, .count = "numhitboxes", .offset = "hitboxindex" },
    { .name = "sequences", .layout = &mstudioseqdesc_t, .count = "numseq", .offset = "seqindex" },
    { .name = "events", .layout = &mstudioevent_t, .parent = BSPI_MDL10_SEQUENCES, .count = "numevents", .offset = "eventindex" },
    { .name = "pivots", .layout = &mstudiopivot_t, .parent = BSPI_MDL10_SEQUENCES, .count = "numpivots", .offset = "pivotindex" },
    { .name = "seqgroups", .layout = &mstudioseqgroup_t, .count = "numseqgroups", .offset = "seqgroupindex", .id = ID_GROUPS },
    { .name = "textures", .layout = &mstudiotexture_t, .count = "numtextures", .offset = "textureindex", .id = ID_TEXTURES },
    { .name = "skins", .layout = &mstudioskinref_t, .count = "numskinref", .times = "numskinfamilies", .offset = "skinindex" },
    { .name = "bodyparts", .layout = &mstudiobodyparts_t, .count = "numbodyparts", .offset = "bodypartindex" },
    { .name = "models", .layout = &mstudiomodel_t, .parent = BSPI_MDL10_PARTS, .count = "nummodels", .offset = "modelindex" },
    { .name = "meshes", .layout = &mstudiomesh_t, .parent = BSPI_MDL10_MODELS, .count = "nummesh", .offset = "meshindex" },
    { .name = "vertex_bones", .layout = &mstudiovertinfo_t, .parent = BSPI_MDL10_MODELS, .count = "numverts", .offset = "vertinfoindex" },
    { .name = "vertices", .layout = &mstudiovec_t, .parent = BSPI_MDL10_MODELS, .count = "numverts", .offset = "vertindex" },
    { .name = "normal_bones", .layout = &mstudiovertinfo_t, .parent = BSPI_MDL10_MODELS, .count = "numnorms", .offset = "norminfoindex" },
    { .name = "normals", .layout = &mstudiovec_t, .parent = BSPI_MDL10_MODELS, .count = "numnorms", .offset = "normindex" },
    { .name = "attachments", .layout = &mstudioattachment_t, .count = "numattachments", .offset = "attachmentindex" },
    { .name = "transitions", .layout = &mstudiotransition_t, .count = "numtransitions", .times = "numtransitions", .offset = "transitionindex" },
};

// clang-format on

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
