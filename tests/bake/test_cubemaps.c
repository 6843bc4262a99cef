// SPDX-License-Identifier: MIT
// Cubemaps drawn anew: what they take is counted, and they end within it, at any number of threads;
// light that is brighter than white is in the pictures for HDR, and light sixteen times as bright
// is sixteen times as bright there; cubemaps of any place and size, and of one place, give
// pictures.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/cubemaps.h"
#include "support/products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BRIGHTER 4 // powers of two

typedef struct sample {
    bsp_file *file;
    bsp_map *map;
} sample;

static void open_sample(sample *s) {
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    s->file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    s->map = s->file == NULL ? NULL : bsp_map_load(s->file, &load, &error);
    if (s->map == NULL) {
        fail_msg("%s", error.message);
    }
}

static void close_sample(sample *s) {
    bsp_map_free(s->map);
    bsp_file_close(s->file);
}

static bsp_cubemaps *drawn(const sample *s, const bsp_map *map, uint32_t kinds, uint32_t side) {
    bsp_error error;
    const bsp_cubemaps_options options = {.kinds = kinds, .side = side, .name = "lobby"};
    bsp_cubemaps *cubemaps = bsp_cubemaps_build(s->file, map, &options, &error);
    if (cubemaps == NULL) {
        fail_msg("%s", error.message);
    }
    return cubemaps;
}

// --- budget -------------------------------------------------------------------------------------

static bool make(const void *user, const product_how *how, bsp_error *error) {
    const sample *s = user;
    const bsp_cubemaps_options options = {.kinds = BSP_CUBEMAP_LDR | BSP_CUBEMAP_HDR,
                                          .side = 4,
                                          .budget = how->budget,
                                          .allocator = how->allocator};
    bsp_cubemaps *cubemaps = bsp_cubemaps_build(s->file, s->map, &options, error);
    bool done = cubemaps != NULL;
    bsp_cubemaps_free(cubemaps);
    return done;
}

static void test_budget(void **state) {
    (void)state;
    static const product_row rows[] = {{"cubemaps", make, false}};
    sample s;
    open_sample(&s);
    products_check(rows, 1, &s, "lobby.bsp");
    close_sample(&s);
}

// --- HDR ----------------------------------------------------------------------------------------

// The mean of the largest mips of a picture for HDR, and its brightest channel.
static double mean_of(const bsp_cubemaps *cubemaps, double *most) {
    bsp_bytes data = cubemaps->files[0].data;
    size_t pixels = 6 * 16 * 16; // at the end of a file of six sides
    double sum = 0;
    bsp_vtf vtf;
    assert_true(bsp_vtf_read(data, &vtf, NULL));
    assert_int_equal(vtf.format, BSP_VTF_RGBA16F);
    size_t sides = vtf.faces;
    const uint8_t *at = data.data + data.size - sides * 16 * 16 * 8;
    *most = 0;
    for (size_t i = 0; i < pixels * 4; i++) {
        uint16_t bits = (uint16_t)(at[2 * i] | at[2 * i + 1] << 8);
        double value = ldexp((bits >> 10) == 0 ? bits : (bits & 1023) + 1024,
                             (bits >> 10) == 0 ? -24 : (bits >> 10) - 25);
        if (i % 4 == 3) {
            assert_true(value == 1);
        } else {
            sum += value;
            *most = value > *most ? value : *most;
        }
    }
    return sum / (double)(pixels * 3);
}

static double hdr_mean(const sample *s, bsp_bytes light, double *most) {
    bsp_map map = *s->map;
    map.light_hdr = light;
    bsp_cubemaps *cubemaps = drawn(s, &map, BSP_CUBEMAP_HDR, 16);
    double mean = mean_of(cubemaps, most);
    bsp_cubemaps_free(cubemaps);
    return mean;
}

static void test_bright(void **state) {
    (void)state;
    sample s;
    double most[2];
    open_sample(&s);
    bsp_bytes light = s.map->light;
    uint8_t *brighter = malloc(light.size);
    assert_true(light.size != 0 && brighter != NULL);
    memcpy(brighter, light.data, light.size);
    for (size_t i = 3; i < light.size; i += 4) { // the exponent of each luxel
        int exponent = (int8_t)brighter[i] + BRIGHTER;
        brighter[i] = (uint8_t)(int8_t)(exponent > 127 ? 127 : exponent);
    }
    double plain = hdr_mean(&s, light, &most[0]);
    double bright = hdr_mean(&s, (bsp_bytes){brighter, light.size}, &most[1]);
    print_message("HDR: mean %.4f and %.4f, ratio %.2f, most %.2f and %.2f\n", plain, bright,
                  bright / plain, most[0], most[1]);
    assert_true(most[1] > 2);
    assert_true(bright / plain > 12 && bright / plain < 17);
    free(brighter);
    close_sample(&s);
}

// --- places -------------------------------------------------------------------------------------

static void test_places(void **state) {
    (void)state;
    static const bsp_cubemap cubemaps[] = {
        {{128, 112, 80}, 1},   {{INT32_MIN, INT32_MAX, 0}, 0}, {{128, 112, 80}, 3},
        {{100000, 0, 0}, 255}, {{0, -50, INT32_MIN}, 11},
    };
    static const uint32_t sides[] = {1, 32, 0, 32, 32};
    static const char *const names[] = {"c128_112_80.vtf", "c-2147483648_2147483647_0.vtf", NULL,
                                        "c100000_0_0.vtf", "c0_-50_-2147483648.vtf"};
    sample s;
    open_sample(&s);
    bsp_map map = *s.map;
    map.cubemaps = cubemaps;
    map.num_cubemaps = 5;
    bsp_cubemaps *made = drawn(&s, &map, BSP_CUBEMAP_LDR, 0);
    assert_int_equal(made->num_pictures, 4);
    for (uint32_t i = 0, n = 0; i < 5; i++) {
        bsp_vtf vtf;
        if (names[i] == NULL) {
            continue; // of a place that has one
        }
        bsp_text name = made->files[n].name;
        size_t size = strlen(names[i]);
        assert_true(name.size > size);
        assert_memory_equal(name.data + name.size - size, names[i], size);
        assert_true(bsp_vtf_read(made->files[n].data, &vtf, NULL));
        assert_int_equal(vtf.width, sides[i]);
        n++;
    }
    bsp_cubemaps_free(made);
    map.num_cubemaps = 0;
    made = drawn(&s, &map, 0, 0);
    assert_int_equal(made->num_files, 0);
    bsp_cubemaps_free(made);
    close_sample(&s);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        bsp_cubemaps_options options;
        bsp_code code;
    } rows[] = {{{.side = 3}, BSP_E_ARGUMENT},
                {{.side = 2048}, BSP_E_ARGUMENT},
                {{.kinds = 4}, BSP_E_ARGUMENT},
                {{.format = BSP_VTF_RGBA16F}, BSP_E_ARGUMENT}};
    sample s;
    bsp_error error;
    open_sample(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(bsp_cubemaps_build(s.file, s.map, &rows[i].options, &error));
        assert_int_equal(error.code, rows[i].code);
    }
    bsp_map sorted = *s.map;
    const bsp_material_sort sort = {0};
    sorted.material_sorts = &sort;
    sorted.num_material_sorts = 1;
    assert_null(bsp_cubemaps_build(s.file, &sorted, NULL, &error));
    assert_int_equal(error.code, BSP_E_UNSUPPORTED);
    bsp_cubemaps_free(NULL);
    close_sample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_bright),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
