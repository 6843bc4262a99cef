// SPDX-License-Identifier: MIT
// Static props in every version, and the sections of the game lump "sprp". The version number alone
// does not tell the layout: branches added fields under numbers that others used too, so the record
// size decides as well. Sources: sheet source-versions (6), the seed source-bsp-2025.
#include "formats/source_layouts.h"

// clang-format off

// --- parts --------------------------------------------------------------------------------------

#define PLACE \
    { NAME("m_Origin"),    F32(3), MAP(static_prop, origin) }, \
    { NAME("m_Angles"),    F32(3), MAP(static_prop, angles) }, \
    { NAME("m_PropType"),  U16(1), INDEX(STATIC_PROP_MODELS), MAP(static_prop, model) }, \
    { NAME("m_FirstLeaf"), U16(1), FIRST(STATIC_PROP_LEAVES), MAP(static_prop, first_leaf) }, \
    { NAME("m_LeafCount"), U16(1), COUNT(STATIC_PROP_LEAVES), MAP(static_prop, num_leaves) }, \
    { NAME("m_Solid"),     U8(1), MAP(static_prop, solid) },

#define FLAGS8 { NAME("m_Flags"), U8(1), ROLE(FLAGS), MAP(static_prop, flags) },
#define FLAGS32 { NAME("m_Flags"), U32(1), ROLE(FLAGS), MAP(static_prop, flags) },
#define SKIN { NAME("m_Skin"), I32(1), MAP(static_prop, skin) },

#define FADES \
    { NAME("m_FadeMinDist"), F32(1), MAP(static_prop, fade_min) }, \
    { NAME("m_FadeMaxDist"), F32(1), MAP(static_prop, fade_max) },

#define LIGHTING_ORIGIN { NAME("m_LightingOrigin"), F32(3), MAP(static_prop, lighting_origin) },
#define FORCED_FADE { NAME("m_flForcedFadeScale"), F32(1), MAP(static_prop, forced_fade_scale) },

#define DX_LEVELS \
    { NAME("m_nMinDXLevel"), U16(1), MAP(static_prop, min_dx) }, \
    { NAME("m_nMaxDXLevel"), U16(1), MAP(static_prop, max_dx) },

#define CPU_GPU \
    { NAME("m_nMinCPULevel"), U8(1), MAP(static_prop, min_cpu) }, \
    { NAME("m_nMaxCPULevel"), U8(1), MAP(static_prop, max_cpu) }, \
    { NAME("m_nMinGPULevel"), U8(1), MAP(static_prop, min_gpu) }, \
    { NAME("m_nMaxGPULevel"), U8(1), MAP(static_prop, max_gpu) },

#define COLOR { NAME("m_DiffuseModulation"), U8(4), MAP(static_prop, color) },

#define LIGHTMAP_SIZE \
    { NAME("m_nLightmapResolutionX"), U16(1), MAP(static_prop, lightmap_width) }, \
    { NAME("m_nLightmapResolutionY"), U16(1), MAP(static_prop, lightmap_height) },

#define X360 \
    { NAME("m_bDisableX360"), U8(1), MAP(static_prop, disable_x360) }, \
    { NAME("padding"),        PAD(3) },

#define FLAGS_EX { NAME("m_FlagsEx"), U32(1), ROLE(FLAGS), MAP(static_prop, flags_ex) },
#define SCALE { NAME("m_flUniformScale"), F32(1), MAP(static_prop, scale) },
#define TARGET_NAME { NAME("m_TargetName"), CHARS(128) },

// --- Valve's versions ---------------------------------------------------------------------------

#define V4 PLACE FLAGS8 SKIN FADES LIGHTING_ORIGIN
#define V5 V4 FORCED_FADE
#define V6 V5 DX_LEVELS
#define V8 V5 CPU_GPU COLOR
#define V9 V8 X360
#define V10_CSGO V9 FLAGS_EX
// The flags moved to the end and became wider; their old byte stayed as padding.
#define V10 \
    PLACE { NAME("padding"), PAD(1) }, SKIN FADES LIGHTING_ORIGIN FORCED_FADE DX_LEVELS FLAGS32 \
    LIGHTMAP_SIZE

static const bsp_field v4_fields[] = { V4 };
SHARED_LAYOUT(static_prop_4_t, 56, v4_fields);

static const bsp_field v5_fields[] = { V5 };
SHARED_LAYOUT(static_prop_5_t, 60, v5_fields);

static const bsp_field v6_fields[] = { V6 };
SHARED_LAYOUT(static_prop_6_t, 64, v6_fields);

static const bsp_field v7_fields[] = { V6 COLOR };
SHARED_LAYOUT(static_prop_7_t, 68, v7_fields);

static const bsp_field v8_fields[] = { V8 };
SHARED_LAYOUT(static_prop_8_t, 68, v8_fields);

static const bsp_field v9_fields[] = { V9 };
SHARED_LAYOUT(static_prop_9_t, 72, v9_fields);

static const bsp_field v10_fields[] = { V10 };
SHARED_LAYOUT(static_prop_10_t, 72, v10_fields);

static const bsp_field v10_csgo_fields[] = { V10_CSGO };
SHARED_LAYOUT(static_prop_10_csgo_t, 76, v10_csgo_fields);

// Doubt: the order of the last three words; another program reads flags, scale, unknown.
static const bsp_field v11_csgo_fields[] = { V10_CSGO SCALE };
SHARED_LAYOUT(static_prop_11_csgo_t, 80, v11_csgo_fields);

// The map has one scale for all axes, so this one stays in the record.
static const bsp_field v13_fields[] = { V10_CSGO { NAME("m_Scale"), F32(3) } };
SHARED_LAYOUT(static_prop_13_t, 88, v13_fields);

// --- other games --------------------------------------------------------------------------------

static const bsp_field v5_ship_fields[] = { V5 TARGET_NAME };
SHARED_LAYOUT(static_prop_5_ship_t, 188, v5_ship_fields);

static const bsp_field v6_bgt_fields[] = { V6 TARGET_NAME };
SHARED_LAYOUT(static_prop_6_bgt_t, 192, v6_bgt_fields);

static const bsp_field v6_dark_messiah_fields[] = { V6 { NAME("unknown"), U8(72) } };
SHARED_LAYOUT(static_prop_6_dark_messiah_t, 136, v6_dark_messiah_fields);

static const bsp_field v7_zeno_fields[] = { V6 { NAME("unknown"), I32(1) } };
SHARED_LAYOUT(static_prop_7_zeno_t, 68, v7_zeno_fields);

// Doubt: the last word is taken for a scale because of its type.
static const bsp_field v7_ftb_fields[] = { V5 CPU_GPU COLOR { NAME("unknown"), U32(1) }, SCALE };
SHARED_LAYOUT(static_prop_7_ftb_t, 76, v7_ftb_fields);

static const bsp_field v8_vindictus_fields[] = { V6 { NAME("unknown"), U8(8) } };
SHARED_LAYOUT(static_prop_8_vindictus_t, 72, v8_vindictus_fields);

// The three floats in the place of the lighting origin are not a position.
static const bsp_field v9_dear_esther_fields[] = {
    PLACE FLAGS8
    { NAME("unknown"),  U32(1) },
    SKIN FADES
    { NAME("unknown2"), U8(12) },
    FORCED_FADE CPU_GPU
    { NAME("unknown3"), U8(1) },
    COLOR
    { NAME("padding"),  PAD(3) },
};
SHARED_LAYOUT(static_prop_9_dear_esther_t, 76, v9_dear_esther_fields);

static const bsp_field v11_lite_fields[] = { V10 COLOR };
SHARED_LAYOUT(static_prop_11_lite_t, 76, v11_lite_fields);

static const bsp_field v11_black_mesa_fields[] = { V10 COLOR FLAGS_EX };
SHARED_LAYOUT(static_prop_11_black_mesa_t, 80, v11_black_mesa_fields);

// Counter-Strike Online 2: leaves have 32 bits, and the following fields are aligned to that.
#define CSO2_V4 \
    { NAME("m_Origin"),    F32(3), MAP(static_prop, origin) }, \
    { NAME("m_Angles"),    F32(3), MAP(static_prop, angles) }, \
    { NAME("m_PropType"),  U16(1), INDEX(STATIC_PROP_MODELS), MAP(static_prop, model) }, \
    { NAME("padding"),     PAD(2) }, \
    { NAME("m_FirstLeaf"), U32(1), FIRST(STATIC_PROP_LEAVES), MAP(static_prop, first_leaf) }, \
    { NAME("m_LeafCount"), U32(1), COUNT(STATIC_PROP_LEAVES), MAP(static_prop, num_leaves) }, \
    { NAME("m_Solid"),     U8(1), MAP(static_prop, solid) }, \
    FLAGS8 \
    { NAME("padding2"),    PAD(2) }, \
    SKIN FADES LIGHTING_ORIGIN
#define CSO2_V6 CSO2_V4 FORCED_FADE DX_LEVELS

static const bsp_field v4_cso2_fields[] = { CSO2_V4 };
SHARED_LAYOUT(static_prop_4_cso2_t, 64, v4_cso2_fields);

static const bsp_field v6_cso2_fields[] = { CSO2_V6 };
SHARED_LAYOUT(static_prop_6_cso2_t, 72, v6_cso2_fields);

static const bsp_field v7_cso2_fields[] = { CSO2_V6 { NAME("unknown"), U8(112) } };
SHARED_LAYOUT(static_prop_7_cso2_t, 184, v7_cso2_fields);

// --- Titanfall ----------------------------------------------------------------------------------

#define COLLISION(word) \
    { NAME("m_CollisionFlagsAdd"),    word(1), ROLE(FLAGS) }, \
    { NAME("m_CollisionFlagsRemove"), word(1), ROLE(FLAGS) },

static const bsp_field v12_titanfall_fields[] = {
    PLACE FLAGS8
    { NAME("m_Skin"),       I16(1), MAP(static_prop, skin) },
    { NAME("m_EnvCubemap"), I16(1) },
    FADES LIGHTING_ORIGIN FORCED_FADE CPU_GPU COLOR
    { NAME("m_bDisableX360"), I32(1), MAP(static_prop, disable_x360) },
    { NAME("m_Scale"),        F32(1), MAP(static_prop, scale) },
    COLLISION(U32)
};
SHARED_LAYOUT(static_prop_12_titanfall_t, 84, v12_titanfall_fields);

// Apex Legends has these too. There are no lists of leaves.
static const bsp_field v13_titanfall2_fields[] = {
    { NAME("m_Origin"),     F32(3), MAP(static_prop, origin) },
    { NAME("m_Angles"),     F32(3), MAP(static_prop, angles) },
    { NAME("m_Scale"),      F32(1), MAP(static_prop, scale) },
    { NAME("m_PropType"),   U16(1), INDEX(STATIC_PROP_MODELS), MAP(static_prop, model) },
    { NAME("m_Solid"),      U8(1), MAP(static_prop, solid) },
    FLAGS8
    { NAME("m_Skin"),       U16(1), MAP(static_prop, skin) },
    { NAME("m_EnvCubemap"), U16(1) },
    FORCED_FADE LIGHTING_ORIGIN CPU_GPU COLOR
    COLLISION(U16)
};
SHARED_LAYOUT(static_prop_13_titanfall2_t, 64, v13_titanfall2_fields);

// --- before the records --------------------------------------------------------------------------

static const bsp_field model_fields[] = {
    { NAME(""), CHARS(128), MAP(prop_model, name) },
};
SHARED_LAYOUT(static_prop_model_t, 128, model_fields);

static const bsp_field leaf_fields[] = {
    { NAME(""), U16(1), INDEX(LEAVES), MAP(prop_leaf, value) },
};
SHARED_LAYOUT(static_prop_leaf_t, 2, leaf_fields);

static const bsp_field leaf32_fields[] = {
    { NAME(""), U32(1), INDEX(LEAVES), MAP(prop_leaf, value) },
};
SHARED_LAYOUT(static_prop_leaf32_t, 4, leaf32_fields);

static const bsp_field scale_fields[] = {
    { NAME("propIndex"), I32(1), INDEX(STATIC_PROPS) },
    { NAME("scale"),     F32(3) },
};
SHARED_LAYOUT(static_prop_scale_t, 16, scale_fields);

// --- sections -----------------------------------------------------------------------------------

#define MODELS SECTION("models", STATIC_PROP_MODELS, bspi_static_prop_model_t),
#define LEAVES SECTION("leaves", STATIC_PROP_LEAVES, bspi_static_prop_leaf_t),
#define LEAVES32 SECTION("leaves", STATIC_PROP_LEAVES, bspi_static_prop_leaf32_t),
#define MORE_NAMES SECTION("names", NONE, bspi_static_prop_model_t),
#define SCALES SECTION("scales", NONE, bspi_static_prop_scale_t),
#define PROPS(version) SECTION("props", STATIC_PROPS, bspi_static_prop_##version##_t),

#define SECTIONS(version) \
    static const bsp_section sections_##version[] = { MODELS LEAVES PROPS(version) }

SECTIONS(4);
SECTIONS(5);
SECTIONS(5_ship);
SECTIONS(6);
SECTIONS(6_bgt);
SECTIONS(6_dark_messiah);
SECTIONS(7);
SECTIONS(7_ftb);
SECTIONS(8);
SECTIONS(9);
SECTIONS(9_dear_esther);
SECTIONS(10);
SECTIONS(10_csgo);
SECTIONS(11_lite);
SECTIONS(11_black_mesa);
SECTIONS(11_csgo);

static const bsp_section sections_7_zeno[] = { MODELS MORE_NAMES LEAVES PROPS(7_zeno) };
// Strata. Doubt: one program takes its version 12 for the 80 bytes of Black Mesa, another for those
// of CS:GO. Strata is derived from CS:GO's branch.
static const bsp_section sections_12[] = { MODELS LEAVES32 PROPS(11_csgo) };
static const bsp_section sections_13[] = { MODELS LEAVES32 PROPS(13) };

static const bsp_section sections_4_cso2[] = { MODELS LEAVES32 PROPS(4_cso2) };
static const bsp_section sections_6_cso2[] = { MODELS LEAVES32 PROPS(6_cso2) };
static const bsp_section sections_7_cso2[] = { MODELS LEAVES32 PROPS(7_cso2) };

// Undocumented versions and sizes: only the fields that all versions begin with.
static const bsp_section sections_4_wide[] = { MODELS LEAVES32 PROPS(4) };
#define UNKNOWN_SIZES PREFIX_LIST(sections_4), PREFIX_LIST(sections_4_wide),

// Sorted by likelihood among those of one version. Version 11 with 80 bytes is that of CS:GO or of
// Black Mesa, as the branch says.
#define LISTS(sections_11_80) \
    SECTION_LIST(4, 56, sections_4), \
    SECTION_LIST(5, 60, sections_5), \
    SECTION_LIST(5, 188, sections_5_ship), \
    SECTION_LIST(6, 64, sections_6), \
    SECTION_LIST(6, 136, sections_6_dark_messiah), \
    SECTION_LIST(6, 192, sections_6_bgt), \
    SECTION_LIST(7, 72, sections_10), \
    SECTION_LIST(7, 68, sections_7), \
    SECTION_LIST(7, 68, sections_7_zeno), \
    SECTION_LIST(7, 76, sections_7_ftb), \
    SECTION_LIST(8, 68, sections_8), \
    SECTION_LIST(9, 72, sections_9), \
    SECTION_LIST(9, 76, sections_9_dear_esther), \
    SECTION_LIST(10, 72, sections_10), \
    SECTION_LIST(10, 76, sections_10_csgo), \
    SECTION_LIST(11, 80, sections_11_80), \
    SECTION_LIST(11, 76, sections_11_lite), \
    SECTION_LIST(12, 80, sections_12), \
    SECTION_LIST(13, 88, sections_13), \
    UNKNOWN_SIZES

const bsp_section_list bspi_static_prop_lists[BSPI_NUM_STATIC_PROP_LISTS] = {
    LISTS(sections_11_black_mesa)
};
const bsp_section_list bspi_static_prop_21_lists[BSPI_NUM_STATIC_PROP_LISTS] = {
    LISTS(sections_11_csgo)
};

const bsp_section_list bspi_static_prop_cso2_lists[BSPI_NUM_CSO2_PROP_LISTS] = {
    SECTION_LIST(6, 72, sections_6_cso2),
    SECTION_LIST(7, 184, sections_7_cso2),
    SECTION_LIST(BSP_ANY_VERSION, 72, sections_6_cso2),
    PREFIX_LIST(sections_4_cso2),
};

// Vindictus has a table of scales before the records from version 6 on.
static const bsp_section sections_6_old_vindictus[] = { MODELS LEAVES SCALES PROPS(5) };
static const bsp_section sections_6_vindictus[] = { MODELS LEAVES SCALES PROPS(6) };
static const bsp_section sections_4_vindictus[] = { MODELS LEAVES SCALES PROPS(4) };
static const bsp_section sections_8_vindictus[] = { MODELS LEAVES SCALES PROPS(8_vindictus) };

const bsp_section_list bspi_static_prop_vindictus_lists[BSPI_NUM_VINDICTUS_PROP_LISTS] = {
    SECTION_LIST(5, 60, sections_5),
    SECTION_LIST(6, 60, sections_6_old_vindictus),
    SECTION_LIST(6, 64, sections_6_vindictus),
    SECTION_LIST(7, 64, sections_6_vindictus),
    SECTION_LIST(8, 72, sections_8_vindictus),
    PREFIX_LIST(sections_4_vindictus),
};
// clang-format on
