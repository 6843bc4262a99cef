// SPDX-License-Identifier: MIT
// Lines through the tree by the rules of q3map2: a room between two walls, x from 0 to 100. The
// plane of the first wall has the room before it, that of the second one has the wall before it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/occluder_suns.h"
#include "bake/light/shadows/shade_eight.h"
#include "bake/light/shadows/shade_skies.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

static const bsp_plane planes[] = {{.normal = {1, 0, 0}, .dist = 0},
                                   {.normal = {1, 0, 0}, .dist = 100}};
static const bsp_leaf leaves[] = {{.cluster = BSP_NONE}, {.cluster = 0}};
static const bsp_node nodes[] = {{.plane = 0, .children = {1, -1}},
                                 {.plane = 1, .children = {-1, -2}}};

static void make(const bsp_node *list, uint32_t num_nodes, const bspi_shade_triangle *triangles,
                 uint32_t count, bspi_heap *heap, bspi_shade_tree *out) {
    bsp_map map = {0};
    bsp_error error;
    map.planes = planes;
    map.num_planes = 2;
    map.leaves = leaves;
    map.num_leaves = 2;
    map.nodes = list;
    map.num_nodes = num_nodes;
    bspi_heap_init(heap, NULL, 0);
    assert_true(bspi_shade_tree_make(heap, &map, triangles, count, out, &error));
}

// Returns where a line goes into solid, or NAN.
static float at(float from, float to) {
    const float start[3] = {from, 0, 0};
    const float end[3] = {to, 50, 0};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    way.steps = 0;
    make(nodes, 2, NULL, 0, &heap, &tree);
    float x = bspi_shade_walk(&tree, start, end, false, &way) ? way.solid[0] : NAN;
    assert_true(way.steps > 0 && way.steps <= 8 && way.num_leaves == 0);
    bspi_shade_tree_free(&heap, &tree);
    return x;
}

static bool is(float value, float wanted) {
    return fabsf(value - wanted) < 1e-4f;
}

static void test_room(void **state) {
    (void)state;
    assert_true(isnan(at(20, 80)));
    assert_true(is(at(40, -40), 0) && is(at(60, 140), 100));
    assert_true(is(at(10, -90), 0) && is(at(-20, 20), -20));
}

// Beside a wall: lines along it end where they begin if its solid is before its plane, and only
// then; lines away from it do not, and lines into it do.
static void test_beside(void **state) {
    (void)state;
    assert_true(isnan(at(0, 0)) && isnan(at(-0.05f, -0.05f)));
    assert_true(is(at(100, 100), 100) && is(at(99.95f, 99.95f), 99.95f));
    assert_true(isnan(at(99.5f, 99.5f)) && isnan(at(99.95f, 50)));
    assert_true(isnan(at(0.05f, 50)) && is(at(99.5f, 150), 100));
}

static bspi_shade_triangle triangle(float x, float y, float size) {
    bspi_shade_triangle t;
    memset(&t, 0, sizeof t);
    t.corner[0] = x;
    t.corner[1] = y;
    t.edges[0][0] = t.edges[1][1] = size; // level
    t.face = 7;
    return t;
}

// A triangle that reaches through a wall is cut there: its part in the room and that in the wall
// have its area together, and lines find the first one in the leaf of the room.
static void test_cut(void **state) {
    (void)state;
    const bspi_shade_triangle one = triangle(60, 0, 80); // until x = 140
    const float start[3] = {20, 0, 5};
    const float end[3] = {80, 1, 5};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    float area = 0;
    way.steps = 0;
    make(nodes, 2, &one, 1, &heap, &tree);
    for (uint32_t n = 0; n < tree.num_triangles; n++) {
        const float *normal = tree.triangles[n].normal;
        assert_true(normal[0] == 0 && normal[1] == 0 && tree.triangles[n].face == 7);
        area += normal[2] / 2;
    }
    assert_true(is(area, 3200));
    assert_false(bspi_shade_walk(&tree, start, end, false, &way));
    assert_int_equal(way.num_leaves, 1);
    const bspi_shade_node *leaf = &tree.nodes[way.leaves[0]];
    for (area = 0; leaf->count != 0 && way.num_leaves != 0; way.num_leaves--) {
        for (uint32_t n = 0; n < leaf->count; n++) {
            area += tree.triangles[leaf->first + n].normal[2] / 2;
        }
    }
    assert_true(is(area, 3200 - 40 * 40 / 2)); // the corner behind x = 100 is in the wall
    bspi_shade_tree_free(&heap, &tree);
}

// A leaf with more than four triangles is divided, if it is long: here at the mean of the corners'
// x, (3 * 2 + 10) / 3 and so on in steps of 20, rounded down.
static void test_divided(void **state) {
    (void)state;
    bspi_shade_triangle many[5];
    bspi_heap heap;
    bspi_shade_tree tree;
    for (uint32_t n = 0; n < 5; n++) {
        many[n] = triangle(2 + 20 * (float)n, 0, 10);
    }
    make(nodes, 2, many, 4, &heap, &tree);
    uint32_t whole = tree.num_nodes;
    bspi_shade_tree_free(&heap, &tree);
    make(nodes, 2, many, 5, &heap, &tree);
    assert_int_equal(tree.num_nodes, whole + 2);
    bool found = false;
    for (uint32_t n = 2; n < tree.num_nodes; n++) {
        found = found || (!bspi_shade_is_leaf(&tree.nodes[n]) && tree.nodes[n].dist == 45 &&
                          tree.nodes[n].count >= 5);
    }
    assert_true(found); // 2 + 10 / 3 + 40 = 45.3
    bspi_shade_tree_free(&heap, &tree);
}

// What has no triangles below it is passed over by lines that look for the sky.
static void test_beyond(void **state) {
    (void)state;
    const float start[3] = {50, 0, 0};
    const float end[3] = {150, 0, 0};
    bspi_heap heap;
    bspi_shade_tree tree;
    bspi_shade_way way;
    way.steps = 0;
    make(nodes, 2, NULL, 0, &heap, &tree);
    assert_true(bspi_shade_walk(&tree, start, end, false, &way));
    assert_false(bspi_shade_walk(&tree, start, end, true, &way));
    bspi_shade_tree_free(&heap, &tree);
}

// A node below itself, leaves that are not there, a plane that is not, and triangles of no size.
static void test_hostile(void **state) {
    (void)state;
    const bsp_node round[] = {{.plane = 0, .children = {0, 0}}};
    const bsp_node adrift[] = {{.plane = UINT32_MAX, .children = {-1, -1}}};
    const bspi_shade_triangle bad[] = {triangle(0, 0, 0), triangle(NAN, 0, 1),
                                       triangle(0, 0, 1e30f), triangle(INFINITY, 0, 1)};
    const float start[3] = {-10, 0, 0};
    const float end[3] = {10, 0, 0};
    const bsp_node *const lists[] = {round, adrift, nodes, NULL};
    for (uint32_t n = 0; n < 4; n++) {
        bspi_heap heap;
        bspi_shade_tree tree;
        bspi_shade_way way;
        way.steps = 0;
        make(lists[n], lists[n] != NULL ? 1 : 0, bad, 4, &heap, &tree);
        assert_true(bspi_shade_walk(&tree, start, end, false, &way) == (lists[n] != NULL));
        bspi_shade_tree_free(&heap, &tree);
    }
}

// --- eight lines --------------------------------------------------------------------------------

#define PLANES 24u
#define TRIANGLES 60u
#define DEEP 1000u

// A tree of planes in all directions, some along axes, and triangles of all kinds among them.
static void make_scene(test_random *random, bspi_heap *heap,
                       bspi_shade_triangle triangles[TRIANGLES], bspi_shade_tree *out) {
    bsp_plane some[PLANES];
    bsp_node list[PLANES];
    bsp_map map = {.planes = some,
                   .num_planes = PLANES,
                   .leaves = leaves,
                   .num_leaves = 2,
                   .nodes = list,
                   .num_nodes = PLANES};
    bsp_error error;
    memset(triangles, 0, TRIANGLES * sizeof *triangles);
    for (uint32_t n = 0; n < PLANES; n++) {
        float normal[3] = {random_unit(random), random_unit(random), random_unit(random)};
        if (n % 3 != 0) {
            memset(normal, 0, sizeof normal);
            normal[random_u32(random) % 3] = 1;
        }
        (void)bspi_normalize(normal);
        some[n] = (bsp_plane){.normal = {normal[0], normal[1], normal[2]},
                              .dist = floorf(100 * random_unit(random))};
        list[n].plane = n;
        for (uint32_t side = 0; side < 2; side++) { // a third of the leaves are solid
            uint32_t child = 2 * n + 1 + side;
            int32_t leaf = random_u32(random) % 3 == 0 ? -1 : -2;
            list[n].children[side] = child < PLANES ? (int32_t)child : leaf;
        }
    }
    for (uint32_t n = 0; n < TRIANGLES; n++) {
        bspi_shade_triangle *t = &triangles[n];
        for (int i = 0; i < 3; i++) {
            t->corner[i] = 100 * random_unit(random);
            t->edges[0][i] = 30 * random_unit(random);
            t->edges[1][i] = 30 * random_unit(random);
        }
        t->face = n;
    }
    bspi_heap_init(heap, NULL, 0);
    assert_true(bspi_shade_tree_make(heap, &map, triangles, TRIANGLES, out, &error));
    for (uint32_t n = 0; n < out->num_triangles; n++) {
        bspi_shade_triangle *t = &out->triangles[n];
        t->kind = t->face % 8 == 0   ? BSPI_SHADE_SKY
                  : t->face % 8 == 1 ? BSPI_SHADE_CLEAR
                                     : BSPI_SHADE_OPAQUE;
        t->patch = t->face % 5 == 0;
    }
}

// What one line meets.
typedef struct answer {
    bool stopped;
    bool clear;   // the sky was met
    bool unknown; // what lets light through was
    float share;
} answer;

static answer look_along(const bspi_shade_tree *tree, const bspi_shade_rules *rules,
                         const float from[3], const float to[3]) {
    bspi_shade_way way;
    bspi_shade_look look = {.from = from, .near = rules->near};
    answer a = {.share = 1};
    float gone[3];
    way.steps = 0;
    bool solid = bspi_shade_walk(tree, from, to, rules->beyond, &way) && !rules->beyond;
    for (int i = 0; i < 3; i++) {
        look.way[i] = to[i] - from[i];
        gone[i] = way.solid[i] - from[i];
    }
    look.length = bspi_normalize(look.way);
    for (uint32_t n = 0; n < way.num_leaves && !rules->bare; n++) {
        const bspi_shade_node *leaf = &tree->nodes[way.leaves[n]];
        for (uint32_t i = 0; i < leaf->count && !a.stopped && !a.unknown; i++) {
            const bspi_shade_triangle *t = &tree->triangles[leaf->first + i];
            float at[2];
            float depth;
            if (!bspi_shade_meets(&look, t, at, &depth) || (rules->grid && t->patch)) {
                continue;
            }
            a.clear = a.clear || t->kind == BSPI_SHADE_SKY;
            a.unknown = t->kind == BSPI_SHADE_CLEAR;
            a.stopped = t->kind == BSPI_SHADE_OPAQUE;
            a.share = a.stopped ? depth / look.length : 1;
        }
    }
    if (solid) {
        a.stopped = true;
        a.clear = false;
        a.share = look.length > 0 ? sqrtf(bspi_dot(gone, gone)) / look.length : 0;
    }
    return a;
}

// Sets lines from one place, to one place, along each other, or anyhow; some on planes.
static void set_lines(test_random *random, bspi_shade_eight *eight) {
    uint32_t kind = random_u32(random) % 4;
    float ends[2][3];
    for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
        for (int i = 0; i < 3; i++) {
            for (uint32_t end = 0; end < 2; end++) {
                float at = 120 * random_unit(random);
                at = random_u32(random) % 4 == 0 ? floorf(at) : at;
                ends[end][i] = n != 0 && (kind == end || kind == 2) ? ends[end][i] : at;
            }
            float aside = kind == 2 ? 10 * random_unit(random) : 0;
            eight->from[i][n] = ends[0][i] + aside;
            eight->to[i][n] = ends[1][i] + aside;
        }
    }
    eight->lanes = random_u32(random) % 3 == 0 ? random_u32(random) & 0xFF : 0xFF;
}

static uint32_t bits_of(bool some, uint32_t lane) {
    return (uint32_t)some << lane;
}

// Eight lines at once have what each has, to the bit, and few are left unknown.
static void test_eight(void **state) {
    (void)state;
    bspi_shade_eight_fn *const functions[2] = {bspi_shade_eight_base, bspi_shade_eight_here()};
    test_random random = {7};
    uint64_t unknown = 0;
    uint64_t lines = 0;
    for (uint32_t scene = 0; scene < 40; scene++) {
        bspi_heap heap;
        bspi_shade_triangle triangles[TRIANGLES];
        bspi_shade_tree tree;
        make_scene(&random, &heap, triangles, &tree);
        for (uint32_t run = 0; run < 200; run++) {
            uint32_t bits = random_u32(&random);
            const bspi_shade_rules rules = {.near = (bits & 1) != 0 ? 1.5f : 0,
                                            .grid = (bits & 2) != 0,
                                            .beyond = (bits & 12) == 0,
                                            .bare = (bits & 0x70) == 0,
                                            .shares = (bits & 0x80) != 0};
            bspi_shade_eight eight[2];
            memset(eight, 0, sizeof eight);
            set_lines(&random, &eight[0]);
            eight[1] = eight[0];
            functions[0](&tree, &rules, &eight[0]);
            functions[1](&tree, &rules, &eight[1]);
            assert_memory_equal(&eight[0], &eight[1], sizeof eight[0]);
            for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
                const float from[3] = {eight->from[0][n], eight->from[1][n], eight->from[2][n]};
                const float to[3] = {eight->to[0][n], eight->to[1][n], eight->to[2][n]};
                answer a = look_along(&tree, &rules, from, to);
                if ((eight->lanes >> n & 1) == 0) {
                    continue;
                }
                lines++;
                if ((eight->unknown >> n & 1) != 0) {
                    unknown += !a.unknown;
                    continue;
                }
                assert_int_equal(eight->stopped & 1u << n, bits_of(a.stopped, n));
                if (rules.shares) {
                    assert_int_equal(eight->clear & 1u << n, bits_of(a.clear, n));
                    assert_memory_equal(&eight->share[n], &a.share, sizeof a.share);
                }
            }
        }
        bspi_shade_tree_free(&heap, &tree);
    }
    assert_true(unknown * 10 < lines);
}

// A sun shines on nothing in a box of which it is said so.
static void test_skies(void **state) {
    (void)state;
    static bspi_relight own;
    const bspi_shade_rules rules = {.near = 1, .beyond = true};
    test_random random = {8};
    uint32_t dark = 0;
    uint32_t lit = 0;
    for (uint32_t round = 0; round < 60; round++) {
        bspi_shade_triangle triangles[TRIANGLES];
        bspi_shade_tree tree;
        bspi_heap heap;
        make_scene(&random, &heap, triangles, &tree);
        bspi_heap_init(&own.heap, NULL, 0);
        bspi_arena_init(&own.arena, &own.heap);
        bspi_occluder_list list = bspi_occluder_list_begin(&own, NULL);
        for (uint32_t n = 0; n < TRIANGLES; n += 8) {
            assert_true(bspi_shade_skies_add(&list, &triangles[n]));
        }
        bspi_occluder_lines among = {.all = bspi_occluder_list_end(&list, true), .channels = 1};
        for (uint32_t turn = 0; turn < 400; turn++) { // to a triangle, or close beside it
            const bspi_shade_triangle *t = &triangles[random_u32(&random) % (TRIANGLES / 8) * 8];
            bspi_occluder_recent none = {.count = 0};
            bspi_occluder_ends box;
            const float u = 1.05f * fabsf(random_unit(&random)) - 0.02f;
            const float v = (turn % 3 == 0 ? 1 : 0.02f) * random_unit(&random);
            float from[3];
            float to[3];
            float way[3];
            for (int i = 0; i < 3; i++) {
                from[i] = 100 * random_unit(&random);
                box.half[i] = turn % 2 == 0 ? 0 : fabsf(random_unit(&random));
                box.middle[i] = from[i] + box.half[i] * random_unit(&random);
                way[i] = t->corner[i] + t->edges[0][i] * u + t->edges[1][i] * v - from[i];
                way[i] *= 400;
                to[i] = from[i] + way[i];
            }
            bool some = bspi_occluders_first(&among, &box, way, &none, NULL);
            bool clear = look_along(&tree, &rules, from, to).clear;
            assert_true(some || !clear);
            dark += !some;
            lit += clear;
        }
        bspi_arena_free(&own.arena);
        bspi_shade_tree_free(&heap, &tree);
    }
    assert_true(dark > 200 && lit > 2000);
}

// Hostile lines and trees: what is too far, or deep, is left to be looked along one by one.
static void test_eight_hostile(void **state) {
    (void)state;
    bsp_plane some[DEEP];
    bsp_node list[DEEP];
    const bsp_map map = {.planes = some,
                         .num_planes = DEEP,
                         .leaves = leaves,
                         .num_leaves = 2,
                         .nodes = list,
                         .num_nodes = DEEP};
    bspi_shade_eight_fn *const functions[2] = {bspi_shade_eight_base, bspi_shade_eight_here()};
    const bspi_shade_rules rules = {.shares = true};
    bspi_heap heap;
    bspi_shade_tree tree;
    bsp_error error;
    for (uint32_t n = 0; n < DEEP; n++) { // each cuts what the last one left at the beginning
        some[n] = (bsp_plane){.normal = {1, 0, 0}, .dist = (float)(DEEP - n)};
        list[n] = (bsp_node){.plane = n, .children = {-2, n + 1 < DEEP ? (int32_t)n + 1 : -2}};
    }
    bspi_heap_init(&heap, NULL, 0);
    assert_true(bspi_shade_tree_make(&heap, &map, NULL, 0, &tree, &error));
    for (uint32_t f = 0; f < 2; f++) {
        bspi_shade_eight eight = {.lanes = 0xFF};
        for (uint32_t n = 0; n < BSPI_SHADE_LANES; n++) {
            eight.to[0][n] = n == 0 ? NAN : n == 1 ? 1e30f : 2;
        }
        functions[f](&tree, &rules, &eight);
        assert_true(eight.unknown == 3 && eight.stopped == 0);
        eight.to[0][7] = DEEP + 1;
        functions[f](&tree, &rules, &eight);
        assert_true(eight.unknown == 0xFF && eight.steps <= 2 * DEEP);
    }
    bspi_shade_tree_free(&heap, &tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room),         cmocka_unit_test(test_beside),
        cmocka_unit_test(test_cut),          cmocka_unit_test(test_divided),
        cmocka_unit_test(test_beyond),       cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_eight),        cmocka_unit_test(test_skies),
        cmocka_unit_test(test_eight_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
