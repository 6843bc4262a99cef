// SPDX-License-Identifier: MIT
// Quake 3 (version 46), version 47 (RTCW, Enemy Territory), Quake Live, and the variants with light
// styles RBSP (Raven) and FBSP (QFusion). Sources: the seed quake3-bsp46, id's released headers;
// RBSP and FBSP: sheet quake3.md.
#include "formats/quake3_layouts.h"
#include "formats/rules.h"

// clang-format off

#define NUM_LUMPS 17
static const bsp_shape shape = { &bspi_ident_head_t, &bspi_lump_entry_t, NUM_LUMPS, NULL, false, 4 };
static const bsp_shape shape_18 = { &bspi_ident_head_t, &bspi_lump_entry_t, NUM_LUMPS + 1, NULL, false, 4 };

// --- records ------------------------------------------------------------------------------------

static const bsp_field shader_fields[] = { SHADER_FIELDS };
FAMILY_LAYOUT(quake3, dshader_t, 72, shader_fields);

static const bsp_field plane_fields[] = {
    { NAME("normal"), F32(3), ROLE(NORMAL), MAP(plane, normal) },
    { NAME("dist"),   F32(1), MAP(plane, dist) },
};
FAMILY_LAYOUT(quake3, dplane3_t, 16, plane_fields);

static const bsp_field node_fields[] = {
    { NAME("planeNum"), I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"), I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),     I32(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),     I32(3), ROLE(BOUNDS), MAP(node, maxs) },
};
FAMILY_LAYOUT(quake3, dnode_t, 36, node_fields);

static const bsp_field leaf_fields[] = { LEAF_FIELDS };
FAMILY_LAYOUT(quake3, dleaf_t, 48, leaf_fields);

static const bsp_field leaf_face_fields[] = {
    { NAME(""), I32(1), INDEX(FACES), MAP(leaf_face, value) },
};
FAMILY_LAYOUT(quake3, leafsurface_t, 4, leaf_face_fields);

static const bsp_field leaf_brush_fields[] = {
    { NAME(""), I32(1), INDEX(BRUSHES), MAP(leaf_brush, value) },
};
FAMILY_LAYOUT(quake3, leafbrush_t, 4, leaf_brush_fields);

static const bsp_field model_fields[] = {
    { NAME("mins"),         F32(3), ROLE(BOUNDS), MAP(model, mins) },
    { NAME("maxs"),         F32(3), ROLE(BOUNDS), MAP(model, maxs) },
    { NAME("firstSurface"), I32(1), FIRST(FACES), MAP(model, first_face) },
    { NAME("numSurfaces"),  I32(1), COUNT(FACES), MAP(model, num_faces) },
    { NAME("firstBrush"),   I32(1), FIRST(BRUSHES), MAP(model, first_brush) },
    { NAME("numBrushes"),   I32(1), COUNT(BRUSHES), MAP(model, num_brushes) },
};
FAMILY_LAYOUT(quake3, dmodel_t, 40, model_fields);

static const bsp_field brush_fields[] = {
    { NAME("firstSide"), I32(1), FIRST(BRUSH_SIDES), MAP(brush, first_side) },
    { NAME("numSides"),  I32(1), COUNT(BRUSH_SIDES), MAP(brush, num_sides) },
    { NAME("shaderNum"), I32(1), INDEX(TEXTURES), MAP(brush, material) },
};
FAMILY_LAYOUT(quake3, dbrush_t, 12, brush_fields);

static const bsp_field brush_side_fields[] = {
    { NAME("planeNum"),  I32(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("shaderNum"), I32(1), INDEX(TEXTURES), MAP(brush_side, material) },
};
FAMILY_LAYOUT(quake3, dbrushside_t, 8, brush_side_fields);

static const bsp_field draw_vert_fields[] = {
    { NAME("xyz"),      F32(3), MAP(draw_vert, point) },
    { NAME("st"),       F32(2), MAP(draw_vert, uv) },
    { NAME("lightmap"), F32(2), MAP(draw_vert, light_uv) },
    { NAME("normal"),   F32(3), MAP(draw_vert, normal) },
    { NAME("color"),    U8(4), MAP(draw_vert, color) },
};
FAMILY_LAYOUT(quake3, drawVert_t, 44, draw_vert_fields);

// Relative to the firstVert of a surface; checked where the surface is read.
static const bsp_field draw_index_fields[] = {
    { NAME(""), I32(1), MAP(draw_index, value) },
};
FAMILY_LAYOUT(quake3, drawindex_t, 4, draw_index_fields);

static const bsp_field fog_fields[] = {
    { NAME("shader"),      CHARS(64), MAP(fog, name) },
    { NAME("brushNum"),    I32(1), INDEX_NONE(BRUSHES), MAP(fog, brush) },
    { NAME("visibleSide"), I32(1), MAP(fog, visible_side) },
};
FAMILY_LAYOUT(quake3, dfog_t, 72, fog_fields);

static const bsp_field surface_fields[] = {
    SURFACE_HEAD
    SURFACE_LIGHT
    SURFACE_TAIL
};
static LAYOUT(dsurface_t, 104, surface_fields);

static const bsp_field light_grid_fields[] = {
    { NAME("ambient"),   U8(3), MAP(light_cell, ambient) },
    { NAME("directed"),  U8(3), MAP(light_cell, directed) },
    { NAME("latLong"),   U8(2), MAP(light_cell, direction) },
};
FAMILY_LAYOUT(quake3, dlightgrid_t, 8, light_grid_fields);

static const bsp_field advertisement_fields[] = {
    { NAME("cellId"), I32(1) },
    { NAME("normal"), F32(3), ROLE(NORMAL) },
    { NAME("rect"),   F32(12) },
    { NAME("model"),  CHARS(64) },
};
static LAYOUT(dadvertisement_t, 128, advertisement_fields);

// --- Quake 3 ------------------------------------------------------------------------------------

ONE_LAYOUT(shaders, bspi_quake3_dshader_t);
ONE_LAYOUT(planes, bspi_quake3_dplane3_t);
ONE_LAYOUT(nodes, bspi_quake3_dnode_t);
ONE_LAYOUT(leaves, bspi_quake3_dleaf_t);
ONE_LAYOUT(leaf_faces, bspi_quake3_leafsurface_t);
ONE_LAYOUT(leaf_brushes, bspi_quake3_leafbrush_t);
ONE_LAYOUT(models, bspi_quake3_dmodel_t);
ONE_LAYOUT(brushes, bspi_quake3_dbrush_t);
ONE_LAYOUT(brush_sides, bspi_quake3_dbrushside_t);
ONE_LAYOUT(draw_verts, bspi_quake3_drawVert_t);
ONE_LAYOUT(draw_indices, bspi_quake3_drawindex_t);
ONE_LAYOUT(fogs, bspi_quake3_dfog_t);
ONE_LAYOUT(surfaces, dsurface_t);
ONE_LAYOUT(light, bspi_rgb_t);
ONE_LAYOUT(light_grid, bspi_quake3_dlightgrid_t);
ONE_LAYOUT(advertisements, dadvertisement_t);

// Limits: id's q3map (qfiles.h).
static const bsp_lump_def quake3_lumps[] = {
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, BYTES(0x40000)),
    ARRAY_LUMP(1, "SHADERS", TEXTURES, shaders, RECORDS(1024)),
    ARRAY_LUMP(2, "PLANES", PLANES, planes, RECORDS(131072)),
    ARRAY_LUMP(3, "NODES", NODES, nodes, RECORDS(131072)),
    ARRAY_LUMP(4, "LEAFS", LEAVES, leaves, RECORDS(131072)),
    ARRAY_LUMP(5, "LEAFSURFACES", LEAF_FACES, leaf_faces, RECORDS(131072)),
    ARRAY_LUMP(6, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, RECORDS(262144)),
    ARRAY_LUMP(7, "MODELS", MODELS, models, RECORDS(1024)),
    ARRAY_LUMP(8, "BRUSHES", BRUSHES, brushes, RECORDS(32768)),
    ARRAY_LUMP(9, "BRUSHSIDES", BRUSH_SIDES, brush_sides, RECORDS(131072)),
    ARRAY_LUMP(10, "DRAWVERTS", DRAW_VERTS, draw_verts, RECORDS(524288)),
    ARRAY_LUMP(11, "DRAWINDEXES", DRAW_INDICES, draw_indices, RECORDS(524288)),
    ARRAY_LUMP(12, "FOGS", FOGS, fogs, RECORDS(256)),
    ARRAY_LUMP(13, "SURFACES", FACES, surfaces, RECORDS(131072)),
    ARRAY_LUMP(14, "LIGHTMAPS", LIGHTING, light, BYTES(0x800000)),
    ARRAY_LUMP(15, "LIGHTGRID", LIGHT_GRID, light_grid, BYTES(0x800000)),
    OTHER_LUMP(16, "VISIBILITY", VISIBILITY, VIS_MATRIX, BYTES(0x200000)),
};

#define TRAITS(page, surfaces, made_by) { \
    QUAKE3_TRAITS, QUAKE3_LIGHTS(made_by), surfaces, .light_page = (page), .light_cell = { 64, 64, 128 }, \
    .checksum = BSP_CHECKSUM_MD4_FILE, \
}
static const bsp_traits quake3_traits = TRAITS(128, QUAKE3_SURFACES, BSP_COMPILER_Q3MAP2);

const bsp_branch bspi_quake3 = {
    .name = "quake3", .title = "Quake 3, OpenArena, Nexuiz, Xonotic, Elite Force", .family = BSP_QUAKE3,
    .magic = "IBSP", .version = 46, .shape = &shape, .traits = &quake3_traits,
    .lumps = quake3_lumps, .num_lumps = LENGTH(quake3_lumps),
    .verified = BSP_VERIFIED_REAL,
};

static const bsp_branch bspi_quake3_47 = {
    .name = "quake3_47", .title = "Return to Castle Wolfenstein, Wolfenstein: Enemy Territory",
    .family = BSP_QUAKE3, .base = &bspi_quake3, .magic = "IBSP", .version = 47,
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_lump_def quake_live_lumps[] = {
    ARRAY_LUMP(17, "ADVERTISEMENTS", ADVERTISEMENTS, advertisements, RECORDS(30)),
};

static const bsp_branch bspi_quake_live = {
    .name = "quake_live", .title = "Quake Live, and any map of version 47 with 18 lumps", .family = BSP_QUAKE3,
    .base = &bspi_quake3, .magic = "IBSP", .version = 47, .shape = &shape_18,
    .lumps = quake_live_lumps, .num_lumps = LENGTH(quake_live_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- RBSP and FBSP: four light styles -----------------------------------------------------------

static const bsp_field rbsp_brush_side_fields[] = {
    { NAME("planeNum"),    I32(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("shaderNum"),   I32(1), INDEX(TEXTURES), MAP(brush_side, material) },
    { NAME("drawSurfNum"), I32(1), INDEX_NONE(FACES), MAP(brush_side, face) },
};
static LAYOUT(rbspBrushSide_t, 12, rbsp_brush_side_fields);

static const bsp_field rbsp_draw_vert_fields[] = {
    { NAME("xyz"),      F32(3), MAP(draw_vert, point) },
    { NAME("st"),       F32(2), MAP(draw_vert, uv) },
    { NAME("lightmap"), F32(8), MAP(draw_vert, light_uv) },
    { NAME("normal"),   F32(3), MAP(draw_vert, normal) },
    { NAME("color"),    U8(16), MAP(draw_vert, color) },
};
static LAYOUT(rbspDrawVert_t, 80, rbsp_draw_vert_fields);

static const bsp_field rbsp_surface_fields[] = {
    SURFACE_HEAD
    { NAME("lightmapStyles"), U8(4), MAP(face_light, styles) },
    { NAME("vertexStyles"),   U8(4), MAP(face_light, vertex_styles) },
    { NAME("lightmapNum"),    I32(4), MAP(face_light, page) },
    { NAME("lightmapX"),      I32(4), MAP(face_light, x) },
    { NAME("lightmapY"),      I32(4), MAP(face_light, y) },
    { NAME("lightmapWidth"),  I32(1), MAP(face_light, width) },
    { NAME("lightmapHeight"), I32(1), MAP(face_light, height) },
    SURFACE_TAIL
};
static LAYOUT(rbspDrawSurface_t, 148, rbsp_surface_fields);

static const bsp_field rbsp_light_grid_fields[] = {
    { NAME("ambient"),  U8(12), MAP(light_cell, ambient) },
    { NAME("directed"), U8(12), MAP(light_cell, directed) },
    { NAME("styles"),   U8(4), MAP(light_cell, styles) },
    { NAME("latLong"),  U8(2), MAP(light_cell, direction) },
};
static LAYOUT(rbspGridPoint_t, 30, rbsp_light_grid_fields);

static const bsp_field light_array_fields[] = {
    { NAME(""), U16(1), INDEX(LIGHT_GRID), MAP(light_array, value) },
};
static LAYOUT(lightarray_t, 2, light_array_fields);

ONE_LAYOUT(rbsp_brush_sides, rbspBrushSide_t);
ONE_LAYOUT(rbsp_draw_verts, rbspDrawVert_t);
ONE_LAYOUT(rbsp_surfaces, rbspDrawSurface_t);
ONE_LAYOUT(rbsp_light_grid, rbspGridPoint_t);
ONE_LAYOUT(light_array, lightarray_t);

// The grid is a list of distinct cells with 16-bit indices, so there are at most 65535 of them.
static const bsp_lump_def rbsp_lumps[] = {
    ARRAY_LUMP(9, "BRUSHSIDES", BRUSH_SIDES, rbsp_brush_sides, RECORDS(131072)),
    ARRAY_LUMP(10, "DRAWVERTS", DRAW_VERTS, rbsp_draw_verts, RECORDS(524288)),
    ARRAY_LUMP(13, "SURFACES", FACES, rbsp_surfaces, RECORDS(131072)),
    ARRAY_LUMP(15, "LIGHTGRID", LIGHT_GRID, rbsp_light_grid, RECORDS(65535)),
    ARRAY_LUMP(17, "LIGHTARRAY", LIGHT_ARRAY, light_array, BYTES(0x100000)),
};

// The flags of Raven's games: surfaceflags.h of Jedi Academy.
#define RAVEN_SURFACES \
    .contents_names = BSP_CONTENTS_RAVEN, .sight_mask = 0x8000, .surface = { \
        .sky = 0x2000, .hidden = 0x200000, .liquid_contents = 2 | 4 | 0x20000, \
    }
static const bsp_traits rbsp_traits = TRAITS(128, RAVEN_SURFACES, BSP_COMPILER_Q3MAP2);

static const bsp_branch bspi_rbsp = {
    .name = "rbsp", .title = "Jedi Outcast, Jedi Academy, Soldier of Fortune II",
    .family = BSP_QUAKE3, .base = &bspi_quake3, .magic = "RBSP", .version = 1, .shape = &shape_18,
    .traits = &rbsp_traits,
    .lumps = rbsp_lumps, .num_lumps = LENGTH(rbsp_lumps),
    .verified = BSP_VERIFIED_REAL,
};

static const bsp_traits fbsp_traits = TRAITS(512, QUAKE3_SURFACES, BSP_COMPILER_Q3MAP2);

static const bsp_branch bspi_fbsp = {
    .name = "fbsp", .title = "Warsow, Warfork and others on QFusion", .family = BSP_QUAKE3, .base = &bspi_rbsp,
    .magic = "FBSP", .version = 1, .traits = &fbsp_traits,
    .verified = BSP_VERIFIED_REAL,
};
// clang-format on

// --- detection -----------------------------------------------------------------------------------

// The directory has 18 lumps only if no lump begins where the last entry would stand. (q3map2
// writes an empty one for every game of version 47.)
static bool has_18_lumps(const bspi_candidate *look) {
    return bspi_exact(look) && bspi_extent_at(look, 17).size % 128 == 0;
}

// clang-format off
static const bspi_rule rules[] = {
    { .branch = &bspi_quake3, .test = bspi_shaders_divide, .why = "shaders of 72 bytes" },
    { .branch = &bspi_quake3_47, .test = bspi_shaders_divide, .why = "17 lumps" },
    { .branch = &bspi_quake_live, .test = has_18_lumps, .turn = BSPI_TURN_EARLY,
      .why = "18 lumps" },
    { .branch = &bspi_rbsp, .test = bspi_shaders_divide, .why = "shaders of 72 bytes" },
    { .branch = &bspi_fbsp, .test = bspi_shaders_divide },
};
RULE_LIST(quake3, rules);
// clang-format on
