// SPDX-License-Identifier: MIT
// PNG as we write it: libpng reads back the same pixels of every kind, the kind is the narrowest,
// each chunk has its CRC, and memory that ends or is limited is reported.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "asset/image/png_write.h"
#include "bspkit/pack.h"
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bsp_image new_image(uint32_t width, uint32_t height) {
    static const uint8_t black[4] = {0, 0, 0, 255};
    bsp_image image;
    assert_true(bsp_image_fill(width, height, black, NULL, &image, NULL));
    return image;
}

static uint32_t u32_at(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

// Walks the chunks. Returns the bytes of data of the one with that name; 0: there is none.
static uint32_t size_of_chunk(const bsp_blob *file, const char *name) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    const uint8_t *bytes = file->data;
    uint32_t found = 0;
    size_t at = 8;
    assert_memory_equal(bytes, signature, 8);
    while (at < file->size) {
        uint32_t size = u32_at(bytes + at);
        assert_true(at + 12 + size <= file->size);
        bsp_bytes counted = {bytes + at + 4, 4 + (size_t)size};
        assert_int_equal(u32_at(bytes + at + 8 + size), bsp_crc32(0, counted));
        found = memcmp(counted.data, name, 4) == 0 ? size : found;
        at += 12 + (size_t)size;
    }
    assert_memory_equal(bytes + file->size - 8, "IEND", 4);
    return found;
}

// Writes the image, checks that its chunks are sound and that libpng reads the same pixels, and
// returns the file.
static bsp_blob write_and_read(const bsp_image *image) {
    bsp_blob file;
    bsp_image back;
    bsp_error error;
    assert_true(bsp_image_write_png(image, NULL, &file, &error));
    assert_true(size_of_chunk(&file, "IDAT") > 0);
    bsp_bytes bytes = {file.data, file.size};
    if (!bsp_image_decode(bytes, BSP_IMAGE_PNG, NULL, &back, &error)) {
        assert_int_equal(error.code, BSP_E_UNSUPPORTED); // built without libpng
        return file;
    }
    assert_int_equal(back.width, image->width);
    assert_int_equal(back.height, image->height);
    assert_memory_equal(back.pixels, image->pixels, (size_t)4 * image->width * image->height);
    bsp_image_free(&back);
    return file;
}

// Checks bits of a channel and type of colour as the file's head states them.
static void check_kind(const bsp_image *image, unsigned depth, unsigned type) {
    bsp_blob file = write_and_read(image);
    const uint8_t *head = file.data;
    assert_int_equal(head[24], depth);
    assert_int_equal(head[25], type);
    bsp_blob_free(&file);
}

// --- kinds --------------------------------------------------------------------------------------

// Pixel i has colour i modulo `count`: all differ in red and green, and are not grey.
static void set_colors(bsp_image *image, uint32_t count) {
    for (uint32_t i = 0; i < image->width * image->height; i++) {
        uint32_t color = i % count;
        uint8_t *p = image->pixels + 4 * (size_t)i;
        p[0] = (uint8_t)color;
        p[1] = (uint8_t)(255 - color);
        p[2] = (uint8_t)(color >> 8);
        p[3] = 255;
    }
}

static void test_colors(void **state) {
    (void)state;
    static const struct {
        uint32_t colors;
        unsigned depth;
        unsigned type;
    } rows[] = {{1, 1, 3},  {2, 1, 3},   {3, 2, 3},   {4, 2, 3},   {5, 4, 3},   {16, 4, 3},
                {17, 8, 3}, {255, 8, 3}, {256, 8, 3}, {257, 8, 2}, {258, 8, 2}, {4000, 8, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t width = 61; width < 70; width++) { // each rest of a byte
            bsp_image image = new_image(width, 67);
            set_colors(&image, rows[i].colors);
            check_kind(&image, rows[i].depth, rows[i].type);
            bsp_image_free(&image);
        }
    }
}

// Colours that are not opaque are told apart by their alpha, and keep the rest of their channels.
static void test_alpha(void **state) {
    (void)state;
    bsp_image image = new_image(64, 64);
    set_colors(&image, 200);
    image.pixels[3] = 0;
    image.pixels[4 * 199 + 3] = 128;
    bsp_blob file = write_and_read(&image);
    assert_int_equal(size_of_chunk(&file, "PLTE"), 3 * 202); // and those two again, opaque
    assert_int_equal(size_of_chunk(&file, "tRNS"), 200);
    bsp_blob_free(&file);
    set_colors(&image, 300);
    check_kind(&image, 8, 2);
    image.pixels[4 * 4095 + 3] = 254;
    check_kind(&image, 8, 6);
    bsp_image_free(&image);
}

static void test_grey(void **state) {
    (void)state;
    bsp_image image = new_image(300, 40);
    for (size_t i = 0; i < (size_t)300 * 40; i++) {
        memset(image.pixels + 4 * i, (int)(i * 7 % 256), 3);
    }
    check_kind(&image, 8, 0);
    for (size_t i = 0; i < (size_t)300 * 40; i++) {
        image.pixels[4 * i + 3] = (uint8_t)(i / 300);
    }
    check_kind(&image, 8, 4);
    for (size_t i = 0; i < (size_t)300 * 40; i++) { // two bits tell four shades apart
        memset(image.pixels + 4 * i, (int)(i % 4), 3);
        image.pixels[4 * i + 3] = 255;
    }
    check_kind(&image, 2, 3);
    bsp_image_free(&image);
}

// A list of colours is not written where it would be longer than what it saves.
static void test_small(void **state) {
    (void)state;
    bsp_image image = new_image(1, 1);
    check_kind(&image, 8, 0);
    set_colors(&image, 1);
    check_kind(&image, 8, 2);
    image.pixels[3] = 0;
    check_kind(&image, 8, 6);
    bsp_image_free(&image);
}

// Any kind of pixels in any small size, with rows that repeat.
static void test_any(void **state) {
    (void)state;
    uint32_t random = 1;
    for (uint32_t n = 0; n < 3000; n++) {
        bsp_image image = new_image(1 + next_random(&random) % 40, 1 + next_random(&random) % 40);
        uint32_t mask = next_random(&random) % 4 == 0 ? 0xFF : next_random(&random) % 256;
        bool grey = next_random(&random) % 3 == 0;
        bool opaque = next_random(&random) % 2 == 0;
        for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
            uint8_t *p = image.pixels + 4 * i;
            for (int c = 0; c < 4; c++) {
                p[c] = (uint8_t)(next_random(&random) & mask);
                p[c] = grey && (c == 1 || c == 2) ? p[0] : p[c];
            }
            p[3] = opaque ? 255 : p[3];
        }
        for (uint32_t y = 1; y < image.height; y++) {
            uint8_t *row = image.pixels + (size_t)4 * image.width * y;
            if (next_random(&random) % 3 == 0) {
                memcpy(row, row - (size_t)4 * image.width, (size_t)4 * image.width);
            }
        }
        bsp_blob file = write_and_read(&image);
        bsp_blob_free(&file);
        bsp_image_free(&image);
    }
}

// The differences that filters leave are small where pixels change slowly: a ramp becomes much
// smaller than its pixels.
static void test_ramp(void **state) {
    (void)state;
    bsp_image image = new_image(256, 256);
    for (size_t i = 0; i < 65536; i++) {
        image.pixels[4 * i] = (uint8_t)(i % 256);
        image.pixels[4 * i + 1] = (uint8_t)(i / 256);
        image.pixels[4 * i + 2] = (uint8_t)(i / 256 + i % 256);
    }
    bsp_blob file = write_and_read(&image);
    assert_true(file.size < (size_t)3 * 65536 / 100);
    bsp_blob_free(&file);
    bsp_image_free(&image);
}

// --- memory -------------------------------------------------------------------------------------

// A packed file has the bytes of one that was written alone. Both are freed.
static void end_packed(bspi_heap *heap, bsp_blob *packed, bsp_blob *alone) {
    assert_int_equal(packed->size, alone->size);
    assert_memory_equal(packed->data, alone->data, alone->size);
    bspi_heap_discharge(heap, packed->size);
    bsp_blob_free(packed);
    bsp_blob_free(alone);
}

// Nothing is left of a packer.
static void end_packer(bspi_png_packer *packer, const test_meter *meter) {
    bspi_png_packer_end(packer);
    assert_int_equal(atomic_load(&packer->heap->used), 0);
    assert_int_equal(meter->live, 0);
    assert_false(meter->wrong);
}

// A packer keeps its memory for the next image, whose bytes do not depend on the ones before.
static void test_packer(void **state) {
    (void)state;
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bspi_heap heap;
    bspi_heap_init(&heap, &allocator, 0);
    bspi_png_packer packer;
    bspi_png_packer_begin(&packer, &heap);
    for (uint32_t n = 0; n < 12; n++) {
        bsp_image image = new_image(n % 2 == 0 ? 30 : 90, 50 + n);
        set_colors(&image, n % 3 == 0 ? 5 : 400);
        bsp_blob alone;
        bsp_blob packed;
        const bspi_picture picture = {image.pixels, image.width, image.height};
        assert_true(bsp_image_write_png(&image, NULL, &alone, NULL));
        assert_true(bspi_png_pack(&packer, &picture, &packed, NULL));
        end_packed(&heap, &packed, &alone);
        bsp_image_free(&image);
    }
    end_packer(&packer, &meter);
}

// An image whose rows are filtered in its own memory becomes the same file: of a list of colours,
// of grey, of RGB, and of RGBA, whose rows do not fit there.
static void test_packed_away(void **state) {
    (void)state;
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bspi_heap heap;
    bspi_heap_init(&heap, &allocator, 0);
    bspi_png_packer packer;
    bspi_png_packer_begin(&packer, &heap);
    for (uint32_t n = 0; n < 24; n++) {
        const uint8_t black[4] = {0, 0, 0, 255};
        bsp_image image;
        assert_true(bsp_image_fill(1 + n * 5, 64, black, &allocator, &image, NULL));
        uint32_t seed = n;
        for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
            uint8_t *p = image.pixels + 4 * i;
            uint32_t row = (uint32_t)i / image.width;
            seed = row % 3 == 0 ? n : seed; // some rows are equal to others
            uint32_t color = next_random(&seed);
            p[0] = (uint8_t)(n % 4 == 0 ? color & 3 : color);
            p[1] = (uint8_t)(n % 4 < 2 ? p[0] : color >> 8);
            p[2] = (uint8_t)(n % 4 < 2 ? p[0] : color >> 16);
            p[3] = n % 4 == 3 ? (uint8_t)row : 255;
        }
        bsp_blob alone;
        bsp_blob packed;
        assert_true(bsp_image_write_png(&image, NULL, &alone, NULL));
        assert_true(bspi_png_pack_away(&packer, &image, &packed, NULL));
        end_packed(&heap, &packed, &alone);
    }
    end_packer(&packer, &meter);
}

// Rows that threads filter and compress, in bands, are the same: of RGB and RGBA, with rows that
// are equal to the one above, also where a band begins, and noise, which is stored. They are one
// stream.
static void test_threads(void **state) {
    (void)state;
    for (int alpha = 0; alpha < 3; alpha++) {
        bsp_image image = new_image(1000, 1100);
        uint32_t seed = 1;
        for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
            uint8_t *p = image.pixels + 4 * i;
            bool repeats = i / image.width % 7 == 3;
            seed = seed * 1664525u + 1013904223u;
            const uint8_t made[4] = {(uint8_t)(i / 9), (uint8_t)(seed >> 24), (uint8_t)(i >> 12),
                                     alpha != 0 ? (uint8_t)(seed >> 16) : 255};
            memcpy(p, repeats ? p - 4 * (size_t)image.width : made, 4);
            for (int c = 0; alpha == 2 && c < 4; c++) {
                p[c] = (uint8_t)next_random(&seed);
            }
        }
        bsp_blob one = write_and_read(&image);
        for (uint32_t threads = 1; threads <= 17; threads += 2) {
            bsp_blob other;
            assert_true(bsp_image_write_png_threads(&image, threads, NULL, &other, NULL));
            assert_int_equal(other.size, one.size);
            assert_memory_equal(other.data, one.data, one.size);
            bsp_blob_free(&other);
        }
        bsp_blob_free(&one);
        bsp_image_free(&image);
    }
}

static void test_memory_ends(void **state) {
    (void)state;
    for (uint32_t colors = 5; colors <= 500; colors += 495) {
        bsp_image image = new_image(80, 80);
        set_colors(&image, colors);
        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_blob file;
            bsp_error error;
            done = bsp_image_write_png(&image, &allocator, &file, &error);
            assert_true(done || error.code == BSP_E_MEMORY);
            bsp_blob_free(&file);
            assert_int_equal(meter.live, 0);
            assert_false(meter.wrong);
            assert_true(n < 20);
        }
        bsp_image_free(&image);
    }
}

// The heap counts what the compressor allocates by itself, too.
static void test_limit(void **state) {
    (void)state;
    bsp_image image = new_image(8, 8);
    const bspi_picture picture = {image.pixels, 8, 8};
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 100000);
    bspi_png_packer packer;
    bspi_png_packer_begin(&packer, &heap);
    bsp_blob file;
    bsp_error error;
    assert_false(bspi_png_pack(&packer, &picture, &file, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_null(file.data);
    bspi_png_packer_end(&packer);
    assert_int_equal(atomic_load(&heap.used), 0);
    bsp_image_free(&image);
}

static void test_sizes(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{0, 0},
                                        {0, 1},
                                        {1, 0},
                                        {BSP_IMAGE_MAX + 1, 1},
                                        {1, BSP_IMAGE_MAX + 1},
                                        {UINT32_MAX, UINT32_MAX}};
    uint8_t pixel[4] = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const bsp_image image = {sizes[i][0], sizes[i][1], pixel, {NULL, NULL}};
        bsp_blob file;
        bsp_error error;
        assert_false(bsp_image_write_png(&image, NULL, &file, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_null(file.data);
    }
    bsp_image wide = new_image(BSP_IMAGE_MAX, 1);
    bsp_image high = new_image(1, BSP_IMAGE_MAX);
    set_colors(&wide, 5000);
    set_colors(&high, 5000);
    check_kind(&wide, 8, 2);
    check_kind(&high, 8, 2);
    bsp_image_free(&wide);
    bsp_image_free(&high);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors), cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_grey),   cmocka_unit_test(test_small),
        cmocka_unit_test(test_any),    cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_packer), cmocka_unit_test(test_memory_ends),
        cmocka_unit_test(test_limit),  cmocka_unit_test(test_packed_away),
        cmocka_unit_test(test_sizes),  cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
