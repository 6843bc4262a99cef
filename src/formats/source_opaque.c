// SPDX-License-Identifier: MIT
// Branches of Source whose container is known and whose records are not claimed: directory and raw
// lumps only, with text, strings, pak and game lump directory where those are certainly as
// elsewhere. Source: sheet source-versions (1, 2, 7); the shapes of versions 23, 25 and 42 were
// checked against the corpus.
#include "formats/source_layouts.h"

// clang-format off

#define RAW(index, name) OTHER_LUMP(index, name, NONE, BYTES, NO_LIMIT),

ONE_LAYOUT(game_lump_entries, bspi_dgamelump_t);

#define RAW_0_TO_21 \
    OTHER_LUMP(0, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT), \
    RAW(1, "PLANES") RAW(2, "TEXDATA") RAW(3, "VERTEXES") RAW(4, "VISIBILITY") RAW(5, "NODES") \
    RAW(6, "TEXINFO") RAW(7, "FACES") RAW(8, "LIGHTING") RAW(9, "OCCLUSION") RAW(10, "LEAFS") \
    RAW(11, "FACEIDS") RAW(12, "EDGES") RAW(13, "SURFEDGES") RAW(14, "MODELS") \
    RAW(15, "WORLDLIGHTS") RAW(16, "LEAFFACES") RAW(17, "LEAFBRUSHES") RAW(18, "BRUSHES") \
    RAW(19, "BRUSHSIDES") RAW(20, "AREAS") RAW(21, "AREAPORTALS")

#define RAW_26_TO_34 \
    RAW(26, "DISPINFO") RAW(27, "ORIGINALFACES") RAW(28, "PHYSDISP") RAW(29, "PHYSCOLLIDE") \
    RAW(30, "VERTNORMALS") RAW(31, "VERTNORMALINDICES") RAW(32, "DISP_LIGHTMAP_ALPHAS") \
    RAW(33, "DISP_VERTS") RAW(34, "DISP_LIGHTMAP_SAMPLE_POSITIONS")

#define RAW_36_TO_39 \
    RAW(36, "LEAFWATERDATA") RAW(37, "PRIMITIVES") RAW(38, "PRIMVERTS") RAW(39, "PRIMINDICES")

#define RAW_41_TO_48 \
    RAW(41, "CLIPPORTALVERTS") RAW(42, "CUBEMAPS") \
    OTHER_LUMP(43, "TEXDATA_STRING_DATA", STRING_DATA, STRINGS, NO_LIMIT), \
    RAW(44, "TEXDATA_STRING_TABLE") RAW(45, "OVERLAYS") RAW(46, "LEAFMINDISTTOWATER") \
    RAW(47, "FACE_MACRO_TEXTURE_INFO") RAW(48, "DISP_TRIS")

#define RAW_50_TO_60 \
    RAW(50, "WATEROVERLAYS") RAW(51, "LEAF_AMBIENT_INDEX_HDR") RAW(52, "LEAF_AMBIENT_INDEX") \
    RAW(53, "LIGHTING_HDR") RAW(54, "WORLDLIGHTS_HDR") RAW(55, "LEAF_AMBIENT_LIGHTING_HDR") \
    RAW(56, "LEAF_AMBIENT_LIGHTING") RAW(57, "XZIPPAKFILE") RAW(58, "FACES_HDR") \
    RAW(59, "MAP_FLAGS") RAW(60, "OVERLAY_FADES")

#define PAK_ROW OTHER_LUMP(40, "PAKFILE", PAK, ZIP, NO_LIMIT),

// --- grown out of version 21 --------------------------------------------------------------------

static const bsp_lump_def raw_21_lumps[] = {
    RAW_0_TO_21
    RAW(22, "FACEBRUSHES") RAW(23, "FACEBRUSHLIST")
    RAW_26_TO_34 GAME_LUMP_ROW(35, game_lump_entries), RAW_36_TO_39 PAK_ROW RAW_41_TO_48
    RAW_50_TO_60
    RAW(61, "OVERLAY_SYSTEM_LEVELS") RAW(62, "PHYSLEVEL") RAW(63, "DISP_MULTIBLEND")
};

const bsp_branch bspi_source_22 = {
    .name = "source_22", .title = "INFRA, Tactical Intervention (version 22)",
    .family = BSP_SOURCE, .magic = "VBSP", .version = 22,
    .shape = &bspi_source_shape, .traits = &bspi_source_21_traits,
    .lumps = raw_21_lumps, .num_lumps = LENGTH(raw_21_lumps), .opaque = true,
};

const bsp_branch bspi_dota2_22 = {
    .name = "dota2_22", .title = "Dota 2 before Reborn (version 22)", .family = BSP_SOURCE,
    .base = &bspi_source_22, .magic = "VBSP", .version = 22, .opaque = true,
};

const bsp_branch bspi_dota2_23 = {
    .name = "dota2_23", .title = "Dota 2 before Reborn (version 23)", .family = BSP_SOURCE,
    .base = &bspi_source_22, .magic = "VBSP", .version = 23, .opaque = true,
};

static const bsp_traits strata_traits = {
    .light = BSP_LIGHT_RGBEXP32, .has_brushes = true, .max_coord = 131072,
    .unlit_flags = 0x4 | 0x400, .max_entities = 16384, .dialect = BSP_DIALECT_VMF,
    .checksum = BSP_CHECKSUM_CRC_OFFSETS,
};

const bsp_branch bspi_strata_25 = {
    .name = "strata_25", .title = "Strata Source: Momentum Mod, Portal 2: Community Edition",
    .family = BSP_SOURCE, .base = &bspi_source_22, .magic = "VBSP", .version = 25,
    .traits = &strata_traits, .opaque = true,
};

// --- Contagion: a word more in the head ---------------------------------------------------------

static const bsp_field contagion_head_fields[] = {
    { NAME("ident"),   CHARS(4) },
    { NAME("version"), I32(1), MAP(head, version) },
    { NAME("unknown"), U32(1) },
};
static LAYOUT(dheader_contagion_t, 12, contagion_head_fields);

static const bsp_shape contagion_shape = {
    &dheader_contagion_t, &bspi_lump_t, 64, &bspi_map_revision_t, false, 4,
};

const bsp_branch bspi_contagion_27 = {
    .name = "contagion_27", .title = "Contagion", .family = BSP_SOURCE, .base = &bspi_source_22,
    .magic = "VBSP", .version = 27, .shape = &contagion_shape, .opaque = true,
};

// --- Desolation ---------------------------------------------------------------------------------

// The upper lumps and 22 to 25 are those of no header known here.
static const bsp_lump_def desolation_lumps[] = {
    RAW_0_TO_21 RAW_26_TO_34 GAME_LUMP_ROW(35, game_lump_entries), RAW_36_TO_39 PAK_ROW
    RAW_41_TO_48 RAW_50_TO_60
};

const bsp_branch bspi_desolation_42 = {
    .name = "desolation_42", .title = "Desolation", .family = BSP_SOURCE, .magic = "VBSP",
    .version = 42, .shape = &bspi_source_shape, .traits = &bspi_source_21_traits,
    .lumps = desolation_lumps, .num_lumps = LENGTH(desolation_lumps), .opaque = true,
};

// --- Counter-Strike Online 2 --------------------------------------------------------------------

// uncompressedSize is big-endian in a little-endian file: what it feeds has its bytes turned, and
// says no more than "compressed" when it is not 0.
static const bsp_field cso2_lump_fields[] = {
    { NAME("fileofs"),          U32(1), MAP(entry, offset) },
    { NAME("filelen"),          U32(1), MAP(entry, size) },
    { NAME("version"),          U16(1), MAP(entry, version) },
    { NAME("compressed"),       U16(1), ROLE(FLAGS) },
    { NAME("uncompressedSize"), U32(1), MAP(entry, fourcc) },
};
static LAYOUT(lump_cso2_t, 16, cso2_lump_fields);

static const bsp_shape cso2_shape = {
    &bspi_ident_head_t, &lump_cso2_t, 64, &bspi_map_revision_t, false, 4,
};

// The game lump is not documented, and the pak is a zip with signatures of its own.
static const bsp_lump_def cso2_lumps[] = {
    RAW_0_TO_21 RAW_26_TO_34 RAW(35, "GAME_LUMP") RAW_36_TO_39 RAW(40, "PAKFILE")
    RAW_41_TO_48 RAW_50_TO_60
};

const bsp_branch bspi_cso2_100 = {
    .name = "cso2_100", .title = "Counter-Strike Online 2", .family = BSP_SOURCE, .magic = "VBSP",
    .version = 100, .shape = &cso2_shape, .traits = &bspi_source_21_traits,
    .lumps = cso2_lumps, .num_lumps = LENGTH(cso2_lumps), .opaque = true,
};
// --- a version that nobody told us of -----------------------------------------------------------

const bsp_branch bspi_source_unknown = {
    .name = "source_unknown", .title = "Source of a version that is not known here",
    .family = BSP_SOURCE, .base = &bspi_desolation_42, .magic = "VBSP", .version = 0, .opaque = true,
};
// clang-format on
