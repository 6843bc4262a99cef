// SPDX-License-Identifier: MIT
// The rasteriser by itself: triangles with common edges cover each pixel exactly once, wherever
// their corners are; and a pixel is covered exactly when its centre is inside, by arithmetic with
// whole numbers.
#include "render/raster.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#define WIDTH 75u
#define HEIGHT 40u
#define STRIDE 80u

// A texel, and its repetitions to the right and below.
static const uint8_t one_red[16] = {1, 0, 0, 255, 1, 0, 0, 255, 1, 0, 0, 255, 1, 0, 0, 255};

// A texture whose light is added: a pixel counts how often it is drawn.
typedef struct counter {
    bspi_texture texture;
    bspi_paint paint;
    uint32_t pixels[STRIDE * HEIGHT];
    float depth[STRIDE * HEIGHT];
    bspi_strip strip;
    bspi_screen screen;
} counter;

static void start(counter *c) {
    memset(c, 0, sizeof *c);
    c->texture = (bspi_texture){.chain = {.mips = {{one_red, 1, 1, 2}}, .count = 1},
                                .alpha = BSP_ALPHA_ADD,
                                .two_sided = true};
    c->paint = (bspi_paint){.texture = &c->texture, .blended = true, .opacity = 255};
    c->strip = (bspi_strip){.pixels = c->pixels,
                            .depth = c->depth,
                            .stride = STRIDE,
                            .width = WIDTH,
                            .end_row = HEIGHT};
    c->screen = (bspi_screen){WIDTH, HEIGHT, false};
}

static uint32_t count_at(const counter *c, uint32_t x, uint32_t y) {
    return c->pixels[y * STRIDE + x] & 255;
}

static void add(counter *c, bspi_draw_fn *draw, const bspi_corner corners[3]) {
    bspi_triangle made[BSPI_MAX_PIECES];
    uint32_t count = bspi_triangle_set_up(&c->screen, &c->paint, corners, made);
    assert_true(count <= BSPI_MAX_PIECES);
    for (uint32_t i = 0; i < count; i++) {
        draw(&c->strip, &made[i], &c->paint);
    }
}

static bspi_corner corner_at(float x, float y, float w) {
    return (bspi_corner){.x = x * w, .y = y * w, .w = w};
}

static float random_float(test_random *random, float low, float high) {
    return low + (high - low) * (float)random_below(random, 65536) / 65535;
}

// A grid of moved points, larger than the picture; in every third round its outermost points lie
// beyond the guard.
#define GRID 9

static void test_cover(void **state) {
    (void)state;
    static counter c;
    test_random seed = {7};
    for (int round = 0; round < 60; round++) {
        bspi_corner grid[GRID][GRID];
        float size = round % 3 == 0 ? 40.0F : round % 3 == 1 ? 12.0F : 9000.0F;
        for (int y = 0; y < GRID; y++) {
            for (int x = 0; x < GRID; x++) {
                float shake = round % 2 == 0 ? 0.0F : 0.4F;
                float w = random_float(&seed, 1, 900);
                grid[y][x] =
                    corner_at(((float)x - 4 + random_float(&seed, -shake, shake)) * size,
                              ((float)y - 4 + random_float(&seed, -shake, shake)) * size, w);
            }
        }
        for (int fast = 0; fast < 2; fast++) {
            start(&c);
            for (int y = 0; y + 1 < GRID; y++) {
                for (int x = 0; x + 1 < GRID; x++) {
                    bspi_corner a[3] = {grid[y][x], grid[y][x + 1], grid[y + 1][x]};
                    bspi_corner b[3] = {grid[y + 1][x + 1], grid[y][x + 1], grid[y + 1][x]};
                    add(&c, bspi_triangle_draw(fast == 0), a);
                    add(&c, bspi_triangle_draw(fast == 0), b);
                }
            }
            float reach = size * 3.5F;
            for (uint32_t y = 0; y < HEIGHT; y++) {
                for (uint32_t x = 0; x < WIDTH; x++) {
                    bool deep = abs((int)x - (int)WIDTH / 2) < (int)reach &&
                                abs((int)y - (int)HEIGHT / 2) < (int)reach;
                    assert_true(count_at(&c, x, y) <= 1);
                    assert_true(!deep || count_at(&c, x, y) == 1);
                }
            }
        }
    }
}

// Brute force: the sign of the three edges at the centre of each pixel.
static int inside(const int64_t x[3], const int64_t y[3], int64_t px, int64_t py) {
    bool positive = true;
    bool negative = true;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int64_t side = (x[j] - x[i]) * (py - y[i]) - (y[j] - y[i]) * (px - x[i]);
        positive = positive && side > 0;
        negative = negative && side < 0;
        if (side == 0) {
            return -1; // on an edge: one of two neighbours has it
        }
    }
    return positive || negative;
}

static void test_centres(void **state) {
    (void)state;
    static counter c;
    test_random seed = {11};
    for (int round = 0; round < 400; round++) {
        int64_t x[3];
        int64_t y[3];
        bspi_corner corners[3];
        for (int i = 0; i < 3; i++) {
            // Quarters of pixels: edges through centres are common.
            int32_t qx = (int32_t)(random_below(&seed, 400)) - 40;
            int32_t qy = (int32_t)(random_below(&seed, 240)) - 40;
            x[i] = qx * 64;
            y[i] = qy * 64;
            corners[i] = corner_at((float)qx / 4 - WIDTH * 0.5F, (float)qy / 4 - HEIGHT * 0.5F, 1);
        }
        start(&c);
        add(&c, bspi_triangle_draw(round % 2 == 0), corners);
        for (uint32_t py = 0; py < HEIGHT; py++) {
            for (uint32_t px = 0; px < WIDTH; px++) {
                int want = inside(x, y, px * 256 + 128, py * 256 + 128);
                assert_true(want < 0 || count_at(&c, px, py) == (uint32_t)want);
            }
        }
    }
}

// What is no place is not drawn, and breaks nothing.
static void test_strange(void **state) {
    (void)state;
    static counter c;
    static const float strange[] = {0.0F, -1.0F, 1e30F, -1e30F, 3e38F};
    float values[8];
    memcpy(values, strange, sizeof strange);
    values[5] = strtof("nan", NULL);
    values[6] = strtof("inf", NULL);
    values[7] = strtof("-inf", NULL);
    start(&c);
    test_random seed = {3};
    for (int round = 0; round < 5000; round++) {
        bspi_corner corners[3];
        for (int i = 0; i < 3; i++) {
            float all[sizeof(bspi_corner) / sizeof(float)];
            for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
                all[k] = random_below(&seed, 3) == 0 ? values[random_below(&seed, 8)]
                                                     : random_float(&seed, -60, 60);
            }
            memcpy(&corners[i], all, sizeof all);
        }
        c.texture.clamp = round % 2 == 0;
        add(&c, bspi_triangle_draw(round % 4 < 2), corners);
    }
}

// A grey surface in the light of three directions, 30, 90 and 150 of 128: a normal that looks out
// of it takes a third of each, one along the first direction that one only; channels of a map of
// its own shadows are parts.
static void test_bump(void **state) {
    (void)state;
    static counter c;
    static const struct {
        uint8_t normal[3];
        bool shadowed;
        double light;
    } rows[] = {{{128, 128, 255}, false, 90}, {{232, 128, 201}, false, 30},
                {{75, 218, 201}, false, 90},  {{75, 38, 201}, false, 150},
                {{255, 0, 0}, true, 30},      {{128, 64, 0}, true, 37.6}};
    uint8_t texels[5][16];
    for (int i = 0; i < 16; i++) {
        texels[0][i] = 128;
        texels[2][i] = 30;
        texels[3][i] = 90;
        texels[4][i] = 150;
    }
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        for (int fast = 0; fast < 2; fast++) {
            for (int i = 0; i < 16; i++) {
                texels[1][i] = i % 4 < 3 ? rows[n].normal[i % 4] : 255;
            }
            start(&c);
            bspi_texture bump = {.chain = {.mips = {{texels[1], 1, 1, 2}}, .count = 1},
                                 .self_shadowed = rows[n].shadowed};
            const bspi_mip lights[3] = {
                {texels[2], 1, 1, 2}, {texels[3], 1, 1, 2}, {texels[4], 1, 1, 2}};
            c.texture.chain.mips[0].pixels = texels[0];
            c.texture.alpha = BSP_ALPHA_OPAQUE;
            c.paint = (bspi_paint){.texture = &c.texture,
                                   .light = &lights[0],
                                   .bump = &bump,
                                   .directions = {&lights[0], &lights[1], &lights[2]}};
            const bspi_corner corners[3] = {corner_at(-9000, -9000, 2), corner_at(9000, -9000, 2),
                                            corner_at(0, 9000, 2)};
            add(&c, bspi_triangle_draw(fast == 0), corners);
            double is = c.pixels[(HEIGHT / 2) * STRIDE + WIDTH / 2] & 255;
            assert_true(fabs(is - rows[n].light) <= 2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bump),
        cmocka_unit_test(test_cover),
        cmocka_unit_test(test_centres),
        cmocka_unit_test(test_strange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
