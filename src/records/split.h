// SPDX-License-Identifier: MIT
// Taking a lump apart: each kind of variable lump has a splitter, which finds where its records
// lie. Reading, writing, dumping, checking and byte-swapping the records is then the tables' work.
#ifndef BSPI_SPLIT_H
#define BSPI_SPLIT_H

#include "bspkit/records.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/reader.h"

/// A lump being taken apart.
typedef struct bspi_split {
    const bsp_file *file; ///< for counts of other lumps
    const bsp_lump *lump;
    bsp_bytes data; ///< unpacked
    bool big_endian;
    bsp_issues *issues; ///< may be NULL
    bsp_error *error;
    bspi_heap *heap;
    bsp_part *parts;
    uint32_t count;
    size_t room;
    bsp_layout *made; ///< a layout for this lump alone, or NULL
    bool failed;      ///< out of memory; sticky, calls after it do nothing
} bspi_split;

/// Opens a GROUP or LIST; what is added until bspi_split_close lies in it. Returns its number.
uint32_t bspi_split_open(bspi_split *split, bsp_part_kind kind, const char *name);
void bspi_split_close(bspi_split *split, uint32_t part);

/// Adds records at `offset`. If they are not all in the lump, an issue is added, the records that
/// are there are taken, and false is returned.
bool bspi_split_table(bspi_split *split, const char *name, bsp_table_id id,
                      const bsp_layout *layout, size_t offset, uint32_t count);
/// One record, shown as an object. False (and an issue, and nothing added) if it is not there.
bool bspi_split_record(bspi_split *split, const char *name, const bsp_layout *layout,
                       size_t offset);
/// Adds a part as it is; its place must lie in the lump. Returns its number.
uint32_t bspi_split_add(bspi_split *split, bsp_part part);
/// Characters, or bytes. False (issue, nothing added) if they are not all there.
bool bspi_split_text(bspi_split *split, const char *name, size_t offset, size_t size);
bool bspi_split_bytes(bspi_split *split, const char *name, size_t offset, size_t size);

/// An issue of this lump at a byte of it. `kind` is a BSPI_ISSUE_ value.
void bspi_split_issue(bspi_split *split, int kind, size_t offset, const char *format, ...)
    BSP_PRINTF(4, 5);

/// A u32 of the lump in its byte order; 0 when it is not there.
uint32_t bspi_split_u32(const bspi_split *split, size_t offset);
uint16_t bspi_split_u16(const bspi_split *split, size_t offset);

/// A layout as `known`, with bytes behind it up to `size`; it goes with the parts. NULL without
/// memory.
const bsp_layout *bspi_split_extend(bspi_split *split, const bsp_layout *known, uint32_t size);
/// Gives back what bspi_split_extend made. `made` may be NULL.
void bspi_split_forget(bspi_heap *heap, bsp_layout *made);

/// The section lists of a SECTIONS lump, wherever it is defined.
const bsp_section_list *bspi_section_lists(const bsp_lump *lump, uint32_t *count);

// The splitters, one for each kind (array.c holds the simple ones).
void bspi_split_array(bspi_split *split);
void bspi_split_strings(bspi_split *split);
void bspi_split_sections(bspi_split *split);
void bspi_split_textures(bspi_split *split);   // textures.c
void bspi_split_visibility(bspi_split *split); // visibility.c: all three kinds
void bspi_split_game(bspi_split *split);       // game_lump.c
void bspi_split_physics(bspi_split *split);    // physics.c
void bspi_split_phys_disp(bspi_split *split);  // phys_disp.c
void bspi_split_samples(bspi_split *split);    // samples.c
void bspi_split_zip(bspi_split *split);        // pak.c
void bspi_split_cs_pak(bspi_split *split);     // pak_cs.c: the archive of Counter-Strike Online 2
void bspi_split_bspx(bspi_split *split);       // bspx.c: lumps of a BSPX directory

#endif
