// SPDX-License-Identifier: MIT
// Traces with props that are damaged, mutated, or more than a budget allows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/props.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void damaged_props(void **state) {
    (void)state;
    bsp_error error = {0};
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 12, 31);
    for (uint32_t h = 0; h < m->meshes[5].num_hulls; h++) {
        m->points[5][m->hulls[5][h].first_point][1] = NAN;
        m->hulls[6][h].num_points = 3;
        m->hulls[7][h].first_index = UINT32_MAX - 1;
        m->hulls[8][h].solid = 1; // of a ragdoll
    }
    m->meshes[6].num_hulls = m->meshes[7].num_hulls = m->meshes[8].num_hulls =
        m->meshes[5].num_hulls;
    m->props[0].place[1][1] = NAN;
    m->props[1].place[0][3] = INFINITY;
    memset(m->props[2].place, 0, sizeof m->props[2].place);
    m->props[3].model = 999;
    m->props[4].solid = 2; // no box
    m->props[4].solid_box[0][0] = 5;
    m->indices[9][0] = 1000000;
    m->meshes[9].num_hulls = 1;
    bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
    assert_non_null(solids);
    assert_int_equal(bsp_solids_count(solids), 2);
    const bsp_trace_input odd[] = {
        {.start = {NAN, 0, 0}},
        {.end = {INFINITY, 0, 0}},
        {.start = {1e38F, 1e38F, 1e38F}, .end = {-1e38F, -1e38F, -1e38F}},
        {.mins = {-3e38F, 0, 0}, .maxs = {3e38F, 0, 0}},
        {.mins = {5, 5, 5}, .maxs = {-5, -5, -5}},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        bsp_solids_result r;
        bsp_solids_trace(solids, &odd[i], &r);
        assert_true(r.trace.fraction >= 0 && r.trace.fraction <= 1);
        assert_true(r.prop == BSP_NONE || r.prop < 12);
    }
    bsp_solids_free(solids);
    test_props_free(m);
}

// Hulls without some triangles, flat ones and such that are turned inside out hold their points,
// and end at the box around these.
static void damaged_hulls(void **state) {
    (void)state;
    bsp_error error = {0};
    for (uint32_t way = 0; way < 3; way++) {
        test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 1, 40 + way);
        bsp_model_mesh *mesh = &m->meshes[0];
        bsp_model_hull *hull = &m->hulls[0][0];
        float low[3] = {1e9F, 1e9F, 1e9F}, high[3] = {-1e9F, -1e9F, -1e9F};
        mesh->num_hulls = 1;
        hull->num_indices -= way == 0 ? 6 : 0;
        for (uint32_t i = 0; i < hull->num_indices && way == 1; i += 3) {
            uint32_t swap = m->indices[0][i];
            m->indices[0][i] = m->indices[0][i + 1];
            m->indices[0][i + 1] = swap;
        }
        for (uint32_t i = 0; i < hull->num_points; i++) {
            float *p = m->points[0][i];
            p[2] = way == 2 ? 5 : p[2];
            for (int k = 0; k < 3; k++) {
                low[k] = fminf(low[k], p[k]);
                high[k] = fmaxf(high[k], p[k]);
            }
        }
        memset(m->props[0].place, 0, sizeof m->props[0].place);
        for (int k = 0; k < 3; k++) {
            m->props[0].place[k][k] = 1;
        }
        bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
        assert_int_equal(bsp_solids_count(solids), 1);
        test_random seed = {1};
        for (int i = 0; i < 2000; i++) {
            // Down past the box, and through the middle of two points.
            bsp_trace_input in = {.start = {0, 0, 200}, .end = {0, 0, -200}};
            bsp_solids_result r;
            const float *a = m->points[0][random_u32(&seed) % hull->num_points];
            const float *b = m->points[0][random_u32(&seed) % hull->num_points];
            const float *top = m->points[0][hull->num_points - 1]; // over the ring's middle
            const float part = (float)random_between(&seed, 0, 1);
            bool past = i % 2 == 0;
            for (int k = 0; k < 2; k++) {
                float out = (float)random_between(&seed, 0.1, 50);
                float within = a[k] + (b[k] - a[k]) * part;
                within += 0.01F * (top[k] - within);
                in.start[k] = in.end[k] = past ? high[k] + out : within;
            }
            bsp_solids_trace(solids, &in, &r);
            assert_true((r.trace.fraction < 1) == !past);
        }
        bsp_solids_free(solids);
        test_props_free(m);
    }
}

// Whatever the hulls of a model hold, what is read of them lies in them.
static void mutated_hulls(void **state) {
    (void)state;
    bsp_error error = {0};
    test_random seed = {4711};
    for (uint32_t round = 0; round < test_effort(2000); round++) {
        test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 2, 50 + round % 7);
        // The arrays end where the mesh says, so that a sanitizer sees what is read after them.
        bsp_model_mesh *mesh = &m->meshes[0];
        float(*points)[3] = malloc(mesh->num_hull_points * sizeof *points);
        uint32_t *indices = malloc(mesh->num_hull_indices * sizeof *indices);
        memcpy(points, mesh->hull_points, mesh->num_hull_points * sizeof *points);
        memcpy(indices, mesh->hull_indices, mesh->num_hull_indices * sizeof *indices);
        mesh->hull_points = (const float(*)[3])points;
        mesh->hull_indices = indices;
        for (uint32_t i = 0; i < 6; i++) {
            static const float odd[] = {0, -0.0F, 1e-30F, 1e8F, -1e30F, INFINITY, NAN};
            size_t point = random_below(&seed, mesh->num_hull_points);
            size_t from = random_below(&seed, mesh->num_hull_points);
            bsp_model_hull *hull = &m->hulls[0][random_below(&seed, mesh->num_hulls)];
            switch (random_below(&seed, 5)) {
            case 0:
                points[point][random_below(&seed, 3)] = odd[random_below(&seed, 7)];
                break;
            case 1:
                memcpy(points[point], points[from], sizeof points[point]);
                break;
            case 2:
                indices[random_below(&seed, mesh->num_hull_indices)] = (uint32_t)from;
                break;
            case 3:
                hull->num_indices -= 3 * (uint32_t)random_below(&seed, 3);
                break;
            default:
                hull->first_point += (uint32_t)random_below(&seed, 2);
                break;
            }
        }
        bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
        assert_non_null(solids);
        for (uint32_t i = 0; i < 20; i++) {
            bsp_trace_input in;
            bsp_solids_result r;
            test_props_segment(&seed, &in);
            memcpy(in.end, &m->props[0].place[0][3], sizeof in.end[0]);
            in.end[1] = m->props[0].place[1][3];
            in.end[2] = m->props[0].place[2][3];
            for (int k = 0; k < 3 && i % 2 == 0; k++) {
                in.maxs[k] = 16;
            }
            bsp_solids_trace(solids, &in, &r);
            assert_true(r.trace.fraction >= 0 && r.trace.fraction <= 1);
        }
        bsp_solids_free(solids);
        free(points);
        free(indices);
        test_props_free(m);
    }
}

static void many_props_in_a_budget(void **state) {
    (void)state;
    enum { COUNT = 65535 };
    bsp_error error = {0};
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 1, 3);
    bsp_scene_prop *props = calloc(COUNT, sizeof *props);
    for (uint32_t i = 0; i < COUNT; i++) {
        props[i] = m->props[0]; // all at one place
    }
    m->scene.props = props;
    m->scene.num_props = COUNT;
    bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
    assert_non_null(solids);
    assert_int_equal(bsp_solids_count(solids), COUNT);
    bsp_trace_input in = {.mask = 1};
    bsp_solids_result r;
    for (int k = 0; k < 3; k++) {
        double p[3];
        test_props_point(&props[0], m->points[0][0], p);
        in.start[k] = (float)p[k] + 300;
        in.end[k] = (float)p[k] - 300;
    }
    bsp_solids_trace(solids, &in, &r);
    assert_true(r.prop == 0 || r.prop == BSP_NONE); // of all that are alike the lowest
    bsp_solids_free(solids);
    // A limit below what they need is an error, and nothing else.
    const bsp_limits limits = {.memory = 1 << 20};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    const bsp_solids_options options = {.budget = budget};
    assert_null(bsp_solids_new(&m->scene, NULL, &options, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(props);
    test_props_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_props),
        cmocka_unit_test(damaged_hulls),
        cmocka_unit_test(mutated_hulls),
        cmocka_unit_test(many_props_in_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
