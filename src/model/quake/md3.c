// SPDX-License-Identifier: MIT
// Quake 3 models (MD3) and the .skin files that name their materials. Source: the sheet models, 6.
#include "core/curves.h"
#include "core/text.h"
#include "formats/table.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/skin.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

#define UNITS_PER_STEP (1.0F / 64.0F) // of a coordinate

enum { VERTS = 1 }; // targets of roles

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("ident"),        CHARS(4) },
    { NAME("version"),      I32(1) },
    { NAME("name"),         CHARS(64) },
    { NAME("flags"),        I32(1), ROLE(FLAGS) },
    { NAME("num_frames"),   I32(1) },
    { NAME("num_tags"),     I32(1) },
    { NAME("num_surfaces"), I32(1) },
    { NAME("num_skins"),    I32(1) },
    { NAME("ofs_frames"),   I32(1) },
    { NAME("ofs_tags"),     I32(1) },
    { NAME("ofs_surfaces"), I32(1) },
    { NAME("ofs_end"),      I32(1) },
};
static LAYOUT(md3_header_t, 108, head_fields);

static const bsp_field frame_fields[] = {
    { NAME("mins"),         F32(3), ROLE(BOUNDS) },
    { NAME("maxs"),         F32(3), ROLE(BOUNDS) },
    { NAME("local_origin"), F32(3) },
    { NAME("radius"),       F32(1) },
    { NAME("name"),         CHARS(16) },
};
static LAYOUT(md3_frame_t, 56, frame_fields);

static const bsp_field tag_fields[] = {
    { NAME("name"),   CHARS(64) },
    { NAME("origin"), F32(3) },
    { NAME("axis"),   F32(9) },
};
static LAYOUT(md3_tag_t, 112, tag_fields);

static const bsp_field surface_fields[] = {
    { NAME("ident"),         CHARS(4) },
    { NAME("name"),          CHARS(64) },
    { NAME("flags"),         I32(1), ROLE(FLAGS) },
    { NAME("num_frames"),    I32(1) },
    { NAME("num_shaders"),   I32(1) },
    { NAME("num_verts"),     I32(1) },
    { NAME("num_triangles"), I32(1) },
    { NAME("ofs_triangles"), I32(1) },
    { NAME("ofs_shaders"),   I32(1) },
    { NAME("ofs_st"),        I32(1) },
    { NAME("ofs_xyznormal"), I32(1) },
    { NAME("ofs_end"),       I32(1) },
};
static LAYOUT(md3_surface_t, 108, surface_fields);

static const bsp_field shader_fields[] = {
    { NAME("name"),         CHARS(64) },
    { NAME("shader_index"), I32(1) },
};
static LAYOUT(md3_shader_t, 68, shader_fields);

static const bsp_field triangle_fields[] = {
    { NAME("indexes"), I32(3), .role = BSP_ROLE_INDEX, .target = VERTS },
};
static LAYOUT(md3_triangle_t, 12, triangle_fields);

static const bsp_field coord_fields[] = { { NAME("st"), F32(2) } };
static LAYOUT(md3_st_t, 8, coord_fields);

static const bsp_field vertex_fields[] = {
    { NAME("xyz"),    I16(3) },
    { NAME("normal"), U16(1) },
};
static LAYOUT(md3_xyznormal_t, 8, vertex_fields);

enum { FRAMES = 1, TAGS, SURFACES, SHADERS, TRIANGLES, COORDS, VERTICES };

static const bspi_model_row rows[] = {
    { .name = "frames", .layout = &md3_frame_t, .count = "num_frames", .offset = "ofs_frames" },
    { .name = "tags", .layout = &md3_tag_t, .count = "num_tags", .times = "num_frames", .offset = "ofs_tags" },
    { .name = "surfaces", .layout = &md3_surface_t, .count = "num_surfaces", .offset = "ofs_surfaces", .chain = "ofs_end" },
    { .name = "shaders", .layout = &md3_shader_t, .parent = SURFACES, .count = "num_shaders", .offset = "ofs_shaders", .from_record = true },
    { .name = "triangles", .layout = &md3_triangle_t, .parent = SURFACES, .count = "num_triangles", .offset = "ofs_triangles", .from_record = true },
    { .name = "st", .layout = &md3_st_t, .parent = SURFACES, .count = "num_verts", .offset = "ofs_st", .from_record = true, .id = VERTS },
    { .name = "xyznormals", .layout = &md3_xyznormal_t, .parent = SURFACES, .count = "num_verts", .times = "num_frames", .offset = "ofs_xyznormal", .from_record = true },
};

// clang-format on

// --- opening ------------------------------------------------------------------------------------

static bsp_text surface_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table table = bspi_model_table(model->file, SURFACES, surface);
    return bspi_model_text(&table, 0, "name");
}

static bsp_text shader_name(const bsp_model_asset *model, uint32_t surface) {
    bsp_table shaders = bspi_model_table(model->file, SHADERS, surface);
    return bspi_model_text(&shaders, 0, "name");
}

static bool open_md3(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    uint32_t surfaces = bspi_model_num_tables(file, SURFACES);
    for (uint32_t i = 0; i < surfaces; i++) {
        model->info.num_triangles += bspi_model_table(file, TRIANGLES, i).count;
        model->info.num_vertices += bspi_model_table(file, COORDS, i).count;
    }
    model->info.num_frames = bspi_model_table(file, FRAMES, 0).count;
    model->info.flags = bspi_model_u32(&head, 0, "flags");
    return bspi_skin_materials(model, surfaces, surface_name, shader_name, error);
}

// --- the mesh -----------------------------------------------------------------------------------

// Sets the normal from its two angles, of a byte each.
static void set_normal(uint32_t packed, float out[3]) {
    double lat = (packed >> 8) * (BSPI_TURN / 256);
    double lng = (packed & 255) * (BSPI_TURN / 256);
    out[0] = (float)(cos(lat) * sin(lng));
    out[1] = (float)(sin(lat) * sin(lng));
    out[2] = (float)cos(lng);
}

static void add_vertices(bspi_model_builder *b, const bsp_table *coords, const bsp_table *places,
                         uint32_t first) {
    for (uint32_t i = 0; i < coords->count && !b->failed; i++) {
        bsp_model_vertex vertex = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        if (i < places->count - first) {
            for (uint32_t axis = 0; axis < 3; axis++) {
                vertex.position[axis] =
                    bsp_table_float(places, first + i, 0, axis) * UNITS_PER_STEP;
            }
            set_normal((uint32_t)bsp_table_int(places, first + i, 1, 0), vertex.normal);
        }
        vertex.uv[0] = bsp_table_float(coords, i, 0, 0);
        vertex.uv[1] = bsp_table_float(coords, i, 0, 1);
        (void)bspi_build_vertex(b, &vertex, NULL);
    }
}

static bool add_surface(bspi_model_builder *b, uint32_t surface, uint32_t material) {
    const bsp_model_file *file = b->model->file;
    bsp_table head = bspi_model_table(file, SURFACES, surface);
    bsp_table triangles = bspi_model_table(file, TRIANGLES, surface);
    bsp_table coords = bspi_model_table(file, COORDS, surface);
    bsp_table places = bspi_model_table(file, VERTICES, surface);
    int64_t frames = bspi_model_int(&head, 0, "num_frames", 0);
    int64_t frame = b->pose->frame < frames ? b->pose->frame : frames > 0 ? frames - 1 : 0;
    uint64_t first = (uint64_t)frame * coords.count;
    if (!bspi_build_group(b, material, 0, surface_name(b->model, surface))) {
        return false;
    }
    uint32_t base = b->num_vertices;
    add_vertices(b, &coords, &places, first < places.count ? (uint32_t)first : places.count);
    for (uint32_t i = 0; i < triangles.count && !b->failed; i++) {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            int64_t index = bsp_table_int(&triangles, i, 0, k);
            v[k] = index < 0 || index >= coords.count ? BSP_NONE : base + (uint32_t)index;
        }
        (void)bspi_build_triangle(b, v[0], v[1], v[2]);
    }
    return !b->failed;
}

// Adds the tags of the frame as attachments.
static bool add_tags(bspi_model_builder *b) {
    bsp_table head = bspi_model_head(b->model->file);
    bsp_table tags = bspi_model_table(b->model->file, TAGS, 0);
    uint64_t count = (uint64_t)bspi_model_int(&head, 0, "num_tags", 0);
    uint32_t frames = b->model->info.num_frames;
    uint64_t frame = b->pose->frame < frames ? b->pose->frame : frames - (frames != 0);
    if (count == 0 || (frame + 1) * count > tags.count) {
        return true;
    }
    bsp_model_attachment *list = bspi_arena_zero(b->arena, (size_t)count, sizeof *list, b->error);
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        uint32_t tag = (uint32_t)(frame * count) + i;
        list[i].bone = BSP_NONE;
        list[i].name = bspi_model_text(&tags, tag, "name");
        for (uint32_t row = 0; row < 3; row++) {
            for (uint32_t axis = 0; axis < 3; axis++) { // the axes are columns
                list[i].place[row][axis] = bspi_model_float(&tags, tag, "axis", axis * 3 + row);
            }
            list[i].place[row][3] = bspi_model_float(&tags, tag, "origin", row);
        }
    }
    b->mesh->attachments = list;
    b->mesh->num_attachments = list == NULL ? 0 : (uint32_t)count;
    return list != NULL;
}

static bool build_md3(bspi_model_builder *b) {
    uint32_t surfaces = bspi_model_num_tables(b->model->file, SURFACES);
    uint32_t skin = b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
    bool done = add_tags(b);
    for (uint32_t i = 0; done && i < surfaces; i++) {
        uint32_t material = skin * surfaces + i;
        if (!bspi_skin_hides(&b->model->info.materials[material])) {
            done = add_surface(b, i, material);
        }
    }
    return done;
}

const bspi_model_def bspi_model_md3 = {
    .format = {.name = "md3", .title = "Quake 3 model", .ending = ".md3", .kind = BSP_MODEL_MESH},
    .magic = "IDP3",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 15,
    .last = 15,
    .head = &md3_header_t,
    .rows = rows,
    .num_rows = LENGTH(rows),
    .open = open_md3,
    .build = build_md3,
};
