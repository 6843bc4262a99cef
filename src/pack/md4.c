// SPDX-License-Identifier: MIT
// MD4: blocks of 16 little-endian words pass three rounds of 16 steps. RFC 1320.
#include "pack/md4.h"

#include "core/reader.h"

#include <string.h>

#define BLOCK 64u
#define LENGTH_SIZE 8u

static uint32_t turn(uint32_t x, uint32_t bits) {
    return x << bits | x >> (32 - bits);
}

// The function of a round; each round also has a constant, an order of the words and rotations.
static uint32_t mix(int round, uint32_t x, uint32_t y, uint32_t z) {
    switch (round) {
    case 0:
        return (x & y) | (~x & z);
    case 1:
        return (x & y) | (x & z) | (y & z);
    default:
        return x ^ y ^ z;
    }
}

static void add_block(uint32_t state[4], const uint8_t *block) {
    static const uint32_t constants[3] = {0, 0x5A827999, 0x6ED9EBA1};
    static const uint8_t turns[3][4] = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};
    static const uint8_t words[3][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
        {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
    };
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 16; i++) {
            uint32_t word = bspi_load32(block + 4 * words[round][i], false);
            uint32_t next =
                turn(a + mix(round, b, c, d) + word + constants[round], turns[round][i % 4]);
            a = d;
            d = c;
            c = b;
            b = next;
        }
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

// Adds the remaining bytes, one set bit, zeros, and the number of bits, in one block or two.
static void add_end(uint32_t state[4], bsp_bytes rest, uint64_t size) {
    uint8_t end[2 * BLOCK] = {0};
    if (rest.size != 0) {
        memcpy(end, rest.data, rest.size);
    }
    end[rest.size] = 0x80;
    size_t used = rest.size + 1 + LENGTH_SIZE <= BLOCK ? BLOCK : 2 * BLOCK;
    bspi_store32(end + used - 8, (uint32_t)(size << 3), false);
    bspi_store32(end + used - 4, (uint32_t)(size >> 29), false);
    for (size_t at = 0; at < used; at += BLOCK) {
        add_block(state, end + at);
    }
}

void bspi_md4(bsp_bytes data, uint8_t digest[16]) {
    uint32_t state[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
    bsp_bytes rest = data;
    for (; rest.size >= BLOCK; rest.data += BLOCK, rest.size -= BLOCK) {
        add_block(state, rest.data);
    }
    add_end(state, rest, data.size);
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
