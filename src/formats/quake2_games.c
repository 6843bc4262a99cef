// SPDX-License-Identifier: MIT
// The relatives of Quake 2 whose records differ: SiN (with materials in its texinfos, and 16 light
// styles), Daikatana, Soldier of Fortune. Sources: sheet quake2 (7), the released headers of id's
// bot tools (SiN) and of Daikatana. No map of them is in the corpus. Kingpin, Heretic II and
// Anachronox have the records of Quake 2.
#include "formats/rules.h"

// clang-format off

// --- SiN ----------------------------------------------------------------------------------------

static const bsp_shape sin_shape = { &bspi_ident_head_t, &bspi_lump_entry_t, 20, NULL, false, 4 };

static const bsp_field sin_texinfo_fields[] = {
    { NAME("vecs"),         F32(8), MAP(texinfo, texture) },
    { NAME("flags"),        I32(1), ROLE(FLAGS), MAP(texinfo, flags) },
    { NAME("texture"),      CHARS(64), MAP(texinfo, name) },
    { NAME("nexttexinfo"),  I32(1), INDEX_NONE(TEXINFO), MAP(texinfo, next) },
    { NAME("trans_mag"),    F32(1) },
    { NAME("trans_angle"),  I32(1) },
    { NAME("base_angle"),   I32(1) },
    { NAME("animtime"),     F32(1) },
    { NAME("nonlit"),       F32(1) },
    { NAME("translucence"), F32(1) },
    { NAME("friction"),     F32(1) },
    { NAME("restitution"),  F32(1) },
    { NAME("color"),        F32(3) },
    { NAME("groupname"),    CHARS(32) },
};
static LAYOUT(sin_texinfo_t, 180, sin_texinfo_fields);

// The map keeps the first four of 16 styles. What `lightinfo` is when there is none is not known:
// no index.
static const bsp_field sin_face_fields[] = {
    { NAME("planenum"),  U16(1), INDEX(PLANES), MAP(face, plane) },
    { NAME("side"),      I16(1), MAP(face, flipped) },
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) },
    { NAME("numedges"),  I16(1), COUNT(SURFEDGES), MAP(face, num_edges) },
    { NAME("texinfo"),   I16(1), INDEX(TEXINFO), MAP(face, texinfo) },
    { NAME("styles"),    U8(16), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
    { NAME("lightinfo"), I32(1) },
};
static LAYOUT(sin_dface_t, 36, sin_face_fields);

static const bsp_field sin_brush_side_fields[] = {
    { NAME("planenum"),  U16(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("texinfo"),   I16(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) },
    { NAME("lightinfo"), I32(1) },
};
static LAYOUT(sin_dbrushside_t, 8, sin_brush_side_fields);

static const bsp_field sin_light_fields[] = {
    { NAME("value"),           I32(1) },
    { NAME("color"),           F32(3) },
    { NAME("direct"),          F32(1) },
    { NAME("directangle"),     F32(1) },
    { NAME("directstyle"),     F32(1) },
    { NAME("directstylename"), CHARS(32) },
};
static LAYOUT(sin_lightvalue_t, 60, sin_light_fields);

ONE_LAYOUT(sin_texinfos, sin_texinfo_t);
ONE_LAYOUT(sin_faces, sin_dface_t);
ONE_LAYOUT(sin_brush_sides, sin_dbrushside_t);
ONE_LAYOUT(sin_light, bspi_rgb_t);
ONE_LAYOUT(sin_lights, sin_lightvalue_t);

static const bsp_lump_def sin_lumps[] = {
    OTHER_LUMP(3, "VISIBILITY", VISIBILITY, VIS_OFFSETS, BYTES(0x280000)),
    ARRAY_LUMP(5, "TEXINFO", TEXINFO, sin_texinfos, RECORDS(8192)),
    ARRAY_LUMP(6, "FACES", FACES, sin_faces, RECORDS(65536)),
    ARRAY_LUMP(7, "LIGHTING", LIGHTING, sin_light, BYTES(0x300000)),
    ARRAY_LUMP(15, "BRUSHSIDES", BRUSH_SIDES, sin_brush_sides, RECORDS(65536)),
    ARRAY_LUMP(19, "LIGHTINFO", NONE, sin_lights, RECORDS(8192)),
};

// "IBSP", version 41, in SiN; "RBSP", version 1, in its expansion and updates.
static const bsp_branch bspi_sin = {
    .name = "sin", .title = "SiN", .family = BSP_QUAKE2, .base = &bspi_quake2, .magic = "IBSP",
    .version = 41, .shape = &sin_shape, .lumps = sin_lumps, .num_lumps = LENGTH(sin_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_branch bspi_sin_rbsp = {
    .name = "sin_rbsp", .title = "SiN: Wages of Sin, SiN Gold", .family = BSP_QUAKE2,
    .base = &bspi_sin, .magic = "RBSP", .version = 1,
    .verified = BSP_VERIFIED_BUILT,
};

// --- Daikatana ----------------------------------------------------------------------------------

static const bsp_shape daikatana_shape = {
    &bspi_ident_head_t, &bspi_lump_entry_t, 21, NULL, false, 4,
};

static const bsp_field daikatana_leaf_fields[] = {
    { NAME("contents"),       I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("cluster"),        I16(1), MAP(leaf, cluster) },
    { NAME("area"),           I16(1), INDEX(AREAS), MAP(leaf, area) },
    { NAME("mins"),           I16(3), ROLE(BOUNDS), MAP(leaf, mins) },
    { NAME("maxs"),           I16(3), ROLE(BOUNDS), MAP(leaf, maxs) },
    { NAME("firstleafface"),  U16(1), FIRST(LEAF_FACES), MAP(leaf, first_face) },
    { NAME("numleaffaces"),   U16(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) },
    { NAME("firstleafbrush"), U16(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) },
    { NAME("numleafbrushes"), U16(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) },
    { NAME("brushnum"),       I32(1) },
};
static LAYOUT(dleaf_daikatana_t, 32, daikatana_leaf_fields);

// Parallel to the texinfos.
static const bsp_field color_fields[] = { { NAME("color"), F32(3) } };
static LAYOUT(extsurfinfo_t, 12, color_fields);

ONE_LAYOUT(daikatana_leaves, dleaf_daikatana_t);
ONE_LAYOUT(daikatana_light, bspi_rgb_t);
ONE_LAYOUT(colors, extsurfinfo_t);
ONE_LAYOUT(plane_faces, bspi_bare_i32_t);

// PLANEPOLYS: for each plane how many faces lie in it, and their numbers.
static const bsp_lump_def daikatana_lumps[] = {
    OTHER_LUMP(3, "VISIBILITY", VISIBILITY, VIS_OFFSETS, BYTES(0x600000)),
    ARRAY_LUMP(7, "LIGHTING", LIGHTING, daikatana_light, BYTES(0x600000)),
    ARRAY_LUMP(8, "LEAFS", LEAVES, daikatana_leaves, RECORDS(65536)),
    ARRAY_LUMP(19, "EXTSURFINFO", NONE, colors, RECORDS(8192)),
    ARRAY_LUMP(20, "PLANEPOLYS", NONE, plane_faces, NO_LIMIT),
};

static const bsp_branch bspi_daikatana = {
    .name = "daikatana", .title = "Daikatana", .family = BSP_QUAKE2, .base = &bspi_quake2,
    .magic = "IBSP", .version = 41, .shape = &daikatana_shape,
    .lumps = daikatana_lumps, .num_lumps = LENGTH(daikatana_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- Soldier of Fortune -------------------------------------------------------------------------

static const bsp_shape sof_shape = { &bspi_ident_head_t, &bspi_lump_entry_t, 22, NULL, false, 4 };

// Faces and leaves are longer than those of Quake 2 in a way that nobody has written down, and what
// 19 to 21 hold is not known. So there is no map, and what points at faces and leaves is kept as
// bytes.
static const bsp_lump_def sof_lumps[] = {
    OTHER_LUMP(4, "NODES", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(6, "FACES", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(8, "LEAFS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(9, "LEAFFACES", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(13, "MODELS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(19, "LUMP_19", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(20, "LUMP_20", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(21, "LUMP_21", NONE, BYTES, NO_LIMIT),
};

static const bsp_branch bspi_soldier_of_fortune = {
    .name = "soldier_of_fortune", .title = "Soldier of Fortune", .family = BSP_QUAKE2,
    .base = &bspi_quake2, .magic = "IBSP", .version = 46, .shape = &sof_shape,
    .lumps = sof_lumps, .num_lumps = LENGTH(sof_lumps), .opaque = true,
};

// --- how they are told ---------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_sin, .test = bspi_all_divide, .why = "texinfos of 180 bytes" },
    { .branch = &bspi_sin_rbsp, .test = bspi_all_divide, .turn = BSPI_TURN_EARLY,
      .why = "texinfos of 180 bytes" },
    { .branch = &bspi_daikatana, .test = bspi_all_divide,
      .why = "texinfos of 76 bytes and leaves of 32" },
    { .branch = &bspi_soldier_of_fortune, .test = bspi_all_divide, .turn = BSPI_TURN_EARLY,
      .why = "22 lumps with records of Quake 2" },
};
RULE_LIST(quake2_games, rules);
// clang-format on
