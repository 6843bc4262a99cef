// SPDX-License-Identifier: MIT
// Quake 3: all that throws light back, while it is done.
#ifndef BSPI_BAKE_THROWING_H
#define BSPI_BAKE_THROWING_H

#include "bake/light/bounce/drawn_throw.h"

#define BSPI_THROWING_TURNS 32u // that are kept apart for the light grid

/// All surfaces while light is thrown between them.
typedef struct bspi_throwing {
    bspi_relight *own;
    bspi_taker *takers;     ///< of each face
    bspi_shreds *shreds;    ///< of each face
    bspi_picture *pictures; ///< of each material
    float *chops;           ///< of each material, units; 0: it throws nothing back
    float *scales;          ///< of each material: of what it throws back
    bspi_shining *shining;  ///< in the heap
    uint32_t num_shining;
    uint32_t num_known; ///< of which places know what they have
    size_t room;
    uint32_t num_lamps; ///< that the map has, before those that stand for pieces
    int style;
    uint32_t turn; ///< how often light was thrown before; later ones count as the last that is kept
    float color_ratio; ///< share of the colour of pictures that is heeded
    float hues[256];   ///< what each value of their channels throws back, 0..1
} bspi_throwing;

/// Finds what materials say.
bool bspi_throwing_begin(bspi_throwing *t, bsp_error *error);
/// Returns the longest side of the pieces of a face, units; 0: it throws nothing back.
float bspi_throwing_chop(const bspi_throwing *t, uint32_t face);
/// Collects the pieces that throw light now; sets whether any do.
bool bspi_throwing_collect(bspi_throwing *t, bool *any, bsp_error *error);
/// Makes lamps of what all pieces threw of a style, if the light grid is to have it, and forgets
/// it.
bool bspi_throwing_lamps(bspi_throwing *t, bsp_error *error);
/// Finds what these see, and counts them no more among the surfaces that give light.
bool bspi_throwing_see(bspi_throwing *t, bsp_error *error);

#endif
