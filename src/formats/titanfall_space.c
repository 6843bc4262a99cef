// SPDX-License-Identifier: MIT
// The space of Respawn's maps: cells and the portals between them, bounds of meshes and props,
// occluders, water, collision triangles. Sources: sheet source-versions (8), the branch scripts and
// portal notes of bsp_tool, the structures of MRVN-Radiant's compiler; bounds and references were
// read from the map of the corpus.
#include "formats/titanfall_layouts.h"

// clang-format off

static const bsp_field vector_fields[] = { { NAME(""), F32(3) } };
FAMILY_LAYOUT(titanfall, vector_t, 12, vector_fields);

// --- water --------------------------------------------------------------------------------------

static const bsp_field leaf_water_fields[] = {
    { NAME("surfaceZ"),         F32(1), MAP(leaf_water, surface_z) },
    { NAME("minZ"),             F32(1), MAP(leaf_water, min_z) },
    { NAME("surfaceTexDataID"), I16(1), INDEX_NONE(TEXTURES) },
    { NAME("padding"),          PAD(2) },
};
FAMILY_LAYOUT(titanfall, leafwater_t, 12, leaf_water_fields);

// --- cells --------------------------------------------------------------------------------------

// With a plane, `child` is the node in front, and the node at the back is the next record. Without
// a plane, `child` is a cell.
static const bsp_field cell_node_fields[] = {
    { NAME("plane"), I32(1), INDEX_NONE(PLANES) },
    { NAME("child"), U32(1) },
};
FAMILY_LAYOUT(titanfall, cellbspnode_t, 8, cell_node_fields);

#define CELL_HEAD \
    { NAME("numPortals"),  U16(1), COUNT(PORTALS) }, \
    { NAME("firstPortal"), U16(1), FIRST(PORTALS) }, \
    { NAME("flags"),       U16(1), ROLE(FLAGS) },

static const bsp_field cell_fields[] = {
    CELL_HEAD
    { NAME("leafWaterData"), I16(1), INDEX_NONE(LEAF_WATER) },
};
FAMILY_LAYOUT(titanfall, cell_t, 8, cell_fields);

// Apex Legends has no such lump, so the index is always -1.
static const bsp_field cell_apex_fields[] = {
    CELL_HEAD
    { NAME("leafWaterData"), I16(1) },
};
FAMILY_LAYOUT(apex, cell_t, 8, cell_apex_fields);

// --- portals ------------------------------------------------------------------------------------

// Type 0 leads to another cell, 1 to the sky (whose cell is the number of cells plus 1), 2 into
// water. The references are shared by vertices and edges.
static const bsp_field portal_fields[] = {
    { NAME("isReversed"), U8(1) },
    { NAME("type"),       U8(1) },
    { NAME("numRefs"),    U8(1), COUNT(PORTAL_VERT_REFS) },
    { NAME("padding"),    PAD(1) },
    { NAME("firstRef"),   U16(1), FIRST(PORTAL_VERT_REFS) },
    { NAME("cell"),       U16(1) },
    { NAME("plane"),      U32(1), INDEX(PLANES) },
};
FAMILY_LAYOUT(titanfall, portal_t, 12, portal_fields);

// Start and end of an edge; other portal vertices may lie between them.
static const bsp_field portal_edge_fields[] = { { NAME(""), U16(2), INDEX(PORTAL_VERTS) } };
FAMILY_LAYOUT(titanfall, portaledge_t, 4, portal_edge_fields);

static const bsp_field portal_vert_ref_fields[] = { { NAME(""), U16(1), INDEX(PORTAL_VERTS) } };
FAMILY_LAYOUT(titanfall, portalvertref_t, 2, portal_vert_ref_fields);

static const bsp_field portal_edge_ref_fields[] = {
    { NAME("reversed"), U16(1), BITS(0, 1) },
    { NAME("edge"),     U16(1), BITS(1, 15), INDEX(PORTAL_EDGES) },
};
FAMILY_LAYOUT(titanfall, portaledgeref_t, 2, portal_edge_ref_fields);

// Up to eight numbers, then -1: the edges at a vertex, or the edges that touch an edge, and where.
static const bsp_field edge_set_fields[] = { { NAME(""), I16(8), INDEX_NONE(PORTAL_EDGES) } };
FAMILY_LAYOUT(titanfall, edgeset_t, 16, edge_set_fields);

static const bsp_field vert_set_fields[] = { { NAME(""), I16(8), INDEX_NONE(PORTAL_VERTS) } };
FAMILY_LAYOUT(titanfall, vertset_t, 16, vert_set_fields);

static const bsp_field set_range_fields[] = {
    { NAME("firstSet"), U32(1), FIRST(PORTAL_EDGE_SETS) },
    { NAME("numSets"),  U32(1), COUNT(PORTAL_EDGE_SETS) },
};
FAMILY_LAYOUT(titanfall, setrange_t, 8, set_range_fields);

// --- bounds of meshes and props ------------------------------------------------------------------

static const bsp_field occlusion_index_fields[] = { { NAME(""), U16(1), INDEX(OCCLUSION_VERTS) } };
FAMILY_LAYOUT(titanfall, occlusionindex_t, 2, occlusion_index_fields);

// A box: the objects directly in it, and the boxes in it.
#define AABB_NODE(nodes, refs) \
    { NAME("mins"),         F32(3), ROLE(BOUNDS) }, \
    { NAME("numChildren"),  U8(1), COUNT(nodes) }, \
    { NAME("numObjRefs"),   U8(1), COUNT(refs) }, \
    { NAME("totalObjRefs"), U16(1) }, \
    { NAME("maxs"),         F32(3), ROLE(BOUNDS) }, \
    { NAME("firstChild"),   U16(1), FIRST(nodes) }, \
    { NAME("firstObjRef"),  U16(1), FIRST(refs) },

static const bsp_field cell_aabb_node_fields[] = { AABB_NODE(CELL_AABB_NODES, OBJ_REFS) };
FAMILY_LAYOUT(titanfall, cellaabbnode_t, 32, cell_aabb_node_fields);

static const bsp_field csm_aabb_node_fields[] = { AABB_NODE(CSM_AABB_NODES, CSM_OBJ_REFS) };
FAMILY_LAYOUT(titanfall, csmaabbnode_t, 32, csm_aabb_node_fields);

// Apex Legends. Doubt: bsp_tool has the count in the highest byte and the flags in the lowest.
// Taken as the compiler of MRVN-Radiant writes them, whose maps the game loads.
static const bsp_field cell_aabb_node_apex_fields[] = {
    { NAME("mins"),        F32(3), ROLE(BOUNDS) },
    { NAME("numChildren"), U32(1), BITS(0, 8), COUNT(CELL_AABB_NODES) },
    { NAME("firstChild"),  U32(1), BITS(8, 16), FIRST(CELL_AABB_NODES) },
    { NAME("childFlags"),  U32(1), BITS(24, 8), ROLE(FLAGS) },
    { NAME("maxs"),        F32(3), ROLE(BOUNDS) },
    { NAME("numObjRefs"),  U32(1), BITS(0, 8), COUNT(OBJ_REFS) },
    { NAME("firstObjRef"), U32(1), BITS(8, 16), FIRST(OBJ_REFS) },
    { NAME("objRefFlags"), U32(1), BITS(24, 8), ROLE(FLAGS) },
};
FAMILY_LAYOUT(apex, cellaabbnode_t, 32, cell_aabb_node_apex_fields);

// What the second run counts is not certain.
#define CSM_REFS \
    { NAME("maxs"),     F32(3), ROLE(BOUNDS) }, \
    { NAME("numRefs"),  U32(1), BITS(0, 8) }, \
    { NAME("firstRef"), U32(1), BITS(8, 24) },

static const bsp_field csm_aabb_node_apex_fields[] = {
    { NAME("mins"),        F32(3), ROLE(BOUNDS) },
    { NAME("numChildren"), U32(1), BITS(0, 8), COUNT(CSM_AABB_NODES) },
    { NAME("firstChild"),  U32(1), BITS(8, 16), FIRST(CSM_AABB_NODES) },
    { NAME("childFlags"),  U32(1), BITS(24, 8), ROLE(FLAGS) },
    CSM_REFS
};
FAMILY_LAYOUT(apex, csmaabbnode_t, 32, csm_aabb_node_apex_fields);

static const bsp_field csm_aabb_node_50_fields[] = {
    { NAME("mins"),        F32(3), ROLE(BOUNDS) },
    { NAME("numChildren"), U32(1), BITS(0, 8), COUNT(CSM_AABB_NODES) },
    { NAME("firstChild"),  U32(1), BITS(8, 24), FIRST(CSM_AABB_NODES) },
    CSM_REFS
};
FAMILY_LAYOUT(apex_50, csmaabbnode_t, 32, csm_aabb_node_50_fields);

// A mesh of the world; numbers from their count on are static props.
static const bsp_field obj_ref_fields[] = { { NAME(""), U16(1) } };
FAMILY_LAYOUT(titanfall, objref_t, 2, obj_ref_fields);
static const bsp_field obj_ref32_fields[] = { { NAME(""), U32(1) } };
FAMILY_LAYOUT(titanfall, objref32_t, 4, obj_ref32_fields);

static const bsp_field obj_ref_bounds_fields[] = {
    { NAME("mins"),     F32(3), ROLE(BOUNDS) },
    { NAME("minsZero"), I32(1) },
    { NAME("maxs"),     F32(3), ROLE(BOUNDS) },
    { NAME("maxsZero"), I32(1) },
};
FAMILY_LAYOUT(titanfall, objrefbounds_t, 32, obj_ref_bounds_fields);

// One record. The meshes of the world are sorted into opaque ones, decals, transparent ones and
// sky; each index is the first of its kind.
static const bsp_field level_info_fields[] = {
    { NAME("firstDecalMesh"),       U32(1) },
    { NAME("firstTransparentMesh"), U32(1) },
    { NAME("firstSkyMesh"),         U32(1) },
    { NAME("numStaticProps"),       U32(1) },
    { NAME("sunNormal"),            F32(3), ROLE(NORMAL) },
};
FAMILY_LAYOUT(titanfall, levelinfo_t, 28, level_info_fields);

static const bsp_field level_info_apex_fields[] = {
    { NAME("unknown"),         U32(4) },
    { NAME("numStaticProps"),  U32(1) },
    { NAME("sunNormal"),       F32(3), ROLE(NORMAL) },
    { NAME("numEntityModels"), U32(1) },
};
FAMILY_LAYOUT(apex, levelinfo_t, 36, level_info_apex_fields);

// --- collision triangles -------------------------------------------------------------------------

// Vertices of its header: A, A + B, A + C.
static const bsp_field tricoll_tri_fields[] = {
    { NAME("a"),     U32(1), BITS(0, 10) },
    { NAME("b"),     U32(1), BITS(10, 7) },
    { NAME("c"),     U32(1), BITS(17, 7) },
    { NAME("flags"), U32(1), BITS(24, 8), ROLE(FLAGS) },
};
FAMILY_LAYOUT(titanfall, tricolltri_t, 4, tricoll_tri_fields);

// The true origin is -origin / scale; patches have a scale of 0. Nodes have no count.
static const bsp_field tricoll_header_fields[] = {
    { NAME("flags"),           I16(1), ROLE(FLAGS) },
    { NAME("texdataFlags"),    I16(1), ROLE(FLAGS) },
    { NAME("texdata"),         I16(1), INDEX_NONE(TEXTURES) },
    { NAME("numVerts"),        I16(1), COUNT(VERTICES) },
    { NAME("numTris"),         I16(1), COUNT(TRICOLL_TRIS) },
    { NAME("numBevelIndices"), I16(1), COUNT(TRICOLL_BEVELS) },
    { NAME("firstVert"),       I32(1), FIRST(VERTICES) },
    { NAME("firstTri"),        I32(1), FIRST(TRICOLL_TRIS) },
    { NAME("firstNode"),       I32(1) },
    { NAME("firstBevelIndex"), I32(1), FIRST(TRICOLL_BEVELS) },
    { NAME("origin"),          F32(3) },
    { NAME("scale"),           F32(1) },
};
FAMILY_LAYOUT(titanfall, tricollheader_t, 44, tricoll_header_fields);

// Parallel to the triangles.
static const bsp_field bevel_start_fields[] = { { NAME(""), U16(1) } };
FAMILY_LAYOUT(titanfall, bevelstart_t, 2, bevel_start_fields);

static const bsp_field bevel_index_fields[] = { { NAME(""), U32(1) } };
FAMILY_LAYOUT(titanfall, bevelindex_t, 4, bevel_index_fields);
// clang-format on
