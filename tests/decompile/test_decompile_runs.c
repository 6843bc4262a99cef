// SPDX-License-Identifier: MIT
// A map with more brushes than there are hulls at a time: copies of the brushes of a sample must
// all become what the first of them became, wherever the runs of hulls end.
#include "bspkit/decompile.h"
#include "bspkit/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COPIES 5000u   // more than the 4096 from which on hulls are made in runs of 2048
#define MOST_SIDES 32u // of a brush of the sample

static const bsp_mapdoc_brush *brush_of(const bsp_mapdoc *document, uint32_t entity, uint32_t n) {
    assert_true(n < document->entities[entity].num_brushes);
    return &document->brushes[document->entities[entity].first_brush + n];
}

static void expect_equal(const bsp_mapdoc *document, const bsp_mapdoc_brush *a,
                         const bsp_mapdoc_brush *b) {
    assert_int_equal(a->num_sides, b->num_sides);
    for (uint32_t s = 0; s < a->num_sides; s++) {
        const bsp_mapdoc_side *x = &document->sides[a->first_side + s];
        const bsp_mapdoc_side *y = &document->sides[b->first_side + s];
        assert_memory_equal(x->points, y->points, sizeof x->points);
        assert_memory_equal(x->normal, y->normal, sizeof x->normal);
        assert_memory_equal(x->vec, y->vec, sizeof x->vec);
        assert_true(bsp_text_equal(x->material, y->material));
    }
}

static void test_copies(void **unused) {
    (void)unused;
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake3/lobby.bsp", NULL, &error);
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    assert_non_null(map);
    uint32_t own = map->models[0].num_brushes;
    assert_true(own > 2 && COPIES % own != 0);
    bsp_map more = *map;
    bsp_brush *brushes = calloc(COPIES, sizeof *brushes);
    bsp_model *models = calloc(map->num_models, sizeof *models);
    assert_true(brushes != NULL && models != NULL);
    bsp_brush_side *sides = calloc((size_t)COPIES * MOST_SIDES, sizeof *sides);
    assert_non_null(sides);
    for (uint32_t i = 0; i < COPIES; i++) { // runs of sides that overlap would be damage
        brushes[i] = map->brushes[map->models[0].first_brush + i % own];
        assert_true(brushes[i].num_sides <= MOST_SIDES);
        memcpy(sides + (size_t)i * MOST_SIDES, map->brush_sides + brushes[i].first_side,
               brushes[i].num_sides * sizeof *sides);
        brushes[i].first_side = i * MOST_SIDES;
    }
    memcpy(models, map->models, map->num_models * sizeof *models);
    for (uint32_t m = 0; m < map->num_models; m++) { // the last brush for each but the world
        models[m].first_brush = m == 0 ? 0 : COPIES - 1;
        models[m].num_brushes = m == 0 ? COPIES - 1 : 1;
    }
    more.brushes = brushes;
    more.num_brushes = COPIES;
    more.brush_sides = sides;
    more.num_brush_sides = COPIES * MOST_SIDES;
    more.models = models;
    bsp_decompile_report report;
    bsp_mapdoc *document = bsp_decompile(&more, NULL, &report, &error);
    if (document == NULL) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(document->entities[0].num_brushes, COPIES - 1);
    for (uint32_t i = own; i < COPIES - 1; i++) {
        expect_equal(document, brush_of(document, 0, i), brush_of(document, 0, i % own));
    }
    bsp_mapdoc_free(document);
    free(sides);
    free(models);
    free(brushes);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
