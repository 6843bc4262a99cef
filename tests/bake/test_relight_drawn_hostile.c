// SPDX-License-Identifier: MIT
// Light of Quake 3 in maps that no compiler made: those without pages of light are refused, long
// rows of visibility are paid for, and the sizes of patches may be any numbers.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/relight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/quake3/lobby.bsp"

// The sample, and a copy of it that is changed.
typedef struct changed {
    bsp_file *file;
    bsp_map *loaded;
    bsp_map map;
} changed;

static changed open_sample(void) {
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    changed c = {.file = bsp_file_open(SAMPLE, NULL, NULL)};
    assert_non_null(c.file);
    c.loaded = bsp_map_load(c.file, &load, NULL);
    assert_non_null(c.loaded);
    c.map = *c.loaded;
    return c;
}

static void close_sample(changed *c) {
    bsp_map_free(c->loaded);
    bsp_file_close(c->file);
}

// Memory that is not as new: what is not set by its user is seen.
static void *resize_used(void *user, void *memory, size_t old_size, size_t new_size) {
    (void)user;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    uint8_t *to = realloc(memory, new_size);
    if (to != NULL && new_size > old_size) {
        memset(to + old_size, 0xA5, new_size - old_size);
    }
    return to;
}

// A map whose pages of light are nowhere is refused.
static void test_no_pages(void **state) {
    (void)state;
    static const bsp_allocator used = {.resize = resize_used};
    const bsp_relight_options how = {.force = true, .allocator = &used};
    bsp_error error;
    changed c = open_sample();
    c.map.light.size = 0;
    assert_null(bsp_relight_build(&c.map, c.file, &how, &error));
    assert_int_equal(error.code, BSP_E_UNSUPPORTED);
    close_sample(&c);
}

// Rows of what clusters see may be as long as the lump. Leaves without faces take none, and those
// with some pay for theirs.
static void test_long_rows(void **state) {
    (void)state;
    enum { LEAVES = 20000, ROW = 1 << 20 };
    const uint32_t offset = 0;
    const bsp_limits limits = {.work = 200000000};
    bsp_error error;
    changed c = open_sample();
    uint32_t count = c.map.num_leaves;
    bsp_leaf *leaves = calloc(count + LEAVES, sizeof *leaves);
    uint8_t *row = calloc(ROW, 1);
    assert_true(leaves != NULL && row != NULL);
    memcpy(leaves, c.map.leaves, count * sizeof *leaves);
    for (uint32_t i = 0; i < LEAVES; i++) { // of no surface that counts
        leaves[count + i] = (bsp_leaf){.first_face = c.map.num_leaf_faces, .num_faces = i % 2};
    }
    c.map.leaves = leaves;
    c.map.num_leaves += LEAVES;
    c.map.visibility =
        (bsp_visibility){.num_clusters = 1, .row_bytes = ROW, .pvs = &offset, .rows = {row, ROW}};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    const bsp_relight_options how = {.force = true, .direct = true, .budget = budget};
    assert_null(bsp_relight_build(&c.map, c.file, &how, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_budget_free(budget);
    free(row);
    free(leaves);
    close_sample(&c);
}

// A patch that has no point across and as many down as 32 bits count has none; one with an even
// number of points is no patch. Neither is lit, nor cut, for ever.
static void test_patch_sizes(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{0, UINT32_MAX}, {UINT32_MAX, 0}, {2, 2}, {1, 3}};
    changed c = open_sample();
    bsp_face *faces = calloc(c.map.num_faces, sizeof *faces);
    uint32_t patches = 0;
    assert_non_null(faces);
    memcpy(faces, c.map.faces, c.map.num_faces * sizeof *faces);
    for (uint32_t f = 0; f < c.map.num_faces; f++) {
        if (faces[f].type == BSP_FACE_PATCH) {
            const uint32_t *size = sizes[patches++ % (sizeof sizes / sizeof *sizes)];
            faces[f].patch_width = size[0];
            faces[f].patch_height = size[1];
        }
    }
    assert_true(patches > 0);
    c.map.faces = faces;
    const bsp_relight_options how = {
        .force = true, .bounces = 1, .preview = true, .patch_shadows = true};
    bsp_relight *relight = bsp_relight_build(&c.map, c.file, &how, NULL);
    assert_non_null(relight);
    bsp_relight_free(relight);
    free(faces);
    close_sample(&c);
}

// A patch of three quadrangles, of which two are bent so little that light is measured on each as
// on a plane, but thrown by two triangles. Numbers of their normals are so large that these are
// none: there are more triangles to measure at than were found.
static void test_patch_facets(void **state) {
    (void)state;
    enum { WIDE = 3, HIGH = 7 };
    static const float most = 1.5e38f;
    static const float up[4][2] = {{0, 0.45f}, {0, 0}, {0.45f, 0}, {8, 12}}; // rows; left, right
    const float normals[4][2] = {
        {most, -2 * most}, {most, 1}, {most, -2 * most}, {-2 * most, most}};
    changed c = open_sample();
    bsp_face *faces = calloc(c.map.num_faces, sizeof *faces);
    bsp_draw_vert *verts = calloc(c.map.num_draw_verts, sizeof *verts);
    assert_true(faces != NULL && verts != NULL && c.map.num_draw_verts >= WIDE * HIGH);
    memcpy(faces, c.map.faces, c.map.num_faces * sizeof *faces);
    memcpy(verts, c.map.draw_verts, c.map.num_draw_verts * sizeof *verts);
    uint32_t patch = 0;
    while (patch + 1 < c.map.num_faces && faces[patch].type != BSP_FACE_PATCH) {
        patch++;
    }
    faces[patch].first_vert = 0;
    faces[patch].num_verts = WIDE * HIGH;
    faces[patch].patch_width = WIDE;
    faces[patch].patch_height = HIGH;
    for (uint32_t n = 0; n < WIDE * HIGH; n++) {
        uint32_t x = n % WIDE;
        uint32_t y = n / WIDE;
        float z = 0;
        for (uint32_t k = 0; k < 4; k++) { // those in between are on the lines
            z += up[(y + k % 2) / 2][(x + k / 2) / 2] / 4;
        }
        verts[n] = (bsp_draw_vert){.point = {20 * (float)x, 20 * (float)y, 100 + z}};
        verts[n].normal[2] = x % 2 == 0 && y % 2 == 0 ? normals[y / 2][x / 2] : 1;
        verts[n].light_uv[0][0] = 0.1f + 0.02f * (float)(x + y); // aslant on the page
        verts[n].light_uv[0][1] = 0.1f + 0.02f * (float)(WIDE - x + y);
    }
    verts[0].light_uv[0][0] = INFINITY;
    c.map.faces = faces;
    c.map.draw_verts = verts;
    const bsp_relight_options how = {.force = true, .direct = true};
    bsp_relight *relight = bsp_relight_build(&c.map, c.file, &how, NULL);
    assert_non_null(relight);
    bsp_relight_free(relight);
    free(verts);
    free(faces);
    close_sample(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_pages), cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_patch_sizes), cmocka_unit_test(test_patch_facets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
