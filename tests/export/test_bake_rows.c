// SPDX-License-Identifier: MIT
// Eight texels of a baked image at a time have the bits of one after the other.
#include "export/bake_rows.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 64u
#define TEXELS (SIDE * SIDE)
#define LIGHT 16u

/// A page, with one texel more.
typedef struct page {
    uint8_t pixels[4 * TEXELS + 4];
    uint8_t cover[TEXELS + 1];
} page;

static float random_float(test_random *random, float low, float high) {
    return low + (high - low) * (float)random_below(random, (size_t)1 << 16) / 65535.0F;
}

// Some coordinates are far away or no numbers.
static float random_place(test_random *random) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30F, -2e6F, 999999.5F, -0.0F, 1.0F};
    return random_below(random, 40) == 0 ? odd[random_below(random, 8)]
                                         : random_float(random, -3, 3);
}

static void set_corners(test_random *random, bsp_mesh_vertex v[3], bspi_bake_triangle *set) {
    for (int c = 0; c < 3; c++) {
        set->v[c] = &v[c];
        for (int i = 0; i < 2; i++) {
            v[c].uv[i] = random_place(random);
            v[c].light_uv[i] = random_place(random);
            set->at[c][i] = random_float(random, -4, SIDE + 4);
        }
    }
    for (int c = 0; c < 3; c++) {
        const float *a = set->at[(c + 1) % 3];
        const float *b = set->at[(c + 2) % 3];
        set->edge[c][0] = b[0] - a[0];
        set->edge[c][1] = b[1] - a[1];
        set->length[c] = fmaxf(hypotf(b[0] - a[0], b[1] - a[1]), 1e-6F);
    }
    set->area = (set->at[1][0] - set->at[0][0]) * (set->at[2][1] - set->at[0][1]) -
                (set->at[1][1] - set->at[0][1]) * (set->at[2][0] - set->at[0][0]);
}

static void draw(bspi_bake_row_fn *draw_row, const bspi_bake_triangle *set, page *to) {
    for (uint32_t y = 0; y < SIDE; y++) {
        size_t first = (size_t)y * SIDE;
        uint32_t from = y % 9;
        const bspi_bake_row row = {y, from, SIDE - y % 5, to->pixels + 4 * first,
                                   to->cover + first};
        draw_row(set, &row);
    }
}

static void check_all(bspi_bake_row_fn *draw_row) {
    static page wanted;
    static page got;
    static uint8_t light[4 * LIGHT * LIGHT];
    uint8_t texture[4 * 13 * 7];
    test_random random = {1};
    bsp_mesh_vertex v[3];
    bspi_heap heap;
    bspi_arena arena;
    bspi_mip_chain chain;
    const bsp_image image = {.pixels = texture, .width = 13, .height = 7};
    bspi_heap_init(&heap, NULL, 0);
    bspi_arena_init(&arena, &heap);
    random_fill(&random, light, sizeof light);
    random_fill(&random, texture, sizeof texture);
    memset(v, 0, sizeof v);
    memset(&wanted, 0, sizeof wanted);
    memset(&got, 0, sizeof got);
    assert_true(bspi_mip_chain_build(&arena, &image, 64, &chain, NULL));
    for (int round = 0; round < 600; round++) {
        bspi_bake_triangle set = {.light = {light, LIGHT, LIGHT, LIGHT}, .color = {0.25F, 0.5F, 1}};
        set_corners(&random, v, &set);
        set.mips = round % 3 == 0 ? NULL : &chain;
        set.level = (uint32_t)random_below(&random, chain.count);
        if (round % 40 == 0) { // an empty page
            memset(wanted.cover, 0, sizeof wanted.cover);
            memset(got.cover, 0, sizeof got.cover);
        }
        if (set.area != 0) {
            draw(bspi_bake_row_plain, &set, &wanted);
            draw(draw_row, &set, &got);
        }
        assert_memory_equal(&wanted, &got, sizeof got);
    }
    bspi_arena_free(&arena);
}

static void test_base(void **state) {
    (void)state;
    check_all(bspi_bake_row_base);
}

static void test_best(void **state) {
    (void)state;
    check_all(bspi_bake_row_best());
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_base), cmocka_unit_test(test_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
