// SPDX-License-Identifier: MIT
// Respawn's rBSP: Titanfall and Titanfall 2. Most lumps also stand in files beside the map. Source:
// sheet source-versions (1.1, 8) and the branch scripts of bsp_tool (limits); the tables were
// checked against the map of the corpus. Maps of the Xbox 360 (PSBr) are big-endian. Doubt: whether
// in every lump; certain for head, directory, entities, partitions, strings, game lump, grid and
// level info.
#include "formats/quake3_layouts.h"
#include "formats/rules.h"
#include "formats/titanfall_rows.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

static const bsp_field head_fields[] = {
    { NAME("ident"),         CHARS(4) },
    { NAME("version"),       I32(1), MAP(head, version) },
    { NAME("revision"),      I32(1), MAP(head, revision) },
    { NAME("lastLumpIndex"), I32(1), MAP(head, last_lump) },
};
static LAYOUT(dheader_respawn_t, 16, head_fields);

const bsp_shape bspi_titanfall_shape = { &dheader_respawn_t, &bspi_lump_t, 128, NULL, false, 4 };

static const bsp_traits traits = { SHARED_TRAITS, .has_brushes = true, .max_coord = 32768 };

// Lump versions are 0 or 1; those of Apex are all 0.
#define VERSION_1(id, layout) static const bsp_variant id[] = {{1, &(layout)}}

// --- Titanfall ----------------------------------------------------------------------------------

VERSION_1(planes, bspi_quake3_dplane3_t);
VERSION_1(texdata, bspi_titanfall_texdata_t);
ONE_LAYOUT(string_table, bspi_texdata_string_t);
ONE_LAYOUT(models, bspi_titanfall_model_t);
ONE_LAYOUT(unlit, bspi_titanfall_vertexunlit_t);
VERSION_1(lit_flat, bspi_titanfall_vertexlitflat_t);
VERSION_1(lit_bump, bspi_titanfall_vertexlitbump_t);
ONE_LAYOUT(unlit_ts, bspi_titanfall_vertexunlitts_t);
ONE_LAYOUT(blinn_phong, bspi_titanfall_vertexblinnphong_t);
ONE_LAYOUT(meshes, bspi_titanfall_mesh_t);
ONE_LAYOUT(material_sorts, bspi_titanfall_materialsort_t);
VERSION_1(lightmap_headers, bspi_titanfall_lightmapheader_t);
ONE_LAYOUT(grid, bspi_titanfall_cmgrid_t);
ONE_LAYOUT(grid_cells, bspi_titanfall_cmgridcell_t);
ONE_LAYOUT(geo_sets, bspi_titanfall_cmgeoset_t);
ONE_LAYOUT(collision_bounds, bspi_titanfall_cmbounds_t);
ONE_LAYOUT(collision_primitives, bspi_titanfall_cmprimitive_t);
ONE_LAYOUT(unique_contents, bspi_titanfall_cmcontents_t);
ONE_LAYOUT(brushes, bspi_titanfall_cmbrush_t);
ONE_LAYOUT(plane_offsets, bspi_titanfall_cmplaneoffset_t);
ONE_LAYOUT(side_properties, bspi_titanfall_cmsideproperty_t);
ONE_LAYOUT(side_texvecs, bspi_titanfall_cmsidetexvecs_t);

ONE_LAYOUT(leaf_water, bspi_titanfall_leafwater_t);
VERSION_1(world_lights_1, bspi_titanfall_worldlight_1_t);
static const bsp_variant tricoll_tris[] = {{ 2, &bspi_titanfall_tricolltri_t }};
VERSION_1(tricoll_headers, bspi_titanfall_tricollheader_t);
ONE_LAYOUT(bevel_starts, bspi_titanfall_bevelstart_t);
ONE_LAYOUT(bevel_indices, bspi_titanfall_bevelindex_t);
ONE_LAYOUT(light_probe_refs, bspi_titanfall_lightproberef_t);
ONE_LAYOUT(cells, bspi_titanfall_cell_t);
ONE_LAYOUT(cell_boxes, bspi_titanfall_cellaabbnode_t);
ONE_LAYOUT(csm_boxes, bspi_titanfall_csmaabbnode_t);
ONE_LAYOUT(obj_refs, bspi_titanfall_objref_t);
ONE_LAYOUT(level_info, bspi_titanfall_levelinfo_t);

static const bsp_lump_def titanfall_lumps[] = {
    OTHER_LUMP(0x00, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    ROWS(0x01, "PLANES", PLANES, planes)
    ARRAY_LUMP(0x02, "TEXTURE_DATA", TEXTURES, texdata, RECORDS(2048)),
    ROWS(0x03, "VERTICES", VERTICES, vertices)
    ARRAY_LUMP(0x0E, "MODELS", MODELS, models, RECORDS(1024)),
    PARTITION_ROW
    OTHER_LUMP(0x1D, "PHYSICS_COLLIDE", PHYS_COLLIDE, PHYSICS, NO_LIMIT),
    ROWS(0x1E, "VERTEX_NORMALS", VERT_NORMALS, vertex_normals)
    GAME_ROW
    ROWS(0x24, "LEAF_WATER_DATA", LEAF_WATER, leaf_water)
    PAK_ROW
    ROWS(0x2A, "CUBEMAPS", CUBEMAPS, cubemaps)
    OTHER_LUMP(0x2B, "TEXTURE_DATA_STRING_DATA", STRING_DATA, STRINGS, NO_LIMIT),
    ROWS(0x2C, "TEXTURE_DATA_STRING_TABLE", STRING_TABLE, string_table)
    ARRAY_LUMP(0x36, "WORLD_LIGHTS", WORLD_LIGHTS, world_lights_1, RECORDS(4064)),
    OTHER_LUMP(0x3E, "PHYSICS_LEVEL", PHYS_LEVEL, BYTES, NO_LIMIT),
    ROWS(0x42, "TRICOLL_TRIS", TRICOLL_TRIS, tricoll_tris)
    ROWS(0x44, "TRICOLL_NODES", TRICOLL_NODES, collision_bounds)
    ROWS(0x45, "TRICOLL_HEADERS", TRICOLL_HEADERS, tricoll_headers)
    RAW(0x46, "PHYSICS_TRIANGLES")
    ROWS(0x47, "VERTEX_UNLIT", VERTS_UNLIT, unlit)
    ROWS(0x48, "VERTEX_LIT_FLAT", VERTS_LIT_FLAT, lit_flat)
    ROWS(0x49, "VERTEX_LIT_BUMP", VERTS_LIT_BUMP, lit_bump)
    ROWS(0x4A, "VERTEX_UNLIT_TS", VERTS_UNLIT_TS, unlit_ts)
    ROWS(0x4B, "VERTEX_BLINN_PHONG", VERTS_BLINN_PHONG, blinn_phong)
    RESERVED_VERTEX_ROWS
    ROWS(0x4F, "MESH_INDICES", DRAW_INDICES, mesh_indices)
    ROWS(0x50, "MESHES", FACES, meshes)
    ROWS(0x51, "MESH_BOUNDS", MESH_BOUNDS, mesh_bounds)
    ROWS(0x52, "MATERIAL_SORTS", MATERIAL_SORTS, material_sorts)
    ROWS(0x53, "LIGHTMAP_HEADERS", LIGHTMAP_HEADERS, lightmap_headers)
    ARRAY_LUMP(0x55, "CM_GRID", GRID, grid, RECORDS(1)),
    ROWS(0x56, "CM_GRID_CELLS", GRID_CELLS, grid_cells)
    ROWS(0x57, "CM_GEO_SETS", GEO_SETS, geo_sets)
    ROWS(0x58, "CM_GEO_SET_BOUNDS", GEO_SET_BOUNDS, collision_bounds)
    ROWS(0x59, "CM_PRIMITIVES", GEO_PARTS, collision_primitives)
    ROWS(0x5A, "CM_PRIMITIVE_BOUNDS", GEO_PART_BOUNDS, collision_bounds)
    ARRAY_LUMP(0x5B, "CM_UNIQUE_CONTENTS", UNIQUE_CONTENTS, unique_contents, RECORDS(256)),
    ARRAY_LUMP(0x5C, "CM_BRUSHES", BRUSH_BOXES, brushes, RECORDS(32768)),
    ROWS(0x5D, "CM_BRUSH_SIDE_PLANE_OFFSETS", BRUSH_PLANES, plane_offsets)
    ROWS(0x5E, "CM_BRUSH_SIDE_PROPERTIES", SIDE_PROPERTIES, side_properties)
    ROWS(0x5F, "CM_BRUSH_SIDE_TEXTURE_VECTORS", TEXINFO, side_texvecs)
    ROWS(0x60, "TRICOLL_BEVEL_STARTS", TRICOLL_BEVEL_STARTS, bevel_starts)
    ROWS(0x61, "TRICOLL_BEVEL_INDICES", TRICOLL_BEVELS, bevel_indices)
    LIGHT_ROWS(csm_boxes, obj_refs, light_probe_refs)
    CELL_ROWS(cells, cell_boxes, obj_refs)
    LAST_ROWS(level_info)
};

static const bsp_game_lump_def titanfall_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_titanfall_prop_lists),
};

static const bsp_branch bspi_titanfall = {
    .name = "titanfall", .title = "Titanfall", .family = BSP_TITANFALL, .magic = "rBSP",
    .version = 29, .shape = &bspi_titanfall_shape, .traits = &traits,
    .lumps = titanfall_lumps, .num_lumps = LENGTH(titanfall_lumps),
    .game_lumps = titanfall_game_lumps, .num_game_lumps = LENGTH(titanfall_game_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// --- Titanfall 2 --------------------------------------------------------------------------------

ONE_LAYOUT(titanfall2_meshes, bspi_titanfall2_mesh_t);
static const bsp_variant world_lights[] = {
    { 3, &bspi_titanfall_worldlight_3_t },
    { 2, &bspi_titanfall_worldlight_2_t },
    { 1, &bspi_titanfall_worldlight_1_t },
};
static const bsp_variant light_probe_nodes[] = {{ 2, &bspi_titanfall_lightprobebspnode_t }};
ONE_LAYOUT(lightmap_pages, bspi_titanfall_lightmappage_t);

static const bsp_lump_def titanfall2_lumps[] = {
    ROWS(0x04, "LIGHTPROBE_PARENT_INFOS", LIGHT_PROBE_PARENTS, light_probe_parents)
    ROWS(0x05, "SHADOW_ENVIRONMENTS", SHADOW_ENVIRONMENTS, shadow_environments)
    ROWS(0x06, "LIGHTPROBE_BSP_NODES", LIGHT_PROBE_NODES, light_probe_nodes)
    RAW(0x07, "LIGHTPROBE_BSP_REF_IDS")
    ARRAY_LUMP(0x36, "WORLD_LIGHTS", WORLD_LIGHTS, world_lights, RECORDS(16352)),
    ROWS(0x37, "WORLD_LIGHT_PARENT_INFOS", WORLD_LIGHT_PARENTS, world_light_parents)
    ROWS(0x50, "MESHES", FACES, titanfall2_meshes)
    ROWS(0x68, "LIGHTPROBE_REFERENCES", LIGHT_PROBE_REFS, light_probe_refs_2)
    ROWS(0x7A, "LIGHTMAP_DATA_RTL_PAGE", LIGHTMAP_LIGHTS, lightmap_pages)
};

static const bsp_game_lump_def titanfall2_game_lumps[] = {
    GAME_LUMP("sprp", STATIC_PROPS, bspi_titanfall_prop_13_lists),
};

static const bsp_branch bspi_titanfall2 = {
    .name = "titanfall2", .title = "Titanfall 2 (36 is the tech test, 37 the game)",
    .family = BSP_TITANFALL, .base = &bspi_titanfall, .magic = "rBSP", .version = 37,
    .lumps = titanfall2_lumps, .num_lumps = LENGTH(titanfall2_lumps),
    .game_lumps = titanfall2_game_lumps, .num_game_lumps = LENGTH(titanfall2_game_lumps),
    .verified = BSP_VERIFIED_REAL, .partial = true,
};

// --- detection -----------------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_titanfall, .test = bspi_counts_lumps },
    { .branch = &bspi_titanfall2, .test = bspi_counts_lumps, .low = 36, .high = 37 },
};
RULE_LIST(titanfall, rules);
// clang-format on
