// SPDX-License-Identifier: MIT
// The layouts of the records inside composite lumps: textures, visibility, physics, displacement
// samples, zip archives and BSPX. The parsers in src/records find the records.
#ifndef BSPI_COMPOSITES_H
#define BSPI_COMPOSITES_H

#include "bspkit/formats.h"

// Single values that several composites use (common.c).
extern const bsp_layout bspi_bare_u8_t, bspi_bare_i32_t, bspi_rgb_t;

// Textures of Quake and GoldSrc: bytes of a name, mips, colours of a palette and its bytes.
#define BSPI_MIPTEX_NAME_SIZE 16u
#define BSPI_MIPTEX_MIPS 4u
#define BSPI_PALETTE_COLORS 256u
#define BSPI_PALETTE_SIZE (3 * BSPI_PALETTE_COLORS)
extern const bsp_layout bspi_dmiptexlump_t, bspi_miptex_t, bspi_palette_count_t;
enum { BSPI_MIPTEX_NAME, BSPI_MIPTEX_WIDTH, BSPI_MIPTEX_HEIGHT, BSPI_MIPTEX_OFFSETS };

// Visibility: the heads and the offsets of Quake 2 and Source, the head of Quake 3.
extern const bsp_layout bspi_dvis_t, bspi_dvis_offsets_t, bspi_vis_matrix_t;

// Displacement light samples: a triangle number in one byte, or in two (255, then the rest).
extern const bsp_layout bspi_disp_sample_t, bspi_disp_sample_escaped_t;

// Physics (physics.c).
extern const bsp_layout bspi_dphysmodel_t, bspi_phys_size_t, bspi_collideheader_t;
extern const bsp_layout bspi_compactsurfaceheader_t, bspi_moppsurfaceheader_t;
extern const bsp_layout bspi_phys_disp_count_t, bspi_phys_disp_count32_t, bspi_phys_disp_size_t,
    bspi_phys_disp_size32_t;
extern const bsp_layout bspi_phys_hulls_t, bspi_packed_hull_t, bspi_packed_triangle_t,
    bspi_packed_edge_t;
extern const bsp_layout bspi_compact_mopp_t, bspi_mopp_code_t;
enum {
    BSPI_PACKED_HULL_TRIANGLES,
    BSPI_PACKED_HULL_VIRTUAL,
    BSPI_PACKED_HULL_EDGES,
    BSPI_PACKED_HULL_VIRTUAL_EDGES,
    BSPI_PACKED_HULL_BASE,
};

/// How a version of the physics engine stores a compact surface. All members are byte offsets.
typedef struct bspi_ivp {
    const bsp_layout *surface;
    const bsp_layout *ledge;
    const bsp_layout *triangle;
    const bsp_layout *point;
    const bsp_layout *node;
    uint32_t root;      ///< in `surface`: the offset of the tree's root
    uint32_t row;       ///< in a MOPP surface: the offset of its ledges
    uint32_t mark;      ///< in `surface`: the mark "IVPS"
    uint32_t triangles; ///< in `ledge`: the count of triangles
    bool wide; ///< the count of triangles has 32 bits, and an edge is three words (Strata, 0x101)
    uint32_t first_edge;  ///< in `triangle`: the first edge
    uint32_t edge_stride; ///< bytes from one edge to the next
} bspi_ivp;

/// Returns the layouts of compact surfaces; `wide` selects those of version 0x101.
const bspi_ivp *bspi_ivp_layouts(bool wide);

// Zip archives, which are always little-endian.
/// Flag of a file in a zip: its sizes follow its data.
#define BSPI_ZIP_DESCRIBED 8u
extern const bsp_layout bspi_zip_local_t, bspi_zip_central_t, bspi_zip_end_t, bspi_zip_descriptor_t;
extern const bsp_layout bspi_cs_zip_local_t, bspi_cs_zip_central_t, bspi_cs_zip_end_t;
extern const bsp_layout bspi_zip_lzma_t;
// Their fields.
enum {
    BSPI_ZIP_LOCAL_SIGNATURE,
    BSPI_ZIP_LOCAL_VERSION_NEEDED,
    BSPI_ZIP_LOCAL_FLAGS,
    BSPI_ZIP_LOCAL_METHOD,
    BSPI_ZIP_LOCAL_TIME,
    BSPI_ZIP_LOCAL_DATE,
    BSPI_ZIP_LOCAL_CRC,
    BSPI_ZIP_LOCAL_COMPRESSED_SIZE,
    BSPI_ZIP_LOCAL_UNCOMPRESSED_SIZE,
    BSPI_ZIP_LOCAL_NAME_LENGTH,
    BSPI_ZIP_LOCAL_EXTRA_LENGTH,
};
enum {
    BSPI_ZIP_CENTRAL_SIGNATURE,
    BSPI_ZIP_CENTRAL_VERSION_MADE_BY,
    BSPI_ZIP_CENTRAL_VERSION_NEEDED,
    BSPI_ZIP_CENTRAL_FLAGS,
    BSPI_ZIP_CENTRAL_METHOD,
    BSPI_ZIP_CENTRAL_TIME,
    BSPI_ZIP_CENTRAL_DATE,
    BSPI_ZIP_CENTRAL_CRC,
    BSPI_ZIP_CENTRAL_COMPRESSED_SIZE,
    BSPI_ZIP_CENTRAL_UNCOMPRESSED_SIZE,
    BSPI_ZIP_CENTRAL_NAME_LENGTH,
    BSPI_ZIP_CENTRAL_EXTRA_LENGTH,
    BSPI_ZIP_CENTRAL_COMMENT_LENGTH,
    BSPI_ZIP_CENTRAL_DISK,
    BSPI_ZIP_CENTRAL_INTERNAL,
    BSPI_ZIP_CENTRAL_EXTERNAL,
    BSPI_ZIP_CENTRAL_OFFSET,
};
enum {
    BSPI_ZIP_END_SIGNATURE,
    BSPI_ZIP_END_DISK,
    BSPI_ZIP_END_DIRECTORY_DISK,
    BSPI_ZIP_END_DISK_ENTRIES,
    BSPI_ZIP_END_ENTRIES,
    BSPI_ZIP_END_DIRECTORY_SIZE,
    BSPI_ZIP_END_DIRECTORY_OFFSET,
    BSPI_ZIP_END_COMMENT_LENGTH,
};
enum {
    BSPI_CS_ZIP_LOCAL_SIGNATURE,
    BSPI_CS_ZIP_LOCAL_UNUSED,
    BSPI_CS_ZIP_LOCAL_CRC,
    BSPI_CS_ZIP_LOCAL_COMPRESSED_SIZE,
    BSPI_CS_ZIP_LOCAL_UNCOMPRESSED_SIZE,
    BSPI_CS_ZIP_LOCAL_NAME_LENGTH,
};
enum {
    BSPI_CS_ZIP_CENTRAL_SIGNATURE,
    BSPI_CS_ZIP_CENTRAL_UNUSED,
    BSPI_CS_ZIP_CENTRAL_CRC,
    BSPI_CS_ZIP_CENTRAL_UNCOMPRESSED_SIZE,
    BSPI_CS_ZIP_CENTRAL_COMPRESSED_SIZE,
    BSPI_CS_ZIP_CENTRAL_NAME_LENGTH,
    BSPI_CS_ZIP_CENTRAL_UNKNOWN,
    BSPI_CS_ZIP_CENTRAL_OFFSET,
};
enum {
    BSPI_CS_ZIP_END_SIGNATURE,
    BSPI_CS_ZIP_END_UNUSED,
    BSPI_CS_ZIP_END_FILES,
    BSPI_CS_ZIP_END_ENTRIES,
    BSPI_CS_ZIP_END_DIRECTORY_SIZE,
    BSPI_CS_ZIP_END_FILES_SIZE,
    BSPI_CS_ZIP_END_ONE,
    BSPI_CS_ZIP_END_UNUSED2,
};
enum { BSPI_ZIP_LZMA_VERSION, BSPI_ZIP_LZMA_SIZE };

// Files that hold one lump (.lmp).
extern const bsp_layout bspi_lump_file_t;
enum {
    BSPI_LUMP_FILE_OFFSET,
    BSPI_LUMP_FILE_LUMP,
    BSPI_LUMP_FILE_VERSION,
    BSPI_LUMP_FILE_SIZE,
    BSPI_LUMP_FILE_REVISION,
};

// The entry of the BSPX directory.
extern const bsp_layout bspi_bspx_entry_t;
extern const bsp_layout bspi_bspx_brushes_model_t, bspi_bspx_brush_t, bspi_bspx_brush_plane_t;
extern const bsp_layout bspi_bspx_count_t, bspi_bspx_normal_t, bspi_bspx_face_normal_t;
extern const bsp_layout bspi_lightgrid_header_t, bspi_lightgrid_node_t, bspi_lightgrid_leaf_t,
    bspi_lightgrid_sample_t;
// LIGHTGRIDS has these instead of the last two; a colour follows for each bit of the sides.
extern const bsp_layout bspi_lightgrids_leaf_t, bspi_lightgrids_sample_t;
enum {
    BSPI_LIGHTGRID_STEP,
    BSPI_LIGHTGRID_SIZE,
    BSPI_LIGHTGRID_MINS,
    BSPI_LIGHTGRID_STYLES,
    BSPI_LIGHTGRID_ROOT,
};
enum { BSPI_LIGHTGRID_NODE_DIVISION, BSPI_LIGHTGRID_NODE_CHILDREN };
// Bits of a root or child: it is a leaf; all of it is in solid.
#define BSPI_LIGHTGRID_IS_LEAF (1u << 31)
#define BSPI_LIGHTGRID_IS_SOLID (1u << 30)
enum { BSPI_LIGHTGRID_LEAF_MINS, BSPI_LIGHTGRID_LEAF_SIZE, BSPI_LIGHTGRIDS_LEAF_STYLES };
enum { BSPI_LIGHTGRID_STYLE, BSPI_LIGHTGRID_COLOR };
enum { BSPI_LIGHTGRIDS_STYLE, BSPI_LIGHTGRIDS_SIDES };
#define BSPI_LIGHTGRID_OCCLUDED 255u // as number of styles: a cell in solid, without samples

/// Returns the layout of LMSTYLE16 with `styles` styles per face (1, 2, 4, 8 or 16), else NULL.
const bsp_layout *bspi_style16_layout(uint32_t styles);
/// Returns the layout of a cell of a light grid with `samples` samples (1 to 4), else NULL.
const bsp_layout *bspi_lightgrid_cell(uint32_t samples);

#endif
