// SPDX-License-Identifier: MIT
// The collision of Apex Legends, which has no brushes (a tree of boxes with four children each,
// over triangles), its height fields and its water. Sources: sheet source-versions (8) and the
// branch scripts of bsp_tool; no map was at hand.
#include "formats/titanfall_layouts.h"

// clang-format off

// --- surfaces -----------------------------------------------------------------------------------

static const bsp_field contents_mask_fields[] = { { NAME(""), U32(1), ROLE(CONTENTS) } };
FAMILY_LAYOUT(apex, contentsmask_t, 4, contents_mask_fields);

// Doubt: what surfaceName counts. bsp_tool takes it for an index; in texdata it is a byte offset.
static const bsp_field surface_property_fields[] = {
    { NAME("unknown1"),     I16(1) },
    { NAME("unknown2"),     I8(1) },
    { NAME("contentsMask"), U8(1), INDEX(CONTENTS_MASKS) },
    { NAME("surfaceName"),  I32(1) },
};
FAMILY_LAYOUT(apex, surfaceproperty_t, 8, surface_property_fields);

// --- collision ----------------------------------------------------------------------------------

// The bounds of each child, in units of 1 / node scale of the model. The type of a child says
// whether it is a node (0), empty (1) or an offset into BVH_LEAF_DATA.
static const bsp_field bvh_node_fields[] = {
    { NAME("x"),            I16(8) },
    { NAME("y"),            I16(8) },
    { NAME("z"),            I16(8) },
    { NAME("contentsMask"), U32(1), BITS(0, 8), INDEX(CONTENTS_MASKS) },
    { NAME("index0"),       U32(1), BITS(8, 24) },
    { NAME("padding"),      U32(1), BITS(0, 8) },
    { NAME("index1"),       U32(1), BITS(8, 24) },
    { NAME("type0"),        U32(1), BITS(0, 4) },
    { NAME("type1"),        U32(1), BITS(4, 4) },
    { NAME("index2"),       U32(1), BITS(8, 24) },
    { NAME("type2"),        U32(1), BITS(0, 4) },
    { NAME("type3"),        U32(1), BITS(4, 4) },
    { NAME("index3"),       U32(1), BITS(8, 24) },
};
FAMILY_LAYOUT(apex, bvhnode_t, 64, bvh_node_fields);

// 32-bit words. Their meaning depends on the type of the child that refers to them.
static const bsp_field bvh_leaf_fields[] = { { NAME(""), U32(1) } };
FAMILY_LAYOUT(apex, bvhleaf_t, 4, bvh_leaf_fields);

static const bsp_field packed_vert_fields[] = { { NAME(""), I16(3) } };
FAMILY_LAYOUT(apex, packedvert_t, 6, packed_vert_fields);

static const bsp_field height_field_fields[] = { { NAME("unknown"), U32(10) } };
FAMILY_LAYOUT(apex, heightfield_t, 40, height_field_fields);

static const bsp_field height_sample_fields[] = { { NAME(""), U16(1) } };
FAMILY_LAYOUT(apex, heightsample_t, 2, height_sample_fields);

// --- lumps without a name -----------------------------------------------------------------------

// Lump 38 goes with the boxes of cascaded shadow maps, lump 39 with those of cells.
static const bsp_field csm_ref_fields[] = { { NAME(""), U32(1) } };
FAMILY_LAYOUT(apex, csmref_t, 4, csm_ref_fields);

static const bsp_field cell_ref_fields[] = { { NAME(""), I16(1) } };
FAMILY_LAYOUT(apex, cellref_t, 2, cell_ref_fields);

static const bsp_field ambient_rcp_fields[] = { { NAME(""), F32(1) } };
FAMILY_LAYOUT(apex, ambientrcp_t, 4, ambient_rcp_fields);

// --- water --------------------------------------------------------------------------------------

static const bsp_field water_body_fields[] = {
    { NAME("origin"),         F32(3) },
    { NAME("height"),         F32(1) },
    { NAME("mins"),           F32(3), ROLE(BOUNDS) },
    { NAME("maxs"),           F32(3), ROLE(BOUNDS) },
    { NAME("firstCenter"),    U32(1), FIRST(WATER_CENTERS) },
    { NAME("numCenters"),     U32(1), COUNT(WATER_CENTERS) },
    { NAME("firstVertex"),    U32(1), FIRST(WATER_VERTS) },
    { NAME("firstIndex"),     U32(1), FIRST(WATER_INDICES) },
    { NAME("numVertices"),    U32(1), COUNT(WATER_VERTS) },
    { NAME("numIndices"),     U32(1), COUNT(WATER_INDICES) },
    { NAME("targetnameHash"), U32(2) },
    { NAME("uvScale"),        F32(1) },
    { NAME("nodeSize"),       F32(1) },
};
FAMILY_LAYOUT(apex, waterbody_t, 80, water_body_fields);

static const bsp_field water_vert_fields[] = {
    { NAME("position"), F32(3) },
    { NAME("uv"),       F32(2) },
    { NAME("colour"),   U8(4) },
};
FAMILY_LAYOUT(apex, watervert_t, 24, water_vert_fields);

// Relative to the firstVertex of its water body.
static const bsp_field water_index_fields[] = { { NAME(""), U16(1) } };
FAMILY_LAYOUT(apex, waterindex_t, 2, water_index_fields);
// clang-format on
