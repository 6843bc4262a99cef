// SPDX-License-Identifier: MIT
/// @file layout.h
/// Record layouts, and how records are read from and written to bytes. Nothing here knows a game;
/// the tables of formats.h are written in these types.
#ifndef BSPKIT_LAYOUT_H
#define BSPKIT_LAYOUT_H

#include "bspkit/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Storage type of one element of a field.
typedef enum bsp_type {
    /// Unsigned and signed integers of 8, 16 and 32 bits, and a float of 32 bits.
    BSP_U8 = 0,
    BSP_I8 = 1,
    BSP_U16 = 2,
    BSP_I16 = 3,
    BSP_U32 = 4,
    BSP_I32 = 5,
    BSP_F32 = 6,
    BSP_CHAR = 7, ///< the field is a string of `count` characters, NUL-padded
    BSP_PAD = 8,  ///< bytes without a meaning; kept
} bsp_type;

/// What a field's value stands for: this drives checks, dumps, renumbering and documentation.
typedef enum bsp_role {
    BSP_ROLE_VALUE = 0,      ///< a plain value
    BSP_ROLE_INDEX = 1,      ///< index of a record of `target`
    BSP_ROLE_INDEX_NONE = 2, ///< the same, or "none": -1, all ones
    BSP_ROLE_FIRST = 3,      ///< first of a run of records of `target`; a COUNT field follows
    BSP_ROLE_COUNT = 4,      ///< length of that run
    BSP_ROLE_SURFEDGE = 5,   ///< edge index; negative: the edge from its second vertex to its first
    BSP_ROLE_NODE_CHILD = 6, ///< node index, or -1 minus a leaf index
    BSP_ROLE_CLIP_CHILD = 7, ///< clipnode index, or a negative content
    BSP_ROLE_HEADNODES = 8,  ///< element 0 a node child, the others clip children
    BSP_ROLE_OFFSET = 9,     ///< byte offset into the lump `target`
    BSP_ROLE_OFFSET_NONE = 10, ///< the same, or -1
    BSP_ROLE_FLAGS = 11,       ///< a set of bits; dumps as a number, documents as flags
    BSP_ROLE_CONTENTS = 12,    ///< contents bits (Quake, GoldSrc: a negative number)
    BSP_ROLE_BOUNDS = 13,      ///< corner of a box
    BSP_ROLE_NORMAL = 14,      ///< unit vector
} bsp_role;

/// One row of a layout. A field's offset follows from the rows before it: fields are packed, and
/// the parts of one integer (`bits` != 0) share its bytes, the lowest bits first.
typedef struct bsp_field {
    const char *name; ///< the name in the format's own headers; "" for a record of one bare value
    bsp_type type;    ///< of each element
    uint16_t count;   ///< elements, at least 1
    uint8_t shift;    ///< bit field: how far its lowest bit is from bit 0
    uint8_t bits;     ///< bit field: how many bits; 0 for the whole integer
    bsp_role role;    ///< what the value stands for
    uint16_t target;  ///< a bsp_table_id, for roles that point somewhere
    uint16_t map_member; ///< the member of the map that it becomes, or 0 (formats/map_members.h)
    bool mirrored; ///< bit field that compilers for big-endian processors count from the top bit
    bool unsigned_none; ///< the all-ones value means none although the type has no sign
    bool swapped;       ///< its bytes have the order that the rest of the file does not
} bsp_field;

/// The layout of a record.
typedef struct bsp_layout {
    const char *name;        ///< as in the format's headers, e.g. "dface_t"
    uint32_t size;           ///< bytes of a record, as stated by the source of the layout
    const bsp_field *fields; ///< in the order of their bytes
    uint32_t num_fields;
} bsp_layout;

/// Returns the bytes of one element of a type.
BSP_API size_t bsp_type_size(bsp_type type);
/// Returns the name of a type: "u8", "f32", "char" and so on. Static storage.
BSP_API const char *bsp_type_name(bsp_type type);
/// Returns the name of a role: "index", "first" and so on. Static storage.
BSP_API const char *bsp_role_name(bsp_role role);
/// Returns true if the record has one field without a name, and so reads as a bare value or list.
BSP_API bool bsp_layout_is_bare(const bsp_layout *layout);
/// Returns the byte offset of field number `field` in its record.
BSP_API size_t bsp_layout_offset(const bsp_layout *layout, uint32_t field);
/// Returns the number of the field with that on-disk name, or BSP_NONE. Case matters; "" finds the
/// field of a bare record.
BSP_API uint32_t bsp_layout_find_field(const bsp_layout *layout, bsp_text name);

/// A borrowed view of an array of records.
typedef struct bsp_table {
    const bsp_layout *layout; ///< of each record
    const uint8_t *data;      ///< `count` times `layout->size` bytes
    uint32_t count;
    bool big_endian; ///< byte order of `data`
} bsp_table;

/// Returns one integer element, widened; floats are truncated. Record, field and element must be
/// in range: others assert, and are 0 in release builds.
BSP_API int64_t bsp_table_int(const bsp_table *table, uint32_t record, uint32_t field,
                              uint32_t element);
/// Returns one element as a float; integers are converted. Record, field and element must be in
/// range, as for bsp_table_int.
BSP_API float bsp_table_float(const bsp_table *table, uint32_t record, uint32_t field,
                              uint32_t element);
/// Returns a CHAR field up to its first NUL. Borrowed from the table's bytes. Record and field must
/// be in range: others assert, and are an empty text in release builds.
BSP_API bsp_text bsp_table_text(const bsp_table *table, uint32_t record, uint32_t field);

/// Decodes one field of all records into memory of the host: element `e` of record `r` goes to
/// `out` + r * `stride` + e * (size of `type`). `type` is U8, I8, U16, I16, U32, I32, F32 or, for
/// CHAR and PAD fields, U8. Negative values become their two's complement in unsigned types.
BSP_API void bsp_table_decode(const bsp_table *table, uint32_t field, bsp_type type, void *out,
                              size_t stride);

/// Encodes one field of all records into `bytes` (as many as the table has): the reverse of
/// bsp_table_decode. A value that does not fit the field is refused: BSP_E_RANGE with record,
/// field, value and limit. Bits of other fields are left alone.
BSP_API bool bsp_table_encode(const bsp_layout *layout, uint32_t count, bool big_endian,
                              uint32_t field, bsp_type type, const void *in, size_t stride,
                              uint8_t *bytes, bsp_error *error);

/// Copies records into the other byte order (or the same), field by field. `out` has the table's
/// size. Padding is copied.
BSP_API void bsp_table_reorder(const bsp_table *table, bool big_endian, uint8_t *out);

#ifdef __cplusplus
}
#endif
#endif
