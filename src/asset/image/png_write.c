// SPDX-License-Identifier: MIT
// Writes PNG: the chunks are ours, the compression is libdeflate's, so that no libpng is needed.
// Format: PNG (W3C, third edition), 5 and 11.
#include "asset/image/png_write.h"

#include "bspkit/pack.h"
#include "core/workers.h"

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

#define STRIP ((size_t)256 << 10) // bytes of rows that a thread filters at a time
#define STRIPS_A_START 4u         // for which a thread is started
#define MOST_THREADS 8u           // each has 5 rows of its own

// All compressed pixels go into one chunk, whose size has 31 bits: deflate adds less than 1 %.
static_assert((uint64_t)BSP_IMAGE_MAX * (4 * BSP_IMAGE_MAX + 1) / 100 * 101 < INT32_MAX,
              "the largest image fits a chunk");

// --- chunks -------------------------------------------------------------------------------------

static uint8_t *put_u32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
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

// Rows that threads filter.
typedef struct strips {
    const bspi_picture *image;
    const bspi_png_kind *kind;
    uint32_t height; // of a strip
    uint8_t *rows;
    uint8_t *room; // for each thread
} strips;

static bool filter_strip(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const strips *s = user;
    uint32_t first = item * s->height;
    uint32_t end = s->image->height - first < s->height ? s->image->height : first + s->height;
    (void)error;
    bspi_png_filter(s->image, s->kind, first, end, s->room + worker * bspi_png_filter_room(s->kind),
                    s->rows);
    return true;
}

// Returns how many threads filter an image.
static uint32_t threads_for(const bspi_png_packer *packer, uint64_t size) {
    uint32_t most = packer->threads < MOST_THREADS ? packer->threads : MOST_THREADS;
    uint64_t wanted = size / (STRIPS_A_START * STRIP);
    return most < 2 || wanted < 2 ? 1 : wanted < most ? (uint32_t)wanted : most;
}

// Returns what is compressed, of kind->row + 1 bytes a row: in packer->rows, or in `place` where it
// is not NULL and long enough; it may be the image's pixels.
static const uint8_t *make_rows(bspi_png_packer *packer, const bspi_picture *image, uint8_t *place,
                                bspi_png_kind *kind, bsp_error *error) {
    uint64_t height = image->height;
    if (!reserve(packer->heap, &packer->rows, &packer->rows_room,
                 (1 + (uint64_t)image->width) * height, error)) {
        return NULL;
    }
    bspi_png_choose(image, bspi_png_list(image, kind, packer->rows), kind);
    if (kind->listed) {
        bspi_png_narrow(image, kind, packer->rows);
        return packer->rows;
    }
    bool apart = place == NULL || kind->channels == 4;
    uint64_t size = apart ? (1 + (uint64_t)kind->row) * height : 0;
    uint32_t threads = threads_for(packer, size);
    if (!reserve(packer->heap, &packer->rows, &packer->rows_room,
                 size + (uint64_t)threads * bspi_png_filter_room(kind), error)) {
        return NULL;
    }
    uint8_t *rows = apart ? packer->rows : place;
    if (threads == 1) {
        bspi_png_filter(image, kind, 0, image->height, packer->rows + size, rows);
        return rows;
    }
    strips all = {image, kind, 1 + (uint32_t)(STRIP / kind->row), rows, packer->rows + size};
    (void)bspi_workers_each(threads, (image->height - 1) / all.height + 1, filter_strip, &all,
                            NULL);
    return rows;
}

static bool begin_deflate(bspi_png_packer *packer, bsp_error *error) {
    if (packer->deflate != NULL) {
        return true;
    }
    if (!bspi_heap_charge(packer->heap, DEFLATE_STATE, error)) {
        return false;
    }
    packer->deflate = libdeflate_alloc_compressor(LEVEL);
    if (packer->deflate == NULL) {
        bspi_heap_discharge(packer->heap, DEFLATE_STATE);
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to compress a PNG");
    }
    return true;
}

// Writes the whole file out of its rows into at most `bound` bytes of compressed rows. The image's
// pixels are not read. `*fits` is false if these were too few.
static bool pack_into(bspi_png_packer *packer, const bspi_picture *image, const bspi_png_kind *kind,
                      const uint8_t *rows, size_t bound, bool *fits, bsp_blob *out,
                      bsp_error *error) {
    size_t size = (1 + kind->row) * image->height;
    size_t room = bound + FIXED_SIZE + PALETTE_SIZE + 2 * CHUNK_SIZE;
    uint8_t *file = bspi_heap_alloc(packer->heap, room, error);
    if (file == NULL) {
        return false;
    }
    uint8_t *to = put_head(file, image, kind);
    size_t packed = libdeflate_zlib_compress(packer->deflate, rows, size, to + 8, bound);
    *fits = packed != 0;
    if (!*fits) {
        bspi_heap_free(packer->heap, file, room);
        return true;
    }
    to = put_chunk(to, "IDAT", packed);
    size_t used = (size_t)(put_chunk(to, "IEND", 0) - file);
    uint8_t *data = bspi_heap_resize(packer->heap, file, room, used, error);
    if (data == NULL) {
        bspi_heap_free(packer->heap, file, room);
        return false;
    }
    *out = (bsp_blob){data, used, packer->heap->allocator};
    return true;
}

// Rows that lie in their image are those of baked pages, where memory is scarce. They become less
// than five eighths: in the corpus at most 0.58. Only one that does not takes the room of the rest.
static bool pack(bspi_png_packer *packer, const bspi_picture *image, const bspi_png_kind *kind,
                 const uint8_t *rows, bsp_blob *out, bsp_error *error) {
    size_t size = (1 + kind->row) * image->height;
    size_t bound = libdeflate_zlib_compress_bound(packer->deflate, size);
    bool fits = false;
    bool done = rows == packer->rows ||
                pack_into(packer, image, kind, rows, bound / 8 * 5, &fits, out, error);
    if (done && !fits) {
        done = pack_into(packer, image, kind, rows, bound, &fits, out, error);
        assert(!done || fits);
    }
    return done;
}

// --- files --------------------------------------------------------------------------------------

void bspi_png_packer_begin(bspi_png_packer *packer, bspi_heap *heap) {
    *packer = (bspi_png_packer){.heap = heap};
}

// Packs an image; its rows are filtered at `place` where that is not NULL and long enough.
static bool pack_at(bspi_png_packer *packer, const bspi_picture *image, uint8_t *place,
                    bsp_blob *out, bsp_error *error) {
    bspi_png_kind kind;
    *out = (bsp_blob){0};
    if (image->width == 0 || image->height == 0 || image->width > BSP_IMAGE_MAX ||
        image->height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "an image of %u x %u pixels",
                        (unsigned)image->width, (unsigned)image->height);
    }
    const uint8_t *rows =
        begin_deflate(packer, error) ? make_rows(packer, image, place, &kind, error) : NULL;
    return rows != NULL && pack(packer, image, &kind, rows, out, error);
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
    if (packer->deflate != NULL) {
        libdeflate_free_compressor(packer->deflate);
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
