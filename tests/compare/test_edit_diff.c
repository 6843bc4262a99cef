// SPDX-License-Identifier: MIT
// Differences: none between a file and itself, packed or turned; and of one change, that one.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/each_map.h"
#include "support/effort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 64

typedef struct note {
    bsp_difference_kind kind;
    char part[16];
    char field[32];
    char before[64];
    char after[64];
    bsp_place place;
} note;

typedef struct notes {
    note list[MOST];
    unsigned count;
} notes;

static void copy(char *out, size_t room, bsp_text text) {
    (void)snprintf(out, room, "%.*s", (int)text.size, text.size == 0 ? "" : text.data);
}

static void take(void *user, const bsp_difference *d) {
    notes *n = user;
    if (n->count < MOST) {
        note *one = &n->list[n->count];
        one->kind = d->kind;
        one->place = d->place;
        copy(one->part, sizeof one->part, bsp_text_of(d->part));
        copy(one->field, sizeof one->field,
             bsp_text_of(d->place.field == NULL ? "" : d->place.field));
        copy(one->before, sizeof one->before, d->before);
        copy(one->after, sizeof one->after, d->after);
    }
    n->count++;
}

static notes compare(const bsp_file *a, const bsp_file *b) {
    notes n = {.count = 0};
    bsp_error error = {0};
    if (!bsp_file_diff(a, b, take, &n, NULL, &error)) {
        fail_msg("%s", error.message);
    }
    return n;
}

static bsp_file *open_blob(const bsp_blob *blob) {
    bsp_error error = {0};
    bsp_open_options options = {0};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, &options, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    return file;
}

static void expect_same(const each_map *m, const bsp_blob *blob, const char *what) {
    bsp_file *file = open_blob(blob);
    notes n = compare(m->file, file);
    if (n.count != 0) {
        fail_msg("%s, %s: %u differences: %s %s[%u].%s %s -> %s", m->name, what, n.count,
                 n.list[0].part, n.list[0].place.lump, n.list[0].place.record, n.list[0].field,
                 n.list[0].before, n.list[0].after);
    }
    bsp_file_close(file);
}

// One number of one record becomes another.
static bool change_record(const each_map *m, bsp_table_id id, unsigned *changed) {
    uint32_t n = bsp_file_find_id(m->file, id);
    bsp_parts parts;
    if (n == BSP_NONE || bsp_file_lump(m->file, n)->kind != BSP_KIND_ARRAY ||
        bsp_file_lump(m->file, n)->size == 0 || !bsp_file_parts(m->file, n, NULL, &parts, NULL)) {
        return false;
    }
    bsp_table table = bsp_parts_table(&parts, 0);
    if (table.count < 2 || bsp_file_lump(m->file, n)->compressed) {
        bsp_parts_free(&parts);
        return false;
    }
    uint8_t *bytes = malloc(parts.data.size);
    memcpy(bytes, parts.data.data, parts.data.size);
    bytes[table.layout->size] ^= 1; // the first field of record 1
    bsp_lump_change change = {.lump = n, .data = {bytes, parts.data.size}, .version = BSP_NONE};
    bsp_blob blob;
    assert_true(bsp_file_rewrite(m->file, &change, 1, NULL, &blob, NULL));
    bsp_file *file = open_blob(&blob);
    notes found = compare(m->file, file);
    bool there = false;
    for (unsigned i = 0; i < found.count && i < MOST; i++) {
        const note *one = &found.list[i];
        there = there || (strcmp(one->part, "records") == 0 && one->place.record == 1 &&
                          strcmp(one->field, table.layout->fields[0].name) == 0);
        assert_true(strcmp(one->part, "records") != 0 || one->place.record == 1);
    }
    if (!there) {
        fail_msg("%s: %s[1].%s changed and was not told (%u others)", m->name,
                 bsp_file_lump(m->file, n)->name, table.layout->fields[0].name, found.count);
    }
    ++*changed;
    bsp_file_close(file);
    bsp_blob_free(&blob);
    free(bytes);
    bsp_parts_free(&parts);
    return true;
}

static void change_entity(const each_map *m) {
    bsp_entities *entities = bsp_file_entities(m->file, NULL, NULL);
    if (entities == NULL || entities->count < 2) {
        bsp_entities_free(entities);
        return;
    }
    bsp_entity_change changes[] = {
        {BSP_ENTITY_SET, 0, bsp_text_of("test_key"), bsp_text_of("test value")},
        {BSP_ENTITY_ADD, 0, {NULL, 0}, bsp_text_of("{\n\"classname\" \"test_added\"\n}\n")},
    };
    bsp_blob text;
    bsp_blob blob;
    assert_true(bsp_entities_change(entities, changes, 2, NULL, &text, NULL));
    bsp_lump_change change = {.lump = bsp_file_find_id(m->file, BSP_ID_ENTITIES),
                              .data = {text.data, text.size},
                              .version = BSP_NONE};
    assert_true(bsp_file_rewrite(m->file, &change, 1, NULL, &blob, NULL));
    bsp_file *file = open_blob(&blob);
    notes n = compare(m->file, file);
    if (n.count != 2) {
        fail_msg("%s: two changes of entities, and %u are told", m->name, n.count);
    }
    assert_int_equal(n.list[0].kind, BSP_ADDED);
    assert_int_equal(n.list[0].place.record, 0);
    assert_string_equal(n.list[0].field, "test_key");
    assert_string_equal(n.list[0].after, "test value");
    assert_int_equal(n.list[1].kind, BSP_ADDED);
    assert_int_equal(n.list[1].place.record, entities->count);
    notes back = compare(file, m->file); // the other way round: what came goes
    assert_int_equal(back.count, 2);
    assert_int_equal(back.list[0].kind, BSP_REMOVED);
    assert_int_equal(back.list[1].kind, BSP_REMOVED);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&text);
    bsp_entities_free(entities);
}

typedef struct totals {
    unsigned files;
    unsigned forms;
    unsigned records;
} totals;

static void diff_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_blob blob;
    assert_int_equal(compare(m->file, m->file).count, 0);
    if (bsp_file_compress(m->file, true, NULL, &blob, NULL)) {
        expect_same(m, &blob, "packed");
        bsp_blob_free(&blob);
        t->forms++;
    }
    change_entity(m);
    (void)change_record(m, BSP_ID_PLANES, &t->records);
    (void)change_record(m, BSP_ID_FACES, &t->records);
    (void)change_record(m, BSP_ID_NODES, &t->records);
    t->files++;
}

static void test_every_map(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(3), diff_map, &t);
    print_message("%u files (%u of the corpus) the same as themselves, %u packed; one changed "
                  "record found %u times\n",
                  t.files, corpus, t.forms, t.records);
    assert_true(t.records > 0);
}

// In the other byte order only that differs, and bytes that are no records.
static void test_order(void **state) {
    (void)state;
    bsp_file *little = bsp_file_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, NULL);
    bsp_blob blob;
    assert_true(bsp_file_reorder(little, true, NULL, &blob, NULL));
    bsp_file *big = open_blob(&blob);
    notes n = compare(little, big);
    assert_int_equal(n.count, 1);
    assert_string_equal(n.list[0].part, "file");
    assert_string_equal(n.list[0].before, "little");
    assert_string_equal(n.list[0].after, "big");
    bsp_file_close(big);
    bsp_blob_free(&blob);
    bsp_file_close(little);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_map),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
