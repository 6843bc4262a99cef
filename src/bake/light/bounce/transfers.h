// SPDX-License-Identifier: MIT
// What goes of the light of patches to other patches.
#ifndef BSPI_BAKE_TRANSFERS_H
#define BSPI_BAKE_TRANSFERS_H

#include "bake/light/base/work.h"

/// What goes between a patch and one of a higher number.
typedef struct bspi_transfer {
    uint32_t other;
    float here;  ///< share of the other's light that comes here
    float there; ///< and the other way
} bspi_transfer;

/// The transfers of a patch.
typedef struct bspi_transfer_row {
    bspi_transfer *list; ///< in the heap
    uint32_t count;
    size_t room;
} bspi_transfer_row;

#define BSPI_TRANSFERS 8u // that are asked for at once

/// The transfers between patches, and how they are found. All but `rows` is set by the caller.
typedef struct bspi_transfers {
    bspi_relight *own;
    const void *user;
    uint32_t num_patches;
    uint32_t (*leaf)(const void *user, uint32_t patch);
    /// Returns the first patch of a higher number that light may go to.
    uint32_t (*next)(const void *user, uint32_t patch);
    /// Sets what goes between two patches if nothing is on the line between them, and that line.
    /// False: nothing goes.
    bool (*share)(const void *user, uint32_t from, uint32_t to, bspi_transfer *out,
                  bsp_sight_line *line);
    /// The same for a patch and BSPI_TRANSFERS from one on, those of the bits `open`. Returns bits
    /// of those to which something goes. NULL: `share` is asked for each.
    uint32_t (*shares)(const void *user, uint32_t from, uint32_t to, uint32_t open,
                       bspi_transfer out[BSPI_TRANSFERS], bsp_sight_line lines[BSPI_TRANSFERS]);
    bspi_transfer_row *rows; ///< of each patch
} bspi_transfers;

/// Finds all transfers, by threads, as work and with progress. Call bspi_transfers_free afterwards,
/// even on failure.
bool bspi_transfers_find(bspi_transfers *transfers, bsp_error *error);

/// Returns how many there are.
uint64_t bspi_transfers_count(const bspi_transfers *transfers);

void bspi_transfers_free(bspi_transfers *transfers);

#endif
