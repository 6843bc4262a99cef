// SPDX-License-Identifier: MIT
// The JSON reader: values that are read, those that are passed over, and texts that are none.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/json_read.h"

#include <string.h>

static bool is(bsp_text text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

static void test_values(void **state) {
    (void)state;
    bspi_json_reader json = {
        .text =
            bsp_text_of(" { \"a\" : [1, -2.5e1,true ,false] , \"b\\\"c\":\"x\\\\\" ,\"d\":{}}\n")};
    assert_true(bspi_json_enter(&json, '{') && bspi_json_next(&json, '}'));
    assert_true(is(bspi_json_name(&json), "a") && bspi_json_enter(&json, '['));
    const double wanted[] = {1, -25, 1, 0};
    for (int i = 0; i < 4; i++) {
        assert_true(bspi_json_next(&json, ']') && bspi_json_number(&json) == wanted[i]);
    }
    assert_false(bspi_json_next(&json, ']'));
    assert_true(bspi_json_next(&json, '}') && is(bspi_json_name(&json), "b\\\"c"));
    assert_true(is(bspi_json_text(&json), "x\\\\") && bspi_json_next(&json, '}'));
    assert_true(is(bspi_json_name(&json), "d") && bspi_json_enter(&json, '{'));
    assert_false(bspi_json_next(&json, '}') || bspi_json_next(&json, '}'));
    assert_true(bspi_json_at_end(&json) && !json.failed);
}

static void test_skip(void **state) {
    (void)state;
    static const char *const values[] = {"1",  "null",      "\"]}\"", "{}",
                                         "[]", "[[{}],[]]", "true",   "{\"a\":[1,{\"b\":\"}\"}]}"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        bspi_json_reader json = {.text = bsp_text_of(values[i])};
        bspi_json_skip(&json);
        assert_true(bspi_json_at_end(&json));
    }
}

static void test_none(void **state) {
    (void)state;
    static const char *const texts[] = {"",       "{",     "{\"a\"",  "{\"a\":", "{\"a\":[}",  "[}",
                                        "{\"a:1", "{a:1}", "{\"a\"1", "{,}",     "{\"a\":\"\\"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bspi_json_reader json = {.text = bsp_text_of(texts[i])};
        (void)bspi_json_enter(&json, '{');
        while (bspi_json_next(&json, '}')) {
            (void)bspi_json_name(&json);
            bspi_json_skip(&json);
        }
        assert_false(bspi_json_at_end(&json));
    }
    bspi_json_reader words = {.text = bsp_text_of("nine")};
    assert_true(bspi_json_number(&words) == 0 && words.failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_skip),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
