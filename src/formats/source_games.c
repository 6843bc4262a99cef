// SPDX-License-Identifier: MIT
// Games on Source whose records differ from those of their version: Dark Messiah, Vindictus, INFRA,
// Dota 2, Strata, Contagion, Desolation. Sources: sheet source-versions. Dota 2 (23), Strata and
// Desolation were checked against one map each of the corpus.
#include "formats/source_layouts.h"
#include "formats/rules.h"

// clang-format off

// --- Dark Messiah of Might and Magic: version 20.4 ----------------------------------------------

// The game lump has a word before each entry. (Or one before the first and one after each: read so,
// both are the same but for the last four bytes.)
static const bsp_field dark_messiah_game_fields[] = {
    { NAME("unknown"), U32(1) },
    { NAME("id"),      U32(1), MAP(game, id) },
    { NAME("flags"),   U16(1), ROLE(FLAGS), MAP(game, flags) },
    { NAME("version"), U16(1), MAP(game, version) },
    { NAME("fileofs"), I32(1), MAP(game, offset) },
    { NAME("filelen"), I32(1), MAP(game, size) },
};
static LAYOUT(dgamelump_dark_messiah_t, 20, dark_messiah_game_fields);

static const bsp_variant dark_messiah_lights[] = {
    { BSP_ANY_VERSION, &bspi_dworldlight_dark_messiah_t },
    { BSP_ANY_VERSION, &bspi_dworldlight_0_t },
};
ONE_LAYOUT(dark_messiah_game, dgamelump_dark_messiah_t);
ONE_LAYOUT(dark_messiah_texinfos, bspi_texinfo_dark_messiah_t);
ONE_LAYOUT(dark_messiah_models, bspi_dmodel_dark_messiah_t);

static const bsp_lump_def dark_messiah_mp_lumps[] = {
    ARRAY_LUMP(15, "WORLDLIGHTS", WORLD_LIGHTS, dark_messiah_lights, RECORDS(8192)),
    GAME_LUMP_ROW(35, dark_messiah_game),
    ARRAY_LUMP(54, "WORLDLIGHTS_HDR", WORLD_LIGHTS_HDR, dark_messiah_lights, RECORDS(8192)),
};

#define VERSION_20_4 0x00040014

static const bsp_branch bspi_dark_messiah_mp = {
    .name = "dark_messiah_mp", .title = "Dark Messiah of Might and Magic, multiplayer",
    .family = BSP_SOURCE, .base = &bspi_source_20, .magic = "VBSP", .version = VERSION_20_4,
    .lumps = dark_messiah_mp_lumps, .num_lumps = LENGTH(dark_messiah_mp_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_lump_def dark_messiah_lumps[] = {
    ARRAY_LUMP(6, "TEXINFO", TEXINFO, dark_messiah_texinfos, RECORDS(12288)),
    ARRAY_LUMP(14, "MODELS", MODELS, dark_messiah_models, RECORDS(1024)),
};

static const bsp_branch bspi_dark_messiah = {
    .name = "dark_messiah", .title = "Dark Messiah of Might and Magic", .family = BSP_SOURCE,
    .base = &bspi_dark_messiah_mp, .magic = "VBSP", .version = VERSION_20_4,
    .lumps = dark_messiah_lumps, .num_lumps = LENGTH(dark_messiah_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- Vindictus: version 20 with 32-bit records --------------------------------------------------

static const bsp_field vindictus_game_fields[] = {
    { NAME("id"),      U32(1), MAP(game, id) },
    { NAME("flags"),   U32(1), ROLE(FLAGS), MAP(game, flags) },
    { NAME("version"), U32(1), MAP(game, version) },
    { NAME("fileofs"), I32(1), MAP(game, offset) },
    { NAME("filelen"), I32(1), MAP(game, size) },
};
static LAYOUT(dgamelump_vindictus_t, 20, vindictus_game_fields);

static const bsp_variant vindictus_faces[] = {
    { 2, &bspi_dface_vindictus_t },
    { 1, &bspi_dface_vindictus_1_t },
};
static const bsp_variant vindictus_faces_hdr[] = {
    { 2, &bspi_dface_hdr_vindictus_t },
    { 1, &bspi_dface_hdr_vindictus_1_t },
};
static const bsp_variant vindictus_original_faces[] = {
    { 2, &bspi_dface_original_vindictus_t },
    { 1, &bspi_dface_original_vindictus_1_t },
};
ONE_LAYOUT(vindictus_nodes, bspi_dnode_vindictus_t);
ONE_LAYOUT(vindictus_leaves, bspi_dleaf_vindictus_t);
ONE_LAYOUT(edges32, bspi_dedge32_t);
ONE_LAYOUT(leaf_faces32, bspi_leafface32_t);
ONE_LAYOUT(leaf_brushes32, bspi_leafbrush32_t);
ONE_LAYOUT(vindictus_sides, bspi_dbrushside_vindictus_t);
ONE_LAYOUT(area_portals32, bspi_dareaportal32_t);
ONE_LAYOUT(vindictus_disps, bspi_ddispinfo_vindictus_t);
ONE_LAYOUT(vindictus_overlays, bspi_doverlay_wide_t);
ONE_LAYOUT(vindictus_game, dgamelump_vindictus_t);

static const bsp_lump_def vindictus_lumps[] = {
    ARRAY_LUMP(5, "NODES", NODES, vindictus_nodes, NO_LIMIT),
    ARRAY_LUMP(7, "FACES", FACES, vindictus_faces, NO_LIMIT),
    ARRAY_LUMP(10, "LEAFS", LEAVES, vindictus_leaves, NO_LIMIT),
    ARRAY_LUMP(12, "EDGES", EDGES, edges32, NO_LIMIT),
    ARRAY_LUMP(16, "LEAFFACES", LEAF_FACES, leaf_faces32, NO_LIMIT),
    ARRAY_LUMP(17, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes32, NO_LIMIT),
    ARRAY_LUMP(19, "BRUSHSIDES", BRUSH_SIDES, vindictus_sides, NO_LIMIT),
    ARRAY_LUMP(21, "AREAPORTALS", AREA_PORTALS, area_portals32, NO_LIMIT),
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, vindictus_disps, NO_LIMIT),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, vindictus_original_faces, NO_LIMIT),
    GAME_LUMP_ROW(35, vindictus_game),
    ARRAY_LUMP(45, "OVERLAYS", OVERLAYS, vindictus_overlays, NO_LIMIT),
    ARRAY_LUMP(58, "FACES_HDR", FACES_HDR, vindictus_faces_hdr, NO_LIMIT),
};

static const bsp_game_lump_def vindictus_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_static_prop_vindictus_lists),
    DETAIL_GAME_LUMPS
};

static const bsp_branch bspi_vindictus = {
    .name = "vindictus", .title = "Vindictus", .family = BSP_SOURCE, .base = &bspi_source_20,
    .magic = "VBSP", .version = 20,
    .lumps = vindictus_lumps, .num_lumps = LENGTH(vindictus_lumps),
    .game_lumps = vindictus_game_lumps, .num_game_lumps = LENGTH(vindictus_game_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- Tactical Intervention ----------------------------------------------------------------------

// Version 20 with the records of version 21. The maps were sold scrambled; a plain one is told by
// its classes.
static const bsp_branch bspi_tactical_intervention = {
    .name = "tactical_intervention", .title = "Tactical Intervention", .family = BSP_SOURCE,
    .base = &bspi_source_21, .magic = "VBSP", .version = 20, .classes = "func_capzone_",
    .verified = BSP_VERIFIED_BUILT,
};

// --- Left 4 Dead: version 20 with the levels of overlays ------------------------------------------

// The compiler of Left 4 Dead was the first that wrote lump 61 (bsp_tool, left4dead.py). Not checked
// against a real map.
ONE_LAYOUT(overlay_levels, bspi_doverlaysystemlevel_t);

static const bsp_lump_def left4dead_lumps[] = {
    ARRAY_LUMP(61, "OVERLAY_SYSTEM_LEVELS", OVERLAY_LEVELS, overlay_levels, RECORDS(512)),
};

static const bsp_branch bspi_left4dead = {
    .name = "left4dead", .title = "Left 4 Dead (maps with overlays)", .family = BSP_SOURCE,
    .base = &bspi_source_20, .magic = "VBSP", .version = 20,
    .lumps = left4dead_lumps, .num_lumps = LENGTH(left4dead_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- version 22 ---------------------------------------------------------------------------------

// In Tactical Intervention lump 24 holds entities of the client. Doubt: as text, like lump 0.
static const bsp_lump_def source_22_lumps[] = {
    OTHER_LUMP(24, "CLIENT_ENTITIES", NONE, ENTITIES, NO_LIMIT),
};

static const bsp_branch bspi_source_22 = {
    .name = "source_22", .title = "Tactical Intervention (version 22), Jabroni Brawl",
    .family = BSP_SOURCE, .base = &bspi_source_21, .magic = "VBSP", .version = 22,
    .lumps = source_22_lumps, .num_lumps = LENGTH(source_22_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

ONE_LAYOUT(infra_faces, bspi_dface_infra_t);
ONE_LAYOUT(infra_faces_hdr, bspi_dface_hdr_infra_t);
ONE_LAYOUT(face_brush_lists32, bspi_dfacebrushlist32_t);

static const bsp_lump_def infra_lumps[] = {
    ARRAY_LUMP(7, "FACES", FACES, infra_faces, RECORDS(65536)),
    OTHER_LUMP(22, "FACEBRUSHES", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(23, "FACEBRUSHLIST", NONE, face_brush_lists32, NO_LIMIT),
    BYTES_LUMP(37, "PRIMITIVES", PRIMITIVES,
               "Its records are not those of other branches, and documented nowhere; public tools "
               "leave them as bytes too."),
    ARRAY_LUMP(58, "FACES_HDR", FACES_HDR, infra_faces_hdr, RECORDS(65536)),
};

static const bsp_branch bspi_infra = {
    .name = "infra", .title = "INFRA", .family = BSP_SOURCE, .base = &bspi_source_21,
    .magic = "VBSP", .version = 22, .classes = "infra_", .lumps = infra_lumps, .num_lumps = LENGTH(infra_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- Dota 2 before Reborn -----------------------------------------------------------------------

// Doubt: some programs give overlays of version 22 the size that Valve's have. The size decides.
// The tools allow far more than 512 overlays; the limit is not documented.
static const bsp_variant dota2_overlays[] = {
    { BSP_ANY_VERSION, &bspi_doverlay_dota_t },
    { BSP_ANY_VERSION, &bspi_doverlay_t },
};
ONE_LAYOUT(dota2_22_disps, bspi_ddispinfo_22_t);
ONE_LAYOUT(dota2_23_disps, bspi_ddispinfo_23_t);

static const bsp_lump_def dota2_22_lumps[] = {
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, dota2_22_disps, RECORDS(2048)),
    ARRAY_LUMP(45, "OVERLAYS", OVERLAYS, dota2_overlays, NO_LIMIT),
};

static const bsp_branch bspi_dota2_22 = {
    .name = "dota2_22", .title = "Dota 2 before Reborn (version 22)", .family = BSP_SOURCE,
    .base = &bspi_source_21, .magic = "VBSP", .version = 22, .classes = "dota_",
    .lumps = dota2_22_lumps, .num_lumps = LENGTH(dota2_22_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_lump_def dota2_23_lumps[] = {
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, dota2_23_disps, RECORDS(2048)),
};

// Brush sides are those of version 21. In the one file at hand every third side has plane 0 where
// its box needs another plane. The file was made by UpVersion, which takes records of 8 bytes for
// some of 12 and so clears bytes 8 and 9 of each 12: the plane of each third side.
static const bsp_branch bspi_dota2_23 = {
    .name = "dota2_23", .title = "Dota 2 before Reborn (version 23)", .family = BSP_SOURCE,
    .base = &bspi_dota2_22, .magic = "VBSP", .version = 23,
    .lumps = dota2_23_lumps, .num_lumps = LENGTH(dota2_23_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- Strata -------------------------------------------------------------------------------------

static const bsp_traits strata_traits = {
    .light = BSP_LIGHT_RGBEXP32, .has_brushes = true, .max_coord = 131072,
    .unlit_flags = BSPI_SURF_SKY | BSPI_SURF_NOLIGHT, .max_entities = 16384, .max_key = 32, .max_value = 1024,
    .dialect = BSP_DIALECT_VMF,
    .checksum = BSP_CHECKSUM_CRC_OFFSETS, .wide_solids = true, SOURCE_BEHAVIOUR
};

// The lump version tells the width. Where it is not kept (original faces and face ids have version
// 0 in the map of the corpus, and are wide), the size tells it.
#define WIDER(id, lump_version, wide, narrow) \
    static const bsp_variant id[] = { \
        { (lump_version), &(wide) }, \
        { 0, &(narrow) }, \
        { BSP_ANY_VERSION, &(wide) }, \
        { BSP_ANY_VERSION, &(narrow) }, \
    }
static const bsp_variant strata_faces[] = {
    { 2, &bspi_dface_strata_t },
    { 1, &bspi_dface_t },
    { BSP_ANY_VERSION, &bspi_dface_strata_t },
};
static const bsp_variant strata_faces_hdr[] = {
    { 2, &bspi_dface_hdr_strata_t },
    { 1, &bspi_dface_hdr_t },
    { BSP_ANY_VERSION, &bspi_dface_hdr_strata_t },
};
static const bsp_variant strata_original_faces[] = {
    { 2, &bspi_dface_original_strata_t },
    { 1, &bspi_dface_original_t },
    { BSP_ANY_VERSION, &bspi_dface_original_strata_t },
    { BSP_ANY_VERSION, &bspi_dface_original_t },
};
static const bsp_variant strata_leaves[] = {
    { 2, &bspi_dleaf_strata_t },
    { 1, &bspi_dleaf_t },
};
// Face ids: there are as many as faces, so the size does not tell; the map of the corpus has 32
// bits in version 0.
static const bsp_variant strata_face_ids[] = {
    { 1, &bspi_dfaceid32_t },
    { BSP_ANY_VERSION, &bspi_dfaceid32_t },
    { BSP_ANY_VERSION, &bspi_dfaceid_t },
};
WIDER(strata_nodes, 1, bspi_dnode_strata_t, bspi_dnode_t);
WIDER(strata_edges, 1, bspi_dedge32_t, bspi_dedge_t);
WIDER(strata_leaf_faces, 1, bspi_leafface32_t, bspi_leafface_t);
WIDER(strata_leaf_brushes, 1, bspi_leafbrush32_t, bspi_leafbrush_t);
WIDER(strata_sides, 1, bspi_dbrushside_strata_t, bspi_dbrushside_21_t);
WIDER(strata_area_portals, 1, bspi_dareaportal32_t, bspi_dareaportal_t);
WIDER(strata_disps, 1, bspi_ddispinfo_strata_t, bspi_ddispinfo_t);
WIDER(strata_normal_indices, 1, bspi_vertnormalindex32_t, bspi_vertnormalindex_t);
WIDER(strata_waters, 1, bspi_dleafwaterdata32_t, bspi_dleafwaterdata_t);
WIDER(strata_primitives, 1, bspi_dprimitive32_t, bspi_dprimitive_t);
WIDER(strata_prim_indices, 1, bspi_primindex32_t, bspi_primindex_t);
WIDER(strata_overlays, 1, bspi_doverlay_wide_t, bspi_doverlay_t);
WIDER(strata_water_overlays, 1, bspi_dwateroverlay_wide_t, bspi_dwateroverlay_t);
WIDER(strata_ambient, 1, bspi_dleafambientindex32_t, bspi_dleafambientindex_t);
WIDER(strata_ambient_hdr, 1, bspi_dleafambientindex32_hdr_t, bspi_dleafambientindex_hdr_t);

static const bsp_lump_def strata_lumps[] = {
    ARRAY_LUMP(5, "NODES", NODES, strata_nodes, RECORDS(1048576)),
    ARRAY_LUMP(7, "FACES", FACES, strata_faces, RECORDS(1048576)),
    ARRAY_LUMP(10, "LEAFS", LEAVES, strata_leaves, RECORDS(1048576)),
    ARRAY_LUMP(11, "FACEIDS", FACE_IDS, strata_face_ids, RECORDS(1048576)),
    ARRAY_LUMP(12, "EDGES", EDGES, strata_edges, RECORDS(4096000)),
    ARRAY_LUMP(16, "LEAFFACES", LEAF_FACES, strata_leaf_faces, RECORDS(1048576)),
    ARRAY_LUMP(17, "LEAFBRUSHES", LEAF_BRUSHES, strata_leaf_brushes, RECORDS(1048576)),
    ARRAY_LUMP(19, "BRUSHSIDES", BRUSH_SIDES, strata_sides, RECORDS(655360)),
    ARRAY_LUMP(21, "AREAPORTALS", AREA_PORTALS, strata_area_portals, RECORDS(1024)),
    OTHER_LUMP(22, "FACEBRUSHES", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(23, "FACEBRUSHLIST", NONE, face_brush_lists32, NO_LIMIT),
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, strata_disps, RECORDS(262144)),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, strata_original_faces, RECORDS(1048576)),
    ARRAY_LUMP(31, "VERTNORMALINDICES", VERT_NORMAL_INDICES, strata_normal_indices, NO_LIMIT),
    ARRAY_LUMP(36, "LEAFWATERDATA", LEAF_WATER, strata_waters, RECORDS(32768)),
    ARRAY_LUMP(37, "PRIMITIVES", PRIMITIVES, strata_primitives, RECORDS(1048576)),
    ARRAY_LUMP(39, "PRIMINDICES", PRIM_INDICES, strata_prim_indices, RECORDS(1048576)),
    ARRAY_LUMP(45, "OVERLAYS", OVERLAYS, strata_overlays, RECORDS(16384)),
    ARRAY_LUMP(50, "WATEROVERLAYS", WATER_OVERLAYS, strata_water_overlays, RECORDS(16384)),
    ARRAY_LUMP(51, "LEAF_AMBIENT_INDEX_HDR", AMBIENT_INDEX_HDR, strata_ambient_hdr, NO_LIMIT),
    ARRAY_LUMP(52, "LEAF_AMBIENT_INDEX", AMBIENT_INDEX, strata_ambient, NO_LIMIT),
    ARRAY_LUMP(58, "FACES_HDR", FACES_HDR, strata_faces_hdr, RECORDS(1048576)),
};

static const bsp_branch bspi_strata_25 = {
    .name = "strata_25", .title = "Strata Source: Momentum Mod, Portal 2: Community Edition",
    .family = BSP_SOURCE, .base = &bspi_source_21, .magic = "VBSP", .version = 25,
    .traits = &strata_traits, .lumps = strata_lumps, .num_lumps = LENGTH(strata_lumps),
    .verified = BSP_VERIFIED_REAL,
};

// --- Contagion: one more word in the head --------------------------------------------------------

static const bsp_field contagion_head_fields[] = {
    { NAME("ident"),   CHARS(4) },
    { NAME("version"), I32(1), MAP(head, version) },
    { NAME("unknown"), U32(1) },
};
static LAYOUT(dheader_contagion_t, 12, contagion_head_fields);

static const bsp_shape contagion_shape = {
    &dheader_contagion_t, &bspi_lump_t, 64, &bspi_map_revision_t, false, 4,
};

// Occluders have an area although the lump version is 0.
static const bsp_section occlusion[] = OCCLUSION_SECTIONS(bspi_doccluderdata_t);
static const bsp_section_list contagion_occlusion[] = {
    SECTION_LIST(BSP_ANY_VERSION, 4, occlusion),
};

static const bsp_lump_def contagion_lumps[] = {
    SECTION_LUMP(9, "OCCLUSION", OCCLUDERS, contagion_occlusion, NO_LIMIT),
};

static const bsp_branch bspi_contagion_27 = {
    .name = "contagion_27", .title = "Contagion", .family = BSP_SOURCE, .base = &bspi_source_21,
    .magic = "VBSP", .version = 27, .shape = &contagion_shape,
    .lumps = contagion_lumps, .num_lumps = LENGTH(contagion_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- Desolation: the records of version 21 ------------------------------------------------------

static const bsp_branch bspi_desolation_42 = {
    .name = "desolation_42", .title = "Desolation", .family = BSP_SOURCE, .base = &bspi_source_21,
    .magic = "VBSP", .version = 42,
    .verified = BSP_VERIFIED_REAL,
};
// clang-format on

// --- detection -----------------------------------------------------------------------------------

// The single-player maps have texinfos of 96 bytes.
static bool texinfos_fit(const bspi_candidate *look) {
    return bspi_plausible(look) &&
           bspi_fits(look, BSP_ID_TEXINFO, BSPI_MEMBER_texinfo_material, BSP_ID_TEXTURES);
}

// True if the sizes of the 32-bit records fit, and edges and planes of nodes are valid indices.
static bool wide_records(const bspi_candidate *look) {
    return bspi_plausible(look) && bspi_divides(look, BSP_ID_NODES) &&
           bspi_divides(look, BSP_ID_BRUSH_SIDES) && bspi_divides(look, BSP_ID_LEAVES) &&
           bspi_fits(look, BSP_ID_EDGES, BSPI_MEMBER_edge_v, BSP_ID_VERTICES) &&
           bspi_fits(look, BSP_ID_NODES, BSPI_MEMBER_node_plane, BSP_ID_PLANES);
}

static bool tactical_map(const bspi_candidate *look) {
    return look->scrambled ? bspi_plausible(look) : bspi_has_classes(look);
}

// Displacements of 180 bytes tell the game where there are some; else the classes do.
static bool dota2_map(const bspi_candidate *look) {
    bspi_extent disps = bspi_extent_of(look, BSP_ID_DISP_INFO);
    bool longer = disps.size != 0 && disps.size % 180 == 0 && disps.size % 176 != 0;
    return (longer && bspi_plausible(look)) || bspi_has_classes(look);
}

// Black Mesa has multiblend in that lump: 80 bytes for each vertex.
static bool levels_of_overlays(const bspi_candidate *look) {
    uint32_t levels = bspi_records_of(look, BSP_ID_OVERLAY_LEVELS).count;
    return bspi_plausible(look) && bspi_divides(look, BSP_ID_OVERLAY_LEVELS) && levels != 0 &&
           bspi_divides(look, BSP_ID_OVERLAYS) &&
           levels == bspi_records_of(look, BSP_ID_OVERLAYS).count;
}

// clang-format off
static const bspi_rule rules[] = {
    { .branch = &bspi_dark_messiah_mp, .test = bspi_plausible },
    { .branch = &bspi_dark_messiah, .test = texinfos_fit, .turn = BSPI_TURN_EARLY,
      .why = "texinfos of 96 bytes" },
    { .branch = &bspi_vindictus, .test = wide_records, .turn = BSPI_TURN_EARLY,
      .why = "records of 32-bit numbers" },
    { .branch = &bspi_tactical_intervention, .test = tactical_map, .turn = BSPI_TURN_EARLY,
      .low = 20, .high = 21, .why = "scrambled, or classes of Tactical Intervention" },
    { .branch = &bspi_left4dead, .test = levels_of_overlays, .turn = BSPI_TURN_EARLY,
      .why = "a level of the machine for each overlay" },
    { .branch = &bspi_source_22, .test = bspi_plausible },
    { .branch = &bspi_infra, .test = bspi_has_classes, .turn = BSPI_TURN_EARLY,
      .why = "classes of INFRA" },
    { .branch = &bspi_dota2_22, .test = dota2_map, .turn = BSPI_TURN_EARLY,
      .why = "classes or displacements of Dota 2" },
    { .branch = &bspi_dota2_23, .test = bspi_plausible },
    { .branch = &bspi_strata_25, .test = bspi_plausible },
    { .branch = &bspi_contagion_27, .test = bspi_plausible },
    { .branch = &bspi_desolation_42, .test = bspi_plausible },
};
RULE_LIST(source_games, rules);
// clang-format on
