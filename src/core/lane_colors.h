// SPDX-License-Identifier: MIT
// Eight pixels at once: texels and colors in lanes.
#ifndef BSPI_LANE_COLORS_H
#define BSPI_LANE_COLORS_H

#include "core/lanes.h"

#include <stddef.h>

typedef uint16_t u16x16 __attribute__((vector_size(32))); // two channels of each pixel
typedef uint64_t u64x4 __attribute__((vector_size(32)));

/// Texels at eight places, and those to their right.
typedef struct pairs8 {
    i8 left;
    i8 right;
} pairs8;

BSPI_LANES uint64_t pair_at(const uint8_t *pixels, uint32_t at) {
    uint64_t pair;
    memcpy(&pair, pixels + (size_t)at * 4, sizeof pair);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    pair = __builtin_bswap64(pair);
#endif
    return pair;
}

BSPI_LANES pairs8 gather(const uint8_t *pixels, const uint32_t at[8]) {
    // In the order in which the pairs are separated below, with halves of 128 bits.
    u64x4 low = {pair_at(pixels, at[0]), pair_at(pixels, at[1]), pair_at(pixels, at[4]),
                 pair_at(pixels, at[5])};
    u64x4 high = {pair_at(pixels, at[2]), pair_at(pixels, at[3]), pair_at(pixels, at[6]),
                  pair_at(pixels, at[7])};
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (pairs8){__builtin_shufflevector((i8)low, (i8)high, 1, 3, 9, 11, 5, 7, 13, 15),
                    __builtin_shufflevector((i8)low, (i8)high, 0, 2, 8, 10, 4, 6, 12, 14)};
#else
    return (pairs8){__builtin_shufflevector((i8)low, (i8)high, 0, 2, 8, 10, 4, 6, 12, 14),
                    __builtin_shufflevector((i8)low, (i8)high, 1, 3, 9, 11, 5, 7, 13, 15)};
#endif
}

/// Eight colours: channels of 8 bits in lanes of 16.
typedef struct color8 {
    u16x16 rb; // red, blue
    u16x16 ga; // green, alpha
} color8;

BSPI_LANES color8 color8_of(i8 pixels) {
    i8 mask = i8_all(0x00FF00FF);
    // The shift extends the sign; the mask removes it.
    return (color8){(u16x16)(pixels & mask), (u16x16)((pixels >> 8) & mask)};
}

BSPI_LANES i8 color8_pack(color8 c) {
    return (i8)c.rb | (i8)(c.ga << 8);
}

// Mixes a and b by f / 256; f and `rest` (256 - f) are in both halves of each lane.
BSPI_LANES u16x16 mix256(u16x16 a, u16x16 b, u16x16 f, u16x16 rest) {
    return (a * rest + b * f + 128) >> 8;
}

// Returns x / 255, rounded, for x up to 255 * 255.
BSPI_LANES u16x16 over255(u16x16 x) {
    x += 128;
    return (x + (x >> 8)) >> 8;
}

// Limits to 255.
BSPI_LANES u16x16 saturate(u16x16 x) {
    return (x | (u16x16)(x > 255)) & 255;
}

#endif
