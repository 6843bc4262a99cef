// SPDX-License-Identifier: MIT
// Light made anew is the same at any number of threads and made in parts, in a region all that sees
// it, and is in the file that gets it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/pack.h"
#include "support/relight.h"

#include <stdio.h>
#include <string.h>

static void check_equal(const bsp_relight *left, const bsp_relight *right) {
    assert_int_equal(left->num_faces, right->num_faces);
    for (uint32_t f = 0; f < left->num_faces; f++) {
        const bsp_relight_face *a = &left->faces[f];
        const bsp_relight_face *b = &right->faces[f];
        size_t count = (size_t)a->width * a->height * a->directions * a->num_styles;
        assert_int_equal(a->num_styles, b->num_styles);
        assert_memory_equal(a->styles, b->styles, sizeof a->styles);
        assert_true(count == 0 || memcmp(a->luxels, b->luxels, count * sizeof *a->luxels) == 0);
    }
}

// A region that is everywhere is none; where nothing sees it, all luxels stay.
static void test_region(void **state) {
    (void)state;
    static const char *const maps[] = {
        BSP_TEST_SAMPLES "/quake/lobby.bsp", BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp",
        BSP_TEST_SAMPLES "/quake2/lobby.bsp", BSP_TEST_SAMPLES "/source/lobby.bsp"};
    static const float everywhere[2][3] = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    static const float nowhere[2][3] = {{9e5f, 9e5f, 9e5f}, {1e6f, 1e6f, 1e6f}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        bsp_relight_options how = {.direct = true};
        relit all = relit_open(maps[i], NULL, &how);
        how.region = everywhere;
        relit same = relit_open(maps[i], NULL, &how);
        check_equal(all.relight, same.relight);
        how.region = nowhere;
        relit none = relit_open(maps[i], NULL, &how);
        assert_true(relit_percent_within(none.relight, 0) == 100);
        relit_write(&none);
        for (uint32_t f = 0; f < none.map->num_faces; f++) {
            const bsp_face_light *was = &none.map->face_lights[f];
            const bsp_face_light *now = &none.written_map->face_lights[f];
            assert_memory_equal(was->styles, now->styles, sizeof was->styles);
            if (none.relight->faces[f].luxels != NULL && was->offset != BSP_NONE) {
                assert_memory_equal(none.map->light.data + was->offset,
                                    none.written_map->light.data + now->offset, 1);
            }
        }
        relit_close(&none);
        relit_close(&same);
        relit_close(&all);
    }
    bsp_error error;
    relit pages = {0};
    const bsp_relight_options how = {.region = everywhere};
    pages.file = bsp_file_open(BSP_TEST_SAMPLES "/quake3/lobby.bsp", NULL, &error);
    pages.map = bsp_map_load(pages.file, NULL, &error);
    pages.relight = bsp_relight_build(pages.map, pages.file, &how, &error);
    assert_non_null(pages.relight);
    relit_close(&pages);
}

static void test_written(void **state) {
    (void)state;
    static const char *const maps[] = {
        BSP_TEST_SAMPLES "/quake/lobby.bsp",         BSP_TEST_SAMPLES "/quake/lobby_bsp2.bsp",
        BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp", BSP_TEST_SAMPLES "/quake2/lobby.bsp",
        BSP_TEST_SAMPLES "/source/lobby.bsp",        BSP_TEST_SAMPLES "/quake3/lobby.bsp"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        bsp_error error;
        const bsp_relight_options how = {.direct = true, .texlights_all = true};
        relit l = relit_open(maps[i], NULL, &how);
        relit_write(&l);
        // Made again for the map that has it, it differs by no more than the bytes cut off.
        bsp_relight *again = bsp_relight_build(l.written_map, l.written, &how, &error);
        assert_non_null(again);
        check_equal(again, l.relight);
        bool source = l.map->traits->light == BSP_LIGHT_RGBEXP32; // dim channels have few bits
        assert_true(relit_percent_within(again, source ? 12 : 3) == 100); // styles are summed
        bsp_relight_free(again);
        relit_close(&l);
    }
}

static void test_threads(void **state) {
    (void)state;
    static const char *const maps[] = {
        BSP_TEST_SAMPLES "/quake/lobby.bsp", BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp",
        BSP_TEST_SAMPLES "/quake2/lobby.bsp", BSP_TEST_SAMPLES "/source/lobby.bsp",
        BSP_TEST_SAMPLES "/quake3/lobby.bsp"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        relit l[2];
        bsp_budget *budgets[2];
        for (uint32_t n = 0; n < 2; n++) {
            budgets[n] = bsp_budget_new(NULL, NULL);
            assert_non_null(budgets[n]);
            bsp_budget_set_threads(budgets[n], 1 + 3 * n);
            const bsp_relight_options how = {.budget = budgets[n], .extra = 1 + (uint32_t)i % 2};
            l[n] = relit_open(maps[i], NULL, &how);
        }
        check_equal(l[0].relight, l[1].relight);
        for (uint32_t n = 0; n < 2; n++) {
            relit_close(&l[n]);
            bsp_budget_free(budgets[n]);
        }
    }
}

// Lights that are given without a world are all lights, and none of them says what the world does.
static void test_no_world(void **state) {
    (void)state;
    static const char light[] = "{ \"classname\" \"light\" \"origin\" \"128 192 100\" }";
    static const char *const maps[] = {
        BSP_TEST_SAMPLES "/quake/lobby.bsp", BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp",
        BSP_TEST_SAMPLES "/quake2/lobby.bsp", BSP_TEST_SAMPLES "/quake3/lobby.bsp"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char text[256];
        int size = snprintf(text, sizeof text, "{ \"classname\" \"worldspawn\" }%s", light);
        assert_true(size > 0 && (size_t)size < sizeof text);
        const bsp_relight_options how = {.direct = true, .force = true};
        relit alone = relit_open(maps[i], light, &how);
        relit with = relit_open(maps[i], text, &how);
        assert_int_equal(alone.relight->num_lamps, with.relight->num_lamps);
        check_equal(alone.relight, with.relight);
        relit_close(&alone);
        relit_close(&with);
    }
}

// --- parts --------------------------------------------------------------------------------------

#define PARTS 3u

// Bodies of parts that are damaged, under a checksum that fits: the merge refuses them, or what it
// makes is of the map's own sizes.
static void damage_parts(const relit *l, bsp_blob blobs[PARTS], bsp_bytes parts[PARTS]) {
    const size_t begin = sizeof "BSPKITLIGHT PART 1" - 1 + 32 + 16;
    const bsp_relight_options direct = {.direct = true};
    bsp_blob *blob = &blobs[1];
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 64; i++) {
        bsp_error error;
        size_t at = begin + 12 + i % 24; // the head of the first face, and a luxel
        uint8_t kept = blob->data[at];
        blob->data[at] = (uint8_t)(i % 2 == 0 ? 255 : kept + 1);
        uint32_t sum = bsp_crc32(0, (bsp_bytes){blob->data, blob->size - 4});
        for (uint32_t k = 0; k < 4; k++) {
            blob->data[blob->size - 4 + k] = (uint8_t)(sum >> 8 * k);
        }
        bsp_relight *merged = bsp_relight_merge(l->map, l->file, &direct, parts, PARTS, &error);
        refused += merged == NULL;
        for (uint32_t f = 0; merged != NULL && f < merged->num_faces; f++) {
            assert_true(merged->faces[f].width == l->relight->faces[f].width ||
                        merged->faces[f].luxels == NULL);
        }
        bsp_relight_free(merged);
        blob->data[at] = kept;
    }
    assert_true(refused > 32);
}

static void check_parts(const char *path) {
    const bsp_relight_options direct = {.direct = true};
    relit l = relit_open(path, NULL, &direct);
    bsp_blob blobs[PARTS];
    bsp_bytes parts[PARTS];
    bsp_error error;
    for (uint32_t i = 0; i < PARTS; i++) {
        uint32_t number;
        uint32_t count;
        assert_true(bsp_relight_part_make(l.map, l.file, &direct, i + 1, PARTS, &blobs[i], &error));
        parts[PARTS - 1 - i] = (bsp_bytes){blobs[i].data, blobs[i].size};
        assert_true(bsp_relight_part_read(parts[PARTS - 1 - i], &number, &count, &error));
        assert_true(number == i + 1 && count == PARTS);
    }
    bsp_relight *merged = bsp_relight_merge(l.map, l.file, &direct, parts, PARTS, &error);
    assert_non_null(merged);
    check_equal(l.relight, merged);
    assert_true(l.relight->num_rays == merged->num_rays);
    bsp_relight_free(merged);
    const bsp_relight_options dirty = {.direct = true, .dirt = BSP_DIRT_ON};
    assert_null(bsp_relight_merge(l.map, l.file, &dirty, parts, PARTS, &error)); // other options
    damage_parts(&l, blobs, parts);
    assert_false(bsp_relight_part_make(l.map, l.file, &direct, 4, PARTS, &(bsp_blob){0}, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    for (uint32_t i = 0; i < PARTS; i++) {
        bsp_blob_free(&blobs[i]);
    }
    relit_close(&l);
}

static void test_parts(void **state) {
    (void)state;
    check_parts(BSP_TEST_SAMPLES "/quake/lobby.bsp");
    check_parts(BSP_TEST_SAMPLES "/quake2/lobby.bsp");
    check_parts(BSP_TEST_SAMPLES "/quake3/lobby.bsp");
    check_parts(BSP_TEST_SAMPLES "/quake3/lobby_rbsp.bsp");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_region),  cmocka_unit_test(test_written),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_no_world),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
