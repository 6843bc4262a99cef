// SPDX-License-Identifier: MIT
// Light at the vertices of static props: what is written for the zip of a map reads back with a
// colour for every vertex; it is brighter by the lamps, and black without; the same at any number
// of threads.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/model.h"
#include "support/relight.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/source/lobby.bsp"
#define GAME BSP_TEST_SAMPLES "/source"
// The sum of the colours that a file has for a model, each of which it must have.
static unsigned sum_of(const relit *l, bsp_text path, bsp_bytes bytes) {
    bsp_error error;
    bsp_model_asset *model = bsp_model_open(l->search, path, NULL, &error);
    assert_non_null(model);
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
    assert_non_null(mesh);
    bsp_model_file *file = bsp_model_file_open_memory(bytes, "sp_0.vhv", NULL, &error);
    assert_non_null(file);
    uint8_t(*colors)[4] = malloc(mesh->num_vertices * sizeof *colors);
    assert_true(bsp_model_vertex_light(model, mesh, file, colors, &error));
    unsigned sum = 0;
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        assert_int_equal(colors[i][3], 255);
        sum += (unsigned)colors[i][0] + colors[i][1] + colors[i][2];
    }
    free(colors);
    bsp_model_file_close(file);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
    return sum;
}

static unsigned light(const char *entities, bool direct, uint32_t threads, bsp_blob *out) {
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    bsp_budget_set_threads(budget, threads);
    const bsp_relight_options how = {.direct = direct, .force = true, .budget = budget};
    relit l = relit_open_game(SAMPLE, GAME, entities, &how);
    assert_int_equal(l.relight->num_prop_files, 2);
    unsigned sum = 0;
    for (uint32_t i = 0; i < l.relight->num_prop_files; i++) {
        const bsp_pak_change *file = &l.relight->prop_files[i];
        assert_int_equal(file->data.size % 512, 0);
        const bsp_static_prop *prop = &l.map->static_props[i];
        sum += sum_of(&l, l.map->static_prop_models[prop->model], file->data);
    }
    const bsp_bytes first = l.relight->prop_files[0].data;
    if (out->data == NULL) {
        *out = (bsp_blob){.data = malloc(first.size), .size = first.size};
        memcpy(out->data, first.data, first.size);
    }
    assert_int_equal(out->size, first.size);
    relit_close(&l);
    bsp_budget_free(budget);
    return sum;
}

static void test_props(void **state) {
    (void)state;
    bsp_blob one = {0};
    bsp_blob seven = {0};
    unsigned own = light(NULL, false, 1, &one);
    assert_int_equal(light(NULL, false, 7, &seven), own);
    assert_memory_equal(one.data, seven.data, one.size);
    assert_true(own > 0);
    assert_true(light(NULL, true, 0, &one) < own); // nothing is thrown back
    assert_int_equal(light("{ \"classname\" \"worldspawn\" }", false, 0, &one), 0);
    free(one.data);
    free(seven.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_props)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
