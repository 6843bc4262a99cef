// SPDX-License-Identifier: MIT
// The splitters of the physics lumps, on lumps written here byte by byte, in both byte orders.
#include "support/splitting.h"

// Compilers for big-endian processors give out bits from the top.
static uint32_t bits(const blob *b, uint32_t low, uint32_t width, uint32_t high) {
    return b->big_endian ? low << (32 - width) | high : high << width | low;
}

#define SOLID_AT 16 // the size of the first solid
#define SURFACE_AT (SOLID_AT + 4 + 28)
#define LEDGE_AT (SURFACE_AT + 48)
#define POINTS_AT (LEDGE_AT + 2 * 32)
#define NODES_AT (POINTS_AT + 6 * 16)
#define SOLID_END (NODES_AT + 3 * 28)

static void put_ledge(blob *b, uint32_t first_point) {
    put32(b, (uint32_t)(POINTS_AT - b->size));
    put32(b, 0);
    put32(b, bits(b, 4, 8, 5));
    put16(b, 1);
    put16(b, 0);
    put32(b, bits(b, 0, 12, 0));
    for (uint32_t i = 0; i < 3; i++) {
        put32(b, bits(b, first_point + i, 16, 0));
    }
}

static void put_node(blob *b, uint32_t right, uint32_t ledge) {
    put32(b, right);
    put32(b, ledge);
    fill(b, 0, 20);
}

// One model of one solid: a node over two ledges, which share an array of six points.
static blob physics_lump(bool big_endian) {
    blob b = {.big_endian = big_endian};
    put32(&b, 0);
    put32(&b, SOLID_END - SOLID_AT);
    put32(&b, 5);
    put32(&b, 1);
    put32(&b, SOLID_END - SOLID_AT - 4);
    put32(&b, 0x59485056);
    put16(&b, 0x100);
    put16(&b, 0);
    put32(&b, SOLID_END - SURFACE_AT);
    fill(&b, 0, 16);
    fill(&b, 0, 28);
    put32(&b, bits(&b, 215, 8, SOLID_END - SURFACE_AT));
    put32(&b, NODES_AT - SURFACE_AT);
    put32(&b, 0);
    put32(&b, 0);
    put32(&b, 0x53505649);
    put_ledge(&b, 0);
    put_ledge(&b, 3);
    fill(&b, 1, 6 * 16);
    put_node(&b, 56, 0);
    put_node(&b, 0, (uint32_t)(LEDGE_AT - (NODES_AT + 28)));
    put_node(&b, 0, (uint32_t)(LEDGE_AT + 32 - (NODES_AT + 56)));
    assert_int_equal(b.size, SOLID_END);
    put_text(&b, "a{}\n");
    fill(&b, 0, 1);
    put32(&b, 0xffffffff);
    put32(&b, 0xffffffff);
    fill(&b, 0, 8);
    return b;
}

static void check_physics(bool big_endian) {
    blob b = physics_lump(big_endian);
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 0);
    assert_part(&t, "size", 0, SOLID_AT, 4);
    assert_part(&t, "VPHY", 0, SOLID_AT + 4, 8);
    assert_part(&t, "header", 0, SOLID_AT + 12, 20);
    assert_part(&t, "surface", 0, SURFACE_AT, 48);
    assert_part(&t, "triangles", 0, LEDGE_AT + 16, 16);
    assert_part(&t, "triangles", 1, LEDGE_AT + 48, 16);
    assert_part(&t, "points", 1, POINTS_AT, 96); // 0 is the list
    assert_part(&t, "nodes", 1, NODES_AT, 84);
    assert_part(&t, "keydata", 0, SOLID_END, 4);
    assert_part(&t, "terminator", 0, SOLID_END + 5, 16);
    // The bit fields read the same in both orders.
    const bsp_layout *layout = find(&t, "surface", 0)->layout;
    bsp_table table = {layout, t.copy + SURFACE_AT, 1, big_endian};
    uint32_t field = bsp_layout_find_field(layout, bsp_text_of("byte_size"));
    assert_int_equal(bsp_table_int(&table, 0, field, 0), SOLID_END - SURFACE_AT);
    give(&t);
    torture(&b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
}

static void test_physics(void **state) {
    (void)state;
    check_physics(false);
    check_physics(true);
}

static void test_physics_cycles(void **state) {
    (void)state;
    blob b = physics_lump(false);
    set32(&b, NODES_AT + 28, (uint32_t)-28); // the left child's right child is the root
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", SURFACE_AT);
    assert_part(&t, "nodes", 1, NODES_AT, 84);
    give(&t);
    b = physics_lump(false);
    set32(&b, 4, 0x7fffffff);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", 0);
    assert_null(find(&t, "solid", 0));
    give(&t);
}

#define MOPP_AT (SOLID_AT + 4 + 12)
#define ROW_AT (MOPP_AT + 48)
#define ROW_POINTS_AT (ROW_AT + 2 * 32)
#define CODE_AT (ROW_POINTS_AT + 6 * 16)
#define CODE_BYTES 7
#define MOPP_END (CODE_AT + 20 + CODE_BYTES)

static void put_row_ledge(blob *b, uint32_t first_point) {
    put_ledge(b, first_point);
    uint32_t at = (uint32_t)b->size - 32;
    set32(b, at, ROW_POINTS_AT - at);
}

// One model of one solid below MOPP code: two ledges in a row, their points, code.
static blob mopp_lump(bool big_endian) {
    blob b = {.big_endian = big_endian};
    put32(&b, 0);
    put32(&b, MOPP_END - SOLID_AT);
    put32(&b, 0);
    put32(&b, 1);
    put32(&b, MOPP_END - SOLID_AT - 4);
    put32(&b, 0x59485056);
    put16(&b, 0x100);
    put16(&b, 1);
    put32(&b, MOPP_END - MOPP_AT);
    fill(&b, 0, 28);
    put32(&b, bits(&b, 249, 8, MOPP_END - MOPP_AT));
    put32(&b, CODE_AT - MOPP_AT);
    put32(&b, ROW_AT - MOPP_AT);
    put32(&b, 0);
    put32(&b, 0x50504f4d);
    put_row_ledge(&b, 0);
    put_row_ledge(&b, 3);
    fill(&b, 1, 6 * 16);
    put32(&b, 20 + CODE_BYTES);
    fill(&b, 2, 16);
    fill(&b, 0x30, CODE_BYTES);
    assert_int_equal(b.size, MOPP_END);
    put32(&b, 0xffffffff);
    put32(&b, 0xffffffff);
    fill(&b, 0, 8);
    return b;
}

static void check_mopp(bool big_endian) {
    blob b = mopp_lump(big_endian);
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 0);
    assert_part(&t, "header", 0, SOLID_AT + 12, 4);
    assert_part(&t, "surface", 0, MOPP_AT, 48);
    assert_part(&t, "triangles", 0, ROW_AT + 16, 16);
    assert_part(&t, "triangles", 1, ROW_AT + 48, 16);
    assert_part(&t, "points", 1, ROW_POINTS_AT, 96);
    assert_part(&t, "code", 0, CODE_AT, 20);
    assert_part(&t, "bytes", 0, CODE_AT + 20, CODE_BYTES);
    give(&t);
    torture(&b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
}

static void test_mopp(void **state) {
    (void)state;
    check_mopp(false);
    check_mopp(true);
}

static void test_mopp_damaged(void **state) {
    (void)state;
    taken t;
    blob b = mopp_lump(false);
    set32(&b, MOPP_AT + 32, MOPP_END - MOPP_AT - 19); // no room for the head of the code
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", MOPP_AT);
    assert_part(&t, "mopp", 0, MOPP_AT, MOPP_END - MOPP_AT);
    give(&t);
    b = mopp_lump(false);
    set32(&b, ROW_AT, ROW_POINTS_AT - ROW_AT + 4); // four bytes between ledges and points
    set32(&b, ROW_AT + 32, ROW_POINTS_AT - ROW_AT - 32 + 4);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", MOPP_AT);
    give(&t);
    b = mopp_lump(false);
    set32(&b, CODE_AT, 20 + CODE_BYTES + 1);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", CODE_AT);
    assert_null(find(&t, "bytes", 0));
    give(&t);
}

// Two hulls of a displacement: 2 triangles and 1 edge, then 1 and 3.
static void test_phys_disp_hulls(void **state) {
    (void)state;
    static const uint8_t heads[14] = {2, 0, 0, 0, 2, 0, 1, 0, 0, 1, 0, 3, 0, 9};
    blob b = {.size = 0};
    put16(&b, 1);
    put16(&b, 14 + 8 + 2 + 4 + 6);
    for (size_t i = 0; i < sizeof heads; i++) {
        fill(&b, heads[i], 1);
    }
    fill(&b, 5, 8 + 2 + 4 + 6);
    taken t;
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_issues(&t, 0);
    assert_part(&t, "heads", 0, 8, 10);
    assert_part(&t, "triangles", 0, 18, 8);
    assert_part(&t, "edges", 0, 26, 2);
    assert_part(&t, "triangles", 1, 28, 4);
    assert_part(&t, "edges", 1, 32, 6);
    give(&t);
    torture(&b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    b.bytes[8]++; // a third triangle: what fits no more is a blob
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_null(find(&t, "heads", 0));
    assert_part(&t, "blob", 0, 4, 34);
    give(&t);
}

static void test_phys_disp(void **state) {
    (void)state;
    blob b = {.size = 0};
    put16(&b, 3);
    put16(&b, 2);
    put16(&b, 0xffff);
    put16(&b, 1);
    fill(&b, 8, 3);
    taken t;
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_part(&t, "sizes", 0, 2, 6);
    assert_part(&t, "blob", 0, 8, 2);
    assert_part(&t, "blob", 1, 10, 0);
    assert_part(&t, "blob", 2, 10, 1);
    assert_issues(&t, 0);
    give(&t);
    torture(&b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_physics),
        cmocka_unit_test(test_physics_cycles),
        cmocka_unit_test(test_mopp),
        cmocka_unit_test(test_mopp_damaged),
        cmocka_unit_test(test_phys_disp_hulls),
        cmocka_unit_test(test_phys_disp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
