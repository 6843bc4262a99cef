// SPDX-License-Identifier: MIT
// SHA-256: blocks of 16 big-endian words, stretched to 64, pass 64 rounds. FIPS 180-4.
#include "pack/sha256.h"

#define ROUNDS 64

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t turn(uint32_t x, uint32_t bits) {
    return x >> bits | x << (32 - bits);
}

static void stretch(const uint8_t *block, uint32_t w[ROUNDS]) {
    for (int i = 0; i < 16; i++) {
        w[i] = bspi_load32(block + 4 * i, true);
    }
    for (int i = 16; i < ROUNDS; i++) {
        uint32_t near = w[i - 2];
        uint32_t far = w[i - 15];
        w[i] = w[i - 16] + w[i - 7] + (turn(far, 7) ^ turn(far, 18) ^ far >> 3) +
               (turn(near, 17) ^ turn(near, 19) ^ near >> 10);
    }
}

// One round; the caller names the words one place further each time, so that none is copied.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        uint32_t sum = (h) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +                            \
                       ((g) ^ ((e) & ((f) ^ (g)))) + round_constants[i] + w[i];                    \
        (d) += sum;                                                                                \
        (h) =                                                                                      \
            sum + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (((a) & (b)) | ((c) & ((a) | (b))));  \
    } while (0)

static void add_block(uint32_t *state, const uint8_t *block) {
    uint32_t w[ROUNDS];
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    uint32_t e = state[4];
    uint32_t f = state[5];
    uint32_t g = state[6];
    uint32_t h = state[7];
    stretch(block, w);
    for (int i = 0; i < ROUNDS; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    const uint32_t added[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) {
        state[i] += added[i];
    }
}

// The first 32 bits of the fractions of the square roots of the first eight primes.
void bspi_sha256_begin(bspi_sha256 *sha256) {
    *sha256 = (bspi_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                      0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void bspi_sha256_add(bspi_sha256 *sha256, bsp_bytes data) {
    bspi_digest_blocks_add(&sha256->blocks, add_block, sha256->state, data);
}

void bspi_sha256_end(bspi_sha256 *sha256, uint8_t digest[BSPI_SHA256_SIZE]) {
    bspi_digest_blocks_end(&sha256->blocks, add_block, sha256->state, true);
    for (int i = 0; i < 8; i++) {
        bspi_store32(digest + 4 * i, sha256->state[i], true);
    }
}
