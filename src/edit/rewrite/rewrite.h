// SPDX-License-Identifier: MIT
// A file being rewritten: what the writers of its three directories share.
#ifndef BSPI_EDIT_REWRITE_REWRITE_H
#define BSPI_EDIT_REWRITE_REWRITE_H

#include "edit/rewrite/plan.h"
#include "edit/rewrite/regions.h"
#include "records/directory.h"

/// The game lump, laid out separately when one of its lumps changes.
typedef struct bspi_game_rewrite {
    bool there; ///< the file has a game lump with entries
    bool changes;
    bspi_game_directory directory; ///< the old one
    bspi_regions regions;          ///< in the lump; orders as in the file
    bspi_pieces pieces;            ///< the new lump, its directory still empty
    int terminator;                ///< 1: a last entry of zeros is added; -1: it is removed
    uint32_t count;                ///< entries of the new directory
} bspi_game_rewrite;

/// The directory after the lumps.
typedef struct bspi_bspx_rewrite {
    bool there;
    bool changes;    ///< entries are added or removed
    size_t start;    ///< offset of its mark
    uint32_t before; ///< entries of the old directory
    uint32_t count;  ///< entries of the new directory
} bspi_bspx_rewrite;

typedef struct bspi_rewrite {
    const bsp_file *file;
    const bsp_file_info *info;
    const bsp_shape *shape;
    const bsp_lump_change *changes;
    uint32_t num_changes;
    const bsp_lump_change **change_of; ///< for each lump, or NULL
    bspi_arena *arena;
    bspi_pieces *out;
    bsp_error *error;
    bspi_regions regions; ///< of the file
    bspi_game_rewrite game;
    bspi_bspx_rewrite bspx;
} bspi_rewrite;

/// Orders of regions: the head, the lumps by their number, the BSPX directory, what is added.
enum { BSPI_HEAD_ORDER = 0, BSPI_LUMP_ORDER = 1 };

static inline uint32_t bspi_bspx_order(const bspi_rewrite *r) {
    return BSPI_LUMP_ORDER + r->info->num_lumps;
}

static inline uint32_t bspi_added_order(const bspi_rewrite *r, uint32_t change) {
    return bspi_bspx_order(r) + 1 + change;
}

/// Returns true if the change adds a lump to the directory of that prefix ("game:", "bspx:").
bool bspi_change_adds(const bsp_lump_change *change, const char *prefix);

/// Puts the bytes of a change, if it has any, into a region.
void bspi_change_fill(const bsp_lump_change *change, bspi_region *region);
uint64_t bspi_change_size(const bsp_lump_change *change);

/// Returns the region of a lump, with its change.
bspi_region bspi_lump_region(const bspi_rewrite *r, uint32_t lump, uint32_t alignment);

/// Returns the place in the new file, which is laid out, of an offset of the old one. An offset
/// outside of the file stays outside.
uint64_t bspi_rewrite_moved(const bspi_rewrite *r, uint64_t at);
/// Returns an offset for an entry: one that exceeds 32 bits becomes the largest value.
static inline uint32_t bspi_stated_offset(uint64_t offset) {
    return offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
}

/// Gives what the entry of a lump (not of the game lump) states about its place in the new file.
void bspi_rewrite_place(const bspi_rewrite *r, uint32_t lump, uint32_t *offset, uint32_t *size);

/// Lays out the game lump again, when lumps in it change.
bool bspi_game_lay_out(bspi_rewrite *r);
/// Sets the entries of the game lump, in the file that is laid out.
bool bspi_game_write_directory(bspi_rewrite *r);

/// Adds the regions of lumps that the game lump refers to and that do not lie in it.
void bspi_game_outside(bspi_rewrite *r);

/// Adds the regions of the BSPX directory and its lumps. The lumps of the file's own directory end
/// at `end_of_lumps`.
bool bspi_bspx_regions(bspi_rewrite *r, uint64_t end_of_lumps, uint32_t alignment);
/// Fails when readers would not find the BSPX directory, which must follow the last lump.
bool bspi_bspx_check_place(const bspi_rewrite *r);
bool bspi_bspx_write_directory(bspi_rewrite *r);

#endif
