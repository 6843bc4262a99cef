// SPDX-License-Identifier: MIT
// The bytes of a file (or of the game lump) as regions that keep their order when some change their
// size.
#ifndef BSPI_EDIT_REWRITE_REGIONS_H
#define BSPI_EDIT_REWRITE_REGIONS_H

#include "edit/rewrite/pieces.h"

/// A run of bytes that moves as a whole.
typedef struct bspi_region {
    uint64_t start; ///< in the old bytes
    uint64_t end;
    uint32_t order;     ///< order of two that start at one place; unique
    uint32_t alignment; ///< alignment of its start; 1: the bytes before it are kept
    uint32_t phase;     ///< its start modulo the alignment
    bool changed;       ///< `data`, and then `pieces`, replace the old bytes
    bsp_bytes data;
    const bspi_piece *pieces;
    size_t num_pieces;
    bool apart;           ///< changed while others share its old bytes: it is placed after them
    uint32_t kept;        ///< number of regions up to the last one that is not apart
    uint64_t moved_start; ///< in the new bytes
    uint64_t moved_end;
} bspi_region;

typedef struct bspi_regions {
    bspi_region *list; ///< sorted by writing
    uint32_t count;
    uint32_t *by_order; ///< filled by writing: the region of each order, or BSP_NONE
    uint32_t num_orders;
} bspi_regions;

/// Writes the regions, the bytes between them, and the bytes after the last one, at the end of
/// `out`. The first one starts at 0. Fills the new place of each. Orders must be small numbers.
bool bspi_regions_write(bspi_regions *regions, bsp_bytes old, bspi_pieces *out);

/// Returns the region of that order, or NULL.
const bspi_region *bspi_regions_find(const bspi_regions *regions, uint32_t order);

/// Returns the new place of a byte of the old bytes: the end of a region belongs to what follows
/// it.
uint64_t bspi_regions_map(const bspi_regions *regions, uint64_t at);

#endif
