// SPDX-License-Identifier: MIT
// How much is looked at: for the whole light, or for a preview of it.
#ifndef BSPI_BAKE_EFFORT_H
#define BSPI_BAKE_EFFORT_H

#include <stdint.h>

/// How much is looked at.
typedef struct bspi_effort {
    uint32_t step;      ///< every so many-th place along an axis of a face is measured
    uint32_t sky_ways;  ///< directions in which the sky is looked for
    uint32_t cube_ways; ///< Source: in which light is looked for around a place in a leaf
    uint32_t around;    ///< directions around the normal in which corners are looked for
    uint32_t cells;     ///< Quake 3: every so many-th cell in a row of the grid is measured
    float afar;         ///< sizes of a surface that gives light from which it is one lamp
    float patches;      ///< how many times as wide the pieces are between which light is thrown
    /// Share of the light of another piece below which the ways to some pieces are one, which is
    /// looked along for all of them; 0: each is looked along.
    float transfer;
    /// ericw: the same of lamps: of 255 at a face; 0: each is looked at.
    float lamp;
} bspi_effort;

extern const bspi_effort bspi_effort_whole;
extern const bspi_effort bspi_effort_preview;

#endif
