// SPDX-License-Identifier: MIT
// Respawn's rBSP: Titanfall, Titanfall 2, Apex Legends. Most lumps also stand in files of their own
// beside the map. Source: sheet source-versions (1.1, 8); the shape was checked against the map of
// the corpus.
#include "formats/quake3_layouts.h"
#include "formats/rules.h"
#include "formats/titanfall_layouts.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

static const bsp_field head_fields[] = {
    { NAME("ident"),         CHARS(4) },
    { NAME("version"),       I32(1), MAP(head, version) },
    { NAME("revision"),      I32(1), MAP(head, revision) },
    { NAME("lastLumpIndex"), I32(1) },
};
static LAYOUT(dheader_respawn_t, 16, head_fields);

static const bsp_shape shape = { &dheader_respawn_t, &bspi_lump_t, 128, NULL, false, 4 };

// Coordinates: 32768, and twice that in Apex (sheet source-versions, 8).
#define SHARED_TRAITS \
    .light = BSP_LIGHT_SHEETS, .draws_vertices = true, .shares_vertices = true, \
    .model_runs = true, .no_phs = 1, .dialect = BSP_DIALECT_VMF

static const bsp_traits traits = { SHARED_TRAITS, .has_brushes = true, .max_coord = 32768 };
static const bsp_traits apex_traits = { SHARED_TRAITS, .max_coord = 65536 };

// --- lumps --------------------------------------------------------------------------------------

#define RAW(index, name) OTHER_LUMP(index, name, NONE, BYTES, NO_LIMIT),

ONE_LAYOUT(game_lump_entries, bspi_dgamelump_t);
#define GAME_ROW GAME_LUMP_ROW(0x23, game_lump_entries),

ONE_LAYOUT(vertices, bspi_dvertex_t);
ONE_LAYOUT(vertex_normals, bspi_vertnormal_t);
ONE_LAYOUT(string_table, bspi_texdata_string_t);
ONE_LAYOUT(mesh_indices, bspi_titanfall_meshindex_t);
ONE_LAYOUT(mesh_bounds, bspi_titanfall_meshbounds_t);
ONE_LAYOUT(light, bspi_bare_u8_t);

// Lump versions are 1 where they are no 0; all of Apex are 0.
#define VERSION_1(id, layout) static const bsp_variant id[] = {{1, &(layout)}}

#define RESERVED_VERTEX_ROWS \
    RAW(0x4C, "VERTEX_RESERVED_5") RAW(0x4D, "VERTEX_RESERVED_6") RAW(0x4E, "VERTEX_RESERVED_7")

#define LIGHT_ROWS \
    ARRAY_LUMP(0x62, "LIGHTMAP_DATA_SKY", LIGHTING, light, NO_LIMIT), \
    RAW(0x63, "CSM_AABB_NODES") RAW(0x64, "CSM_OBJ_REFERENCES") \
    RAW(0x65, "LIGHTPROBES") RAW(0x66, "STATIC_PROP_LIGHTPROBE_INDICES") \
    RAW(0x67, "LIGHTPROBE_TREE") RAW(0x68, "LIGHTPROBE_REFERENCES") \
    ARRAY_LUMP(0x69, "LIGHTMAP_DATA_REAL_TIME_LIGHTS", LIGHTING_RTL, light, NO_LIMIT),

#define CELL_ROWS \
    RAW(0x6A, "CELL_BSP_NODES") RAW(0x6B, "CELLS") RAW(0x6C, "PORTALS") \
    RAW(0x6D, "PORTAL_VERTICES") RAW(0x6E, "PORTAL_EDGES") RAW(0x6F, "PORTAL_VERTEX_EDGES") \
    RAW(0x70, "PORTAL_VERTEX_REFERENCES") RAW(0x71, "PORTAL_EDGE_REFERENCES") \
    RAW(0x72, "PORTAL_EDGE_INTERSECT_AT_EDGE") RAW(0x73, "PORTAL_EDGE_INTERSECT_AT_VERTEX") \
    RAW(0x74, "PORTAL_EDGE_INTERSECT_HEADER") RAW(0x75, "OCCLUSION_MESH_VERTICES") \
    RAW(0x76, "OCCLUSION_MESH_INDICES") RAW(0x77, "CELL_AABB_NODES") RAW(0x78, "OBJ_REFERENCES") \
    RAW(0x79, "OBJ_REFERENCE_BOUNDS")

#define LAST_ROWS \
    RAW(0x7B, "LEVEL_INFO") RAW(0x7C, "SHADOW_MESH_OPAQUE_VERTICES") \
    RAW(0x7D, "SHADOW_MESH_ALPHA_VERTICES") RAW(0x7E, "SHADOW_MESH_INDICES") \
    RAW(0x7F, "SHADOW_MESHES")

// --- Titanfall ----------------------------------------------------------------------------------

VERSION_1(planes, bspi_quake3_dplane3_t);
VERSION_1(texdata, bspi_titanfall_texdata_t);
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

static const bsp_lump_def titanfall_lumps[] = {
    OTHER_LUMP(0x00, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    ARRAY_LUMP(0x01, "PLANES", PLANES, planes, NO_LIMIT),
    ARRAY_LUMP(0x02, "TEXTURE_DATA", TEXTURES, texdata, RECORDS(2048)),
    ARRAY_LUMP(0x03, "VERTICES", VERTICES, vertices, NO_LIMIT),
    ARRAY_LUMP(0x0E, "MODELS", MODELS, models, RECORDS(1024)),
    RAW(0x18, "ENTITY_PARTITIONS") RAW(0x1D, "PHYSICS_COLLIDE")
    ARRAY_LUMP(0x1E, "VERTEX_NORMALS", VERT_NORMALS, vertex_normals, NO_LIMIT),
    GAME_ROW RAW(0x24, "LEAF_WATER_DATA")
    OTHER_LUMP(0x28, "PAKFILE", PAK, ZIP, NO_LIMIT),
    RAW(0x2A, "CUBEMAPS")
    OTHER_LUMP(0x2B, "TEXTURE_DATA_STRING_DATA", STRING_DATA, STRINGS, NO_LIMIT),
    ARRAY_LUMP(0x2C, "TEXTURE_DATA_STRING_TABLE", STRING_TABLE, string_table, NO_LIMIT),
    RAW(0x36, "WORLD_LIGHTS") RAW(0x3E, "PHYSICS_LEVEL")
    RAW(0x42, "TRICOLL_TRIS") RAW(0x44, "TRICOLL_NODES") RAW(0x45, "TRICOLL_HEADERS")
    RAW(0x46, "PHYSICS_TRIANGLES")
    ARRAY_LUMP(0x47, "VERTEX_UNLIT", VERTS_UNLIT, unlit, NO_LIMIT),
    ARRAY_LUMP(0x48, "VERTEX_LIT_FLAT", VERTS_LIT_FLAT, lit_flat, NO_LIMIT),
    ARRAY_LUMP(0x49, "VERTEX_LIT_BUMP", VERTS_LIT_BUMP, lit_bump, NO_LIMIT),
    ARRAY_LUMP(0x4A, "VERTEX_UNLIT_TS", VERTS_UNLIT_TS, unlit_ts, NO_LIMIT),
    ARRAY_LUMP(0x4B, "VERTEX_BLINN_PHONG", VERTS_BLINN_PHONG, blinn_phong, NO_LIMIT),
    RESERVED_VERTEX_ROWS
    ARRAY_LUMP(0x4F, "MESH_INDICES", DRAW_INDICES, mesh_indices, NO_LIMIT),
    ARRAY_LUMP(0x50, "MESHES", FACES, meshes, NO_LIMIT),
    ARRAY_LUMP(0x51, "MESH_BOUNDS", MESH_BOUNDS, mesh_bounds, NO_LIMIT),
    ARRAY_LUMP(0x52, "MATERIAL_SORTS", MATERIAL_SORTS, material_sorts, NO_LIMIT),
    ARRAY_LUMP(0x53, "LIGHTMAP_HEADERS", LIGHTMAP_HEADERS, lightmap_headers, NO_LIMIT),
    ARRAY_LUMP(0x55, "CM_GRID", GRID, grid, RECORDS(1)),
    ARRAY_LUMP(0x56, "CM_GRID_CELLS", GRID_CELLS, grid_cells, NO_LIMIT),
    ARRAY_LUMP(0x57, "CM_GEO_SETS", GEO_SETS, geo_sets, NO_LIMIT),
    ARRAY_LUMP(0x58, "CM_GEO_SET_BOUNDS", GEO_SET_BOUNDS, collision_bounds, NO_LIMIT),
    ARRAY_LUMP(0x59, "CM_PRIMITIVES", GEO_PARTS, collision_primitives, NO_LIMIT),
    ARRAY_LUMP(0x5A, "CM_PRIMITIVE_BOUNDS", GEO_PART_BOUNDS, collision_bounds, NO_LIMIT),
    ARRAY_LUMP(0x5B, "CM_UNIQUE_CONTENTS", UNIQUE_CONTENTS, unique_contents, RECORDS(256)),
    ARRAY_LUMP(0x5C, "CM_BRUSHES", BRUSH_BOXES, brushes, RECORDS(32768)),
    ARRAY_LUMP(0x5D, "CM_BRUSH_SIDE_PLANE_OFFSETS", BRUSH_PLANES, plane_offsets, NO_LIMIT),
    ARRAY_LUMP(0x5E, "CM_BRUSH_SIDE_PROPERTIES", SIDE_PROPERTIES, side_properties, NO_LIMIT),
    ARRAY_LUMP(0x5F, "CM_BRUSH_SIDE_TEXTURE_VECTORS", TEXINFO, side_texvecs, NO_LIMIT),
    RAW(0x60, "TRICOLL_BEVEL_STARTS") RAW(0x61, "TRICOLL_BEVEL_INDICES")
    LIGHT_ROWS CELL_ROWS LAST_ROWS
};

static const bsp_branch bspi_titanfall = {
    .name = "titanfall", .title = "Titanfall", .family = BSP_TITANFALL, .magic = "rBSP",
    .version = 29, .shape = &shape, .traits = &traits,
    .lumps = titanfall_lumps, .num_lumps = LENGTH(titanfall_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// --- Titanfall 2 --------------------------------------------------------------------------------

ONE_LAYOUT(titanfall2_meshes, bspi_titanfall2_mesh_t);

static const bsp_lump_def titanfall2_lumps[] = {
    RAW(0x04, "LIGHTPROBE_PARENT_INFOS") RAW(0x05, "SHADOW_ENVIRONMENTS")
    RAW(0x06, "LIGHTPROBE_BSP_NODES") RAW(0x07, "LIGHTPROBE_BSP_REF_IDS")
    RAW(0x37, "WORLD_LIGHT_PARENT_INFOS")
    ARRAY_LUMP(0x50, "MESHES", FACES, titanfall2_meshes, NO_LIMIT),
    RAW(0x7A, "LIGHTMAP_DATA_RTL_PAGE")
};

static const bsp_branch bspi_titanfall2 = {
    .name = "titanfall2", .title = "Titanfall 2 (36 is the tech test, 37 the game)",
    .family = BSP_TITANFALL, .base = &bspi_titanfall, .magic = "rBSP", .version = 37,
    .lumps = titanfall2_lumps, .num_lumps = LENGTH(titanfall2_lumps),
    .verified = BSP_VERIFIED_REAL, .partial = true,
};

// --- Apex Legends: no brushes, names of materials in another lump -------------------------------

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

// Only names that are sure for all its versions; 0x2C to 0x30 are water.
static const bsp_lump_def apex_lumps[] = {
    OTHER_LUMP(0x00, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    ARRAY_LUMP(0x01, "PLANES", PLANES, apex_planes, NO_LIMIT),
    ARRAY_LUMP(0x02, "TEXTURE_DATA", TEXTURES, apex_texdata, NO_LIMIT),
    ARRAY_LUMP(0x03, "VERTICES", VERTICES, vertices, NO_LIMIT),
    RAW(0x04, "LIGHTPROBE_PARENT_INFOS") RAW(0x05, "SHADOW_ENVIRONMENTS")
    RAW(0x06, "LIGHTPROBE_BSP_NODES") RAW(0x07, "LIGHTPROBE_BSP_REF_IDS")
    ARRAY_LUMP(0x0E, "MODELS", MODELS, apex_models, NO_LIMIT),
    OTHER_LUMP(0x0F, "SURFACE_NAMES", STRING_DATA, STRINGS, NO_LIMIT),
    RAW(0x10, "CONTENTS_MASKS")
    RAW(0x11, "SURFACE_PROPERTIES") RAW(0x12, "BVH_NODES") RAW(0x13, "BVH_LEAF_DATA")
    RAW(0x14, "PACKED_VERTICES") RAW(0x18, "ENTITY_PARTITIONS")
    ARRAY_LUMP(0x1E, "VERTEX_NORMALS", VERT_NORMALS, vertex_normals, NO_LIMIT),
    GAME_ROW
    OTHER_LUMP(0x28, "PAKFILE", PAK, ZIP, NO_LIMIT),
    RAW(0x2A, "CUBEMAPS") RAW(0x2B, "CUBEMAPS_AMBIENT_RCP")
    RAW(0x36, "WORLD_LIGHTS") RAW(0x37, "WORLD_LIGHT_PARENT_INFOS")
    ARRAY_LUMP(0x47, "VERTEX_UNLIT", VERTS_UNLIT, apex_unlit, NO_LIMIT),
    ARRAY_LUMP(0x48, "VERTEX_LIT_FLAT", VERTS_LIT_FLAT, apex_unlit, NO_LIMIT),
    ARRAY_LUMP(0x49, "VERTEX_LIT_BUMP", VERTS_LIT_BUMP, apex_lit_bump, NO_LIMIT),
    ARRAY_LUMP(0x4A, "VERTEX_UNLIT_TS", VERTS_UNLIT_TS, apex_unlit_ts, NO_LIMIT),
    ARRAY_LUMP(0x4B, "VERTEX_BLINN_PHONG", VERTS_BLINN_PHONG, apex_blinn_phong, NO_LIMIT),
    RESERVED_VERTEX_ROWS
    ARRAY_LUMP(0x4F, "MESH_INDICES", DRAW_INDICES, mesh_indices, NO_LIMIT),
    ARRAY_LUMP(0x50, "MESHES", FACES, apex_meshes, NO_LIMIT),
    ARRAY_LUMP(0x51, "MESH_BOUNDS", MESH_BOUNDS, mesh_bounds, NO_LIMIT),
    ARRAY_LUMP(0x52, "MATERIAL_SORTS", MATERIAL_SORTS, apex_material_sorts, NO_LIMIT),
    ARRAY_LUMP(0x53, "LIGHTMAP_HEADERS", LIGHTMAP_HEADERS, apex_lightmap_headers, NO_LIMIT),
    RAW(0x55, "TWEAK_LIGHTS")
    LIGHT_ROWS CELL_ROWS
    RAW(0x7A, "LIGHTMAP_DATA_RTL_PAGE")
    LAST_ROWS
};

static const bsp_branch bspi_apex = {
    .name = "apex", .title = "Apex Legends (versions 47 to 52.1)", .family = BSP_TITANFALL,
    .magic = "rBSP", .version = 47, .shape = &shape, .traits = &apex_traits,
    .lumps = apex_lumps, .num_lumps = LENGTH(apex_lumps),
    .verified = BSP_VERIFIED_BUILT, .partial = true,
};

// --- how they are told ---------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_titanfall, .test = bspi_plausible },
    { .branch = &bspi_titanfall2, .test = bspi_plausible, .low = 36, .high = 37 },
    { .branch = &bspi_apex, .test = bspi_plausible, .turn = BSPI_TURN_LATE, .high = UINT32_MAX,
      .why = "47 or later" },
};
RULE_LIST(titanfall, rules);
// clang-format on
