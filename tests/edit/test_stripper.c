// SPDX-License-Identifier: MIT
// Configurations of Stripper:Source, applied: by hand, after the plugin's own rules; and random
// differences written as a configuration.
#include "bspkit/compare.h"
#include "bspkit/entity_edit.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})

static const char text[] = "{\n\"classname\" \"worldspawn\"\n}\n"
                           "{\n\"classname\" \"light\"\n\"light\" \"300\"\n}\n"
                           "{\n\"classname\" \"door\"\n\"On\" \"a\"\n\"On\" \"b\"\n}\n\0";

#define WORLD "{\n\"classname\" \"worldspawn\"\n}\n"
#define LIGHT "{\n\"classname\" \"light\"\n\"light\" \"300\"\n}\n"
#define DOOR "{\n\"classname\" \"door\"\n\"On\" \"a\"\n\"On\" \"b\"\n}\n"

static void expect(const char *config, bsp_text wanted, uint32_t selected) {
    bsp_error error = {0};
    bsp_entities *all = bsp_entities_parse(T(text), NULL, NULL, NULL);
    bsp_entity_edit *edit = bsp_entities_stripper(all, bsp_text_of(config), NULL, &error);
    if (edit == NULL) {
        fail_msg("%s", error.message);
        return;
    }
    bsp_text got = edit->entities->text;
    if (!bsp_text_equal(got, wanted)) {
        fail_msg("%s\ngot:\n%.*s\nwanted:\n%.*s", config, (int)got.size, got.data, (int)wanted.size,
                 wanted.data);
    }
    assert_int_equal(edit->num_selected, selected);
    bsp_entity_edit_free(edit);
    bsp_entities_free(all);
}

static void test_blocks(void **state) {
    (void)state;
    expect("", T(text), 0);
    expect("; nothing\n\n# nothing\r\n// nothing", T(text), 0);
    // Blocks before any heading are filters; case does not matter; several after one heading.
    expect("{\n\"CLASSNAME\" \"Light\"\n}\n", T(WORLD DOOR "\0"), 1);
    expect("remove:\n{\n\"light\" \"300\"\n}\n{\n\"on\" \"b\"\n}", T(WORLD "\0"), 2);
    expect("add:\n{\n\"classname\" \"new\"\n\"a\" \"b\" ; why\n}\n{\n\"c\"  \"d\"\n}\n",
           T(WORLD LIGHT DOOR "{\n\"classname\" \"new\"\n\"a\" \"b\"\n}\n{\n\"c\" \"d\"\n}\n\0"),
           0);
    // A filter takes what was added before it, and not what is added after.
    expect("add:\n{\n\"n\" \"1\"\n}\nfilter:\n{\n\"n\" \"1\"\n}\nadd:\n{\n\"n\" \"1\"\n}\n",
           T(WORLD LIGHT DOOR "{\n\"n\" \"1\"\n}\n\0"), 0);
}

static void test_modify(void **state) {
    (void)state;
    // Deletes first, then replaces, then inserts, whatever the order in the file.
    expect("modify:\n{\n  insert:\n  {\n    \"light\" \"5\"\n  }\n  replace:\n  {\n"
           "    \"light\" \"6\"\n    \"x\" \"y\"\n  }\n  match:\n  {\n    \"classname\" \"light\"\n"
           "  }\n}\n",
           T(WORLD "{\n\"classname\" \"light\"\n\"light\" \"6\"\n\"light\" \"5\"\n}\n" DOOR "\0"),
           1);
    // Of two equal keys the one with that value goes.
    expect("modify:\n{\nmatch:\n{\n\"classname\" \"door\"\n\"on\" \"a\"\n}\ndelete:\n{\n"
           "\"on\" \"A\"\n\"on\" \"z\"\n}\n}\n",
           T(WORLD LIGHT "{\n\"classname\" \"door\"\n\"On\" \"b\"\n}\n\0"), 1);
    // Nothing matches; what matches stays as it is; the second match: counts.
    expect("modify:\n{\nmatch:\n{\n\"classname\" \"nobody\"\n}\ninsert:\n{\n\"a\" \"b\"\n}\n}\n",
           T(text), 0);
    expect("modify:\n{\nmatch:\n{\n\"light\" \"300\"\n}\nreplace:\n{\n\"light\" \"300\"\n}\n}\n",
           T(text), 1);
    expect("modify:\n{\nmatch:\n{\n\"a\" \"b\"\n}\nmatch:\n{\n\"light\" \"300\"\n}\n"
           "delete:\n{\n\"classname\" \"light\"\n\"light\" \"300\"\n}\n}\n",
           T(WORLD "{\n}\n" DOOR "\0"), 1);
    // The plugin counts pairs of the entity: two outputs make up for a pair that is missing.
    expect("filter:\n{\n\"On\" \"a\"\n\"On\" \"b\"\n\"gone\" \"\"\n}\n", T(WORLD LIGHT "\0"), 1);
    expect("filter:\n{\n\"On\" \"a\"\n\"gone\" \"1\"\n}\n", T(text), 0);
}

static void expect_refused(const char *config, bsp_code code, const char *begin) {
    bsp_error error = {0};
    bsp_entities *all = bsp_entities_parse(T(text), NULL, NULL, NULL);
    assert_null(bsp_entities_stripper(all, bsp_text_of(config), NULL, &error));
    assert_int_equal(error.code, code);
    if (strncmp(error.message, begin, strlen(begin)) != 0) {
        fail_msg("%s: %s", config, error.message);
    }
    bsp_entities_free(all);
}

static void test_refused(void **state) {
    (void)state;
    expect_refused("add:\n{\n\"a\" \"b\"\n}\nfilter\n", BSP_E_ARGUMENT, "line 5: ");
    expect_refused("add:\n{\n\"a\" \"b\"\n", BSP_E_ARGUMENT, "line 2: ");
    expect_refused("add:\n{\n\"a\" \"b\" \"c\"\n}\n", BSP_E_ARGUMENT, "line 3: ");
    expect_refused("add:\n{\na b\n}\n", BSP_E_ARGUMENT, "line 3: ");
    expect_refused("add:\n{\n\"a\" \"b\x01\"\n}\n", BSP_E_ARGUMENT, "line 3: ");
    expect_refused("\nfilter:\n{\n}\n", BSP_E_ARGUMENT, "line 3: ");
    expect_refused("modify:\n{\ninsert:\n{\n\"a\" \"b\"\n}\n}\n", BSP_E_ARGUMENT, "line 2: ");
    expect_refused("modify:\n{\n{\n", BSP_E_ARGUMENT, "line 3: ");
    expect_refused("modify:\n{\nmatch:\n{\n\"a\" \"b\"\n}\n", BSP_E_ARGUMENT, "line 2: ");
    expect_refused("modify:\n{\nmatch:\n{\n\"a\" \"b\"\n}\n}\n{\n", BSP_E_ARGUMENT, "line 8: ");
    expect_refused("filter:\n{\n\"a\" \"/b.*/\"\n}\n", BSP_E_UNSUPPORTED, "line 3: ");
}

// --- random differences -------------------------------------------------------------------------

#define ROUNDS 200
#define ENTITIES 12
#define ROOM 8192

// Each entity has a pair of its own, so that a block means it alone; and none has a pair twice, of
// which the plugin would delete both, and count both.
static size_t random_text(test_random *random, char *out, size_t skip) {
    static const char *const keys[] = {"origin", "light", "OnUse", "model"};
    size_t used = 0;
    for (size_t i = 0; i < ENTITIES; i++) {
        if (random_below(random, 8) < skip) {
            continue;
        }
        used += (size_t)snprintf(out + used, ROOM - used,
                                 "{\n\"classname\" \"c\"\n\"hammerid\" \"%zu\"\n", i);
        for (size_t p = random_below(random, 5); p > 0; p--) {
            used +=
                (size_t)snprintf(out + used, ROOM - used, "\"%s\" \"%zu\"\n",
                                 keys[random_below(random, 4)], 4 * p + random_below(random, 4));
        }
        used += (size_t)snprintf(out + used, ROOM - used, "}\n");
    }
    return used;
}

typedef struct config {
    char text[4 * ROOM];
    size_t size;
} config_text;

static bool collect(void *user, const char *data, size_t size) {
    config_text *config = user;
    assert_true(config->size + size <= sizeof config->text);
    memcpy(config->text + config->size, data, size);
    config->size += size;
    return true;
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)data;
    (void)size;
    return ++*(unsigned *)user < 3;
}

static void test_differences(void **state) {
    (void)state;
    static char texts[2][ROOM];
    static config_text config;
    unsigned told = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        test_random random = {round};
        bsp_entities *lists[2];
        for (int f = 0; f < 2; f++) {
            size_t size = random_text(&random, texts[f], 2);
            lists[f] = bsp_entities_parse((bsp_text){texts[f], size}, NULL, NULL, NULL);
        }
        bsp_entity_diff *d = bsp_entities_diff(lists[0], lists[1], NULL, NULL, NULL);
        config.size = 0;
        assert_true(bsp_entity_diff_stripper(d, lists[0], lists[1], collect, &config, NULL));
        bsp_error error = {0};
        bsp_entity_edit *edit =
            bsp_entities_stripper(lists[0], (bsp_text){config.text, config.size}, NULL, &error);
        if (edit == NULL) {
            fail_msg("%s", error.message);
            return;
        }
        assert_int_equal(edit->num_removed, d->num_removed);
        assert_int_equal(edit->num_added, d->num_added);
        assert_int_equal(edit->num_changed, d->num_changed);
        bsp_entity_diff *rest = bsp_entities_diff(edit->entities, lists[1], NULL, NULL, NULL);
        assert_int_equal(rest->num_removed + rest->num_added + rest->num_changed, 0);
        bsp_entity_diff_free(rest);
        bsp_entity_edit_free(edit);
        told += d->num_changed + d->num_added + d->num_removed;
        bsp_entity_diff_free(d);
        bsp_entities_free(lists[0]);
        bsp_entities_free(lists[1]);
    }
    assert_true(told > ROUNDS);
}

static void test_written(void **state) {
    (void)state;
    static config_text config;
    bsp_entities *a =
        bsp_entities_parse(T("{a 1 b /x/ c 3}{d 4}{a 1 a 2 classname k}"), NULL, NULL, NULL);
    bsp_entities *b =
        bsp_entities_parse(T("{a 0 a 2 e 5 classname k}{n 1}{d 4}"), NULL, NULL, NULL);
    const uint32_t before_of[] = {2, BSP_NONE, 1};
    bsp_entity_diff *d = bsp_entities_diff(a, b, before_of, NULL, NULL);
    assert_true(bsp_entity_diff_stripper(d, a, b, collect, &config, NULL));
    const bsp_text wanted =
        T("filter:\n{\n\"a\" \"1\"\n\"c\" \"3\"\n}\n"
          "modify:\n{\n    match:\n    {\n        \"a\" \"1\"\n        \"a\" \"2\"\n"
          "        \"classname\" \"k\"\n    }\n    delete:\n    {\n        \"a\" \"1\"\n    }\n"
          "    insert:\n    {\n        \"a\" \"0\"\n        \"e\" \"5\"\n    }\n}\n"
          "add:\n{\n\"n\" \"1\"\n}\n");
    if (!bsp_text_equal((bsp_text){config.text, config.size}, wanted)) {
        fail_msg("%.*s", (int)config.size, config.text);
    }
    unsigned calls = 0;
    bsp_error error = {0};
    assert_false(bsp_entity_diff_stripper(d, a, b, refuse, &calls, &error));
    assert_int_equal(error.code, BSP_E_IO);
    assert_int_equal(calls, 3); // and none after
    calls = 0;
    assert_false(bsp_entity_stripper(&a->list[0], refuse, &calls, &error));
    bsp_entity_diff_free(d);
    bsp_entities_free(a);
    bsp_entities_free(b);
}

// --- damage -------------------------------------------------------------------------------------

// A file with bytes changed, lines doubled and the end cut off: refused by line, or applied as a
// whole.
static void test_damaged(void **state) {
    (void)state;
    static const char whole[] =
        "filter:\n{\n\"light\" \"300\"\n}\nadd:\n{\n\"a\" \"b\"\n}\nmodify:\n{\nmatch:\n{\n"
        "\"classname\" \"door\"\n}\ndelete:\n{\n\"On\" \"a\"\n}\nreplace:\n{\n\"On\" \"c\"\n}\n"
        "insert:\n{\n\"c\" \"d\"\n}\n}\n";
    static const char bytes[] = "{}\":;/#\n ax\x01";
    bsp_entities *all = bsp_entities_parse(T(text), NULL, NULL, NULL);
    unsigned applied = 0;
    unsigned refused = 0;
    for (uint64_t round = 1; round <= 3000; round++) {
        test_random random = {round};
        size_t cut = random_below(&random, 4) == 0 ? random_below(&random, 100) : 0;
        size_t size = sizeof whole - 1 - cut;
        char *config = malloc(size); // of its own size, so that the sanitizer sees its end
        memcpy(config, whole, size);
        for (size_t n = random_below(&random, 4); n > 0; n--) {
            config[random_below(&random, size)] = bytes[random_below(&random, sizeof bytes - 1)];
        }
        bsp_error error = {0};
        bsp_entity_edit *edit = bsp_entities_stripper(all, (bsp_text){config, size}, NULL, &error);
        free(config); // the edit stands alone
        if (edit == NULL) {
            assert_true(error.code == BSP_E_ARGUMENT || error.code == BSP_E_UNSUPPORTED);
            assert_memory_equal(error.message, "line ", 5);
            refused++;
        } else {
            bsp_entities *read = bsp_entities_parse(edit->entities->text, NULL, NULL, NULL);
            assert_int_equal(read->count, all->count - edit->num_removed + edit->num_added);
            bsp_entities_free(read);
            applied++;
        }
        bsp_entity_edit_free(edit);
    }
    assert_true(applied > 300 && refused > 300);
    bsp_entities_free(all);
}

// An entity of a hostile map has a million equal pairs, which are deleted at once: one after the
// other, each moving those after it, they would take an hour.
static void test_many_deleted(void **state) {
    static const char head[] = "{\n\"classname\" \"light\"\n";
    static const char pair[] = "\"a\" \"b\"\n";
    const size_t count = 1000000;
    char *many = malloc(sizeof head + count * sizeof pair);
    size_t size = sizeof head - 1;
    (void)state;
    assert_non_null(many);
    memcpy(many, head, size);
    for (size_t i = 0; i < count; i++, size += sizeof pair - 1) {
        memcpy(many + size, pair, sizeof pair - 1);
    }
    memcpy(many + size, "}\n", 2);
    bsp_entities *all = bsp_entities_parse((bsp_text){many, size + 2}, NULL, NULL, NULL);
    bsp_error error = {0};
    bsp_entity_edit *edit = bsp_entities_stripper(
        all, T("modify:\n{\nmatch:\n{\n\"a\" \"b\"\n}\ndelete:\n{\n\"a\" \"b\"\n}\n}\n"), NULL,
        &error);
    if (edit == NULL) {
        fail_msg("%s", error.message);
    }
    assert_true(bsp_text_equal(edit->entities->text, T("{\n\"classname\" \"light\"\n}\n")));
    bsp_entity_edit_free(edit);
    bsp_entities_free(all);
    free(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),       cmocka_unit_test(test_modify),
        cmocka_unit_test(test_many_deleted), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_differences),  cmocka_unit_test(test_written),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
