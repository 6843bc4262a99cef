// SPDX-License-Identifier: MIT
// Quake 2 models (MD2). Source: the sheet models, 4.
#include "core/text.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/alias.h"

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("ident"),      CHARS(4) },
    { NAME("version"),    I32(1) },
    { NAME("skinwidth"),  I32(1) },
    { NAME("skinheight"), I32(1) },
    { NAME("framesize"),  I32(1) },
    { NAME("num_skins"),  I32(1) },
    { NAME("num_xyz"),    I32(1) },
    { NAME("num_st"),     I32(1) },
    { NAME("num_tris"),   I32(1) },
    { NAME("num_glcmds"), I32(1) },
    { NAME("num_frames"), I32(1) },
    { NAME("ofs_skins"),  I32(1) },
    { NAME("ofs_st"),     I32(1) },
    { NAME("ofs_tris"),   I32(1) },
    { NAME("ofs_frames"), I32(1) },
    { NAME("ofs_glcmds"), I32(1) },
    { NAME("ofs_end"),    I32(1) },
};
static LAYOUT(dmdl_t, 68, head_fields);

enum { SKINS = 1, COORDS, TRIANGLES, FRAMES, VERTICES };

static const bspi_model_row rows[] = {
    { .name = "skins", .layout = &bspi_alias_skin_t, .count = "num_skins", .offset = "ofs_skins", .id = BSPI_ALIAS_SKINS },
    { .name = "st", .layout = &bspi_alias_coord_t, .count = "num_st", .offset = "ofs_st", .id = BSPI_ALIAS_COORDS },
    { .name = "tris", .layout = &bspi_alias_triangle_t, .count = "num_tris", .offset = "ofs_tris" },
    { .name = "frames", .layout = &bspi_alias_frame_t, .count = "num_frames", .offset = "ofs_frames", .stride = "framesize", .id = BSPI_ALIAS_FRAMES },
    { .name = "verts", .layout = &bspi_alias_vertex_t, .parent = FRAMES, .count = "num_xyz", .id = BSPI_ALIAS_VERTICES },
    { .name = "glcmds", .layout = &bspi_bare_command_t, .count = "num_glcmds", .offset = "ofs_glcmds" },
};

// clang-format on

static bsp_text frame_name(const bsp_model_asset *model, uint32_t frame) {
    bsp_table table = bspi_model_table(model->file, FRAMES, frame);
    return bspi_model_text(&table, 0, "name");
}

static bool open_md2(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    bsp_table skins = bspi_model_table(file, SKINS, 0);
    model->info.num_triangles = bspi_model_table(file, TRIANGLES, 0).count;
    model->info.num_vertices = bspi_model_table(file, VERTICES, 0).count;
    model->info.num_frames = bspi_model_num_tables(file, FRAMES);
    return bspi_alias_materials(model, &skins, bspi_model_u32(&head, 0, "skinwidth"),
                                bspi_model_u32(&head, 0, "skinheight"), error) &&
           bspi_model_name_sequences(model, model->info.num_frames, frame_name, error);
}

static bool build_md2(bspi_model_builder *b) {
    const bsp_model_asset *model = b->model;
    uint32_t frames = model->info.num_frames;
    if (frames == 0) {
        return true;
    }
    uint32_t number = b->pose->frame < frames ? b->pose->frame : frames - 1;
    bsp_table record = bspi_model_table(model->file, FRAMES, number);
    bspi_alias_frame frame = {.vertices = bspi_model_table(model->file, VERTICES, number)};
    bspi_model_floats(&record, 0, "scale", 3, frame.scale);
    bspi_model_floats(&record, 0, "translate", 3, frame.translate);
    bsp_table triangles = bspi_model_table(model->file, TRIANGLES, 0);
    bsp_table coords = bspi_model_table(model->file, COORDS, 0);
    bsp_table head = bspi_model_head(model->file);
    return bspi_alias_build(b, &frame, &triangles, &coords,
                            bspi_model_float(&head, 0, "skinwidth", 0),
                            bspi_model_float(&head, 0, "skinheight", 0),
                            b->pose->skin < model->info.num_skins ? b->pose->skin : 0);
}

const bspi_model_def bspi_model_md2 = {
    .format = {.name = "md2",
               .title = "Quake 2 model",
               .ending = ".md2",
               .kind = BSP_MODEL_MESH,
               .roll_negated = true},
    .magic = "IDP2",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 8,
    .last = 8,
    .head = &dmdl_t,
    .rows = rows,
    .num_rows = LENGTH(rows),
    .open = open_md2,
    .build = build_md2,
};
