// SPDX-License-Identifier: MIT
// Embedded zips with files that come, are replaced and go: the others keep their bytes.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/each_map.h"
#include "support/same_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})
#define B(literal) ((bsp_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})
// Changes.
#define PUT(n, bytes, how)                                                                         \
    { .name = T(n), .data = bytes, .method = BSP_PAK_##how }
#define TAKE(n)                                                                                    \
    { .name = T(n), .remove = true }

typedef struct zip {
    bsp_blob blob;
    bsp_pak *pak;
} zip;

static zip change(bsp_bytes data, const bsp_pak_change *changes, uint32_t count) {
    zip z;
    bsp_error error = {0};
    if (!bsp_pak_rewrite(data, changes, count, NULL, &z.blob, &error)) {
        fail_msg("%s", error.message);
    }
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    z.pak = bsp_pak_open((bsp_bytes){z.blob.data, z.blob.size}, NULL, issues, &error);
    assert_non_null(z.pak);
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
    bsp_issues_free(issues);
    return z;
}

static void drop(zip *z) {
    bsp_pak_close(z->pak);
    bsp_blob_free(&z->blob);
}

static bsp_bytes bytes_of(const zip *z) {
    return (bsp_bytes){z->blob.data, z->blob.size};
}

static const bsp_pak_entry *find(const zip *z, bsp_text name, uint32_t *number) {
    for (uint32_t i = 0; i < z->pak->count; i++) {
        if (bsp_text_equal(z->pak->entries[i].name, name)) {
            *number = i;
            return &z->pak->entries[i];
        }
    }
    return NULL;
}

static void expect(const zip *z, bsp_text name, bsp_bytes content) {
    uint32_t n = 0;
    bsp_blob out;
    bsp_error error = {0};
    assert_non_null(find(z, name, &n));
    if (!bsp_pak_read(z->pak, n, NULL, &out, &error)) {
        fail_msg("%.*s: %s", (int)name.size, name.data, error.message);
    }
    assert_int_equal(out.size, content.size);
    assert_true(content.size == 0 || memcmp(out.data, content.data, content.size) == 0);
    bsp_blob_free(&out);
}

static const char long_text[] = "the same line again and again; the same line again and again; "
                                "the same line again and again; the same line again and again\n";

#define THREE                                                                                      \
    {                                                                                              \
        PUT("materials/a.vmt", B(long_text), STORED),                                              \
            PUT("materials/b.vmt", B(long_text), DEFLATE),                                         \
            PUT("materials/c.vmt", B(long_text), LZMA),                                            \
    }

static void test_methods(void **state) {
    (void)state;
    const bsp_pak_change three[] = THREE;
    zip z = change((bsp_bytes){NULL, 0}, three, 3);
    assert_int_equal(z.pak->count, 3);
    uint32_t n;
    for (int i = 0; i < 3; i++) {
        expect(&z, three[i].name, B(long_text));
        assert_int_equal(find(&z, three[i].name, &n)->method, three[i].method);
        assert_int_equal(n, i);
    }
    // Packed ones are smaller, and the directory says so.
    assert_int_equal(find(&z, three[0].name, &n)->packed_size, sizeof long_text - 1);
    assert_true(find(&z, three[1].name, &n)->packed_size < sizeof long_text / 2);
    assert_true(find(&z, three[2].name, &n)->packed_size < sizeof long_text);
    drop(&z);
}

static void test_replace_and_remove(void **state) {
    (void)state;
    const bsp_pak_change three[] = THREE;
    zip z = change((bsp_bytes){NULL, 0}, three, 3);
    const bsp_pak_change changes[] = {
        TAKE("MATERIALS/A.vmt"),
        PUT("materials/B.vmt", B("short"), STORED),
        PUT("empty.txt", B(""), STORED),
    };
    zip changed = change(bytes_of(&z), changes, 3);
    uint32_t n;
    assert_int_equal(changed.pak->count, 3);
    assert_null(find(&changed, three[0].name, &n));
    expect(&changed, T("materials/B.vmt"), B("short"));
    expect(&changed, three[2].name, B(long_text));
    expect(&changed, T("empty.txt"), (bsp_bytes){NULL, 0});
    drop(&changed);
    bsp_blob out;
    bsp_error error = {0};
    const bsp_pak_change missing = TAKE("nothing");
    assert_false(bsp_pak_rewrite(bytes_of(&z), &missing, 1, NULL, &out, &error));
    assert_string_equal(error.message, "there is no file nothing in the pak");
    drop(&z);
}

// Consoles: data on multiples of what the comment says, before a change and after it.
static void test_alignment(void **state) {
    (void)state;
    const bsp_pak_change three[] = THREE;
    zip z = change((bsp_bytes){NULL, 0}, three, 3);
    uint8_t aligned[4096];
    static const char comment[] = "XZP2 512";
    memcpy(aligned, z.blob.data, z.blob.size);
    memcpy(aligned + z.blob.size, comment, sizeof comment - 1);
    aligned[z.blob.size - 2] = sizeof comment - 1; // the length of the comment
    const bsp_pak_change more = PUT("x", B("0123456789"), STORED);
    zip changed = change((bsp_bytes){aligned, z.blob.size + sizeof comment - 1}, &more, 1);
    assert_true(bsp_text_equal(changed.pak->comment, T("XZP2 512")));
    for (uint32_t i = 0; i < 3; i++) { // as far from a multiple as before
        size_t before = (size_t)(z.pak->entries[i].packed.data - z.blob.data);
        size_t after = (size_t)(changed.pak->entries[i].packed.data - changed.blob.data);
        assert_int_equal(after % 512, before % 512);
    }
    assert_int_equal((changed.pak->entries[3].packed.data - changed.blob.data) % 512, 0);
    drop(&changed);
    drop(&z);
}

// An empty file whose own head claims a name that reaches behind the zip.
static void test_name_behind_the_end(void **state) {
    (void)state;
    const bsp_pak_change empty = PUT("empty", B(""), STORED);
    const bsp_pak_change more = PUT("x", B("0123456789"), STORED);
    zip z = change((bsp_bytes){NULL, 0}, &empty, 1);
    bsp_blob out;
    bsp_error error = {0};
    memset(z.blob.data + 26, 0xFF, 2); // name_length of the head
    assert_false(bsp_pak_rewrite(bytes_of(&z), &more, 1, NULL, &out, &error));
    assert_int_equal(error.code, BSP_E_DAMAGED);
    assert_string_equal(error.message, "file empty of the pak is not all there: remove it first");
    drop(&z);
}

// Bit 0 of the flags: the file wants a password (APPNOTE 4.4.4).
static void test_encrypted(void **state) {
    (void)state;
    const bsp_pak_change one = PUT("a", B("secret"), STORED);
    zip z = change((bsp_bytes){NULL, 0}, &one, 1);
    z.blob.data[z.pak->entries[0].record + 8] |= 1;
    bsp_error error = {0};
    bsp_pak *pak = bsp_pak_open(bytes_of(&z), NULL, NULL, &error);
    assert_non_null(pak);
    bsp_blob content;
    assert_false(bsp_pak_read(pak, 0, NULL, &content, &error));
    assert_int_equal(error.code, BSP_E_ENCRYPTED);
    bsp_pak_close(pak);
    drop(&z);
}

// Two files of one name, the first of which states more bytes than there are: the second's place is
// the new one's.
static void test_one_name_twice(void **state) {
    (void)state;
    const bsp_pak_change two[] = {PUT("a", B("first"), STORED), PUT("b", B("second"), STORED)};
    const bsp_pak_change new = PUT("a", B("third"), STORED);
    zip z = change((bsp_bytes){NULL, 0}, two, 2);
    uint8_t *records[] = {z.blob.data + z.pak->entries[0].record,
                          z.blob.data + z.pak->entries[1].record};
    records[0][21] = 0x27; // compressed_size of 0x27..
    records[1][46] = 'a';  // the name
    bsp_blob out;
    bsp_error error = {0};
    assert_true(bsp_pak_rewrite(bytes_of(&z), &new, 1, NULL, &out, &error));
    bsp_pak *pak = bsp_pak_open((bsp_bytes){out.data, out.size}, NULL, NULL, &error);
    assert_non_null(pak);
    assert_int_equal(pak->count, 1);
    bsp_blob content;
    assert_true(bsp_pak_read(pak, 0, NULL, &content, &error));
    assert_int_equal(content.size, 5);
    assert_memory_equal(content.data, "third", 5);
    bsp_blob_free(&content);
    bsp_pak_close(pak);
    bsp_blob_free(&out);
    drop(&z);
}

typedef struct totals {
    unsigned paks;
    unsigned files;
    unsigned same;  // paks that are the same to the byte after a file came and went
    unsigned maps;  // the same map, but for padding
    unsigned lumps; // compared beside the pak
} totals;

static void put_pak(const each_map *m, const bsp_file *file, uint32_t lump, bsp_bytes pak,
                    bsp_blob *out) {
    bsp_error error = {0};
    bsp_lump_change change = {.lump = lump, .data = pak, .version = BSP_NONE};
    if (!bsp_file_rewrite(file, &change, 1, NULL, out, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
}

// The map with the changed pak, and with the one that was changed back.
static void change_file(const each_map *m, const zip *added, const zip *removed, totals *t) {
    bsp_blob blob;
    bsp_blob back;
    const char *name = bsp_branch_lump_of(m->map->branch, BSP_ID_PAK)->name;
    uint32_t lump = bsp_file_find(m->file, bsp_text_of(name));
    put_pak(m, m->file, lump, bytes_of(added), &blob);
    bsp_file *file = reopen(m, &blob);
    t->lumps += compare_others(m, file, lump);
    assert_true(count_issues(file) <= count_issues(m->file));
    assert_true(same_bytes(stored_bytes(file, lump), bytes_of(added)));
    put_pak(m, file, lump, bytes_of(removed), &back);
    if (same_bytes(bytes_of(removed), stored_bytes(m->file, lump))) {
        t->same++;
        if (!same_but_padding(m->file, &back)) {
            fail_msg("%s: changed back it is another file", m->name);
        }
        t->maps++;
    }
    bsp_blob_free(&back);
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// A file comes and goes; the others have the same packed bytes all the time.
static void change_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error = {0};
    if (m->map->pak.size == 0) {
        return;
    }
    bsp_pak *before = bsp_pak_open(m->map->pak, NULL, NULL, &error);
    assert_non_null(before);
    const bsp_pak_change add = PUT("new/file.txt", B(long_text), DEFLATE);
    const bsp_pak_change remove = TAKE("new/file.txt");
    zip added = change(m->map->pak, &add, 1);
    zip removed = change(bytes_of(&added), &remove, 1);
    expect(&added, add.name, B(long_text));
    assert_int_equal(added.pak->count, before->count + 1);
    assert_int_equal(removed.pak->count, before->count);
    for (uint32_t i = 0; i < before->count; i++) {
        const bsp_pak_entry *old = &before->entries[i];
        const bsp_pak_entry *now[] = {&added.pak->entries[i], &removed.pak->entries[i]};
        for (int k = 0; k < 2; k++) {
            if (!bsp_text_equal(old->name, now[k]->name) || old->crc != now[k]->crc ||
                old->packed.size != now[k]->packed.size ||
                memcmp(old->packed.data, now[k]->packed.data, old->packed.size) != 0) {
                fail_msg("%s: %.*s changed", m->name, (int)old->name.size, old->name.data);
            }
        }
        t->files++;
    }
    change_file(m, &added, &removed, t);
    t->paks++;
    drop(&added);
    drop(&removed);
    bsp_pak_close(before);
}

static void test_maps(void **state) {
    (void)state;
    totals t = {0};
    (void)each_map_do(change_map, &t);
    print_message(
        "%u paks, %u files in them the same; after adding and removing %u paks the same to "
        "the byte, and %u maps; %u lumps beside them the same\n",
        t.paks, t.files, t.same, t.maps, t.lumps);
    assert_true(t.paks != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),   cmocka_unit_test(test_replace_and_remove),
        cmocka_unit_test(test_alignment), cmocka_unit_test(test_name_behind_the_end),
        cmocka_unit_test(test_encrypted), cmocka_unit_test(test_one_name_twice),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
