// SPDX-License-Identifier: MIT
// PCX with 8 bits per pixel: one plane and a palette at the end of the file, or three or four
// planes of colours. Format: sheet quake2, section 9.
#include "asset/image/image.h"
#include "asset/layouts.h"
#include "formats/composites.h"

typedef struct pcx {
    uint32_t width;
    uint32_t height;
    uint32_t planes;
    uint32_t line; // bytes of one plane of a row
    bool packed;
} pcx;

static bool read_head(bsp_bytes bytes, pcx *p, bsp_error *error) {
    bsp_table head;
    if (!bspi_image_head(bytes, &bspi_pcx_t, &head, error)) {
        return false;
    }
    int64_t width =
        bsp_table_int(&head, 0, BSPI_PCX_BOX, 2) - bsp_table_int(&head, 0, BSPI_PCX_BOX, 0) + 1;
    int64_t height =
        bsp_table_int(&head, 0, BSPI_PCX_BOX, 3) - bsp_table_int(&head, 0, BSPI_PCX_BOX, 1) + 1;
    *p = (pcx){.planes = (uint32_t)bsp_table_int(&head, 0, BSPI_PCX_PLANES, 0),
               .line = (uint32_t)bsp_table_int(&head, 0, BSPI_PCX_LINE, 0),
               .packed = bsp_table_int(&head, 0, BSPI_PCX_ENCODING, 0) == 1};
    bool known = bsp_table_int(&head, 0, BSPI_PCX_MAGIC, 0) == 0x0A &&
                 bsp_table_int(&head, 0, BSPI_PCX_BITS, 0) == 8 &&
                 (p->planes == 1 || p->planes == 3 || p->planes == 4);
    if (!known) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "no PCX with 8 bits a pixel");
    }
    if (width <= 0 || height <= 0 || width > BSP_IMAGE_MAX || height > BSP_IMAGE_MAX ||
        p->line < width) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "a PCX of %lld x %lld pixels, %u bytes a line",
                        (long long)width, (long long)height, (unsigned)p->line);
    }
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    return true;
}

// Run-length decoding. A run may continue in the next row, as some writers do.
typedef struct runs {
    bspi_reader reader;
    uint32_t left;
    uint8_t value;
    bool packed;
} runs;

static uint8_t next_byte(runs *r) {
    if (r->left == 0) {
        const uint8_t *p = bspi_take(&r->reader, 1);
        r->value = p == NULL ? 0 : *p;
        r->left = 1;
        if (p != NULL && r->packed && *p >= 0xC0) {
            r->left = *p & 0x3Fu;
            p = bspi_take(&r->reader, 1);
            r->value = p == NULL ? 0 : *p;
            r->left = r->left == 0 ? 1 : r->left;
        }
    }
    r->left--;
    return r->value;
}

static void read_row(runs *r, const pcx *p, uint8_t *row) {
    for (uint32_t plane = 0; plane < p->planes; plane++) {
        for (uint32_t x = 0; x < p->line; x++) {
            uint8_t value = next_byte(r);
            if (x < p->width) {
                row[4 * (size_t)x + plane] = value;
            }
        }
    }
}

// One plane: its byte is an index, stored in the place of red.
static void colour_row(uint8_t *row, uint32_t width, bsp_bytes palette, bool hole) {
    for (uint32_t x = 0; x < width; x++) {
        uint8_t index = row[4 * (size_t)x];
        bool known = palette.size == BSPI_PALETTE_SIZE;
        for (uint32_t c = 0; c < 3; c++) {
            row[4 * (size_t)x + c] = known ? palette.data[3 * (size_t)index + c] : index;
        }
        row[4 * (size_t)x + 3] = hole && index == 255 ? 0 : 255;
    }
}

bool bspi_decode_pcx(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    pcx p;
    if (!read_head(bytes, &p, error)) {
        return false;
    }
    // A pair of bytes gives at most 63.
    uint64_t needed = (uint64_t)p.line * p.planes * p.height;
    if (needed / 63 > bytes.size) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
    }
    if (!bspi_image_new(p.width, p.height, options, out, error)) {
        return false;
    }
    bsp_bytes palette = bsp_palette_of(bytes);
    palette = palette.size != 0 ? palette : options->palette;
    runs r = {.reader = bspi_reader_of(bytes, false), .packed = p.packed};
    bspi_seek(&r.reader, bspi_pcx_t.size);
    for (uint32_t y = 0; y < p.height && !r.reader.failed; y++) {
        uint8_t *row = out->pixels + 4 * (size_t)p.width * y;
        memset(row, 255, 4 * (size_t)p.width);
        read_row(&r, &p, row);
        if (p.planes == 1) {
            colour_row(row, p.width, palette, options->hole);
        }
    }
    return !r.reader.failed || bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels end early");
}
