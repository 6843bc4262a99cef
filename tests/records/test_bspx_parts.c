// SPDX-License-Identifier: MIT
// The lumps of BSPX, on files written here byte by byte.
#include "support/splitting.h"

#include "records/bspx.h"

static void test_bspx_find(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 8);
    put_text(&b, "BSPX");
    put32(&b, 2);
    fill(&b, 0, 64);
    size_t offset = 0;
    uint32_t count = 0;
    for (uint64_t end = 5; end <= 8; end++) { // the lumps' end is rounded up to 4
        assert_true(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, end, &offset, &count));
        assert_int_equal(offset, 16);
        assert_int_equal(count, 2);
    }
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, 4, &offset, &count));
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, UINT64_MAX, &offset, &count));
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, 15}, 8, &offset, &count));
    assert_true(bspi_bspx_find((bsp_bytes){b.bytes, 79}, 8, &offset, &count));
    assert_int_equal(count, 1);
}

static void test_brush_list(void **state) {
    (void)state;
    blob b = {.size = 0};
    for (uint32_t model = 0; model < 2; model++) {
        put32(&b, 1);
        put32(&b, model);
        put32(&b, 1);
        put32(&b, 1);
        fill(&b, 0, 24);
        put16(&b, 0xfffe);
        put16(&b, 1);
        fill(&b, 0, 16);
    }
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:BRUSHLIST", BSP_KIND_BYTES);
    assert_issues(&t, 0);
    assert_part(&t, "planes", 0, 44, 16);
    assert_part(&t, "planes", 1, 104, 16);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:BRUSHLIST", BSP_KIND_BYTES);
}

static void test_light_grid(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 41);
    put32(&b, 1);
    fill(&b, 0, 44);
    put32(&b, 1);
    fill(&b, 0, 12);
    put32(&b, 2);
    put32(&b, 2);
    put32(&b, 1);
    fill(&b, 255, 2); // two cells in the wall
    fill(&b, 1, 5);   // one of a sample
    fill(&b, 5, 21);  // one of five
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:LIGHTGRID_OCTREE", BSP_KIND_BYTES);
    assert_issues(&t, 0);
    assert_part(&t, "nodes", 0, 45, 44);
    assert_part(&t, "cells", 1, 117, 2); // 0 is the list
    assert_part(&t, "cells", 2, 119, 5);
    assert_part(&t, "used_styles", 0, 124, 1);
    assert_part(&t, "samples", 0, 125, 20);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:LIGHTGRID_OCTREE", BSP_KIND_BYTES);
}

static void test_bspx_arrays(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 13);
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:RGBLIGHTING", BSP_KIND_BYTES);
    assert_int_equal(t.parse.parts[0].count, 4);
    assert_issue(&t, 0, "lump-odd-size", 12);
    give(&t);
    take(&t, &b, bspi_parse_bspx, "bspx:SOMETHING", BSP_KIND_BYTES);
    assert_int_equal(t.parse.parts[0].kind, BSP_PART_BYTES);
    assert_issues(&t, 0);
    give(&t);
    b.size = 0;
    put32(&b, 1);
    fill(&b, 0, 12 + 24);
    take(&t, &b, bspi_parse_bspx, "bspx:FACENORMALS", BSP_KIND_BYTES);
    assert_part(&t, "normals", 0, 4, 12);
    assert_part(&t, "corners", 0, 16, 24);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:FACENORMALS", BSP_KIND_BYTES);
    assert_int_equal(bsp_bspx_layout("DECOUPLED_LM")->size, 40);
    assert_null(bsp_bspx_layout("BRUSHLIST"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bspx_find),
        cmocka_unit_test(test_brush_list),
        cmocka_unit_test(test_light_grid),
        cmocka_unit_test(test_bspx_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
