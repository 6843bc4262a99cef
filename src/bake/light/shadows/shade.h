// SPDX-License-Identifier: MIT
// Shadows by the rules of q3map2: lines end where they go into what is solid in the tree, and at
// triangles of surfaces (drawn_shade.c).
#ifndef BSPI_BAKE_SHADE_H
#define BSPI_BAKE_SHADE_H

#include "bake/light/drawn/drawn.h"
#include "bake/light/shadows/shade_eight.h"

#define BSPI_SHADE_NEAR 1.5f // units from a place of a surface that no triangle shades

/// A line that is looked along, and what is found.
typedef struct bspi_shade_line {
    float near;       ///< units from its beginning in which no triangle counts
    bool grid;        ///< from a cell of the light grid: patches do not count
    float through[3]; ///< what comes of light, 0..1
    bool clear;       ///< the sky, or what lets light through, was met
    float share;      ///< of the line, where it ends
    uint64_t steps;   ///< nodes and triangles that were looked at are added
} bspi_shade_line;

/// Finds the triangles that cast shadows; freed by bspi_shade_free, after an error too.
bool bspi_shade_make(bspi_relight *own, const bsp_textures *textures, bsp_error *error);
void bspi_shade_free(bspi_relight *own);
/// Is there light at the end of a line? Sets what comes of it.
bool bspi_shade_pass(const bspi_relight *own, const float from[3], const float to[3],
                     bspi_shade_line *line);
/// Is there the sky, beyond which the line ends?
bool bspi_shade_sky(const bspi_relight *own, const float from[3], const float to[3],
                    bspi_shade_line *line);
/// The same of eight lines at once (`beyond`: of bspi_shade_sky), which are stopped where there is
/// none; `through`: what comes of light to each that is not, unless NULL.
void bspi_shade_many(const bspi_relight *own, const bspi_shade_rules *rules,
                     bspi_shade_eight *eight, float (*through)[3]);
/// Pays for the steps of lines. `error` may be NULL: what can fail next tells of too much.
bool bspi_shade_pay(bspi_relight *own, uint64_t steps, bsp_error *error);

#endif
