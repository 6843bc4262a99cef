// SPDX-License-Identifier: MIT
// MD5: blocks of 16 little-endian words pass four rounds of 16 steps. RFC 1321.
#include "pack/md5.h"

#include "core/reader.h"

#include <string.h>

#define BLOCK 64u
#define LENGTH_AT 56u

// The integer part of 2^32 * |sin(n)|, n = 1 to 64, in radians.
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static uint32_t turn(uint32_t x, uint32_t bits) {
    return x << bits | x >> (32 - bits);
}

static uint32_t mix(int round, uint32_t x, uint32_t y, uint32_t z) {
    switch (round) {
    case 0:
        return (x & y) | (~x & z);
    case 1:
        return (x & z) | (y & ~z);
    case 2:
        return x ^ y ^ z;
    default:
        return y ^ (x | ~z);
    }
}

static void add_block(uint32_t state[4], const uint8_t *block) {
    static const uint8_t turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t first[4] = {0, 1, 5,
                                     0}; // first word of a round; the step to the next follows
    static const uint8_t steps[4] = {1, 5, 3, 7};
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    for (int i = 0; i < 64; i++) {
        int round = i / 16;
        size_t word = (first[round] + (size_t)steps[round] * (size_t)(i % 16)) % 16;
        uint32_t sum = a + mix(round, b, c, d) + bspi_load32(block + 4 * word, false) + sines[i];
        a = d;
        d = c;
        c = b;
        b += turn(sum, turns[round][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void bspi_md5_begin(bspi_md5 *md5) {
    *md5 = (bspi_md5){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void bspi_md5_add(bspi_md5 *md5, bsp_bytes data) {
    while (data.size != 0) {
        size_t used = (size_t)(md5->size % BLOCK);
        size_t take = data.size < BLOCK - used ? data.size : BLOCK - used;
        memcpy(md5->block + used, data.data, take);
        md5->size += take;
        data.data += take;
        data.size -= take;
        if (used + take == BLOCK) {
            add_block(md5->state, md5->block);
        }
    }
}

// Adds one set bit, zeros, and the number of bits.
void bspi_md5_end(bspi_md5 *md5, uint8_t digest[BSPI_MD5_SIZE]) {
    static const uint8_t end[BLOCK] = {0x80};
    uint64_t size = md5->size;
    size_t used = (size_t)(size % BLOCK);
    uint8_t length[8];
    bspi_store32(length, (uint32_t)(size << 3), false);
    bspi_store32(length + 4, (uint32_t)(size >> 29), false);
    bspi_md5_add(md5, (bsp_bytes){end, (used < LENGTH_AT ? LENGTH_AT : LENGTH_AT + BLOCK) - used});
    bspi_md5_add(md5, (bsp_bytes){length, sizeof length});
    for (int i = 0; i < 4; i++) {
        bspi_store32(digest + 4 * i, md5->state[i], false);
    }
}
