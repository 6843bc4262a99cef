// SPDX-License-Identifier: MIT
// Models of Kingpin (MDX) and Daikatana (DKM), relatives of MD2. Source: the sheet models, 5.
#include "core/text.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/alias.h"
#include "model/quake/commands.h"

// clang-format off

static const bsp_field mdx_fields[] = {
    { NAME("ident"),      CHARS(4) },
    { NAME("version"),    I32(1) },
    { NAME("skinwidth"),  I32(1) },
    { NAME("skinheight"), I32(1) },
    { NAME("framesize"),  I32(1) },
    { NAME("num_skins"),  I32(1) },
    { NAME("num_xyz"),    I32(1) },
    { NAME("num_tris"),   I32(1) },
    { NAME("num_glcmds"), I32(1) },
    { NAME("num_frames"), I32(1) },
    { NAME("num_sfxdef"), I32(1) },
    { NAME("num_sfxent"), I32(1) },
    { NAME("num_subobj"), I32(1) },
    { NAME("ofs_skins"),  I32(1) },
    { NAME("ofs_tris"),   I32(1) },
    { NAME("ofs_frames"), I32(1) },
    { NAME("ofs_glcmds"), I32(1) },
    { NAME("ofs_verts"),  I32(1) },
    { NAME("ofs_sfxdef"), I32(1) },
    { NAME("ofs_sfxent"), I32(1) },
    { NAME("ofs_bbox"),   I32(1) },
    { NAME("ofs_dummyend"), I32(1) },
    { NAME("ofs_end"),    I32(1) },
};
static LAYOUT(dmdx_t, 92, mdx_fields);

static const bsp_field mdx_triangle_fields[] = {
    { NAME("index_xyz"), U16(3), .role = BSP_ROLE_INDEX, .target = BSPI_ALIAS_VERTICES },
    { NAME("index_st"),  U16(3) },
};
static LAYOUT(mdx_triangle_t, 12, mdx_triangle_fields);

#define DKM_ROWS \
    { NAME("ident"),      CHARS(4) }, \
    { NAME("version"),    I32(1) }, \
    { NAME("origin"),     F32(3) }, \
    { NAME("framesize"),  I32(1) }, \
    { NAME("num_skins"),  I32(1) }, \
    { NAME("num_xyz"),    I32(1) }, \
    { NAME("num_st"),     I32(1) }, \
    { NAME("num_tris"),   I32(1) }, \
    { NAME("num_glcmds"), I32(1) }, \
    { NAME("num_frames"), I32(1) }, \
    { NAME("num_surf"),   I32(1) }, \
    { NAME("ofs_skins"),  I32(1) }, \
    { NAME("ofs_st"),     I32(1) }, \
    { NAME("ofs_tris"),   I32(1) }, \
    { NAME("ofs_frames"), I32(1) }, \
    { NAME("ofs_glcmds"), I32(1) }, \
    { NAME("ofs_surf"),   I32(1) }, \
    { NAME("ofs_end"),    I32(1) },

static const bsp_field dkm_fields[] = { DKM_ROWS };
static LAYOUT(dkm_t, 80, dkm_fields);

static const bsp_field dkm2_fields[] = {
    DKM_ROWS
    { NAME("num_animgroup"), I32(1) },
    { NAME("ofs_animgroup"), I32(1) },
};
static LAYOUT(dkm2_t, 88, dkm2_fields);

static const bsp_field dkm_triangle_fields[] = {
    { NAME("mesh"),     I16(1) },
    { NAME("uvframes"), I16(1) },
    { NAME("index_xyz"), U16(3), .role = BSP_ROLE_INDEX, .target = BSPI_ALIAS_VERTICES },
    { NAME("index_st"),  U16(3), .role = BSP_ROLE_INDEX, .target = BSPI_ALIAS_COORDS },
};
static LAYOUT(dkm_triangle_t, 16, dkm_triangle_fields);

static const bsp_field surface_fields[] = {
    { NAME("name"), CHARS(32) },
    { NAME("rest"), PAD(20) },
};
static LAYOUT(dkm_surface_t, 52, surface_fields);

// A coordinate of 11, 10 and 11 bits: x is the highest.
static const bsp_field packed_fields[] = {
    { NAME("z"),                U32(1), BITS(0, 11) },
    { NAME("y"),                U32(1), BITS(11, 10) },
    { NAME("x"),                U32(1), BITS(21, 11) },
    { NAME("lightnormalindex"), U8(1) },
};
static LAYOUT(dkm_vertex_t, 5, packed_fields);

enum { SKINS = 1, FRAMES, VERTICES, COMMANDS, TRIANGLES, COORDS };

#define COMMON_ROWS(vertex) \
    { .name = "skins", .layout = &bspi_alias_skin_t, .count = "num_skins", .offset = "ofs_skins", .id = BSPI_ALIAS_SKINS }, \
    { .name = "frames", .layout = &bspi_alias_frame_t, .count = "num_frames", .offset = "ofs_frames", .stride = "framesize", .id = BSPI_ALIAS_FRAMES }, \
    { .name = "verts", .layout = &(vertex), .parent = FRAMES, .count = "num_xyz", .id = BSPI_ALIAS_VERTICES }, \
    { .name = "glcmds", .layout = &bspi_bare_command_t, .count = "num_glcmds", .offset = "ofs_glcmds" },

#define DKM_MORE_ROWS \
    { .name = "tris", .layout = &dkm_triangle_t, .count = "num_tris", .offset = "ofs_tris" }, \
    { .name = "st", .layout = &bspi_alias_coord_t, .count = "num_st", .offset = "ofs_st", .id = BSPI_ALIAS_COORDS }, \
    { .name = "surfaces", .layout = &dkm_surface_t, .count = "num_surf", .offset = "ofs_surf" },

static const bspi_model_row mdx_rows[] = {
    COMMON_ROWS(bspi_alias_vertex_t)
    { .name = "tris", .layout = &mdx_triangle_t, .count = "num_tris", .offset = "ofs_tris" },
    { .name = "vertex_objects", .layout = &bspi_bare_command_t, .count = "num_xyz", .offset = "ofs_verts" },
};
static const bspi_model_row dkm_rows[] = { COMMON_ROWS(bspi_alias_vertex_t) DKM_MORE_ROWS };
static const bspi_model_row dkm2_rows[] = { COMMON_ROWS(dkm_vertex_t) DKM_MORE_ROWS };

// clang-format on

static const bspi_command_form mdx_form = {1, false, false};
static const bspi_command_form dkm_form = {2, true, true};

static bsp_text frame_name(const bsp_model_asset *model, uint32_t frame) {
    bsp_table table = bspi_model_table(model->file, FRAMES, frame);
    return bspi_model_text(&table, 0, "name");
}

static bool open_with(bsp_model_asset *model, const bspi_command_form *form, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    bsp_table skins = bspi_model_table(file, SKINS, 0);
    bsp_table commands = bspi_model_table(file, COMMANDS, 0);
    uint32_t listed = bspi_model_table(file, TRIANGLES, 0).count;
    uint32_t drawn = bspi_commands_triangles(&commands, form);
    model->info.num_triangles = drawn != 0 ? drawn : listed;
    model->info.num_vertices = bspi_model_table(file, VERTICES, 0).count;
    model->info.num_frames = bspi_model_num_tables(file, FRAMES);
    return bspi_alias_materials(model, &skins, bspi_model_u32(&head, 0, "skinwidth"),
                                bspi_model_u32(&head, 0, "skinheight"), error) &&
           bspi_model_name_sequences(model, model->info.num_frames, frame_name, error);
}

static bool open_mdx(bsp_model_asset *model, bsp_error *error) {
    return open_with(model, &mdx_form, error);
}

// The skins of a DKM are parts of one look: commands name them.
static bool open_dkm(bsp_model_asset *model, bsp_error *error) {
    bool done = open_with(model, &dkm_form, error);
    model->info.num_skins = 1;
    return done;
}

static bool set_frame(const bspi_model_builder *b, bspi_alias_frame *frame) {
    uint32_t frames = b->model->info.num_frames;
    if (frames == 0) {
        return false;
    }
    uint32_t number = b->pose->frame < frames ? b->pose->frame : frames - 1;
    bsp_table record = bspi_model_table(b->model->file, FRAMES, number);
    frame->vertices = bspi_model_table(b->model->file, VERTICES, number);
    bspi_model_floats(&record, 0, "scale", 3, frame->scale);
    bspi_model_floats(&record, 0, "translate", 3, frame->translate);
    return true;
}

static uint32_t material_of(const bspi_model_builder *b) {
    return b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
}

static bool build_mdx(bspi_model_builder *b) {
    bspi_alias_frame frame = {.packed = false};
    bsp_table commands = bspi_model_table(b->model->file, COMMANDS, 0);
    return !set_frame(b, &frame) ||
           bspi_commands_build(b, &frame, &commands, &mdx_form, material_of(b));
}

static bool build_dkm(bspi_model_builder *b) {
    bspi_alias_frame frame = {.packed = b->model->file->info.version == 2};
    bsp_table commands = bspi_model_table(b->model->file, COMMANDS, 0);
    return !set_frame(b, &frame) ||
           bspi_commands_build(b, &frame, &commands, &dkm_form, material_of(b));
}

#define ROW(id, what, end, the_magic, number, the_head, the_rows, the_open, the_build)             \
    .format = {.name = (id),                                                                       \
               .title = (what),                                                                    \
               .ending = (end),                                                                    \
               .kind = BSP_MODEL_MESH,                                                             \
               .roll_negated = true},                                                              \
    .magic = the_magic, .magic_size = 4, .version_at = 4, .version_size = 4, .version = (number),  \
    .last = (number), .head = &(the_head), .rows = (the_rows), .num_rows = LENGTH(the_rows),       \
    .open = the_open, .build = the_build

const bspi_model_def bspi_model_mdx = {
    ROW("kingpin-mdx", "Kingpin model", ".mdx", "IDPX", 4, dmdx_t, mdx_rows, open_mdx, build_mdx)};
const bspi_model_def bspi_model_dkm1 = {
    ROW("dkm", "Daikatana model", ".dkm", "DKMD", 1, dkm_t, dkm_rows, open_dkm, build_dkm)};
const bspi_model_def bspi_model_dkm2 = {
    ROW("dkm", "Daikatana model", ".dkm", "DKMD", 2, dkm2_t, dkm2_rows, open_dkm, build_dkm)};
