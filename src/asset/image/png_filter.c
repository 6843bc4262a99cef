// SPDX-License-Identifier: MIT
// The filters of PNG rows: each byte as its difference to what its neighbours predict. Of three
// filters a row takes the one whose differences are smallest. Format: PNG (W3C, third edition), 9.
#include "asset/image/png_write.h"

#include <string.h>

#define MOST_CHANNELS 4u // bytes before a row, which the filters read as zero

enum { SUB = 1, UP = 2, PAETH = 4 };

static void take_grey(const uint8_t *rgba, size_t width, uint8_t *out) {
    for (size_t x = 0; x < width; x++) {
        out[x] = rgba[4 * x];
    }
}

static void take_grey_alpha(const uint8_t *rgba, size_t width, uint8_t *out) {
    for (size_t x = 0; x < width; x++) {
        out[2 * x] = rgba[4 * x];
        out[2 * x + 1] = rgba[4 * x + 3];
    }
}

static void take_rgb(const uint8_t *rgba, size_t width, uint8_t *out) {
    for (size_t x = 0; x + 1 < width; x++) {
        memcpy(out + 3 * x, rgba + 4 * x, 4); // the next pixel replaces the fourth byte
    }
    memcpy(out + 3 * (width - 1), rgba + 4 * (width - 1), 3);
}

static void take_row(const uint8_t *rgba, size_t width, uint32_t channels, uint8_t *out) {
    switch (channels) {
    case 1:
        take_grey(rgba, width, out);
        return;
    case 2:
        take_grey_alpha(rgba, width, out);
        return;
    case 3:
        take_rgb(rgba, width, out);
        return;
    }
    memcpy(out, rgba, 4 * width);
}

static void subtract(const uint8_t *row, const uint8_t *from, size_t size, uint8_t *restrict out) {
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)(row[i] - from[i]);
    }
}

static inline int16_t distance(int16_t a, int16_t b) {
    return (int16_t)(a > b ? a - b : b - a);
}

// The Paeth predictor: of left, above and diagonal the one that is nearest to left + above -
// diagonal.
static void predict(const uint8_t *row, const uint8_t *above, size_t size, uint32_t channels,
                    uint8_t *restrict out) {
    const uint8_t *left = row - channels;
    const uint8_t *diagonal = above - channels;
    for (size_t i = 0; i < size; i++) {
        int16_t a = left[i];
        int16_t b = above[i];
        int16_t c = diagonal[i];
        int16_t to_a = distance(b, c);
        int16_t to_b = distance(a, c);
        int16_t to_c = distance((int16_t)(a + b), (int16_t)(2 * c));
        int16_t b_or_c = to_b <= to_c ? b : c;
        int16_t nearest = to_a <= to_b && to_a <= to_c ? a : b_or_c;
        out[i] = (uint8_t)(row[i] - nearest);
    }
}

// The sum of the differences, each as a signed number.
static uint32_t cost(const uint8_t *row, size_t size) {
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t negative = (uint8_t)(0u - row[i]);
        sum += row[i] < negative ? row[i] : negative;
    }
    return sum;
}

size_t bspi_png_filter_room(const bspi_png_kind *kind) {
    return 5 * (MOST_CHANNELS + kind->row);
}

void bspi_png_filter(const bspi_picture *image, const bspi_png_kind *kind, uint32_t first,
                     uint32_t end, uint8_t *room, uint8_t *rows) {
    size_t size = kind->row;
    size_t pixels = 4 * (size_t)image->width;
    uint8_t *row = room + MOST_CHANNELS;
    uint8_t *above = row + size + MOST_CHANNELS;
    uint8_t *by_sub = above + size;
    uint8_t *by_up = by_sub + size;
    memset(room, 0, 2 * (MOST_CHANNELS + size));
    if (first > 0) {
        take_row(image->pixels + pixels * (first - 1), image->width, kind->channels, above);
    }
    for (uint32_t y = first; y < end; y++) {
        const uint8_t *from = image->pixels + pixels * y;
        uint8_t *out = rows + (1 + size) * (y - first);
        take_row(from, image->width, kind->channels, row);
        if (y > 0 && memcmp(row, above, size) == 0) {
            *out = UP;
            memset(out + 1, 0, size);
            continue;
        }
        subtract(row, row - kind->channels, size, by_sub);
        subtract(row, above, size, by_up);
        predict(row, above, size, kind->channels, out + 1);
        uint32_t paeth = cost(out + 1, size);
        uint32_t up = cost(by_up, size);
        uint32_t sub = cost(by_sub, size);
        *out = PAETH;
        if (up < paeth || sub < paeth) {
            *out = up <= sub ? UP : SUB;
            memcpy(out + 1, up <= sub ? by_up : by_sub, size);
        }
        uint8_t *next = above;
        above = row;
        row = next;
    }
}
