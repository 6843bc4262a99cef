// SPDX-License-Identifier: MIT
// The layouts of the heads and directories of archives and images. All are little-endian. Sources:
// the sheets outputs (5), goldsrc-quake1 (4, 8) and quake2 (9); PKWARE's APPNOTE for LZMA in zips.
#include "asset/layouts.h"

#include "formats/composites.h"
#include "formats/table.h"

// clang-format off

// --- archives -----------------------------------------------------------------------------------

static const bsp_field pak_head_fields[] = {
    { NAME("id"),     CHARS(4) },
    { NAME("dirofs"), I32(1) },
    { NAME("dirlen"), I32(1) },
};
SHARED_LAYOUT(pak_head_t, 12, pak_head_fields);

static const bsp_field pak_entry_fields[] = {
    { NAME("name"),    CHARS(56) },
    { NAME("filepos"), I32(1) },
    { NAME("filelen"), I32(1) },
};
SHARED_LAYOUT(pak_entry_t, 64, pak_entry_fields);

static const bsp_field wad_head_fields[] = {
    { NAME("identification"), CHARS(4) },
    { NAME("numlumps"),       I32(1) },
    { NAME("infotableofs"),   I32(1) },
};
SHARED_LAYOUT(wad_head_t, 12, wad_head_fields);

static const bsp_field wad_entry_fields[] = {
    { NAME("filepos"),     I32(1) },
    { NAME("disksize"),    I32(1) },
    { NAME("size"),        I32(1) },
    { NAME("type"),        U8(1) },
    { NAME("compression"), U8(1) },
    { NAME("pad"),         PAD(2) },
    { NAME("name"),        CHARS(16) },
};
SHARED_LAYOUT(wad_entry_t, 32, wad_entry_fields);

static const bsp_field vpk_head_fields[] = {
    { NAME("signature"), U32(1) },
    { NAME("version"),   U32(1) },
    { NAME("treeSize"),  U32(1) },
};
SHARED_LAYOUT(vpk_head_t, 12, vpk_head_fields);

static const bsp_field vpk_entry_fields[] = {
    { NAME("crc"),          U32(1) },
    { NAME("preloadBytes"), U16(1) },
    { NAME("archiveIndex"), U16(1) },
    { NAME("entryOffset"),  U32(1) },
    { NAME("entryLength"),  U32(1) },
    { NAME("terminator"),   U16(1) },
};
SHARED_LAYOUT(vpk_entry_t, 18, vpk_entry_fields);

// --- images of Quake and its successors ----------------------------------------------------------

static const bsp_field qpic_fields[] = {
    { NAME("width"),  U32(1) },
    { NAME("height"), U32(1) },
};
SHARED_LAYOUT(qpic_t, 8, qpic_fields);

static const bsp_field wal_fields[] = {
    { NAME("name"),     CHARS(32) },
    { NAME("width"),    U32(1) },
    { NAME("height"),   U32(1) },
    { NAME("offsets"),  U32(4) },
    { NAME("animname"), CHARS(32) },
    { NAME("flags"),    I32(1), ROLE(FLAGS) },
    { NAME("contents"), I32(1), ROLE(CONTENTS) },
    { NAME("value"),    I32(1) },
};
SHARED_LAYOUT(wal_t, 100, wal_fields);

static const bsp_field hwal_fields[] = {
    { NAME("ident"),   CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("name"),    CHARS(32) },
    { NAME("width"),   U32(1) },
    { NAME("height"),  U32(1) },
    { NAME("offsets"), U32(4) },
};
SHARED_LAYOUT(hwal_t, 64, hwal_fields);

static const bsp_field m8_fields[] = {
    { NAME("version"),  I32(1) },
    { NAME("name"),     CHARS(32) },
    { NAME("width"),    U32(16) },
    { NAME("height"),   U32(16) },
    { NAME("offsets"),  U32(16) },
    { NAME("animname"), CHARS(32) },
    { NAME("palette"),  U8(BSPI_PALETTE_SIZE) },
    { NAME("flags"),    I32(1), ROLE(FLAGS) },
    { NAME("contents"), I32(1), ROLE(CONTENTS) },
    { NAME("value"),    I32(1) },
};
SHARED_LAYOUT(m8_t, 1040, m8_fields);

static const bsp_field m32_fields[] = {
    { NAME("version"),      I32(1) },
    { NAME("name"),         CHARS(128) },
    { NAME("altname"),      CHARS(128) },
    { NAME("animname"),     CHARS(128) },
    { NAME("damagename"),   CHARS(128) },
    { NAME("width"),        U32(16) },
    { NAME("height"),       U32(16) },
    { NAME("offsets"),      U32(16) },
    { NAME("flags"),        I32(1), ROLE(FLAGS) },
    { NAME("contents"),     I32(1), ROLE(CONTENTS) },
    { NAME("value"),        I32(1) },
    { NAME("scale"),        F32(2) },
    { NAME("mip_scale"),    I32(1) },
    { NAME("dt_name"),      CHARS(128) },
    { NAME("dt_scale"),     F32(5) },
    { NAME("dt_blend"),     I32(2) },
    { NAME("unused"),       PAD(80) },
};
SHARED_LAYOUT(m32_t, 968, m32_fields);

static const bsp_field pcx_fields[] = {
    { NAME("manufacturer"),   U8(1) },
    { NAME("version"),        U8(1) },
    { NAME("encoding"),       U8(1) },
    { NAME("bits_per_pixel"), U8(1) },
    { NAME("box"),            U16(4) },
    { NAME("resolution"),     U16(2) },
    { NAME("palette"),        U8(48) },
    { NAME("reserved"),       PAD(1) },
    { NAME("color_planes"),   U8(1) },
    { NAME("bytes_per_line"), U16(1) },
    { NAME("palette_type"),   U16(1) },
    { NAME("filler"),         PAD(58) },
};
SHARED_LAYOUT(pcx_t, 128, pcx_fields);

static const bsp_field tga_fields[] = {
    { NAME("id_length"),       U8(1) },
    { NAME("colormap_type"),   U8(1) },
    { NAME("image_type"),      U8(1) },
    { NAME("colormap_index"),  U16(1) },
    { NAME("colormap_length"), U16(1) },
    { NAME("colormap_size"),   U8(1) },
    { NAME("origin"),          U16(2) },
    { NAME("size"),            U16(2) },
    { NAME("pixel_size"),      U8(1) },
    { NAME("attributes"),      U8(1), ROLE(FLAGS) },
};
SHARED_LAYOUT(tga_t, 18, tga_fields);

// --- images of Source ---------------------------------------------------------------------------

static const bsp_field vtf_fields[] = {
    { NAME("signature"),         CHARS(4) },
    { NAME("version"),           U32(2) },
    { NAME("headerSize"),        U32(1) },
    { NAME("size"),              U16(2) },
    { NAME("flags"),             U32(1), ROLE(FLAGS) },
    { NAME("frames"),            U16(1) },
    { NAME("firstFrame"),        U16(1) },
    { NAME("padding0"),          PAD(4) },
    { NAME("reflectivity"),      F32(3) },
    { NAME("padding1"),          PAD(4) },
    { NAME("bumpmapScale"),      F32(1) },
    { NAME("highResImageFormat"), I32(1) },
    { NAME("mipmapCount"),       U8(1) },
    { NAME("lowResImageFormat"), I32(1) },
    { NAME("lowResImageSize"),   U8(2) },
};
SHARED_LAYOUT(vtf_t, 63, vtf_fields);

static const bsp_field vtf_depth_fields[] = { { NAME("depth"), U16(1) } };
SHARED_LAYOUT(vtf_depth_t, 2, vtf_depth_fields);

static const bsp_field vtf_resources_fields[] = {
    { NAME("padding2"),     PAD(3) },
    { NAME("numResources"), U32(1) },
    { NAME("padding3"),     PAD(8) },
};
SHARED_LAYOUT(vtf_resources_t, 15, vtf_resources_fields);

static const bsp_field vtf_resource_fields[] = {
    { NAME("tag"),    U8(3) },
    { NAME("flags"),  U8(1), ROLE(FLAGS) },
    { NAME("offset"), U32(1) },
};
SHARED_LAYOUT(vtf_resource_t, 8, vtf_resource_fields);
