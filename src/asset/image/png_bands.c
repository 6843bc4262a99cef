// SPDX-License-Identifier: MIT
// Each band is compressed without the rows before it, which makes pictures 0.5 to 2 % larger, and
// becomes a part of one stream: which threads took which bands leaves no trace. libdeflate has no
// flush. Bands are of a size that it makes one block of, the end of which bspi_deflate_open finds;
// of more blocks it is compressed again in halves, as one of wide rows is. Format: PNG (W3C, third
// edition), 10; RFC 1950.
#include "asset/image/png_bands.h"

#include "core/reader.h"
#include "core/workers.h"
#include "pack/deflate_join.h"

#include <libdeflate.h>
#include <string.h>

// libdeflate ends a block of its lowest level after 65535 bytes, or after 8192 matches.
#define BAND ((size_t)64 << 10)
#define LEAST_PART ((size_t)2 << 10) // what is not one block even so is stored
#define LEAST_ROWS 5u // of a band: of RGB all but the last then fit into the pixels of all but one
#define BANDS_A_START 4u // for which a thread is started
#define HEAD_SIZE 2u     // of zlib
#define SUM_SIZE 4u

static uint32_t rows_of(const bspi_png_bands *b, uint32_t item) {
    uint32_t left = b->image->height - item * b->height;
    return left < b->height ? left : b->height;
}

static size_t size_of(const bspi_png_bands *b, uint32_t item) {
    return (1 + b->kind->row) * rows_of(b, item);
}

static uint8_t *place_of(const bspi_png_bands *b, uint32_t item) {
    return b->store + b->stride * item * b->height;
}

// Returns the most bytes of a band that is compressed, in parts or whole.
static size_t packed_room(size_t size) {
    return libdeflate_deflate_compress_bound(NULL, size) +
           (size / LEAST_PART + 1) * 2 * BSPI_DEFLATE_MARKER;
}

void bspi_png_bands_plan(bspi_png_bands *b) {
    size_t row = 1 + b->kind->row;
    b->height = BAND / row < LEAST_ROWS ? LEAST_ROWS : (uint32_t)(BAND / row);
    b->height = b->height < b->image->height ? b->height : b->image->height;
    b->count = (b->image->height - 1) / b->height + 1;
    b->thread_room = bspi_png_filter_room(b->kind) + row * b->height + packed_room(row * b->height);
    uint32_t most = b->threads < BSPI_PNG_THREADS ? b->threads : BSPI_PNG_THREADS;
    uint32_t wanted = b->count / BANDS_A_START;
    b->threads = most < 2 || wanted < 2 ? 1 : wanted < most ? wanted : most;
}

bool bspi_png_bands_fit(const bspi_png_bands *b) {
    size_t pixels = 4 * (size_t)b->image->width;
    return pixels >= 1 + b->kind->row &&
           (b->count == 1 || pixels * (b->height - 1) >= (1 + b->kind->row) * b->height);
}

// Compresses a part of a stream to `out`. Returns the end, or NULL if it is to be stored.
static uint8_t *pack_part(struct libdeflate_compressor *deflate, const uint8_t *data, size_t size,
                          uint8_t *out, uint8_t *end) {
    size_t room = (size_t)(end - out);
    if (size <= BAND && room > BSPI_DEFLATE_MARKER) {
        size_t packed =
            libdeflate_deflate_compress(deflate, data, size, out, room - BSPI_DEFLATE_MARKER);
        size_t open = packed == 0 ? 0 : bspi_deflate_open(out, packed);
        if (open != 0) {
            return out + open;
        }
    }
    size_t half = size / 2;
    if (half < LEAST_PART) {
        return NULL;
    }
    uint8_t *middle = pack_part(deflate, data, half, out, end);
    return middle == NULL ? NULL : pack_part(deflate, data + half, size - half, middle, end);
}

// What follows nothing needs no end that can be told.
static uint8_t *pack_last(struct libdeflate_compressor *deflate, const uint8_t *data, size_t size,
                          uint8_t *out, uint8_t *end) {
    size_t packed = libdeflate_deflate_compress(deflate, data, size, out, (size_t)(end - out));
    return packed == 0 ? NULL : out + packed;
}

static bool pack_band(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bspi_png_bands *b = user;
    uint8_t *place = place_of(b, item);
    uint8_t *filter = b->room + worker * b->thread_room;
    uint8_t *rows = filter + bspi_png_filter_room(b->kind);
    uint8_t *out = rows + (1 + b->kind->row) * b->height;
    uint8_t *room_end = filter + b->thread_room;
    size_t size = size_of(b, item);
    uint32_t first = item * b->height;
    bool last = item + 1 == b->count;
    (void)error;
    if (b->kind->listed) {
        rows = place;
    } else {
        bspi_png_filter(b->image, b->kind, first, first + rows_of(b, item), filter, rows);
    }
    b->list[item].sum = libdeflate_adler32(1, rows, size);
    const uint8_t *end =
        (last ? pack_last : pack_part)(b->deflate[worker], rows, size, out, room_end);
    size_t packed = end == NULL ? 0 : (size_t)(end - out);
    b->list[item].packed = packed <= size ? packed : 0;
    if (b->list[item].packed != 0) {
        memcpy(place, out, packed);
    } else if (rows != place) {
        memcpy(place, rows, size);
    }
    return true;
}

void bspi_png_bands_pack(bspi_png_bands *b) {
    (void)bspi_workers_each(b->threads, b->count, pack_band, b, NULL);
}

size_t bspi_png_bands_size(const bspi_png_bands *b) {
    size_t sum = HEAD_SIZE + SUM_SIZE;
    for (uint32_t i = 0; i < b->count; i++) {
        size_t size = size_of(b, i);
        sum += b->list[i].packed != 0 ? b->list[i].packed : bspi_deflate_stored_size(size);
    }
    return sum;
}

uint8_t *bspi_png_bands_write(const bspi_png_bands *b, uint8_t *out) {
    uint32_t sum = 1;
    *out++ = 0x78; // deflate, with a window of 32 KiB
    *out++ = 0x01; // at its lowest level
    for (uint32_t i = 0; i < b->count; i++) {
        const uint8_t *place = place_of(b, i);
        size_t size = size_of(b, i);
        sum = bspi_adler32_join(sum, b->list[i].sum, size);
        if (b->list[i].packed == 0) {
            out = bspi_deflate_store(place, size, i + 1 == b->count, out);
        } else {
            memcpy(out, place, b->list[i].packed);
            out += b->list[i].packed;
        }
    }
    bspi_store32(out, sum, true);
    return out + SUM_SIZE;
}
