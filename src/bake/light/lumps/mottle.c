// SPDX-License-Identifier: MIT
// Noise in space by the rules of ericw-tools ("_minlight_mottle"; Mottle of light/ltface.cc). Its
// values at the grid are those of a table there; here they are others, as evenly spread.
#include "bake/light/lumps/mottle.h"

#include <math.h>
#include <stdint.h>

#define STEP 16.0f  // units between values
#define MASK 0xFFu  // the pattern begins again after so many steps
#define FULL 255.0f // the largest value

// Mixes the bits of a place of the grid. Constants: those of murmur3's finaliser.
static float value_at(const int32_t at[3]) {
    uint32_t x =
        ((uint32_t)at[0] & MASK) | ((uint32_t)at[1] & MASK) << 8 | ((uint32_t)at[2] & MASK) << 16;
    x = (x ^ x >> 16) * 0x85EBCA6Bu;
    x = (x ^ x >> 13) * 0xC2B2AE35u;
    return (float)((x ^ x >> 16) & 0xFFu) / FULL * BSPI_MOTTLE;
}

float bspi_mottle(const float point[3]) {
    int32_t low[3];
    float part[3];
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float at = isfinite(point[i]) ? fmodf(point[i], STEP * (MASK + 1)) / STEP : 0;
        low[i] = (int32_t)floorf(at);
        part[i] = at - floorf(at);
    }
    for (int n = 0; n < 8; n++) {
        int32_t at[3];
        float share = 1;
        for (int i = 0; i < 3; i++) {
            int beyond = n >> i & 1;
            at[i] = low[i] + beyond;
            share *= beyond != 0 ? part[i] : 1 - part[i];
        }
        sum += share * value_at(at);
    }
    return sum;
}
