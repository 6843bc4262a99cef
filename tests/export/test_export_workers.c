// SPDX-License-Identifier: MIT
// Exports at several numbers of threads: the same bytes. Images that several threads pack, and
// rectangles that several threads draw: each once, and the same as alone.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/export.h"
#include "export/paint.h"
#include "mesh/lightmap.h"
#include "support/random.h"
#include "support/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGES 23u
#define SIDE 96u // of an image: all together are enough to start threads
#define RECTS 1001u

static const uint32_t numbers[] = {1, 2, 7};

#define NUMBERS (sizeof numbers / sizeof *numbers)

static bsp_budget *new_budget(uint32_t threads) {
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    assert_non_null(budget);
    bsp_budget_set_threads(budget, threads);
    return budget;
}

// --- whole files --------------------------------------------------------------------------------

static void export_sample(const bsp_file *file, const bsp_map *map, bsp_export_light light,
                          uint32_t threads, test_sink *out) {
    bsp_budget *budget = new_budget(threads);
    bsp_textures *textures = bsp_textures_open(NULL, map, NULL, NULL);
    bsp_export_options options = {
        .file = file, .textures = textures, .light = light, .budget = budget};
    assert_true(bsp_export_glb(map, &options, test_sink_take, out, NULL, NULL));
    bsp_textures_close(textures);
    bsp_budget_free(budget);
}

static void test_same_files(void **state) {
    (void)state;
    static const char *const samples[] = {"goldsrc/lobby.bsp", "quake3/lobby.bsp",
                                          "source/lobby.bsp"};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, samples[s]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        bsp_map *map = bsp_map_load(file, NULL, NULL);
        assert_non_null(map);
        for (int light = 0; light < 4; light++) {
            test_sink alone = {0};
            export_sample(file, map, (bsp_export_light)light, 1, &alone);
            for (size_t n = 1; n < NUMBERS; n++) {
                test_sink shared = {0};
                export_sample(file, map, (bsp_export_light)light, numbers[n], &shared);
                assert_int_equal(shared.size, alone.size);
                assert_memory_equal(shared.data, alone.data, alone.size);
                free(shared.data);
            }
            free(alone.data);
        }
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// --- images -------------------------------------------------------------------------------------

static bsp_image random_image(uint32_t colors, test_random *random) {
    static const uint8_t black[4] = {0, 0, 0, 255};
    bsp_image image;
    assert_true(bsp_image_fill(SIDE, SIDE, black, NULL, &image, NULL));
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        image.pixels[4 * i] = (uint8_t)random_below(random, colors);
    }
    return image;
}

static void test_images(void **state) {
    (void)state;
    for (size_t n = 0; n < NUMBERS; n++) {
        test_random random = {5};
        bsp_budget *budget = new_budget(numbers[n]);
        bspi_heap heap;
        bspi_arena arena;
        bspi_heap_init_for(&heap, BSP_PRODUCT_EXPORT, 1 << 20, budget, NULL);
        bspi_arena_init(&arena, &heap);
        const bsp_map map = {0};
        bspi_paints paints = {.map = &map, .arena = &arena};
        assert_true(bspi_paints_begin(&paints, NULL));
        assert_int_equal(paints.threads, numbers[n]);
        bsp_image images[IMAGES];
        bsp_blob blobs[IMAGES];
        bspi_packing list[IMAGES];
        memset(blobs, 0, sizeof blobs);
        for (uint32_t i = 0; i < IMAGES; i++) {
            images[i] = random_image(i + 1, &random);
            list[i] = (bspi_packing){{images[i].pixels, SIDE, SIDE}, &blobs[i]};
        }
        assert_true(bspi_paints_pack(&paints, list, IMAGES, NULL));
        for (uint32_t i = 0; i < IMAGES; i++) {
            bsp_blob alone;
            assert_true(bsp_image_write_png(&images[i], NULL, &alone, NULL));
            assert_int_equal(blobs[i].size, alone.size);
            assert_memory_equal(blobs[i].data, alone.data, alone.size);
            bsp_blob_free(&alone);
            bsp_blob_free(&blobs[i]);
            bsp_image_free(&images[i]);
        }
        bspi_paints_free(&paints);
        bspi_arena_free(&arena);
        assert_int_equal(atomic_load(&heap.used), 0);
        bsp_budget_free(budget);
    }
}

// --- rectangles ---------------------------------------------------------------------------------

static void count_rect(void *user, uint32_t number) {
    uint8_t *drawn = user;
    drawn[number]++; // no other thread has the same number
}

static void test_rects(void **state) {
    (void)state;
    for (size_t n = 0; n < NUMBERS; n++) {
        for (uint32_t count = 0; count <= RECTS; count = count * 3 + 1) {
            uint8_t drawn[RECTS + 1] = {0};
            bsp_budget *budget = new_budget(numbers[n]);
            bspi_lightmap own = {.lightmap = {.luxels = 1 << 20}};
            bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHTMAP, 1 << 20, budget, NULL);
            bspi_light_builder builder = {.own = &own, .num_rects = count};
            assert_true(bspi_light_draw_all(&builder, count_rect, drawn));
            for (uint32_t i = 0; i <= RECTS; i++) {
                assert_int_equal(drawn[i], i < count);
            }
            bsp_budget_free(budget);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_files),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_rects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
