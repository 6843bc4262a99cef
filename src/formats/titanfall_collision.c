// SPDX-License-Identifier: MIT
// The collision of Titanfall and Titanfall 2: boxes cut by further planes, and the grid that finds
// them. A cell of the grid is a run of sets; a set is one primitive or a run of them; a primitive
// is a brush, a set of triangles or a prop, with its contents. Source: sheet source-versions (8.2,
// 8.3), checked against the map of the corpus.
#include "formats/titanfall_layouts.h"

// clang-format off

// --- grid ---------------------------------------------------------------------------------------

static const bsp_field grid_fields[] = {
    { NAME("scale"),           F32(1), MAP(grid, scale) },
    { NAME("offset"),          I32(2), MAP(grid, offset) },
    { NAME("count"),           I32(2), MAP(grid, count) },
    { NAME("numStraddle"),     I32(1), MAP(grid, num_groups) },
    { NAME("firstBrushPlane"), I32(1), MAP(grid, first_plane) },
};
FAMILY_LAYOUT(titanfall, cmgrid_t, 28, grid_fields);

// count[0] * count[1] cells for the world, then one cell per model.
static const bsp_field grid_cell_fields[] = {
    { NAME("firstGeoSet"), U16(1), FIRST(GEO_SETS), MAP(grid_cell, first_set) },
    { NAME("numGeoSets"),  U16(1), COUNT(GEO_SETS), MAP(grid_cell, num_sets) },
};
FAMILY_LAYOUT(titanfall, cmgridcell_t, 4, grid_cell_fields);

// type: 0 brush, 0x40 triangles, 0x60 prop. It says what `index` counts; in a set of several
// primitives `index` is the first of them. The map floor checks it.
static const bsp_field geo_set_fields[] = {
    { NAME("straddleGroup"),  U16(1), MAP(geo_set, group) },
    { NAME("numPrimitives"),  U16(1), MAP(geo_set, num_parts) },
    { NAME("uniqueContents"), U32(1), BITS(0, 8), MAP(geo_set, contents) },
    { NAME("index"),          U32(1), BITS(8, 16), MAP(geo_set, index) },
    { NAME("type"),           U32(1), BITS(24, 8), MAP(geo_set, type) },
};
FAMILY_LAYOUT(titanfall, cmgeoset_t, 8, geo_set_fields);

static const bsp_field primitive_fields[] = {
    { NAME("uniqueContents"), U32(1), BITS(0, 8), INDEX(UNIQUE_CONTENTS), MAP(geo_part, contents) },
    { NAME("index"),          U32(1), BITS(8, 16), MAP(geo_part, index) },
    { NAME("type"),           U32(1), BITS(24, 8), MAP(geo_part, type) },
};
FAMILY_LAYOUT(titanfall, cmprimitive_t, 4, primitive_fields);

// Rotated boxes in whole units. The last word of each half is 0x8000 times the cosine and the sine
// of a yaw.
static const bsp_field bounds_fields[] = {
    { NAME("origin"),      I16(3) },
    { NAME("negativeCos"), I16(1) },
    { NAME("extents"),     I16(3) },
    { NAME("positiveSin"), I16(1) },
};
FAMILY_LAYOUT(titanfall, cmbounds_t, 16, bounds_fields);

static const bsp_field contents_fields[] = {
    { NAME(""), U32(1), ROLE(CONTENTS), MAP(unique_contents, value) },
};
FAMILY_LAYOUT(titanfall, cmcontents_t, 4, contents_fields);

// --- brushes ------------------------------------------------------------------------------------

// A brush has six sides for its box and one for each further plane; the first has property and
// texture vectors number 6 * index + sideOffset. Brushes without further planes may have a
// sideOffset of 0 at any index (so in the map of the corpus), and then share the sides of others.
static const bsp_field brush_fields[] = {
    { NAME("origin"),             F32(3), MAP(brush_box, origin) },
    { NAME("nonAxialNoDiscard"),  U8(1), MAP(brush_box, num_kept) },
    { NAME("numPlaneOffsets"),    U8(1), COUNT(BRUSH_PLANES), MAP(brush_box, num_planes) },
    { NAME("index"),              I16(1), MAP(brush_box, index) },
    { NAME("extents"),            F32(3), MAP(brush_box, extents) },
    { NAME("sideOffset"),         I32(1), FIRST(BRUSH_PLANES), MAP(brush_box, first_plane) },
};
FAMILY_LAYOUT(titanfall, cmbrush_t, 32, brush_fields);

// Entry n refers to plane firstBrushPlane + n - value.
static const bsp_field plane_offset_fields[] = {
    { NAME(""), U16(1), MAP(brush_plane, value) },
};
FAMILY_LAYOUT(titanfall, cmplaneoffset_t, 2, plane_offset_fields);

// Doubt: at which bit the two parts divide. Nine bits hold 512 materials, and the games allow 2048.
static const bsp_field side_property_fields[] = {
    { NAME("texdata"), U16(1), BITS(0, 9), INDEX(TEXTURES), MAP(side_property, material) },
    { NAME("flags"),   U16(1), BITS(9, 7), ROLE(FLAGS), MAP(side_property, flags) },
};
FAMILY_LAYOUT(titanfall, cmsideproperty_t, 2, side_property_fields);

static const bsp_field side_texvecs_fields[] = {
    { NAME("textureVecs"), F32(8), MAP(texinfo, texture) },
};
FAMILY_LAYOUT(titanfall, cmsidetexvecs_t, 32, side_texvecs_fields);
// clang-format on
