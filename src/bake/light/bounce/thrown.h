// SPDX-License-Identifier: MIT
// Lamps that stand for faces in one bounce: which of them may light a face is found for eight at a
// time.
#ifndef BSPI_BAKE_THROWN_H
#define BSPI_BAKE_THROWN_H

#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

/// The lamps of a bounce. All shine from one side, as far as each other, and count from one gate.
typedef struct bspi_thrown {
    const bspi_lamp *lamps;
    uint32_t count;
    struct bspi_thrown_eight *eights; ///< in the heap, as what follows
    uint32_t *numbers;                ///< of those that all see, then of those in each cluster
    uint32_t *firsts;                 ///< of these runs
    uint32_t num_clusters;
} bspi_thrown;

/// Prepares lamps, which stay where they are.
bool bspi_thrown_begin(bspi_relight *own, const bspi_lamp *lamps, uint32_t count, bspi_thrown *out,
                       bsp_error *error);
void bspi_thrown_free(bspi_relight *own, bspi_thrown *thrown);

/// Lists the lamps of which places of a face may have more than the gate: those of which they can
/// have only little, as it is shown, from the front of `list`, others from its end, which has room
/// for all.
bool bspi_thrown_find(const bspi_thrown *thrown, bspi_relight *own, const bspi_places *places,
                      uint32_t *list, uint32_t *num_weak, uint32_t *num_strong, bsp_error *error);

#endif
