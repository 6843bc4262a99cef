// SPDX-License-Identifier: MIT
// Records of one field, decoded and encoded again: the same bytes for every type and any number of
// elements that a field can state.
#include "bspkit/bspkit.h"
#include "records/encode.h"
#include "records/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_ELEMENTS 65535u
#define RECORDS 3u

static void check_size(uint8_t *in, uint8_t *out, bsp_type type, uint32_t count, uint32_t records,
                       bool big_endian) {
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    const bsp_field field = {.name = "value", .type = type, .count = (uint16_t)count};
    const uint32_t size = (uint32_t)bsp_type_size(type) * count;
    const bsp_layout layout = {.name = "one", .size = size, .fields = &field, .num_fields = 1};
    const bsp_table table = {&layout, in, records, big_endian};
    bsp_error error = {0};
    memset(out, 0xEE, (size_t)size * records + 1);
    assert_true(bspi_encode_table(&table, &heap, out, &error));
    assert_memory_equal(in, out, (size_t)size * records);
    assert_int_equal(out[(size_t)size * records], 0xEE);
}

// The number of elements at which any power of two of bytes is reached, and those beside it; more
// at steps that share no factor with it.
static bool is_looked_at(uint32_t count) {
    uint32_t above = count + 1;
    uint32_t below = count - 1;
    return count < 64 || (count & below) == 0 || (above & count) == 0 ||
           (below & (below - 1)) == 0 || count % 997 == 0 || count == 65534;
}

static void test_field_sizes(void **state) {
    (void)state;
    const size_t room = (size_t)MOST_ELEMENTS * 4 * RECORDS + 1;
    uint8_t *in = malloc(room);
    uint8_t *out = malloc(room);
    assert_true(in != NULL && out != NULL);
    for (size_t i = 0; i < room; i++) {
        in[i] = (uint8_t)(i * 7 + i / 251) & 0x7F; // no float that is not a number
    }
    for (int type = BSP_U8; type <= BSP_PAD; type++) {
        for (uint32_t count = 1; count <= MOST_ELEMENTS; count++) {
            if (is_looked_at(count)) {
                check_size(in, out, (bsp_type)type, count, 1 + count % RECORDS, count % 2 == 0);
            }
        }
    }
    free(in);
    free(out);
}

// Two records of zeros.
static void check_layout(const bsp_layout *layout) {
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    uint8_t *in = calloc(2, layout->size);
    uint8_t *out = malloc(2 * (size_t)layout->size);
    assert_true(in != NULL && out != NULL);
    const bsp_table table = {layout, in, 2, false};
    assert_true(bspi_encode_table(&table, &heap, out, NULL));
    assert_memory_equal(in, out, 2 * (size_t)layout->size);
    free(in);
    free(out);
}

// VBSP 17 to 19 have a record that is one field of 32,768 bytes.
static void test_layouts(void **state) {
    (void)state;
    uint32_t most = 0;
    const bsp_branch *branch;
    for (size_t b = 0; (branch = bsp_branch_at(b)) != NULL; b++) {
        for (uint32_t i = 0; i < branch->num_lumps; i++) {
            const bsp_lump_def *def = &branch->lumps[i];
            for (uint32_t v = 0; v < def->num_variants; v++) {
                const bsp_layout *layout = def->variants[v].layout;
                check_layout(layout);
                for (uint32_t f = 0; f < layout->num_fields; f++) {
                    most = layout->fields[f].count > most ? layout->fields[f].count : most;
                }
            }
        }
    }
    assert_true(most >= 32768);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_sizes),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
