// SPDX-License-Identifier: MIT
// The drawn geometry of rBSP: materials, meshes by the type of their vertices, and where their
// light lies. A mesh is a run of triangles. Each corner is a number relative to the mesh's material
// sort, in the lump of vertices that two bits of the mesh's flags select; a vertex refers to its
// position and its normal. Source: sheet source-versions (8.2), checked against the map of the
// corpus; the records of Apex were not checked.
#include "formats/titanfall_layouts.h"

// clang-format off

// --- materials ----------------------------------------------------------------------------------

static const bsp_field texdata_fields[] = {
    { NAME("reflectivity"),      F32(3), MAP(material, reflectivity) },
    { NAME("nameStringTableID"), I32(1), INDEX(STRING_TABLE), MAP(material, string) },
    { NAME("width"),             I32(1), MAP(material, width) },
    { NAME("height"),            I32(1), MAP(material, height) },
    { NAME("view_width"),        I32(1), MAP(material, view_width) },
    { NAME("view_height"),       I32(1), MAP(material, view_height) },
    { NAME("flags"),             U32(1), ROLE(FLAGS), MAP(material, flags) },
};
FAMILY_LAYOUT(titanfall, texdata_t, 36, texdata_fields);

// A name is a byte offset into the lump of names; there is no table between.
static const bsp_field apex_texdata_fields[] = {
    { NAME("nameOffset"), I32(1), OFFSET(STRING_DATA), MAP(material, name_offset) },
    { NAME("width"),      I32(1), MAP(material, width) },
    { NAME("height"),     I32(1), MAP(material, height) },
    { NAME("flags"),      U32(1), ROLE(FLAGS), MAP(material, flags) },
};
FAMILY_LAYOUT(apex, texdata_t, 16, apex_texdata_fields);

static const bsp_field material_sort_fields[] = {
    { NAME("texdata"),        I16(1), INDEX(TEXTURES), MAP(material_sort, material) },
    { NAME("lightmapHeader"), I16(1), INDEX_NONE(LIGHTMAP_HEADERS), MAP(material_sort, light_page) },
    { NAME("cubemap"),        I16(1), MAP(material_sort, cubemap) },
    { NAME("lastVertex"),     I16(1) },
    { NAME("vertexOffset"),   I32(1), MAP(material_sort, first_vert) },
};
FAMILY_LAYOUT(titanfall, materialsort_t, 12, material_sort_fields);

static const bsp_field apex_material_sort_fields[] = {
    { NAME("texdata"),        I16(1), INDEX(TEXTURES), MAP(material_sort, material) },
    { NAME("lightmapHeader"), I16(1), INDEX_NONE(LIGHTMAP_HEADERS), MAP(material_sort, light_page) },
    { NAME("unknown"),        I16(2) },
    { NAME("vertexOffset"),   U32(1), MAP(material_sort, first_vert) },
};
FAMILY_LAYOUT(apex, materialsort_t, 12, apex_material_sort_fields);

// The light itself: for each header two pictures of 32 bits per luxel for the sky, one after the
// other.
static const bsp_field lightmap_header_fields[] = {
    { NAME("type"),   U32(1), MAP(light_header, type) },
    { NAME("width"),  U16(1), MAP(light_header, width) },
    { NAME("height"), U16(1), MAP(light_header, height) },
};
FAMILY_LAYOUT(titanfall, lightmapheader_t, 8, lightmap_header_fields);

// --- vertices -----------------------------------------------------------------------------------

#define VERTEX_START \
    { NAME("positionIndex"), U32(1), INDEX(VERTICES), MAP(indexed_vert, vertex) }, \
    { NAME("normalIndex"),   U32(1), INDEX(VERT_NORMALS), MAP(indexed_vert, normal) },
#define VERTEX_UV     { NAME("albedoUV"), F32(2), MAP(indexed_vert, uv) },
#define VERTEX_COLOUR { NAME("colour"), U8(4), MAP(indexed_vert, color) },
#define VERTEX_LIGHT  { NAME("lightmapUV"), F32(2), MAP(indexed_vert, light_uv) },
// The step is 0 in all known files; what the tangents index is not known.
#define VERTEX_STEP     { NAME("lightmapStep"), F32(2) },
#define VERTEX_TANGENTS { NAME("tangents"), I32(2) },

static const bsp_field unlit_fields[] = { VERTEX_START VERTEX_UV VERTEX_COLOUR };
FAMILY_LAYOUT(titanfall, vertexunlit_t, 20, unlit_fields);

static const bsp_field lit_flat_fields[] = {
    VERTEX_START VERTEX_UV VERTEX_COLOUR VERTEX_LIGHT VERTEX_STEP
};
FAMILY_LAYOUT(titanfall, vertexlitflat_t, 36, lit_flat_fields);

static const bsp_field lit_bump_fields[] = {
    VERTEX_START VERTEX_UV VERTEX_COLOUR VERTEX_LIGHT VERTEX_STEP VERTEX_TANGENTS
};
FAMILY_LAYOUT(titanfall, vertexlitbump_t, 44, lit_bump_fields);

static const bsp_field unlit_ts_fields[] = {
    VERTEX_START VERTEX_UV VERTEX_COLOUR VERTEX_TANGENTS
};
FAMILY_LAYOUT(titanfall, vertexunlitts_t, 28, unlit_ts_fields);

// No known map has one.
static const bsp_field blinn_phong_fields[] = {
    VERTEX_START VERTEX_COLOUR VERTEX_UV VERTEX_LIGHT
    { NAME("tangent"), F32(16) },
};
FAMILY_LAYOUT(titanfall, vertexblinnphong_t, 92, blinn_phong_fields);

// Flat and unlit vertices are the same in Apex, and neither has light or colours.
static const bsp_field apex_unlit_fields[] = {
    VERTEX_START VERTEX_UV
    { NAME("unknown"), I32(1) },
};
FAMILY_LAYOUT(apex, vertexunlit_t, 20, apex_unlit_fields);

static const bsp_field apex_lit_bump_fields[] = {
    VERTEX_START VERTEX_UV
    { NAME("unknown"), I32(1) }, // always -1
    VERTEX_LIGHT VERTEX_COLOUR
};
FAMILY_LAYOUT(apex, vertexlitbump_t, 32, apex_lit_bump_fields);

static const bsp_field apex_unlit_ts_fields[] = {
    VERTEX_START VERTEX_UV
    { NAME("unknown"), I32(2) },
};
FAMILY_LAYOUT(apex, vertexunlitts_t, 24, apex_unlit_ts_fields);

static const bsp_field apex_blinn_phong_fields[] = { VERTEX_START VERTEX_UV VERTEX_LIGHT };
FAMILY_LAYOUT(apex, vertexblinnphong_t, 24, apex_blinn_phong_fields);

// --- meshes -------------------------------------------------------------------------------------

// Counted in triangles; the map floor checks the run. firstVertex and numVertices do not always
// cover what is drawn, and no reader needs them.
#define MESH_START \
    { NAME("firstIndex"),   U32(1), MAP(face, first_index) }, \
    { NAME("numTriangles"), U16(1), MAP(face, num_triangles) },
#define MESH_VERTICES \
    { NAME("firstVertex"), U16(1) }, \
    { NAME("numVertices"), U16(1) },
#define MESH_LIGHT \
    { NAME("styles"),      U8(4), MAP(face_light, styles) }, \
    { NAME("luxelOrigin"), I16(2) }, \
    { NAME("luxelMax"),    U8(2) },
#define MESH_END \
    { NAME("materialSort"), U16(1), INDEX(MATERIAL_SORTS), MAP(face, sort) }, \
    { NAME("flags"),        U32(1), ROLE(FLAGS), MAP(face, flags) },

static const bsp_field mesh_fields[] = {
    MESH_START MESH_VERTICES
    { NAME("vertexType"), U16(1) },
    MESH_LIGHT MESH_END
};
FAMILY_LAYOUT(titanfall, mesh_t, 28, mesh_fields);

static const bsp_field titanfall2_mesh_fields[] = {
    MESH_START MESH_VERTICES
    { NAME("vertexType"), U8(1) },
    { NAME("cubemap"),    U8(1) },
    MESH_LIGHT MESH_END
};
FAMILY_LAYOUT(titanfall2, mesh_t, 28, titanfall2_mesh_fields);

static const bsp_field apex_mesh_fields[] = {
    MESH_START
    { NAME("unknown"), I16(8) },
    MESH_END
};
FAMILY_LAYOUT(apex, mesh_t, 28, apex_mesh_fields);

// Relative to the vertexOffset of the mesh's material sort; checked where the mesh is read.
static const bsp_field mesh_index_fields[] = {
    { NAME(""), U16(1), MAP(draw_index, value) },
};
FAMILY_LAYOUT(titanfall, meshindex_t, 2, mesh_index_fields);

static const bsp_field mesh_bounds_fields[] = {
    { NAME("origin"),  F32(3) },
    { NAME("radius"),  F32(1) },
    { NAME("extents"), F32(3) },
    { NAME("tanYaw"),  F32(1) },
};
FAMILY_LAYOUT(titanfall, meshbounds_t, 32, mesh_bounds_fields);

// --- models -------------------------------------------------------------------------------------

#define MODEL_START \
    { NAME("mins"),      F32(3), ROLE(BOUNDS), MAP(model, mins) }, \
    { NAME("maxs"),      F32(3), ROLE(BOUNDS), MAP(model, maxs) }, \
    { NAME("firstMesh"), U32(1), FIRST(FACES), MAP(model, first_face) }, \
    { NAME("numMeshes"), U32(1), COUNT(FACES), MAP(model, num_faces) },

static const bsp_field model_fields[] = { MODEL_START };
FAMILY_LAYOUT(titanfall, model_t, 32, model_fields);

static const bsp_field apex_model_fields[] = {
    MODEL_START
    { NAME("bvhNode"),      I32(1) },
    { NAME("bvhLeaf"),      I32(1) },
    { NAME("firstVertex"),  I32(1) },
    { NAME("vertexFlags"),  I32(1), ROLE(FLAGS) },
    { NAME("packedOrigin"), F32(3) },
    { NAME("nodeScale"),    F32(1) },
};
FAMILY_LAYOUT(apex, model_t, 64, apex_model_fields);
// clang-format on
