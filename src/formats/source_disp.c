// SPDX-License-Identifier: MIT
// Displacements of Source. Sources: sheets source-lumps (3) and source-versions (5.1), the seed
// source-bsp-2025. The records of the format are nested; here they are flat, and each cell has its
// full name.
#include "formats/source_layouts.h"

// clang-format off

// --- neighbours ---------------------------------------------------------------------------------

#define EDGE_NAME(e, s, member) "m_EdgeNeighbors[" #e "].m_SubNeighbors[" #s "]." member

// `index` is the type of a displacement number, which decides the padding.
#define SUB_NEIGHBOR(e, s, index) \
    { NAME(EDGE_NAME(e, s, "m_iNeighbor")), index(1), INDEX_ONES(DISP_INFO), \
      MAP(displacement, edge_##e##_##s##_neighbor) }, \
    { NAME(EDGE_NAME(e, s, "m_NeighborOrientation")), U8(1), \
      MAP(displacement, edge_##e##_##s##_orientation) }, \
    { NAME(EDGE_NAME(e, s, "m_Span")), U8(1), MAP(displacement, edge_##e##_##s##_span) }, \
    { NAME(EDGE_NAME(e, s, "m_NeighborSpan")), U8(1), \
      MAP(displacement, edge_##e##_##s##_neighbor_span) }, \
    { NAME(EDGE_NAME(e, s, "padding")), PAD(1) },

#define EDGE_NEIGHBOR(e, index) SUB_NEIGHBOR(e, 0, index) SUB_NEIGHBOR(e, 1, index)

// Neighbours from m_nNeighbors on are uninitialised memory of the compiler: in many maps neither -1
// nor an index. So the field has no role; the map floor checks those that count.
#define CORNER_NEIGHBOR(c, index, padding) \
    { NAME("m_CornerNeighbors[" #c "].m_Neighbors"), index(4), .unsigned_none = true, \
      MAP(displacement, corner_##c##_neighbors) }, \
    { NAME("m_CornerNeighbors[" #c "].m_nNeighbors"), U8(1), \
      MAP(displacement, corner_##c##_count) }, \
    { NAME("m_CornerNeighbors[" #c "].padding"), PAD(padding) },

#define NEIGHBORS(index, padding) \
    EDGE_NEIGHBOR(0, index) EDGE_NEIGHBOR(1, index) EDGE_NEIGHBOR(2, index) \
    EDGE_NEIGHBOR(3, index) CORNER_NEIGHBOR(0, index, padding) CORNER_NEIGHBOR(1, index, padding) \
    CORNER_NEIGHBOR(2, index, padding) CORNER_NEIGHBOR(3, index, padding)

// --- displacements ------------------------------------------------------------------------------

#define DISP_START \
    { NAME("startPosition"),  F32(3), MAP(displacement, start) }, \
    { NAME("m_iDispVertStart"), I32(1), INDEX(DISP_VERTS), MAP(displacement, first_vert) },

// minTess is a set of flags when its top bit is set. m_iLightmapAlphaStart counts in a lump that
// compilers stopped filling, so it is not an index.
#define DISP_TRI_START \
    { NAME("m_iDispTriStart"), I32(1), INDEX(DISP_TRIS), MAP(displacement, first_tri) },
#define POWER { NAME("power"), I32(1), MAP(displacement, power) },
#define SMOOTHING_ANGLE { NAME("smoothingAngle"), F32(1), MAP(displacement, smoothing_angle) },
#define CONTENTS { NAME("contents"), I32(1), ROLE(CONTENTS), MAP(displacement, contents) },
#define SHAPE \
    POWER { NAME("minTess"), I32(1), ROLE(FLAGS), MAP(displacement, flags) }, \
    SMOOTHING_ANGLE CONTENTS

#define MAP_FACE \
    { NAME("m_iMapFace"), U16(1), INDEX(FACES), MAP(displacement, face) }, \
    { NAME("padding"),    PAD(2) },
#define MAP_FACE32 { NAME("m_iMapFace"), U32(1), INDEX(FACES), MAP(displacement, face) },

#define LIGHT_STARTS \
    { NAME("m_iLightmapAlphaStart"), I32(1), MAP(displacement, alpha_start) }, \
    { NAME("m_iLightmapSamplePositionStart"), I32(1), OFFSET(DISP_SAMPLE_POSITIONS), \
      MAP(displacement, sample_start) },

#define ALLOWED \
    { NAME("m_AllowedVerts"), U32(10), ROLE(FLAGS), MAP(displacement, allowed_verts) },

#define DISP_REST SHAPE MAP_FACE LIGHT_STARTS NEIGHBORS(U16, 1) ALLOWED

static const bsp_field disp_info_fields[] = {
    DISP_START DISP_TRI_START DISP_REST
};
SHARED_LAYOUT(ddispinfo_t, 176, disp_info_fields);

// The beta of Half-Life 2 has no triangle tags.
static const bsp_field disp_info_17_fields[] = { DISP_START DISP_REST };
SHARED_LAYOUT(ddispinfo_17_t, 172, disp_info_17_fields);

// Dota 2. The names and places of the two additional words are those of UpVersion, which converts
// maps of Alien Swarm to Dota 2; the map of the corpus has 0 and -1 there. Version 22 has one
// additional word; another program, which has both words of version 23 in other places, takes it
// for that of the texinfo.
#define REFERENCE { NAME("m_nReferenceID"), I32(1) },
#define OTHER_TEXINFO { NAME("m_nAltTexInfo"), I32(1), INDEX_NONE(TEXINFO) },

static const bsp_field disp_info_22_fields[] = {
    DISP_START DISP_TRI_START SHAPE MAP_FACE OTHER_TEXINFO LIGHT_STARTS NEIGHBORS(U16, 1) ALLOWED
};
SHARED_LAYOUT(ddispinfo_22_t, 180, disp_info_22_fields);

static const bsp_field disp_info_23_fields[] = {
    DISP_START DISP_TRI_START SHAPE REFERENCE MAP_FACE OTHER_TEXINFO LIGHT_STARTS NEIGHBORS(U16, 1)
    ALLOWED
};
SHARED_LAYOUT(ddispinfo_23_t, 184, disp_info_23_fields);

// Numbers of 32 bits where others have 16. The division of the 144 bytes of neighbours follows from
// the widths; no map with neighbours was at hand.
static const bsp_field disp_info_strata_fields[] = {
    DISP_START DISP_TRI_START SHAPE MAP_FACE32 LIGHT_STARTS NEIGHBORS(U32, 3) ALLOWED
};
SHARED_LAYOUT(ddispinfo_strata_t, 232, disp_info_strata_fields);

static const bsp_field disp_info_vindictus_fields[] = {
    DISP_START DISP_TRI_START POWER SMOOTHING_ANGLE { NAME("unknown"), U32(1) }, CONTENTS MAP_FACE32
    LIGHT_STARTS NEIGHBORS(U32, 3) ALLOWED
};
SHARED_LAYOUT(ddispinfo_vindictus_t, 232, disp_info_vindictus_fields);

static const bsp_field disp_vert_fields[] = {
    { NAME("m_vVector"), F32(3), MAP(disp_vert, vec) },
    { NAME("m_flDist"),  F32(1), MAP(disp_vert, dist) },
    { NAME("m_flAlpha"), F32(1), MAP(disp_vert, alpha) },
};
SHARED_LAYOUT(dispvert_t, 20, disp_vert_fields);

static const bsp_field disp_tri_fields[] = {
    { NAME("m_uiTags"), U16(1), ROLE(FLAGS), MAP(disp_tri, value) },
};
SHARED_LAYOUT(disptri_t, 2, disp_tri_fields);

static const bsp_field multiblend_fields[] = {
    { NAME("m_vMultiBlend"),       F32(4), MAP(disp_blend, share) },
    { NAME("m_vAlphaBlend"),       F32(4) },
    { NAME("m_vMultiBlendColors"), F32(12) },
};
SHARED_LAYOUT(dispmultiblend_t, 80, multiblend_fields);
// clang-format on
