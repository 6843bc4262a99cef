// SPDX-License-Identifier: MIT
// Parsing a lump: each kind of lump with variable structure has a parser, which finds where its
// records lie. Reading, writing, dumping, checking and byte-swapping of the records then follow the
// tables.
#ifndef BSPI_RECORDS_PARSE_H
#define BSPI_RECORDS_PARSE_H

#include "bspkit/parts.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/reader.h"

/// A lump being parsed.
typedef struct bspi_parse {
    const bsp_file *file; ///< for counts of other lumps; NULL for a file that is no map
    const bsp_lump *lump; ///< NULL for a file that is no map
    const char *place;    ///< without a lump: what issues name in its place
    bsp_bytes data;       ///< of the lump, unpacked
    bool big_endian;
    bsp_issues *issues; ///< may be NULL
    bsp_error *error;
    bspi_heap *heap;
    bsp_part *parts;
    uint32_t count;
    size_t room;
    bsp_layout *made; ///< a layout made for this lump alone, or NULL
    bool failed;      ///< out of memory; sticky: later calls do nothing
} bspi_parse;

/// Opens a GROUP or LIST, which contains all parts added until bspi_parse_close. Returns its
/// number.
uint32_t bspi_parse_open(bspi_parse *parse, bsp_part_kind kind, const char *name);
void bspi_parse_close(bspi_parse *parse, uint32_t part);

/// Adds records at `offset`. If they do not all lie in the lump, adds an issue, takes those that
/// do, and returns false.
bool bspi_parse_table(bspi_parse *parse, const char *name, bsp_table_id id,
                      const bsp_layout *layout, size_t offset, uint32_t count);
/// Adds one record, shown as an object. If it does not lie in the lump, adds an issue instead and
/// returns false.
bool bspi_parse_record(bspi_parse *parse, const char *name, const bsp_layout *layout,
                       size_t offset);
/// Adds a part as given; it must lie in the lump. Returns its number.
uint32_t bspi_parse_add(bspi_parse *parse, bsp_part part);
/// Adds characters or bytes. If they do not all lie in the lump, adds an issue instead and returns
/// false.
bool bspi_parse_text(bspi_parse *parse, const char *name, size_t offset, size_t size);
bool bspi_parse_bytes(bspi_parse *parse, const char *name, size_t offset, size_t size);

/// Adds an issue at a byte of this lump. `kind` is a BSPI_ISSUE_ value.
void bspi_parse_issue(bspi_parse *parse, int kind, size_t offset, const char *format, ...)
    BSP_PRINTF(4, 5);

/// Returns a u32 of the lump in its byte order; 0 when it does not lie in the lump.
uint32_t bspi_parse_u32(const bspi_parse *parse, size_t offset);
uint16_t bspi_parse_u16(const bspi_parse *parse, size_t offset);

/// Returns a layout as `known`, extended with unknown bytes to `size`; the parts own it. NULL
/// without memory.
const bsp_layout *bspi_parse_extend(bspi_parse *parse, const bsp_layout *known, uint32_t size);
/// Frees what bspi_parse_extend made. `made` may be NULL.
void bspi_parse_forget(bspi_heap *heap, bsp_layout *made);

/// Returns the section lists of a SECTIONS lump, of the branch or of a game lump.
const bsp_section_list *bspi_section_lists(const bsp_lump *lump, uint32_t *count);

// The parsers, one for each kind of lump (array.c has the simple ones).
void bspi_parse_array(bspi_parse *parse);
void bspi_parse_strings(bspi_parse *parse);
void bspi_parse_sections(bspi_parse *parse);
void bspi_parse_textures(bspi_parse *parse);   // textures.c
void bspi_parse_visibility(bspi_parse *parse); // visibility.c: all three kinds
void bspi_parse_game(bspi_parse *parse);       // game_lump.c
void bspi_parse_physics(bspi_parse *parse);    // physics.c
void bspi_parse_phys_disp(bspi_parse *parse);  // phys_disp.c
void bspi_parse_samples(bspi_parse *parse);    // samples.c
void bspi_parse_zip(bspi_parse *parse);        // pak.c
void bspi_parse_cs_pak(bspi_parse *parse);     // pak_cs.c: the archive of Counter-Strike Online 2
void bspi_parse_bspx(bspi_parse *parse);       // bspx.c: lumps of a BSPX directory

#endif
