// SPDX-License-Identifier: MIT
// What world lights add at a point: by hand in a closed room, whose walls may be sky.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/room.h"

#include <math.h>
#include <string.h>

static const float point[3] = {-64, -64, 32};

static uint32_t ask(room *r, const bsp_world_light *light, const float *normal,
                    bsp_light_part *part) {
    r->map.world_lights = light;
    r->map.num_world_lights = 1;
    r->map.num_world_lights_hdr = 0;
    bsp_trace_index *index = bsp_trace_index_new(&r->map, NULL, NULL);
    assert_non_null(index);
    uint32_t count = bsp_query_lights(index, false, point, normal, part, 1);
    bsp_trace_index_free(index);
    return count;
}

static void assert_rgb(const bsp_light_part *part, float red, float seen) {
    assert_true(fabsf(part->rgb[0] - red) < 1e-4f * fmaxf(red, 1));
    assert_true(part->seen == seen);
}

static void test_points(void **state) {
    static const float up[3] = {0, 0, 1};
    static const float down[3] = {0, 0, -1};
    static const float aside[3] = {0.8660254f, 0, 0.5f}; // 60 degrees from up
    bsp_light_part part;
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    bsp_world_light light = {.origin = {-64, -64, 82}, // 50 units above
                             .intensity = {10000, 5000, 0},
                             .type = 1,
                             .quadratic_attn = 1};
    assert_int_equal(ask(r, &light, NULL, &part), 1);
    assert_rgb(&part, 4, 1); // 10000 / 50^2
    assert_true(fabsf(part.rgb[1] - 2) < 1e-4f && part.rgb[2] == 0);
    assert_true(part.distance == 50 && part.direction[2] == 1);
    assert_int_equal(ask(r, &light, up, &part), 1);
    assert_rgb(&part, 4, 1);
    assert_int_equal(ask(r, &light, aside, &part), 1);
    assert_rgb(&part, 2, 1);
    assert_int_equal(ask(r, &light, down, &part), 0);
    light.constant_attn = 2500; // 10000 / (2500 + 10 * 50 + 50^2)
    light.linear_attn = 10;
    assert_int_equal(ask(r, &light, up, &part), 1);
    assert_rgb(&part, 10000.0f / 5500, 1);
    light.radius = 49;
    assert_int_equal(ask(r, &light, up, &part), 0);
    light.radius = 51;
    assert_int_equal(ask(r, &light, up, &part), 1);
    light.origin[2] = 1032; // above the room's ceiling
    light.radius = 0;
    assert_int_equal(ask(r, &light, up, &part), 1);
    assert_true(part.seen == 0);
    room_free(r);
}

static void test_cones(void **state) {
    bsp_light_part part;
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    // It looks along x, and the point is 60 degrees aside: cosine 0.5.
    bsp_world_light light = {.origin = {-64, -64, 82},
                             .intensity = {10000, 0, 0},
                             .normal = {0.8660254f, 0, -0.5f},
                             .type = 2,
                             .stopdot = 0.4f,
                             .stopdot2 = 0.2f,
                             .exponent = 1,
                             .quadratic_attn = 1};
    assert_int_equal(ask(r, &light, NULL, &part), 1);
    assert_rgb(&part, 2, 1); // in the inner cone: by the cosine
    light.stopdot = 0.9f;
    light.stopdot2 = 0.1f;
    light.exponent = 2;
    assert_int_equal(ask(r, &light, NULL, &part), 1);
    assert_rgb(&part, 0.5f, 1); // half way between the cones: a quarter of it
    light.stopdot2 = 0.5f;
    assert_int_equal(ask(r, &light, NULL, &part), 0); // outside
    light.type = 0;                                   // a surface: by both cosines and the square
    assert_int_equal(ask(r, &light, NULL, &part), 1);
    assert_rgb(&part, 2, 1);
    light.normal[2] = 0.5f;
    assert_int_equal(ask(r, &light, NULL, &part), 0); // its back
    room_free(r);
}

static void test_sky(void **state) {
    static const float up[3] = {0, 0, 1};
    bsp_light_part part;
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    bsp_world_light sun = {.intensity = {3, 0, 0}, .normal = {0, 0, -1}, .type = 3};
    bsp_world_light sky = {.intensity = {0.5f, 0, 0}, .type = 5};
    assert_int_equal(ask(r, &sun, up, &part), 1);
    assert_rgb(&part, 3, 0); // there is a roof
    assert_int_equal(ask(r, &sky, NULL, &part), 1);
    assert_rgb(&part, 0.5f, 0);
    for (uint32_t i = 0; i < r->map.num_texinfos; i++) {
        r->texinfos[i].flags |= 4; // all walls are sky
    }
    assert_int_equal(ask(r, &sun, up, &part), 1);
    assert_rgb(&part, 3, 1);
    assert_true(part.direction[2] == 1 && part.distance == 0);
    assert_int_equal(ask(r, &sky, up, &part), 1);
    assert_rgb(&part, 0.5f, 1);
    assert_int_equal(ask(r, &sky, NULL, &part), 1);
    assert_rgb(&part, 0.5f, 1);
    room_free(r);
}

// Of both kinds the HDR lights are taken if they are asked for, or if there are no others.
static void test_kinds(void **state) {
    static const bsp_world_light low = {
        .origin = {-64, -64, 82}, .intensity = {2500, 0, 0}, .type = 1, .quadratic_attn = 1};
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    bsp_world_light high = low;
    high.intensity[0] = 5000;
    r->map.world_lights = &low;
    r->map.world_lights_hdr = &high;
    for (uint32_t has = 0; has < 4; has++) {
        r->map.num_world_lights = has & 1;
        r->map.num_world_lights_hdr = has >> 1;
        bsp_trace_index *index = bsp_trace_index_new(&r->map, NULL, NULL);
        for (int hdr = 0; hdr < 2; hdr++) {
            bsp_light_part part = {0};
            uint32_t count = bsp_query_lights(index, hdr != 0, point, NULL, &part, 1);
            assert_int_equal(count, has == 0 ? 0 : 1);
            bool takes_high = has == 2 || (has == 3 && hdr != 0);
            assert_true(part.rgb[0] == (has == 0 ? 0.0f : takes_high ? 2.0f : 1.0f));
        }
        bsp_trace_index_free(index);
    }
    room_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_cones),
        cmocka_unit_test(test_sky),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
