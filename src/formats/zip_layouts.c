// SPDX-License-Identifier: MIT
// Records of the embedded zip of Source maps, and of the archive that Counter-Strike Online 2 has
// instead. Sources: PKWARE's APPNOTE, sheets source-lumps (8) and source-versions (7).
#include "formats/composites.h"

#include "formats/table.h"

// clang-format off
static const bsp_field zip_local_fields[] = {
    { NAME("signature"),         U32(1) },
    { NAME("version_needed"),    U16(1) },
    { NAME("flags"),             U16(1), ROLE(FLAGS) },
    { NAME("method"),            U16(1) },
    { NAME("time"),              U16(1) },
    { NAME("date"),              U16(1) },
    { NAME("crc"),               U32(1) },
    { NAME("compressed_size"),   U32(1) },
    { NAME("uncompressed_size"), U32(1) },
    { NAME("name_length"),       U16(1) },
    { NAME("extra_length"),      U16(1) },
};
SHARED_LAYOUT(zip_local_t, 30, zip_local_fields);

static const bsp_field zip_central_fields[] = {
    { NAME("signature"),         U32(1) },
    { NAME("version_made_by"),   U16(1) },
    { NAME("version_needed"),    U16(1) },
    { NAME("flags"),             U16(1), ROLE(FLAGS) },
    { NAME("method"),            U16(1) },
    { NAME("time"),              U16(1) },
    { NAME("date"),              U16(1) },
    { NAME("crc"),               U32(1) },
    { NAME("compressed_size"),   U32(1) },
    { NAME("uncompressed_size"), U32(1) },
    { NAME("name_length"),       U16(1) },
    { NAME("extra_length"),      U16(1) },
    { NAME("comment_length"),    U16(1) },
    { NAME("disk"),              U16(1) },
    { NAME("internal"),          U16(1), ROLE(FLAGS) },
    { NAME("external"),          U32(1), ROLE(FLAGS) },
    { NAME("offset"),            U32(1) },
};
SHARED_LAYOUT(zip_central_t, 46, zip_central_fields);

static const bsp_field zip_end_fields[] = {
    { NAME("signature"),        U32(1) },
    { NAME("disk"),             U16(1) },
    { NAME("directory_disk"),   U16(1) },
    { NAME("disk_entries"),     U16(1) },
    { NAME("entries"),          U16(1) },
    { NAME("directory_size"),   U32(1) },
    { NAME("directory_offset"), U32(1) },
    { NAME("comment_length"),   U16(1) },
};
SHARED_LAYOUT(zip_end_t, 22, zip_end_fields);

// The archive of Counter-Strike Online 2. Its files have no method; a compressed size of 0 says
// that they are stored.
static const bsp_field cs_zip_local_fields[] = {
    { NAME("signature"),         U32(1) },
    { NAME("unused"),            U16(1) },
    { NAME("crc"),               U32(1) },
    { NAME("compressed_size"),   U32(1) },
    { NAME("uncompressed_size"), U32(1) },
    { NAME("name_length"),       U32(1) },
};
SHARED_LAYOUT(cs_zip_local_t, 22, cs_zip_local_fields);

static const bsp_field cs_zip_central_fields[] = {
    { NAME("signature"),         U32(1) },
    { NAME("unused"),            U16(1) },
    { NAME("crc"),               U32(1) },
    { NAME("uncompressed_size"), U32(1) },
    { NAME("compressed_size"),   U32(1) },
    { NAME("name_length"),       U32(1) },
    { NAME("unknown"),           U16(1) },
    { NAME("offset"),            U32(1) },
};
SHARED_LAYOUT(cs_zip_central_t, 28, cs_zip_central_fields);

static const bsp_field cs_zip_end_fields[] = {
    { NAME("signature"),      U32(1) },
    { NAME("unused"),         U32(1) },
    { NAME("files"),          U16(1) },
    { NAME("entries"),        U16(1) },
    { NAME("directory_size"), U32(1) },
    { NAME("files_size"),     U32(1) },
    { NAME("one"),            U32(1) },
    { NAME("unused2"),        U8(1) },
};
SHARED_LAYOUT(cs_zip_end_t, 25, cs_zip_end_fields);

static const bsp_field zip_descriptor_fields[] = {
    { NAME("signature"),         U32(1) },
    { NAME("crc"),               U32(1) },
    { NAME("compressed_size"),   U32(1) },
    { NAME("uncompressed_size"), U32(1) },
};
SHARED_LAYOUT(zip_descriptor_t, 16, zip_descriptor_fields);

// The head before the properties of an LZMA stream in a zip.
static const bsp_field zip_lzma_fields[] = {
    { NAME("version"),         U16(1) },
    { NAME("properties_size"), U16(1) },
};
SHARED_LAYOUT(zip_lzma_t, 4, zip_lzma_fields);
// clang-format on
