// SPDX-License-Identifier: MIT
// Map source of other programs, read, written in every dialect, and read again: the same planes,
// texels and entities. And against what compilers made of it: the texture vectors of a compiled map
// are those of its source. Needs the shared corpus; skipped without.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/files.h"
#include "support/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_close(const char *name, bsp_dialect dialect, source_distance far,
                         const bsp_source_losses *losses) {
    if (far.normal > 1e-5 || far.dist > 1e-3 || far.mappings > losses->mappings) {
        fail_msg("%s as %s: normals %g, distances %g, texels %g apart, %u sides (%u counted)", name,
                 bsp_dialect_name(dialect), far.normal, far.dist, far.texels, far.mappings,
                 losses->mappings);
    }
}

static void write_and_read(const test_file *file, const bsp_source *source, bsp_dialect dialect,
                           source_distance *worst) {
    bsp_source_losses losses;
    char *text = print_source(source, dialect, NULL, &losses);
    bsp_source *again = read_source(bsp_text_of(text));
    source_distance far = compare_sources(source, again);
    expect_close(file->path, dialect, far, &losses);
    assert_int_equal(losses.texts, 0);
    // What a writer had to give up once is no loss the second time.
    char *twice = print_source(again, dialect, NULL, &losses);
    bsp_source *third = read_source(bsp_text_of(twice));
    assert_int_equal(losses.mappings, 0);
    expect_close(file->path, dialect, compare_sources(again, third), &losses);
    bsp_source_free(third);
    free(twice);
    bsp_source_free(again);
    free(text);
    worst->normal = fmax(worst->normal, far.normal);
    worst->dist = fmax(worst->dist, far.dist);
    worst->texels = far.mappings == 0 ? fmax(worst->texels, far.texels) : worst->texels;
    worst->corners += far.corners;
    worst->mappings += far.mappings;
}

static void in_all_dialects(const test_file *file, void *user) {
    bsp_text text = {(const char *)file->bytes.data, file->bytes.size};
    bsp_source *source = read_source(text);
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        write_and_read(file, source, (bsp_dialect)d, (source_distance *)user + d);
    }
    bsp_source_free(source);
}

static void run_all(const char *folder, const char *ending, uint32_t least) {
    source_distance worst[BSP_NUM_DIALECTS] = {{0}};
    uint32_t count = for_each_file(folder, ending, in_all_dialects, worst);
    if (count == 0) {
        print_message("%s is not there\n", folder);
        skip();
    }
    assert_true(count >= least);
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        print_message("%u %s as %s: %u corners; normals %.1e, distances %.1e, texels %.1e apart; "
                      "%u sides cannot be said\n",
                      count, ending, bsp_dialect_name((bsp_dialect)d), worst[d].corners,
                      worst[d].normal, worst[d].dist, worst[d].texels, worst[d].mappings);
    }
}

static void test_maps(void **state) {
    (void)state;
    run_all(BSP_TEST_SHARED "/corpus/mapsource", ".map", 40);
}

static void test_vmfs(void **state) {
    (void)state;
    run_all(BSP_TEST_SHARED "/oracle/decompiled", ".vmf", 25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_vmfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
