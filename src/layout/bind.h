// SPDX-License-Identifier: MIT
// Converts records to structures of the map and back. A field that names a member is decoded into
// it.
#ifndef BSPI_LAYOUT_BIND_H
#define BSPI_LAYOUT_BIND_H

#include "bspkit/layout.h"

/// A member of a structure of the map, as the target of fields.
typedef struct bspi_member {
    uint16_t map_member; ///< the number that fields name it by
    bsp_type type;       ///< of an element in memory
    uint32_t count;      ///< of elements
    size_t offset;       ///< in the structure, in bytes
    bool none;           ///< an index: BSP_NONE when no field becomes it
} bspi_member;

/// A structure of the map and its members.
typedef struct bspi_struct {
    size_t size;
    const bspi_member *members;
    uint32_t num_members;
} bspi_struct;

/// Decodes all records of `table` into `out`, an array of structures. Members that no field becomes
/// are zero, or BSP_NONE where `none` says so. Elements of a field that the member does not have
/// are dropped.
void bspi_bind_decode(const bsp_table *table, const bspi_struct *structure, void *out);

/// Returns the member with that number, or NULL.
const bspi_member *bspi_struct_find(const bspi_struct *structure, uint16_t map_member);

/// Encodes one field of records from an array of structures. Sets `*found` to whether the structure
/// has a member for it. `bytes` keeps its other fields. A value that does not fit is BSP_E_RANGE.
bool bspi_bind_encode_field(const bsp_layout *layout, uint32_t field, const bspi_struct *structure,
                            const void *in, uint32_t count, bool big_endian, uint8_t *bytes,
                            bool *found, bsp_error *error);

/// Encodes a field without a member: "none" where it can express that, else it stays zero.
bool bspi_bind_encode_default(const bsp_layout *layout, uint32_t field, uint32_t count,
                              bool big_endian, uint8_t *bytes, bsp_error *error);

/// Encodes the members of structures into records at `bytes`, which keep all other fields.
bool bspi_bind_update(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error);

/// Encodes structures into records at `bytes`, which are cleared first; every field is written.
bool bspi_bind_encode(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error);

#endif
