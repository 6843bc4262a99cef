// SPDX-License-Identifier: MIT
// The codec against a plain reference of its rules, for every pair of a type on disk and a type in
// memory, in both byte orders; bit fields; values that mean none; refusals.
#include "layout/layout.h"
#include "formats/table.h"
#include "support/floats.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS_MAX = 40, FIELD_MAX = 5, ROUNDS = 20 };

// --- the reference ------------------------------------------------------------------------------

typedef struct number {
    bool is_float;
    int64_t integer;
    uint32_t bits; // of a float
} number;

// Bytes to a number, digit by digit.
static number read_number(const uint8_t *p, bsp_type type, bool big) {
    size_t size = bsp_type_size(type);
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | p[big ? i : size - 1 - i];
    }
    number out = {type == BSP_F32, (int64_t)bits, (uint32_t)bits};
    bool negative = (bits >> (8 * size - 1)) != 0;
    if (negative && (type == BSP_I8 || type == BSP_I16 || type == BSP_I32)) {
        out.integer -= INT64_C(1) << (8 * size);
    }
    return out;
}

static bool host_is_big(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

// What an element in memory should hold: the same number, cut to the type.
static uint32_t memory_bits(number value, bsp_type type) {
    uint32_t mask = UINT32_MAX >> (32 - 8 * bsp_type_size(type));
    if (type == BSP_F32) {
        return value.is_float ? value.bits : bits_of((float)value.integer);
    }
    if (!value.is_float) {
        return (uint32_t)value.integer & mask;
    }
    float f = float_of(value.bits);
    bool inside = f >= -9.2e18F && f <= 9.2e18F;
    return inside ? (uint32_t)(int64_t)f & mask : 0;
}

static bsp_layout one_field(bsp_field *field, bsp_type type, uint16_t count, uint32_t size) {
    memset(field, 0, 2 * sizeof *field);
    field[0].name = "value";
    field[0].type = type;
    field[0].count = count;
    field[1].name = "rest";
    field[1].type = BSP_PAD;
    field[1].count = (uint16_t)(size - count * bsp_type_size(type));
    bsp_layout layout = {"test_t", size, field, field[1].count == 0 ? 1 : 2};
    return layout;
}

// --- decode -------------------------------------------------------------------------------------

static bool is_integer(bsp_type type) {
    return type != BSP_F32;
}

// Bits of a float as a function returns it: on i386 that is in the unit that makes NaNs quiet which
// signal.
static uint32_t returned(uint32_t bits) {
#if defined(__i386__)
    return (bits & 0x7FFFFFFFu) > 0x7F800000u ? bits | 0x00400000u : bits;
#else
    return bits;
#endif
}

static void check_decode(test_random *random, bsp_type from, bsp_type to, uint16_t count,
                         uint32_t pad, bool big) {
    bsp_field fields[2];
    bsp_layout layout =
        one_field(fields, from, count, (uint32_t)(count * bsp_type_size(from)) + pad);
    uint8_t bytes[RECORDS_MAX * (4 * FIELD_MAX + 4)];
    uint8_t memory[RECORDS_MAX * (4 * FIELD_MAX + 8)];
    size_t stride = count * bsp_type_size(to) + pad;
    uint32_t records = 1 + (uint32_t)random_below(random, RECORDS_MAX);
    random_fill(random, bytes, sizeof bytes);
    memset(memory, 0xEE, sizeof memory);
    bsp_table table = {&layout, bytes, records, big};
    bsp_table_decode(&table, 0, to, memory, stride);
    for (uint32_t r = 0; r < records; r++) {
        for (uint32_t e = 0; e < count; e++) {
            number value =
                read_number(bytes + r * layout.size + e * bsp_type_size(from), from, big);
            const uint8_t *at = memory + r * stride + e * bsp_type_size(to);
            number got = read_number(at, to, host_is_big());
            uint32_t mask = UINT32_MAX >> (32 - 8 * bsp_type_size(to));
            if ((got.bits & mask) != memory_bits(value, to)) {
                fail_msg("%s to %s, record %u, element %u", bsp_type_name(from), bsp_type_name(to),
                         r, e);
            }
            if (is_integer(from)) {
                assert_int_equal(bsp_table_int(&table, r, 0, e), value.integer);
            } else {
                assert_int_equal(bits_of(bsp_table_float(&table, r, 0, e)), returned(value.bits));
            }
        }
        for (uint32_t p = 0; p < pad; p++) {
            assert_int_equal(memory[r * stride + count * bsp_type_size(to) + p], 0xEE);
        }
    }
}

static void test_decode(void **state) {
    (void)state;
    test_random random = {1};
    for (int from = BSP_U8; from <= BSP_F32; from++) {
        for (int to = BSP_U8; to <= BSP_F32; to++) {
            for (uint32_t round = 0; round < ROUNDS; round++) {
                uint16_t count = (uint16_t)(1 + random_below(&random, FIELD_MAX));
                check_decode(&random, (bsp_type)from, (bsp_type)to, count, round % 2 * 3,
                             round / 2 % 2 == 1);
            }
        }
    }
}

// --- encode -------------------------------------------------------------------------------------

static int64_t lowest(bsp_type type) {
    size_t size = 8 * bsp_type_size(type);
    bool sign = type == BSP_I8 || type == BSP_I16 || type == BSP_I32;
    return sign ? -(INT64_C(1) << (size - 1)) : 0;
}

static int64_t highest(bsp_type type) {
    size_t size = 8 * bsp_type_size(type);
    bool sign = type == BSP_I8 || type == BSP_I16 || type == BSP_I32;
    return (INT64_C(1) << (sign ? size - 1 : size)) - 1;
}

// True if a number in memory may be written to a field, and what is then read back. Between the two
// types of 32 bits the bits are kept, and none in memory is -1 in small fields with a sign.
static bool fits(number value, bsp_type from, bsp_type to, int64_t *back) {
    float f = float_of(value.bits);
    int64_t integer = value.integer;
    if (value.is_float) {
        integer = f >= -9.2e18F && f <= 9.2e18F ? (int64_t)f : 0;
    }
    if (value.is_float && f == (float)highest(to)) {
        *back = highest(to); // to which 32-bit limits were rounded
        return true;
    }
    bool words = (from == BSP_U32 && to == BSP_I32) || (from == BSP_I32 && to == BSP_U32);
    if (words) {
        *back = to == BSP_I32 ? (int32_t)(uint32_t)integer : (int64_t)(uint32_t)integer;
        return true;
    }
    bool none = integer == (int64_t)BSP_NONE && (to == BSP_I8 || to == BSP_I16);
    *back = none ? -1 : integer;
    return none || (integer >= lowest(to) && integer <= highest(to));
}

// Numbers that fit everywhere.
static void fill_small(uint8_t *memory, bsp_type type) {
    size_t size = bsp_type_size(type);
    for (uint32_t i = 0; i < 8 * 4; i++) {
        uint32_t bits = type == BSP_F32 ? bits_of((float)(i % 100)) : i % 100;
        uint8_t raw[4];
        memcpy(raw, &bits, sizeof raw);
        memcpy(memory + i * size, raw + (host_is_big() ? 4 - size : 0), size);
    }
}

static void check_encode(test_random *random, bsp_type from, bsp_type to, bool small, bool big) {
    bsp_field fields[2];
    bsp_layout layout = one_field(fields, to, 3, 3 * (uint32_t)bsp_type_size(to) + 2);
    uint8_t bytes[8 * 16];
    uint8_t memory[8 * 16];
    uint32_t records = 8;
    size_t from_size = bsp_type_size(from);
    memset(bytes, 0xCC, sizeof bytes);
    random_fill(random, memory, sizeof memory);
    if (small) {
        fill_small(memory, from);
    }
    bsp_error error = {0};
    bool done =
        bsp_table_encode(&layout, records, big, 0, from, memory, 3 * from_size, bytes, &error);
    for (uint32_t n = 0; n < records * 3; n++) {
        number value = read_number(memory + n * from_size, from, host_is_big());
        int64_t back;
        bool allowed = to == BSP_F32 || fits(value, from, to, &back);
        if (!allowed) {
            assert_false(done);
            assert_int_equal(error.code, BSP_E_RANGE);
            assert_int_equal(error.place.record, n / 3);
            assert_string_equal(error.place.field, "value");
            assert_string_equal(error.place.lump, "test_t");
            return;
        }
        number got = read_number(bytes + n / 3 * layout.size + n % 3 * bsp_type_size(to), to, big);
        if (to == BSP_F32) {
            assert_int_equal(got.bits, memory_bits(value, BSP_F32));
        } else {
            assert_int_equal(got.integer, back);
        }
    }
    assert_true(done);
    for (uint32_t r = 0; r < records; r++) {
        assert_int_equal(bytes[r * layout.size + layout.size - 1], 0xCC);
    }
}

static void test_encode(void **state) {
    (void)state;
    test_random random = {2};
    for (int from = BSP_U8; from <= BSP_F32; from++) {
        for (int to = BSP_U8; to <= BSP_F32; to++) {
            for (uint32_t round = 0; round < ROUNDS; round++) {
                check_encode(&random, (bsp_type)from, (bsp_type)to, round / 2 % 2 == 0,
                             round % 2 == 0);
            }
        }
    }
}

static void expect_range(bsp_type type, bool unsigned_none, uint32_t value, bool allowed) {
    bsp_field field = {.name = "value", .type = type, .count = 1, .unsigned_none = unsigned_none};
    bsp_layout layout = {"test_t", (uint32_t)bsp_type_size(type), &field, 1};
    uint8_t bytes[4];
    bsp_error error = {0};
    bool done = bsp_table_encode(&layout, 1, false, 0, BSP_U32, &value, 4, bytes, &error);
    if (done != allowed) {
        fail_msg("%u in %s%s: %s", value, bsp_type_name(type), unsigned_none ? " or none" : "",
                 done ? "taken" : error.message);
    }
}

static void test_limits(void **state) {
    (void)state;
    expect_range(BSP_U8, false, 255, true);
    expect_range(BSP_U8, false, 256, false);
    expect_range(BSP_I8, false, 127, true);
    expect_range(BSP_I8, false, 128, false);
    expect_range(BSP_U16, false, 65535, true);
    expect_range(BSP_U16, false, 65536, false);
    expect_range(BSP_I16, false, 32767, true);
    expect_range(BSP_I16, false, 32768, false);
    expect_range(BSP_I16, false, BSP_NONE, true);
    expect_range(BSP_U16, false, BSP_NONE, false);
    expect_range(BSP_U16, true, BSP_NONE, true);
    expect_range(BSP_U16, true, 65534, true);
    expect_range(BSP_U16, true, 65535, false); // would read back as none
    expect_range(BSP_U32, true, BSP_NONE, true);
}

// Bounds of 32-bit integers are floats in the map; the highest is rounded up there and must be
// written back.
static void test_rounded_limit(void **state) {
    (void)state;
    bsp_field field = {.name = "mins", .type = BSP_I32, .count = 2};
    bsp_layout layout = {"test_t", 8, &field, 1};
    const uint8_t bytes[8] = {0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0x80};
    bsp_table table = {&layout, bytes, 1, false};
    float memory[2];
    uint8_t back[8];
    bsp_table_decode(&table, 0, BSP_F32, memory, sizeof memory);
    assert_true(bsp_table_encode(&layout, 1, false, 0, BSP_F32, memory, 8, back, NULL));
    assert_memory_equal(back, bytes, sizeof bytes);
    memory[0] = 4294967296.0F;
    assert_false(bsp_table_encode(&layout, 1, false, 0, BSP_F32, memory, 8, back, NULL));
}

static void test_refusal_text(void **state) {
    (void)state;
    bsp_field field = {.name = "planenum", .type = BSP_U16, .count = 1};
    bsp_layout layout = {"dface_t", 2, &field, 1};
    const uint32_t planes[3] = {1, 2, 70000};
    uint8_t bytes[6];
    bsp_error error = {0};
    assert_false(bsp_table_encode(&layout, 3, false, 0, BSP_U32, planes, 4, bytes, &error));
    assert_string_equal(error.message, "dface_t[2].planenum = 70000 does not fit (0 to 65535)");
    assert_int_equal(error.place.record, 2);
}

// --- none, strings, bits ------------------------------------------------------------------------

static void test_unsigned_none(void **state) {
    (void)state;
    bsp_field field = {.name = "index", .type = BSP_U16, .count = 1, .unsigned_none = true};
    bsp_layout layout = {"test_t", 2, &field, 1};
    const uint8_t bytes[6] = {0xFF, 0xFF, 0xFE, 0xFF, 7, 0};
    bsp_table table = {&layout, bytes, 3, false};
    uint32_t wide[3];
    uint8_t back[6];
    bsp_table_decode(&table, 0, BSP_U32, wide, sizeof *wide);
    assert_int_equal(wide[0], BSP_NONE);
    assert_int_equal(wide[1], 65534);
    assert_int_equal(wide[2], 7);
    assert_int_equal(bsp_table_int(&table, 0, 0, 0), -1);
    assert_true(bsp_table_encode(&layout, 3, false, 0, BSP_U32, wide, sizeof *wide, back, NULL));
    assert_memory_equal(back, bytes, sizeof bytes);
    uint16_t same[3];
    bsp_table_decode(&table, 0, BSP_U16, same, sizeof *same);
    assert_int_equal(same[0], 65535);
    memset(back, 0, sizeof back);
    assert_true(bsp_table_encode(&layout, 3, false, 0, BSP_U16, same, sizeof *same, back, NULL));
    assert_memory_equal(back, bytes, sizeof bytes);
}

static void test_text(void **state) {
    (void)state;
    bsp_field fields[2] = {{.name = "name", .type = BSP_CHAR, .count = 4},
                           {.name = "pad", .type = BSP_PAD, .count = 1}};
    bsp_layout layout = {"test_t", 5, fields, 2};
    const uint8_t bytes[15] = "ab\0cXabcdX\0\0\0\0";
    bsp_table table = {&layout, bytes, 3, true};
    assert_true(bsp_text_equal(bsp_table_text(&table, 0, 0), bsp_text_of("ab")));
    assert_true(bsp_text_equal(bsp_table_text(&table, 1, 0), bsp_text_of("abcd")));
    assert_int_equal(bsp_table_text(&table, 2, 0).size, 0);
    uint8_t names[12];
    bsp_table_decode(&table, 0, BSP_U8, names, 4);
    assert_memory_equal(names, "ab\0cabcd\0\0\0\0", 12);
}

static const bsp_field bit_fields[] = {
    {.name = "a", .type = BSP_U32, .count = 1, .shift = 0, .bits = 12},
    {.name = "b", .type = BSP_U32, .count = 1, .shift = 12, .bits = 12},
    {.name = "c", .type = BSP_U32, .count = 1, .shift = 24, .bits = 7},
    {.name = "d", .type = BSP_U32, .count = 1, .shift = 31, .bits = 1},
    {.name = "e", .type = BSP_U16, .count = 1, .shift = 0, .bits = 9},
    {.name = "f", .type = BSP_U16, .count = 1, .shift = 9, .bits = 7},
};
static const bsp_layout bit_layout = {"bits_t", 6, bit_fields, 6};

static void test_bits(void **state) {
    (void)state;
    test_random random = {3};
    for (uint32_t round = 0; round < 1000; round++) {
        uint8_t bytes[6] = {0};
        bool big = round % 2 == 1;
        uint32_t values[6];
        for (uint32_t f = 0; f < 6; f++) { // in any order: other bits are left alone
            uint32_t at = (f + round) % 6;
            values[at] = random_u32(&random) & ((1u << bit_fields[at].bits) - 1);
            assert_true(
                bsp_table_encode(&bit_layout, 1, big, at, BSP_U32, &values[at], 4, bytes, NULL));
        }
        uint64_t word = read_number(bytes, BSP_U32, big).bits;
        assert_int_equal(word, values[0] | values[1] << 12 | values[2] << 24 | values[3] << 31);
        uint64_t half = (uint64_t)read_number(bytes + 4, BSP_U16, big).integer;
        assert_int_equal(half, values[4] | values[5] << 9);
        bsp_table table = {&bit_layout, bytes, 1, big};
        for (uint32_t f = 0; f < 6; f++) {
            uint32_t got;
            bsp_table_decode(&table, f, BSP_U32, &got, sizeof got);
            assert_int_equal(got, values[f]);
        }
    }
    uint32_t big_value = 4096;
    uint8_t bytes[6] = {0};
    bsp_error error = {0};
    assert_false(bsp_table_encode(&bit_layout, 1, false, 1, BSP_U32, &big_value, 4, bytes, &error));
    assert_string_equal(error.message, "bits_t[0].b = 4096 does not fit (0 to 4095)");
}

// Compilers for big-endian processors give out bits from the top: the same field of the same
// integer is mirrored in it.
static void test_mirrored_bits(void **state) {
    (void)state;
    bsp_field fields[2] = {
        {.name = "low", .type = BSP_U32, .count = 1, .shift = 0, .bits = 8, .mirrored = true},
        {.name = "high", .type = BSP_U32, .count = 1, .shift = 8, .bits = 24, .mirrored = true},
    };
    bsp_layout layout = {"mirrored_t", 4, fields, 2};
    const uint8_t little[4] = {0xAB, 0x03, 0x02, 0x01};
    const uint8_t big[4] = {0xAB, 0x01, 0x02, 0x03};
    bsp_table of_little = {&layout, little, 1, false};
    bsp_table of_big = {&layout, big, 1, true};
    for (int i = 0; i < 2; i++) {
        const bsp_table *table = i == 0 ? &of_little : &of_big;
        assert_int_equal(bsp_table_int(table, 0, 0, 0), 0xAB);
        assert_int_equal(bsp_table_int(table, 0, 1, 0), 0x010203);
    }
}

// --- every layout there is ----------------------------------------------------------------------

// Random records survive decode and encode of each field, and two turns of the byte order.
static void check_layout(test_random *random, const bsp_layout *layout, bool big) {
    enum { COUNT = 3, ROOM = COUNT * 70000 };
    static uint8_t bytes[ROOM];
    static uint8_t back[ROOM];
    static uint8_t twice[ROOM];
    static uint32_t memory[COUNT * 40000];
    size_t size = (size_t)layout->size * COUNT;
    assert_true(size <= ROOM);
    random_fill(random, bytes, size);
    memset(back, 0, size);
    bsp_table table = {layout, bytes, COUNT, big};
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        bool plain = field->type == BSP_CHAR || field->type == BSP_PAD;
        bool word = field->type == BSP_U8 || field->type == BSP_U16 || field->type == BSP_U32;
        bsp_type type = plain                    ? BSP_U8
                        : field->type == BSP_F32 ? BSP_F32
                        : word                   ? BSP_U32
                                                 : BSP_I32;
        size_t stride = bsp_type_size(type) * field->count;
        bsp_error error = {0};
        assert_true(stride * COUNT <= sizeof memory);
        bsp_table_decode(&table, f, type, memory, stride);
        if (!bsp_table_encode(layout, COUNT, big, f, type, memory, stride, back, &error)) {
            fail_msg("%s", error.message);
        }
    }
    if (memcmp(back, bytes, size) != 0) {
        fail_msg("%s is encoded to other bytes", layout->name);
    }
    bsp_table_reorder(&table, !big, twice);
    bsp_table turned = {layout, twice, COUNT, !big};
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        assert_int_equal(bsp_table_int(&table, 1, f, 0), bsp_table_int(&turned, 1, f, 0));
    }
    bsp_table_reorder(&turned, big, back);
    assert_memory_equal(back, bytes, size);
}

static void check_lists(test_random *random, const bsp_section_list *lists, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t s = 0; s < lists[i].num_sections; s++) {
            check_layout(random, lists[i].sections[s].layout, s % 2 == 0);
            check_layout(random, lists[i].sections[s].layout, s % 2 == 1);
        }
    }
}

static void test_layouts(void **state) {
    (void)state;
    test_random random = {4};
    const bsp_branch *branch;
    for (size_t b = 0; (branch = bsp_branch_at(b)) != NULL; b++) {
        for (uint32_t i = 0; i < branch->num_lumps; i++) {
            const bsp_lump_def *def = &branch->lumps[i];
            for (uint32_t v = 0; v < 2 * def->num_variants; v++) {
                check_layout(&random, def->variants[v / 2].layout, v % 2 == 1);
            }
            check_lists(&random, def->section_lists, def->num_section_lists);
        }
        for (uint32_t i = 0; i < branch->num_game_lumps; i++) {
            check_lists(&random, branch->game_lumps[i].section_lists,
                        branch->game_lumps[i].num_section_lists);
        }
    }
}

static void test_find_field(void **state) {
    (void)state;
    const bsp_field fields[] = {
        {.name = "plane", .type = BSP_U32, .count = 1},
        {.name = "planes", .type = BSP_U32, .count = 1},
    };
    const bsp_layout layout = {.name = "two", .size = 8, .fields = fields, .num_fields = 2};
    assert_int_equal(bsp_layout_find_field(&layout, bsp_text_of("plane")), 0);
    assert_int_equal(bsp_layout_find_field(&layout, bsp_text_of("planes")), 1);
    assert_int_equal(bsp_layout_find_field(&layout, bsp_text_of("plan")), BSP_NONE);
    assert_int_equal(bsp_layout_find_field(&layout, bsp_text_of("Plane")), BSP_NONE);
    assert_int_equal(bsp_layout_find_field(&layout, bsp_text_of("")), BSP_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),        cmocka_unit_test(test_encode),
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_rounded_limit),
        cmocka_unit_test(test_refusal_text),  cmocka_unit_test(test_unsigned_none),
        cmocka_unit_test(test_text),          cmocka_unit_test(test_bits),
        cmocka_unit_test(test_mirrored_bits), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_find_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
