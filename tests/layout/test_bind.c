// SPDX-License-Identifier: MIT
// Records to structures and back where the two do not have the same elements, and where there is
// much of either: nothing is cut.
#include "layout/bind.h"
#include "layout/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDE = 700, KEPT = 600, RECORDS = 5 };

// A structure with KEPT numbers, whose field in the file has WIDE of them.
static const bspi_member kept_members[] = {{1, BSP_U32, KEPT, 0, false}};
static const bspi_struct kept_struct = {KEPT * sizeof(uint32_t), kept_members, 1};

static const bsp_field wide_fields[] = {
    {.name = "numbers", .type = BSP_U16, .count = WIDE, .map_member = 1},
    {.name = "after", .type = BSP_U16, .count = 1},
};
static const bsp_layout wide_layout = {"wide_t", 2 * WIDE + 2, wide_fields, 2};

static uint32_t *numbers(void) {
    uint32_t *list = calloc((size_t)RECORDS * KEPT, sizeof *list);
    assert_non_null(list);
    for (uint32_t i = 0; i < RECORDS * KEPT; i++) {
        list[i] = 1 + i % 65535;
    }
    return list;
}

// Little-endian, read without the codec.
static uint32_t u16_at(const uint8_t *bytes, size_t record, size_t element) {
    const uint8_t *p = bytes + record * wide_layout.size + 2 * element;
    return p[0] | (uint32_t)p[1] << 8;
}

static void test_wide_field(void **state) {
    (void)state;
    uint32_t *list = numbers();
    size_t size = (size_t)RECORDS * wide_layout.size;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, 0xCC, size);
    assert_true(bspi_bind_update(&wide_layout, &kept_struct, list, RECORDS, false, bytes, NULL));
    for (size_t r = 0; r < RECORDS; r++) {
        for (size_t e = 0; e < WIDE; e++) {
            assert_int_equal(u16_at(bytes, r, e), e < KEPT ? list[r * KEPT + e] : 0);
        }
        assert_int_equal(u16_at(bytes, r, WIDE), 0xCCCC); // another field
    }
    uint32_t *back = calloc((size_t)RECORDS * KEPT, sizeof *back);
    assert_non_null(back);
    bsp_table table = {&wide_layout, bytes, RECORDS, false};
    bspi_bind_decode(&table, &kept_struct, back);
    assert_memory_equal(back, list, (size_t)RECORDS * KEPT * sizeof *back);
    free(back);
    free(bytes);
    free(list);
}

// The message names the record and the element that do not fit.
static void test_refused(void **state) {
    (void)state;
    uint32_t *list = numbers();
    uint8_t *bytes = calloc(RECORDS, wide_layout.size);
    assert_non_null(bytes);
    list[3 * KEPT + 500] = 65536;
    bsp_error error = {0};
    assert_false(bspi_bind_encode(&wide_layout, &kept_struct, list, RECORDS, false, bytes, &error));
    assert_int_equal(error.code, BSP_E_RANGE);
    assert_int_equal(error.place.record, 3);
    assert_int_equal(error.place.element, 500);
    assert_string_equal(error.place.field, "numbers");
    free(bytes);
    free(list);
}

// A field of indices that nothing becomes says none in each element, however many it has.
static void test_unfed(void **state) {
    (void)state;
    static const bsp_field field = {
        .name = "links", .type = BSP_I16, .count = WIDE, .role = BSP_ROLE_INDEX_NONE};
    const bsp_layout layout = {"links_t", 2 * WIDE, &field, 1};
    uint8_t bytes[2 * 2 * WIDE] = {0};
    assert_true(bspi_bind_encode_default(&layout, 0, 2, true, bytes, NULL));
    for (size_t i = 0; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], 0xFF);
    }
}

// As many fields as a layout may have, each with its member.
static void test_most_fields(void **state) {
    (void)state;
    bsp_field fields[BSPI_LAYOUT_FIELDS] = {{0}};
    bspi_member members[BSPI_LAYOUT_FIELDS];
    uint8_t bytes[2 * BSPI_LAYOUT_FIELDS];
    for (uint16_t f = 0; f < BSPI_LAYOUT_FIELDS; f++) {
        uint16_t map_member = (uint16_t)(f + 1);
        fields[f] =
            (bsp_field){.name = "number", .type = BSP_U8, .count = 1, .map_member = map_member};
        // In memory the other way round, so that one copy does not do it.
        members[f] = (bspi_member){map_member, BSP_U32, 1,
                                   4 * (size_t)(BSPI_LAYOUT_FIELDS - map_member), false};
        bytes[f] = (uint8_t)(f + 3);
        bytes[BSPI_LAYOUT_FIELDS + f] = (uint8_t)(f + 90);
    }
    bsp_layout layout = {"most_t", BSPI_LAYOUT_FIELDS, fields, BSPI_LAYOUT_FIELDS};
    bspi_struct structure = {4 * BSPI_LAYOUT_FIELDS, members, BSPI_LAYOUT_FIELDS};
    bsp_table table = {&layout, bytes, 2, false};
    uint32_t out[2][BSPI_LAYOUT_FIELDS];
    bspi_bind_decode(&table, &structure, out);
    for (uint32_t f = 0; f < BSPI_LAYOUT_FIELDS; f++) {
        assert_int_equal(out[0][BSPI_LAYOUT_FIELDS - 1 - f], f + 3);
        assert_int_equal(out[1][BSPI_LAYOUT_FIELDS - 1 - f], f + 90);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_field),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unfed),
        cmocka_unit_test(test_most_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
