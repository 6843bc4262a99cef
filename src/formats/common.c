// SPDX-License-Identifier: MIT
// Layouts that several families share.
#include "formats/table.h"

// clang-format off
static const bsp_field plane_fields[] = {
    { NAME("normal"), F32(3), ROLE(NORMAL), MAP(plane, normal) },
    { NAME("dist"),   F32(1), MAP(plane, dist) },
    { NAME("type"),   I32(1), MAP(plane, type) },
};
SHARED_LAYOUT(dplane_t, 20, plane_fields);

static const bsp_field vertex_fields[] = {
    { NAME("point"), F32(3), MAP(vertex, point) },
};
SHARED_LAYOUT(dvertex_t, 12, vertex_fields);

static const bsp_field edge_fields[] = {
    { NAME("v"), U16(2), INDEX(VERTICES), MAP(edge, v) },
};
SHARED_LAYOUT(dedge_t, 4, edge_fields);

static const bsp_field edge32_fields[] = {
    { NAME("v"), U32(2), INDEX(VERTICES), MAP(edge, v) },
};
SHARED_LAYOUT(dedge32_t, 8, edge32_fields);

static const bsp_field surfedge_fields[] = {
    { NAME(""), I32(1), ROLE(SURFEDGE), .target = BSP_ID_EDGES, MAP(surfedge, value) },
};
SHARED_LAYOUT(dsurfedge_t, 4, surfedge_fields);

static const bsp_field bare_u8_fields[] = { { NAME(""), U8(1) } };
SHARED_LAYOUT(bare_u8_t, 1, bare_u8_fields);

static const bsp_field bare_i32_fields[] = { { NAME(""), I32(1) } };
SHARED_LAYOUT(bare_i32_t, 4, bare_i32_fields);

static const bsp_field rgb_fields[] = { { NAME(""), U8(3) } };
SHARED_LAYOUT(rgb_t, 3, rgb_fields);

// The head of Quake 2 and Quake 3 files.
static const bsp_field ident_head_fields[] = {
    { NAME("ident"),   CHARS(4) },
    { NAME("version"), I32(1), MAP(head, version) },
};
SHARED_LAYOUT(ident_head_t, 8, ident_head_fields);

// The directory entry of every family but Source.
static const bsp_field lump_entry_fields[] = {
    { NAME("fileofs"), I32(1), MAP(entry, offset) },
    { NAME("filelen"), I32(1), MAP(entry, size) },
};
SHARED_LAYOUT(lump_entry_t, 8, lump_entry_fields);
// clang-format on
