// SPDX-License-Identifier: MIT
// Images: block compression against a reference written here from its definition, pixel formats
// against each other and by hand, damaged files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "asset/image/image.h"
#include "asset/layouts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// --- blocks -------------------------------------------------------------------------------------

// The nearest integer to a weighted mean, halves up; the weights sum to `of`.
static uint8_t mean(unsigned a, unsigned weight, unsigned b, unsigned of) {
    double exact = ((double)a * weight + (double)b * (of - weight)) / of;
    return (uint8_t)floor(exact + 0.5);
}

static void reference_colour(unsigned v, unsigned out[3]) {
    out[0] = (v >> 11) * 33 >> 2; // five bits times 33 / 4 repeats the top bits
    out[1] = (v >> 5 & 63) * 65 >> 4;
    out[2] = (v & 31) * 33 >> 2;
}

static void reference_bc1(const uint8_t *b, bool always_four, uint8_t out[64]) {
    unsigned c0 = b[0] + 256u * b[1];
    unsigned c1 = b[2] + 256u * b[3];
    unsigned p[3];
    unsigned q[3];
    reference_colour(c0, p);
    reference_colour(c1, q);
    for (unsigned i = 0; i < 16; i++) {
        unsigned code = b[4 + i / 4] >> (i % 4 * 2) & 3u;
        bool four = always_four || c0 > c1;
        for (unsigned c = 0; c < 3; c++) {
            out[4 * i + c] = code == 0   ? (uint8_t)p[c]
                             : code == 1 ? (uint8_t)q[c]
                             : four      ? mean(p[c], code == 2 ? 2 : 1, q[c], 3)
                             : code == 2 ? mean(p[c], 1, q[c], 2)
                                         : 0;
        }
        out[4 * i + 3] = !four && code == 3 ? 0 : 255;
    }
}

static uint8_t reference_bc4(const uint8_t *b, unsigned i) {
    unsigned code = 0;
    for (unsigned bit = 0; bit < 3; bit++) {
        unsigned at = 16 + 3 * i + bit;
        code |= (b[at / 8] >> at % 8 & 1u) << bit;
    }
    if (code < 2) {
        return b[code];
    }
    if (b[0] > b[1]) {
        return mean(b[0], 8 - code, b[1], 7);
    }
    return code == 6 ? 0 : code == 7 ? 255 : mean(b[0], 6 - code, b[1], 5);
}

static void check_blocks(const uint8_t block[16]) {
    uint8_t ours[64];
    uint8_t theirs[64];
    reference_bc1(block, false, theirs);
    bspi_block_bc1a(block, ours);
    assert_memory_equal(ours, theirs, 64);
    reference_bc1(block + 8, true, theirs);
    for (unsigned i = 0; i < 16; i++) {
        theirs[4 * i + 3] = (uint8_t)((block[i / 2] >> (i % 2 != 0 ? 4 : 0) & 15) * 17);
    }
    bspi_block_bc2(block, ours);
    assert_memory_equal(ours, theirs, 64);
    for (unsigned i = 0; i < 16; i++) {
        theirs[4 * i + 3] = reference_bc4(block, i);
    }
    bspi_block_bc3(block, ours);
    assert_memory_equal(ours, theirs, 64);
    bspi_block_bc4(block, ours);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(ours[4 * i], reference_bc4(block, i));
    }
    bspi_block_bc5(block, ours);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(ours[4 * i + 1], reference_bc4(block, i));
        assert_int_equal(ours[4 * i], reference_bc4(block + 8, i));
    }
}

static void test_blocks(void **state) {
    (void)state;
    uint32_t random = 1;
    for (int n = 0; n < 20000; n++) {
        uint8_t block[16];
        for (size_t i = 0; i < 16; i++) {
            block[i] = (uint8_t)next_random(&random);
        }
        if (n % 7 == 0) { // equal end points
            memcpy(block + 2, block, 2);
            block[1] = block[0];
        }
        check_blocks(block);
    }
}

static void test_half(void **state) {
    (void)state;
    assert_true(bspi_half(0x3C00) == 1.0F);
    assert_true(bspi_half(0xC000) == -2.0F);
    assert_true(bspi_half(0x7BFF) == 65504.0F);
    assert_true(bspi_half(0x0001) == ldexpf(1, -24));
    assert_true(isinf(bspi_half(0x7C00)));
    assert_true(isnan(bspi_half(0x7E00)));
}

static void test_layouts(void **state) {
    (void)state;
    const bsp_layout *all[] = {
        &bspi_pak_head_t,     &bspi_pak_entry_t, &bspi_wad_head_t,  &bspi_wad_entry_t,
        &bspi_vpk_head_t,     &bspi_vpk_entry_t, &bspi_qpic_t,      &bspi_wal_t,
        &bspi_hwal_t,         &bspi_m8_t,        &bspi_m32_t,       &bspi_pcx_t,
        &bspi_tga_t,          &bspi_vtf_t,       &bspi_vtf_depth_t, &bspi_vtf_resources_t,
        &bspi_vtf_resource_t,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bsp_field *last = &all[i]->fields[all[i]->num_fields - 1];
        size_t end = bsp_layout_offset(all[i], all[i]->num_fields - 1) +
                     bsp_type_size(last->type) * last->count;
        assert_int_equal(end, all[i]->size);
    }
}

// --- files --------------------------------------------------------------------------------------

static bsp_blob read_file(const char *path) {
    bsp_blob blob = {NULL, 0, {NULL, NULL}};
    FILE *f = fopen(path, "rb");
    if (f != NULL) {
        blob.data = malloc(1 << 20);
        assert_non_null(blob.data);
        blob.size = fread(blob.data, 1, 1 << 20, f);
        fclose(f);
    }
    return blob;
}

static bool decode_sample(const char *name, bsp_image *image) {
    char path[512];
    snprintf(path, sizeof path, "%s/corpus/assets/vtf/sample_%s.vtf", BSP_TEST_SHARED, name);
    bsp_blob blob = read_file(path);
    bool there = blob.data != NULL;
    if (there) {
        bsp_bytes bytes = {blob.data, blob.size};
        assert_true(
            bsp_image_decode(bytes, bsp_image_detect(bytes, bsp_text_of(path)), NULL, image, NULL));
    }
    free(blob.data);
    return there;
}

// All samples show one picture; `bits` is how much of a channel a format keeps.
static void test_vtf_samples(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int error; // furthest that a channel may be off
        bool alpha;
    } samples[] = {
        {"abgr8888", 0, true},  {"argb8888", 0, true},  {"bgra8888", 0, true},
        {"uvwq8888", 0, true},  {"bgr888", 0, false},   {"rgb888", 0, false},
        {"bgrx8888", 0, false}, {"uvlx8888", 0, false}, {"bgr565", 8, false},
        {"rgb565", 8, false},   {"bgra5551", 8, false}, {"bgrx5551", 8, false},
        {"bgra4444", 17, true},
    };
    bsp_image first;
    if (!decode_sample("rgba8888", &first)) {
        skip();
    }
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        bsp_image image;
        assert_true(decode_sample(samples[s].name, &image));
        assert_int_equal(image.width, first.width);
        for (size_t i = 0; i < (size_t)first.width * first.height * 4; i++) {
            int off = abs((int)image.pixels[i] - (int)first.pixels[i]);
            assert_true((i % 4 == 3 && !samples[s].alpha) || off <= samples[s].error);
        }
        bsp_image_free(&image);
    }
    bsp_image_free(&first);
}

// What one program packed at three levels is one picture.
static void test_vtf_packed(void **state) {
    (void)state;
    static const char *const names[] = {"strata_comp_0@a2ff12a4", "strata_comp_-1@9f0ad20b",
                                        "strata_comp_9@1837dc44"};
    bsp_image images[3];
    for (size_t i = 0; i < 3; i++) {
        if (!decode_sample(names[i], &images[i])) {
            skip();
        }
        assert_memory_equal(images[i].pixels, images[0].pixels,
                            (size_t)images[0].width * images[0].height * 4);
    }
    for (size_t i = 0; i < 3; i++) {
        bsp_image_free(&images[i]);
    }
}

static void check_cube(void) {
    bsp_blob blob = read_file(BSP_TEST_SAMPLES "/source/materials/lobby/cubemap.vtf");
    bsp_bytes bytes = {blob.data, blob.size};
    bsp_vtf vtf;
    assert_true(bsp_vtf_read(bytes, &vtf, NULL));
    assert_int_equal(vtf.faces, 7);
    uint64_t red = 0;
    for (uint32_t face = 0; face < 7; face++) {
        bsp_image_options options = {.face = face};
        bsp_image image;
        assert_true(bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &image, NULL));
        assert_true(image.pixels[0] != red || face == 0); // every side has its own colour
        red = image.pixels[0];
        bsp_image_free(&image);
    }
    bsp_error error;
    bsp_image_options options = {.face = 7};
    bsp_image image;
    assert_false(bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &image, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    free(blob.data);
}

static void test_cube(void **state) {
    (void)state;
    check_cube();
}

// A picture of 2 x 2: red, green / blue, white.
static const uint8_t four[16] = {255, 0, 0,   255, 0,   255, 0,   255,
                                 0,   0, 255, 255, 255, 255, 255, 255};

static void check_tga(const uint8_t *bytes, size_t size) {
    bsp_image image;
    bsp_bytes view = {bytes, size};
    assert_true(bsp_image_decode(view, BSP_IMAGE_TGA, NULL, &image, NULL));
    assert_int_equal(image.width, 2);
    assert_int_equal(image.height, 2);
    assert_memory_equal(image.pixels, four, 16);
    bsp_image_free(&image);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part = malloc(cut + 1); // the sanitizer watches its end
        memcpy(part, bytes, cut);
        view = (bsp_bytes){part, cut};
        assert_false(bsp_image_decode(view, BSP_IMAGE_TGA, NULL, &image, NULL));
        free(part);
    }
}

#define TGA_HEAD(type, map, count, map_bits, bits, descriptor)                                     \
    0, map, type, 0, 0, count, 0, map_bits, 0, 0, 0, 0, 2, 0, 2, 0, bits, descriptor

static void test_tga(void **state) {
    (void)state;
    static const uint8_t bottom_up[] = {
        TGA_HEAD(2, 0, 0, 0, 24, 0), 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 255, 0};
    static const uint8_t top_down[] = {TGA_HEAD(2, 0, 0, 0, 32, 0x28),
                                       0,
                                       0,
                                       255,
                                       255,
                                       0,
                                       255,
                                       0,
                                       255,
                                       255,
                                       0,
                                       0,
                                       255,
                                       255,
                                       255,
                                       255,
                                       255};
    static const uint8_t from_right[] = {
        TGA_HEAD(2, 0, 0, 0, 24, 0x30), 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0};
    static const uint8_t fifteen[] = {
        TGA_HEAD(2, 0, 0, 0, 16, 0x20), 0x00, 0x7C, 0xE0, 0x03, 0x1F, 0x00, 0xFF, 0x7F};
    static const uint8_t palette[] = {
        TGA_HEAD(1, 1, 4, 24, 8, 0x20), 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 0, 1, 2, 3};
    static const uint8_t packed[] = {TGA_HEAD(10, 0, 0, 0, 24, 0x20),
                                     0x02,
                                     0,
                                     0,
                                     255,
                                     0,
                                     255,
                                     0,
                                     255,
                                     0,
                                     0,
                                     0x80,
                                     255,
                                     255,
                                     255};
    check_tga(bottom_up, sizeof bottom_up);
    check_tga(top_down, sizeof top_down);
    check_tga(from_right, sizeof from_right);
    check_tga(fifteen, sizeof fifteen);
    check_tga(palette, sizeof palette);
    check_tga(packed, sizeof packed);
}

static void test_tga_runs(void **state) {
    (void)state;
    static const uint8_t grey[] = {TGA_HEAD(11, 0, 0, 0, 8, 0x20), 0x83, 77};
    bsp_image image;
    assert_true(
        bsp_image_decode((bsp_bytes){grey, sizeof grey}, BSP_IMAGE_TGA, NULL, &image, NULL));
    for (size_t i = 0; i < 16; i++) {
        assert_int_equal(image.pixels[i], i % 4 == 3 ? 255 : 77);
    }
    bsp_image_free(&image);
}

static void test_png(void **state) {
    (void)state;
    bsp_image image = {2, 2, malloc(16), {NULL, NULL}};
    bsp_image back;
    bsp_blob blob;
    bsp_error error;
    memcpy(image.pixels, four, 16);
    for (int alpha = 0; alpha < 2; alpha++) {
        image.pixels[7] = alpha == 0 ? 255 : 128;
        assert_true(bsp_image_write_png(&image, NULL, &blob, &error));
        bsp_bytes bytes = {blob.data, blob.size};
        assert_int_equal(bsp_image_detect(bytes, bsp_text_of("x.tga")), BSP_IMAGE_PNG);
        if (!bsp_image_decode(bytes, BSP_IMAGE_PNG, NULL, &back, &error)) {
            assert_int_equal(error.code, BSP_E_UNSUPPORTED);
            bsp_blob_free(&blob);
            free(image.pixels);
            skip();
        }
        assert_memory_equal(back.pixels, image.pixels, 16);
        bsp_image_free(&back);
        for (size_t cut = 0; cut + 12 < blob.size; cut++) { // all but the end mark
            bytes.size = cut;
            assert_false(bsp_image_decode(bytes, BSP_IMAGE_PNG, NULL, &back, NULL));
        }
        bsp_blob_free(&blob);
    }
    free(image.pixels);
}

// --- palettes -----------------------------------------------------------------------------------

static void test_wal(void **state) {
    (void)state;
    bsp_blob pcx = read_file(BSP_TEST_SAMPLES "/quake2/pics/colormap.pcx");
    bsp_blob wal = read_file(BSP_TEST_SAMPLES "/quake2/textures/lobby/grate1.wal");
    bsp_bytes palette = bsp_palette_of((bsp_bytes){pcx.data, pcx.size});
    bsp_bytes bytes = {wal.data, wal.size};
    assert_int_equal(palette.size, 768);
    for (uint32_t mip = 0; mip < 4; mip++) {
        bsp_image_options options = {.palette = palette, .hole = true, .mip = mip};
        bsp_image image;
        assert_true(bsp_image_decode(bytes, BSP_IMAGE_WAL, &options, &image, NULL));
        assert_int_equal(image.width, 32u >> mip);
        for (size_t i = 0; mip == 0 && i < 32 * 32; i++) {
            uint8_t index = wal.data[100 + i];
            const uint8_t *p = image.pixels + 4 * i;
            assert_int_equal(p[3], index == 255 ? 0 : 255);
            assert_true(index == 255 || memcmp(p, palette.data + 3 * (size_t)index, 3) == 0);
        }
        bsp_image_free(&image);
    }
    free(pcx.data);
    free(wal.data);
}

static void test_pcx(void **state) {
    (void)state;
    uint8_t bytes[128 + 5 + 769] = {0x0A, 5, 1, 8, 0, 0, 0, 0, 3, 0, 1, 0};
    static const uint8_t rows[] = {0xC3, 7, 9, 0xC4, 0xFF}; // 7 7 7 9 / 255 255 255 255
    bytes[65] = 1;
    bytes[66] = 4;
    memcpy(bytes + 128, rows, 5);
    bytes[133] = 0x0C;
    for (size_t i = 0; i < 768; i++) {
        bytes[134 + i] = (uint8_t)(255 - i / 3);
    }
    bsp_image image;
    assert_true(
        bsp_image_decode((bsp_bytes){bytes, sizeof bytes}, BSP_IMAGE_PCX, NULL, &image, NULL));
    assert_int_equal(image.width, 4);
    assert_int_equal(image.height, 2);
    assert_int_equal(image.pixels[0], 248);
    assert_int_equal(image.pixels[12], 246);
    assert_int_equal(image.pixels[16], 0);
    bsp_image_free(&image);
}

// A label has the two colours of its cells, of at least 8 pixels, and black and white letters.
static void check_label(const bsp_image *image) {
    static const uint8_t colors[][4] = {
        {160, 0, 160, 255}, {40, 40, 40, 255}, {0, 0, 0, 255}, {255, 255, 255, 255}};
    uint32_t side = image->width < image->height ? image->width : image->height;
    uint32_t cell = side / 8 < 8 ? 8 : side / 8;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *p = image->pixels + 4 * ((size_t)y * image->width + x);
            bool cell_color = memcmp(p, colors[(x / cell + y / cell) % 2 == 0], 4) == 0;
            assert_true(cell_color || memcmp(p, colors[2], 4) == 0 || memcmp(p, colors[3], 4) == 0);
        }
    }
}

static void test_label(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {3, 200}, {64, 64}, {512, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bsp_image image;
        assert_true(bsp_image_label(sizes[i][0], sizes[i][1], bsp_text_of("a/very_long~name\x80"),
                                    NULL, &image, NULL));
        assert_int_equal(image.width, sizes[i][0]);
        check_label(&image);
        bsp_image_free(&image);
    }
}

// --- damage -------------------------------------------------------------------------------------

// Any bytes under any name of a format: an image or an error, and no more memory than allowed.
static void test_damage(void **state) {
    (void)state;
    static const char *const files[] = {
        "/source/materials/lobby/sign1.vtf", "/source/materials/lobby/cubemap.vtf",
        "/quake2/textures/lobby/door1.wal",  "/quake2/pics/colormap.pcx",
        "/quake3/textures/lobby/crate1.tga",
    };
    uint32_t random = 7;
    bsp_limits limits = {.memory = (uint64_t)1 << 24, .work = BSP_NO_LIMIT};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, files[f]);
        bsp_blob blob = read_file(path);
        assert_non_null(blob.data);
        bsp_image_format own =
            bsp_image_detect((bsp_bytes){blob.data, blob.size}, bsp_text_of(path));
        for (int n = 0; n < 2000; n++) {
            size_t size = n % 4 == 0 ? next_random(&random) % (blob.size + 1) : blob.size;
            uint8_t *copy = malloc(size + 1);
            memcpy(copy, blob.data, size);
            for (int flips = 0; flips < 3 && size != 0; flips++) {
                copy[next_random(&random) % (size < 200 ? size : 200)] =
                    (uint8_t)next_random(&random);
            }
            bsp_image_options options = {.budget = budget, .mip = (uint32_t)n % 3};
            bsp_image image;
            bsp_bytes bytes = {copy, size};
            bsp_image_format format = n % 10 == 0 ? (bsp_image_format)(n / 10 % 12) : own;
            if (bsp_image_decode(bytes, format, &options, &image, NULL)) {
                bsp_image_free(&image);
            }
            free(copy);
        }
        free(blob.data);
    }
    bsp_budget_free(budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_half),
        cmocka_unit_test(test_layouts),    cmocka_unit_test(test_vtf_samples),
        cmocka_unit_test(test_vtf_packed), cmocka_unit_test(test_cube),
        cmocka_unit_test(test_tga),        cmocka_unit_test(test_tga_runs),
        cmocka_unit_test(test_png),        cmocka_unit_test(test_wal),
        cmocka_unit_test(test_pcx),        cmocka_unit_test(test_label),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
