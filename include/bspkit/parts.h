// SPDX-License-Identifier: MIT
/// @file parts.h
/// Parts: a lump taken apart into tables of records, texts and bytes.
#ifndef BSPKIT_PARTS_H
#define BSPKIT_PARTS_H

#include "bspkit/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a part is.
typedef enum bsp_part_kind {
    BSP_PART_TABLE = 0,   ///< records
    BSP_PART_RECORD = 1,  ///< exactly one record
    BSP_PART_TEXT = 2,    ///< characters
    BSP_PART_STRINGS = 3, ///< characters: strings that each end in a NUL
    BSP_PART_BYTES = 4,   ///< bytes whose structure is not known, or does not matter
    BSP_PART_GROUP = 5,   ///< parts by name
    BSP_PART_LIST = 6,    ///< parts by number
} bsp_part_kind;

/// A part of a lump. The leaves of the tree (tables, records, texts, bytes) do not overlap, and
/// every byte of the lump that is in none of them is unclaimed: kept, and without a meaning.
typedef struct bsp_part {
    bsp_part_kind kind;
    const char *name;         ///< in a group; static storage
    bsp_table_id id;          ///< TABLE: what its records are, else BSP_ID_NONE
    const bsp_layout *layout; ///< TABLE, RECORD
    uint32_t count;           ///< TABLE: records
    size_t offset;            ///< in the lump's unpacked bytes
    size_t size;
    uint32_t end;    ///< number of the part after this one and all that it contains
    bool big_endian; ///< of the records: a zip is little-endian in any file
} bsp_part;

/// The parts of a lump in order, each container before what it contains. parts[0] is the
/// whole lump. Owned by the caller; free with bsp_parts_free.
typedef struct bsp_parts {
    const bsp_part *parts; ///< parts[0] is the lump
    uint32_t count;
    bsp_bytes data;         ///< the unpacked lump; borrowed from the file
    struct bspi_heap *heap; ///< private
    size_t room;            ///< private
    bsp_layout *made;       ///< private: the layout of records that are longer than the known one
} bsp_parts;

/// Takes a lump apart. Damage is reported to `issues` (may be NULL) and leaves bytes unclaimed.
/// Fails only when there is no such lump (BSP_E_ARGUMENT), it cannot be unpacked, or memory ends.
BSP_API bool bsp_file_parts(const bsp_file *file, uint32_t lump, bsp_issues *issues, bsp_parts *out,
                            bsp_error *error);
/// Frees the parts of a lump and sets them to zero. Parts of zeros, and NULL, are allowed.
BSP_API void bsp_parts_free(bsp_parts *parts);

/// Finds a part by the names of the groups that it stands in, from the lump on, with "/" between
/// them: "header", or "models/3" for number 3 of a list. Case matters; "" is the lump. Returns its
/// number, or BSP_NONE.
BSP_API uint32_t bsp_parts_find(const bsp_parts *parts, bsp_text path);

/// Returns the records of part number `part`, which must be a TABLE or a RECORD.
BSP_API bsp_table bsp_parts_table(const bsp_parts *parts, uint32_t part);

/// Finds the first table of a kind in the file, ready to be read. Returns false if there is none.
/// If it returns true, the caller frees `parts` with bsp_parts_free.
BSP_API bool bsp_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts,
                            bsp_table *table);

/// Returns how many records of a kind the file holds (bytes for lighting, strings and other byte
/// lumps).
BSP_API uint32_t bsp_file_count(const bsp_file *file, bsp_table_id id);

#ifdef __cplusplus
}
#endif
#endif
