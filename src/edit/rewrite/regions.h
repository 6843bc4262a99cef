// SPDX-License-Identifier: MIT
// The bytes of a file (or of the game lump) as regions that stay in their order when some of them
// change their size.
#ifndef BSPI_EDIT_REWRITE_REGIONS_H
#define BSPI_EDIT_REWRITE_REGIONS_H

#include "edit/rewrite/pieces.h"

/// A run of bytes that moves as a whole.
typedef struct bspi_region {
    uint64_t start; ///< in the old bytes
    uint64_t end;
    uint32_t order;     ///< which comes first of two that start at one place; unique
    uint32_t alignment; ///< that its start keeps; 1: what is before it is kept as it is
    uint32_t phase;     ///< its start is that much more than a multiple of the alignment
    bool changed;       ///< `data`, and then `pieces`, take the place of the old bytes
    bsp_bytes data;
    const bspi_piece *pieces;
    size_t num_pieces;
    bool apart;           ///< was changed while others share its old bytes: it stands behind them
    uint32_t kept;        ///< how many regions there are up to the last one that is not apart
    uint64_t moved_start; ///< in the new bytes
    uint64_t moved_end;
} bspi_region;

typedef struct bspi_regions {
    bspi_region *list; ///< sorted by writing
    uint32_t count;
    uint32_t *by_order; ///< made by writing: the region of each order, or BSP_NONE
    uint32_t num_orders;
} bspi_regions;

/// Writes the regions, what lies between them, and what is behind the last one, at the end of
/// `out`. The first one starts at 0. Fills where each went. Orders are small numbers.
bool bspi_regions_write(bspi_regions *regions, bsp_bytes old, bspi_pieces *out);

/// The region of that order, or NULL.
const bspi_region *bspi_regions_find(const bspi_regions *regions, uint32_t order);

/// Where a byte of the old bytes went: the byte behind a region goes with what is there.
uint64_t bspi_regions_map(const bspi_regions *regions, uint64_t at);

#endif
