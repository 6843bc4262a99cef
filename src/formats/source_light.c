// SPDX-License-Identifier: MIT
// Light and reflections of Source. Sources: sheets source-lumps (1, 6, 8) and source-versions
// (5.4), the seed source-bsp-2025. The ambient cubes of the first version 20 maps were read from
// the corpus.
#include "formats/source_layouts.h"

// clang-format off
static const bsp_field rgbexp32_fields[] = {
    { NAME("r"),        U8(1) },
    { NAME("g"),        U8(1) },
    { NAME("b"),        U8(1) },
    { NAME("exponent"), I8(1) },
};
SHARED_LAYOUT(ColorRGBExp32, 4, rgbexp32_fields);

// --- world lights -------------------------------------------------------------------------------

#define LIGHT_PLACE \
    { NAME("origin"),    F32(3), MAP(world_light, origin) }, \
    { NAME("intensity"), F32(3), MAP(world_light, intensity) }, \
    { NAME("normal"),    F32(3), MAP(world_light, normal) },

#define LIGHT_REST \
    { NAME("cluster"),        I32(1), MAP(world_light, cluster) }, \
    { NAME("type"),           I32(1), MAP(world_light, type) }, \
    { NAME("style"),          I32(1), MAP(world_light, style) }, \
    { NAME("stopdot"),        F32(1), MAP(world_light, stopdot) }, \
    { NAME("stopdot2"),       F32(1), MAP(world_light, stopdot2) }, \
    { NAME("exponent"),       F32(1), MAP(world_light, exponent) }, \
    { NAME("radius"),         F32(1), MAP(world_light, radius) }, \
    { NAME("constant_attn"),  F32(1), MAP(world_light, constant_attn) }, \
    { NAME("linear_attn"),    F32(1), MAP(world_light, linear_attn) }, \
    { NAME("quadratic_attn"), F32(1), MAP(world_light, quadratic_attn) }, \
    { NAME("flags"),          I32(1), ROLE(FLAGS), MAP(world_light, flags) }, \
    { NAME("texinfo"),        I32(1), INDEX_NONE(TEXINFO), MAP(world_light, texinfo) }, \
    { NAME("owner"),          I32(1), MAP(world_light, owner) },

static const bsp_field world_light_0_fields[] = { LIGHT_PLACE LIGHT_REST };
SHARED_LAYOUT(dworldlight_0_t, 88, world_light_0_fields);

static const bsp_field world_light_fields[] = {
    LIGHT_PLACE
    { NAME("shadow_cast_offset"), F32(3), MAP(world_light, shadow_cast_offset) },
    LIGHT_REST
};
SHARED_LAYOUT(dworldlight_t, 100, world_light_fields);

// Dark Messiah has one more word, which says what the light applies to. Doubt: its place; taken as
// the last.
static const bsp_field world_light_dark_messiah_fields[] = {
    LIGHT_PLACE LIGHT_REST
    { NAME("illuminatePlayers"), U32(1) },
};
SHARED_LAYOUT(dworldlight_dark_messiah_t, 92, world_light_dark_messiah_fields);

// --- ambient light of leaves --------------------------------------------------------------------

// In a leaf without samples firstAmbientSample is the number of a *leaf* whose samples are used.
// With a count of 0 it may be larger than the number of samples.
static const bsp_field ambient_index_fields[] = {
    { NAME("ambientSampleCount"), U16(1), COUNT(AMBIENT), MAP(ambient_index, count) },
    { NAME("firstAmbientSample"), U16(1), FIRST(AMBIENT), MAP(ambient_index, first) },
};
SHARED_LAYOUT(dleafambientindex_t, 4, ambient_index_fields);

static const bsp_field ambient_index_hdr_fields[] = {
    { NAME("ambientSampleCount"), U16(1), COUNT(AMBIENT_HDR), MAP(ambient_index, count) },
    { NAME("firstAmbientSample"), U16(1), FIRST(AMBIENT_HDR), MAP(ambient_index, first) },
};
SHARED_LAYOUT(dleafambientindex_hdr_t, 4, ambient_index_hdr_fields);

static const bsp_field ambient_index32_fields[] = {
    { NAME("ambientSampleCount"), U32(1), COUNT(AMBIENT), MAP(ambient_index, count) },
    { NAME("firstAmbientSample"), U32(1), FIRST(AMBIENT), MAP(ambient_index, first) },
};
SHARED_LAYOUT(dleafambientindex32_t, 8, ambient_index32_fields);

static const bsp_field ambient_index32_hdr_fields[] = {
    { NAME("ambientSampleCount"), U32(1), COUNT(AMBIENT_HDR), MAP(ambient_index, count) },
    { NAME("firstAmbientSample"), U32(1), FIRST(AMBIENT_HDR), MAP(ambient_index, first) },
};
SHARED_LAYOUT(dleafambientindex32_hdr_t, 8, ambient_index32_hdr_fields);

// Six colours in RGBExp32.
#define CUBE { NAME("m_Color"), U8(24), MAP(ambient_sample, cube) },

static const bsp_field ambient_sample_fields[] = {
    CUBE
    { NAME("x"),       U8(1), MAP(ambient_sample, x) },
    { NAME("y"),       U8(1), MAP(ambient_sample, y) },
    { NAME("z"),       U8(1), MAP(ambient_sample, z) },
    { NAME("padding"), PAD(1) },
};
SHARED_LAYOUT(dleafambientlighting_t, 28, ambient_sample_fields);

// The first version 20 compilers wrote one cube for each leaf and no index. The lump's version is
// then the size of a record.
static const bsp_field ambient_cube_fields[] = { CUBE };
SHARED_LAYOUT(CompressedLightCube, 24, ambient_cube_fields);

// --- Xbox: lightmaps with palettes ---------------------------------------------------------------

static const bsp_field light_page_fields[] = {
    { NAME("data"),    U8(256 * 128) },
    { NAME("palette"), U8(256 * 4) },
};
SHARED_LAYOUT(dlightmappage_t, 33792, light_page_fields);

static const bsp_field light_page_info_fields[] = {
    { NAME("page"),     U8(1), INDEX(LIGHTMAP_PAGES) },
    { NAME("offset"),   U8(2) },
    { NAME("padding"),  PAD(1) },
    { NAME("avgColor"), U8(4) },
};
SHARED_LAYOUT(dlightmappageinfo_t, 8, light_page_info_fields);

// --- reflections --------------------------------------------------------------------------------

static const bsp_field cubemap_fields[] = {
    { NAME("origin"),  I32(3), MAP(cubemap, origin) },
    { NAME("size"),    U8(1), MAP(cubemap, size) },
    { NAME("padding"), PAD(3) },
};
SHARED_LAYOUT(dcubemapsample_t, 16, cubemap_fields);
// clang-format on
