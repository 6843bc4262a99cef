// SPDX-License-Identifier: MIT
// Mips and sampling: averages worked out from the pixels in another way, colours at places where
// they are known by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "asset/image/mip_chain.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 24u // pixels of a side

typedef struct stage {
    bspi_heap heap;
    bspi_arena arena;
    uint8_t pixels[MOST * MOST * 4];
    bsp_image image;
} stage;

static void begin(stage *s, uint32_t width, uint32_t height) {
    bspi_heap_init(&s->heap, NULL, 0);
    bspi_arena_init(&s->arena, &s->heap);
    s->image = (bsp_image){.width = width, .height = height, .pixels = s->pixels};
}

// Each texel of the next mip is the mean, rounded, of the texels that lie under it: two across and
// two down, one where there is one only; what is left over at an odd edge is not in it.
static void check_half(const bspi_mip *from, const bspi_mip *to) {
    uint32_t across = from->width > 1 ? 2 : 1;
    uint32_t down = from->height > 1 ? 2 : 1;
    assert_int_equal(to->width, from->width / across);
    assert_int_equal(to->height, from->height / down);
    for (size_t n = 0; n < (size_t)to->width * to->height * 4; n++) {
        size_t x = n / 4 % to->width;
        size_t y = n / 4 / to->width;
        uint32_t sum = 0;
        for (size_t i = 0; i < (size_t)across * down; i++) {
            size_t row = y * down + i / across;
            sum += from->pixels[4 * (row * from->pitch + x * across + i % across) + n % 4];
        }
        uint8_t mean = (uint8_t)((sum + across * down / 2) / (across * down));
        assert_int_equal(to->pixels[4 * (y * to->pitch + x) + n % 4], mean);
    }
}

// The texel after each row is its first, the row after the last the first.
static void check_repeats(const bspi_mip *mip) {
    assert_int_equal(mip->pitch, mip->width + 1);
    for (size_t y = 0; y <= mip->height; y++) {
        for (size_t x = 0; x <= mip->width; x++) {
            const uint8_t *is = mip->pixels + 4 * (y * mip->pitch + x);
            const uint8_t *from = mip->pixels + 4 * (y % mip->height * mip->pitch + x % mip->width);
            assert_memory_equal(is, from, 4);
        }
    }
}

static void check_chain(const stage *s, const bspi_mip_chain *whole, uint32_t most) {
    bspi_mip_chain chain = {.count = 0};
    bspi_arena arena;
    bspi_arena_init(&arena, (bspi_heap *)(uintptr_t)&s->heap);
    assert_true(bspi_mip_chain_build(&arena, &s->image, most, &chain, NULL));
    uint32_t left_out = whole->count - chain.count;
    for (uint32_t i = 0; i < whole->count; i++) {
        const bspi_mip *mip = &whole->mips[i];
        assert_int_equal(i<left_out, mip->width> most || mip->height > most);
        if (i >= left_out) {
            const bspi_mip *is = &chain.mips[i - left_out];
            assert_true(is->width == mip->width && is->height == mip->height);
            assert_memory_equal(is->pixels, mip->pixels,
                                4 * (size_t)mip->pitch * ((size_t)mip->height + 1));
        }
    }
    bspi_arena_free(&arena);
}

static void test_chains(void **state) {
    (void)state;
    test_random random = {1};
    for (uint32_t n = 0; n < 60; n++) {
        stage s;
        begin(&s, 1 + random_u32(&random) % MOST, 1 + random_u32(&random) % MOST);
        random_fill(&random, s.pixels, sizeof s.pixels);
        bspi_mip_chain chain = {.count = 0};
        assert_true(bspi_mip_chain_build(&s.arena, &s.image, BSP_IMAGE_MAX, &chain, NULL));
        const bspi_mip *first = &chain.mips[0];
        const bspi_mip *last = &chain.mips[chain.count - 1];
        for (size_t y = 0; y < s.image.height; y++) {
            assert_memory_equal(first->pixels + 4 * y * first->pitch,
                                s.pixels + 4 * y * s.image.width, 4 * (size_t)s.image.width);
        }
        assert_true(last->width == 1 && last->height == 1);
        for (uint32_t i = 0; i < chain.count; i++) {
            check_repeats(&chain.mips[i]);
            if (i != 0) {
                check_half(&chain.mips[i - 1], &chain.mips[i]);
            }
        }
        check_chain(&s, &chain, 1);
        check_chain(&s, &chain, 5);
        check_chain(&s, &chain, 8);
        bspi_arena_free(&s.arena);
    }
}

static void assert_colour(const bspi_mip *mip, float u, float v, bool clamp, float red) {
    const float uv[2] = {u, v};
    float out[4];
    bspi_mip_sample(mip, uv, clamp, out);
    if (!(fabsf(out[0] - red) < 1e-3F) || out[3] != 255) {
        fail_msg("(%g %g) is %g, not %g", (double)u, (double)v, (double)out[0], (double)red);
    }
}

// Four texels in a row, 0 100 200 40, and a second row that is 20 more: middles are at eighths.
static void test_places(void **state) {
    (void)state;
    static const uint8_t reds[8] = {0, 100, 200, 40, 20, 120, 220, 60};
    stage s;
    begin(&s, 4, 2);
    for (size_t i = 0; i < 8; i++) {
        memset(s.pixels + 4 * i, 255, 4);
        s.pixels[4 * i] = reds[i];
    }
    const bspi_mip tight = {s.pixels, 4, 2, 4};
    bspi_mip padded;
    assert_true(bspi_mip_copy(&s.arena, s.pixels, 4, 2, &padded, NULL));
    for (int i = 0; i < 2; i++) {
        const bspi_mip *mip = i == 0 ? &tight : &padded;
        for (int clamp = 0; clamp < 2; clamp++) {
            assert_colour(mip, 0.125F, 0.25F, clamp != 0, 0);
            assert_colour(mip, 0.375F, 0.75F, clamp != 0, 120);
            assert_colour(mip, 0.25F, 0.25F, clamp != 0, 50); // between two texels
            assert_colour(mip, 0.5F, 0.5F, clamp != 0, 160);  // between four
            assert_colour(mip, 0.3125F, 0.25F, clamp != 0, 75);
        }
        assert_colour(mip, 0, 0.25F, false, 20); // half of the last texel, half of the first
        assert_colour(mip, 0, 0.25F, true, 0);
        assert_colour(mip, 1, 0.25F, true, 40);
        assert_colour(mip, 0.125F, 0, false, 10); // half of the other row
        assert_colour(mip, 0.125F, 5, true, 20);
        assert_colour(mip, 7.375F, -3.75F, false, 100); // whole repeats change nothing
        assert_colour(mip, -0.625F, 0.25F, false, 100);
        assert_colour(mip, NAN, 0.25F, false, 20); // no place: as 0
        assert_colour(mip, 1e30F, 0.25F, false, 20);
    }
    bspi_arena_free(&s.arena);
}

// At the centre of each texel there is its colour, at any size: the place may be rounded to either
// side of the centre, where the texel before has no part.
static void test_centres(void **state) {
    (void)state;
    static uint8_t row[4 * 1100];
    for (uint32_t x = 0; x < 1100; x++) {
        memset(row + 4 * (size_t)x, 255, 4);
        row[4 * (size_t)x] = (uint8_t)(x * 90);
    }
    for (uint32_t size = 1; size <= 1100; size += size < 140 ? 1 : 31) {
        const bspi_mip mip = {row, size, 1, size};
        for (uint32_t x = 0; x < size; x++) {
            const float uv[2] = {((float)x + 0.5F) / (float)size, 0.5F};
            for (int repeat = -1; repeat < 2; repeat++) {
                const float at[2] = {uv[0] + (float)repeat, uv[1]};
                float out[4];
                bspi_mip_sample(&mip, at, false, out);
                if (!(fabsf(out[0] - (float)row[4 * (size_t)x]) < 0.5F)) {
                    fail_msg("texel %u of %u is %g", x, size, (double)out[0]);
                }
            }
        }
    }
}

// What does not fit a limit fails, and a picture of one texel is one everywhere.
static void test_ends(void **state) {
    (void)state;
    stage s;
    begin(&s, 1, 1);
    memcpy(s.pixels, (const uint8_t[4]){9, 0, 0, 255}, 4);
    bspi_mip_chain chain = {.count = 0};
    assert_true(bspi_mip_chain_build(&s.arena, &s.image, 1, &chain, NULL));
    assert_int_equal(chain.count, 1);
    assert_colour(&chain.mips[0], 0.3F, -8.9F, false, 9);
    assert_colour(&chain.mips[0], 3, NAN, true, 9);
    bspi_arena_free(&s.arena);
    bsp_error error = {0};
    begin(&s, MOST, MOST);
    s.heap.work_limit = 100;
    assert_false(bspi_mip_chain_build(&s.arena, &s.image, BSP_IMAGE_MAX, &chain, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_int_equal(chain.count, 0);
    bspi_arena_free(&s.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_centres),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
