// SPDX-License-Identifier: MIT
// Surfaces that mirror a cubemap: sides and directions by hand, and the sample, whose trim mirrors
// the cubemap of its pak, with a cube of one colour in its place: each pixel is what the formula
// says of the picture without it.
#include "bspkit/bspkit.h"
#include "render/camera.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 200
#define HEIGHT 150

// A side is two by two texels: the value of each is 60 + 20 * side + its number.
static void sides_by_hand(void **state) {
    (void)state;
    static const struct {
        float direction[3];
        int side, texel; // 0 upper left, 1 upper right, 2 lower left, 3 lower right
    } rows[] = {
        {{8, 4, 4}, 0, 0},   {{8, 4, -4}, 0, 1},  {{8, -4, 4}, 0, 2},   {{-8, 4, -4}, 1, 0},
        {{-8, 4, 4}, 1, 1},  {{-8, -4, 4}, 1, 3}, {{-4, 8, -4}, 2, 0},  {{4, 8, 4}, 2, 3},
        {{-4, -8, 4}, 3, 0}, {{4, -8, -4}, 3, 3}, {{-4, 4, 8}, 4, 0},   {{4, -4, 8}, 4, 3},
        {{4, 4, -8}, 5, 0},  {{-4, 4, -8}, 5, 1}, {{-4, -4, -8}, 5, 3}, {{4, -4, -8}, 5, 2},
    };
    uint8_t texels[BSP_CUBE_SIDES][4][4];
    bspi_cube cube = {.found = true};
    for (int side = 0; side < BSP_CUBE_SIDES; side++) {
        for (int n = 0; n < 4; n++) {
            memset(texels[side][n], 60 + 20 * side + n, 4);
        }
        cube.sides[side] = (bspi_mip){&texels[side][0][0], 2, 2, 2};
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float out[4];
        bspi_cube_sample(&cube, rows[i].direction, out);
        assert_true(fabsf(out[0] - (float)(60 + 20 * rows[i].side + rows[i].texel)) < 0.01F);
    }
}

static void directions_by_hand(void **state) {
    (void)state;
    static const struct {
        float point[3], normal[3], mirrored[3], against;
    } rows[] = {
        {{10, 0, -20}, {0, 0, 1}, {10, 0, 20}, 20},         // a floor
        {{30, 5, 7}, {-1, 0, 0}, {-30, 5, 7}, 30},          // a wall
        {{0, 10, 0}, {0, -0.6F, 0.8F}, {0, 2.8F, 9.6F}, 6}, // a slope
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bspi_camera camera = {.from = {1, 2, 3}, .focal = 1};
        bsp_mesh_vertex vertex = {.uv = {0, 0}};
        bspi_corner corner = {.w = 1};
        for (int c = 0; c < 3; c++) {
            vertex.position[c] = rows[i].point[c] + camera.from[c];
            vertex.normal[c] = rows[i].normal[c];
        }
        bspi_camera_reflect(&camera, &vertex, &corner);
        for (int c = 0; c < 3; c++) {
            assert_true(fabsf(corner.color[c] - rows[i].mirrored[c]) < 1e-4F);
        }
        assert_true(fabsf(corner.alpha - rows[i].against) < 1e-4F);
    }
}

static bsp_image draw(const bsp_renderer *renderer, const bsp_map *map, bsp_draw_options how) {
    bsp_error error;
    bsp_image image;
    bsp_view view = {.width = WIDTH, .height = HEIGHT};
    bsp_view_start(map, &view);
    assert_true(bsp_renderer_draw(renderer, &view, &how, &image, NULL, &error));
    return image;
}

static bool same(const bsp_image *a, const bsp_image *b) {
    return memcmp(a->pixels, b->pixels, (size_t)WIDTH * HEIGHT * 4) == 0;
}

static void the_sample_mirrors(void **state) {
    (void)state;
    bsp_error error;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    const bsp_renderer_options options = {.no_props = true};
    bsp_renderer *renderer = bsp_renderer_build(map, file, &options, &error);
    assert_non_null(renderer);
    assert_true(renderer->num_shines > 0);
    bsp_image own = draw(renderer, map, (bsp_draw_options){.threads = 1});
    bsp_image plain = draw(renderer, map, (bsp_draw_options){.threads = 7, .no_simd = true});
    assert_true(same(&own, &plain));

    uint8_t texel[4] = {200, 120, 40, 255};
    bspi_cube cube = {.found = true};
    for (int side = 0; side < BSP_CUBE_SIDES; side++) {
        cube.sides[side] = (bspi_mip){texel, 1, 1, 1};
    }
    float tint = 0;
    for (uint32_t b = 0; b < renderer->num_batches; b++) {
        if (renderer->batches[b].cube != NULL) {
            renderer->batches[b].cube = &cube;
            tint = renderer->textures[renderer->batches[b].texture].shine->tint[0];
        }
    }
    assert_true(fabsf(tint - 0.2F) < 1e-6F); // $envmaptint "[.2 .2 .2]"
    bsp_image with = draw(renderer, map, (bsp_draw_options){.threads = 1});
    for (uint32_t b = 0; b < renderer->num_batches; b++) {
        renderer->batches[b].cube = NULL;
    }
    bsp_image without = draw(renderer, map, (bsp_draw_options){.threads = 1});
    uint32_t changed = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const uint8_t *a = with.pixels + 4 * i;
        const uint8_t *b = without.pixels + 4 * i;
        bool differs = memcmp(a, b, 4) != 0;
        changed += differs;
        for (int c = 0; differs && c < 3; c++) {
            double wanted = sqrt((double)b[c] * b[c] + (double)texel[c] * texel[c] * (double)tint);
            assert_true(fabs(a[c] - (wanted > 255 ? 255 : wanted)) <= 1);
        }
    }
    assert_true(changed > 500);
    assert_false(same(&own, &without));
    bsp_image_free(&own);
    bsp_image_free(&plain);
    bsp_image_free(&with);
    bsp_image_free(&without);
    bsp_renderer_free(renderer);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_by_hand),
        cmocka_unit_test(directions_by_hand),
        cmocka_unit_test(the_sample_mirrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
