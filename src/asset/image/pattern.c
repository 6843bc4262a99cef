// SPDX-License-Identifier: MIT
// The image that pictures and exports show for a missing texture: a quiet pattern, so that what has
// no texture shows its light, and no colour.
#include "asset/image/pattern.h"

#include <string.h>

#define SIZE 32u
#define CELL 8u
#define GREY 136
#define LIGHT 152

bool bspi_image_pattern(const bsp_allocator *allocator, bsp_image *out, bsp_error *error) {
    static const uint8_t middle[4] = {GREY, GREY, GREY, 255};
    if (!bsp_image_fill(SIZE, SIZE, middle, allocator, out, error)) {
        return false;
    }
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        bool light = (i % SIZE / CELL + i / SIZE / CELL) % 2 == 0;
        memset(out->pixels + 4 * (size_t)i, light ? LIGHT : GREY, 3);
    }
    return true;
}
