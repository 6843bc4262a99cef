// SPDX-License-Identifier: MIT
// MD5: blocks of 16 little-endian words pass four rounds of 16 steps. RFC 1321.
#include "pack/md5.h"

static inline uint32_t turn(uint32_t x, uint32_t bits) {
    return x << bits | x >> (32 - bits);
}

// The steps of the four rounds; `x` is a word and its constant, added up. Each waits for `b`, which
// the step before it made: whatever does not need `b` is added up first.
static inline uint32_t step_1(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return b + turn(a + x + (d ^ (b & (c ^ d))), bits);
}

static inline uint32_t step_2(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return b + turn(a + x + (c & ~d) + (b & d), bits);
}

static inline uint32_t step_3(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return b + turn(a + x + (b ^ (c ^ d)), bits);
}

static inline uint32_t step_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t x,
                              uint32_t bits) {
    return b + turn(a + x + (c ^ (b | ~d)), bits);
}

// Four steps of a round: step n of 64 adds the integer part of 2^32 * |sin(n + 1)|, in radians.
// Each step's result is the next one's `b`.
#define FOUR(step, t0, t1, t2, t3, p, k0, q, k1, r, k2, s, k3)                                     \
    a = step(a, b, c, d, x[p] + k0, t0);                                                           \
    d = step(d, a, b, c, x[q] + k1, t1);                                                           \
    c = step(c, d, a, b, x[r] + k2, t2);                                                           \
    b = step(b, c, d, a, x[s] + k3, t3)

static void add_block(uint32_t *state, const uint8_t *block) {
    uint32_t x[16];
    for (int i = 0; i < 16; i++) {
        x[i] = bspi_load32(block + 4 * i, false);
    }
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    FOUR(step_1, 7, 12, 17, 22, 0, 0xd76aa478, 1, 0xe8c7b756, 2, 0x242070db, 3, 0xc1bdceee);
    FOUR(step_1, 7, 12, 17, 22, 4, 0xf57c0faf, 5, 0x4787c62a, 6, 0xa8304613, 7, 0xfd469501);
    FOUR(step_1, 7, 12, 17, 22, 8, 0x698098d8, 9, 0x8b44f7af, 10, 0xffff5bb1, 11, 0x895cd7be);
    FOUR(step_1, 7, 12, 17, 22, 12, 0x6b901122, 13, 0xfd987193, 14, 0xa679438e, 15, 0x49b40821);
    FOUR(step_2, 5, 9, 14, 20, 1, 0xf61e2562, 6, 0xc040b340, 11, 0x265e5a51, 0, 0xe9b6c7aa);
    FOUR(step_2, 5, 9, 14, 20, 5, 0xd62f105d, 10, 0x02441453, 15, 0xd8a1e681, 4, 0xe7d3fbc8);
    FOUR(step_2, 5, 9, 14, 20, 9, 0x21e1cde6, 14, 0xc33707d6, 3, 0xf4d50d87, 8, 0x455a14ed);
    FOUR(step_2, 5, 9, 14, 20, 13, 0xa9e3e905, 2, 0xfcefa3f8, 7, 0x676f02d9, 12, 0x8d2a4c8a);
    FOUR(step_3, 4, 11, 16, 23, 5, 0xfffa3942, 8, 0x8771f681, 11, 0x6d9d6122, 14, 0xfde5380c);
    FOUR(step_3, 4, 11, 16, 23, 1, 0xa4beea44, 4, 0x4bdecfa9, 7, 0xf6bb4b60, 10, 0xbebfbc70);
    FOUR(step_3, 4, 11, 16, 23, 13, 0x289b7ec6, 0, 0xeaa127fa, 3, 0xd4ef3085, 6, 0x04881d05);
    FOUR(step_3, 4, 11, 16, 23, 9, 0xd9d4d039, 12, 0xe6db99e5, 15, 0x1fa27cf8, 2, 0xc4ac5665);
    FOUR(step_4, 6, 10, 15, 21, 0, 0xf4292244, 7, 0x432aff97, 14, 0xab9423a7, 5, 0xfc93a039);
    FOUR(step_4, 6, 10, 15, 21, 12, 0x655b59c3, 3, 0x8f0ccc92, 10, 0xffeff47d, 1, 0x85845dd1);
    FOUR(step_4, 6, 10, 15, 21, 8, 0x6fa87e4f, 15, 0xfe2ce6e0, 6, 0xa3014314, 13, 0x4e0811a1);
    FOUR(step_4, 6, 10, 15, 21, 4, 0xf7537e82, 11, 0xbd3af235, 2, 0x2ad7d2bb, 9, 0xeb86d391);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void bspi_md5_begin(bspi_md5 *md5) {
    *md5 = (bspi_md5){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void bspi_md5_add(bspi_md5 *md5, bsp_bytes data) {
    bspi_digest_blocks_add(&md5->blocks, add_block, md5->state, data);
}

void bspi_md5_end(bspi_md5 *md5, uint8_t digest[BSPI_MD5_SIZE]) {
    bspi_digest_blocks_end(&md5->blocks, add_block, md5->state, false);
    for (int i = 0; i < 4; i++) {
        bspi_store32(digest + 4 * i, md5->state[i], false);
    }
}
