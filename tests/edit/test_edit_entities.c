// SPDX-License-Identifier: MIT
// Entity text with changes: what was asked for, and not a byte else.
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})

static const char text[] =
    "{\n\"classname\" \"worldspawn\"\n\"message\" \"\"\n}\n"
    "{\r\n  \"classname\"   \"light\" // lamp\n\"light\" \"300\" \"style\" \"1\"\n"
    "\"_Light\" \"2\"}\n{ classname info_null }\n\0";

static void expect(bsp_text from, const bsp_entity_change *changes, uint32_t count,
                   bsp_text wanted) {
    bsp_error error = {0};
    bsp_blob out;
    bsp_entities *entities = bsp_entities_parse(from, NULL, NULL, &error);
    assert_non_null(entities);
    if (!bsp_entities_change(entities, changes, count, NULL, &out, &error)) {
        fail_msg("%s", error.message);
    }
    if (out.size != wanted.size || memcmp(out.data, wanted.data, out.size) != 0) {
        fail_msg("got:\n%.*s\nwanted:\n%.*s", (int)out.size, (const char *)out.data,
                 (int)wanted.size, wanted.data);
    }
    bsp_blob_free(&out);
    bsp_entities_free(entities);
}

static void test_nothing(void **state) {
    (void)state;
    expect(T(text), NULL, 0, T(text));
}

static void test_set(void **state) {
    (void)state;
    // An empty value, a value among others, a new key, a word without quotes; the last of two
    // counts.
    const bsp_entity_change changes[] = {
        {BSP_ENTITY_SET, 0, T("MESSAGE"), T("hello")},
        {BSP_ENTITY_SET, 1, T("light"), T("1")},
        {BSP_ENTITY_SET, 1, T("light"), T("250")},
        {BSP_ENTITY_SET, 1, T("angle"), T("-1")},
        {BSP_ENTITY_SET, 2, T("classname"), T("info_notnull")},
    };
    expect(T(text), changes, 5,
           T("{\n\"classname\" \"worldspawn\"\n\"message\" \"hello\"\n}\n"
             "{\r\n  \"classname\"   \"light\" // lamp\n\"light\" \"250\" \"style\" \"1\"\n"
             "\"_Light\" \"2\"\"angle\" \"-1\"\n}\n{ classname \"info_notnull\" }\n\0"));
}

static void test_unset(void **state) {
    (void)state;
    const bsp_entity_change changes[] = {
        {BSP_ENTITY_UNSET, 0, T("message"), {NULL, 0}},
        {BSP_ENTITY_UNSET, 1, T("style"), {NULL, 0}},
        {BSP_ENTITY_UNSET, 1, T("nothing"), {NULL, 0}},
    };
    expect(T(text), changes, 3,
           T("{\n\"classname\" \"worldspawn\"\n}\n"
             "{\r\n  \"classname\"   \"light\" // lamp\n\"light\" \"300\" \n"
             "\"_Light\" \"2\"}\n{ classname info_null }\n\0"));
}

static void test_rename_remove_add(void **state) {
    (void)state;
    const bsp_entity_change changes[] = {
        {BSP_ENTITY_RENAME, 1, T("_light"), T("_color")},
        {BSP_ENTITY_REMOVE, 2, {NULL, 0}, {NULL, 0}},
        {BSP_ENTITY_ADD, 0, {NULL, 0}, T("{\n\"classname\" \"light\"\n}")},
    };
    expect(T(text), changes, 3,
           T("{\n\"classname\" \"worldspawn\"\n\"message\" \"\"\n}\n"
             "{\r\n  \"classname\"   \"light\" // lamp\n\"light\" \"300\" \"style\" \"1\"\n"
             "\"_color\" \"2\"}\n{\n\"classname\" \"light\"\n}\n\0"));
}

static void refuse(const bsp_entity_change *change, const char *because) {
    bsp_error error = {0};
    bsp_blob out;
    bsp_entities *entities = bsp_entities_parse(T(text), NULL, NULL, &error);
    assert_non_null(entities);
    assert_false(bsp_entities_change(entities, change, 1, NULL, &out, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_string_equal(error.message, because);
    bsp_entities_free(entities);
}

static void test_refused(void **state) {
    (void)state;
    refuse(&(bsp_entity_change){BSP_ENTITY_SET, 3, T("a"), T("b")},
           "there is no entity 3: there are 3");
    refuse(&(bsp_entity_change){BSP_ENTITY_SET, 0, T("a"), T("b\"c")},
           "a value cannot hold the character 0x22: entity text has no escapes");
    refuse(&(bsp_entity_change){BSP_ENTITY_SET, 0, T("a\n"), T("b")},
           "a key cannot hold the character 0x0a: entity text has no escapes");
    refuse(&(bsp_entity_change){BSP_ENTITY_ADD, 0, {NULL, 0}, T("{ \"classname\" \"light\"")},
           "the added text is no entity");
}

// A list of old and new entities: the gaps of those that stay neighbours, new ones on lines.
static void test_compose(void **state) {
    (void)state;
    const bsp_pair pairs[] = {{T("classname"), T("light")},
                              {T("out"), T("a\x1b"
                                           "b")}};
    const struct {
        bsp_entity_source list[3];
        uint32_t count;
        bsp_text wanted;
    } cases[] = {
        {{{0, NULL, 0}, {1, NULL, 0}, {2, NULL, 0}}, 3, T(text)},
        {{{2, NULL, 0}, {BSP_NONE, pairs, 2}},
         2,
         T("{ classname info_null }\n{\n\"classname\" \"light\"\n\"out\" \"a\x1b"
           "b\"\n}\n\0")},
        {{{0}}, 0, T("\n\0")},
    };
    bsp_error error = {0};
    bsp_entities *entities = bsp_entities_parse(T(text), NULL, NULL, &error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bsp_blob out;
        assert_true(
            bsp_entities_compose(entities, cases[i].list, cases[i].count, NULL, &out, &error));
        assert_int_equal(out.size, cases[i].wanted.size);
        assert_memory_equal(out.data, cases[i].wanted.data, out.size);
        bsp_blob_free(&out);
    }
    bsp_blob out;
    const bsp_pair bad = {T("a\""), T("b")};
    const bsp_entity_source refused[] = {{3, NULL, 0}, {BSP_NONE, &bad, 1}};
    for (int i = 0; i < 2; i++) {
        assert_false(bsp_entities_compose(entities, &refused[i], 1, NULL, &out, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
    }
    bsp_entities_free(entities);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_compose),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_unset),
        cmocka_unit_test(test_rename_remove_add),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
