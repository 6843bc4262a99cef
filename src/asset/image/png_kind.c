// SPDX-License-Identifier: MIT
// What the pixels of a PNG need: a list of colours, grey, alpha. Textures of the older games have a
// palette, and labels of missing ones four colours, so that most files become a third or less.
// Format: PNG (W3C, third edition), 11.2.
#include "asset/image/png_write.h"

#include "core/workers.h"

#include <stdatomic.h>
#include <string.h>

#define SLOTS 1024u // of the table of colours: four for each, so that searches are short
#define SLOT_BITS 10
#define NO_COLOR UINT16_MAX
#define ROWS 32u                // that a thread compares at a time
#define PIXELS_A_START 500000u  // for which a thread is started: that takes as long
#define HASH_FACTOR 0x9E3779B1u // 2^32 divided by the golden ratio: Knuth's multiplicative hash

/// The colours found so far, by their four bytes.
typedef struct color_table {
    uint32_t keys[SLOTS];
    uint16_t numbers[SLOTS]; ///< NO_COLOR: empty
    uint32_t count;
} color_table;

// Returns the number of a colour, or NO_COLOR if the list is full.
static uint16_t number_of(color_table *table, bspi_png_kind *kind, uint32_t key) {
    uint32_t slot = (key * HASH_FACTOR) >> (32 - SLOT_BITS);
    while (table->numbers[slot] != NO_COLOR && table->keys[slot] != key) {
        slot = (slot + 1) % SLOTS;
    }
    if (table->numbers[slot] == NO_COLOR && table->count < BSPI_PNG_COLORS) {
        table->keys[slot] = key;
        memcpy(kind->colors[table->count], &key, sizeof key);
        table->numbers[slot] = (uint16_t)table->count++;
    }
    return table->numbers[slot];
}

static bool list_row(color_table *table, bspi_png_kind *kind, const uint8_t *pixels, uint32_t width,
                     uint8_t *indices) {
    uint32_t last = 0;
    uint16_t number = NO_COLOR;
    for (uint32_t x = 0; x < width; x++) {
        uint32_t key;
        memcpy(&key, pixels + 4 * (size_t)x, sizeof key);
        if (key != last || number == NO_COLOR) {
            number = number_of(table, kind, key);
            last = key;
        }
        if (number == NO_COLOR) {
            return false;
        }
        indices[x] = (uint8_t)number;
    }
    return true;
}

bool bspi_png_list(const bspi_picture *image, bspi_png_kind *kind, uint8_t *indices) {
    color_table table;
    size_t bytes = 4 * (size_t)image->width;
    size_t stride = 1 + (size_t)image->width;
    table.count = 0;
    memset(table.numbers, 0xFF, sizeof table.numbers);
    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t *pixels = image->pixels + y * bytes;
        uint8_t *row = indices + y * stride;
        row[0] = 0;
        if (y > 0 && memcmp(pixels, pixels - bytes, bytes) == 0) {
            memcpy(row, row - stride, stride);
        } else if (!list_row(&table, kind, pixels, image->width, row + 1)) {
            return false;
        }
    }
    kind->num_colors = table.count;
    return true;
}

// Whether pixels differ from opaque, and from grey.
typedef struct differences {
    bool alpha;
    bool color;
} differences;

static differences compare(const uint8_t *pixels, size_t count) {
    uint8_t alpha = 255;
    uint8_t color = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = pixels + 4 * i;
        alpha &= p[3];
        color = (uint8_t)(color | (p[0] ^ p[1]) | (p[0] ^ p[2]));
    }
    return (differences){alpha != 255, color != 0};
}

static uint32_t bits_of(uint32_t colors) {
    return colors <= 2 ? 1 : colors <= 4 ? 2 : colors <= 16 ? 4 : 8;
}

// The rows of an image that threads compare, and what any of them found.
typedef struct comparison {
    const bspi_picture *image;
    atomic_bool alpha;
    atomic_bool color;
} comparison;

static bool compare_rows(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    comparison *c = user;
    uint32_t first = item * ROWS;
    uint32_t left = c->image->height - first;
    (void)worker, (void)error;
    for (uint32_t y = first; y < first + (left < ROWS ? left : ROWS); y++) {
        if (atomic_load(&c->alpha) && atomic_load(&c->color)) {
            break;
        }
        differences row =
            compare(c->image->pixels + 4 * (size_t)c->image->width * y, c->image->width);
        if (row.alpha) {
            atomic_store(&c->alpha, true);
        }
        if (row.color) {
            atomic_store(&c->color, true);
        }
    }
    return true;
}

static differences compare_all(const bspi_picture *image, uint32_t threads) {
    comparison c = {.image = image};
    uint32_t wanted = (uint32_t)((uint64_t)image->width * image->height / PIXELS_A_START);
    atomic_init(&c.alpha, false);
    atomic_init(&c.color, false);
    threads = wanted < 2 || threads < 2 ? 1 : wanted < threads ? wanted : threads;
    (void)bspi_workers_each(threads, (image->height - 1) / ROWS + 1, compare_rows, &c, NULL);
    return (differences){atomic_load(&c.alpha), atomic_load(&c.color)};
}

void bspi_png_choose(const bspi_picture *image, bool listed, uint32_t threads,
                     bspi_png_kind *kind) {
    size_t count = (size_t)image->width * image->height;
    differences found =
        listed ? compare(&kind->colors[0][0], kind->num_colors) : compare_all(image, threads);
    kind->channels = (found.color ? 3u : 1u) + (found.alpha ? 1u : 0u);
    kind->depth = 8;
    kind->listed = false;
    uint32_t bits = listed ? bits_of(kind->num_colors) : 8;
    uint64_t direct = (uint64_t)count * kind->channels;
    if (listed && (uint64_t)count * bits / 8 + 4 * (uint64_t)kind->num_colors < direct) {
        kind->listed = true;
        kind->channels = 1;
        kind->depth = bits;
    }
    kind->row = ((size_t)image->width * kind->channels * kind->depth + 7) / 8;
}

void bspi_png_narrow(const bspi_picture *image, const bspi_png_kind *kind, uint8_t *rows) {
    uint32_t depth = kind->depth;
    uint32_t each = 8 / depth;
    if (each == 1) {
        return;
    }
    const uint8_t *from = rows;
    uint8_t *to = rows;
    for (uint32_t y = 0; y < image->height; y++) {
        from++;
        *to++ = 0;
        for (size_t x = 0; x < image->width; x += each) {
            uint32_t byte = 0;
            for (uint32_t i = 0; i < each; i++) {
                byte = byte << depth | (x + i < image->width ? from[x + i] : 0u);
            }
            *to++ = (uint8_t)byte;
        }
        from += image->width;
    }
}
