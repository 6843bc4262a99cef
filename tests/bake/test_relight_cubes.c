// SPDX-License-Identifier: MIT
// Ambient samples of Source made anew: lamps twice as strong make cubes twice as bright, none makes
// them black; places stay; the same at any number of threads; those of a real map are near what its
// compiler made.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "bspkit/relight.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define REAL BSP_TEST_SHARED "/corpus/named/cs-source__maps__pummpknivez_Paronsoda.bsp"
#define LAMP                                                                                       \
    "{ \"classname\" \"worldspawn\" }{ \"classname\" \"light\" \"origin\" \"128 192 100\" "        \
    "\"_light\" \"255 255 255 %d\" }"

// A map with other light.
typedef struct made {
    bsp_blob blob;
    bsp_file *file;
    bsp_map *map;
    double sum; // of all sides of all samples
} made;

static double sum_of(const bsp_map *map) {
    double sum = 0;
    for (uint32_t n = 0; n < map->num_ambient_samples; n++) {
        for (int s = 0; s < 6; s++) {
            float rgb[3];
            bsp_light_decode(map->ambient_samples[n].cube + 4 * s, rgb);
            sum += (double)rgb[0] + (double)rgb[1] + (double)rgb[2];
        }
    }
    return sum;
}

static made make(const char *path, const char *lights, uint32_t threads, bool direct) {
    made m = {0};
    bsp_error error;
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    assert_non_null(budget);
    bsp_budget_set_threads(budget, threads);
    bsp_file *file = bsp_file_open(path, NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    bsp_entities *given =
        lights == NULL ? NULL : bsp_entities_parse(bsp_text_of(lights), NULL, NULL, &error);
    const bsp_relight_options how = {
        .budget = budget, .lights = given, .force = true, .direct = direct};
    bsp_relight *relight = bsp_relight_build(map, file, &how, &error);
    assert_non_null(relight);
    assert_int_equal(relight->num_cubes, map->num_ambient_samples);
    bsp_relight_changes *changes = bsp_relight_lumps(relight, map, file, NULL, &error);
    assert_non_null(changes);
    bsp_plan *plan = bsp_file_plan(file, changes->changes, changes->num_changes, NULL, &error);
    assert_non_null(plan);
    assert_true(bsp_plan_make(plan, NULL, &m.blob, &error));
    m.file = bsp_file_open_memory((bsp_bytes){m.blob.data, m.blob.size}, NULL, &error);
    assert_non_null(m.file);
    m.map = bsp_map_load(m.file, &load, &error);
    assert_non_null(m.map);
    m.sum = sum_of(m.map);
    assert_int_equal(m.map->num_ambient_samples, map->num_ambient_samples);
    for (uint32_t n = 0; n < map->num_ambient_samples; n++) {
        assert_memory_equal(m.map->ambient_samples[n].place, map->ambient_samples[n].place, 3);
    }
    bsp_plan_free(plan);
    bsp_relight_changes_free(changes);
    bsp_relight_free(relight);
    bsp_entities_free(given);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_budget_free(budget);
    return m;
}

static void drop(made *m) {
    bsp_map_free(m->map);
    bsp_file_close(m->file);
    bsp_blob_free(&m->blob);
}

static void test_strength(void **state) {
    (void)state;
    double sums[3];
    for (int i = 0; i < 3; i++) {
        char lights[256];
        int size = snprintf(lights, sizeof lights, LAMP, 200 * i);
        assert_true(size > 0 && (size_t)size < sizeof lights);
        made m = make(SAMPLE, lights, 1, false);
        sums[i] = m.sum;
        drop(&m);
    }
    print_message("sums: %g %g %g\n", sums[0], sums[1], sums[2]);
    assert_true(sums[0] == 0 && sums[1] > 0);
    assert_true(fabs(sums[2] / sums[1] - 2) < 0.05); // as many bits as a byte has
}

static void test_threads(void **state) {
    (void)state;
    made one = make(SAMPLE, NULL, 1, true);
    made four = make(SAMPLE, NULL, 4, true);
    assert_int_equal(one.blob.size, four.blob.size);
    assert_memory_equal(one.blob.data, four.blob.data, one.blob.size);
    drop(&one);
    drop(&four);
}

static void test_real(void **state) {
    (void)state;
    bsp_error error;
    FILE *there = fopen(REAL, "rb");
    if (there == NULL) {
        print_message("SKIP: no map %s\n", REAL);
        return;
    }
    fclose(there);
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_file *file = bsp_file_open(REAL, NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, &load, &error);
    assert_non_null(map);
    double stored = sum_of(map);
    made m = make(REAL, NULL, 0, false);
    print_message("%u samples: %g in the map, %g now\n", (unsigned)map->num_ambient_samples, stored,
                  m.sum);
    assert_true(fabs(m.sum / stored - 1) < 0.1);
    drop(&m);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strength),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_real)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
