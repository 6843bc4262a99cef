// SPDX-License-Identifier: MIT
// JPEG as it is written: what the decoder gives back is near the pixels, the nearer the higher the
// quality; alpha does not matter; the end of memory is an error.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/asset.h"
#include "support/alloc.h"

#include <stdlib.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Slopes of colour, with `noise` added.
static bsp_image new_image(uint32_t width, uint32_t height, uint32_t noise, uint8_t alpha) {
    static const uint8_t black[4] = {0};
    bsp_image image;
    uint32_t random = 90;
    assert_true(bsp_image_fill(width, height, black, NULL, &image, NULL));
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *p = image.pixels + 4 * ((size_t)y * width + x);
            const uint32_t slopes[3] = {x * 200 / width, y * 200 / height, 100};
            for (int c = 0; c < 3; c++) {
                p[c] = (uint8_t)(slopes[c] + next_random(&random) % (noise + 1));
            }
            p[3] = alpha;
        }
    }
    return image;
}

static bsp_blob write(const bsp_image *image, uint32_t quality) {
    bsp_blob file;
    assert_true(bsp_image_write_jpeg(image, quality, NULL, &file, NULL));
    return file;
}

// Returns the mean difference of a colour, after writing and reading.
static double difference(const bsp_image *image, uint32_t quality) {
    bsp_blob file = write(image, quality);
    bsp_bytes bytes = {file.data, file.size};
    bsp_image back;
    assert_int_equal(bsp_image_detect(bytes, bsp_text_of("")), BSP_IMAGE_JPEG);
    assert_true(bsp_image_decode(bytes, BSP_IMAGE_JPEG, NULL, &back, NULL));
    assert_int_equal(back.width, image->width);
    assert_int_equal(back.height, image->height);
    uint64_t sum = 0;
    size_t pixels = (size_t)image->width * image->height;
    for (size_t i = 0; i < 4 * pixels; i++) {
        if (i % 4 == 3) {
            assert_int_equal(back.pixels[i], 255);
        } else {
            sum += (uint64_t)abs((int)back.pixels[i] - image->pixels[i]);
        }
    }
    bsp_image_free(&back);
    bsp_blob_free(&file);
    return (double)sum / (double)(3 * pixels);
}

static void test_pixels(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {17, 5}, {8, 200}, {320, 160}, {BSP_IMAGE_MAX, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bsp_image image = new_image(sizes[i][0], sizes[i][1], 0, 255);
        assert_true(difference(&image, 0) < 8); // colours are halved in size
        assert_true(difference(&image, 100) < 6);
        bsp_image_free(&image);
    }
}

static void test_quality(void **state) {
    (void)state;
    bsp_image image = new_image(320, 160, 40, 255);
    bsp_image clear = new_image(320, 160, 40, 7);
    bsp_blob usual = write(&image, 0);
    bsp_blob same = write(&image, 90);
    bsp_blob without = write(&clear, 90);
    bsp_blob poor = write(&image, 30);
    assert_int_equal(usual.size, same.size);
    assert_memory_equal(usual.data, same.data, same.size);
    assert_int_equal(usual.size, without.size);
    assert_memory_equal(usual.data, without.data, without.size);
    assert_true(poor.size * 2 < usual.size);
    assert_true(difference(&image, 30) > difference(&image, 90));
    assert_true(difference(&image, 90) > difference(&image, 100));
    bsp_blob_free(&usual);
    bsp_blob_free(&same);
    bsp_blob_free(&without);
    bsp_blob_free(&poor);
    bsp_image_free(&image);
    bsp_image_free(&clear);
}

static void test_memory_ends(void **state) {
    (void)state;
    bsp_image image = new_image(500, 500, 55, 255); // larger than the first room
    bool done = false;
    uint64_t n = 0;
    while (!done) {
        test_meter meter = {.fail_at = ++n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_blob file;
        bsp_error error;
        done = bsp_image_write_jpeg(&image, 100, &allocator, &file, &error);
        assert_true(done || (error.code == BSP_E_MEMORY && file.data == NULL));
        bsp_blob_free(&file);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
        assert_true(n < 20);
    }
    assert_true(n > 3);
    bsp_image_free(&image);
}

static void test_refused(void **state) {
    (void)state;
    static const uint32_t tried[][3] = {{0, 1, 90},
                                        {1, 0, 90},
                                        {BSP_IMAGE_MAX + 1, 1, 90},
                                        {UINT32_MAX, UINT32_MAX, 90},
                                        {1, 1, 101}};
    uint8_t pixel[4] = {0};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const bsp_image image = {tried[i][0], tried[i][1], pixel, {NULL, NULL}};
        bsp_blob file;
        bsp_error error;
        assert_false(bsp_image_write_jpeg(&image, tried[i][2], NULL, &file, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_null(file.data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_memory_ends),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
