// SPDX-License-Identifier: MIT
// The parts of Quake 2's records that its variants share. quake2.c defines the layouts;
// quake2_games.c uses them.
#ifndef BSPI_QUAKE2_LAYOUTS_H
#define BSPI_QUAKE2_LAYOUTS_H

#include "formats/table.h"

// clang-format off

#define QUAKE2_LEAF_HEAD \
    { NAME("contents"), I32(1), ROLE(CONTENTS), MAP(leaf, contents) }, \
    { NAME("cluster"),  I16(1), MAP(leaf, cluster) }, \
    { NAME("area"),     I16(1), INDEX(AREAS), MAP(leaf, area) },

#define QUAKE2_LEAF_BODY \
    { NAME("mins"),           I16(3), ROLE(BOUNDS), MAP(leaf, mins) }, \
    { NAME("maxs"),           I16(3), ROLE(BOUNDS), MAP(leaf, maxs) }, \
    { NAME("firstleafface"),  U16(1), FIRST(LEAF_FACES), MAP(leaf, first_face) }, \
    { NAME("numleaffaces"),   U16(1), COUNT(LEAF_FACES), MAP(leaf, num_faces) }, \
    { NAME("firstleafbrush"), U16(1), FIRST(LEAF_BRUSHES), MAP(leaf, first_brush) }, \
    { NAME("numleafbrushes"), U16(1), COUNT(LEAF_BRUSHES), MAP(leaf, num_brushes) },

#define QUAKE2_BRUSH_SIDE \
    { NAME("planenum"), U16(1), INDEX(PLANES), MAP(brush_side, plane) }, \
    { NAME("texinfo"),  I16(1), INDEX_NONE(TEXINFO), MAP(brush_side, texinfo) },

#define QUAKE2_FACE_HEAD \
    { NAME("planenum"),  U16(1), INDEX(PLANES), MAP(face, plane) }, \
    { NAME("side"),      I16(1), MAP(face, flipped) }, \
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) }, \
    { NAME("numedges"),  I16(1), COUNT(SURFEDGES), MAP(face, num_edges) }, \
    { NAME("texinfo"),   I16(1), INDEX(TEXINFO), MAP(face, texinfo) },

/// The traits that all variants share; the surface traits follow.
#define QUAKE2_TRAITS(coord) \
    .light = BSP_LIGHT_RGB8, .luxel = 16, .has_brushes = true, .max_coord = (coord), \
    .unlit_flags = 4 | 8, .max_entities = 2048, .max_key = 32, .max_value = 1024, \
    .max_token = 128, .dialect = BSP_DIALECT_QUAKE2, \
    .checksum = BSP_CHECKSUM_MD4_FILE, \
    .light_gain = 2, .look = { .alpha = true }, .clip = BSP_CLIP_QUAKE2, \
    .contents_names = BSP_CONTENTS_QUAKE2, .sight_mask = 1 | 8 | 0x10, \
    .vis = { .visible = 0x7f, .through = 0x18000000, .detail = 0x8000000 }, \
    .game_code = BSP_CODE_QUAKE2, \
    .angle_is_yaw = true, \
    .palette_file = "pics/colormap.pcx", .texture_source = BSP_TEXTURES_WAL, \
    .sky_source = BSP_SKIES_QUAKE2, .door_lip = 8, .eye_height = 22, \
    .areas = { .key = "style", .targets = true }, \
    .lights = { BSP_FALLOFF_LINE, 10, "_cone", 1, .compiler = BSP_COMPILER_ID, \
        .other = BSP_COMPILER_ERICW, .stored_least = 1, .stored_most = 196, \
        .range = 1, .bounces = 1, .unit = 128, .bounce_scale = 0.85F, \
        .bounce_tint = 0.5F, .surface_scale = 0.65F, .surface_shows = 64, .surfaces_styled = true }, .decompile = BSP_DECOMPILE_QUAKE2, \
    .map_game = "Quake 2"

// clang-format on

extern const bsp_layout bspi_quake2_dleaf_t;

#endif
