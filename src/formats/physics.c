// SPDX-License-Identifier: MIT
// The layouts of the records inside physics lumps. Sources: sheet source-lumps, section 7, and
// public descriptions of the physics engine. The wide records of Strata and the bit order of
// big-endian files were read from maps (mp_lobby of Momentum Mod, shack.360), MOPP solids from
// gg_aim_shotty, the hulls of displacements from shack.360 and test2, where the records fill the
// lump exactly.
#include "formats/composites.h"

#include "formats/table.h"

// clang-format off

// --- models and solids --------------------------------------------------------------------------

static const bsp_field physmodel_fields[] = {
    { NAME("modelIndex"),  I32(1), INDEX_NONE(MODELS) },
    { NAME("dataSize"),    I32(1) },
    { NAME("keydataSize"), I32(1) },
    { NAME("solidCount"),  I32(1) },
};
SHARED_LAYOUT(dphysmodel_t, 16, physmodel_fields);

static const bsp_field phys_size_fields[] = { { NAME(""), I32(1) } };
SHARED_LAYOUT(phys_size_t, 4, phys_size_fields);

static const bsp_field collideheader_fields[] = {
    { NAME("vphysicsID"), U32(1) },
    { NAME("version"),    I16(1) },
    { NAME("modelType"),  I16(1) },
};
SHARED_LAYOUT(collideheader_t, 8, collideheader_fields);

static const bsp_field surfaceheader_fields[] = {
    { NAME("surfaceSize"),   I32(1) },
    { NAME("dragAxisAreas"), F32(3) },
    { NAME("axisMapSize"),   I32(1) },
};
SHARED_LAYOUT(compactsurfaceheader_t, 20, surfaceheader_fields);

static const bsp_field moppheader_fields[] = { { NAME("moppSize"), I32(1) } };
SHARED_LAYOUT(moppsurfaceheader_t, 4, moppheader_fields);

// --- displacements ------------------------------------------------------------------------------

static const bsp_field phys_disp16_fields[] = { { NAME(""), U16(1) } };
static const bsp_field phys_disp32_fields[] = { { NAME(""), U32(1) } };
SHARED_LAYOUT(phys_disp_count_t, 2, phys_disp16_fields);
SHARED_LAYOUT(phys_disp_count32_t, 4, phys_disp32_fields);
SHARED_LAYOUT(phys_disp_size_t, 2, phys_disp16_fields);
SHARED_LAYOUT(phys_disp_size32_t, 4, phys_disp32_fields);

// The convex hulls around a displacement. All fields are bytes, so both byte orders are the same.
static const bsp_field phys_hulls_fields[] = {
    { NAME("hullCount"), U8(1) },
    { NAME("pad"),       PAD(3) },
};
SHARED_LAYOUT(phys_hulls_t, 4, phys_hulls_fields);

static const bsp_field packed_hull_fields[] = {
    { NAME("triangleCount"), U8(1) },
    { NAME("vtriCount"),     U8(1) },
    { NAME("edgeCount"),     U8(1) },
    { NAME("vedgeCount"),    U8(1) },
    { NAME("baseVert"),      U8(1) },
};
SHARED_LAYOUT(packed_hull_t, 5, packed_hull_fields);

static const bsp_field packed_triangle_fields[] = {
    { NAME("edges"),    U8(3) },
    { NAME("opposite"), U8(1) },
};
SHARED_LAYOUT(packed_triangle_t, 4, packed_triangle_fields);

static const bsp_field packed_edge_fields[] = { { NAME(""), U8(2) } };
SHARED_LAYOUT(packed_edge_t, 2, packed_edge_fields);

// --- compact surfaces ---------------------------------------------------------------------------

#define SURFACE_HEAD \
    { NAME("mass_center"),        F32(3) }, \
    { NAME("rotation_inertia"),   F32(3) }, \
    { NAME("upper_limit_radius"), F32(1) },
#define SURFACE_TAIL \
    { NAME("offset_ledgetree_root"), I32(1) }, \
    { NAME("dummy"),                 U32(3) },

static const bsp_field surface_fields[] = {
    SURFACE_HEAD
    { NAME("max_factor_surface_deviation"), U32(1), MIRRORED_BITS(0, 8) },
    { NAME("byte_size"),                    U32(1), MIRRORED_BITS(8, 24) },
    SURFACE_TAIL
};
static LAYOUT(compact_surface_t, 48, surface_fields);

static const bsp_field surface_wide_fields[] = {
    SURFACE_HEAD
    { NAME("max_factor_surface_deviation"), U32(1) },
    { NAME("byte_size"),                    I32(1) },
    { NAME("offset_ledgetree_root"),        I32(1) },
    { NAME("dummy"),                        U32(2) },
    { NAME("pad"),                          PAD(16) },
};
static LAYOUT(compact_surface_wide_t, 64, surface_wide_fields);

#define LEDGE_HEAD \
    { NAME("c_point_offset"), I32(1) }, \
    { NAME("client_data"),    I32(1) },

static const bsp_field ledge_fields[] = {
    LEDGE_HEAD
    { NAME("has_children_flag"), U32(1), MIRRORED_BITS(0, 2) },
    { NAME("is_compact_flag"),   U32(1), MIRRORED_BITS(2, 2) },
    { NAME("dummy"),             U32(1), MIRRORED_BITS(4, 4) },
    { NAME("size_div_16"),       U32(1), MIRRORED_BITS(8, 24) },
    { NAME("n_triangles"),       I16(1) },
    { NAME("for_future_use"),    I16(1) },
};
static LAYOUT(compact_ledge_t, 16, ledge_fields);

static const bsp_field ledge_wide_fields[] = {
    LEDGE_HEAD
    { NAME("has_children_flag"), U32(1), BITS(0, 2) },
    { NAME("is_compact_flag"),   U32(1), BITS(2, 2) },
    { NAME("dummy"),             U32(1), BITS(4, 4) },
    { NAME("size_div_16"),       U32(1), BITS(8, 24) },
    { NAME("n_triangles"),       I32(1) },
    { NAME("pad"),               PAD(48) },
};
static LAYOUT(compact_ledge_wide_t, 64, ledge_wide_fields);

#define EDGE(n) \
    { NAME("start_point_index" #n), U32(1), MIRRORED_BITS(0, 16) }, \
    { NAME("opposite_index" #n),    U32(1), MIRRORED_BITS(16, 15) }, \
    { NAME("is_virtual" #n),        U32(1), MIRRORED_BITS(31, 1) },
#define EDGE_WIDE(n) \
    { NAME("start_point_index" #n), I32(1) }, \
    { NAME("opposite_index" #n),    I32(1) }, \
    { NAME("is_virtual" #n),        I32(1) }, \
    { NAME("pad" #n),               PAD(4) },

static const bsp_field triangle_fields[] = {
    { NAME("tri_index"),      U32(1), MIRRORED_BITS(0, 12) },
    { NAME("pierce_index"),   U32(1), MIRRORED_BITS(12, 12) },
    { NAME("material_index"), U32(1), MIRRORED_BITS(24, 7) },
    { NAME("is_virtual"),     U32(1), MIRRORED_BITS(31, 1) },
    EDGE(0) EDGE(1) EDGE(2)
};
static LAYOUT(compact_triangle_t, 16, triangle_fields);

static const bsp_field triangle_wide_fields[] = {
    { NAME("tri_index"),      I32(1) },
    { NAME("pierce_index"),   I32(1) },
    { NAME("material_index"), I32(1) },
    { NAME("is_virtual"),     I32(1) },
    EDGE_WIDE(0) EDGE_WIDE(1) EDGE_WIDE(2)
};
static LAYOUT(compact_triangle_wide_t, 64, triangle_wide_fields);

// The fourth number is scratch space of the engine.
static const bsp_field point_fields[] = {
    { NAME("k"),    F32(3) },
    { NAME("hesse"), F32(1) },
};
static LAYOUT(compact_poly_point_t, 16, point_fields);

static const bsp_field node_fields[] = {
    { NAME("offset_right_node"),    I32(1) },
    { NAME("offset_compact_ledge"), I32(1) },
    { NAME("center"),               F32(3) },
    { NAME("radius"),               F32(1) },
    { NAME("box_sizes"),            U8(3) },
    { NAME("free_0"),               U8(1) },
};
static LAYOUT(compact_ledgetree_node_t, 28, node_fields);

static const bspi_ivp ivp_usual = {
    &compact_surface_t, &compact_ledge_t, &compact_triangle_t, &compact_poly_point_t,
    &compact_ledgetree_node_t, 32, 36, 44, 12, false, 4, 4,
};
static const bspi_ivp ivp_wide = {
    &compact_surface_wide_t, &compact_ledge_wide_t, &compact_triangle_wide_t,
    &compact_poly_point_t, &compact_ledgetree_node_t, 36, 0, 44, 12, true, 16, 16,
};

// --- MOPP ---------------------------------------------------------------------------------------

// A surface whose tree is MOPP code. Its ledges follow each other.
static const bsp_field compact_mopp_fields[] = {
    SURFACE_HEAD
    { NAME("max_factor_surface_deviation"), U32(1), MIRRORED_BITS(0, 8) },
    { NAME("byte_size"),                    U32(1), MIRRORED_BITS(8, 24) },
    { NAME("offset_ledgetree_root"),        I32(1) },
    { NAME("offset_ledges"),                I32(1) },
    { NAME("size_convex_hull"),             I32(1) },
    { NAME("dummy"),                        U32(1) },
};
SHARED_LAYOUT(compact_mopp_t, 48, compact_mopp_fields);

// The size is that of the code, this head included.
static const bsp_field mopp_code_fields[] = {
    { NAME("size"),   I32(1) },
    { NAME("offset"), F32(3) },
    { NAME("scale"),  F32(1) },
};
SHARED_LAYOUT(mopp_code_t, 20, mopp_code_fields);
// clang-format on

const bspi_ivp *bspi_ivp_layouts(bool wide) {
    return wide ? &ivp_wide : &ivp_usual;
}
