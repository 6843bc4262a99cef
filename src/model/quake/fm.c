// SPDX-License-Identifier: MIT
// Heretic II models (FM): a chain of blocks, each with a name, a version and a size; what a block
// holds is as in MD2. Source: the sheet models, 5.
#include "core/text.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/alias.h"
#include "model/rows.h"

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("block"),          CHARS(32) },
    { NAME("version"),        U32(1) },
    { NAME("blocksize"),      U32(1) },
    { NAME("skinwidth"),      I32(1) },
    { NAME("skinheight"),     I32(1) },
    { NAME("framesize"),      I32(1) },
    { NAME("num_skins"),      I32(1) },
    { NAME("num_xyz"),        I32(1) },
    { NAME("num_st"),         I32(1) },
    { NAME("num_tris"),       I32(1) },
    { NAME("num_glcmds"),     I32(1) },
    { NAME("num_frames"),     I32(1) },
    { NAME("num_mesh_nodes"), I32(1) },
};
static LAYOUT(fmheader_t, 80, head_fields);

static const bsp_field block_fields[] = {
    { NAME("block"),     CHARS(32) },
    { NAME("version"),   U32(1) },
    { NAME("blocksize"), U32(1) },
};
static LAYOUT(fmblock_t, 40, block_fields);

static const bsp_field node_fields[] = {
    { NAME("tris"),         U8(256) },
    { NAME("verts"),        U8(256) },
    { NAME("start_glcmds"), I16(1) },
    { NAME("num_glcmds"),   I16(1) },
};
static LAYOUT(fmmeshnode_t, 516, node_fields);

/// A block that is an array of records.
typedef struct block_kind {
    const char *name;
    const char *key;   ///< in dumps
    const char *count; ///< field of the head
    const bsp_layout *layout;
} block_kind;

static const block_kind kinds[] = {
    { "skin",       "skins",      "num_skins",      &bspi_alias_skin_t },
    { "st coord",   "st",         "num_st",         &bspi_alias_coord_t },
    { "tris",       "tris",       "num_tris",       &bspi_alias_triangle_t },
    { "glcmds",     "glcmds",     "num_glcmds",     &bspi_bare_command_t },
    { "mesh nodes", "mesh_nodes", "num_mesh_nodes", &fmmeshnode_t },
};

// clang-format on

static uint32_t count_of(bspi_parse *parse, const char *field) {
    bsp_table head = {&fmheader_t, parse->data.data, 1, false};
    int64_t count = bspi_model_int(&head, 0, field, 0);
    if (count < 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 0, "%s is %lld", field,
                         (long long)count);
    }
    return count < 0 ? 0 : (uint32_t)count;
}

// Adds the frames of a block: at each `framesize` a frame and its vertices.
static void take_frames(bspi_parse *parse, size_t at, size_t end) {
    uint32_t frames = count_of(parse, "num_frames");
    uint32_t stride = count_of(parse, "framesize");
    uint32_t vertices = count_of(parse, "num_xyz");
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "frames");
    bool whole = stride >= bspi_alias_frame_t.size;
    for (uint32_t i = 0; whole && i < frames; i++, at += stride) {
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "frame");
        whole = at < end && bspi_parse_record(parse, "frame", &bspi_alias_frame_t, at) &&
                bspi_parse_table(parse, "verts", BSP_ID_NONE, &bspi_alias_vertex_t,
                                 at + bspi_alias_frame_t.size, vertices) &&
                !parse->failed;
        bspi_parse_close(parse, group);
    }
    if (!whole) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "%u frames of %u bytes", frames,
                         stride);
    }
    bspi_parse_close(parse, list);
}

static void take_block(bspi_parse *parse, bsp_text name, size_t at, size_t size) {
    for (uint32_t i = 0; i < LENGTH(kinds); i++) {
        if (bsp_text_equal(name, bsp_text_of(kinds[i].name))) {
            uint32_t count = count_of(parse, kinds[i].count);
            size_t room = size / kinds[i].layout->size;
            parse->place = kinds[i].key;
            if (count > room) {
                bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at,
                                 "%u records, but the block has room for %zu", count, room);
                count = (uint32_t)room;
            }
            (void)bspi_parse_table(parse, kinds[i].key, BSP_ID_NONE, kinds[i].layout, at, count);
            return;
        }
    }
    parse->place = "frames";
    if (bsp_text_equal(name, bsp_text_of("frames"))) {
        take_frames(parse, at, at + size);
    } else if (bsp_text_equal(name, bsp_text_of("comp data"))) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_LAYOUT, at, "compressed frames are not read");
    }
}

static void parse_fm(bspi_parse *parse) {
    size_t at = 0;
    while (!parse->failed && parse->data.size - at >= fmblock_t.size) {
        bsp_table block = {&fmblock_t, parse->data.data + at, 1, false};
        uint32_t size = bspi_model_u32(&block, 0, "blocksize");
        size_t left = parse->data.size - at - fmblock_t.size;
        parse->place = "block";
        if (size > left) {
            bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at,
                             "a block of %u bytes, but the file has %zu", (unsigned)size, left);
            return;
        }
        take_block(parse, bsp_table_text(&block, 0, 0), at + fmblock_t.size, size);
        at += fmblock_t.size + size;
    }
}

// --- opening and the mesh -----------------------------------------------------------------------

static bsp_table table_at(const bsp_model_file *file, const char *path, const bsp_layout *layout) {
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of(path));
    return part == BSP_NONE ? (bsp_table){.layout = layout} : bsp_parts_table(&file->parts, part);
}

// The frames are groups of a record and a table: three parts each, after the list.
static bsp_text frame_name(const bsp_model_asset *model, uint32_t frame) {
    uint32_t list = bsp_parts_find(&model->file->parts, bsp_text_of("frames"));
    bsp_table record = bsp_parts_table(&model->file->parts, list + 2 + frame * 3);
    return bspi_model_text(&record, 0, "name");
}

// Returns how many frames are whole.
static uint32_t count_frames(const bsp_parts *parts) {
    uint32_t list = bsp_parts_find(parts, bsp_text_of("frames"));
    uint32_t count = 0;
    for (uint32_t i = list + 1; list != BSP_NONE && i < parts->parts[list].end;
         i = parts->parts[i].end) {
        count += parts->parts[i].end == i + 3;
    }
    return count;
}

static bool open_fm(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = model->file;
    bsp_table head = bspi_model_head(file);
    bsp_table skins = table_at(file, "skins", &bspi_alias_skin_t);
    int64_t vertices = bspi_model_int(&head, 0, "num_xyz", 0);
    model->info.num_triangles = table_at(file, "tris", &bspi_alias_triangle_t).count;
    model->info.num_vertices = vertices < 0 ? 0 : (uint32_t)vertices;
    model->info.num_frames = count_frames(&file->parts);
    return bspi_alias_materials(model, &skins, bspi_model_u32(&head, 0, "skinwidth"),
                                bspi_model_u32(&head, 0, "skinheight"), error) &&
           bspi_model_name_sequences(model, model->info.num_frames, frame_name, error);
}

static bool build_fm(bspi_model_builder *b) {
    const bsp_model_file *file = b->model->file;
    uint32_t frames = b->model->info.num_frames;
    if (frames == 0) {
        return true;
    }
    uint32_t number = b->pose->frame < frames ? b->pose->frame : frames - 1;
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of("frames")) + 2 + number * 3;
    bsp_table record = bsp_parts_table(&file->parts, part);
    bspi_alias_frame frame = {.vertices = bsp_parts_table(&file->parts, part + 1)};
    bspi_model_floats(&record, 0, "scale", 3, frame.scale);
    bspi_model_floats(&record, 0, "translate", 3, frame.translate);
    bsp_table head = bspi_model_head(file);
    bsp_table triangles = table_at(file, "tris", &bspi_alias_triangle_t);
    bsp_table coords = table_at(file, "st", &bspi_alias_coord_t);
    return bspi_alias_build(b, &frame, &triangles, &coords,
                            bspi_model_float(&head, 0, "skinwidth", 0),
                            bspi_model_float(&head, 0, "skinheight", 0),
                            b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0);
}

const bspi_model_def bspi_model_fm = {
    .format = {.name = "fm",
               .title = "Heretic II model",
               .ending = ".fm",
               .kind = BSP_MODEL_MESH,
               .pitch_negated = true,
               .roll_negated = true},
    .magic = "header",
    .magic_size = 7,
    .version_at = 32,
    .version_size = 4,
    .version = 2,
    .last = 2,
    .head = &fmheader_t,
    .parse = parse_fm,
    .open = open_fm,
    .build = build_fm,
};
