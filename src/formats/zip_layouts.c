// SPDX-License-Identifier: MIT
// Records of the embedded zip of Source maps, and of the archive that Counter-Strike Online 2 has
// instead. Sources: PKWARE's APPNOTE, sheets source-lumps (8) and source-versions (7).
#include "formats/composites.h"

#include "formats/table.h"

// clang-format off
static const bsp_field zip_local_fields[] = {
    [BSPI_ZIP_LOCAL_SIGNATURE] =          { NAME("signature"),         U32(1) },
    [BSPI_ZIP_LOCAL_VERSION_NEEDED] =     { NAME("version_needed"),    U16(1) },
    [BSPI_ZIP_LOCAL_FLAGS] =              { NAME("flags"),             U16(1), ROLE(FLAGS) },
    [BSPI_ZIP_LOCAL_METHOD] =             { NAME("method"),            U16(1) },
    [BSPI_ZIP_LOCAL_TIME] =               { NAME("time"),              U16(1) },
    [BSPI_ZIP_LOCAL_DATE] =               { NAME("date"),              U16(1) },
    [BSPI_ZIP_LOCAL_CRC] =                { NAME("crc"),               U32(1) },
    [BSPI_ZIP_LOCAL_COMPRESSED_SIZE] =    { NAME("compressed_size"),   U32(1) },
    [BSPI_ZIP_LOCAL_UNCOMPRESSED_SIZE] =  { NAME("uncompressed_size"), U32(1) },
    [BSPI_ZIP_LOCAL_NAME_LENGTH] =        { NAME("name_length"),       U16(1) },
    [BSPI_ZIP_LOCAL_EXTRA_LENGTH] =       { NAME("extra_length"),      U16(1) },
};
SHARED_LAYOUT(zip_local_t, 30, zip_local_fields);

static const bsp_field zip_central_fields[] = {
    [BSPI_ZIP_CENTRAL_SIGNATURE] =          { NAME("signature"),         U32(1) },
    [BSPI_ZIP_CENTRAL_VERSION_MADE_BY] =    { NAME("version_made_by"),   U16(1) },
    [BSPI_ZIP_CENTRAL_VERSION_NEEDED] =     { NAME("version_needed"),    U16(1) },
    [BSPI_ZIP_CENTRAL_FLAGS] =              { NAME("flags"),             U16(1), ROLE(FLAGS) },
    [BSPI_ZIP_CENTRAL_METHOD] =             { NAME("method"),            U16(1) },
    [BSPI_ZIP_CENTRAL_TIME] =               { NAME("time"),              U16(1) },
    [BSPI_ZIP_CENTRAL_DATE] =               { NAME("date"),              U16(1) },
    [BSPI_ZIP_CENTRAL_CRC] =                { NAME("crc"),               U32(1) },
    [BSPI_ZIP_CENTRAL_COMPRESSED_SIZE] =    { NAME("compressed_size"),   U32(1) },
    [BSPI_ZIP_CENTRAL_UNCOMPRESSED_SIZE] =  { NAME("uncompressed_size"), U32(1) },
    [BSPI_ZIP_CENTRAL_NAME_LENGTH] =        { NAME("name_length"),       U16(1) },
    [BSPI_ZIP_CENTRAL_EXTRA_LENGTH] =       { NAME("extra_length"),      U16(1) },
    [BSPI_ZIP_CENTRAL_COMMENT_LENGTH] =     { NAME("comment_length"),    U16(1) },
    [BSPI_ZIP_CENTRAL_DISK] =               { NAME("disk"),              U16(1) },
    [BSPI_ZIP_CENTRAL_INTERNAL] =           { NAME("internal"),          U16(1), ROLE(FLAGS) },
    [BSPI_ZIP_CENTRAL_EXTERNAL] =           { NAME("external"),          U32(1), ROLE(FLAGS) },
    [BSPI_ZIP_CENTRAL_OFFSET] =             { NAME("offset"),            U32(1) },
};
SHARED_LAYOUT(zip_central_t, 46, zip_central_fields);

static const bsp_field zip_end_fields[] = {
    [BSPI_ZIP_END_SIGNATURE] =         { NAME("signature"),        U32(1) },
    [BSPI_ZIP_END_DISK] =              { NAME("disk"),             U16(1) },
    [BSPI_ZIP_END_DIRECTORY_DISK] =    { NAME("directory_disk"),   U16(1) },
    [BSPI_ZIP_END_DISK_ENTRIES] =      { NAME("disk_entries"),     U16(1) },
    [BSPI_ZIP_END_ENTRIES] =           { NAME("entries"),          U16(1) },
    [BSPI_ZIP_END_DIRECTORY_SIZE] =    { NAME("directory_size"),   U32(1) },
    [BSPI_ZIP_END_DIRECTORY_OFFSET] =  { NAME("directory_offset"), U32(1) },
    [BSPI_ZIP_END_COMMENT_LENGTH] =    { NAME("comment_length"),   U16(1) },
};
SHARED_LAYOUT(zip_end_t, 22, zip_end_fields);

// The archive of Counter-Strike Online 2. Its files have no method; a compressed size of 0 says
// that they are stored.
static const bsp_field cs_zip_local_fields[] = {
    [BSPI_CS_ZIP_LOCAL_SIGNATURE] =          { NAME("signature"),         U32(1) },
    [BSPI_CS_ZIP_LOCAL_UNUSED] =             { NAME("unused"),            U16(1) },
    [BSPI_CS_ZIP_LOCAL_CRC] =                { NAME("crc"),               U32(1) },
    [BSPI_CS_ZIP_LOCAL_COMPRESSED_SIZE] =    { NAME("compressed_size"),   U32(1) },
    [BSPI_CS_ZIP_LOCAL_UNCOMPRESSED_SIZE] =  { NAME("uncompressed_size"), U32(1) },
    [BSPI_CS_ZIP_LOCAL_NAME_LENGTH] =        { NAME("name_length"),       U32(1) },
};
SHARED_LAYOUT(cs_zip_local_t, 22, cs_zip_local_fields);

static const bsp_field cs_zip_central_fields[] = {
    [BSPI_CS_ZIP_CENTRAL_SIGNATURE] =          { NAME("signature"),         U32(1) },
    [BSPI_CS_ZIP_CENTRAL_UNUSED] =             { NAME("unused"),            U16(1) },
    [BSPI_CS_ZIP_CENTRAL_CRC] =                { NAME("crc"),               U32(1) },
    [BSPI_CS_ZIP_CENTRAL_UNCOMPRESSED_SIZE] =  { NAME("uncompressed_size"), U32(1) },
    [BSPI_CS_ZIP_CENTRAL_COMPRESSED_SIZE] =    { NAME("compressed_size"),   U32(1) },
    [BSPI_CS_ZIP_CENTRAL_NAME_LENGTH] =        { NAME("name_length"),       U32(1) },
    [BSPI_CS_ZIP_CENTRAL_UNKNOWN] =            { NAME("unknown"),           U16(1) },
    [BSPI_CS_ZIP_CENTRAL_OFFSET] =             { NAME("offset"),            U32(1) },
};
SHARED_LAYOUT(cs_zip_central_t, 28, cs_zip_central_fields);

static const bsp_field cs_zip_end_fields[] = {
    [BSPI_CS_ZIP_END_SIGNATURE] =       { NAME("signature"),      U32(1) },
    [BSPI_CS_ZIP_END_UNUSED] =          { NAME("unused"),         U32(1) },
    [BSPI_CS_ZIP_END_FILES] =           { NAME("files"),          U16(1) },
    [BSPI_CS_ZIP_END_ENTRIES] =         { NAME("entries"),        U16(1) },
    [BSPI_CS_ZIP_END_DIRECTORY_SIZE] =  { NAME("directory_size"), U32(1) },
    [BSPI_CS_ZIP_END_FILES_SIZE] =      { NAME("files_size"),     U32(1) },
    [BSPI_CS_ZIP_END_ONE] =             { NAME("one"),            U32(1) },
    [BSPI_CS_ZIP_END_UNUSED2] =         { NAME("unused2"),        U8(1) },
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
