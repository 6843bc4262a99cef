// SPDX-License-Identifier: MIT
// Entity edits and their undoing on every map of samples/ and of ../shared: what was asked for is
// there, the text around it and all other lumps are as they were, check finds nothing new, and the
// opposite edit gives the first text and the first file.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/each_map.h"
#include "support/same_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})

typedef struct totals {
    unsigned files;
    unsigned entities;
    unsigned values;  // pairs that were set to another value and back
    unsigned edited;  // of the files: written with an edit, and with its undoing
    unsigned lumps;   // compared beside the changed one
    unsigned to_byte; // edits after whose undoing the file is the first one to the byte
    unsigned padding; // the same but for padding that was no zeros
    unsigned packed;  // entities were packed by others: the same text
} totals;

/// Entity text of one state of a map; owns its text unless it is the map's.
typedef struct state {
    bsp_blob blob;
    bsp_entities *entities;
} state;

static state apply(const each_map *m, const bsp_entities *from, const bsp_entity_change *changes,
                   uint32_t count) {
    state s;
    bsp_error error = {0};
    if (!bsp_entities_change(from, changes, count, NULL, &s.blob, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    s.entities =
        bsp_entities_parse((bsp_text){(const char *)s.blob.data, s.blob.size}, NULL, NULL, &error);
    assert_non_null(s.entities);
    return s;
}

static void drop(state *s) {
    bsp_entities_free(s->entities);
    bsp_blob_free(&s->blob);
}

static void expect_text(const each_map *m, const state *s, bsp_text wanted, const char *what) {
    if (s->blob.size != wanted.size || memcmp(s->blob.data, wanted.data, wanted.size) != 0) {
        fail_msg("%s: %s and back is another text", m->name, what);
    }
}

// --- text ---------------------------------------------------------------------------------------

// Each entity gets a key, which is renamed and goes.
static void try_keys(const each_map *m, const bsp_entities *old, totals *t) {
    bsp_entity_change *changes = calloc(old->count, sizeof *changes);
    assert_non_null(changes);
    for (uint32_t i = 0; i < old->count; i++) {
        changes[i] = (bsp_entity_change){BSP_ENTITY_SET, i, T("zz_new"), T("a value")};
    }
    state set = apply(m, old, changes, old->count);
    assert_int_equal(set.entities->count, old->count);
    for (uint32_t i = 0; i < old->count; i++) {
        const bsp_entity *entity = &set.entities->list[i];
        const bsp_pair *last = &entity->pairs[entity->num_pairs - 1];
        assert_int_equal(entity->num_pairs, old->list[i].num_pairs + 1);
        assert_true(bsp_text_equal(last->key, T("zz_new")));
        assert_true(bsp_text_equal(last->value, T("a value")));
        changes[i] = (bsp_entity_change){BSP_ENTITY_RENAME, i, T("ZZ_NEW"), T("zz_old")};
    }
    state renamed = apply(m, set.entities, changes, old->count);
    for (uint32_t i = 0; i < old->count; i++) {
        const bsp_entity *entity = &renamed.entities->list[i];
        assert_true(bsp_text_equal(entity->pairs[entity->num_pairs - 1].key, T("zz_old")));
        changes[i] = (bsp_entity_change){BSP_ENTITY_UNSET, i, T("zz_old"), {NULL, 0}};
    }
    state back = apply(m, renamed.entities, changes, old->count);
    for (uint32_t i = 0; i < old->count; i++) {
        assert_int_equal(back.entities->list[i].num_pairs, old->list[i].num_pairs);
    }
    t->entities += old->count;
    drop(&back);
    drop(&renamed);
    drop(&set);
    free(changes);
}

// SET takes the first pair of a key, in any case.
static bool is_first(const bsp_entity *entity, uint32_t pair) {
    bsp_text key = entity->pairs[pair].key;
    char name[64];
    if (key.size == 0 || key.size >= sizeof name) {
        return false;
    }
    memcpy(name, key.data, key.size);
    name[key.size] = '\0';
    return bsp_entity_value(entity, name).data == entity->pairs[pair].value.data;
}

// What has quotes of its own, and can be set: entity text has no escapes.
static bool is_settable(const bsp_entities *old, bsp_text text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || (c < 0x20 && c != 0x1b)) {
            return false;
        }
    }
    return text.data > old->text.data && text.data[-1] == '"' && text.data[text.size] == '"';
}

static uint32_t values(const bsp_entities *old, bool changed, bsp_entity_change *changes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < old->count; i++) {
        for (uint32_t p = 0; p < old->list[i].num_pairs; p++) {
            const bsp_pair *pair = &old->list[i].pairs[p];
            if (is_first(&old->list[i], p) && is_settable(old, pair->key) &&
                is_settable(old, pair->value)) {
                changes[count++] = (bsp_entity_change){BSP_ENTITY_SET, i, pair->key,
                                                       changed ? T("changed") : pair->value};
            }
        }
    }
    return count;
}

// Every value becomes another one, and its own again.
static void try_values(const each_map *m, const bsp_entities *old, totals *t) {
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < old->count; i++) {
        pairs += old->list[i].num_pairs;
    }
    bsp_entity_change *changes = calloc(pairs + 1, sizeof *changes);
    assert_non_null(changes);
    uint32_t count = values(old, true, changes);
    state changed = apply(m, old, changes, count);
    count = values(old, false, changes);
    state back = apply(m, changed.entities, changes, count);
    expect_text(m, &back, old->text, "every value changed");
    t->values += count;
    drop(&back);
    drop(&changed);
    free(changes);
}

// A list of all entities is the text; one added and one removed are where they should be.
static void try_list(const each_map *m, const bsp_entities *old) {
    static const bsp_pair pairs[] = {{{"classname", 9}, {"info_null", 9}}};
    bsp_entity_source *list = calloc(old->count + 1, sizeof *list);
    assert_non_null(list);
    for (uint32_t i = 0; i < old->count; i++) {
        list[i].entity = i;
    }
    bsp_error error = {0};
    state same = {0};
    assert_true(bsp_entities_compose(old, list, old->count, NULL, &same.blob, &error));
    expect_text(m, &same, old->text, "a list");
    bsp_blob_free(&same.blob);
    list[old->count] = (bsp_entity_source){BSP_NONE, pairs, 1};
    assert_true(bsp_entities_compose(old, list, old->count + 1, NULL, &same.blob, &error));
    same.entities = bsp_entities_parse((bsp_text){(const char *)same.blob.data, same.blob.size},
                                       NULL, NULL, &error);
    assert_int_equal(same.entities->count, old->count + 1);
    bsp_entity_change remove = {BSP_ENTITY_REMOVE, old->count, {NULL, 0}, {NULL, 0}};
    state back = apply(m, same.entities, &remove, 1);
    assert_int_equal(back.entities->count, old->count);
    drop(&back);
    drop(&same);
    free(list);
}

// --- files --------------------------------------------------------------------------------------

static void write_text(const each_map *m, const bsp_file *file, uint32_t lump, bsp_bytes text,
                       bsp_blob *out) {
    bsp_blob packed = {0};
    bsp_error error = {0};
    bsp_lump_change change = {.lump = lump, .data = text, .version = BSP_NONE};
    if (bsp_file_lump(file, lump)->compressed) {
        assert_true(bsp_lump_pack(bsp_file_lump(file, lump), text, NULL, &packed, &error));
        change.data = (bsp_bytes){packed.data, packed.size};
        change.unpacked_size = (uint32_t)text.size;
    }
    if (!bsp_file_rewrite(file, &change, 1, NULL, out, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    bsp_blob_free(&packed);
}

static void compare_back(const each_map *m, uint32_t lump, bsp_blob *back, totals *t) {
    if (is_file(m->file, back)) {
        t->to_byte++;
    } else if (same_but_padding(m->file, back)) {
        t->padding++;
    } else {
        bsp_bytes a;
        bsp_bytes b;
        bsp_file *file = reopen(m, back);
        if (!bsp_file_lump(m->file, lump)->compressed) {
            fail_msg("%s: changed and back it is another file", m->name);
        }
        assert_true(bsp_file_data(m->file, lump, &a, NULL));
        assert_true(bsp_file_data(file, lump, &b, NULL));
        assert_true(same_bytes(a, b));
        t->lumps += compare_others(m, file, lump);
        t->packed++;
        bsp_file_close(file);
    }
}

// One edit as a file, and undone as a file.
static void try_file(const each_map *m, const bsp_entities *old, uint32_t lump,
                     const bsp_entity_change *edit, const bsp_entity_change *undo, totals *t) {
    bsp_blob blob;
    bsp_error error = {0};
    state changed = apply(m, old, edit, 1);
    write_text(m, m->file, lump, (bsp_bytes){changed.blob.data, changed.blob.size}, &blob);
    bsp_file *file = reopen(m, &blob);
    t->lumps += compare_others(m, file, lump);
    assert_true(count_issues(file) <= count_issues(m->file));
    bsp_entities *now = bsp_file_entities(file, NULL, &error);
    assert_non_null(now);
    assert_true(
        bsp_text_equal(now->text, (bsp_text){(const char *)changed.blob.data, changed.blob.size}));
    state undone = apply(m, now, undo, 1);
    expect_text(m, &undone, old->text, "an edit");
    bsp_blob back;
    write_text(m, file, lump, (bsp_bytes){undone.blob.data, undone.blob.size}, &back);
    compare_back(m, lump, &back, t);
    bsp_blob_free(&back);
    drop(&undone);
    bsp_entities_free(now);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    drop(&changed);
}

// A class or a model that is another one may be a new issue, rightly.
static bool is_plain(bsp_text key) {
    return !bsp_text_equal(key, T("classname")) && !bsp_text_equal(key, T("model"));
}

static bool try_files(const each_map *m, const bsp_entities *old, uint32_t lump, totals *t) {
    for (uint32_t i = 0; i < old->count; i++) {
        for (uint32_t p = 0; p < old->list[i].num_pairs; p++) {
            const bsp_pair *pair = &old->list[i].pairs[p];
            if (!is_plain(pair->key) || !is_first(&old->list[i], p) ||
                !is_settable(old, pair->key) || !is_settable(old, pair->value)) {
                continue;
            }
            const bsp_entity_change edits[] = {
                {BSP_ENTITY_SET, i, pair->key, T("a rather long value, of no use to anyone")},
                {BSP_ENTITY_SET, i, pair->key, T("")},
            };
            const bsp_entity_change undo = {BSP_ENTITY_SET, i, pair->key, pair->value};
            try_file(m, old, lump, &edits[0], &undo, t);
            try_file(m, old, lump, &edits[1], &undo, t);
            return true;
        }
    }
    return false;
}

static void edit_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error = {0};
    bsp_entities *old = bsp_file_entities(m->file, NULL, &error);
    const bsp_lump_def *def = bsp_branch_lump_of(m->map->branch, BSP_ID_ENTITIES);
    if (old == NULL || old->count == 0) {
        bsp_entities_free(old);
        return;
    }
    try_keys(m, old, t);
    try_values(m, old, t);
    try_list(m, old);
    t->edited += try_files(m, old, bsp_file_find(m->file, bsp_text_of(def->name)), t) ? 1 : 0;
    t->files++;
    bsp_entities_free(old);
}

static void test_every_map(void **unused) {
    (void)unused;
    totals t = {0};
    unsigned corpus = each_map_do(edit_map, &t);
    print_message("%u maps (%u of the corpus): %u entities, %u values changed and changed back; "
                  "%u of them written with two edits, and undone: %u files the same to the byte, "
                  "%u but for padding, %u packed by others; %u lumps beside them the same\n",
                  t.files, corpus, t.entities, t.values, t.edited, t.to_byte, t.padding, t.packed,
                  t.lumps);
    assert_true(t.to_byte != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
