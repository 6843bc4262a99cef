// SPDX-License-Identifier: MIT
// Records of Source lumps with 32 bits where others have 16: Strata (by lump version) and
// Vindictus; and the few that are longer in Dark Messiah. Sources: sheet source-versions (4, 5, 7).
// Those of Strata were checked against the map of the corpus; there is no map of Vindictus or Dark
// Messiah.
#include "formats/source_layouts.h"

// clang-format off

// --- tree ---------------------------------------------------------------------------------------

#define NODE_FIELDS(bounds) \
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) }, \
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) }, \
    { NAME("mins"),      bounds(3), ROLE(BOUNDS), MAP(node, mins) }, \
    { NAME("maxs"),      bounds(3), ROLE(BOUNDS), MAP(node, maxs) }, \
    { NAME("firstface"), U32(1), FIRST(FACES), MAP(node, first_face) }, \
    { NAME("numfaces"),  U32(1), COUNT(FACES), MAP(node, num_faces) },

static const bsp_field node_strata_fields[] = {
    NODE_FIELDS(F32)
    { NAME("area"),    I16(1), INDEX_NONE(AREAS), MAP(node, area) },
    { NAME("padding"), PAD(2) },
};
SHARED_LAYOUT(dnode_strata_t, 48, node_strata_fields);

static const bsp_field node_vindictus_fields[] = {
    NODE_FIELDS(I32)
    { NAME("area"), I32(1), INDEX_NONE(AREAS), MAP(node, area) },
};
SHARED_LAYOUT(dnode_vindictus_t, 48, node_vindictus_fields);

#define LEAF_REST(bounds) \
    { NAME("mins"),            bounds(3), ROLE(BOUNDS), MAP(leaf, mins) }, \
    { NAME("maxs"),            bounds(3), ROLE(BOUNDS), MAP(leaf, maxs) }, \
    { NAME("firstleafface"),   U32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) }, \
    { NAME("numleaffaces"),    U32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) }, \
    { NAME("firstleafbrush"),  U32(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) }, \
    { NAME("numleafbrushes"),  U32(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) }, \
    { NAME("leafWaterDataID"), I32(1), INDEX_NONE(LEAF_WATER), MAP(leaf, water) },

// Doubt: another program takes the area from the high bits. In the map of the corpus the low bits
// hold valid areas.
static const bsp_field leaf_strata_fields[] = {
    { NAME("contents"), I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("cluster"),  I32(1), MAP(leaf, cluster) },
    { NAME("area"),     U32(1), BITS(0, 17), INDEX(AREAS), MAP(leaf, area) },
    { NAME("flags"),    U32(1), BITS(17, 15), ROLE(FLAGS), MAP(leaf, flags) },
    LEAF_REST(F32)
};
SHARED_LAYOUT(dleaf_strata_t, 56, leaf_strata_fields);

// Doubt: at which bit of the word the flags begin; taken as in the records of 16 bits.
static const bsp_field leaf_vindictus_fields[] = {
    { NAME("contents"), I32(1), ROLE(CONTENTS), MAP(leaf, contents) },
    { NAME("cluster"),  I32(1), MAP(leaf, cluster) },
    { NAME("area"),     U32(1), BITS(0, 9), INDEX(AREAS), MAP(leaf, area) },
    { NAME("flags"),    U32(1), BITS(9, 23), ROLE(FLAGS), MAP(leaf, flags) },
    LEAF_REST(I32)
};
SHARED_LAYOUT(dleaf_vindictus_t, 56, leaf_vindictus_fields);

static const bsp_field leaf_face32_fields[] = {
    { NAME(""), U32(1), INDEX(FACES), MAP(leaf_face, value) },
};
SHARED_LAYOUT(leafface32_t, 4, leaf_face32_fields);

static const bsp_field leaf_brush32_fields[] = {
    { NAME(""), U32(1), INDEX(BRUSHES), MAP(leaf_brush, value) },
};
SHARED_LAYOUT(leafbrush32_t, 4, leaf_brush32_fields);

// --- brushes and portals ------------------------------------------------------------------------

#define SIDE_FIELDS \
    { NAME("planenum"), U32(1), INDEX(PLANES), MAP(brush_side, plane) }, \
    { NAME("texinfo"),  I32(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) }, \
    { NAME("dispinfo"), I32(1) },

static const bsp_field side_strata_fields[] = {
    SIDE_FIELDS
    { NAME("bevel"),   U8(1), MAP(brush_side, bevel) },
    { NAME("thin"),    U8(1), MAP(brush_side, thin) },
    { NAME("padding"), PAD(2) },
};
SHARED_LAYOUT(dbrushside_strata_t, 16, side_strata_fields);

static const bsp_field side_vindictus_fields[] = {
    SIDE_FIELDS
    { NAME("bevel"), I32(1), MAP(brush_side, bevel) },
};
SHARED_LAYOUT(dbrushside_vindictus_t, 16, side_vindictus_fields);

static const bsp_field area_portal32_fields[] = {
    { NAME("m_PortalKey"), U32(1), MAP(area_portal, key) },
    { NAME("otherarea"),   U32(1), INDEX(AREAS), MAP(area_portal, other_area) },
    { NAME("m_FirstClipPortalVert"), U32(1), FIRST(CLIP_PORTAL_VERTS),
      MAP(area_portal, first_vert) },
    { NAME("m_nClipPortalVerts"), U32(1), COUNT(CLIP_PORTAL_VERTS), MAP(area_portal, num_verts) },
    { NAME("planenum"),           I32(1), INDEX(PLANES), MAP(area_portal, plane) },
};
SHARED_LAYOUT(dareaportal32_t, 20, area_portal32_fields);

// --- small lumps ---------------------------------------------------------------------------------

static const bsp_field vert_normal_index32_fields[] = {
    { NAME(""), U32(1), INDEX(VERT_NORMALS), MAP(vert_normal_index, value) },
};
SHARED_LAYOUT(vertnormalindex32_t, 4, vert_normal_index32_fields);

static const bsp_field leaf_water32_fields[] = {
    { NAME("surfaceZ"),         F32(1), MAP(leaf_water, surface_z) },
    { NAME("minZ"),             F32(1), MAP(leaf_water, min_z) },
    { NAME("surfaceTexInfoID"), I32(1), INDEX_NONE(TEXINFO), MAP(leaf_water, texinfo) },
};
SHARED_LAYOUT(dleafwaterdata32_t, 12, leaf_water32_fields);

static const bsp_field primitive32_fields[] = {
    { NAME("type"),       U8(1), MAP(primitive, type) },
    { NAME("padding"),    PAD(3) },
    { NAME("firstIndex"), U32(1), FIRST(PRIM_INDICES), MAP(primitive, first_index) },
    { NAME("indexCount"), U32(1), COUNT(PRIM_INDICES), MAP(primitive, num_indices) },
    { NAME("firstVert"),  U32(1), FIRST(PRIM_VERTS), MAP(primitive, first_vert) },
    { NAME("vertCount"),  U32(1), COUNT(PRIM_VERTS), MAP(primitive, num_verts) },
};
SHARED_LAYOUT(dprimitive32_t, 20, primitive32_fields);

static const bsp_field prim_index32_fields[] = { { NAME(""), U32(1), MAP(prim_index, value) } };
SHARED_LAYOUT(primindex32_t, 4, prim_index32_fields);

// --- Dark Messiah -------------------------------------------------------------------------------

static const bsp_field texinfo_dark_messiah_fields[] = {
    { NAME("textureVecsTexelsPerWorldUnits"),  F32(8), MAP(texinfo, texture) },
    { NAME("lightmapVecsLuxelsPerWorldUnits"), F32(8), MAP(texinfo, light) },
    { NAME("unknown"), U8(24) },
    { NAME("flags"),   I32(1), ROLE(FLAGS), MAP(texinfo, flags) },
    { NAME("texdata"), I32(1), INDEX_NONE(TEXTURES), MAP(texinfo, material) },
};
SHARED_LAYOUT(texinfo_dark_messiah_t, 96, texinfo_dark_messiah_fields);

static const bsp_field model_dark_messiah_fields[] = {
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(model, mins) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(model, maxs) },
    { NAME("origin"),    F32(3), MAP(model, origin) },
    { NAME("unknown"),   I32(1) },
    { NAME("headnode"),  I32(1), ROLE(HEADNODES), MAP(model, headnodes) },
    { NAME("firstface"), I32(1), FIRST(FACES), MAP(model, first_face) },
    { NAME("numfaces"),  I32(1), COUNT(FACES), MAP(model, num_faces) },
};
SHARED_LAYOUT(dmodel_dark_messiah_t, 52, model_dark_messiah_fields);
// clang-format on
