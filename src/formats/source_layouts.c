// SPDX-License-Identifier: MIT
// Records of Source lumps: textures, tree, brushes, areas, occluders, primitives and the small
// lumps. Names are those of the public SDK headers. Sources: sheets source-lumps and
// source-versions, the seed source-bsp-2025. A comment says so where a fact was read from maps of
// the corpus.
#include "formats/source_layouts.h"

// clang-format off

// --- textures -----------------------------------------------------------------------------------

static const bsp_field texdata_fields[] = {
    { NAME("reflectivity"),      F32(3), MAP(material, reflectivity) },
    { NAME("nameStringTableID"), I32(1), INDEX(STRING_TABLE), MAP(material, string) },
    { NAME("width"),             I32(1), MAP(material, width) },
    { NAME("height"),            I32(1), MAP(material, height) },
    { NAME("view_width"),        I32(1), MAP(material, view_width) },
    { NAME("view_height"),       I32(1), MAP(material, view_height) },
};
SHARED_LAYOUT(dtexdata_t, 32, texdata_fields);

static const bsp_field texinfo_fields[] = {
    { NAME("textureVecsTexelsPerWorldUnits"),  F32(8), MAP(texinfo, texture) },
    { NAME("lightmapVecsLuxelsPerWorldUnits"), F32(8), MAP(texinfo, light) },
    { NAME("flags"),   I32(1), ROLE(FLAGS), MAP(texinfo, flags) },
    { NAME("texdata"), I32(1), INDEX_NONE(TEXTURES), MAP(texinfo, material) },
};
SHARED_LAYOUT(texinfo_t, 72, texinfo_fields);

static const bsp_field texdata_string_fields[] = {
    { NAME(""), I32(1), OFFSET(STRING_DATA) },
};
SHARED_LAYOUT(texdata_string_t, 4, texdata_string_fields);

// --- tree ---------------------------------------------------------------------------------------

// `area` is -1 when the leaves below the node lie in several areas.
static const bsp_field node_fields[] = {
    { NAME("planenum"),  I32(1), INDEX(PLANES), MAP(node, plane) },
    { NAME("children"),  I32(2), ROLE(NODE_CHILD), MAP(node, children) },
    { NAME("mins"),      I16(3), ROLE(BOUNDS), MAP(node, mins) },
    { NAME("maxs"),      I16(3), ROLE(BOUNDS), MAP(node, maxs) },
    { NAME("firstface"), U16(1), FIRST(FACES), MAP(node, first_face) },
    { NAME("numfaces"),  U16(1), COUNT(FACES), MAP(node, num_faces) },
    { NAME("area"),      I16(1), INDEX_NONE(AREAS), MAP(node, area) },
    { NAME("padding"),   PAD(2) },
};
SHARED_LAYOUT(dnode_t, 32, node_fields);

// The area stands in the low bits, also in big-endian files once the integer is byte-swapped: the
// values 0x201 and 0 of the console map in the corpus are those of its little-endian original.
#define LEAF_FIELDS \
    { NAME("contents"),        I32(1), ROLE(CONTENTS), MAP(leaf, contents) }, \
    { NAME("cluster"),         I16(1), MAP(leaf, cluster) }, \
    { NAME("area"),            U16(1), BITS(0, 9), INDEX(AREAS), MAP(leaf, area) }, \
    { NAME("flags"),           U16(1), BITS(9, 7), ROLE(FLAGS), MAP(leaf, flags) }, \
    { NAME("mins"),            I16(3), ROLE(BOUNDS), MAP(leaf, mins) }, \
    { NAME("maxs"),            I16(3), ROLE(BOUNDS), MAP(leaf, maxs) }, \
    { NAME("firstleafface"),   U16(1), FIRST(LEAF_FACES), MAP(leaf, first_face) }, \
    { NAME("numleaffaces"),    U16(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) }, \
    { NAME("firstleafbrush"),  U16(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) }, \
    { NAME("numleafbrushes"),  U16(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) }, \
    { NAME("leafWaterDataID"), I16(1), INDEX_NONE(LEAF_WATER), MAP(leaf, water) },

static const bsp_field leaf_fields[] = {
    LEAF_FIELDS
    { NAME("padding"), PAD(2) },
};
SHARED_LAYOUT(dleaf_t, 32, leaf_fields);

static const bsp_field leaf_version_0_fields[] = {
    LEAF_FIELDS
    { NAME("m_AmbientLighting"), U8(24), MAP(leaf, cube) },
    { NAME("padding"), PAD(2) },
};
SHARED_LAYOUT(dleaf_version_0_t, 56, leaf_version_0_fields);

static const bsp_field leaf_face_fields[] = {
    { NAME(""), U16(1), INDEX(FACES), MAP(leaf_face, value) },
};
SHARED_LAYOUT(leafface_t, 2, leaf_face_fields);

static const bsp_field leaf_brush_fields[] = {
    { NAME(""), U16(1), INDEX(BRUSHES), MAP(leaf_brush, value) },
};
SHARED_LAYOUT(leafbrush_t, 2, leaf_brush_fields);

static const bsp_field model_fields[] = {
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(model, mins) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(model, maxs) },
    { NAME("origin"),    F32(3), MAP(model, origin) },
    { NAME("headnode"),  I32(1), ROLE(HEADNODES), MAP(model, headnodes) },
    { NAME("firstface"), I32(1), FIRST(FACES), MAP(model, first_face) },
    { NAME("numfaces"),  I32(1), COUNT(FACES), MAP(model, num_faces) },
};
SHARED_LAYOUT(dmodel_t, 48, model_fields);

// --- brushes ------------------------------------------------------------------------------------

static const bsp_field brush_fields[] = {
    { NAME("firstside"), I32(1), FIRST(BRUSH_SIDES), MAP(brush, first_side) },
    { NAME("numsides"),  I32(1), COUNT(BRUSH_SIDES), MAP(brush, num_sides) },
    { NAME("contents"),  I32(1), ROLE(CONTENTS), MAP(brush, contents) },
};
SHARED_LAYOUT(dbrush_t, 12, brush_fields);

// `dispinfo` is 0 in every side of every map of the corpus, with or without displacements. It is no
// index here but a plain value.
#define BRUSH_SIDE_FIELDS \
    { NAME("planenum"), U16(1), INDEX(PLANES), MAP(brush_side, plane) }, \
    { NAME("texinfo"),  I16(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) }, \
    { NAME("dispinfo"), I16(1) },

// Doubt: the big-endian version 20 map of the corpus has bevels of 256 here, so consoles may have
// had the two bytes of version 21 already. No other field of such a file tells.
static const bsp_field brush_side_fields[] = {
    BRUSH_SIDE_FIELDS
    { NAME("bevel"), I16(1), MAP(brush_side, bevel) },
};
SHARED_LAYOUT(dbrushside_t, 8, brush_side_fields);

static const bsp_field brush_side_21_fields[] = {
    BRUSH_SIDE_FIELDS
    { NAME("bevel"), U8(1), MAP(brush_side, bevel) },
    { NAME("thin"),  U8(1), MAP(brush_side, thin) },
};
SHARED_LAYOUT(dbrushside_21_t, 8, brush_side_21_fields);

// --- areas and portals --------------------------------------------------------------------------

static const bsp_field area_fields[] = {
    { NAME("numareaportals"),  I32(1), COUNT(AREA_PORTALS), MAP(area, num_portals) },
    { NAME("firstareaportal"), I32(1), FIRST(AREA_PORTALS), MAP(area, first_portal) },
};
SHARED_LAYOUT(darea_t, 8, area_fields);

static const bsp_field area_portal_fields[] = {
    { NAME("m_PortalKey"), U16(1), MAP(area_portal, key) },
    { NAME("otherarea"),   U16(1), INDEX(AREAS), MAP(area_portal, other_area) },
    { NAME("m_FirstClipPortalVert"), U16(1), FIRST(CLIP_PORTAL_VERTS),
      MAP(area_portal, first_vert) },
    { NAME("m_nClipPortalVerts"), U16(1), COUNT(CLIP_PORTAL_VERTS), MAP(area_portal, num_verts) },
    { NAME("planenum"),           I32(1), INDEX(PLANES), MAP(area_portal, plane) },
};
SHARED_LAYOUT(dareaportal_t, 12, area_portal_fields);

static const bsp_field vector_fields[] = {
    { NAME(""), F32(3), MAP(vertex, point) },
};
SHARED_LAYOUT(vector_t, 12, vector_fields);

// The portals between clusters: filled up to version 18; later versions have the names of the lumps
// only.
static const bsp_field portal_fields[] = {
    { NAME("firstportalvert"), I32(1), FIRST(VIS_PORTAL_VERTS), MAP(portal, first_vert) },
    { NAME("numportalverts"),  I32(1), COUNT(VIS_PORTAL_VERTS), MAP(portal, num_verts) },
    { NAME("planenum"),        I32(1), INDEX(PLANES), MAP(portal, plane) },
    { NAME("cluster"),         U16(2), INDEX(CLUSTERS), MAP(portal, clusters) },
};
SHARED_LAYOUT(dportal_t, 16, portal_fields);

static const bsp_field cluster_fields[] = {
    { NAME("firstportal"), I32(1), FIRST(CLUSTER_PORTALS), MAP(cluster, first_portal) },
    { NAME("numportals"),  I32(1), COUNT(CLUSTER_PORTALS), MAP(cluster, num_portals) },
};
SHARED_LAYOUT(dcluster_t, 8, cluster_fields);

static const bsp_field portal_vert_fields[] = {
    { NAME(""), U16(1), INDEX(VERTICES), MAP(portal_vert, value) },
};
SHARED_LAYOUT(portalvert_t, 2, portal_vert_fields);

static const bsp_field cluster_portal_fields[] = {
    { NAME(""), U16(1), INDEX(VIS_PORTALS), MAP(cluster_portal, value) },
};
SHARED_LAYOUT(clusterportal_t, 2, cluster_portal_fields);

// --- occluders ----------------------------------------------------------------------------------

#define OCCLUDER_FIELDS \
    { NAME("flags"),     I32(1), ROLE(FLAGS), MAP(occluder, flags) }, \
    { NAME("firstpoly"), I32(1), FIRST(OCCLUDER_POLYS), MAP(occluder, first_poly) }, \
    { NAME("polycount"), I32(1), COUNT(OCCLUDER_POLYS), MAP(occluder, num_polys) }, \
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(occluder, mins) }, \
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(occluder, maxs) },

static const bsp_field occluder_0_fields[] = { OCCLUDER_FIELDS };
SHARED_LAYOUT(doccluderdata_0_t, 36, occluder_0_fields);

static const bsp_field occluder_fields[] = {
    OCCLUDER_FIELDS
    { NAME("area"), I32(1), INDEX_NONE(AREAS), MAP(occluder, area) },
};
SHARED_LAYOUT(doccluderdata_t, 40, occluder_fields);

static const bsp_field occluder_poly_fields[] = {
    { NAME("firstvertexindex"), I32(1), FIRST(OCCLUDER_INDICES), MAP(occluder_poly, first_index) },
    { NAME("vertexcount"),      I32(1), COUNT(OCCLUDER_INDICES), MAP(occluder_poly, num_indices) },
    { NAME("planenum"),         I32(1), INDEX(PLANES), MAP(occluder_poly, plane) },
};
SHARED_LAYOUT(doccluderpolydata_t, 12, occluder_poly_fields);

static const bsp_field occluder_index_fields[] = {
    { NAME(""), I32(1), INDEX(VERTICES), MAP(occluder_index, value) },
};
SHARED_LAYOUT(occluderindex_t, 4, occluder_index_fields);

// --- normals and primitives ---------------------------------------------------------------------

static const bsp_field vert_normal_fields[] = {
    { NAME(""), F32(3), ROLE(NORMAL), MAP(vertex, point) },
};
SHARED_LAYOUT(vertnormal_t, 12, vert_normal_fields);

static const bsp_field vert_normal_index_fields[] = {
    { NAME(""), U16(1), INDEX(VERT_NORMALS), MAP(vert_normal_index, value) },
};
SHARED_LAYOUT(vertnormalindex_t, 2, vert_normal_index_fields);

static const bsp_field primitive_fields[] = {
    { NAME("type"),       U8(1), MAP(primitive, type) },
    { NAME("padding"),    PAD(1) },
    { NAME("firstIndex"), U16(1), FIRST(PRIM_INDICES), MAP(primitive, first_index) },
    { NAME("indexCount"), U16(1), COUNT(PRIM_INDICES), MAP(primitive, num_indices) },
    { NAME("firstVert"),  U16(1), FIRST(PRIM_VERTS), MAP(primitive, first_vert) },
    { NAME("vertCount"),  U16(1), COUNT(PRIM_VERTS), MAP(primitive, num_verts) },
};
SHARED_LAYOUT(dprimitive_t, 10, primitive_fields);

static const bsp_field prim_vert_fields[] = {
    { NAME("pos"), F32(3), MAP(vertex, point) },
};
SHARED_LAYOUT(dprimvert_t, 12, prim_vert_fields);

// An index into the vertices of the face's winding, or of the primitive when it has its own; so it
// has no table.
static const bsp_field prim_index_fields[] = {
    { NAME(""), U16(1), MAP(prim_index, value) },
};
SHARED_LAYOUT(primindex_t, 2, prim_index_fields);

// --- small lumps --------------------------------------------------------------------------------

static const bsp_field leaf_water_fields[] = {
    { NAME("surfaceZ"),         F32(1), MAP(leaf_water, surface_z) },
    { NAME("minZ"),             F32(1), MAP(leaf_water, min_z) },
    { NAME("surfaceTexInfoID"), I16(1), INDEX_NONE(TEXINFO), MAP(leaf_water, texinfo) },
    { NAME("padding"),          PAD(2) },
};
SHARED_LAYOUT(dleafwaterdata_t, 12, leaf_water_fields);

static const bsp_field leaf_min_dist_fields[] = {
    { NAME(""), U16(1), MAP(leaf_water_dist, value) },
};
SHARED_LAYOUT(leafmindist_t, 2, leaf_min_dist_fields);

static const bsp_field flags_fields[] = {
    { NAME("m_LevelFlags"), U32(1), ROLE(FLAGS) },
};
SHARED_LAYOUT(dflagslump_t, 4, flags_fields);

// --- Left 4 Dead 2: collision of static props ---------------------------------------------------

static const bsp_field prop_collision_fields[] = {
    { NAME("m_nHullCount"), I32(1), COUNT(PROP_HULLS) },
    { NAME("m_nHullStart"), I32(1), FIRST(PROP_HULLS) },
};
SHARED_LAYOUT(propcollision_t, 8, prop_collision_fields);

static const bsp_field prop_hull_fields[] = {
    { NAME("m_nVertCount"),   I32(1), COUNT(PROP_HULL_VERTS) },
    { NAME("m_nVertStart"),   I32(1), FIRST(PROP_HULL_VERTS) },
    { NAME("m_nSurfaceProp"), I32(1) },
    { NAME("m_nContents"),    U32(1), ROLE(CONTENTS) },
};
SHARED_LAYOUT(prophull_t, 16, prop_hull_fields);

// What the indices count is not certain (probably bytes or words of PROP_BLOB).
static const bsp_field prop_tris_fields[] = {
    { NAME("m_nIndexStart"), I32(1) },
    { NAME("m_nIndexCount"), I32(1) },
};
SHARED_LAYOUT(proptris_t, 8, prop_tris_fields);
// clang-format on
