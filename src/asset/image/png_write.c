// SPDX-License-Identifier: MIT
// Writes PNG: the chunks are ours, the compression is libdeflate's, so that no libpng is needed.
// Format: PNG (W3C, third edition), 5 and 11.
#include "asset/image/png_bands.h"

#include "bspkit/pack.h"
#include "core/reader.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

// Filtered rows barely shrink further at higher levels, which take three times as long.
#define LEVEL 1
#define DEFLATE_STATE ((size_t)256 << 10) // what libdeflate allocates for this level, rounded up
#define SIGNATURE_SIZE 8u
#define CHUNK_SIZE 12u // length, name and CRC
#define HEAD_SIZE 13u
#define INTENT_SIZE 1u
#define FIXED_SIZE (SIGNATURE_SIZE + CHUNK_SIZE + HEAD_SIZE + CHUNK_SIZE + INTENT_SIZE)
#define PALETTE_SIZE (2 * CHUNK_SIZE + 4 * BSPI_PNG_COLORS)

// All compressed pixels go into one chunk, whose size has 31 bits: deflate adds less than 1 %.
static_assert((uint64_t)BSP_IMAGE_MAX * (4 * BSP_IMAGE_MAX + 1) / 100 * 101 < INT32_MAX,
              "the largest image fits a chunk");

// --- chunks -------------------------------------------------------------------------------------

static uint8_t *put_u32(uint8_t *to, uint32_t value) {
    bspi_store32(to, value, true);
    return to + 4;
}

// Ends the chunk whose `size` bytes of data stand after 8 bytes at `chunk`. Returns its end.
static uint8_t *put_chunk(uint8_t *chunk, const char name[4], size_t size) {
    uint8_t *data = put_u32(chunk, (uint32_t)size);
    memcpy(data, name, 4);
    return put_u32(data + 4 + size, bsp_crc32(0, (bsp_bytes){data, 4 + size}));
}

static uint8_t color_type(const bspi_png_kind *kind) {
    static const uint8_t direct[] = {0, 0, 4, 2, 6}; // by channels
    return kind->listed ? 3 : direct[kind->channels];
}

static uint8_t *put_palette(uint8_t *to, const bspi_png_kind *kind) {
    size_t clear = 0; // the last colour that is not opaque, and one
    for (size_t i = 0; i < kind->num_colors; i++) {
        memcpy(to + 8 + 3 * i, kind->colors[i], 3);
        clear = kind->colors[i][3] != 255 ? i + 1 : clear;
    }
    to = put_chunk(to, "PLTE", 3 * (size_t)kind->num_colors);
    for (size_t i = 0; i < clear; i++) {
        to[8 + i] = kind->colors[i][3];
    }
    return clear == 0 ? to : put_chunk(to, "tRNS", clear);
}

// Writes all that precedes the pixels. Returns its end.
static uint8_t *put_head(uint8_t *to, const bspi_picture *image, const bspi_png_kind *kind) {
    static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    memcpy(to, signature, sizeof signature);
    to += sizeof signature;
    uint8_t *data = put_u32(put_u32(to + 8, image->width), image->height);
    data[0] = (uint8_t)kind->depth;
    data[1] = color_type(kind);
    memset(data + 2, 0, 3); // deflate, the usual filters, not interlaced
    to = put_chunk(to, "IHDR", HEAD_SIZE);
    to[8] = 0; // perceptual
    to = put_chunk(to, "sRGB", INTENT_SIZE);
    return kind->listed ? put_palette(to, kind) : to;
}

// --- pixels -------------------------------------------------------------------------------------

// Makes room for `size` bytes at `*place`, whose contents are lost.
static bool reserve(bspi_heap *heap, uint8_t **place, size_t *room, uint64_t size,
                    bsp_error *error) {
    if (size <= *room) {
        return true;
    }
    if (size > SIZE_MAX) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for %llu bytes of a PNG",
                        (unsigned long long)size);
    }
    bspi_heap_free(heap, *place, *room);
    *place = bspi_heap_alloc(heap, (size_t)size, error);
    *room = *place == NULL ? 0 : (size_t)size;
    return *place != NULL;
}

static bool begin_deflate(bspi_png_packer *packer, uint32_t threads, bsp_error *error) {
    for (uint32_t i = 0; i < threads; i++) {
        if (packer->deflate[i] != NULL) {
            continue;
        }
        if (!bspi_heap_charge(packer->heap, DEFLATE_STATE, error)) {
            return false;
        }
        packer->deflate[i] = libdeflate_alloc_compressor(LEVEL);
        if (packer->deflate[i] == NULL) {
            bspi_heap_discharge(packer->heap, DEFLATE_STATE);
            return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to compress a PNG");
        }
    }
    return true;
}

// Chooses how pixels are stored. A list of colours leaves its rows in packer->rows. A compressor is
// made before, since it stays: rows that are freed then leave one large gap in the heap.
static bool choose_kind(bspi_png_packer *packer, const bspi_picture *image, bspi_png_kind *kind,
                        bsp_error *error) {
    if (!begin_deflate(packer, 1, error) ||
        !reserve(packer->heap, &packer->rows, &packer->rows_room,
                 (1 + (uint64_t)image->width) * image->height, error)) {
        return false;
    }
    bspi_png_choose(image, bspi_png_list(image, kind, packer->rows), packer->threads, kind);
    if (kind->listed) {
        bspi_png_narrow(image, kind, packer->rows);
    }
    return true;
}

// Compresses the rows: in packer->rows, or in the image's pixels where these may be lost and are
// enough. `bands` has the list of bands.
static bool pack_rows(bspi_png_packer *packer, uint8_t *pixels, bspi_png_bands *bands,
                      bsp_error *error) {
    const bspi_png_kind *kind = bands->kind;
    size_t room = bands->threads * bands->thread_room;
    bool within = !kind->listed && pixels != NULL && bspi_png_bands_fit(bands);
    bands->stride = within ? 4 * (size_t)bands->image->width : 1 + kind->row;
    bands->room = bspi_heap_alloc(packer->heap, room, error);
    bool done = bands->room != NULL && begin_deflate(packer, bands->threads, error) &&
                (within || reserve(packer->heap, &packer->rows, &packer->rows_room,
                                   (uint64_t)bands->stride * bands->image->height, error));
    if (done) {
        bands->store = within ? pixels : packer->rows;
        bands->deflate = packer->deflate;
        bspi_png_bands_pack(bands);
    }
    bspi_heap_free(packer->heap, bands->room, room);
    return done;
}

// Writes the whole file out of bands that are compressed.
static bool write_file(bspi_heap *heap, const bspi_png_bands *bands, bsp_blob *out,
                       bsp_error *error) {
    size_t packed = bspi_png_bands_size(bands);
    size_t room = packed + FIXED_SIZE + (bands->kind->listed ? PALETTE_SIZE : 0) + 2 * CHUNK_SIZE;
    uint8_t *file = bspi_heap_alloc(heap, room, error);
    if (file == NULL) {
        return false;
    }
    uint8_t *to = put_head(file, bands->image, bands->kind);
    (void)bspi_png_bands_write(bands, to + 8);
    to = put_chunk(to, "IDAT", packed);
    size_t used = (size_t)(put_chunk(to, "IEND", 0) - file);
    uint8_t *data = bspi_heap_resize(heap, file, room, used, error);
    if (data == NULL) {
        bspi_heap_free(heap, file, room);
        return false;
    }
    *out = (bsp_blob){data, used, heap->allocator};
    return true;
}

// --- files --------------------------------------------------------------------------------------

void bspi_png_packer_begin(bspi_png_packer *packer, bspi_heap *heap) {
    *packer = (bspi_png_packer){.heap = heap};
}

// Packs an image, of which `pixels` may be lost, if that is not NULL.
static bool pack_at(bspi_png_packer *packer, const bspi_picture *image, uint8_t *pixels,
                    bsp_blob *out, bsp_error *error) {
    bspi_png_kind kind;
    *out = (bsp_blob){0};
    if (image->width == 0 || image->height == 0 || image->width > BSP_IMAGE_MAX ||
        image->height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "an image of %u x %u pixels",
                        (unsigned)image->width, (unsigned)image->height);
    }
    if (!choose_kind(packer, image, &kind, error)) {
        return false;
    }
    bspi_png_bands bands = {.image = image, .kind = &kind, .threads = packer->threads};
    bspi_png_bands_plan(&bands);
    size_t size = bands.count * sizeof *bands.list;
    bands.list = bspi_heap_alloc(packer->heap, size, error);
    bool done = bands.list != NULL && pack_rows(packer, pixels, &bands, error) &&
                write_file(packer->heap, &bands, out, error);
    bspi_heap_free(packer->heap, bands.list, size);
    return done;
}

bool bspi_png_pack(bspi_png_packer *packer, const bspi_picture *image, bsp_blob *out,
                   bsp_error *error) {
    return pack_at(packer, image, NULL, out, error);
}

bool bspi_png_pack_away(bspi_png_packer *packer, bsp_image *image, bsp_blob *out,
                        bsp_error *error) {
    const bspi_picture picture = {image->pixels, image->width, image->height};
    bool done = pack_at(packer, &picture, image->pixels, out, error);
    bsp_image_free(image);
    return done;
}

void bspi_png_packer_end(bspi_png_packer *packer) {
    bspi_heap_free(packer->heap, packer->rows, packer->rows_room);
    for (uint32_t i = 0; i < BSPI_PNG_THREADS && packer->deflate[i] != NULL; i++) {
        libdeflate_free_compressor(packer->deflate[i]);
        bspi_heap_discharge(packer->heap, DEFLATE_STATE);
    }
    bspi_png_packer_begin(packer, packer->heap);
}

static bool write_png(const bsp_image *image, uint32_t threads, const bsp_allocator *allocator,
                      bsp_blob *out, bsp_error *error) {
    const bspi_picture picture = {image->pixels, image->width, image->height};
    bspi_heap heap;
    bspi_png_packer packer;
    bspi_heap_init(&heap, allocator, 0);
    bspi_png_packer_begin(&packer, &heap);
    packer.threads = threads;
    bool done = bspi_png_pack(&packer, &picture, out, error);
    bspi_png_packer_end(&packer);
    return done;
}

bool bsp_image_write_png(const bsp_image *image, const bsp_allocator *allocator, bsp_blob *out,
                         bsp_error *error) {
    assert(image != NULL && out != NULL);
    return write_png(image, 1, allocator, out, error);
}

bool bsp_image_write_png_threads(const bsp_image *image, uint32_t threads,
                                 const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    assert(image != NULL && out != NULL && threads != 0);
    return write_png(image, threads, allocator, out, error);
}
