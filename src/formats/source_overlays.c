// SPDX-License-Identifier: MIT
// Overlays of Source. Sources: sheet source-lumps (4), the seed source-bsp-2025.
#include "formats/source_layouts.h"

// clang-format off

// Only the first m_nFaceCount elements of aFaces count; compilers set the rest to 0. The two parts
// of the integer are masks in the engine, not bit fields, so they are the same in both byte orders.
#define OVERLAY_HEAD \
    { NAME("nId"),            I32(1), MAP(overlay, id) }, \
    { NAME("nTexInfo"),       I16(1), INDEX_NONE(TEXINFO), MAP(overlay, texinfo) }, \
    { NAME("m_nFaceCount"),   U16(1), BITS(0, 14), MAP(overlay, num_faces) }, \
    { NAME("m_nRenderOrder"), U16(1), BITS(14, 2), MAP(overlay, render_order) },

#define WIDE_HEAD \
    { NAME("nId"),            I32(1), MAP(overlay, id) }, \
    { NAME("nTexInfo"),       I32(1), INDEX_NONE(TEXINFO), MAP(overlay, texinfo) }, \
    { NAME("m_nFaceCount"),   U16(1), BITS(0, 14), MAP(overlay, num_faces) }, \
    { NAME("m_nRenderOrder"), U16(1), BITS(14, 2), MAP(overlay, render_order) }, \
    { NAME("padding"),        PAD(2) },

#define OVERLAY_BODY(room) \
    { NAME("aFaces"),         I32(room), INDEX_NONE(FACES), MAP(overlay, faces) }, \
    { NAME("flU"),            F32(2), MAP(overlay, u) }, \
    { NAME("flV"),            F32(2), MAP(overlay, v) }, \
    { NAME("vecUVPoints"),    F32(12), MAP(overlay, uv_points) }, \
    { NAME("vecOrigin"),      F32(3), MAP(overlay, origin) }, \
    { NAME("vecBasisNormal"), F32(3), ROLE(NORMAL), MAP(overlay, normal) },

static const bsp_field overlay_fields[] = { OVERLAY_HEAD OVERLAY_BODY(64) };
SHARED_LAYOUT(doverlay_t, 352, overlay_fields);

static const bsp_field water_overlay_fields[] = { OVERLAY_HEAD OVERLAY_BODY(256) };
SHARED_LAYOUT(dwateroverlay_t, 1120, water_overlay_fields);

// Dota 2 has one more word at the end; 1 hides the overlay in a low-violence game (UpVersion).
static const bsp_field overlay_dota_fields[] = {
    OVERLAY_HEAD OVERLAY_BODY(64)
    { NAME("flags"), U32(1), ROLE(FLAGS) },
};
SHARED_LAYOUT(doverlay_dota_t, 356, overlay_dota_fields);

// Strata and Vindictus. In Vindictus the count has 32 bits, but the order has its usual place and
// no overlay has more than 64 faces, so the bytes are the same.
static const bsp_field overlay_wide_fields[] = { WIDE_HEAD OVERLAY_BODY(64) };
SHARED_LAYOUT(doverlay_wide_t, 356, overlay_wide_fields);

static const bsp_field water_overlay_wide_fields[] = { WIDE_HEAD OVERLAY_BODY(256) };
SHARED_LAYOUT(dwateroverlay_wide_t, 1124, water_overlay_wide_fields);

static const bsp_field fade_fields[] = {
    { NAME("flFadeDistMinSq"), F32(1), MAP(overlay_fade, min_sq) },
    { NAME("flFadeDistMaxSq"), F32(1), MAP(overlay_fade, max_sq) },
};
SHARED_LAYOUT(doverlayfade_t, 8, fade_fields);

static const bsp_field level_fields[] = {
    { NAME("nMinCPULevel"), U8(1), MAP(overlay_level, min_cpu) },
    { NAME("nMaxCPULevel"), U8(1), MAP(overlay_level, max_cpu) },
    { NAME("nMinGPULevel"), U8(1), MAP(overlay_level, min_gpu) },
    { NAME("nMaxGPULevel"), U8(1), MAP(overlay_level, max_gpu) },
};
SHARED_LAYOUT(doverlaysystemlevel_t, 4, level_fields);
// clang-format on
