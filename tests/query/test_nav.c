// SPDX-License-Identifier: MIT
// Navigation meshes: that of our lobby against what tools/make_nav.py says of it, and damaged ones.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/nav.h"
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

#define LOBBY BSP_TEST_SAMPLES "/source/lobby.nav"

static bsp_blob read_lobby(void) {
    bsp_blob blob;
    assert_true(bsp_blob_read(LOBBY, NULL, NULL, &blob, NULL));
    return blob;
}

static void test_lobby(void **state) {
    (void)state;
    bsp_error error;
    bsp_nav *nav = bsp_nav_open(LOBBY, NULL, &error);
    assert_non_null(nav);
    assert_int_equal(nav->version, 16);
    assert_int_equal(nav->subversion, 0);
    assert_int_equal(nav->extra, BSP_NAV_PLAIN);
    assert_int_equal(nav->unread, 0);
    assert_true(nav->analyzed);
    assert_int_equal(nav->num_places, 2);
    assert_true(bsp_text_equal(nav->places[1], bsp_text_of("Corridor")));
    assert_int_equal(nav->num_areas, 12);
    const bsp_nav_area *first = &nav->areas[0];
    assert_int_equal(first->num_connections, 3);
    const uint32_t south[3] = {1, 3, 2}; // ids 2, 4, 3
    for (int i = 0; i < 3; i++) {
        assert_int_equal(nav->connections[first->first_connection + (uint32_t)i].to, south[i]);
        assert_int_equal(nav->connections[first->first_connection + (uint32_t)i].way,
                         BSP_NAV_SOUTH);
    }
    assert_int_equal(first->place, 0);
    assert_int_equal(first->num_visible, 2);
    assert_float_equal(first->light[3], 0.25, 0);
    assert_int_equal(nav->areas[11].num_spots, 2);
    assert_float_equal(nav->spots[nav->areas[11].first_spot + 1].origin[0], 600, 0);
    assert_int_equal(nav->spots[nav->areas[11].first_spot + 1].flags, 8);
    assert_int_equal(nav->areas[9].place, BSP_NONE);
    const bsp_nav_area *basin = &nav->areas[4];
    assert_int_equal(basin->num_connections, 1);
    assert_int_equal(nav->connections[basin->first_connection].way, BSP_NAV_UP);
    assert_int_equal(nav->connections[basin->first_connection].to, 0);
    assert_int_equal(nav->num_ladders, 1);
    assert_float_equal(nav->ladders[0].length, 48, 0);
    const uint32_t ends[5] = {1, BSP_NONE, BSP_NONE, BSP_NONE, 4};
    assert_memory_equal(nav->ladders[0].areas, ends, sizeof ends);
    bsp_nav_free(nav);
}

// The stairs fall from -16 to -64 over 96 units.
static void test_find(void **state) {
    (void)state;
    bsp_nav *nav = bsp_nav_open(LOBBY, NULL, NULL);
    assert_non_null(nav);
    assert_float_equal(bsp_nav_height(nav, 8, 480, 64), -40, 1e-4);
    assert_int_equal(bsp_nav_find(nav, (const float[3]){480, 64, -40}), 8);
    assert_int_equal(bsp_nav_find(nav, (const float[3]){480, 64, -45}), 8); // 5 below
    assert_int_equal(bsp_nav_find(nav, (const float[3]){480, 64, -45.5F}), BSP_NONE);
    assert_int_equal(bsp_nav_find(nav, (const float[3]){480, 64, 80}), 8); // 120 above
    assert_int_equal(bsp_nav_find(nav, (const float[3]){480, 64, 80.5F}), BSP_NONE);
    assert_int_equal(bsp_nav_find(nav, (const float[3]){64, 184, -40}), 4); // the basin
    assert_int_equal(bsp_nav_find(nav, (const float[3]){-1, 8, 0}), BSP_NONE);
    assert_string_equal(bsp_nav_flag_name(4096), "stairs");
    assert_string_equal(bsp_nav_flag_name(0x80000000u), "nav_blocker");
    assert_null(bsp_nav_flag_name(3));
    assert_null(bsp_nav_flag_name(0x10000));
    bsp_nav_free(nav);
}

static bsp_code code_of(bsp_bytes bytes) {
    bsp_error error = {.code = BSP_OK};
    bsp_nav *nav = bsp_nav_open_memory(bytes, NULL, &error);
    bsp_nav_free(nav);
    return nav != NULL ? BSP_OK : error.code;
}

static void test_shortened(void **state) {
    (void)state;
    bsp_blob blob = read_lobby();
    for (size_t size = 0; size < blob.size; size++) {
        uint8_t *copy = malloc(size + 1); // so that sanitizers see the end
        assert_non_null(copy);
        memcpy(copy, blob.data, size);
        bsp_code code = code_of((bsp_bytes){copy, size});
        assert_int_equal(code, size < 4 ? BSP_E_FORMAT : BSP_E_DAMAGED);
        free(copy);
    }
    bsp_blob_free(&blob);
}

static void test_damaged(void **state) {
    (void)state;
    bsp_blob blob = read_lobby();
    uint8_t *data = malloc(blob.size);
    assert_non_null(data);
    for (int i = 0; i < 3; i++) {
        static const uint8_t at[3] = {0, 4, 8}; // magic, version, subversion
        static const uint8_t value[3] = {1, 17, 15};
        // A subversion that is not known is read if an area's end is found.
        static const bsp_code codes[3] = {BSP_E_FORMAT, BSP_E_UNSUPPORTED, BSP_OK};
        memcpy(data, blob.data, blob.size);
        data[at[i]] = value[i];
        assert_int_equal(code_of((bsp_bytes){data, blob.size}), codes[i]);
    }
    data[blob.size - 1] ^= 1; // still that subversion: the last area of the ladder has no such id
    assert_int_equal(code_of((bsp_bytes){data, blob.size}), BSP_OK);
    assert_int_equal(code_of((bsp_bytes){data, blob.size - 1}), BSP_E_UNSUPPORTED);
    for (size_t at = 4; at + 4 <= blob.size; at++) { // counts of anything
        memcpy(data, blob.data, blob.size);
        memset(data + at, 0xFF, 4);
        (void)code_of((bsp_bytes){data, blob.size});
    }
    free(data);
    bsp_blob_free(&blob);
}

static void test_memory(void **state) {
    (void)state;
    bsp_blob blob = read_lobby();
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    const bsp_nav_options options = {.allocator = &allocator};
    bsp_nav *nav = NULL;
    for (uint64_t n = 1; nav == NULL; n++) {
        bsp_error error = {.code = BSP_OK};
        meter.requests = 0;
        meter.fail_at = n;
        nav = bsp_nav_open_memory((bsp_bytes){blob.data, blob.size}, &options, &error);
        assert_true(nav != NULL || error.code == BSP_E_MEMORY);
        assert_true(nav != NULL || meter.live == 0);
    }
    bsp_nav_free(nav);
    assert_int_equal(meter.live, 0);
    assert_false(meter.wrong);
    bsp_nav_free(NULL);
    bsp_blob_free(&blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lobby),     cmocka_unit_test(test_find),
        cmocka_unit_test(test_shortened), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
