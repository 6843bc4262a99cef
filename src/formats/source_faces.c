// SPDX-License-Identifier: MIT
// Faces of Source in every version, and the lumps parallel to them. Sources: sheet source-versions
// (4), the seeds source-bsp-2025 and source-bsp-v17-and-flags. The lists of a face's brushes and
// the state of original faces were read from the maps of the corpus.
#include "formats/source_layouts.h"

// clang-format off

// --- parts --------------------------------------------------------------------------------------

#define FACE_EDGES \
    { NAME("planenum"),  U16(1), INDEX(PLANES), MAP(face, plane) }, \
    { NAME("side"),      U8(1), MAP(face, flipped) }, \
    { NAME("onNode"),    U8(1), MAP(face, on_node) }, \
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) }, \
    { NAME("numedges"),  I16(1), COUNT(SURFEDGES), MAP(face, num_edges) },

#define FACE_HEAD \
    FACE_EDGES \
    { NAME("texinfo"),            I16(1), INDEX_NONE(TEXINFO), MAP(face, texinfo) }, \
    { NAME("dispinfo"),           I16(1), INDEX_NONE(DISP_INFO), MAP(face, displacement) }, \
    { NAME("surfaceFogVolumeID"), I16(1), MAP(face, fog_volume) },

// The compiler drops unused texinfos at the end and renumbers those of the faces, but not of the
// original faces. From version 20 on their `texinfo` counts in a list that is gone, and is often
// too large. Their light, primitives and `origFace` were never filled.
#define ORIGINAL_HEAD \
    FACE_EDGES \
    { NAME("texinfo"),            I16(1) }, \
    { NAME("dispinfo"),           I16(1), INDEX_NONE(DISP_INFO), MAP(face, displacement) }, \
    { NAME("surfaceFogVolumeID"), I16(1), MAP(face, fog_volume) },

#define STYLES(n) { NAME("styles"), U8(n), MAP(face_light, styles) },

#define LIGHT_OFFSET(lump) \
    { NAME("lightofs"), I32(1), OFFSET_NONE(lump), MAP(face_light, offset) },

#define LUXELS \
    { NAME("area"),                          F32(1), MAP(face, area) }, \
    { NAME("m_LightmapTextureMinsInLuxels"), I32(2), MAP(face_light, mins) }, \
    { NAME("m_LightmapTextureSizeInLuxels"), I32(2), MAP(face_light, size) },

#define ORIGINAL_FACE \
    { NAME("origFace"), I32(1), INDEX_NONE(ORIGINAL_FACES), MAP(face, original) },

// The top bit of m_NumPrims says that the face gets no dynamic shadows.
#define PRIMS \
    { NAME("m_NumPrims"),       U16(1), BITS(0, 15), COUNT(PRIMITIVES), MAP(face, num_prims) }, \
    { NAME("noDynamicShadows"), U16(1), BITS(15, 1), MAP(face, no_dynamic_shadows) }, \
    { NAME("firstPrimID"),      U16(1), FIRST(PRIMITIVES), MAP(face, first_prim) },

#define SMOOTHING \
    { NAME("smoothingGroups"), U32(1), ROLE(FLAGS), MAP(face, smoothing) },

// The fields of an original face after its head: the same bytes, without a meaning.
#define ORIGINAL_LIGHT_OFFSET { NAME("lightofs"), I32(1) },
#define ORIGINAL_ORIGINAL { NAME("origFace"), I32(1) },
#define ORIGINAL_PRIMS \
    { NAME("m_NumPrims"),       U16(1), BITS(0, 15) }, \
    { NAME("noDynamicShadows"), U16(1), BITS(15, 1) }, \
    { NAME("firstPrimID"),      U16(1) },

// Average light of each style, in RGBExp32.
#define AVERAGES(styles) { NAME("m_AvgLightColor"), U8(4 * (styles)) },

// --- version 19 and later -----------------------------------------------------------------------

static const bsp_field face_fields[] = {
    FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_t, 56, face_fields);

static const bsp_field face_hdr_fields[] = {
    FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_t, 56, face_hdr_fields);

static const bsp_field original_fields[] = {
    ORIGINAL_HEAD STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_original_t, 56, original_fields);

// --- version 17: the beta of Half-Life 2 --------------------------------------------------------

static const bsp_field face_17_fields[] = {
    AVERAGES(4) FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE SMOOTHING
};
SHARED_LAYOUT(dface_17_t, 68, face_17_fields);

static const bsp_field original_17_fields[] = {
    AVERAGES(4) ORIGINAL_HEAD STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL SMOOTHING
};
SHARED_LAYOUT(dface_original_17_t, 68, original_17_fields);

// --- version 18 ---------------------------------------------------------------------------------

// Doubt: which of the two primitive words comes first; taken as in version 19.
static const bsp_field face_18_fields[] = {
    AVERAGES(4) FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_18_t, 72, face_18_fields);

static const bsp_field original_18_fields[] = {
    AVERAGES(4) ORIGINAL_HEAD STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL
    ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_original_18_t, 72, original_18_fields);

// --- version 17: Vampire, with eight styles, by day and by night --------------------------------

#define DAY_AND_NIGHT \
    { NAME("day"),   U8(8) }, \
    { NAME("night"), U8(8) },

// The map keeps the first four styles; in a face that is written the others are none.
#define EIGHT_STYLES \
    STYLES(4) \
    { NAME("moreStyles"), U8(4), .unsigned_none = true },

static const bsp_field face_vampire_fields[] = {
    AVERAGES(8) FACE_HEAD EIGHT_STYLES DAY_AND_NIGHT LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE
    SMOOTHING
};
SHARED_LAYOUT(dface_vampire_t, 104, face_vampire_fields);

static const bsp_field original_vampire_fields[] = {
    AVERAGES(8) ORIGINAL_HEAD EIGHT_STYLES DAY_AND_NIGHT ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL
    SMOOTHING
};
SHARED_LAYOUT(dface_original_vampire_t, 104, original_vampire_fields);

// --- INFRA --------------------------------------------------------------------------------------

// As version 19, but it is not known where the primitives are, so nothing refers to them.
static const bsp_field face_infra_fields[] = {
    FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_infra_t, 56, face_infra_fields);

static const bsp_field face_hdr_infra_fields[] = {
    FACE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_infra_t, 56, face_hdr_infra_fields);

// --- 32 bits: Vindictus and Strata --------------------------------------------------------------

#define WIDE_EDGES \
    { NAME("planenum"),  U32(1), INDEX(PLANES), MAP(face, plane) }, \
    { NAME("side"),      U8(1), MAP(face, flipped) }, \
    { NAME("onNode"),    U8(1), MAP(face, on_node) }, \
    { NAME("padding"),   PAD(2) }, \
    { NAME("firstedge"), I32(1), FIRST(SURFEDGES), MAP(face, first_edge) }, \
    { NAME("numedges"),  I32(1), COUNT(SURFEDGES), MAP(face, num_edges) },

#define WIDE_REST \
    { NAME("dispinfo"),           I32(1), INDEX_NONE(DISP_INFO), MAP(face, displacement) }, \
    { NAME("surfaceFogVolumeID"), I32(1), MAP(face, fog_volume) },

#define WIDE_HEAD \
    WIDE_EDGES \
    { NAME("texinfo"), I32(1), INDEX_NONE(TEXINFO), MAP(face, texinfo) }, \
    WIDE_REST

#define WIDE_ORIGINAL_HEAD WIDE_EDGES { NAME("texinfo"), I32(1) }, WIDE_REST

// Vindictus. Doubt: programs differ in the order of the two words and in the place of the flag.
// Taken as in version 19: the count first, the flag in its top bit.
#define VINDICTUS_PRIMS \
    { NAME("m_NumPrims"),       U32(1), BITS(0, 31), COUNT(PRIMITIVES), MAP(face, num_prims) }, \
    { NAME("noDynamicShadows"), U32(1), BITS(31, 1), MAP(face, no_dynamic_shadows) }, \
    { NAME("firstPrimID"),      U32(1), FIRST(PRIMITIVES), MAP(face, first_prim) },
#define VINDICTUS_ORIGINAL_PRIMS \
    { NAME("m_NumPrims"),       U32(1), BITS(0, 31) }, \
    { NAME("noDynamicShadows"), U32(1), BITS(31, 1) }, \
    { NAME("firstPrimID"),      U32(1) },

// Strata has the flag in the lowest bit. In the map of the corpus, which has no primitives, the
// word is 1 in every face, so it more likely says that the face has shadows. It becomes no member
// of the map.
#define WIDE_PRIMS \
    { NAME("dynamicShadows"), U32(1), BITS(0, 1) }, \
    { NAME("m_NumPrims"),     U32(1), BITS(1, 31), COUNT(PRIMITIVES), MAP(face, num_prims) }, \
    { NAME("firstPrimID"),    U32(1), FIRST(PRIMITIVES), MAP(face, first_prim) },
#define WIDE_ORIGINAL_PRIMS \
    { NAME("dynamicShadows"), U32(1), BITS(0, 1) }, \
    { NAME("m_NumPrims"),     U32(1), BITS(1, 31) }, \
    { NAME("firstPrimID"),    U32(1) },

static const bsp_field face_strata_fields[] = {
    WIDE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE WIDE_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_strata_t, 72, face_strata_fields);

static const bsp_field face_hdr_strata_fields[] = {
    WIDE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE WIDE_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_strata_t, 72, face_hdr_strata_fields);

static const bsp_field original_strata_fields[] = {
    WIDE_ORIGINAL_HEAD STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL WIDE_ORIGINAL_PRIMS
    SMOOTHING
};
SHARED_LAYOUT(dface_original_strata_t, 72, original_strata_fields);

// Vindictus, lump version 1.
static const bsp_field face_vindictus_1_fields[] = {
    WIDE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_vindictus_1_t, 72, face_vindictus_1_fields);

static const bsp_field face_hdr_vindictus_1_fields[] = {
    WIDE_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_vindictus_1_t, 72, face_hdr_vindictus_1_fields);

static const bsp_field original_vindictus_1_fields[] = {
    WIDE_ORIGINAL_HEAD STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL
    VINDICTUS_ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_original_vindictus_1_t, 72, original_vindictus_1_fields);

// Vindictus, lump version 2. Doubt: whether the additional word stands before the styles or after
// them; a later client of the game reads it before.
#define UNKNOWN { NAME("unknown"), U32(1) },
static const bsp_field face_vindictus_fields[] = {
    WIDE_HEAD UNKNOWN STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_vindictus_t, 76, face_vindictus_fields);

static const bsp_field face_hdr_vindictus_fields[] = {
    WIDE_HEAD UNKNOWN STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_vindictus_t, 76, face_hdr_vindictus_fields);

static const bsp_field original_vindictus_fields[] = {
    WIDE_ORIGINAL_HEAD UNKNOWN STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS ORIGINAL_ORIGINAL
    VINDICTUS_ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_original_vindictus_t, 76, original_vindictus_fields);

// --- Counter-Strike Online 2 --------------------------------------------------------------------

// Doubt: `dispinfo` has 16 or 32 bits. Read as 16 bits both are the same up to 32767.
#define CSO2_REST \
    { NAME("dispinfo"),           I16(1), INDEX_NONE(DISP_INFO), MAP(face, displacement) }, \
    { NAME("padding2"),           PAD(2) }, \
    { NAME("surfaceFogVolumeID"), I32(1), MAP(face, fog_volume) },

#define CSO2_HEAD \
    WIDE_EDGES \
    { NAME("texinfo"), I32(1), INDEX_NONE(TEXINFO), MAP(face, texinfo) }, \
    CSO2_REST

static const bsp_field face_cso2_fields[] = {
    CSO2_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_cso2_t, 72, face_cso2_fields);

static const bsp_field face_hdr_cso2_fields[] = {
    CSO2_HEAD STYLES(4) LIGHT_OFFSET(LIGHTING_HDR) LUXELS ORIGINAL_FACE VINDICTUS_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_hdr_cso2_t, 72, face_hdr_cso2_fields);

static const bsp_field original_cso2_fields[] = {
    WIDE_EDGES { NAME("texinfo"), I32(1) }, CSO2_REST STYLES(4) ORIGINAL_LIGHT_OFFSET LUXELS
    ORIGINAL_ORIGINAL VINDICTUS_ORIGINAL_PRIMS SMOOTHING
};
SHARED_LAYOUT(dface_original_cso2_t, 72, original_cso2_fields);

// --- parallel to the faces ----------------------------------------------------------------------

static const bsp_field face_id_fields[] = {
    { NAME("hammerfaceid"), U16(1), MAP(face_id, value) },
};
SHARED_LAYOUT(dfaceid_t, 2, face_id_fields);

static const bsp_field face_id32_fields[] = {
    { NAME("hammerfaceid"), U32(1), MAP(face_id, value) },
};
SHARED_LAYOUT(dfaceid32_t, 4, face_id32_fields);

static const bsp_field macro_texture_fields[] = {
    { NAME("m_MacroTextureNameID"), U16(1), INDEX_ONES(STRING_TABLE) },
};
SHARED_LAYOUT(macrotexture_t, 2, macro_texture_fields);

// Version 21: the brushes that a face belongs to. For a face with one brush m_nFaceBrushStart is
// its index; for a face with several it is the first of a run of lump 22. (Read from stopwatch,
// fy_iceworld and csgo_tooltextures; the sheet has the two lumps swapped.)
static const bsp_field face_brush_fields[] = {
    { NAME(""), U16(1), INDEX(BRUSHES) },
};
SHARED_LAYOUT(facebrush_t, 2, face_brush_fields);

static const bsp_field face_brush_list_fields[] = {
    { NAME("m_nFaceBrushCount"), U16(1) },
    { NAME("m_nFaceBrushStart"), U16(1) },
};
SHARED_LAYOUT(dfacebrushlist_t, 4, face_brush_list_fields);

static const bsp_field face_brush_list32_fields[] = {
    { NAME("m_nFaceBrushCount"), U32(1) },
    { NAME("m_nFaceBrushStart"), U32(1) },
};
SHARED_LAYOUT(dfacebrushlist32_t, 8, face_brush_list32_fields);
// clang-format on
