// SPDX-License-Identifier: MIT
// Flags of Source's brushes, surfaces, leaves, displacements, static props and models, in the
// words of the Source SDK 2013: bspflags.h, bspfile.h, builddisp.h, gamebspfile.h and studio.h.
#ifndef BSPI_SOURCE_FLAGS_H
#define BSPI_SOURCE_FLAGS_H

/// Contents of a brush.
enum {
    BSPI_SOURCE_SOLID = 0x1,
    BSPI_SOURCE_WINDOW = 0x2,
    BSPI_SOURCE_AUX = 0x4,
    BSPI_SOURCE_GRATE = 0x8,
    BSPI_SOURCE_SLIME = 0x10,
    BSPI_SOURCE_WATER = 0x20,
    BSPI_SOURCE_BLOCK_LOS = 0x40,
    BSPI_SOURCE_OPAQUE = 0x80,
    BSPI_SOURCE_TEST_FOG_VOLUME = 0x100,
    BSPI_SOURCE_TEAM1 = 0x800,
    BSPI_SOURCE_TEAM2 = 0x1000,
    BSPI_SOURCE_MOVEABLE = 0x4000,
    BSPI_SOURCE_AREA_PORTAL = 0x8000,
    BSPI_SOURCE_PLAYER_CLIP = 0x10000,
    BSPI_SOURCE_MONSTER_CLIP = 0x20000,
    BSPI_SOURCE_CURRENT_90 = 0x80000,
    BSPI_SOURCE_CURRENT_180 = 0x100000,
    BSPI_SOURCE_ORIGIN = 0x1000000,
    BSPI_SOURCE_MONSTER = 0x2000000,
    BSPI_SOURCE_DEBRIS = 0x4000000,
    BSPI_SOURCE_DETAIL = 0x8000000,
    BSPI_SOURCE_TRANSLUCENT = 0x10000000,
    BSPI_SOURCE_LADDER = 0x20000000,
    BSPI_SOURCE_HITBOX = 0x40000000,
};

/// Of a surface.
enum {
    BSPI_SURF_SKY_2D = 0x2, ///< with BSPI_SURF_SKY: the sky without models
    BSPI_SURF_SKY = 0x4,
    BSPI_SURF_WARP = 0x8,
    BSPI_SURF_TRANS = 0x10,
    BSPI_SURF_TRIGGER = 0x40,
    BSPI_SURF_NODRAW = 0x80,
    BSPI_SURF_HINT = 0x100,
    BSPI_SURF_SKIP = 0x200,
    BSPI_SURF_NOLIGHT = 0x400,
    BSPI_SURF_BUMPLIGHT = 0x800, ///< four luxels where others have one
};

/// Of a leaf.
enum {
    BSPI_LEAF_SKY = 1,    ///< it sees the sky
    BSPI_LEAF_RADIAL = 2, ///< a distance hides what is farther
    BSPI_LEAF_SKY_2D = 4, ///< it sees the sky, but for the part with models
};

/// Of a displacement, where BSPI_DISP_HAS_FLAGS is set: else the field holds the tessellation.
#define BSPI_DISP_NO_PHYSICS 0x2u
#define BSPI_DISP_NO_HULLS 0x4u
#define BSPI_DISP_NO_RAYS 0x8u
#define BSPI_DISP_MULTIBLEND 0x40000000u
#define BSPI_DISP_HAS_FLAGS 0x80000000u

/// Of a static prop.
enum {
    BSPI_PROP_FADES = 0x1,
    BSPI_PROP_LIGHTING_ORIGIN = 0x2,
    BSPI_PROP_IGNORE_NORMALS = 0x8,
    BSPI_PROP_NO_SHADOW = 0x10,
    BSPI_PROP_SCREEN_SPACE_FADE = 0x20, ///< later: in fast reflections
    BSPI_PROP_NO_VERTEX_LIGHT = 0x40,
    BSPI_PROP_NO_SELF_SHADOW = 0x80,
    BSPI_PROP_NO_TEXEL_LIGHT = 0x100,
};

/// Of the head of a model.
enum {
    BSPI_MODEL_STATIC_PROP = 0x10,
    BSPI_MODEL_CASTS_TEXTURES = 0x40000, ///< light comes through it by the alpha of its textures
};

#endif
