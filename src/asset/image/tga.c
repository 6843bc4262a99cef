// SPDX-License-Identifier: MIT
// TGA: palette, true colour and grey, plain or run-length packed, 8, 15, 16, 24 and 32 bits, with
// any origin corner. Format: Truevision's TGA specification 2.0.
#include "asset/image/image.h"
#include "asset/layouts.h"

#define FROM_RIGHT 0x10u
#define FROM_TOP 0x20u
#define ALPHA_BITS 0x0Fu

enum { KIND_PALETTE = 1, KIND_COLOUR = 2, KIND_GREY = 3, KIND_PACKED = 8 };

typedef struct tga {
    uint32_t kind;
    bool packed;
    uint32_t width;
    uint32_t height;
    uint32_t bytes; // of a pixel in the file
    uint32_t descriptor;
    bool alpha;        // 16 bits: the top bit is alpha
    bsp_bytes colours; // of the palette, as in the file
    uint32_t first;    // index of the palette's first colour
    uint32_t colour_bytes;
    bspi_reader reader;
} tga;

static void put_colour(const uint8_t *p, uint32_t bytes, bool alpha, uint8_t *rgba) {
    if (bytes == 2) {
        uint32_t v = bspi_load16(p, false);
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t five = v >> (10 - 5 * c) & 31u;
            rgba[c] = (uint8_t)(five << 3 | five >> 2);
        }
        rgba[3] = alpha && (v & 0x8000u) == 0 ? 0 : 255;
        return;
    }
    rgba[0] = p[2];
    rgba[1] = p[1];
    rgba[2] = p[0];
    rgba[3] = bytes == 4 ? p[3] : 255;
}

static void put_pixel(const tga *t, const uint8_t *p, uint8_t *rgba) {
    if (t->kind == KIND_COLOUR) {
        put_colour(p, t->bytes, t->alpha, rgba);
    } else if (t->kind == KIND_GREY) {
        memset(rgba, p[0], 3);
        rgba[3] = t->bytes == 2 ? p[1] : 255;
    } else {
        uint32_t index = t->bytes == 2 ? bspi_load16(p, false) : p[0];
        uint64_t at = (uint64_t)(index - t->first) * t->colour_bytes;
        bsp_bytes colour =
            bspi_slice(t->colours, index < t->first ? UINT64_MAX : at, t->colour_bytes);
        if (colour.size == 0) {
            memset(rgba, 0, 3);
            rgba[3] = 255;
        } else {
            put_colour(colour.data, t->colour_bytes, t->alpha, rgba);
        }
    }
}

// Returns the bytes of a colour, 0 if there is no such colour.
static uint32_t colour_bytes(int64_t bits) {
    return bits == 15 || bits == 16 ? 2 : bits == 24 ? 3 : bits == 32 ? 4 : 0;
}

static bool read_palette(tga *t, const bsp_table *head) {
    uint32_t count = (uint32_t)bsp_table_int(head, 0, BSPI_TGA_MAP_COUNT, 0);
    if (bsp_table_int(head, 0, BSPI_TGA_MAP_TYPE, 0) != 1) {
        return t->kind != KIND_PALETTE;
    }
    t->colour_bytes = colour_bytes(bsp_table_int(head, 0, BSPI_TGA_MAP_BITS, 0));
    t->first = (uint32_t)bsp_table_int(head, 0, BSPI_TGA_MAP_FIRST, 0);
    size_t size = (size_t)count * t->colour_bytes;
    t->colours = (bsp_bytes){bspi_take(&t->reader, size), size};
    return !t->reader.failed && (t->kind != KIND_PALETTE || t->colour_bytes != 0);
}

static bool read_head(tga *t, bsp_bytes bytes, bsp_error *error) {
    bsp_table head;
    if (!bspi_image_head(bytes, &bspi_tga_t, &head, error)) {
        return false;
    }
    uint32_t type = (uint32_t)bsp_table_int(&head, 0, BSPI_TGA_TYPE, 0);
    int64_t bits = bsp_table_int(&head, 0, BSPI_TGA_BITS, 0);
    *t = (tga){.kind = type & ~(uint32_t)KIND_PACKED,
               .packed = (type & KIND_PACKED) != 0,
               .width = (uint32_t)bsp_table_int(&head, 0, BSPI_TGA_SIZE, 0),
               .height = (uint32_t)bsp_table_int(&head, 0, BSPI_TGA_SIZE, 1),
               .descriptor = (uint32_t)bsp_table_int(&head, 0, BSPI_TGA_DESCRIPTOR, 0),
               .reader = bspi_reader_of(bytes, false)};
    t->bytes = t->kind == KIND_COLOUR    ? colour_bytes(bits)
               : bits == 8 || bits == 16 ? (uint32_t)bits / 8
                                         : 0;
    t->alpha = (t->descriptor & ALPHA_BITS) != 0;
    bspi_seek(&t->reader, bspi_tga_t.size);
    (void)bspi_take(&t->reader, (size_t)bsp_table_int(&head, 0, BSPI_TGA_ID, 0));
    if (t->kind < KIND_PALETTE || t->kind > KIND_GREY || t->bytes == 0) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "a TGA of type %u with %lld bits a pixel",
                        (unsigned)type, (long long)bits);
    }
    return read_palette(t, &head) || bsp_fail(error, BSP_E_DAMAGED, NULL, "the palette is damaged");
}

// Returns where pixel (x, y) of the file belongs.
static uint8_t *place(const tga *t, bsp_image *out, uint32_t x, uint32_t y) {
    uint32_t across = (t->descriptor & FROM_RIGHT) != 0 ? t->width - 1 - x : x;
    uint32_t down = (t->descriptor & FROM_TOP) != 0 ? y : t->height - 1 - y;
    return out->pixels + 4 * ((size_t)down * t->width + across);
}

static bool read_pixels(tga *t, bsp_image *out) {
    uint32_t left = 0; // in the current packet
    bool run = false;
    const uint8_t *p = NULL;
    for (uint32_t y = 0; y < t->height; y++) {
        for (uint32_t x = 0; x < t->width; x++) {
            bool first = left == 0;
            if (first && t->packed) {
                const uint8_t *packet = bspi_take(&t->reader, 1);
                left = packet == NULL ? 1 : (*packet & 0x7Fu) + 1;
                run = packet != NULL && *packet >= 0x80;
            }
            left -= left == 0 ? 0 : 1;
            p = run && !first ? p : bspi_take(&t->reader, t->bytes);
            if (p == NULL) {
                return false;
            }
            put_pixel(t, p, place(t, out, x, y));
        }
    }
    return true;
}

bool bspi_decode_tga(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    tga t = {0};
    if (!read_head(&t, bytes, error)) {
        return false;
    }
    // A packet gives at most 128 pixels.
    uint64_t pixels = (uint64_t)t.width * t.height;
    uint64_t room = bspi_left(&t.reader);
    if (t.packed ? pixels / 128 * (1 + t.bytes) > room : pixels * t.bytes > room) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
    }
    if (!bspi_image_new(t.width, t.height, options, out, error)) {
        return false;
    }
    return read_pixels(&t, out) || bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels end early");
}
