// SPDX-License-Identifier: MIT
// VTF files, written and read again: each side and mip is what the pixels say, in every format and
// version; halves are those of a search among all of them; heads are as the sheet has them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "asset/image/cube.h"
#include "asset/image/image.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 16u

typedef struct cube {
    float pixels[6][MOST_SIDE * MOST_SIDE * 3];
    const float *faces[6];
    bsp_vtf_source source;
} cube;

static void fill(cube *c, uint32_t side, int32_t format, uint32_t minor, uint64_t seed) {
    test_random random = {seed};
    for (uint32_t f = 0; f < 6; f++) {
        c->faces[f] = c->pixels[f];
        for (size_t i = 0; i < (size_t)side * side * 3; i++) {
            c->pixels[f][i] = (float)random_below(&random, 256);
        }
    }
    c->source = (bsp_vtf_source){.minor = minor,
                                 .format = format,
                                 .flags = BSP_VTF_CUBE | 0xC,
                                 .side = side,
                                 .faces = c->faces};
}

static float mean(const cube *c, uint32_t face, uint32_t mip, uint32_t x, uint32_t y, uint32_t n) {
    uint32_t across = 1u << mip;
    double sum = 0;
    for (uint32_t i = 0; i < across * across; i++) {
        size_t row = (size_t)y * across + i / across;
        sum += (double)c->pixels[face][3 * (row * c->source.side + x * across + i % across) + n];
    }
    return (float)(sum / across / across);
}

static bsp_blob written(const cube *c) {
    bsp_error error;
    bsp_blob blob;
    if (!bsp_vtf_write(&c->source, NULL, NULL, &blob, &error)) {
        fail_msg("%s", error.message);
    }
    return blob;
}

static void check_head(const cube *c, bsp_bytes bytes) {
    bsp_vtf vtf;
    bsp_error error;
    assert_true(bsp_vtf_read(bytes, &vtf, &error));
    assert_int_equal(vtf.minor, c->source.minor);
    assert_int_equal(vtf.width, c->source.side);
    assert_int_equal(vtf.height, c->source.side);
    assert_int_equal(vtf.depth, 1);
    assert_int_equal(vtf.frames, 1);
    assert_int_equal(vtf.faces, c->source.minor < 5 ? 7 : 6);
    assert_int_equal(vtf.flags, c->source.flags);
    assert_int_equal(vtf.format, c->source.format);
    assert_int_equal(1u << (vtf.mips - 1), c->source.side);
    // The head ends where the sheet says, and nothing is behind the image.
    static const uint32_t heads[] = {0, 64, 80, 88, 88, 88};
    size_t image = 0;
    for (uint32_t side = c->source.side; side != 0; side /= 2) {
        size_t blocks = (size_t)((side + 3) / 4) * ((side + 3) / 4);
        image += c->source.format == BSP_VTF_DXT1
                     ? 8 * blocks
                     : (size_t)side * side * (c->source.format == BSP_VTF_BGR888 ? 3 : 8);
    }
    assert_int_equal(bytes.size, heads[c->source.minor] + image * vtf.faces);
    assert_ptr_equal(vtf.pixels.data, bytes.data + heads[c->source.minor]);
}

static void check_mip(const cube *c, bsp_bytes bytes, uint32_t face, uint32_t mip) {
    bsp_error error;
    bsp_image image;
    const bsp_image_options options = {.face = face, .mip = mip};
    assert_true(bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &image, &error));
    for (uint32_t i = 0; i < image.width * image.height; i++) {
        for (uint32_t n = 0; n < 3; n++) {
            float wanted = mean(c, face, mip, i % image.width, i / image.width, n);
            int is = image.pixels[4 * (size_t)i + n];
            assert_int_equal(is, (int)(wanted + 0.5F));
        }
        assert_int_equal(image.pixels[4 * (size_t)i + 3], 255);
    }
    bsp_image_free(&image);
}

static void test_bytes(void **state) {
    (void)state;
    cube *c = malloc(sizeof *c);
    assert_non_null(c);
    for (uint32_t minor = 1; minor <= 5; minor++) {
        for (uint32_t side = 1; side <= MOST_SIDE; side *= 2) {
            fill(c, side, BSP_VTF_BGR888, minor, 100 * minor + side);
            bsp_blob blob = written(c);
            bsp_bytes bytes = {blob.data, blob.size};
            check_head(c, bytes);
            for (uint32_t face = 0; face < 6; face++) {
                for (uint32_t mip = 0; side >> mip != 0; mip++) {
                    check_mip(c, bytes, face, mip);
                }
            }
            bsp_blob_free(&blob);
        }
    }
    free(c);
}

// Light of 16 bits: read as the bytes stand in the file, the smallest mip of all sides first.
static void test_halves(void **state) {
    (void)state;
    cube *c = malloc(sizeof *c);
    assert_non_null(c);
    fill(c, 8, BSP_VTF_RGBA16F, 5, 7);
    bsp_blob blob = written(c);
    check_head(c, (bsp_bytes){blob.data, blob.size});
    const uint8_t *at = blob.data + 88;
    for (uint32_t mip = 4; mip-- > 0;) {
        uint32_t side = 8u >> mip;
        for (uint32_t i = 0; i < 6 * side * side; i++) {
            uint32_t face = i / (side * side);
            for (uint32_t n = 0; n < 4; n++, at += 2) {
                float wanted = n == 3 ? 1 : mean(c, face, mip, i % side, i / side % side, n);
                float is = bspi_half((uint16_t)(at[0] | at[1] << 8));
                assert_true(fabsf(is - wanted) <= wanted / 2048);
            }
        }
    }
    assert_ptr_equal(at, blob.data + blob.size);
    bsp_blob_free(&blob);
    free(c);
}

// A colour goes to the nearest half: none of all that there are is nearer.
static void test_nearest_half(void **state) {
    (void)state;
    test_random random = {3};
    assert_int_equal(bspi_half_of(-1), 0);
    assert_int_equal(bspi_half_of(NAN), 0);
    assert_int_equal(bspi_half_of(INFINITY), 0x7BFF);
    assert_int_equal(bspi_half_of(70000), 0x7BFF);
    for (uint32_t half = 0; half < 0x7C00; half++) { // each is its own
        assert_int_equal(bspi_half_of(bspi_half((uint16_t)half)), half);
    }
    for (int i = 0; i < 20000; i++) {
        float value = ldexpf((float)random_below(&random, 100000) / 100000,
                             (int)random_below(&random, 40) - 24);
        uint16_t half = bspi_half_of(value);
        float off = fabsf(bspi_half(half) - value);
        if (value > 65504) {
            continue;
        }
        assert_true(half == 0 || off <= fabsf(bspi_half((uint16_t)(half - 1)) - value));
        assert_true(half == 0x7BFF || off <= fabsf(bspi_half((uint16_t)(half + 1)) - value));
    }
}

// Blocks of two colours that 16 bits hold come back as they were; of others no colour is farther
// off than the two ends are apart, and a block of one colour has no hole.
static void test_blocks(void **state) {
    (void)state;
    cube *c = malloc(sizeof *c);
    bsp_error error;
    bsp_image image;
    assert_non_null(c);
    fill(c, 16, BSP_VTF_DXT1, 4, 5);
    for (uint32_t i = 0; i < 16 * 16; i++) {
        float *two = c->pixels[0] + 3 * (size_t)i;
        bool high = ((i ^ i / 16) & 1) != 0;
        two[0] = high ? 255 : 0;
        two[1] = high ? 0 : 255;
        two[2] = 255;
        float *one = c->pixels[1] + 3 * (size_t)i;
        one[0] = one[1] = one[2] = 255;
    }
    bsp_blob blob = written(c);
    check_head(c, (bsp_bytes){blob.data, blob.size});
    for (uint32_t face = 0; face < 6; face++) {
        const bsp_image_options options = {.face = face};
        double sum = 0;
        assert_true(bsp_image_decode((bsp_bytes){blob.data, blob.size}, BSP_IMAGE_VTF, &options,
                                     &image, &error));
        for (uint32_t i = 0; i < 16 * 16 * 3; i++) {
            float wanted = c->pixels[face][i];
            int is = image.pixels[(size_t)4 * (i / 3) + i % 3];
            assert_true(face > 1 || is == (int)wanted);
            sum += fabs((double)is - (double)wanted);
            assert_int_equal(image.pixels[(size_t)4 * (i / 3) + 3], 255);
        }
        assert_true(sum / (16 * 16 * 3) < 60); // of noise, which four colours cannot hold
        bsp_image_free(&image);
    }
    bsp_blob_free(&blob);
    free(c);
}

// The middle of the sphere map mirrors what is straight behind the eye, its rim what is before it.
static void test_sphere(void **state) {
    (void)state;
    cube *c = malloc(sizeof *c);
    bsp_error error;
    bsp_image image;
    assert_non_null(c);
    fill(c, 16, BSP_VTF_BGR888, 2, 5);
    for (uint32_t face = 0; face < 6; face++) {
        for (uint32_t i = 0; i < 16 * 16 * 3; i++) {
            c->pixels[face][i] = (float)(40 * face);
        }
    }
    bsp_blob blob = written(c);
    const bsp_image_options options = {.face = 6};
    assert_true(bsp_image_decode((bsp_bytes){blob.data, blob.size}, BSP_IMAGE_VTF, &options, &image,
                                 &error));
    assert_int_equal(image.pixels[(size_t)4 * (8 * 16 + 8)], 40 * 4);  // +z
    assert_int_equal(image.pixels[(size_t)4 * (8 * 16 + 14)], 40 * 0); // +x
    assert_int_equal(image.pixels[(size_t)4 * (8 * 16 + 1)], 40 * 1);  // -x
    assert_int_equal(image.pixels[(size_t)4 * (1 * 16 + 8)], 40 * 2);  // +y
    assert_int_equal(image.pixels[(size_t)4 * (14 * 16 + 8)], 40 * 3); // -y
    assert_int_equal(image.pixels[0], 40 * 5);                         // -z
    bsp_image_free(&image);
    bsp_blob_free(&blob);
    free(c);
}

static void test_sides(void **state) {
    (void)state;
    static const float directions[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                           {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    float uv[2];
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(bspi_cube_side(directions[i], uv), i);
        assert_true(uv[0] == 0.5F && uv[1] == 0.5F);
    }
    const float none[3] = {0, 0, 0};
    assert_int_equal(bspi_cube_side(none, uv), 0);
    // +x: the right is -z, down is -y.
    const float corner[3] = {1, 0.5F, 0.25F};
    assert_int_equal(bspi_cube_side(corner, uv), 0);
    assert_true(uv[0] == 0.375F && uv[1] == 0.25F);
}

static void test_refused(void **state) {
    (void)state;
    cube *c = malloc(sizeof *c);
    bsp_error error;
    bsp_blob blob;
    assert_non_null(c);
    fill(c, 8, BSP_VTF_BGR888, 2, 5);
    const bsp_vtf_source good = c->source;
    bsp_vtf_source bad[5] = {good, good, good, good, good};
    bad[0].minor = 0;
    bad[1].minor = 6;
    bad[2].side = 12;
    bad[3].side = 0;
    bad[4].format = 0;
    for (int i = 0; i < 5; i++) {
        assert_false(bsp_vtf_write(&bad[i], NULL, NULL, &blob, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_null(blob.data);
    }
    const bsp_limits limits = {.work = 10};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_false(bsp_vtf_write(&good, NULL, budget, &blob, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_nearest_half), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_sphere),       cmocka_unit_test(test_sides),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
