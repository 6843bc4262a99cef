// SPDX-License-Identifier: MIT
// Apex Legends. It has no brushes, the names of its materials stand in a lump of their own, and
// most lumps (from version 49.1 on: all) stand in files beside the map. All lump versions are 0.
// Sources: sheet source-versions (1.1, 8) and the branch scripts of bsp_tool; no map was at hand.
#include "formats/quake3_layouts.h"
#include "formats/rules.h"
#include "formats/titanfall_rows.h"

// clang-format off

// Coordinates may be twice as large as in Titanfall.
static const bsp_traits traits = { SHARED_TRAITS, .max_coord = 65536 };

ONE_LAYOUT(apex_planes, bspi_quake3_dplane3_t);
ONE_LAYOUT(apex_texdata, bspi_apex_texdata_t);
ONE_LAYOUT(apex_models, bspi_apex_model_t);
ONE_LAYOUT(apex_unlit, bspi_apex_vertexunlit_t);
ONE_LAYOUT(apex_lit_bump, bspi_apex_vertexlitbump_t);
ONE_LAYOUT(apex_unlit_ts, bspi_apex_vertexunlitts_t);
ONE_LAYOUT(apex_blinn_phong, bspi_apex_vertexblinnphong_t);
ONE_LAYOUT(apex_meshes, bspi_apex_mesh_t);
ONE_LAYOUT(apex_material_sorts, bspi_apex_materialsort_t);
ONE_LAYOUT(apex_lightmap_headers, bspi_titanfall_lightmapheader_t);

ONE_LAYOUT(contents_masks, bspi_apex_contentsmask_t);
ONE_LAYOUT(surface_properties, bspi_apex_surfaceproperty_t);
ONE_LAYOUT(bvh_nodes, bspi_apex_bvhnode_t);
ONE_LAYOUT(bvh_leaves, bspi_apex_bvhleaf_t);
ONE_LAYOUT(packed_verts, bspi_apex_packedvert_t);
ONE_LAYOUT(height_fields, bspi_apex_heightfield_t);
ONE_LAYOUT(height_samples, bspi_apex_heightsample_t);
ONE_LAYOUT(csm_unknown, bspi_apex_csmref_t);
ONE_LAYOUT(cell_unknown, bspi_apex_cellref_t);
ONE_LAYOUT(ambient_rcp, bspi_apex_ambientrcp_t);
ONE_LAYOUT(water_bodies, bspi_apex_waterbody_t);
ONE_LAYOUT(water_verts, bspi_apex_watervert_t);
ONE_LAYOUT(water_indices, bspi_apex_waterindex_t);
ONE_LAYOUT(world_lights, bspi_titanfall_worldlight_3_t);
ONE_LAYOUT(cells, bspi_apex_cell_t);
ONE_LAYOUT(cell_boxes, bspi_apex_cellaabbnode_t);
ONE_LAYOUT(csm_boxes, bspi_apex_csmaabbnode_t);
ONE_LAYOUT(obj_refs, bspi_titanfall_objref32_t);
ONE_LAYOUT(level_info, bspi_apex_levelinfo_t);

static const bsp_lump_def apex_lumps[] = {
    OTHER_LUMP(0x00, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    ROWS(0x01, "PLANES", PLANES, apex_planes)
    ROWS(0x02, "TEXTURE_DATA", TEXTURES, apex_texdata)
    ROWS(0x03, "VERTICES", VERTICES, vertices)
    ROWS(0x04, "LIGHTPROBE_PARENT_INFOS", LIGHT_PROBE_PARENTS, light_probe_parents)
    ROWS(0x05, "SHADOW_ENVIRONMENTS", SHADOW_ENVIRONMENTS, shadow_environments)
    ROWS(0x0E, "MODELS", MODELS, apex_models)
    OTHER_LUMP(0x0F, "SURFACE_NAMES", STRING_DATA, STRINGS, NO_LIMIT),
    ROWS(0x10, "CONTENTS_MASKS", CONTENTS_MASKS, contents_masks)
    ROWS(0x11, "SURFACE_PROPERTIES", SURFACE_PROPERTIES, surface_properties)
    ROWS(0x12, "BVH_NODES", BVH_NODES, bvh_nodes)
    ROWS(0x13, "BVH_LEAF_DATA", BVH_LEAVES, bvh_leaves)
    ROWS(0x14, "PACKED_VERTICES", PACKED_VERTS, packed_verts)
    ROWS(0x15, "HEIGHTFIELDS", HEIGHT_FIELDS, height_fields)
    ROWS(0x16, "HEIGHTFIELD_SAMPLES", HEIGHT_SAMPLES, height_samples)
    PARTITION_ROW
    ROWS(0x1E, "VERTEX_NORMALS", VERT_NORMALS, vertex_normals)
    GAME_ROW
    RAW(0x25, "UNKNOWN_37")
    ROWS(0x26, "UNKNOWN_38", CSM_UNKNOWN, csm_unknown)
    ROWS(0x27, "UNKNOWN_39", CELL_UNKNOWN, cell_unknown)
    PAK_ROW
    ROWS(0x2A, "CUBEMAPS", CUBEMAPS, cubemaps)
    ROWS(0x2B, "CUBEMAPS_AMBIENT_RCP", AMBIENT_RCP, ambient_rcp)
    ROWS(0x2C, "WATER_BODIES", WATER_BODIES, water_bodies)
    ROWS(0x2D, "WATER_BODY_CENTERS", WATER_CENTERS, water_verts)
    ROWS(0x2E, "WATER_BODY_VERTICES", WATER_VERTS, water_verts)
    ROWS(0x2F, "WATER_BODY_INDICES", WATER_INDICES, water_indices)
    RAW(0x30, "WAVE_DATA")
    ROWS(0x36, "WORLD_LIGHTS", WORLD_LIGHTS, world_lights)
    ROWS(0x37, "WORLD_LIGHT_PARENT_INFOS", WORLD_LIGHT_PARENTS, world_light_parents)
    ROWS(0x47, "VERTEX_UNLIT", VERTS_UNLIT, apex_unlit)
    ROWS(0x48, "VERTEX_LIT_FLAT", VERTS_LIT_FLAT, apex_unlit)
    ROWS(0x49, "VERTEX_LIT_BUMP", VERTS_LIT_BUMP, apex_lit_bump)
    ROWS(0x4A, "VERTEX_UNLIT_TS", VERTS_UNLIT_TS, apex_unlit_ts)
    ROWS(0x4B, "VERTEX_BLINN_PHONG", VERTS_BLINN_PHONG, apex_blinn_phong)
    RESERVED_VERTEX_ROWS
    ROWS(0x4F, "MESH_INDICES", DRAW_INDICES, mesh_indices)
    ROWS(0x50, "MESHES", FACES, apex_meshes)
    ROWS(0x51, "MESH_BOUNDS", MESH_BOUNDS, mesh_bounds)
    ROWS(0x52, "MATERIAL_SORTS", MATERIAL_SORTS, apex_material_sorts)
    ROWS(0x53, "LIGHTMAP_HEADERS", LIGHTMAP_HEADERS, apex_lightmap_headers)
    RAW(0x55, "TWEAK_LIGHTS") RAW(0x61, "LIGHTMAP_DATA_UNKNOWN")
    LIGHT_ROWS(csm_boxes, obj_refs, light_probe_refs_2)
    CELL_ROWS(cells, cell_boxes, obj_refs)
    RAW(0x7A, "LIGHTMAP_DATA_RTL_PAGE")
    LAST_ROWS(level_info)
};

static const bsp_game_lump_def apex_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_titanfall_prop_apex_lists),
};

static const bsp_branch bspi_apex = {
    .name = "apex", .title = "Apex Legends (versions 47 to 49.1)", .family = BSP_TITANFALL,
    .magic = "rBSP", .version = 47, .shape = &bspi_titanfall_shape, .traits = &traits,
    .lumps = apex_lumps, .num_lumps = LENGTH(apex_lumps),
    .game_lumps = apex_game_lumps, .num_game_lumps = LENGTH(apex_game_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// --- later versions -----------------------------------------------------------------------------

ONE_LAYOUT(csm_boxes_50, bspi_apex_50_csmaabbnode_t);
static const bsp_lump_def apex_50_lumps[] = {
    ROWS(0x63, "CSM_AABB_NODES", CSM_AABB_NODES, csm_boxes_50)
};

static const bsp_branch bspi_apex_50 = {
    .name = "apex_50", .title = "Apex Legends (50 and 50.1: seasons 10 to 12)",
    .family = BSP_TITANFALL, .base = &bspi_apex, .magic = "rBSP", .version = 50,
    .lumps = apex_50_lumps, .num_lumps = LENGTH(apex_50_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// Doubt: whether all maps of this version have these records. The size of the lump decides.
static const bsp_variant light_probes_51[] = {
    { BSP_ANY_VERSION, &bspi_apex_51_lightprobe_t },
    { BSP_ANY_VERSION, &bspi_titanfall_lightprobe_t },
};
static const bsp_lump_def apex_51_lumps[] = {
    ROWS(0x65, "LIGHTPROBES", LIGHT_PROBES, light_probes_51)
};

static const bsp_branch bspi_apex_51 = {
    .name = "apex_51", .title = "Apex Legends (51.1: seasons 13 to 20)",
    .family = BSP_TITANFALL, .base = &bspi_apex_50, .magic = "rBSP", .version = 51,
    .lumps = apex_51_lumps, .num_lumps = LENGTH(apex_51_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

static const bsp_lump_def apex_52_lumps[] = { RAW(0x39, "UNKNOWN_57") };

static const bsp_branch bspi_apex_52 = {
    .name = "apex_52", .title = "Apex Legends (52.1: from season 21 on)",
    .family = BSP_TITANFALL, .base = &bspi_apex_51, .magic = "rBSP", .version = 52,
    .lumps = apex_52_lumps, .num_lumps = LENGTH(apex_52_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// --- detection -----------------------------------------------------------------------------------

// The high 16 bits of a version hold the season: 49.1 is 0x10031.
#define HALF(version) (0x10000 | (version))
#define RULES(apex, first, last) \
    { .branch = &(apex), .test = bspi_counts_lumps, .low = (first), .high = (last) }, \
    { .branch = &(apex), .test = bspi_counts_lumps, .low = HALF(first), .high = HALF(last) }

static const bspi_rule rules[] = {
    RULES(bspi_apex, 47, 49),
    RULES(bspi_apex_50, 50, 50),
    RULES(bspi_apex_51, 51, 51),
    RULES(bspi_apex_52, 52, 52),
    { .branch = &bspi_apex_52, .test = bspi_counts_lumps, .turn = BSPI_TURN_LATE, .low = 53,
      .high = UINT32_MAX, .why = "not known here" },
};
RULE_LIST(apex, rules);
// clang-format on
