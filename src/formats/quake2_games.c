// SPDX-License-Identifier: MIT
// Variants of Quake 2: Kingpin and Heretic II, which have its records, SiN (materials in its
// texinfos, 16 light styles), Daikatana, Soldier of Fortune. Sources: sheet quake2 (7), the
// released headers of id's bot tools (SiN), of Daikatana, and of the SDK of Soldier of Fortune. The
// flags that tell Kingpin and Heretic II are those of an open engine that loads their maps. No map
// of them is in the corpus.
#include "formats/quake2_layouts.h"
#include "formats/rules.h"

// clang-format off

// --- Kingpin, Heretic II: the records of Quake 2 -------------------------------------------------

static const bsp_branch bspi_kingpin = {
    .name = "kingpin", .title = "Kingpin: Life of Crime", .family = BSP_QUAKE2,
    .base = &bspi_quake2, .magic = "IBSP", .version = 38, .classes = "cast_",
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_branch bspi_heretic2 = {
    .name = "heretic2", .title = "Heretic II", .family = BSP_QUAKE2,
    .base = &bspi_quake2, .magic = "IBSP", .version = 38, .classes = "obj_",
    .verified = BSP_VERIFIED_BUILT,
};

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

// The map keeps the first four of 16 styles. It is not known what `lightinfo` holds when there is
// none, so it is not an index.
static const bsp_field sin_face_fields[] = {
    QUAKE2_FACE_HEAD
    { NAME("styles"),    U8(16), MAP(face_light, styles) },
    { NAME("lightofs"),  I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
    { NAME("lightinfo"), I32(1) },
};
static LAYOUT(sin_dface_t, 36, sin_face_fields);

static const bsp_field sin_brush_side_fields[] = {
    QUAKE2_BRUSH_SIDE
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

// The flags 0x10 and 0x20 do not mean transparent in SiN.
static const bsp_traits sin_traits = {
    QUAKE2_TRAITS(4096),
    .surface = { .sky = 4, .hidden = 0x80 | 0x100 | 0x200, .liquid = 8, .lit = 1 },
};

static const bsp_branch bspi_sin = {
    .name = "sin", .title = "SiN, the demo", .family = BSP_QUAKE2, .base = &bspi_quake2, .magic = "IBSP",
    .version = 41, .shape = &sin_shape, .traits = &sin_traits,
    .lumps = sin_lumps, .num_lumps = LENGTH(sin_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_branch bspi_sin_rbsp = {
    .name = "sin_rbsp", .title = "SiN, SiN: Wages of Sin", .family = BSP_QUAKE2,
    .base = &bspi_sin, .magic = "RBSP", .version = 1,
    .verified = BSP_VERIFIED_BUILT,
};

// --- Daikatana ----------------------------------------------------------------------------------

static const bsp_shape daikatana_shape = {
    &bspi_ident_head_t, &bspi_lump_entry_t, 21, NULL, false, 4,
};

static const bsp_field daikatana_leaf_fields[] = {
    QUAKE2_LEAF_HEAD QUAKE2_LEAF_BODY
    { NAME("brushnum"), I32(1) },
};
static LAYOUT(dleaf_daikatana_t, 32, daikatana_leaf_fields);

// Parallel to the texinfos.
static const bsp_field color_fields[] = { { NAME("color"), F32(3) } };
static LAYOUT(extsurfinfo_t, 12, color_fields);

// An open engine that loads the game's maps finds leaves of either size in them.
static const bsp_variant daikatana_leaves[] = {
    { BSP_ANY_VERSION, &dleaf_daikatana_t },
    { BSP_ANY_VERSION, &bspi_quake2_dleaf_t },
};
ONE_LAYOUT(daikatana_light, bspi_rgb_t);
ONE_LAYOUT(colors, extsurfinfo_t);
ONE_LAYOUT(plane_faces, bspi_bare_i32_t);

// PLANEPOLYS holds for each plane the number of faces in it, and their indices.
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

// The structures have the padding of a 32-bit compiler. It is not known what `region` holds when
// there is none, so it is not an index. In the last five fields the engine stores the extents of
// the light.
static const bsp_field sof_face_fields[] = {
    QUAKE2_FACE_HEAD
    { NAME("region"),           I16(1) },
    { NAME("padding"),          PAD(2) },
    { NAME("first_regionface"), I32(1) },
    { NAME("num_regionfaces"),  I16(1) },
    { NAME("styles"),           U8(4), MAP(face_light, styles) },
    { NAME("padding2"),         PAD(2) },
    { NAME("lightofs"),         I32(1), OFFSET_NONE(LIGHTING), MAP(face_light, offset) },
    { NAME("lightmip"),         U8(4) },
    { NAME("texturemins"),      I16(2) },
    { NAME("extents"),          I16(2) },
};
static LAYOUT(sof_dface_t, 44, sof_face_fields);

static const bsp_field sof_leaf_fields[] = {
    QUAKE2_LEAF_HEAD
    { NAME("region"), I16(1) },
    QUAKE2_LEAF_BODY
    { NAME("padding"), PAD(2) },
};
static LAYOUT(sof_dleaf_t, 32, sof_leaf_fields);

static const bsp_field region_face_fields[] = {
    { NAME("firstedge"), I32(1) },
    { NAME("numedges"),  I16(1) },
    { NAME("padding"),   PAD(2) },
};
static LAYOUT(dregionface_t, 8, region_face_fields);

static const bsp_field sof_light_fields[] = {
    { NAME("origin"),    F32(3) },
    { NAME("color"),     F32(3) },
    { NAME("intensity"), F32(1) },
    { NAME("type"),      I32(1) },
    { NAME("falloff"),   I32(1) },
};
static LAYOUT(light_t, 36, sof_light_fields);

// A region is a fog volume.
static const bsp_field region_fields[] = {
    { NAME("mode"),          I32(1) },
    { NAME("density"),       F32(1) },
    { NAME("density_range"), F32(1) },
    { NAME("start"),         F32(1) },
    { NAME("end"),           F32(1) },
    { NAME("height"),        F32(1) },
    { NAME("color"),         U8(4) },
    { NAME("flags"),         U32(1), ROLE(FLAGS) },
    { NAME("time"),          F32(1) },
    { NAME("distance_cull"), F32(1) },
    { NAME("chop_size"),     F32(1) },
    { NAME("expansion"),     F32(8) },
};
static LAYOUT(dregion_t, 76, region_fields);

ONE_LAYOUT(sof_faces, sof_dface_t);
ONE_LAYOUT(sof_leaves, sof_dleaf_t);
ONE_LAYOUT(region_faces, dregionface_t);
ONE_LAYOUT(sof_lights, light_t);
ONE_LAYOUT(regions, dregion_t);

static const bsp_lump_def sof_lumps[] = {
    OTHER_LUMP(3, "VISIBILITY", VISIBILITY, VIS_OFFSETS, BYTES(0x180000)),
    ARRAY_LUMP(6, "FACES", FACES, sof_faces, RECORDS(65536)),
    ARRAY_LUMP(8, "LEAFS", LEAVES, sof_leaves, RECORDS(65536)),
    ARRAY_LUMP(19, "REGIONFACES", NONE, region_faces, NO_LIMIT),
    ARRAY_LUMP(20, "LIGHTS", NONE, sof_lights, NO_LIMIT),
    ARRAY_LUMP(21, "REGIONS", NONE, regions, NO_LIMIT),
};

static const bsp_branch bspi_soldier_of_fortune = {
    .name = "soldier_of_fortune", .title = "Soldier of Fortune", .family = BSP_QUAKE2,
    .base = &bspi_quake2, .magic = "IBSP", .version = 46, .shape = &sof_shape,
    .lumps = sof_lumps, .num_lumps = LENGTH(sof_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// clang-format on

// --- detection -----------------------------------------------------------------------------------

// Returns the flags of all texinfos, or-ed.
static uint32_t all_flags(const bspi_candidate *look) {
    uint32_t flags = 0;
    bsp_table table = bspi_records_of(look, BSP_ID_TEXINFO);
    for (uint32_t f = 0; f < table.layout->num_fields; f++) {
        for (uint32_t i = 0;
             table.layout->fields[f].map_member == BSPI_MEMBER_texinfo_flags && i < table.count;
             i++) {
            flags |= (uint32_t)bsp_table_int(&table, i, f, 0);
        }
    }
    return flags;
}

// Bit 23 is the sound of metal; no map of the game has bits 13, 16 or 17.
static bool kingpin_map(const bspi_candidate *look) {
    uint32_t flags = all_flags(look);
    bool sounds = (flags & 0x00800000) != 0 && (flags & ~0xCFFCDFFFu) == 0;
    return (sounds && bspi_plausible(look)) || bspi_has_classes(look);
}

// Bits 24 and 25 together are the material; no map of the game has bit 11 or bits 14 to 23.
static bool heretic2_map(const bspi_candidate *look) {
    uint32_t flags = all_flags(look);
    bool materials = (flags & 0x03000000) == 0x03000000 && (flags & ~0x030037FFu) == 0;
    return (materials && bspi_plausible(look)) || bspi_has_classes(look);
}

// clang-format off
static const bspi_rule rules[] = {
    { .branch = &bspi_kingpin, .test = kingpin_map, .turn = BSPI_TURN_EARLY,
      .why = "classes or surface flags of Kingpin" },
    { .branch = &bspi_heretic2, .test = heretic2_map, .turn = BSPI_TURN_EARLY,
      .why = "classes or surface flags of Heretic II" },
    { .branch = &bspi_sin, .test = bspi_all_divide, .why = "texinfos of 180 bytes" },
    { .branch = &bspi_sin_rbsp, .test = bspi_all_divide, .turn = BSPI_TURN_EARLY,
      .why = "texinfos of 180 bytes" },
    { .branch = &bspi_daikatana, .test = bspi_all_divide, .why = "texinfos of 76 bytes" },
    { .branch = &bspi_soldier_of_fortune, .test = bspi_all_divide, .turn = BSPI_TURN_EARLY,
      .why = "22 lumps with records of Quake 2" },
};
RULE_LIST(quake2_games, rules);
// clang-format on
