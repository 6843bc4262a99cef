// SPDX-License-Identifier: MIT
// Lines that are looked along eight at a time are stopped where a trace of each is stopped: by the
// functions for any processor and by those for this one, on every map with hulls; lines apart,
// lines side by side, and lines of no use.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "core/vector.h"
#include "query/collide.h"
#include "query/open_sky.h"
#include "query/sight_eight.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>

#define ROUNDS 400u

typedef struct tally {
    unsigned seen;
    unsigned stopped;
    unsigned unknown;
} tally;

static float near(test_random *random, float at, uint32_t reach) {
    return at + ((float)(uint32_t)random_below(random, 2 * reach + 1) - (float)reach);
}

static void random_eight(test_random *random, const bsp_model *world, bspi_sight_eight *eight) {
    float from[3];
    float to[3];
    bool apart = random_below(random, 4) == 0;
    for (int i = 0; i < 3; i++) {
        float size = world->maxs[i] - world->mins[i];
        from[i] = world->mins[i] + (float)random_below(random, 4096) / 4096 * size;
        to[i] = near(random, from[i], apart ? 2000 : 300);
    }
    for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
        for (int i = 0; i < 3; i++) {
            eight->from[i][n] = near(random, from[i], apart ? 500 : 16);
            eight->to[i][n] = near(random, to[i], apart ? 500 : 16);
        }
    }
    eight->lanes = 1u + (uint32_t)random_below(random, 255);
}

static void check(const each_map *m, const bsp_trace_index *index, const bspi_sight_eight *eight,
                  tally *sum) {
    assert_int_equal((eight->stopped | eight->unknown) & ~eight->lanes, 0);
    for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
        bsp_trace_input in = {.model = 0};
        bsp_trace_result out;
        bool stopped = (eight->stopped >> n & 1) != 0;
        for (int i = 0; i < 3; i++) {
            in.start[i] = eight->from[i][n];
            in.end[i] = eight->to[i][n];
        }
        if ((eight->lanes >> n & 1) == 0 || (eight->unknown >> n & 1) != 0) {
            sum->unknown += eight->lanes >> n & 1;
            continue;
        }
        bsp_trace(index, &in, &out);
        if (stopped == (out.fraction == 1 && !out.start_solid)) {
            fail_msg("%s: %.9g %.9g %.9g to %.9g %.9g %.9g: %d", m->name, (double)in.start[0],
                     (double)in.start[1], (double)in.start[2], (double)in.end[0], (double)in.end[1],
                     (double)in.end[2], stopped);
        }
        sum->stopped += stopped;
        sum->seen += !stopped;
    }
}

static void check_map(const each_map *m, void *user) {
    bspi_sight_eight_fn *functions[] = {bspi_sight_eight_base, bspi_sight_eight_here()};
    const bsp_map *map = m->map;
    test_random random = {1849};
    if (!map->traits->contents_numbers || map->num_models == 0 || map->num_nodes == 0) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    assert_non_null(index);
    bspi_child root = index->hulls[0]->roots[0];
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        bspi_sight_eight eight;
        random_eight(&random, &map->models[0], &eight);
        for (int k = 0; k < 2; k++) {
            functions[k](index->hulls[0], root, &eight);
            check(m, index, &eight, user);
        }
    }
    bsp_trace_index_free(index);
}

// Rays from one point, or in one direction: those that see the sky are among those that may.
static void check_sky(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    tally *sum = user;
    test_random random = {2671};
    if (!map->traits->contents_numbers || map->num_models == 0 || map->num_nodes == 0) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    assert_non_null(index);
    const bspi_hull *hull = index->hulls[0];
    for (unsigned round = 0; round < test_effort(ROUNDS); round++) {
        bspi_sight_eight eight;
        float points[BSPI_SIGHT_LANES][3];
        float ways[BSPI_SIGHT_LANES][3];
        random_eight(&random, &map->models[0], &eight);
        for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
            for (int i = 0; i < 3; i++) {
                points[n][i] = eight.from[i][round % 2 == 0 ? 0 : n];
                ways[n][i] = eight.to[i][round % 2 == 0 ? n : 0] - eight.from[i][0];
            }
            bspi_normalize(ways[n]);
        }
        uint32_t may = bspi_may_see_sky(index, 0, (const float(*)[3])points,
                                        (const float(*)[3])ways, BSPI_SIGHT_LANES);
        for (uint32_t n = 0; n < BSPI_SIGHT_LANES; n++) {
            float at[3];
            bool sees = bspi_sees_sky(index, 0, points[n], ways[n], at);
            assert_true(!sees || (may >> n & 1) != 0);
            sum->seen += sees;
            sum->unknown += (may >> n & 1) != 0;
            sum->stopped += (may >> n & 1) == 0;
            for (int i = 0; i < 3; i++) {
                eight.from[i][n] = points[n][i];
                eight.to[i][n] = points[n][i] + ways[n][i] * 9999;
            }
        }
        bspi_sight_eight other = eight;
        bspi_sky_eight_base(hull, hull->roots[0], &eight);
        bspi_sky_eight_here()(hull, hull->roots[0], &other);
        assert_memory_equal(&eight, &other, sizeof eight);
    }
    bsp_trace_index_free(index);
}

static void test_sky(void **state) {
    tally sum = {0};
    (void)state;
    (void)each_map_do_some(test_step(8), check_sky, &sum);
    print_message("%u see the sky, %u may, %u do not\n", sum.seen, sum.unknown, sum.stopped);
    assert_true(sum.stopped > test_effort(500) && sum.seen <= sum.unknown);
}

static void test_eight_as_one(void **state) {
    tally sum = {0};
    (void)state;
    (void)each_map_do_some(test_step(8), check_map, &sum);
    print_message("%u seen, %u stopped, %u not known\n", sum.seen, sum.stopped, sum.unknown);
    assert_true(sum.seen > test_effort(500) && sum.stopped > test_effort(500));
    assert_true(sum.unknown < (sum.seen + sum.stopped) / 20);
}

static void test_odd(void **state) {
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/goldsrc/lobby.bsp", NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    assert_non_null(index);
    const float numbers[4] = {NAN, INFINITY, -1e30f, 3e38f};
    bspi_child root = index->hulls[0]->roots[0];
    bspi_sight_eight eight = {.lanes = 0xFF};
    for (uint32_t n = 0; n < 4; n++) {
        eight.from[n % 3][n] = numbers[n];
        eight.to[n % 3][n + 4] = numbers[n];
    }
    bspi_sight_eight_base(index->hulls[0], root, &eight);
    assert_int_equal(eight.unknown, 0xFF);
    bspi_sight_eight_here()(index->hulls[0], root, &eight);
    assert_int_equal(eight.unknown, 0xFF);
    bsp_trace_index_free(index);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eight_as_one),
                                       cmocka_unit_test(test_sky), cmocka_unit_test(test_odd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
