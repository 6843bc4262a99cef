// SPDX-License-Identifier: MIT
// The record layouts of Quake 3 and the parts of records that its variants share. quake3.c defines
// the layouts; ritual.c uses them.
#ifndef BSPI_QUAKE3_LAYOUTS_H
#define BSPI_QUAKE3_LAYOUTS_H

#include "formats/table.h"

// clang-format off

#define SHADER_FIELDS \
    { NAME("shader"),       CHARS(64), MAP(material, name) }, \
    { NAME("surfaceFlags"), I32(1), ROLE(FLAGS), MAP(material, flags) }, \
    { NAME("contentFlags"), I32(1), ROLE(CONTENTS), MAP(material, contents) },

#define LEAF_FIELDS \
    { NAME("cluster"),          I32(1), MAP(leaf, cluster) }, \
    { NAME("area"),             I32(1), MAP(leaf, area) }, \
    { NAME("mins"),             I32(3), ROLE(BOUNDS), MAP(leaf, mins) }, \
    { NAME("maxs"),             I32(3), ROLE(BOUNDS), MAP(leaf, maxs) }, \
    { NAME("firstLeafSurface"), I32(1), FIRST(LEAF_FACES), MAP(leaf, first_face) }, \
    { NAME("numLeafSurfaces"),  I32(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) }, \
    { NAME("firstLeafBrush"),   I32(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) }, \
    { NAME("numLeafBrushes"),   I32(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) },

/// The argument is the row of the fog number: Medal of Honor has no lump of fogs to index.
#define SURFACE_START(...) \
    { NAME("shaderNum"),   I32(1), INDEX(TEXTURES), MAP(face, material) }, \
    __VA_ARGS__, \
    { NAME("surfaceType"), I32(1), MAP(face, type) }, \
    { NAME("firstVert"),   I32(1), FIRST(DRAW_VERTS), MAP(face, first_vert) }, \
    { NAME("numVerts"),    I32(1), COUNT(DRAW_VERTS), MAP(face, num_verts) }, \
    { NAME("firstIndex"),  I32(1), FIRST(DRAW_INDICES), MAP(face, first_index) }, \
    { NAME("numIndexes"),  I32(1), COUNT(DRAW_INDICES), MAP(face, num_indices) },

#define SURFACE_HEAD \
    SURFACE_START({ NAME("fogNum"), I32(1), INDEX_NONE(FOGS), MAP(face, fog) })

/// The position of a surface's light in the lightmap pages, for one style.
#define SURFACE_LIGHT \
    { NAME("lightmapNum"),    I32(1), MAP(face_light, page) }, \
    { NAME("lightmapX"),      I32(1), MAP(face_light, x) }, \
    { NAME("lightmapY"),      I32(1), MAP(face_light, y) }, \
    { NAME("lightmapWidth"),  I32(1), MAP(face_light, width) }, \
    { NAME("lightmapHeight"), I32(1), MAP(face_light, height) },

#define SURFACE_TAIL \
    { NAME("lightmapOrigin"), F32(3), MAP(face_light, origin) }, \
    { NAME("lightmapVecs"),   F32(9), MAP(face_light, vecs) }, \
    { NAME("patchWidth"),     I32(1), MAP(face, patch_width) }, \
    { NAME("patchHeight"),    I32(1), MAP(face, patch_height) },

/// The traits that all variants share. Longest key and value: sheet quake3, 8.
#define QUAKE3_TRAITS \
    .light = BSP_LIGHT_PAGES, .draws_vertices = true, .has_brushes = true, .max_coord = 131072, \
    .unlit_flags = 0x400, .max_entities = 2048, .max_key = 32, .max_value = 1024, \
    .no_phs = 1, .model_runs = true, \
    .dialect = BSP_DIALECT_QUAKE3, \
    .light_gain = 4, .clip = BSP_CLIP_QUAKE3, .game_code = BSP_CODE_QUAKE3, \
    .upright_models = true, .angle_is_yaw = true, .areas = { .movers = true }, \
    .texture_source = BSP_TEXTURES_SHADER, \
    .sky_source = BSP_SKIES_SHADER, .door_lip = 8, .eye_height = 26, \
    .decompile = BSP_DECOMPILE_QUAKE3, \
    .map_game = "Quake 3"
/// Their lights; `made_by`: the compiler, BSP_COMPILER_USUAL where its light is not made again.
#define QUAKE3_LIGHTS(made_by) \
    .lights = { BSP_FALLOFF_PHOTONS, 0, NULL, 1, .compiler = (made_by) }
#define QUAKE3_SURFACES \
    .contents_names = BSP_CONTENTS_QUAKE3, .sight_mask = 1 | 8 | 0x10, .surface = { \
        .sky = 4, .hidden = 0x80 | 0x100 | 0x200, .liquid_contents = 8 | 16 | 32, \
    }

// clang-format on

extern const bsp_layout bspi_quake3_dshader_t, bspi_quake3_dplane3_t, bspi_quake3_dnode_t;
extern const bsp_layout bspi_quake3_dleaf_t, bspi_quake3_leafsurface_t, bspi_quake3_leafbrush_t;
extern const bsp_layout bspi_quake3_dmodel_t, bspi_quake3_dbrush_t, bspi_quake3_dbrushside_t;
extern const bsp_layout bspi_quake3_drawVert_t, bspi_quake3_drawindex_t, bspi_quake3_dfog_t;
extern const bsp_layout bspi_quake3_dlightgrid_t;

#endif
