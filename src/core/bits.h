// SPDX-License-Identifier: MIT
// Sets of numbers as bits in bytes, the lowest bit first: as maps have rows of visibility. And the
// bits of one number.
#ifndef BSPI_BITS_H
#define BSPI_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns true if a number is in a set, whose bytes must reach to it.
static inline bool bspi_bit_is(const uint8_t *bits, size_t number) {
    return (bits[number / 8] >> number % 8 & 1) != 0;
}

/// Adds a number to a set, whose bytes must reach to it.
static inline void bspi_bit_set(uint8_t *bits, size_t number) {
    bits[number / 8] |= (uint8_t)(1u << number % 8);
}

/// Returns how many bits of a number are set.
static inline unsigned bspi_count_bits(uint32_t bits) {
    return (unsigned)__builtin_popcount(bits);
}

#endif
