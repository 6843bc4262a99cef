// SPDX-License-Identifier: MIT
// Records to structures of ours and back: a field that feeds a member is decoded into it.
#ifndef BSPI_LAYOUT_BIND_H
#define BSPI_LAYOUT_BIND_H

#include "bspkit/layout.h"

/// A member of a structure of ours, as the target of fields.
typedef struct bspi_member {
    uint16_t feed;  ///< what fields name
    bsp_type type;  ///< of an element in memory
    uint32_t count; ///< elements
    size_t offset;  ///< in the structure
    bool none;      ///< an index: BSP_NONE when no field feeds it
} bspi_member;

/// A structure of ours and its members.
typedef struct bspi_struct {
    size_t size;
    const bspi_member *members;
    uint32_t num_members;
} bspi_struct;

/// Decodes all records of `table` into `out`, an array of structures. Members that no field feeds
/// are zero, or BSP_NONE where `none` says so. Elements beyond the member's are dropped.
void bspi_bind_decode(const bsp_table *table, const bspi_struct *structure, void *out);

/// The member that `feed` names, or NULL.
const bspi_member *bspi_struct_find(const bspi_struct *structure, uint16_t feed);

/// Encodes one field of records from an array of structures, if it has a member for it: `*found`
/// tells. `bytes` keeps its other fields. A value that does not fit is BSP_E_RANGE.
bool bspi_bind_encode_field(const bsp_layout *layout, uint32_t field, const bspi_struct *structure,
                            const void *in, uint32_t count, bool big_endian, uint8_t *bytes,
                            bool *found, bsp_error *error);

/// A field that nothing feeds: none where it can say so, else it stays zero.
bool bspi_bind_encode_unfed(const bsp_layout *layout, uint32_t field, uint32_t count,
                            bool big_endian, uint8_t *bytes, bsp_error *error);

/// Encodes the members of structures into records at `bytes`, which keep all other fields.
bool bspi_bind_update(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error);

/// Encodes structures into records at `bytes` (cleared first), every field.
bool bspi_bind_encode(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error);

#endif
