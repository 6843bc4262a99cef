// SPDX-License-Identifier: MIT
// Detail props of Source: the sections of the game lumps "dprp" (models and sprites), "dplt" and
// "dplh" (their light in several styles). Source: sheet source-lumps (5.1).
#include "formats/source_layouts.h"

// clang-format off
static const bsp_field model_fields[] = {
    { NAME(""), CHARS(128), MAP(detail_model, name) },
};
SHARED_LAYOUT(detail_model_t, 128, model_fields);

static const bsp_field sprite_fields[] = {
    { NAME("m_UL"),    F32(2), MAP(detail_sprite, upper_left) },
    { NAME("m_LR"),    F32(2), MAP(detail_sprite, lower_right) },
    { NAME("m_TexUL"), F32(2), MAP(detail_sprite, tex_upper_left) },
    { NAME("m_TexLR"), F32(2), MAP(detail_sprite, tex_lower_right) },
};
SHARED_LAYOUT(detail_sprite_t, 32, sprite_fields);

// m_DetailModel is an index of a model or of a sprite, as m_Type says; m_LightStyles is an index
// into dplt or dplh, whichever the map has. So neither is the index of one table.
#define PLACE_AND_MODEL \
    { NAME("m_Origin"),      F32(3), MAP(detail_prop, origin) }, \
    { NAME("m_Angles"),      F32(3), MAP(detail_prop, angles) }, \
    { NAME("m_DetailModel"), U16(1), MAP(detail_prop, model) },

#define LOOK \
    { NAME("m_Lighting"),        U8(4), MAP(detail_prop, light) }, \
    { NAME("m_LightStyles"),     U32(1), MAP(detail_prop, first_style) }, \
    { NAME("m_LightStyleCount"), U8(1), MAP(detail_prop, num_styles) }, \
    { NAME("m_SwayAmount"),      U8(1), MAP(detail_prop, sway) }, \
    { NAME("m_ShapeAngle"),      U8(1), MAP(detail_prop, shape_angle) }, \
    { NAME("m_ShapeSize"),       U8(1), MAP(detail_prop, shape_size) }, \
    { NAME("m_Orientation"),     U8(1), MAP(detail_prop, orientation) }, \
    { NAME("m_Padding2"),        PAD(3) }, \
    { NAME("m_Type"),            U8(1), MAP(detail_prop, type) }, \
    { NAME("m_Padding3"),        PAD(3) }, \
    { NAME("m_flScale"),         F32(1), MAP(detail_prop, scale) },

static const bsp_field object_fields[] = {
    PLACE_AND_MODEL
    { NAME("m_Leaf"), U16(1), INDEX(LEAVES), MAP(detail_prop, leaf) },
    LOOK
};
SHARED_LAYOUT(detail_object_t, 52, object_fields);

// In Counter-Strike Online 2 the leaf has 32 bits.
static const bsp_field object_cso2_fields[] = {
    PLACE_AND_MODEL
    { NAME("padding"), PAD(2) },
    { NAME("m_Leaf"),  U32(1), INDEX(LEAVES), MAP(detail_prop, leaf) },
    LOOK
};
SHARED_LAYOUT(detail_object_cso2_t, 56, object_cso2_fields);

static const bsp_field light_style_fields[] = {
    { NAME("m_Lighting"), U8(4), MAP(detail_light, light) },
    { NAME("m_Style"),    U8(1), MAP(detail_light, style) },
};
SHARED_LAYOUT(detail_light_style_t, 5, light_style_fields);

static const bsp_section prop_sections[] = {
    SECTION("models", DETAIL_MODELS, bspi_detail_model_t),
    SECTION("sprites", DETAIL_SPRITES, bspi_detail_sprite_t),
    SECTION("props", DETAIL_PROPS, bspi_detail_object_t),
};
static const bsp_section prop_cso2_sections[] = {
    SECTION("models", DETAIL_MODELS, bspi_detail_model_t),
    SECTION("sprites", DETAIL_SPRITES, bspi_detail_sprite_t),
    SECTION("props", DETAIL_PROPS, bspi_detail_object_cso2_t),
};
static const bsp_section light_sections[] = {
    SECTION("lights", DETAIL_LIGHT, bspi_detail_light_style_t),
};
static const bsp_section light_hdr_sections[] = {
    SECTION("lights", DETAIL_LIGHT_HDR, bspi_detail_light_style_t),
};

// Only version 4 is known.
const bsp_section_list bspi_detail_prop_lists[2] = {
    SECTION_LIST(4, 52, prop_sections),
    SECTION_LIST(BSP_ANY_VERSION, 52, prop_sections),
};
const bsp_section_list bspi_detail_prop_cso2_lists[2] = {
    SECTION_LIST(4, 56, prop_cso2_sections),
    SECTION_LIST(BSP_ANY_VERSION, 56, prop_cso2_sections),
};
const bsp_section_list bspi_detail_light_lists[1] = {
    SECTION_LIST(BSP_ANY_VERSION, 5, light_sections),
};
const bsp_section_list bspi_detail_light_hdr_lists[1] = {
    SECTION_LIST(BSP_ANY_VERSION, 5, light_hdr_sections),
};
// clang-format on
