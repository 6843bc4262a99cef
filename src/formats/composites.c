// SPDX-License-Identifier: MIT
// The layouts of the records inside composite lumps. Sources: the sheets goldsrc-quake1 (4, 9),
// quake2 (2), quake3 (3) and source-lumps (3.3, 8).
#include "formats/composites.h"

#include "formats/table.h"

#include <assert.h>
#include <string.h>

// clang-format off

// --- textures -----------------------------------------------------------------------------------

static const bsp_field nummiptex_fields[] = { { NAME(""), I32(1) } };
SHARED_LAYOUT(dmiptexlump_t, 4, nummiptex_fields);

static const bsp_field miptex_fields[] = {
    MIPTEX_HEAD MIPTEX_OFFSETS
};
SHARED_LAYOUT(miptex_t, 40, miptex_fields);

static const bsp_field palette_count_fields[] = { { NAME(""), I16(1) } };
SHARED_LAYOUT(palette_count_t, 2, palette_count_fields);

// --- visibility ---------------------------------------------------------------------------------

static const bsp_field vis_fields[] = { { NAME(""), I32(1) } };
SHARED_LAYOUT(dvis_t, 4, vis_fields);

static const bsp_field vis_offset_fields[] = {
    { NAME(""), I32(2), OFFSET_NONE(VISIBILITY) },
};
SHARED_LAYOUT(dvis_offsets_t, 8, vis_offset_fields);

static const bsp_field vis_matrix_fields[] = {
    { NAME("numclusters"), I32(1) },
    { NAME("rowbytes"),    I32(1) },
};
SHARED_LAYOUT(vis_matrix_t, 8, vis_matrix_fields);

// --- displacement light samples -----------------------------------------------------------------

static const bsp_field sample_fields[] = {
    { NAME("triangle"),    U8(1) },
    { NAME("barycentric"), U8(3) },
};
SHARED_LAYOUT(disp_sample_t, 4, sample_fields);

static const bsp_field sample_escaped_fields[] = {
    { NAME("triangle"),      U8(1) },
    { NAME("triangle_more"), U8(1) },
    { NAME("barycentric"),   U8(3) },
};
SHARED_LAYOUT(disp_sample_escaped_t, 5, sample_escaped_fields);

// --- .lmp files ---------------------------------------------------------------------------------

// The head of a .lmp file (Source SDK, lumpfileheader_t); the lump follows it.
static const bsp_field lump_file_fields[] = {
    { NAME("lumpOffset"),  U32(1) },
    { NAME("lumpID"),      U32(1) },
    { NAME("lumpVersion"), U32(1) },
    { NAME("lumpLength"),  U32(1) },
    { NAME("mapRevision"), U32(1) },
};
SHARED_LAYOUT(lump_file_t, 20, lump_file_fields);

// --- BSPX ---------------------------------------------------------------------------------------

static const bsp_field bspx_lump_fields[] = {
    { NAME("lumpname"), CHARS(24) },
    { NAME("fileofs"),  U32(1), MAP(entry, offset) },
    { NAME("filelen"),  U32(1), MAP(entry, size) },
};
const bsp_layout bspi_bspx_entry_t = {
    "bspx_lump_t", 32, bspx_lump_fields, LENGTH(bspx_lump_fields),
};

static const bsp_field bspx_brushes_model_fields[] = {
    { NAME("ver"),        I32(1) },
    { NAME("modelnum"),   I32(1), INDEX(MODELS) },
    { NAME("numbrushes"), U32(1) },
    { NAME("numplanes"),  U32(1) },
};
SHARED_LAYOUT(bspx_brushes_model_t, 16, bspx_brushes_model_fields);

static const bsp_field bspx_brush_fields[] = {
    { NAME("mins"),      F32(3), ROLE(BOUNDS) },
    { NAME("maxs"),      F32(3), ROLE(BOUNDS) },
    { NAME("contents"),  I16(1) },
    { NAME("numplanes"), U16(1) },
};
SHARED_LAYOUT(bspx_brush_t, 28, bspx_brush_fields);

static const bsp_field bspx_brush_plane_fields[] = {
    { NAME("normal"), F32(3), ROLE(NORMAL) },
    { NAME("dist"),   F32(1) },
};
SHARED_LAYOUT(bspx_brush_plane_t, 16, bspx_brush_plane_fields);

static const bsp_field bspx_count_fields[] = { { NAME(""), U32(1) } };
SHARED_LAYOUT(bspx_count_t, 4, bspx_count_fields);

static const bsp_field bspx_normal_fields[] = { { NAME(""), F32(3), ROLE(NORMAL) } };
SHARED_LAYOUT(bspx_normal_t, 12, bspx_normal_fields);

static const bsp_field bspx_face_normal_fields[] = {
    { NAME("normal"),    U32(1) },
    { NAME("tangent"),   U32(1) },
    { NAME("bitangent"), U32(1) },
};
SHARED_LAYOUT(bspx_face_normal_t, 12, bspx_face_normal_fields);

static const bsp_field lightgrid_header_fields[] = {
    { NAME("grid_dist"),  F32(3) },
    { NAME("grid_size"),  I32(3) },
    { NAME("grid_mins"),  F32(3) },
    { NAME("num_styles"), U8(1) },
    { NAME("root_node"),  U32(1) },
};
SHARED_LAYOUT(lightgrid_header_t, 41, lightgrid_header_fields);

static const bsp_field lightgrid_node_fields[] = {
    { NAME("division_point"), I32(3) },
    { NAME("children"),       U32(8) },
};
SHARED_LAYOUT(lightgrid_node_t, 44, lightgrid_node_fields);

static const bsp_field lightgrid_leaf_fields[] = {
    { NAME("mins"), I32(3) },
    { NAME("size"), I32(3) },
};
SHARED_LAYOUT(lightgrid_leaf_t, 24, lightgrid_leaf_fields);

static const bsp_field lightgrid_sample_fields[] = {
    { NAME("style"), U8(1) },
    { NAME("color"), U8(3) },
};
SHARED_LAYOUT(lightgrid_sample_t, 4, lightgrid_sample_fields);

static const bsp_field lightgrids_leaf_fields[] = {
    { NAME("mins"),       I32(3) },
    { NAME("size"),       I32(3) },
    { NAME("num_styles"), U8(1) },
};
SHARED_LAYOUT(lightgrids_leaf_t, 25, lightgrids_leaf_fields);

static const bsp_field lightgrids_sample_fields[] = {
    { NAME("style"), U8(1) },
    { NAME("sides"), U8(1) },
};
SHARED_LAYOUT(lightgrids_sample_t, 2, lightgrids_sample_fields);

#define CELL { NAME("used_styles"), U8(1) },
#define SAMPLE(n) { NAME("style" #n), U8(1) }, { NAME("color" #n), U8(3) },
static const bsp_field cell0_fields[] = { CELL };
static const bsp_field cell1_fields[] = { CELL SAMPLE(0) };
static const bsp_field cell2_fields[] = { CELL SAMPLE(0) SAMPLE(1) };
static const bsp_field cell3_fields[] = { CELL SAMPLE(0) SAMPLE(1) SAMPLE(2) };
static const bsp_field cell4_fields[] = { CELL SAMPLE(0) SAMPLE(1) SAMPLE(2) SAMPLE(3) };
static LAYOUT(lightgrid_cell0_t, 1, cell0_fields);
static LAYOUT(lightgrid_cell1_t, 5, cell1_fields);
static LAYOUT(lightgrid_cell2_t, 9, cell2_fields);
static LAYOUT(lightgrid_cell3_t, 13, cell3_fields);
static LAYOUT(lightgrid_cell4_t, 17, cell4_fields);

static const bsp_field e5bgr9_fields[] = { { NAME(""), U32(1) } };
static LAYOUT(e5bgr9_t, 4, e5bgr9_fields);

static const bsp_field style_fields[] = { { NAME(""), U8(4) } };
static LAYOUT(lmstyle_t, 4, style_fields);

static const bsp_field style16_fields[] = { { NAME(""), U16(1) } };
static const bsp_field style16x2_fields[] = { { NAME(""), U16(2) } };
static const bsp_field style16x4_fields[] = { { NAME(""), U16(4) } };
static const bsp_field style16x8_fields[] = { { NAME(""), U16(8) } };
static const bsp_field style16x16_fields[] = { { NAME(""), U16(16) } };
static LAYOUT(lmstyle16_t, 2, style16_fields);
static LAYOUT(lmstyle16x2_t, 4, style16x2_fields);
static LAYOUT(lmstyle16x4_t, 8, style16x4_fields);
static LAYOUT(lmstyle16x8_t, 16, style16x8_fields);
static LAYOUT(lmstyle16x16_t, 32, style16x16_fields);

static const bsp_field decoupled_fields[] = {
    { NAME("lmwidth"),           U16(1) },
    { NAME("lmheight"),          U16(1) },
    { NAME("offset"),            I32(1), OFFSET_NONE(LIGHTING) },
    { NAME("world_to_lm_space"), F32(8) },
};
static LAYOUT(decoupled_lm_info_t, 40, decoupled_fields);

static const struct {
    const char *name;
    const bsp_layout *layout;
} bspx_arrays[] = {
    { "DECOUPLED_LM",    &decoupled_lm_info_t },
    { "LIGHTINGDIR",     &bspi_rgb_t },
    { "LIGHTING_E5BGR9", &e5bgr9_t },
    { "LMOFFSET",        &bspi_bare_i32_t },
    { "LMSHIFT",         &bspi_bare_u8_t },
    { "LMSTYLE",         &lmstyle_t },
    { "LMSTYLE16",       &lmstyle16_t },
    { "RGBLIGHTING",     &bspi_rgb_t },
    { "VERTEXNORMALS",   &bspi_bspx_normal_t },
};
// clang-format on

// --- lookup -------------------------------------------------------------------------------------

const bsp_layout *bsp_bspx_layout(const char *name) {
    assert(name != NULL);
    for (uint32_t i = 0; i < LENGTH(bspx_arrays); i++) {
        if (strcmp(name, bspx_arrays[i].name) == 0) {
            return bspx_arrays[i].layout;
        }
    }
    return NULL;
}

const bsp_layout *bspi_style16_layout(uint32_t styles) {
    switch (styles) {
    case 1:
        return &lmstyle16_t;
    case 2:
        return &lmstyle16x2_t;
    case 4:
        return &lmstyle16x4_t;
    case 8:
        return &lmstyle16x8_t;
    case 16:
        return &lmstyle16x16_t;
    default:
        return NULL;
    }
}

const bsp_layout *bspi_lightgrid_cell(uint32_t samples) {
    static const bsp_layout *const cells[] = {
        &lightgrid_cell0_t, &lightgrid_cell1_t, &lightgrid_cell2_t,
        &lightgrid_cell3_t, &lightgrid_cell4_t,
    };
    return samples < LENGTH(cells) ? cells[samples] : NULL;
}
