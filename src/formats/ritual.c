// SPDX-License-Identifier: MIT
// Variants of Quake 3 that Ritual's engine reads: F.A.K.K.2 and Alice ("FAKK"), Medal of Honor:
// Allied Assault ("2015") and its last expansion ("EALA"), Elite Force II ("EF2!"). The head has a
// checksum, the lumps another order, and a few records are longer. Sources: sheet quake3 (5), and
// what open engines that load these games state about their records. No map of them is in the
// corpus.
#include "formats/quake3_layouts.h"
#include "formats/rules.h"

// clang-format off

// --- head ---------------------------------------------------------------------------------------

static const bsp_field head_fields[] = {
    { NAME("ident"),    CHARS(4) },
    { NAME("version"),  I32(1), MAP(head, version) },
    { NAME("checksum"), U32(1), MAP(head, checksum) },
};
static LAYOUT(dheader_ritual_t, 12, head_fields);

#define SHAPE(lumps) { &dheader_ritual_t, &bspi_lump_entry_t, (lumps), NULL, false, 4 }
static const bsp_shape fakk2_shape = SHAPE(20);
static const bsp_shape mohaa_shape = SHAPE(28);
static const bsp_shape ef2_shape = SHAPE(30);

// --- records ------------------------------------------------------------------------------------

#define SUBDIVISIONS { NAME("subdivisions"), I32(1) },

static const bsp_field shader_fields[] = { SHADER_FIELDS SUBDIVISIONS };
static LAYOUT(fakkShader_t, 76, shader_fields);

static const bsp_field surface_fields[] = {
    SURFACE_HEAD SURFACE_LIGHT SURFACE_TAIL
    { NAME("subdivisions"), F32(1) },
};
static LAYOUT(fakkSurface_t, 108, surface_fields);

static const bsp_field light_fields[] = {
    { NAME("lightIntensity"),     I32(1) },
    { NAME("lightAngle"),         I32(1) },
    { NAME("lightmapResolution"), I32(1) },
    { NAME("twoSided"),           I32(1) },
    { NAME("lightLinear"),        I32(1) },
    { NAME("lightColor"),         F32(3) },
    { NAME("lightFalloff"),       F32(1) },
    { NAME("backsplashFraction"), F32(1) },
    { NAME("backsplashDistance"), F32(1) },
    { NAME("lightSubdivide"),     F32(1) },
    { NAME("autosprite"),         I32(1) },
};
static LAYOUT(dlightdef_t, 52, light_fields);

// --- F.A.K.K.2 and Alice ------------------------------------------------------------------------

ONE_LAYOUT(shaders, fakkShader_t);
ONE_LAYOUT(planes, bspi_quake3_dplane3_t);
ONE_LAYOUT(nodes, bspi_quake3_dnode_t);
ONE_LAYOUT(leaves, bspi_quake3_dleaf_t);
ONE_LAYOUT(leaf_faces, bspi_quake3_leafsurface_t);
ONE_LAYOUT(leaf_brushes, bspi_quake3_leafbrush_t);
ONE_LAYOUT(models, bspi_quake3_dmodel_t);
ONE_LAYOUT(brushes, bspi_quake3_dbrush_t);
ONE_LAYOUT(brush_sides, bspi_quake3_dbrushside_t);
ONE_LAYOUT(draw_verts, bspi_quake3_drawVert_t);
ONE_LAYOUT(draw_indices, bspi_quake3_drawindex_t);
ONE_LAYOUT(fogs, bspi_quake3_dfog_t);
ONE_LAYOUT(surfaces, fakkSurface_t);
ONE_LAYOUT(light, bspi_rgb_t);
ONE_LAYOUT(light_grid, bspi_quake3_dlightgrid_t);
ONE_LAYOUT(light_defs, dlightdef_t);

static const bsp_traits fakk2_traits = {
    QUAKE3_TRAITS, QUAKE3_LIGHTS(BSP_COMPILER_USUAL), QUAKE3_SURFACES,
    .light_page = 128, .light_cell = { 192, 192, 320 },
};

// Every lump has another index than in Quake 3, so only the traits of its table are reused.
static const bsp_lump_def fakk2_lumps[] = {
    ARRAY_LUMP(0, "SHADERS", TEXTURES, shaders, NO_LIMIT),
    ARRAY_LUMP(1, "PLANES", PLANES, planes, NO_LIMIT),
    ARRAY_LUMP(2, "LIGHTMAPS", LIGHTING, light, NO_LIMIT),
    ARRAY_LUMP(3, "SURFACES", FACES, surfaces, NO_LIMIT),
    ARRAY_LUMP(4, "DRAWVERTS", DRAW_VERTS, draw_verts, NO_LIMIT),
    ARRAY_LUMP(5, "DRAWINDEXES", DRAW_INDICES, draw_indices, NO_LIMIT),
    ARRAY_LUMP(6, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, NO_LIMIT),
    ARRAY_LUMP(7, "LEAFSURFACES", LEAF_FACES, leaf_faces, NO_LIMIT),
    ARRAY_LUMP(8, "LEAFS", LEAVES, leaves, NO_LIMIT),
    ARRAY_LUMP(9, "NODES", NODES, nodes, NO_LIMIT),
    ARRAY_LUMP(10, "BRUSHSIDES", BRUSH_SIDES, brush_sides, NO_LIMIT),
    ARRAY_LUMP(11, "BRUSHES", BRUSHES, brushes, NO_LIMIT),
    ARRAY_LUMP(12, "FOGS", FOGS, fogs, NO_LIMIT),
    ARRAY_LUMP(13, "MODELS", MODELS, models, NO_LIMIT),
    OTHER_LUMP(14, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    OTHER_LUMP(15, "VISIBILITY", VISIBILITY, VIS_MATRIX, NO_LIMIT),
    ARRAY_LUMP(16, "LIGHTGRID", LIGHT_GRID, light_grid, NO_LIMIT),
    OTHER_LUMP(17, "ENTLIGHTS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(18, "ENTLIGHTSVIS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(19, "LIGHTDEFS", NONE, BYTES, NO_LIMIT),
};

static const bsp_branch bspi_fakk2 = {
    .name = "fakk2", .title = "Heavy Metal: F.A.K.K.2", .family = BSP_QUAKE3,
    .base = &bspi_quake3, .magic = "FAKK", .version = 12, .shape = &fakk2_shape,
    .traits = &fakk2_traits,
    .lumps = fakk2_lumps, .num_lumps = LENGTH(fakk2_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_branch bspi_alice = {
    .name = "alice", .title = "American McGee's Alice", .family = BSP_QUAKE3,
    .base = &bspi_fakk2, .magic = "FAKK", .version = 42,
    .verified = BSP_VERIFIED_BUILT,
};

// --- Medal of Honor: Allied Assault -------------------------------------------------------------

static const bsp_field mohaa_shader_fields[] = {
    SHADER_FIELDS SUBDIVISIONS
    { NAME("fenceMaskImage"), CHARS(64) },
};
static LAYOUT(mohaaShader_t, 140, mohaa_shader_fields);

// There is no lump of fogs that fogNum could index.
static const bsp_field mohaa_surface_fields[] = {
    SURFACE_START({ NAME("fogNum"), I32(1) }) SURFACE_LIGHT SURFACE_TAIL
    { NAME("subdivisions"), F32(1) },
};
static LAYOUT(mohaaSurface_t, 108, mohaa_surface_fields);

static const bsp_field mohaa_leaf_fields[] = {
    LEAF_FIELDS
    { NAME("firstTerraPatch"),  I32(1), FIRST(TERRAIN_INDICES) },
    { NAME("numTerraPatches"),  I32(1), COUNT(TERRAIN_INDICES) },
    { NAME("firstStaticModel"), I32(1), FIRST(STATIC_MODEL_INDICES) },
    { NAME("numStaticModels"),  I32(1), COUNT(STATIC_MODEL_INDICES) },
};
static LAYOUT(mohaaLeaf_t, 64, mohaa_leaf_fields);

static const bsp_field side_equation_fields[] = {
    { NAME("fSeq"), F32(4) },
    { NAME("fTeq"), F32(4) },
};
static LAYOUT(dsideEquation_t, 32, side_equation_fields);

// equationNum is 0 for none, so it is not a plain index of SIDEEQUATIONS.
static const bsp_field mohaa_brush_side_fields[] = {
    { NAME("planeNum"),    I32(1), INDEX(PLANES), MAP(brush_side, plane) },
    { NAME("shaderNum"),   I32(1), INDEX(TEXTURES), MAP(brush_side, material) },
    { NAME("equationNum"), I32(1) },
};
static LAYOUT(mohaaBrushSide_t, 12, mohaa_brush_side_fields);

// Nine by nine heights in steps of two units, over 512 x 512 units.
static const bsp_field terrain_fields[] = {
    { NAME("flags"),     U8(1), ROLE(FLAGS) },
    { NAME("scale"),     U8(1) },
    { NAME("lmCoords"),  U8(2) },
    { NAME("texCoords"), F32(8) },
    { NAME("x"),         I8(1) },
    { NAME("y"),         I8(1) },
    { NAME("baseZ"),     I16(1) },
    { NAME("shader"),    U16(1), INDEX(TEXTURES) },
    { NAME("lightmap"),  I16(1) },
    { NAME("neighbors"), I16(4) },
    { NAME("vertFlags"), U16(126), ROLE(FLAGS) },
    { NAME("heightmap"), U8(81) },
    { NAME("padding"),   PAD(3) },
};
static LAYOUT(dterPatch_t, 388, terrain_fields);

static const bsp_field terrain_index_fields[] = { { NAME(""), U16(1), INDEX(TERRAIN) } };
static LAYOUT(terrainindex_t, 2, terrain_index_fields);

// Doubt: some programs read numVertexData as 16 bits; padding would follow it then.
static const bsp_field static_model_fields[] = {
    { NAME("model"),           CHARS(128) },
    { NAME("origin"),          F32(3) },
    { NAME("angles"),          F32(3) },
    { NAME("scale"),           F32(1) },
    { NAME("firstVertexData"), I32(1) },
    { NAME("numVertexData"),   I32(1) },
};
static LAYOUT(dstaticModel_t, 164, static_model_fields);

static const bsp_field static_model_index_fields[] = { { NAME(""), U16(1), INDEX(STATIC_MODELS) } };
static LAYOUT(staticmodelindex_t, 2, static_model_index_fields);

static const bsp_field sphere_light_fields[] = {
    { NAME("origin"),                F32(3) },
    { NAME("color"),                 F32(3) },
    { NAME("intensity"),             F32(1) },
    { NAME("leaf"),                  I32(1) },
    { NAME("needs_trace"),           I32(1) },
    { NAME("spot_light"),            I32(1) },
    { NAME("spot_dir"),              F32(3) },
    { NAME("spot_radiusbydistance"), F32(1) },
};
static LAYOUT(dspherel_t, 56, sphere_light_fields);

ONE_LAYOUT(mohaa_shaders, mohaaShader_t);
ONE_LAYOUT(mohaa_surfaces, mohaaSurface_t);
ONE_LAYOUT(mohaa_leaves, mohaaLeaf_t);
ONE_LAYOUT(side_equations, dsideEquation_t);
ONE_LAYOUT(mohaa_brush_sides, mohaaBrushSide_t);
ONE_LAYOUT(sphere_lights, dspherel_t);
ONE_LAYOUT(terrain, dterPatch_t);
ONE_LAYOUT(terrain_indices, terrainindex_t);
ONE_LAYOUT(static_models, dstaticModel_t);
ONE_LAYOUT(static_model_indices, staticmodelindex_t);

// The light grid is a palette, offsets of columns and packed columns. It is kept as bytes.
static const bsp_lump_def mohaa_lumps[] = {
    ARRAY_LUMP(0, "SHADERS", TEXTURES, mohaa_shaders, NO_LIMIT),
    ARRAY_LUMP(3, "SURFACES", FACES, mohaa_surfaces, NO_LIMIT),
    ARRAY_LUMP(8, "LEAFS", LEAVES, mohaa_leaves, NO_LIMIT),
    ARRAY_LUMP(10, "SIDEEQUATIONS", NONE, side_equations, NO_LIMIT),
    ARRAY_LUMP(11, "BRUSHSIDES", BRUSH_SIDES, mohaa_brush_sides, NO_LIMIT),
    ARRAY_LUMP(12, "BRUSHES", BRUSHES, brushes, NO_LIMIT),
    OTHER_LUMP(16, "LIGHTGRIDPALETTE", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(17, "LIGHTGRIDOFFSETS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(18, "LIGHTGRIDDATA", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(19, "SPHERELIGHTS", NONE, sphere_lights, NO_LIMIT),
    OTHER_LUMP(20, "SPHERELIGHTVIS", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(21, "LIGHTDEFS", NONE, light_defs, NO_LIMIT),
    ARRAY_LUMP(22, "TERRAIN", TERRAIN, terrain, NO_LIMIT),
    ARRAY_LUMP(23, "TERRAININDEXES", TERRAIN_INDICES, terrain_indices, NO_LIMIT),
    OTHER_LUMP(24, "STATICMODELDATA", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(25, "STATICMODELDEF", STATIC_MODELS, static_models, NO_LIMIT),
    ARRAY_LUMP(26, "STATICMODELINDEXES", STATIC_MODEL_INDICES, static_model_indices, NO_LIMIT),
    OTHER_LUMP(27, "DUMMY10", NONE, BYTES, NO_LIMIT),
};

static const bsp_branch bspi_mohaa = {
    .name = "mohaa", .title = "Medal of Honor: Allied Assault, Spearhead", .family = BSP_QUAKE3,
    .base = &bspi_fakk2, .magic = "2015", .version = 19, .shape = &mohaa_shape,
    .lumps = mohaa_lumps, .num_lumps = LENGTH(mohaa_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

static const bsp_branch bspi_breakthrough = {
    .name = "breakthrough", .title = "Medal of Honor: Allied Assault - Breakthrough",
    .family = BSP_QUAKE3, .base = &bspi_mohaa, .magic = "EALA", .version = 21,
    .verified = BSP_VERIFIED_BUILT,
};

// --- Elite Force II -----------------------------------------------------------------------------

// Doubt: one open engine reads sides and brushes in this order, another program (which never loads
// a map of the game) in that of Quake 3. The order of the engine is taken.
static const bsp_field ef2_brush_side_fields[] = {
    { NAME("shaderNum"), I32(1), INDEX(TEXTURES), MAP(brush_side, material) },
    { NAME("planeNum"),  I32(1), INDEX(PLANES), MAP(brush_side, plane) },
};
static LAYOUT(ef2BrushSide_t, 8, ef2_brush_side_fields);

static const bsp_field ef2_brush_fields[] = {
    { NAME("numSides"),  I32(1), COUNT(BRUSH_SIDES), MAP(brush, num_sides) },
    { NAME("firstSide"), I32(1), FIRST(BRUSH_SIDES), MAP(brush, first_side) },
    { NAME("shaderNum"), I32(1), INDEX(TEXTURES), MAP(brush, material) },
};
static LAYOUT(ef2Brush_t, 12, ef2_brush_fields);

// In vertices of terrain and of models the last two words are an integer and an unused word.
static const bsp_field ef2_draw_vert_fields[] = {
    { NAME("xyz"),      F32(3), MAP(draw_vert, point) },
    { NAME("st"),       F32(2), MAP(draw_vert, uv) },
    { NAME("normal"),   F32(3), MAP(draw_vert, normal) },
    { NAME("color"),    U8(4), MAP(draw_vert, color) },
    { NAME("lodExtra"), F32(1) },
    { NAME("lightmap"), F32(2), MAP(draw_vert, light_uv) },
};
static LAYOUT(ef2DrawVert_t, 48, ef2_draw_vert_fields);

// surfaceType 5 is terrain: triangles, as type 5 is in Enemy Territory.
static const bsp_field ef2_surface_fields[] = {
    SURFACE_HEAD SURFACE_LIGHT SURFACE_TAIL
    { NAME("subdivisions"),        F32(1) },
    { NAME("baseLightingSurface"), I32(1) },
    { NAME("inverted"),            I32(1) },
    { NAME("faceFlags"),           I32(4), ROLE(FLAGS) },
};
static LAYOUT(ef2Surface_t, 132, ef2_surface_fields);

static const bsp_field group_fields[] = { { NAME("name"), CHARS(64) } };
static LAYOUT(lightingGroup_t, 64, group_fields);

static const bsp_field lod_model_fields[] = {
    { NAME("totalNumberOfVerts"), I32(1) },
    { NAME("origin"),             F32(3) },
    { NAME("startDistance"),      F32(1) },
    { NAME("startPerCentVerts"),  F32(1) },
    { NAME("stopDistance"),       F32(1) },
    { NAME("stopPerCentVerts"),   F32(1) },
    { NAME("alphaFadeDistance"),  F32(1) },
    { NAME("lodNumberOfVerts"),   I32(1) },
    { NAME("frameCount"),         I32(1) },
};
static LAYOUT(staticLodModel_t, 44, lod_model_fields);

ONE_LAYOUT(ef2_brush_sides, ef2BrushSide_t);
ONE_LAYOUT(ef2_brushes, ef2Brush_t);
ONE_LAYOUT(ef2_draw_verts, ef2DrawVert_t);
ONE_LAYOUT(ef2_surfaces, ef2Surface_t);
ONE_LAYOUT(lighting_groups, lightingGroup_t);
ONE_LAYOUT(lod_models, staticLodModel_t);

// Lumps 3, 4 and 22 to 27 hold the light that can be switched; how they belong together is not
// known.
static const bsp_lump_def ef2_lumps[] = {
    OTHER_LUMP(3, "BASELIGHTMAPS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(4, "CONTLIGHTMAPS", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(5, "SURFACES", FACES, ef2_surfaces, NO_LIMIT),
    ARRAY_LUMP(6, "DRAWVERTS", DRAW_VERTS, ef2_draw_verts, NO_LIMIT),
    ARRAY_LUMP(7, "DRAWINDEXES", DRAW_INDICES, draw_indices, NO_LIMIT),
    ARRAY_LUMP(8, "LEAFBRUSHES", LEAF_BRUSHES, leaf_brushes, NO_LIMIT),
    ARRAY_LUMP(9, "LEAFSURFACES", LEAF_FACES, leaf_faces, NO_LIMIT),
    ARRAY_LUMP(10, "LEAFS", LEAVES, leaves, NO_LIMIT),
    ARRAY_LUMP(11, "NODES", NODES, nodes, NO_LIMIT),
    ARRAY_LUMP(12, "BRUSHSIDES", BRUSH_SIDES, ef2_brush_sides, NO_LIMIT),
    ARRAY_LUMP(13, "BRUSHES", BRUSHES, ef2_brushes, NO_LIMIT),
    ARRAY_LUMP(14, "FOGS", FOGS, fogs, NO_LIMIT),
    ARRAY_LUMP(15, "MODELS", MODELS, models, NO_LIMIT),
    OTHER_LUMP(16, "ENTITIES", ENTITIES, ENTITIES, NO_LIMIT),
    OTHER_LUMP(17, "VISIBILITY", VISIBILITY, VIS_MATRIX, NO_LIMIT),
    ARRAY_LUMP(18, "LIGHTGRID", LIGHT_GRID, light_grid, NO_LIMIT),
    OTHER_LUMP(19, "ENTLIGHTS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(20, "ENTLIGHTSVIS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(21, "LIGHTDEFS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(22, "BASELIGHTINGVERTS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(23, "CONTLIGHTINGVERTS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(24, "BASELIGHTINGSURFS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(25, "LIGHTINGSURFS", NONE, BYTES, NO_LIMIT),
    OTHER_LUMP(26, "LIGHTINGVERTSURFS", NONE, BYTES, NO_LIMIT),
    ARRAY_LUMP(27, "LIGHTINGGROUPS", NONE, lighting_groups, NO_LIMIT),
    ARRAY_LUMP(28, "STATIC_LOD_MODELS", NONE, lod_models, NO_LIMIT),
    OTHER_LUMP(29, "BSPINFO", NONE, BYTES, NO_LIMIT),
};

static const bsp_branch bspi_elite_force2 = {
    .name = "elite_force2", .title = "Star Trek: Elite Force II", .family = BSP_QUAKE3,
    .base = &bspi_fakk2, .magic = "EF2!", .version = 20, .shape = &ef2_shape,
    .lumps = ef2_lumps, .num_lumps = LENGTH(ef2_lumps),
    .verified = BSP_VERIFIED_BUILT,
};

// --- detection -----------------------------------------------------------------------------------

static const bspi_rule rules[] = {
    { .branch = &bspi_fakk2, .test = bspi_shaders_divide },
    { .branch = &bspi_alice, .test = bspi_shaders_divide },
    { .branch = &bspi_mohaa, .test = bspi_shaders_divide, .low = 18, .high = 19 },
    { .branch = &bspi_breakthrough, .test = bspi_shaders_divide },
    { .branch = &bspi_elite_force2, .test = bspi_shaders_divide },
    { .branch = &bspi_elite_force2, .test = bspi_shaders_divide, .magic = "FAKK", .low = 19, .high = 19,
      .why = "the demo" },
};
RULE_LIST(ritual, rules);
// clang-format on
