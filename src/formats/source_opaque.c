// SPDX-License-Identifier: MIT
// Branches of Source whose container is known and whose records are not described: directory and
// lumps as bytes, with text, strings, pak and game lump directory where these are certainly as in
// other branches. Source: sheet source-versions (1, 2, 7).
#include "formats/source_layouts.h"
#include "formats/rules.h"

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

// --- versions without documentation --------------------------------------------------------------

static const bsp_lump_def unknown_lumps[] = {
    RAW_0_TO_21 RAW_26_TO_34 GAME_LUMP_ROW(35, game_lump_entries), RAW_36_TO_39 PAK_ROW
    RAW_41_TO_48 RAW_50_TO_60
};

static const bsp_branch bspi_source_unknown = {
    .name = "source_unknown", .title = "Source of a version that is not known here",
    .family = BSP_SOURCE, .magic = "VBSP", .version = 0, .shape = &bspi_source_shape,
    .traits = &bspi_source_21_traits, .lumps = unknown_lumps, .num_lumps = LENGTH(unknown_lumps),
    .opaque = true,
};

// --- detection -----------------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_source_unknown, .test = bspi_plausible, .turn = BSPI_TURN_LATE, .high = UINT32_MAX,
      .why = "which is not known here" },
};
RULE_LIST(source_opaque, rules);
// clang-format on
