// SPDX-License-Identifier: MIT
// Places near each other: they are in solid where each one is by itself. Random trees.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/places/places.h"
#include "formats/quake_contents.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>

#define NODES 127u // of each tree, in a heap
#define TREES 3u
#define ROUNDS 400u

typedef struct scene {
    bspi_relight own;
    bsp_map map;
    bspi_lit_model lit[TREES];
    bsp_model models[TREES];
    bsp_node nodes[TREES * NODES];
    bsp_plane planes[TREES * NODES];
    bsp_leaf leaves[2];
    uint32_t shading[TREES - 1];
} scene;

// Planes anywhere, the leaves below them closed or not; models stand off the world.
static void make_scene(test_random *random, scene *s) {
    *s = (scene){.leaves = {{.contents = BSPI_CONTENTS_EMPTY}, {.contents = BSPI_CONTENTS_SOLID}},
                 .shading = {1, 2}};
    s->map = (bsp_map){.traits = bsp_branch_traits(bsp_branch_find("quake")),
                       .models = s->models,
                       .num_models = TREES,
                       .nodes = s->nodes,
                       .num_nodes = TREES * NODES,
                       .planes = s->planes,
                       .num_planes = TREES * NODES,
                       .leaves = s->leaves,
                       .num_leaves = 2};
    bspi_heap_init(&s->own.heap, NULL, 0);
    s->own.map = &s->map;
    s->own.models = s->lit;
    s->own.shading = s->shading;
    s->own.num_shading = TREES - 1;
    s->own.relight.compiler = BSP_COMPILER_ERICW;
    for (uint32_t n = 0; n < TREES * NODES; n++) {
        uint32_t root = n / NODES * NODES;
        random_way(random, s->planes[n].normal);
        s->planes[n].dist = 100 * random_unit(random);
        s->nodes[n].plane = n;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t below = 2 * (n - root) + 1 + side;
            bool leaf = below >= NODES || random_u32(random) % 8 == 0;
            s->nodes[n].children[side] =
                leaf ? -1 - (int32_t)(random_u32(random) % 2) : (int32_t)(root + below);
        }
    }
    for (uint32_t m = 0; m < TREES; m++) {
        s->models[m].headnodes[0] = (int32_t)(m * NODES);
        for (int i = 0; i < 3; i++) {
            s->lit[m].origin[i] = m != 0 ? 50 * random_unit(random) : 0;
        }
        s->lit[m].opacity = NAN;
    }
}

static void test_near_as_alone(void **state) {
    (void)state;
    static scene s;
    test_random random = {.state = 31};
    uint32_t solid = 0;
    for (uint32_t round = 0; round < test_effort(ROUNDS); round++) {
        float normal[3];
        float point[3];
        uint32_t model = random_u32(&random) % TREES;
        bspi_place_cell cell;
        make_scene(&random, &s);
        s.own.num_shading = round % TREES;
        random_way(&random, normal);
        bspi_place_cell_begin(normal, &cell);
        for (int n = 0; n < 64; n++) {
            for (int i = 0; i < 3; i++) {
                bool anew = n % 16 == 0;
                point[i] = anew ? 100 * random_unit(&random) : point[i] + 6 * random_unit(&random);
            }
            bool in = bspi_place_solid(&s.own, model, point);
            assert_int_equal(bspi_place_solid_near(&s.own, model, point, &cell), in);
            solid += in;
        }
    }
    assert_true(solid > test_effort(ROUNDS) * 8 && solid < test_effort(ROUNDS) * 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_near_as_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
