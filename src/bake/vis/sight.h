// SPDX-License-Identifier: MIT
// Sight through portals: what the steps of visibility share.
#ifndef BSPI_BAKE_SIGHT_H
#define BSPI_BAKE_SIGHT_H

#include "bake/vis/separators.h"
#include "bspkit/vis.h"
#include "core/bits.h"
#include "core/memory.h"

/// A portal in one direction. Number 2 * p goes from the first cluster of portal p into the second,
/// 2 * p + 1 the other way.
typedef struct bspi_gate {
    bspi_split_plane plane; ///< looks into the cluster that it leads to
    uint32_t from;          ///< cluster
    uint32_t to;
    uint32_t reach; ///< number of gates that it may see, which decides the order
} bspi_gate;

typedef struct bspi_sight {
    bsp_vis vis;
    bspi_heap heap;
    bspi_arena arena;
    const bsp_portals *portals;
    bsp_progress progress;
    double distance; ///< 0: none
    bspi_gate *gates;
    bspi_winding *windings; ///< of the gates: counter-clockwise seen from where they lead
    bspi_sphere *spheres;   ///< around the gates
    uint32_t num_gates;
    uint32_t words;       ///< of a set of gates: a multiple of four
    uint32_t *first_gate; ///< for each cluster: run of leaving, one more at the end
    uint32_t *leaving;    ///< gates by the cluster that they leave
    bspi_word *might;     ///< for each gate: those that a line through it may go through after it
    bspi_word *seen;      ///< of the search, for each gate
    bool *done;           ///< `seen` holds the result of that gate
    uint8_t *rows;        ///< of `vis`: what is known to be seen
    double *points;       ///< of the gates
    /// Rows of the clusters that shares have found, by the order in which gates are searched; NULL:
    /// there are no shares.
    uint8_t *shares;
    uint32_t num_shares;
    uint32_t share; ///< the one that is to be searched, from 0
} bspi_sight;

static inline bool bspi_gate_in(const bspi_word *set, uint32_t gate) {
    return (set[gate / 64] >> gate % 64 & 1) != 0;
}
static inline void bspi_gate_add(bspi_word *set, uint32_t gate) {
    set[gate / 64] |= (bspi_word)1 << gate % 64;
}
static inline void bspi_gate_remove(bspi_word *set, uint32_t gate) {
    set[gate / 64] &= ~((bspi_word)1 << gate % 64);
}
/// Takes the lowest gate of a word of a set, whose first gate is `first`, out of the word.
static inline uint32_t bspi_gate_take(bspi_word *word, uint32_t first) {
    uint32_t gate = first + (uint32_t)__builtin_ctzll(*word);
    *word &= *word - 1;
    return gate;
}
static inline bspi_word *bspi_gate_set(const bspi_sight *sight, bspi_word *sets, uint32_t gate) {
    return sets + (size_t)gate * sight->words;
}

static inline bool bspi_sight_sees(const bspi_sight *sight, uint32_t from, uint32_t to) {
    return bspi_bit_is(sight->rows + (size_t)from * sight->vis.row_bytes, to);
}
/// Notes that two clusters see each other.
static inline void bspi_sight_see(bspi_sight *sight, uint32_t a, uint32_t b) {
    bspi_bit_set(sight->rows + (size_t)a * sight->vis.row_bytes, b);
    bspi_bit_set(sight->rows + (size_t)b * sight->vis.row_bytes, a);
}

/// Makes gates of the portals (gates.c).
bool bspi_sight_gates(bspi_sight *sight, bsp_error *error);
/// Fills `might` (base.c).
bool bspi_sight_base(bspi_sight *sight, bsp_error *error);
/// Adds to `rows`, which are those of clusters that see themselves alone, what a search from each
/// gate finds; with `share`, writes the rows of one share to `shares` instead (rounds.c).
bool bspi_sight_flow(bspi_sight *sight, bool share, bsp_error *error);
/// Returns the number of gates of a round.
uint32_t bspi_sight_round(const bspi_sight *sight);
/// Returns how many gates, in the order in which they are searched, have no share.
uint32_t bspi_sight_alone(const bspi_sight *sight);
/// Returns the number of gates of a share: those after the first ones, dealt in turn.
uint32_t bspi_sight_share_size(const bspi_sight *sight, uint32_t share);
/// Makes room for the rows of shares, unless it is there (share.c).
bool bspi_sight_make_shares(bspi_sight *sight, bsp_error *error);
/// Writes the rows of the share that was searched, as a file.
bool bspi_sight_write_share(bspi_sight *sight, bsp_blob *blob, bsp_error *error);
/// Reads all shares.
bool bspi_sight_take_shares(bspi_sight *sight, const bsp_bytes *parts, uint32_t count,
                            bsp_error *error);

#endif
