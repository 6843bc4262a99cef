// SPDX-License-Identifier: MIT
// What eight places have of a lamp at once is what each one has, bit by bit: by the functions for
// any processor and by those for this one. Random lamps of every kind that fades.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/lamps/lamp_eight.h"
#include "bake/light/lamps/lamps.h"
#include "core/vector.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define ROUNDS 20000u
#define GATE 0.01f

static void make_lamp(test_random *random, bspi_lamp *lamp) {
    memset(lamp, 0, sizeof *lamp);
    lamp->fade = (bspi_fade)(random_u32(random) % (BSPI_FADE_CLAMPED + 1));
    lamp->light = 300 * random_unit(random);
    lamp->wait = random_u32(random) % 8 == 0 ? 0 : fabsf(random_unit(random));
    lamp->range = 200 * fabsf(random_unit(random));
    lamp->angle = fabsf(random_unit(random));
    lamp->emits = random_u32(random) % 2 == 0 ? 0 : fabsf(random_unit(random));
    lamp->grazes = random_u32(random) % 2 == 0 ? 0 : 0.01f;
    lamp->outer = random_u32(random) % 2 == 0 ? -2 : random_unit(random);
    lamp->inner = random_u32(random) % 4 == 0 ? lamp->outer : fminf(1, lamp->outer + 0.2f);
    lamp->cone_fades = random_u32(random) % 2 == 0;
    lamp->of_face = random_u32(random) % 4 == 0;
    random_way(random, lamp->direction);
    for (int i = 0; i < 3; i++) {
        lamp->origin[i] = 100 * random_unit(random);
    }
}

// Makes it a square piece of a surface.
static void make_patch(test_random *random, bspi_lamp *lamp, float corners[4][3]) {
    float axes[2][3];
    float size = 4 + 40 * fabsf(random_unit(random));
    bspi_frame_of(lamp->direction, axes[0], axes[1]);
    for (int n = 0; n < 4; n++) {
        float up = n == 1 || n == 2 ? size : -size;
        float side = n < 2 ? size : -size;
        for (int i = 0; i < 3; i++) {
            corners[n][i] = lamp->origin[i] + axes[0][i] * up + axes[1][i] * side;
        }
    }
    lamp->corners = (const float(*)[3])corners;
    lamp->num_corners = 4;
    lamp->near = 4 * size;
    lamp->area = 4 * size * size;
    lamp->angle = 0;
}

static void make_places(test_random *random, const bspi_lamp *lamp, bspi_lamp_places *out) {
    out->count = 1 + random_u32(random) % BSPI_LAMP_PLACES;
    for (uint32_t n = 0; n < BSPI_LAMP_PLACES; n++) {
        float normal[3];
        bool same = random_u32(random) % 16 == 0; // where the lamp is
        random_way(random, normal);
        for (int i = 0; i < 3; i++) {
            out->point[i][n] = same ? lamp->origin[i] : 300 * random_unit(random);
            out->normal[i][n] = normal[i];
        }
    }
}

static bool is_same(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a >= b && a <= b); // 0 and -0 are
}

// Returns how many places have light.
static uint32_t compare(bspi_lamp_eight_fn *eight, const bspi_lamp *lamp,
                        const bspi_lamp_places *places, bool both) {
    bspi_lamp_light light;
    uint32_t bits = eight(lamp, places, both, 1.5f, GATE, &light);
    uint32_t bright = 0;
    assert_int_equal(bits >> places->count, 0);
    for (uint32_t n = 0; n < places->count; n++) {
        const float point[3] = {places->point[0][n], places->point[1][n], places->point[2][n]};
        const float normal[3] = {places->normal[0][n], places->normal[1][n], places->normal[2][n]};
        float way[3];
        float distance;
        float strength = bspi_lamp_at(lamp, point, way, &distance);
        strength = lamp->corners != NULL ? bspi_patch_at(lamp, point, normal) : strength;
        float cosine = bspi_dot(normal, way);
        float angle = bspi_lamp_angle(lamp, both ? bspi_lamp_cosine_both(lamp, cosine) : cosine);
        bool has = !(fabsf(strength * angle * 1.5f) <= GATE);
        assert_int_equal(bits >> n & 1, has);
        assert_true(is_same(light.strength[n], strength));
        assert_true(is_same(light.angle[n], angle));
        for (int i = 0; i < 3; i++) {
            assert_true(is_same(light.way[i][n], way[i]));
        }
        bright += has;
    }
    return bright;
}

static void test_eight_as_one(void **state) {
    (void)state;
    bspi_lamp_eight_fn *functions[] = {bspi_lamp_eight_base, bspi_lamp_eight_here()};
    test_random random = {.state = 18};
    uint32_t bright = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bspi_lamp lamp;
        bspi_lamp_places places;
        float corners[4][3];
        make_lamp(&random, &lamp);
        if (round % 3 == 0) {
            make_patch(&random, &lamp, corners);
        }
        make_places(&random, &lamp, &places);
        assert_true(bspi_lamp_is_even(&lamp));
        bright += compare(functions[round % 2], &lamp, &places, round / 2 % 2 == 0);
    }
    assert_true(bright > ROUNDS / 2 && bright < 4 * ROUNDS); // some have light, some none
}

// Where a surface that gives light is looked at from itself it lies in no direction, a lamp above.
static void test_at_lamp(void **state) {
    (void)state;
    const float point[3] = {1, 2, 3};
    bspi_lamp lamp = {.origin = {1, 2, 3}, .fade = BSPI_FADE_CLAMPED, .of_face = true};
    float way[3];
    float distance;
    (void)bspi_lamp_at(&lamp, point, way, &distance);
    assert_true(way[0] == 0 && way[1] == 0 && way[2] == 0);
    lamp.of_face = false; // as q3map2's
    (void)bspi_lamp_at(&lamp, point, way, &distance);
    assert_true(way[0] == 0 && way[1] == 0 && way[2] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eight_as_one),
                                       cmocka_unit_test(test_at_lamp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
