// SPDX-License-Identifier: MIT
// The heads and directories of archives and images, as tables.
#ifndef BSPI_ASSET_LAYOUTS_H
#define BSPI_ASSET_LAYOUTS_H

#include "bspkit/layout.h"

// Archives.
extern const bsp_layout bspi_pak_head_t, bspi_pak_entry_t;
extern const bsp_layout bspi_wad_head_t, bspi_wad_entry_t;
extern const bsp_layout bspi_vpk_head_t, bspi_vpk_entry_t;

// Images.
extern const bsp_layout bspi_qpic_t, bspi_wal_t, bspi_hwal_t, bspi_m8_t, bspi_m32_t;
extern const bsp_layout bspi_pcx_t, bspi_tga_t;
extern const bsp_layout bspi_vtf_t, bspi_vtf_depth_t, bspi_vtf_resources_t, bspi_vtf_resource_t;

/// Numbers of the fields that are read by number.
enum { BSPI_PAK_MAGIC, BSPI_PAK_OFFSET, BSPI_PAK_SIZE };
enum { BSPI_PAK_NAME, BSPI_PAK_AT, BSPI_PAK_LENGTH };
enum { BSPI_WAD_MAGIC, BSPI_WAD_COUNT, BSPI_WAD_OFFSET };
enum { BSPI_WAD_AT, BSPI_WAD_PACKED, BSPI_WAD_SIZE, BSPI_WAD_TYPE, BSPI_WAD_PACKING };
enum { BSPI_WAD_NAME = 6 };
/// Types of a WAD's entries.
enum { BSPI_WAD_PALETTE = 0x40, BSPI_WAD_PICTURE = 0x42, BSPI_WAD3_MIPTEX, BSPI_WAD2_MIPTEX };
enum { BSPI_VPK_MAGIC, BSPI_VPK_VERSION, BSPI_VPK_TREE };
enum { BSPI_VPK_CRC, BSPI_VPK_PRELOAD, BSPI_VPK_ARCHIVE, BSPI_VPK_AT, BSPI_VPK_LENGTH };
enum { BSPI_QPIC_WIDTH, BSPI_QPIC_HEIGHT };
/// Numbers of fields. Those of WAL and HWAL, M8, M32 begin at their first field of this kind: see
/// mips.c.
enum { BSPI_PCX_MAGIC, BSPI_PCX_VERSION, BSPI_PCX_ENCODING, BSPI_PCX_BITS, BSPI_PCX_BOX };
enum { BSPI_PCX_PLANES = 8, BSPI_PCX_LINE };
enum {
    BSPI_TGA_ID,
    BSPI_TGA_MAP_TYPE,
    BSPI_TGA_TYPE,
    BSPI_TGA_MAP_FIRST,
    BSPI_TGA_MAP_COUNT,
    BSPI_TGA_MAP_BITS,
    BSPI_TGA_ORIGIN,
    BSPI_TGA_SIZE,
    BSPI_TGA_BITS,
    BSPI_TGA_DESCRIPTOR,
};
enum {
    BSPI_VTF_MAGIC,
    BSPI_VTF_VERSION,
    BSPI_VTF_HEAD_SIZE,
    BSPI_VTF_SIZE,
    BSPI_VTF_FLAGS,
    BSPI_VTF_FRAMES,
    BSPI_VTF_START,
    BSPI_VTF_PAD1,
    BSPI_VTF_REFLECTIVITY,
    BSPI_VTF_PAD2,
    BSPI_VTF_BUMP,
    BSPI_VTF_FORMAT,
    BSPI_VTF_MIPS,
    BSPI_VTF_LOW_FORMAT,
    BSPI_VTF_LOW_SIZE,
};
enum { BSPI_VTF_NUM_RESOURCES = 1 };
enum { BSPI_VTF_ID, BSPI_VTF_RESOURCE_FLAGS, BSPI_VTF_OFFSET };

#endif
