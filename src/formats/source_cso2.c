// SPDX-License-Identifier: MIT
// Counter-Strike Online 2: version 100, with wide records as in Vindictus. No map of it was at
// hand. Sources: sheet source-versions (1, 4, 5, 7), and where that is silent the structures of L.
// Leite's converter of such maps to version 20; each size below is that of its structure. A lump
// whose size fits none of its layouts is kept as bytes.
#include "formats/source_layouts.h"
#include "formats/rules.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

// The lump's version has 16 bits; the next field says whether the lump is packed. The unpacked size
// is big-endian in little-endian files.
static const bsp_field lump_fields[] = {
    { NAME("fileofs"),          U32(1), MAP(entry, offset) },
    { NAME("filelen"),          U32(1), MAP(entry, size) },
    { NAME("version"),          U16(1), MAP(entry, version) },
    { NAME("compressed"),       U16(1), MAP(entry, packed) },
    { NAME("uncompressedSize"), U32(1), .swapped = true, MAP(entry, fourcc) },
};
static LAYOUT(lump_cso2_t, 16, lump_fields);

static const bsp_shape cso2_shape = {
    &bspi_ident_head_t, &lump_cso2_t, 64, &bspi_map_revision_t, false, 4,
};

// --- records ------------------------------------------------------------------------------------

#define LEAF_FIELDS \
    { NAME("contents"),        I32(1), ROLE(CONTENTS), MAP(leaf, contents) }, \
    { NAME("cluster"),         I32(1), MAP(leaf, cluster) }, \
    { NAME("area"),            U16(1), BITS(0, 9), INDEX(AREAS), MAP(leaf, area) }, \
    { NAME("flags"),           U16(1), BITS(9, 7), ROLE(FLAGS), MAP(leaf, flags) }, \
    { NAME("padding"),         PAD(2) }, \
    { NAME("mins"),            I32(3), ROLE(BOUNDS), MAP(leaf, mins) }, \
    { NAME("maxs"),            I32(3), ROLE(BOUNDS), MAP(leaf, maxs) }, \
    { NAME("firstleafface"),   U32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) }, \
    { NAME("numleaffaces"),    U32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) }, \
    { NAME("firstleafbrush"),  U32(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) }, \
    { NAME("numleafbrushes"),  U32(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) }, \
    { NAME("leafWaterDataID"), I32(1), INDEX_NONE(LEAF_WATER), MAP(leaf, water) },

static const bsp_field leaf_fields[] = { LEAF_FIELDS };
static LAYOUT(dleaf_cso2_t, 56, leaf_fields);

static const bsp_field leaf_version_0_fields[] = {
    LEAF_FIELDS
    { NAME("m_AmbientLighting"), U8(24), MAP(leaf, cube) },
};
static LAYOUT(dleaf_version_0_cso2_t, 80, leaf_version_0_fields);

static const bsp_field side_fields[] = {
    { NAME("planenum"), U32(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("texinfo"),  I32(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) },
    { NAME("dispinfo"), I16(1) },
    { NAME("bevel"),    I16(1), MAP(brush_side, bevel) },
};
static LAYOUT(dbrushside_cso2_t, 12, side_fields);

static const bsp_field leaf_min_dist_fields[] = {
    { NAME(""), U32(1), MAP(leaf_water_dist, value) },
};
static LAYOUT(leafmindist_cso2_t, 4, leaf_min_dist_fields);

// The game reads 164 bytes per sample; one map has 160.
#define CUBEMAP_FIELDS \
    { NAME("origin"), I32(3), MAP(cubemap, origin) }, \
    { NAME("size"),   U8(1), MAP(cubemap, size) },

static const bsp_field cubemap_fields[] = { CUBEMAP_FIELDS { NAME("unknown"), U8(151) } };
static LAYOUT(dcubemapsample_cso2_t, 164, cubemap_fields);

static const bsp_field cubemap_160_fields[] = { CUBEMAP_FIELDS { NAME("unknown"), U8(147) } };
static LAYOUT(dcubemapsample_160_cso2_t, 160, cubemap_160_fields);

// --- lumps --------------------------------------------------------------------------------------

#define OR_BYTES { BSP_ANY_VERSION, &bspi_bare_u8_t }
#define ONE_OR_BYTES(id, lump_version, layout) \
    static const bsp_variant id[] = { \
        { (lump_version), &(layout) }, { BSP_ANY_VERSION, &(layout) }, OR_BYTES, \
    }

ONE_OR_BYTES(faces, 1, bspi_dface_cso2_t);
ONE_OR_BYTES(faces_hdr, 1, bspi_dface_hdr_cso2_t);
ONE_OR_BYTES(original_faces, 0, bspi_dface_original_cso2_t);
ONE_OR_BYTES(nodes, 0, bspi_dnode_vindictus_t);
ONE_OR_BYTES(edges, 0, bspi_dedge32_t);
ONE_OR_BYTES(leaf_faces, 0, bspi_leafface32_t);
ONE_OR_BYTES(leaf_brushes, 0, bspi_leafbrush32_t);
ONE_OR_BYTES(sides, 0, dbrushside_cso2_t);
ONE_OR_BYTES(area_portals, 0, bspi_dareaportal32_t);
ONE_OR_BYTES(waters, 0, bspi_dleafwaterdata32_t);
ONE_OR_BYTES(primitives, 0, bspi_dprimitive32_t);
ONE_OR_BYTES(prim_indices, 0, bspi_primindex32_t);
ONE_OR_BYTES(overlays, 0, bspi_doverlay_wide_t);
ONE_OR_BYTES(water_overlays, 0, bspi_dwateroverlay_wide_t);
ONE_OR_BYTES(leaf_min_dists, 0, leafmindist_cso2_t);
static const bsp_variant leaves[] = {
    { 1, &dleaf_cso2_t }, { 0, &dleaf_version_0_cso2_t }, OR_BYTES,
};
static const bsp_variant cubemaps[] = {
    { BSP_ANY_VERSION, &dcubemapsample_cso2_t },
    { BSP_ANY_VERSION, &dcubemapsample_160_cso2_t },
    OR_BYTES,
};
// Clients from 2018 on have 242 bytes, ten more than Vindictus; the order of the fields is not
// documented.
ONE_OR_BYTES(disps, 0, bspi_ddispinfo_t);
// No source says whether these differ from Vindictus.
static const bsp_variant lights[] = {
    { 0, &bspi_dworldlight_0_t }, { 1, &bspi_dworldlight_t }, OR_BYTES,
};
ONE_OR_BYTES(ambient_index, 0, bspi_dleafambientindex_t);
ONE_OR_BYTES(ambient_index_hdr, 0, bspi_dleafambientindex_hdr_t);

static const bsp_lump_def cso2_lumps[] = {
    ARRAY_LUMP(5, "NODES", NODES, nodes, NO_LIMIT),
    ARRAY_LUMP(7, "FACES", FACES, faces, NO_LIMIT),
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves, NO_LIMIT),
    ARRAY_LUMP(12, "EDGES", EDGES, edges, NO_LIMIT),
    ARRAY_LUMP(15, "WORLDLIGHTS", WORLD_LIGHTS, lights, NO_LIMIT),
    ARRAY_LUMP(16, "LEAFFACES", LEAF_FACES, leaf_faces, NO_LIMIT),
    ARRAY_LUMP(17, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, NO_LIMIT),
    ARRAY_LUMP(19, "BRUSHSIDES", BRUSH_SIDES, sides, NO_LIMIT),
    ARRAY_LUMP(21, "AREAPORTALS", AREA_PORTALS, area_portals, NO_LIMIT),
    ARRAY_LUMP(26, "DISPINFO", DISP_INFO, disps, NO_LIMIT),
    ARRAY_LUMP(27, "ORIGINALFACES", ORIGINAL_FACES, original_faces, NO_LIMIT),
    ARRAY_LUMP(36, "LEAFWATERDATA", LEAF_WATER, waters, NO_LIMIT),
    ARRAY_LUMP(37, "PRIMITIVES", PRIMITIVES, primitives, NO_LIMIT),
    ARRAY_LUMP(39, "PRIMINDICES", PRIM_INDICES, prim_indices, NO_LIMIT),
    ARRAY_LUMP(42, "CUBEMAPS", CUBEMAPS, cubemaps, NO_LIMIT),
    ARRAY_LUMP(45, "OVERLAYS", OVERLAYS, overlays, NO_LIMIT),
    ARRAY_LUMP(46, "LEAFMINDISTTOWATER", LEAF_WATER_DIST, leaf_min_dists, NO_LIMIT),
    ARRAY_LUMP(50, "WATEROVERLAYS", WATER_OVERLAYS, water_overlays, NO_LIMIT),
    ARRAY_LUMP(51, "LEAF_AMBIENT_INDEX_HDR", AMBIENT_INDEX_HDR, ambient_index_hdr, NO_LIMIT),
    ARRAY_LUMP(52, "LEAF_AMBIENT_INDEX", AMBIENT_INDEX, ambient_index, NO_LIMIT),
    ARRAY_LUMP(54, "WORLDLIGHTS_HDR", WORLD_LIGHTS_HDR, lights, NO_LIMIT),
    ARRAY_LUMP(58, "FACES_HDR", FACES_HDR, faces_hdr, NO_LIMIT),
    OTHER_LUMP(61, "UNKNOWN_61", NONE, BYTES, NO_LIMIT), // believed to belong to the cubemaps
};

static const bsp_game_lump_def cso2_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_static_prop_cso2_lists),
    GAME_LUMP("dprp", DETAIL_PROPS, bspi_detail_prop_cso2_lists),
    GAME_LUMP("dplt", DETAIL_LIGHT, bspi_detail_light_lists),
    GAME_LUMP("dplh", DETAIL_LIGHT_HDR, bspi_detail_light_hdr_lists),
};

static const bsp_branch bspi_cso2_100 = {
    .name = "cso2_100", .title = "Counter-Strike Online 2", .family = BSP_SOURCE,
    .base = &bspi_source_20, .magic = "VBSP", .version = 100, .shape = &cso2_shape,
    .lumps = cso2_lumps, .num_lumps = LENGTH(cso2_lumps),
    .game_lumps = cso2_game_lumps, .num_game_lumps = LENGTH(cso2_game_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bspi_rule rules[] = { { .branch = &bspi_cso2_100, .test = bspi_plausible } };
RULE_LIST(source_cso2, rules);
// clang-format on
