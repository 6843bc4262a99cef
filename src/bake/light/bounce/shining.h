// SPDX-License-Identifier: MIT
// Quake 3: a piece of a surface that throws light back as a whole, and what eight places at once
// have of it, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_SHINING_H
#define BSPI_BAKE_SHINING_H

#include "bake/light/lamps/lamp_eight.h"

/// A piece of a surface that throws light back.
typedef struct bspi_shining {
    const float (*corners)[3]; ///< of a flat polygon. Borrowed
    uint32_t count;
    float normal[3];
    float dist;      ///< of the plane that lies a unit before it
    float origin[3]; ///< where lines to it end
    float value;     ///< what it gives of its light where it fills all that is seen
    float gate;      ///< what is not more of that counts nothing
    float reach;     ///< units, from where on it gives nothing
    uint32_t cluster;
    bool two_sided;
    bool hidden;      ///< its middle is in solid: nothing is lit by it
    bool throws;      ///< now
    float color[3];   ///< of its light now
    float (*sent)[3]; ///< what it threw each time; in the arena. NULL: the grid does not have it
} bspi_shining;

/// Returns bits of the places that have some of its light if nothing is between; sets what share of
/// it, and the bits of those that see its back. `both`: they are lit from both sides.
typedef uint32_t bspi_shining_eight_fn(const bspi_shining *shining, const bspi_lamp_places *places,
                                       bool both, float shares[BSPI_LAMP_PLACES], uint32_t *backs);

bspi_shining_eight_fn bspi_shining_eight_base;        // shining_eight_base.c
bspi_shining_eight_fn bspi_shining_eight_avx2;        // where BSPI_MAKES_AVX2
bspi_shining_eight_fn *bspi_shining_eight_here(void); // the fastest one: shining_eight_avx2.c

/// Adds a color times shares, which are whole numbers, to `num` eights of sums for each channel.
typedef void bspi_shining_add_fn(const uint16_t *shares, uint32_t num, const float color[3],
                                 float (*sums)[3][BSPI_LAMP_PLACES]);

bspi_shining_add_fn bspi_shining_add_base;        // shining_eight_base.c
bspi_shining_add_fn bspi_shining_add_avx2;        // where BSPI_MAKES_AVX2
bspi_shining_add_fn *bspi_shining_add_here(void); // the fastest one: shining_eight_avx2.c

#endif
