// SPDX-License-Identifier: MIT
// Files written again: without a change the same bytes; with one, every other lump as it was; and
// changed back, the first bytes again.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/each_map.h"
#include "support/same_file.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct totals {
    unsigned files;
    unsigned lumps; // compared after a change of another
    unsigned undone;
    unsigned apart; // entities that went to the end
} totals;

static void rewrite(const char *name, const bsp_file *file, const bsp_lump_change *changes,
                    uint32_t count, bsp_blob *out) {
    bsp_error error = {0};
    if (!bsp_file_rewrite(file, changes, count, NULL, out, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
}

// True if lump `n` contains game lumps and so has offsets in it.
static bool has_offsets(const bsp_file *file, uint32_t n) {
    return bsp_file_lump(file, n)->kind == BSP_KIND_GAME;
}

// One lump grows by some bytes (as many as never keep an alignment), and shrinks back.
static void change_and_undo(const each_map *m, uint32_t n, totals *t) {
    bsp_bytes old = stored_bytes(m->file, n);
    uint8_t *longer = malloc(old.size + 7);
    assert_non_null(longer);
    memcpy(longer, old.data, old.size);
    memset(longer + old.size, ' ', 7);
    const bsp_lump *lump = bsp_file_lump(m->file, n);
    uint32_t unpacked = lump->compressed ? lump->unpacked_size : 0;
    bsp_lump_change change = {
        .lump = n, .data = {longer, old.size + 7}, .version = BSP_NONE, .unpacked_size = unpacked};
    bsp_blob grown;
    rewrite(m->name, m->file, &change, 1, &grown);
    bsp_file *file = reopen(m, &grown);
    if (!same_bytes(stored_bytes(file, n), change.data) && !lump->compressed) {
        fail_msg("%s: %s is not what was asked for", m->name, lump->name);
    }
    t->lumps += compare_others(m, file, n);
    bsp_blob back;
    change.data = old;
    rewrite(m->name, file, &change, 1, &back);
    if (!same_but_padding(m->file, &back)) {
        fail_msg("%s: %s changed back is another file", m->name, lump->name);
    }
    t->undone++;
    bsp_blob_free(&back);
    bsp_file_close(file);
    bsp_blob_free(&grown);
    free(longer);
}

// Lumps that share bytes with another one part for good when one of them changes.
static bool alone(const bsp_file *file, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(file, n);
    for (uint32_t i = 0; i < bsp_file_get_info(file)->num_lumps; i++) {
        const bsp_lump *other = bsp_file_lump(file, i);
        bool nested = lump->place != other->place &&
                      (lump->place == BSP_IN_GAME_LUMP || other->place == BSP_IN_GAME_LUMP);
        if (i != n && !nested && other->size != 0 && other->offset < lump->offset + lump->size &&
            lump->offset < other->offset + other->size) {
            return false;
        }
    }
    return true;
}

// No lump of the directory with something in it moved, but `n`.
static void expect_places(const each_map *m, const bsp_file *changed, uint32_t n) {
    for (uint32_t i = 0; i < bsp_file_get_info(m->file)->num_directory_lumps; i++) {
        const bsp_lump *lump = bsp_file_lump(m->file, i);
        if (i != n && lump->size != 0 && bsp_file_lump(changed, i)->offset != lump->offset) {
            fail_msg("%s: %s moved", m->name, lump->name);
        }
    }
}

static void expect_checksum(const each_map *m, const bsp_file *changed) {
    uint32_t before = 0;
    uint32_t after = 1;
    if (bsp_file_get_info(m->file)->detection.branch->family != BSP_SOURCE) {
        return;
    }
    if (bsp_file_checksum(m->file, &before) != bsp_file_checksum(changed, &after) ||
        (after != 1 && before != after)) {
        fail_msg("%s: the checksum is another one", m->name);
    }
}

// Entities that go to the end and leave zeros; once there, they change in their place.
static void put_apart(const each_map *m, totals *t) {
    uint32_t n = bsp_file_find_id(m->file, BSP_ID_ENTITIES);
    const bsp_lump *old = n == BSP_NONE ? NULL : bsp_file_lump(m->file, n);
    if (old == NULL || old->size == 0 || old->place != BSP_IN_DIRECTORY || !alone(m->file, n)) {
        return;
    }
    static const char text[] = "{\n\"classname\" \"worldspawn\"\n\"message\" \"apart\"\n}\n";
    bsp_lump_change change = {.lump = n,
                              .data = {(const uint8_t *)text, sizeof text},
                              .version = BSP_NONE,
                              .apart = true};
    bsp_blob first;
    bsp_blob second;
    rewrite(m->name, m->file, &change, 1, &first);
    bsp_file *once = reopen(m, &first);
    expect_places(m, once, n);
    expect_checksum(m, once);
    assert_true(same_bytes(stored_bytes(once, n), change.data));
    if (bsp_file_lump(once, n)->offset != old->offset) {
        const uint8_t *place = (const uint8_t *)first.data + old->offset;
        for (uint64_t i = 0; i < old->size; i++) {
            assert_int_equal(place[i], 0);
        }
        t->apart++;
    }
    change.data = stored_bytes(m->file, n);
    change.unpacked_size = old->compressed ? old->unpacked_size : 0;
    rewrite(m->name, once, &change, 1, &second);
    bsp_file *twice = reopen(m, &second);
    expect_places(m, twice, n);
    expect_checksum(m, twice);
    assert_int_equal(bsp_file_lump(twice, n)->offset, bsp_file_lump(once, n)->offset);
    assert_true(same_bytes(stored_bytes(twice, n), stored_bytes(m->file, n)));
    bsp_file_close(twice);
    bsp_blob_free(&second);
    bsp_file_close(once);
    bsp_blob_free(&first);
}

static void rewrite_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_bytes bytes = bsp_file_get_info(m->file)->bytes;
    bsp_blob out;
    rewrite(m->name, m->file, NULL, 0, &out);
    if (!same_bytes((bsp_bytes){out.data, out.size}, bytes)) {
        fail_msg("%s: another file without any change", m->name);
    }
    bsp_blob_free(&out);
    t->files++;
    put_apart(m, t);
    for (uint32_t n = 0; n < bsp_file_get_info(m->file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(m->file, n);
        // Visibility rows are found by the leaves, and a game lump's size is in its directory.
        if (lump->size != 0 && lump->size == lump->stated_size && !has_offsets(m->file, n) &&
            alone(m->file, n)) {
            change_and_undo(m, n, t);
        }
    }
}

static void test_every_map(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(rewrite_map, &t);
    print_message("%u files (%u of the corpus) the same without a change; %u lumps changed and "
                  "changed back, %u lumps beside them compared; entities went apart in %u\n",
                  t.files, corpus, t.undone, t.lumps, t.apart);
    assert_true(t.apart != 0);
    assert_true(t.undone > 20);
}

// Dark Messiah writes a word before each entry of the game lump's directory, which nothing
// explains: it stays with its entry.
static void test_game_entries(void **state) {
    (void)state;
    enum { ENTRY = 20, COUNT = 4 }; // bytes of dgamelump_dark_messiah_t, and of the count
    bsp_open_options as = {.branch = "dark_messiah"};
    bsp_error error = {0};
    bsp_blob blob = room_file(bsp_branch_find("dark_messiah"), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &as, &error);
    assert_non_null(file);
    const bsp_lump *lump = bsp_file_lump(file, bsp_file_find(file, bsp_text_of("GAME_LUMP")));
    uint8_t *entries = blob.data + lump->offset + COUNT;
    uint32_t count = blob.data[lump->offset];
    assert_true(count >= 2);
    for (uint32_t i = 0; i < count; i++) {
        entries[i * ENTRY + 1] = (uint8_t)(0xA0 + i);
    }
    bsp_file_close(file);
    file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &as, &error);
    assert_non_null(file);

    bsp_blob out;
    assert_true(bsp_file_rewrite(file, NULL, 0, NULL, &out, &error));
    assert_int_equal(out.size, blob.size);
    assert_memory_equal(out.data, blob.data, blob.size);
    bsp_blob_free(&out);

    // Without the first game lump the others keep their words.
    const bsp_file_info *info = bsp_file_get_info(file);
    bsp_lump_change remove = {.lump = info->num_directory_lumps, .remove = true};
    assert_int_equal(bsp_file_lump(file, remove.lump)->place, BSP_IN_GAME_LUMP);
    if (!bsp_file_rewrite(file, &remove, 1, NULL, &out, &error)) {
        fail_msg("%s", error.message);
    }
    bsp_file *less = bsp_file_open_memory((bsp_bytes){out.data, out.size}, &as, &error);
    assert_non_null(less);
    lump = bsp_file_lump(less, bsp_file_find(less, bsp_text_of("GAME_LUMP")));
    assert_int_equal(out.data[lump->offset], count - 1);
    for (uint32_t i = 0; i + 1 < count; i++) {
        assert_int_equal(out.data[lump->offset + COUNT + i * ENTRY + 1], 0xA0 + i + 1);
    }
    bsp_file_close(less);
    bsp_blob_free(&out);
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_game_entries),
                                       cmocka_unit_test(test_every_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
