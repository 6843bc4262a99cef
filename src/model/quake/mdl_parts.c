// SPDX-License-Identifier: MIT
// Their arrays follow each other without offsets, and skins and frames may be groups. What follows
// the last frame (editors' notes) is left alone. Source: the sheet models, 1.
#include "model/quake/mdl_parts.h"

#include "formats/table.h"
#include "model/quake/alias.h"

// clang-format off

#define HEAD_ROWS \
    { NAME("ident"),          CHARS(4) }, \
    { NAME("version"),        I32(1) }, \
    { NAME("scale"),          F32(3) }, \
    { NAME("scale_origin"),   F32(3) }, \
    { NAME("boundingradius"), F32(1) }, \
    { NAME("eyeposition"),    F32(3) }, \
    { NAME("numskins"),       I32(1) }, \
    { NAME("skinwidth"),      I32(1) }, \
    { NAME("skinheight"),     I32(1) }, \
    { NAME("numverts"),       I32(1) }, \
    { NAME("numtris"),        I32(1) }, \
    { NAME("numframes"),      I32(1) }, \
    { NAME("synctype"),       I32(1) }, \
    { NAME("flags"),          I32(1), ROLE(FLAGS) }, \
    { NAME("size"),           F32(1) },

static const bsp_field head_fields[] = { HEAD_ROWS };
SHARED_LAYOUT(mdl_t, 84, head_fields);

static const bsp_field head50_fields[] = { HEAD_ROWS { NAME("num_st_verts"), I32(1) } };
SHARED_LAYOUT(newmdl_t, 88, head50_fields);

static const bsp_field type_fields[] = { { NAME(""), I32(1) } };
static LAYOUT(aliastype_t, 4, type_fields);

static const bsp_field time_fields[] = { { NAME(""), F32(1) } };
static LAYOUT(daliasinterval_t, 4, time_fields);

static const bsp_field coord_fields[] = {
    { NAME("onseam"), I32(1) },
    { NAME("s"),      I32(1) },
    { NAME("t"),      I32(1) },
};
static LAYOUT(stvert_t, 12, coord_fields);

static const bsp_field triangle_fields[] = {
    { NAME("facesfront"), I32(1) },
    { NAME("vertindex"),  I32(3) },
};
static LAYOUT(dtriangle_t, 16, triangle_fields);

static const bsp_field triangle50_fields[] = {
    { NAME("facesfront"), I32(1) },
    { NAME("vertindex"),  U16(3) },
    { NAME("stindex"),    U16(3) },
};
SHARED_LAYOUT(dnewtriangle_t, 16, triangle50_fields);

static const bsp_field group_fields[] = {
    { NAME("numframes"), I32(1) },
    { NAME("bboxmin"),   U8(4) },
    { NAME("bboxmax"),   U8(4) },
};
static LAYOUT(daliasgroup_t, 12, group_fields);

static const bsp_field frame_fields[] = {
    { NAME("bboxmin"), U8(4) },
    { NAME("bboxmax"), U8(4) },
    { NAME("name"),    CHARS(16) },
};
static LAYOUT(daliasframe_t, 24, frame_fields);

// clang-format on

/// A file being taken apart; `at` is where its next array begins.
typedef struct walk {
    bspi_parse *parse;
    bsp_table head;
    size_t at;
    bool low; ///< each array of vertices is followed by one with their low bytes
} walk;

static uint32_t count_of(const walk *w, const char *field) {
    int64_t count = bspi_model_int(&w->head, 0, field, 0);
    w->parse->place = field;
    if (count < 0) {
        bspi_parse_issue(w->parse, BSPI_ISSUE_LUMP_STRUCTURE, 0, "%s is %lld", field,
                         (long long)count);
    }
    return count < 0 ? 0 : (uint32_t)count;
}

static bool take_table(walk *w, const char *name, const bsp_layout *layout, uint32_t count) {
    w->parse->place = name;
    bool whole = bspi_parse_table(w->parse, name, BSP_ID_NONE, layout, w->at, count);
    w->at += whole ? (size_t)count * layout->size : 0;
    return whole && !w->parse->failed;
}

static bool take_record(walk *w, const char *name, const bsp_layout *layout) {
    w->parse->place = name;
    bool whole = bspi_parse_record(w->parse, name, layout, w->at);
    w->at += whole ? layout->size : 0;
    return whole && !w->parse->failed;
}

// Reads the type of a skin or frame and, for a group, how many it has (`head` is that of a group)
// and their times.
static bool take_type(walk *w, const bsp_layout *head, uint32_t *count) {
    size_t at = w->at;
    *count = 1;
    if (!take_record(w, "type", &aliastype_t)) {
        return false;
    }
    if (bspi_parse_u32(w->parse, at) == 0) {
        return true;
    }
    at = w->at;
    if (!take_record(w, "group", head)) {
        return false;
    }
    *count = bspi_parse_u32(w->parse, at);
    return take_table(w, "times", &daliasinterval_t, *count);
}

static bool take_skin(walk *w, size_t size) {
    uint32_t count;
    bool whole = take_type(w, &aliastype_t, &count);
    uint32_t list = bspi_parse_open(w->parse, BSP_PART_LIST, "pictures");
    for (uint32_t i = 0; whole && i < count; i++) {
        w->parse->place = "pictures";
        whole = bspi_parse_bytes(w->parse, "pictures", w->at, size) && !w->parse->failed;
        w->at += whole ? size : 0;
    }
    bspi_parse_close(w->parse, list);
    return whole;
}

static bool take_pose(walk *w, uint32_t vertices) {
    uint32_t group = bspi_parse_open(w->parse, BSP_PART_GROUP, "pose");
    bool whole = take_record(w, "frame", &daliasframe_t) &&
                 take_table(w, "verts", &bspi_alias_vertex_t, vertices) &&
                 (!w->low || take_table(w, "low", &bspi_alias_vertex_t, vertices));
    bspi_parse_close(w->parse, group);
    return whole;
}

static bool take_frame(walk *w, size_t vertices) {
    uint32_t count;
    bool whole = take_type(w, &daliasgroup_t, &count);
    uint32_t list = bspi_parse_open(w->parse, BSP_PART_LIST, "poses");
    for (uint32_t i = 0; whole && i < count; i++) {
        whole = take_pose(w, (uint32_t)vertices);
    }
    bspi_parse_close(w->parse, list);
    return whole;
}

// Reads `count` skins or frames.
static bool take_list(walk *w, const char *name, uint32_t count, size_t size,
                      bool (*take)(walk *w, size_t size)) {
    uint32_t list = bspi_parse_open(w->parse, BSP_PART_LIST, name);
    bool whole = true;
    for (uint32_t i = 0; whole && i < count; i++) {
        uint32_t group = bspi_parse_open(w->parse, BSP_PART_GROUP, name);
        whole = take(w, size);
        bspi_parse_close(w->parse, group);
    }
    bspi_parse_close(w->parse, list);
    return whole;
}

static void parse_mdl(bspi_parse *parse, const bsp_layout *head, const bsp_layout *triangle,
                      const char *coords, bool low) {
    walk w = {parse, {head, parse->data.data, 1, false}, head->size, low};
    uint32_t vertices = count_of(&w, "numverts");
    uint64_t texels = (uint64_t)count_of(&w, "skinwidth") * count_of(&w, "skinheight");
    size_t size = texels > parse->data.size ? parse->data.size : (size_t)texels;
    (void)(take_list(&w, "skins", count_of(&w, "numskins"), size, take_skin) &&
           take_table(&w, "stverts", &stvert_t, count_of(&w, coords)) &&
           take_table(&w, "triangles", triangle, count_of(&w, "numtris")) &&
           take_list(&w, "frames", count_of(&w, "numframes"), vertices, take_frame));
}

void bspi_mdl_parse_quake(bspi_parse *parse) {
    parse_mdl(parse, &bspi_mdl_t, &dtriangle_t, "numverts", false);
}

void bspi_mdl_parse_quake16(bspi_parse *parse) {
    parse_mdl(parse, &bspi_mdl_t, &dtriangle_t, "numverts", true);
}

void bspi_mdl_parse_hexen2(bspi_parse *parse) {
    parse_mdl(parse, &bspi_newmdl_t, &bspi_dnewtriangle_t, "num_st_verts", false);
}
