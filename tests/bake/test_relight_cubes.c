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
#include "support/relight.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define REAL BSP_TEST_SHARED "/corpus/named/cs-source__maps__pummpknivez_Paronsoda.bsp"
#define OLD BSP_TEST_SHARED "/corpus/source/v20/cs-source__maps__de_chakalaka.bsp" // no index
#define FULL 255.0 // cubes count so much more than luxels
#define LAMP                                                                                       \
    "{ \"classname\" \"worldspawn\" }{ \"classname\" \"light\" \"origin\" \"128 192 100\" "        \
    "\"_light\" \"255 255 255 %d\" }"

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

// Makes the light of a map and writes it. `threads` 0: all.
static relit make(const char *path, const char *lights, uint32_t threads, bool direct) {
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    assert_non_null(budget);
    bsp_budget_set_threads(budget, threads);
    const bsp_relight_options how = {.budget = budget, .force = true, .direct = direct};
    relit l = relit_open(path, lights, &how);
    relit_write(&l);
    assert_int_equal(l.relight->num_cubes, l.map->num_ambient_samples);
    assert_int_equal(l.written_map->num_ambient_samples, l.map->num_ambient_samples);
    for (uint32_t n = 0; n < l.map->num_ambient_samples; n++) {
        assert_memory_equal(l.written_map->ambient_samples[n].place,
                            l.map->ambient_samples[n].place,
                            sizeof l.map->ambient_samples[n].place);
    }
    bsp_relight_free(l.relight);
    l.relight = NULL;
    bsp_budget_free(budget);
    return l;
}

static void test_strength(void **state) {
    (void)state;
    double sums[3];
    for (int i = 0; i < 3; i++) {
        char lights[256];
        int size = snprintf(lights, sizeof lights, LAMP, 200 * i);
        assert_true(size > 0 && (size_t)size < sizeof lights);
        relit l = make(SAMPLE, lights, 1, false);
        sums[i] = sum_of(l.written_map);
        relit_close(&l);
    }
    print_message("sums: %g %g %g\n", sums[0], sums[1], sums[2]);
    assert_true(sums[0] == 0 && sums[1] > 0);
    assert_true(fabs(sums[2] / sums[1] - 2) < 0.05); // as many bits as a byte has
}

static void test_threads(void **state) {
    (void)state;
    relit one = make(SAMPLE, NULL, 1, true);
    relit four = make(SAMPLE, NULL, 4, true);
    assert_int_equal(one.blob.size, four.blob.size);
    assert_memory_equal(one.blob.data, four.blob.data, one.blob.size);
    relit_close(&one);
    relit_close(&four);
}

// Returns how much of what the sides of cubes show is within 2 of 255 of what it was.
static double share_of(const relit *l) {
    uint32_t near = 0;
    for (uint32_t n = 0; n < 6 * l->map->num_ambient_samples; n++) {
        float before[3];
        float now[3];
        double most = 0;
        bsp_light_decode(l->map->ambient_samples[n / 6].cube + 4 * (n % 6), before);
        bsp_light_decode(l->written_map->ambient_samples[n / 6].cube + 4 * (n % 6), now);
        for (int c = 0; c < 3; c++) {
            double shown = 255 * pow(FULL * (double)now[c], 1 / 2.2);
            most = fmax(most, fabs(shown - 255 * pow(FULL * (double)before[c], 1 / 2.2)));
        }
        near += most <= 2;
    }
    return near / (6.0 * l->map->num_ambient_samples);
}

// The cubes of vrad of 2007 and of 2006, which has one for each leaf.
static void test_real(void **state) {
    (void)state;
    const char *maps[] = {REAL, OLD};
    for (int i = 0; i < 2; i++) {
        FILE *there = fopen(maps[i], "rb");
        if (there == NULL) {
            print_message("SKIP: no map %s\n", maps[i]);
            continue;
        }
        fclose(there);
        relit l = make(maps[i], NULL, 0, false);
        double stored = sum_of(l.map);
        double now = sum_of(l.written_map);
        print_message("%u samples: %g in the map, %g now, %g alike\n",
                      (unsigned)l.map->num_ambient_samples, stored, now, share_of(&l));
        assert_true(fabs(now / stored - 1) < 0.1);
        assert_true(share_of(&l) > (i == 0 ? 0.9 : 0.8) && share_of(&l) < 1);
        relit_close(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strength),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_real)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
