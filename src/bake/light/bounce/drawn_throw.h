// SPDX-License-Identifier: MIT
// Quake 3: where light that is thrown back falls.
#ifndef BSPI_BAKE_DRAWN_THROW_H
#define BSPI_BAKE_DRAWN_THROW_H

#include "bake/light/bounce/shining.h"
#include "bake/light/bounce/shreds.h"
#include "bake/light/places/places.h"

/// The shares that the places of a face have of one piece.
typedef struct bspi_thrown_view {
    uint32_t shining;
    uint32_t first; ///< of the eights
    uint32_t count;
    float most; ///< that a share of 65535 stands for
    size_t at;  ///< of the first share
} bspi_thrown_view;

/// A face that takes light.
typedef struct bspi_taker {
    bspi_places places;
    bspi_lamp_places *eights; ///< its lit places
    uint32_t num_eights;
    bspi_thrown_view *views;
    uint32_t num_views;
    size_t views_room;
    uint16_t *shares; ///< of each view, of eight places each
    size_t num_shares;
    size_t shares_room;
    float (*rgb)[3]; ///< what it got last
    bool *known;     ///< scratch: which places have some
    bool by_vertices;
    bool takes; ///< all of this is set
} bspi_taker;

/// Prepares a face that takes light. Its `places` are set.
bool bspi_taker_begin(bspi_relight *own, bspi_taker *taker, bsp_error *error);
/// Finds the shares that its places have of pieces from `first` on.
bool bspi_taker_look(bspi_relight *own, bspi_taker *taker, uint32_t face,
                     const bspi_shining *shining, uint32_t first, uint32_t count, bsp_error *error);
/// Sets `rgb` by what pieces throw now.
bool bspi_taker_take(bspi_relight *own, bspi_taker *taker, uint32_t face,
                     const bspi_shining *shining, bsp_error *error);
void bspi_taker_free(bspi_relight *own, bspi_taker *taker);

#endif
