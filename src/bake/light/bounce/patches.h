// SPDX-License-Identifier: MIT
// Pieces of surfaces between which light is thrown.
#ifndef BSPI_BAKE_PATCHES_H
#define BSPI_BAKE_PATCHES_H

#include "bake/light/base/work.h"

/// A piece of a surface between which light is thrown.
typedef struct bspi_patch {
    float point[3]; ///< off the surface
    float normal[3];
    float area;        ///< square units
    float reflects[3]; ///< 0..1
    float thrown[3];   ///< of the last bounce, not thrown on yet, as sums have light
    float sent[3];     ///< thrown in all bounces
    float bounced[3];  ///< that falls on it after all bounces
    float lit[BSPI_RELIGHT_STYLES][3]; ///< what it throws back of the direct light of each style
    uint8_t styles[BSPI_RELIGHT_STYLES];
    uint32_t num_styles;
    uint32_t leaf;
} bspi_patch;

/// The patches of a face: columns x rows of them, each of `step` luxels.
typedef struct bspi_patch_grid {
    uint32_t columns;
    uint32_t rows;
    uint32_t *number; ///< of each cell, or BSP_NONE
} bspi_patch_grid;

/// Cuts the lit faces into patches, but for those that are to be skipped (NULL: none).
bool bspi_patches_make(bspi_relight *own, const bool *skip, bsp_error *error);

/// Mixes what the patches around a luxel of a face have received.
void bspi_patches_mix(const bspi_relight *own, const bspi_patch_grid *grid, uint32_t x, uint32_t y,
                      float out[3]);

/// Adds what the patches of a face have received to the luxels of a style, if the face has that.
void bspi_patches_brighten(bspi_relight *own, uint32_t face, int style);

#endif
