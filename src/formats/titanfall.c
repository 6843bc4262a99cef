// SPDX-License-Identifier: MIT
// Respawn's rBSP: Titanfall, Titanfall 2, Apex Legends. Container and names of lumps only; most
// lumps also stand in files of their own beside the map. Source: sheet source-versions (1.1, 8);
// the shape was checked against the map of the corpus.
#include "formats/source_layouts.h"
#include "formats/rules.h"

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

// How far coordinates may reach is not known.
static const bsp_traits traits = {
    .light = BSP_LIGHT_RGBEXP32, .has_brushes = true, .dialect = BSP_DIALECT_VMF,
};

// --- lumps --------------------------------------------------------------------------------------

#define RAW(index, name) OTHER_LUMP(index, name, NONE, BYTES, NO_LIMIT),

ONE_LAYOUT(game_lump_entries, bspi_dgamelump_t);
#define GAME_ROW GAME_LUMP_ROW(0x23, game_lump_entries),

#define FIRST_ROWS \
    OTHER_LUMP(0x00, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT), \
    RAW(0x01, "PLANES") RAW(0x02, "TEXTURE_DATA") RAW(0x03, "VERTICES")

#define PAK_ROW OTHER_LUMP(0x28, "PAKFILE", PAK, ZIP, NO_LIMIT),

#define VERTEX_AND_MESH_ROWS \
    RAW(0x47, "VERTEX_UNLIT") RAW(0x48, "VERTEX_LIT_FLAT") RAW(0x49, "VERTEX_LIT_BUMP") \
    RAW(0x4A, "VERTEX_UNLIT_TS") RAW(0x4B, "VERTEX_BLINN_PHONG") RAW(0x4C, "VERTEX_RESERVED_5") \
    RAW(0x4D, "VERTEX_RESERVED_6") RAW(0x4E, "VERTEX_RESERVED_7") RAW(0x4F, "MESH_INDICES") \
    RAW(0x50, "MESHES") RAW(0x51, "MESH_BOUNDS") RAW(0x52, "MATERIAL_SORTS") \
    RAW(0x53, "LIGHTMAP_HEADERS")

#define LIGHT_ROWS \
    RAW(0x62, "LIGHTMAP_DATA_SKY") RAW(0x63, "CSM_AABB_NODES") RAW(0x64, "CSM_OBJ_REFERENCES") \
    RAW(0x65, "LIGHTPROBES") RAW(0x66, "STATIC_PROP_LIGHTPROBE_INDICES") \
    RAW(0x67, "LIGHTPROBE_TREE") RAW(0x68, "LIGHTPROBE_REFERENCES") \
    RAW(0x69, "LIGHTMAP_DATA_REAL_TIME_LIGHTS")

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

static const bsp_lump_def titanfall_lumps[] = {
    FIRST_ROWS
    RAW(0x0E, "MODELS") RAW(0x18, "ENTITY_PARTITIONS") RAW(0x1D, "PHYSICS_COLLIDE")
    RAW(0x1E, "VERTEX_NORMALS") GAME_ROW RAW(0x24, "LEAF_WATER_DATA") PAK_ROW
    RAW(0x2A, "CUBEMAPS")
    OTHER_LUMP(0x2B, "TEXTURE_DATA_STRING_DATA", STRING_DATA, STRINGS, NO_LIMIT),
    RAW(0x2C, "TEXTURE_DATA_STRING_TABLE") RAW(0x36, "WORLD_LIGHTS") RAW(0x3E, "PHYSICS_LEVEL")
    RAW(0x42, "TRICOLL_TRIS") RAW(0x44, "TRICOLL_NODES") RAW(0x45, "TRICOLL_HEADERS")
    RAW(0x46, "PHYSICS_TRIANGLES")
    VERTEX_AND_MESH_ROWS
    RAW(0x55, "CM_GRID") RAW(0x56, "CM_GRID_CELLS") RAW(0x57, "CM_GEO_SETS")
    RAW(0x58, "CM_GEO_SET_BOUNDS") RAW(0x59, "CM_PRIMITIVES") RAW(0x5A, "CM_PRIMITIVE_BOUNDS")
    RAW(0x5B, "CM_UNIQUE_CONTENTS") RAW(0x5C, "CM_BRUSHES")
    RAW(0x5D, "CM_BRUSH_SIDE_PLANE_OFFSETS") RAW(0x5E, "CM_BRUSH_SIDE_PROPERTIES")
    RAW(0x5F, "CM_BRUSH_SIDE_TEXTURE_VECTORS") RAW(0x60, "TRICOLL_BEVEL_STARTS")
    RAW(0x61, "TRICOLL_BEVEL_INDICES")
    LIGHT_ROWS CELL_ROWS LAST_ROWS
};

static const bsp_branch bspi_titanfall = {
    .name = "titanfall", .title = "Titanfall", .family = BSP_TITANFALL, .magic = "rBSP",
    .version = 29, .shape = &shape, .traits = &traits,
    .lumps = titanfall_lumps, .num_lumps = LENGTH(titanfall_lumps), .opaque = true,
};

// --- Titanfall 2 --------------------------------------------------------------------------------

static const bsp_lump_def titanfall2_lumps[] = {
    RAW(0x04, "LIGHTPROBE_PARENT_INFOS") RAW(0x05, "SHADOW_ENVIRONMENTS")
    RAW(0x06, "LIGHTPROBE_BSP_NODES") RAW(0x07, "LIGHTPROBE_BSP_REF_IDS")
    RAW(0x37, "WORLD_LIGHT_PARENT_INFOS") RAW(0x7A, "LIGHTMAP_DATA_RTL_PAGE")
};

static const bsp_branch bspi_titanfall2 = {
    .name = "titanfall2", .title = "Titanfall 2 (36 is the tech test, 37 the game)",
    .family = BSP_TITANFALL, .base = &bspi_titanfall, .magic = "rBSP", .version = 37,
    .lumps = titanfall2_lumps, .num_lumps = LENGTH(titanfall2_lumps), .opaque = true,
    .verified = BSP_VERIFIED_REAL,
};

// --- Apex Legends: no brushes, names of materials in another lump -------------------------------

static const bsp_traits apex_traits = { .light = BSP_LIGHT_RGBEXP32 };

// Only names that are sure for all its versions; 0x2C to 0x30 are water.
static const bsp_lump_def apex_lumps[] = {
    FIRST_ROWS
    RAW(0x04, "LIGHTPROBE_PARENT_INFOS") RAW(0x05, "SHADOW_ENVIRONMENTS")
    RAW(0x06, "LIGHTPROBE_BSP_NODES") RAW(0x07, "LIGHTPROBE_BSP_REF_IDS")
    RAW(0x0E, "MODELS") RAW(0x0F, "SURFACE_NAMES") RAW(0x10, "CONTENTS_MASKS")
    RAW(0x11, "SURFACE_PROPERTIES") RAW(0x12, "BVH_NODES") RAW(0x13, "BVH_LEAF_DATA")
    RAW(0x14, "PACKED_VERTICES") RAW(0x18, "ENTITY_PARTITIONS") RAW(0x1E, "VERTEX_NORMALS")
    GAME_ROW PAK_ROW
    RAW(0x2A, "CUBEMAPS") RAW(0x2B, "CUBEMAPS_AMBIENT_RCP")
    RAW(0x36, "WORLD_LIGHTS") RAW(0x37, "WORLD_LIGHT_PARENT_INFOS")
    VERTEX_AND_MESH_ROWS
    RAW(0x55, "TWEAK_LIGHTS")
    LIGHT_ROWS CELL_ROWS
    RAW(0x7A, "LIGHTMAP_DATA_RTL_PAGE")
    LAST_ROWS
};

static const bsp_branch bspi_apex = {
    .name = "apex", .title = "Apex Legends (versions 47 to 52.1)", .family = BSP_TITANFALL,
    .magic = "rBSP", .version = 47, .shape = &shape, .traits = &apex_traits,
    .lumps = apex_lumps, .num_lumps = LENGTH(apex_lumps), .opaque = true,
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
