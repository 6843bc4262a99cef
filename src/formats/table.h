// SPDX-License-Identifier: MIT
// The macros that the tables are written in. A row of a layout reads
//   { NAME("planenum"), U16(1), INDEX(PLANES), MAP(face, plane) },
// and states the name on disk, the type and count, the role, and the member of the map that it
// becomes.
#ifndef BSPI_TABLE_H
#define BSPI_TABLE_H

#include "bspkit/formats.h"
#include "formats/map_members.h"
#include "layout/layout.h"

#include <assert.h>

#define NAME(text) .name = (text)
#define U8(n) .type = BSP_U8, .count = (n)
#define I8(n) .type = BSP_I8, .count = (n)
#define U16(n) .type = BSP_U16, .count = (n)
#define I16(n) .type = BSP_I16, .count = (n)
#define U32(n) .type = BSP_U32, .count = (n)
#define I32(n) .type = BSP_I32, .count = (n)
#define F32(n) .type = BSP_F32, .count = (n)
#define CHARS(n) .type = BSP_CHAR, .count = (n)
#define PAD(n) .type = BSP_PAD, .count = (n)
/// A part of an integer: `width` bits from bit `from` on. The last part holds the highest bit.
#define BITS(from, width) .shift = (from), .bits = (width)
/// A part of a bit field that was not byte-swapped but compiled for the target processor: in
/// big-endian files the bits are counted from the top.
#define MIRRORED_BITS(from, width) .shift = (from), .bits = (width), .mirrored = true

#define INDEX(id) .role = BSP_ROLE_INDEX, .target = BSP_ID_##id
/// An index, where -1 means none.
#define INDEX_NONE(id) .role = BSP_ROLE_INDEX_NONE, .target = BSP_ID_##id
/// An index of an unsigned type, where all ones means none.
#define INDEX_ONES(id) .role = BSP_ROLE_INDEX_NONE, .target = BSP_ID_##id, .unsigned_none = true
/// The first record of a run; its count is the nearest COUNT field of the same target.
#define FIRST(id) .role = BSP_ROLE_FIRST, .target = BSP_ID_##id
#define COUNT(id) .role = BSP_ROLE_COUNT, .target = BSP_ID_##id
#define OFFSET(id) .role = BSP_ROLE_OFFSET, .target = BSP_ID_##id
#define OFFSET_NONE(id) .role = BSP_ROLE_OFFSET_NONE, .target = BSP_ID_##id
#define ROLE(name) .role = BSP_ROLE_##name
#define MAP(structure, member) .map_member = BSPI_MEMBER_##structure##_##member

/// The head of an embedded texture. The offsets of its four mips are the last field.
#define MIPTEX_HEAD                                                                                \
    {NAME("name"), CHARS(16), MAP(material, name)}, {NAME("width"), U32(1), MAP(material, width)}, \
        {NAME("height"), U32(1), MAP(material, height)},
#define MIPTEX_OFFSETS {NAME("offsets"), U32(4)},

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
#define FEW_FIELDS(rows) static_assert(LENGTH(rows) < BSPI_LAYOUT_FIELDS, #rows " has too many")
#define LAYOUT(id, stated_size, rows)                                                              \
    const bsp_layout id = {#id, (stated_size), (rows), LENGTH(rows)};                              \
    FEW_FIELDS(rows)
/// A layout that several files use: its name is `id`, its symbol bspi_`id`.
#define SHARED_LAYOUT(id, stated_size, rows)                                                       \
    const bsp_layout bspi_##id = {#id, (stated_size), (rows), LENGTH(rows)};                       \
    FEW_FIELDS(rows)
/// A layout that the tables of its family share: its name is `id`, its symbol bspi_`family`_`id`.
#define FAMILY_LAYOUT(family, id, stated_size, rows)                                               \
    const bsp_layout bspi_##family##_##id = {#id, (stated_size), (rows), LENGTH(rows)};            \
    FEW_FIELDS(rows)

/// Limits of a lump: `RECORDS(n)` or `BYTES(n)`; `NO_LIMIT` where none is known.
#define RECORDS(n)                                                                                 \
    { (n), false }
#define BYTES(n)                                                                                   \
    { (n), true }
#define NO_LIMIT                                                                                   \
    { 0, false }
#define ARRAY_LUMP(index, name, id, variants, limit)                                               \
    {                                                                                              \
        (index), (name), BSP_ID_##id, BSP_KIND_ARRAY, (variants), LENGTH(variants), NULL, 0,       \
            limit, NULL                                                                            \
    }
#define OTHER_LUMP(index, name, id, kind, limit)                                                   \
    { (index), (name), BSP_ID_##id, BSP_KIND_##kind, NULL, 0, NULL, 0, limit, NULL }
/// A lump that is left as bytes; `why` is a full sentence for the documentation.
#define BYTES_LUMP(index, name, id, why)                                                           \
    { (index), (name), BSP_ID_##id, BSP_KIND_BYTES, NULL, 0, NULL, 0, NO_LIMIT, (why) }
/// The lump of embedded textures; `heads` is the variant of their heads.
#define TEXTURE_LUMP(index, name, heads, limit)                                                    \
    {                                                                                              \
        (index), (name), BSP_ID_TEXTURES, BSP_KIND_TEXTURES, (heads), LENGTH(heads), NULL, 0,      \
            limit, NULL                                                                            \
    }
#define SECTION_LUMP(index, name, id, lists, limit)                                                \
    {                                                                                              \
        (index), (name), BSP_ID_##id, BSP_KIND_SECTIONS, NULL, 0, (lists), LENGTH(lists), limit,   \
            NULL                                                                                   \
    }
/// A section of a SECTIONS lump: a count, then that many records.
#define SECTION(name, id, layout)                                                                  \
    { (name), BSP_ID_##id, &(layout), NULL, false }
/// A lump of the game lump, by its four characters.
#define GAME_LUMP(name, table, lists)                                                              \
    { name, BSP_ID_##table, (lists), LENGTH(lists) }
/// The sections of one lump version whose last records have `bytes` bytes.
#define SECTION_LIST(number, bytes, rows)                                                          \
    { .version = (number), .stride = (bytes), .sections = (rows), .num_sections = LENGTH(rows) }
/// The sections for all other versions. Unknown bytes may follow the known fields of the last
/// records.
#define PREFIX_LIST(rows)                                                                          \
    { .version = BSP_ANY_VERSION, .sections = (rows), .num_sections = LENGTH(rows), .prefix = true }
/// A list of one layout for every lump version.
#define ONE_LAYOUT(id, layout) static const bsp_variant id[] = {{BSP_ANY_VERSION, &(layout)}}

// Layouts that several families share (common.c).
extern const bsp_layout bspi_dplane_t, bspi_dvertex_t, bspi_dedge_t, bspi_dedge32_t,
    bspi_dsurfedge_t;
extern const bsp_layout bspi_lump_entry_t, bspi_ident_head_t, bspi_bare_u8_t, bspi_bare_i32_t,
    bspi_rgb_t, bspi_miptex_t;

// The branches that the tables of other files extend.
extern const bsp_branch bspi_quake2, bspi_quake3, bspi_source_20, bspi_source_21;

#endif
