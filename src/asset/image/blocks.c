// SPDX-License-Identifier: MIT
// Block compression: BC1 (DXT1), BC2 (DXT3), BC3 (DXT5), BC4 (ATI1N) and BC5 (ATI2N). Values
// between the end points are rounded to the nearest, halves up. Format: Microsoft's documentation
// of block compression in Direct3D 10; the order of ATI2N's halves as in Direct3D 9.
#include "asset/image/image.h"

#include <math.h>

static void expand_565(uint32_t v, uint8_t rgba[4]) {
    uint32_t r = v >> 11 & 31u;
    uint32_t g = v >> 5 & 63u;
    uint32_t b = v & 31u;
    rgba[0] = (uint8_t)(r << 3 | r >> 2);
    rgba[1] = (uint8_t)(g << 2 | g >> 4);
    rgba[2] = (uint8_t)(b << 3 | b >> 2);
    rgba[3] = 255;
}

// Computes the four colours of a block. `three`: if the first colour is not the greater one, the
// block has three colours and a transparent black.
static void block_colours(const uint8_t *block, bool three, uint8_t colours[4][4]) {
    uint32_t a = bspi_load16(block, false);
    uint32_t b = bspi_load16(block + 2, false);
    expand_565(a, colours[0]);
    expand_565(b, colours[1]);
    for (int c = 0; c < 3; c++) {
        uint32_t p = colours[0][c];
        uint32_t q = colours[1][c];
        bool four = a > b || !three;
        colours[2][c] = (uint8_t)(four ? (2 * p + q + 1) / 3 : (p + q + 1) / 2);
        colours[3][c] = (uint8_t)(four ? (p + 2 * q + 1) / 3 : 0);
    }
    colours[2][3] = 255;
    colours[3][3] = a > b || !three ? 255 : 0;
}

static void put_colours(const uint8_t *block, bool three, uint8_t rgba[64]) {
    uint8_t colours[4][4];
    block_colours(block, three, colours);
    uint32_t bits = bspi_load32(block + 4, false);
    for (int i = 0; i < 16; i++) {
        memcpy(rgba + 4 * (size_t)i, colours[bits >> (2 * i) & 3u], 4);
    }
}

void bspi_block_bc1a(const uint8_t *block, uint8_t rgba[64]) {
    put_colours(block, true, rgba);
}

void bspi_block_bc1(const uint8_t *block, uint8_t rgba[64]) {
    put_colours(block, true, rgba);
    for (size_t i = 0; i < 16; i++) {
        rgba[4 * i + 3] = 255;
    }
}

void bspi_block_bc2(const uint8_t *block, uint8_t rgba[64]) {
    put_colours(block + 8, false, rgba);
    for (size_t i = 0; i < 16; i++) {
        uint32_t four = (uint32_t)block[i / 2] >> (i % 2 * 4) & 15u;
        rgba[4 * i + 3] = (uint8_t)(four * 17);
    }
}

static void bc4_values(uint8_t a, uint8_t b, uint8_t values[8]) {
    values[0] = a;
    values[1] = b;
    if (a > b) {
        for (uint32_t i = 1; i < 7; i++) {
            values[i + 1] = (uint8_t)(((7 - i) * a + i * b + 3) / 7);
        }
        return;
    }
    for (uint32_t i = 1; i < 5; i++) {
        values[i + 1] = (uint8_t)(((5 - i) * a + i * b + 2) / 5);
    }
    values[6] = 0;
    values[7] = 255;
}

// Decodes the sixteen values of a BC4 block into one channel of the pixels.
static void put_channel(const uint8_t *block, uint8_t *out) {
    uint8_t values[8];
    bc4_values(block[0], block[1], values);
    uint64_t bits =
        (uint64_t)bspi_load16(block + 2, false) | (uint64_t)bspi_load32(block + 4, false) << 16;
    for (size_t i = 0; i < 16; i++) {
        out[4 * i] = values[bits >> (3 * i) & 7u];
    }
}

void bspi_block_bc3(const uint8_t *block, uint8_t rgba[64]) {
    put_colours(block + 8, false, rgba);
    put_channel(block, rgba + 3);
}

void bspi_block_bc4(const uint8_t *block, uint8_t rgba[64]) {
    put_channel(block, rgba);
    for (size_t i = 0; i < 16; i++) {
        memset(rgba + 4 * i + 1, rgba[4 * i], 2);
        rgba[4 * i + 3] = 255;
    }
}

// Returns the third component of a unit vector whose first two are bytes (0..255 for -1..1).
static uint8_t normal_z(uint8_t x, uint8_t y) {
    float fx = (float)x / 127.5F - 1;
    float fy = (float)y / 127.5F - 1;
    float rest = 1 - fx * fx - fy * fy;
    float z = rest > 0 ? sqrtf(rest) : 0;
    return (uint8_t)((z + 1) * 127.5F + 0.5F);
}

void bspi_block_bc5(const uint8_t *block, uint8_t rgba[64]) {
    put_channel(block, rgba + 1);
    put_channel(block + 8, rgba);
    for (size_t i = 0; i < 16; i++) {
        rgba[4 * i + 2] = normal_z(rgba[4 * i], rgba[4 * i + 1]);
        rgba[4 * i + 3] = 255;
    }
}
