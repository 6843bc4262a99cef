// SPDX-License-Identifier: MIT
// MD4: blocks of 16 little-endian words pass three rounds of 16 steps. RFC 1320.
#include "pack/md4.h"

#include "pack/digest_blocks.h"

static inline uint32_t turn(uint32_t x, uint32_t bits) {
    return x << bits | x >> (32 - bits);
}

// The steps of the three rounds. Each waits for `b`, which the step before it made: whatever does
// not need `b` is added up first, and the majority of round 2 is a sum of disjoint bits, so that
// the chain through `b` is one bit operation, one addition and one rotation (round 1: two and one).
static inline uint32_t choose(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return turn(a + x + (d ^ (b & (c ^ d))), bits);
}

static inline uint32_t majority(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                                uint32_t bits) {
    return turn(a + x + 0x5A827999 + (c & d) + (b & (c ^ d)), bits);
}

static inline uint32_t parity(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return turn(a + x + 0x6ED9EBA1 + (b ^ (c ^ d)), bits);
}

// Four steps of a round, on words p, q, r and s; each step's result is the next one's `b`.
#define FOUR(step, p, q, r, s, t0, t1, t2, t3)                                                     \
    a = step(a, b, c, d, x[p], t0);                                                                \
    d = step(d, a, b, c, x[q], t1);                                                                \
    c = step(c, d, a, b, x[r], t2);                                                                \
    b = step(b, c, d, a, x[s], t3)

static void add_block(uint32_t *state, const uint8_t *block) {
    uint32_t x[16];
    for (int i = 0; i < 16; i++) {
        x[i] = bspi_load32(block + 4 * i, false);
    }
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    FOUR(choose, 0, 1, 2, 3, 3, 7, 11, 19);
    FOUR(choose, 4, 5, 6, 7, 3, 7, 11, 19);
    FOUR(choose, 8, 9, 10, 11, 3, 7, 11, 19);
    FOUR(choose, 12, 13, 14, 15, 3, 7, 11, 19);
    FOUR(majority, 0, 4, 8, 12, 3, 5, 9, 13);
    FOUR(majority, 1, 5, 9, 13, 3, 5, 9, 13);
    FOUR(majority, 2, 6, 10, 14, 3, 5, 9, 13);
    FOUR(majority, 3, 7, 11, 15, 3, 5, 9, 13);
    FOUR(parity, 0, 8, 4, 12, 3, 9, 11, 15);
    FOUR(parity, 2, 10, 6, 14, 3, 9, 11, 15);
    FOUR(parity, 1, 9, 5, 13, 3, 9, 11, 15);
    FOUR(parity, 3, 11, 7, 15, 3, 9, 11, 15);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void bspi_md4(bsp_bytes data, uint8_t digest[16]) {
    uint32_t state[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
    bspi_digest_blocks blocks = {0};
    bspi_digest_blocks_add(&blocks, add_block, state, data);
    bspi_digest_blocks_end(&blocks, add_block, state, false);
    for (int i = 0; i < 4; i++) {
        bspi_store32(digest + 4 * i, state[i], false);
    }
}

uint32_t bspi_block_checksum(bsp_bytes data) {
    uint8_t digest[16];
    uint32_t sum = 0;
    bspi_md4(data, digest);
    for (int i = 0; i < 4; i++) {
        sum ^= bspi_load32(digest + 4 * i, false);
    }
    return sum;
}
