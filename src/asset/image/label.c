// SPDX-License-Identifier: MIT
// The image for a missing texture: a checkerboard with the name in letters of three by five pixels.
// Letters have no case, since names have none.
#include "asset/image/image.h"

#include "core/text.h"

#include <assert.h>

#define CELLS 8u        // across the smaller side, each of at least 8 pixels
#define LETTER_WIDTH 4u // including the gap
#define LETTER_HEIGHT 6u
#define LETTERS 4u // across the smaller side, at the largest size

// From ' ' to '_': each octal digit is a row, the top row first.
static const uint16_t letters[64] = {
    000000, 022202, 055000, 057575, 036736, 051245, 025253, 022000, //  !"#$%&'
    012221, 042224, 005250, 002720, 000024, 000700, 000002, 011244, // ()*+,-./
    075557, 026227, 071747, 071717, 055711, 074717, 074757, 071122, // 01234567
    075757, 075717, 002020, 002024, 012421, 007070, 042124, 071202, // 89:;<=>?
    075547, 025755, 065656, 034443, 065556, 074647, 074644, 034553, // @ABCDEFG
    055755, 072227, 011152, 055655, 044447, 057755, 065555, 025552, // HIJKLMNO
    065644, 025563, 065655, 034216, 072222, 055557, 055552, 055775, // PQRSTUVW
    055255, 055222, 071247, 032223, 044211, 062226, 025000, 000007, // XYZ[\]^_
};

static uint16_t letter(char c) {
    unsigned char code = (unsigned char)c;
    code = (unsigned char)(code >= 'a' && code <= '~' ? code - 32 : code); // {|}~ as [\]^
    return code >= ' ' && code <= '_' ? letters[code - ' '] : letters['?' - ' '];
}

static void fill_rect(bsp_image *image, uint32_t x, uint32_t y, uint32_t size, uint8_t grey) {
    if (x >= image->width || y >= image->height) {
        return;
    }
    const uint8_t pixel[4] = {grey, grey, grey, 255};
    uint32_t width = image->width - x < size ? image->width - x : size;
    uint32_t height = image->height - y < size ? image->height - y : size;
    size_t pitch = 4 * (size_t)image->width;
    uint8_t *first = image->pixels + y * pitch + 4 * (size_t)x;
    for (uint32_t column = 0; column < width; column++) {
        memcpy(first + 4 * (size_t)column, pixel, sizeof pixel);
    }
    for (uint32_t row = 1; row < height; row++) {
        memcpy(first + row * pitch, first, 4 * (size_t)width);
    }
}

static void draw_letter(bsp_image *image, char c, uint32_t x, uint32_t y, uint32_t scale,
                        uint8_t grey) {
    uint16_t rows = letter(c);
    for (uint32_t row = 0; row < 5; row++) {
        for (uint32_t column = 0; column < 3; column++) {
            if (rows >> (3 * (4 - row) + 2 - column) & 1) {
                fill_rect(image, x + column * scale, y + row * scale, scale, grey);
            }
        }
    }
}

// The layout of the letters: as large as the whole name fits, with line breaks anywhere.
typedef struct lines {
    uint32_t scale;
    uint32_t across; // letters per line
    uint32_t down;
} lines;

static lines lay_out(const bsp_image *image, size_t size) {
    lines l = {0, 0, 0};
    uint32_t side = image->width < image->height ? image->width : image->height;
    uint32_t largest = side / (LETTERS * LETTER_WIDTH);
    for (uint32_t scale = largest == 0 ? 1 : largest; scale >= 1; scale--) {
        l.scale = scale;
        l.across = image->width / (LETTER_WIDTH * scale);
        l.down = image->height / (LETTER_HEIGHT * scale);
        if ((size_t)l.across * l.down >= size) {
            break;
        }
    }
    return l;
}

static void draw_label(bsp_image *image, bsp_text label) {
    lines l = lay_out(image, label.size);
    size_t room = (size_t)l.across * l.down;
    if (room == 0 || label.size == 0) {
        return;
    }
    if (label.size > room) { // the end of a path tells more than its start
        label = (bsp_text){label.data + label.size - room, room};
    }
    uint32_t used = (uint32_t)((label.size + l.across - 1) / l.across);
    uint32_t top = (image->height - used * LETTER_HEIGHT * l.scale) / 2;
    for (uint32_t pass = 0; pass < 2; pass++) { // the shadow, then the letter
        for (size_t i = 0; i < label.size; i++) {
            uint32_t x = (uint32_t)(i % l.across) * LETTER_WIDTH * l.scale;
            uint32_t y = (uint32_t)(i / l.across) * LETTER_HEIGHT * l.scale + top;
            uint32_t shift = pass == 0 ? l.scale : 0;
            draw_letter(image, label.data[i], x + shift, y + shift, l.scale, pass == 0 ? 0 : 255);
        }
    }
}

bool bsp_image_label(uint32_t width, uint32_t height, bsp_text label,
                     const bsp_allocator *allocator, bsp_image *out, bsp_error *error) {
    assert(out != NULL);
    static const uint8_t magenta[4] = {160, 0, 160, 255};
    if (!bsp_image_fill(width, height, magenta, allocator, out, error)) {
        return false;
    }
    uint32_t side = width < height ? width : height;
    uint32_t cell = side / CELLS < 8 ? 8 : side / CELLS;
    for (uint32_t y = 0; y < height; y += cell) {
        for (uint32_t x = (y / cell % 2) * cell; x < width; x += 2 * cell) {
            fill_rect(out, x, y, cell, 40);
        }
    }
    draw_label(out, label);
    return true;
}
