// SPDX-License-Identifier: MIT
// Entity text: what is found in real maps must be read, what is odd must be an issue at the right
// byte, and nothing may be slow or unbounded.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/entities.h"
#include "core/issue_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parsed {
    bsp_entities *entities;
    bsp_issues *issues;
} parsed;

static parsed parse_bytes(const char *text, size_t size) {
    parsed p;
    p.issues = bsp_issues_new(NULL, 0);
    assert_non_null(p.issues);
    bsp_error error;
    p.entities = bsp_entities_parse((bsp_text){text, size}, NULL, p.issues, &error);
    assert_non_null(p.entities);
    return p;
}

// The text with the NUL that ends it, as compilers write it.
static parsed parse(const char *text) {
    return parse_bytes(text, strlen(text) + 1);
}

static void done(parsed *p) {
    bsp_entities_free(p->entities);
    bsp_issues_free(p->issues);
}

static void assert_no_issue(const parsed *p) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(p->issues, &count);
    if (count != 0) {
        print_error("%s: %s\n", list[0].kind->id, list[0].text);
    }
    assert_int_equal(count, 0);
}

// Exactly one issue, of that kind, at that byte.
static void assert_issue(const parsed *p, const char *id, uint64_t offset) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(p->issues, &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].kind->id, id);
    assert_int_equal(list[0].place.offset, offset);
    assert_string_equal(list[0].place.lump, "ENTITIES");
}

static void assert_text(bsp_text text, const char *expected) {
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.data, expected, text.size);
}

static void assert_pair(const parsed *p, uint32_t entity, uint32_t pair, const char *key,
                        const char *value) {
    assert_true(entity < p->entities->count);
    assert_true(pair < p->entities->list[entity].num_pairs);
    assert_text(p->entities->list[entity].pairs[pair].key, key);
    assert_text(p->entities->list[entity].pairs[pair].value, value);
}

#define WORLD "{\n\"classname\" \"worldspawn\"\n}\n"
#define WORLD_SIZE 29

static void test_plain(void **state) {
    (void)state;
    parsed p = parse(WORLD "{\n\"classname\" \"light\"\n\"origin\" \"1 2 3\"\n}\n");
    assert_no_issue(&p);
    assert_int_equal(p.entities->count, 2);
    assert_int_equal(p.entities->list[0].offset, 0);
    assert_int_equal(p.entities->list[0].size, WORLD_SIZE - 1);
    assert_int_equal(p.entities->list[1].offset, WORLD_SIZE);
    assert_int_equal(p.entities->list[1].num_pairs, 2);
    assert_pair(&p, 1, 1, "origin", "1 2 3");
    assert_text(bsp_entity_value(&p.entities->list[1], "CLASSNAME"), "light");
    assert_null(bsp_entity_value(&p.entities->list[1], "target").data);
    done(&p);
}

static void test_empty(void **state) {
    (void)state;
    parsed p = parse_bytes(NULL, 0);
    assert_int_equal(p.entities->count, 0);
    assert_no_issue(&p);
    done(&p);
    p = parse("");
    assert_int_equal(p.entities->count, 0);
    assert_no_issue(&p);
    done(&p);
}

static void test_repeated_and_empty_keys(void **state) {
    (void)state;
    parsed p = parse("{\"classname\" \"worldspawn\" \"a\" \"1\" \"a\" \"2\" \"\" \"\"}");
    assert_issue(&p, "entity-empty-key", 42);
    assert_int_equal(p.entities->list[0].num_pairs, 4);
    assert_text(bsp_entity_value(&p.entities->list[0], "a"), "1");
    assert_pair(&p, 0, 2, "a", "2");
    assert_pair(&p, 0, 3, "", "");
    done(&p);
}

static void test_line_ends_and_bytes(void **state) {
    (void)state;
    parsed p = parse("{\r\n\"classname\" \"worldspawn\"\r\n\"OnUse\" \"door\x1bOpen\x1b\x1b"
                     "0\x1b-1\"\r\n"
                     "\"message\" \"\xe9t\xe9\"\r\n}\r\n");
    assert_no_issue(&p);
    assert_pair(&p, 0, 1, "OnUse",
                "door\x1bOpen\x1b\x1b"
                "0\x1b-1");
    assert_pair(&p, 0, 2, "message", "\xe9t\xe9");
    done(&p);
}

static void test_final_nuls(void **state) {
    (void)state;
    char text[WORLD_SIZE + 47];
    memset(text, 0, sizeof text);
    memcpy(text, WORLD, WORLD_SIZE);
    parsed p = parse_bytes(text, sizeof text);
    assert_no_issue(&p);
    assert_int_equal(p.entities->count, 1);
    assert_int_equal(p.entities->text.size, sizeof text);
    done(&p);
    p = parse_bytes(text, WORLD_SIZE);
    assert_issue(&p, "entity-text-not-ended", WORLD_SIZE);
    assert_int_equal(p.entities->count, 1);
    done(&p);
}

static void test_nul_inside(void **state) {
    (void)state;
    static const char text[] = WORLD "\0\0{\n\"classname\" \"light\"\n}\n";
    parsed p = parse_bytes(text, sizeof text);
    assert_issue(&p, "entity-text-nul", WORLD_SIZE);
    assert_int_equal(p.entities->count, 2);
    assert_pair(&p, 1, 0, "classname", "light");
    done(&p);
}

static void test_escaped_quotes(void **state) {
    (void)state;
    // In values, at their end, before more on the same line, and in a key.
    parsed p = parse("{\n\"classname\" \"worldspawn\"\n"
                     "\"a\" \"say \\\"hello\\\" to all\"\n"
                     "\"b\" \"say \\\"hello\\\"\"\n"
                     "\"c\" \"\\\"x\\\"\" }\n");
    assert_no_issue(&p);
    assert_int_equal(p.entities->list[0].num_pairs, 4);
    assert_pair(&p, 0, 1, "a", "say \\\"hello\\\" to all");
    assert_pair(&p, 0, 2, "b", "say \\\"hello\\\"");
    assert_pair(&p, 0, 3, "c", "\\\"x\\\"");
    done(&p);
}

static void test_final_backslash(void **state) {
    (void)state;
    parsed p = parse("{\n\"classname\" \"worldspawn\"\n"
                     "\"a\" \"models\\props\\\"\n"
                     "\"b\" \"x\\\\\"\r\n"
                     "\"c\" \"path\\\" \"d\" \"e\\\"}\n");
    assert_no_issue(&p);
    assert_int_equal(p.entities->list[0].num_pairs, 5);
    assert_pair(&p, 0, 1, "a", "models\\props\\");
    assert_pair(&p, 0, 2, "b", "x\\\\");
    assert_pair(&p, 0, 3, "c", "path\\");
    assert_pair(&p, 0, 4, "d", "e\\");
    done(&p);
}

static void test_comments_and_words(void **state) {
    (void)state;
    parsed p =
        parse("// a map { }\n{ classname worldspawn // \"b\" \"c\"\n\"url\" \"http://x {y}\"}");
    assert_no_issue(&p);
    assert_int_equal(p.entities->count, 1);
    assert_int_equal(p.entities->list[0].num_pairs, 2);
    assert_pair(&p, 0, 0, "classname", "worldspawn");
    assert_pair(&p, 0, 1, "url", "http://x {y}");
    done(&p);
}

static void test_missing_ends(void **state) {
    (void)state;
    parsed p = parse("{\"classname\" \"worldspawn\"");
    assert_issue(&p, "entity-syntax", 25);
    assert_int_equal(p.entities->count, 1);
    assert_int_equal(p.entities->list[0].size, 25);
    done(&p);
    p = parse("{\"classname\" \"worldspawn\" \"message\" \"to the end");
    assert_int_equal(bsp_issues_count(p.issues, BSP_WARNING), 2); // the quote and the brace
    size_t count;
    assert_int_equal(bsp_issues_list(p.issues, &count)[0].place.offset, 36);
    assert_pair(&p, 0, 1, "message", "to the end");
    done(&p);
    p = parse("{\"classname\" \"worldspawn\" \"message\"}");
    assert_issue(&p, "entity-syntax", 26);
    assert_pair(&p, 0, 1, "message", "");
    done(&p);
}

static void test_braces_out_of_place(void **state) {
    (void)state;
    parsed p = parse("{\"classname\" \"worldspawn\"\n{\"classname\" \"light\"}");
    assert_issue(&p, "entity-syntax", 26);
    assert_int_equal(p.entities->count, 2);
    assert_int_equal(p.entities->list[0].size, 26);
    assert_int_equal(p.entities->list[1].offset, 26);
    assert_pair(&p, 1, 0, "classname", "light");
    done(&p);
    p = parse(WORLD "} x");
    size_t count;
    const bsp_issue *list = bsp_issues_list(p.issues, &count);
    assert_int_equal(count, 2);
    assert_int_equal(list[0].place.offset, WORLD_SIZE);
    assert_int_equal(list[1].place.offset, WORLD_SIZE + 2);
    assert_int_equal(p.entities->count, 1);
    done(&p);
}

static void test_first_is_not_world(void **state) {
    (void)state;
    parsed p = parse("\n{\"classname\" \"light\"}");
    assert_issue(&p, "entity-first-not-worldspawn", 1);
    done(&p);
    p = parse("{}");
    assert_issue(&p, "entity-first-not-worldspawn", 0);
    assert_int_equal(p.entities->list[0].num_pairs, 0);
    done(&p);
}

// An allocator that gives nothing from its n-th call on.
static void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    int *left = user;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(memory, new_size) : NULL;
}

static void test_no_memory(void **state) {
    (void)state;
    char text[200 * 8 + 1];
    for (size_t i = 0; i < 200; i++) {
        memcpy(text + i * 8, "{\"a\"\"b\"}", 8);
    }
    text[1600] = '\0';
    int failures = 0;
    for (int calls = 0;; calls++) {
        int left = calls;
        bsp_allocator allocator = {failing_resize, &left};
        bsp_error error;
        memset(&error, 0, sizeof error);
        bsp_entities *e =
            bsp_entities_parse((bsp_text){text, sizeof text}, &allocator, NULL, &error);
        if (e != NULL) {
            assert_int_equal(e->count, 200);
            bsp_entities_free(e);
            break;
        }
        assert_int_equal(error.code, BSP_E_MEMORY);
        failures++;
    }
    assert_true(failures >= 5); // the object and two vectors that grow twice
}

// Every text of up to seven of these characters is read to its end, and the views stay inside.
static void test_all_short_texts(void **state) {
    (void)state;
    static const char letters[] = {'{', '}', '"', '\\', 'a', '\n', '\0', '/'};
    char text[7];
    for (uint32_t code = 0; code < 1u << 21; code++) {
        size_t size = code % 8;
        for (size_t i = 0; i < size; i++) {
            text[i] = letters[code >> (3 * i) & 7];
        }
        bsp_entities *e = bsp_entities_parse((bsp_text){text, size}, NULL, NULL, NULL);
        assert_non_null(e);
        for (uint32_t i = 0; i < e->count; i++) {
            const bsp_entity *entity = &e->list[i];
            assert_true(entity->size >= 1 && entity->offset + entity->size <= size);
            for (uint32_t n = 0; n < entity->num_pairs; n++) {
                bsp_text value = entity->pairs[n].value;
                assert_true(value.data >= text && value.data + value.size <= text + size);
            }
        }
        bsp_entities_free(e);
    }
}

// Quotes, braces and backslashes without an end must not take quadratic time.
static void test_hostile_is_linear(void **state) {
    (void)state;
    static const char *const units[] = {"\"",    "{",       "}",   "\\", "\\\"",
                                        "\\\" ", "\\\" \"", "{\"", "/"};
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t length = strlen(units[u]);
        for (size_t i = 0; i < SIZE; i++) {
            text[i] = units[u][i % length];
        }
        memcpy(text, "{\"a\" \"", 6);
        parsed p = parse_bytes(text, SIZE);
        assert_true(p.entities->count >= 1);
        done(&p);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_repeated_and_empty_keys),
        cmocka_unit_test(test_line_ends_and_bytes),
        cmocka_unit_test(test_final_nuls),
        cmocka_unit_test(test_nul_inside),
        cmocka_unit_test(test_escaped_quotes),
        cmocka_unit_test(test_final_backslash),
        cmocka_unit_test(test_comments_and_words),
        cmocka_unit_test(test_missing_ends),
        cmocka_unit_test(test_braces_out_of_place),
        cmocka_unit_test(test_first_is_not_world),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_all_short_texts),
        cmocka_unit_test(test_hostile_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
