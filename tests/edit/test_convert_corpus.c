// SPDX-License-Identifier: MIT
// Files packed and unpacked, and turned into the other byte order and back: the same records
// always, and the same bytes where no other packer is between.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/battery.h"
#include "support/compare.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/same_file.h"
#include "support/same_light.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct totals {
    unsigned files;
    unsigned lumps;
    unsigned refused;
    unsigned same_bytes;
    unsigned unknown; // files with bytes of unknown structure
} totals;

// Every file of the pak is there with its content.
static void compare_paks(const char *name, bsp_bytes a, bsp_bytes b) {
    bsp_pak *one = bsp_pak_open(a, NULL, NULL, NULL);
    bsp_pak *two = bsp_pak_open(b, NULL, NULL, NULL);
    assert_int_equal(one->count, two->count);
    for (uint32_t i = 0; i < one->count; i++) {
        bsp_blob x;
        bsp_blob y;
        assert_true(bsp_text_equal(one->entries[i].name, two->entries[i].name));
        if (!bsp_pak_read(one, i, NULL, &x, NULL)) {
            continue;
        }
        assert_true(bsp_pak_read(two, i, NULL, &y, NULL));
        if (!same_bytes((bsp_bytes){x.data, x.size}, (bsp_bytes){y.data, y.size})) {
            fail_msg("%s: file %u of the pak is another", name, i);
        }
        bsp_blob_free(&x);
        bsp_blob_free(&y);
    }
    bsp_pak_close(one);
    bsp_pak_close(two);
}

// The records of all lumps are the same.
static void compare_lumps(const each_map *m, const bsp_file *other, totals *t) {
    uint32_t count = bsp_file_get_info(m->file)->num_lumps;
    assert_int_equal(count, bsp_file_get_info(other)->num_lumps);
    for (uint32_t n = 0; n < count; n++) {
        const bsp_lump *lump = bsp_file_lump(m->file, n);
        bsp_bytes a;
        bsp_bytes b;
        assert_string_equal(lump->name, bsp_file_lump(other, n)->name);
        assert_int_equal(lump->version, bsp_file_lump(other, n)->version);
        if (lump->kind == BSP_KIND_GAME || !bsp_file_data(m->file, n, &a, NULL)) {
            continue;
        }
        assert_true(bsp_file_data(other, n, &b, NULL));
        if (lump->kind == BSP_KIND_ZIP) {
            compare_paks(m->name, a, b);
        } else if (!same_bytes(a, b)) {
            fail_msg("%s: %s is another", m->name, lump->name);
        }
        t->lumps++;
    }
}

static bool has_packed(const bsp_file *file) {
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        if (bsp_file_lump(file, n)->compressed) {
            return true;
        }
    }
    return false;
}

static void compress(const each_map *m, const bsp_file *file, bool lzma, bsp_blob *out) {
    bsp_error error = {0};
    if (!bsp_file_compress(file, lzma, NULL, out, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
}

// Packing again changes nothing, and unpacking gives the first file if that was not packed.
static void compress_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_blob packed;
    bsp_blob again;
    bsp_blob plain;
    bsp_error error = {0};
    if (m->map->branch->family != BSP_SOURCE) {
        assert_false(bsp_file_compress(m->file, true, NULL, &packed, &error));
        assert_int_equal(error.code, BSP_E_UNSUPPORTED);
        t->refused++;
        return;
    }
    compress(m, m->file, true, &packed);
    bsp_file *file = reopen(m, &packed);
    compare_lumps(m, file, t);
    assert_true(packed.size <= bsp_file_get_info(m->file)->bytes.size);
    assert_true(has_packed(file));
    assert_true(count_issues(file) <= count_issues(m->file));
    compress(m, file, true, &again);
    assert_true(is_file(file, &again));
    bsp_blob_free(&again);
    compress(m, file, false, &plain);
    bsp_file *unpacked = reopen(m, &plain);
    compare_lumps(m, unpacked, t);
    assert_false(has_packed(unpacked));
    if (!has_packed(m->file)) {
        if (!is_file(m->file, &plain)) {
            fail_msg("%s: unpacked it is another file", m->name);
        }
        t->same_bytes++;
    } else { // others packed it: what we pack is what we unpack
        compress(m, unpacked, true, &again);
        bsp_file *ours = reopen(m, &again);
        bsp_blob back;
        compress(m, ours, false, &back);
        assert_true(is_file(unpacked, &back));
        bsp_blob_free(&back);
        bsp_file_close(ours);
        bsp_blob_free(&again);
    }
    t->files++;
    bsp_file_close(unpacked);
    bsp_blob_free(&plain);
    bsp_file_close(file);
    bsp_blob_free(&packed);
}

static void test_compress(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(3), compress_map, &t);
    print_message("%u files packed and unpacked (%u the same to the byte, the others were packed "
                  "before), %u lumps compared; %u of other "
                  "families refused; %u of the corpus\n",
                  t.files, t.same_bytes, t.lumps, t.refused, corpus);
    assert_true(t.files > 0 && t.refused > 0);
}

static void reorder(const each_map *m, const bsp_file *file, bool big, bsp_blob *out, totals *t) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_convert_options options = {.lossy = true, .issues = issues};
    if (!bsp_file_reorder(file, big, &options, out, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    size_t count = 0;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count && t != NULL; i++) {
        print_message("%s: %s: %s\n", m->name, list[i].place.lump, list[i].text);
    }
    if (t != NULL && count != 0) {
        t->unknown++;
        assert_false(bsp_file_reorder(file, big, NULL, &(bsp_blob){0}, &error));
        assert_int_equal(error.code, BSP_E_UNSUPPORTED);
    }
    bsp_issues_free(issues);
}

static void turn_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_blob turned;
    bsp_blob back;
    bsp_error error = {0};
    bool big = bsp_file_get_info(m->file)->detection.big_endian;
    if (m->map->branch->family != BSP_SOURCE) {
        assert_false(bsp_file_reorder(m->file, !big, NULL, &turned, &error));
        assert_int_equal(error.code, BSP_E_UNSUPPORTED);
        t->refused++;
        return;
    }
    reorder(m, m->file, !big, &turned, t);
    bsp_error why = {0};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){turned.data, turned.size}, NULL, &why);
    if (file == NULL) {
        fail_msg("%s: %s", m->name, why.message);
    }
    const bsp_detection *found = &bsp_file_get_info(file)->detection;
    assert_int_equal(found->big_endian, !big);
    if (found->branch != m->map->branch) {
        fail_msg("%s: turned it is taken for %s", m->name, found->branch->name);
    }
    if (count_issues(file) > count_issues(m->file)) {
        fail_msg("%s: %u issues, and turned %u", m->name, (unsigned)count_issues(m->file),
                 (unsigned)count_issues(file));
    }
    bsp_map *map = bsp_map_load(file, NULL, &why);
    assert_non_null(map);
    assert_true(hash_shared(m->map, m->map->branch, true) == hash_shared(map, map->branch, true));
    bsp_map_free(map);
    reorder(m, file, big, &back, NULL);
    bsp_file *again = reopen(m, &back);
    compare_lumps(m, again, t);
    if (!has_packed(m->file)) {
        if (!is_file(m->file, &back)) {
            fail_msg("%s: turned back it is another file", m->name);
        }
        t->same_bytes++;
    }
    t->files++;
    bsp_file_close(again);
    bsp_blob_free(&back);
    bsp_file_close(file);
    bsp_blob_free(&turned);
}

static void test_endian(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(3), turn_map, &t);
    print_message("%u files turned and turned back (%u the same to the byte, the others were "
                  "packed), %u lumps compared; %u with bytes of unknown structure; %u of other "
                  "families refused; %u of the corpus\n",
                  t.files, t.same_bytes, t.lumps, t.unknown, t.refused, corpus);
    assert_true(t.files > 0 && t.refused > 0 && t.unknown == 0);
}

// --- branches -----------------------------------------------------------------------------------

typedef struct there_and_back {
    unsigned files;
    unsigned refused; // the target has no place for something, or a value does not fit
    unsigned back;    // the same lumps again
    unsigned lossy;   // refused, and done with losses
    uint64_t luxels;  // under faces, on pages of another size or back
} there_and_back;

static bool is_target(const bsp_branch *from, const bsp_branch *to) {
    bool stem =
        from->family == to->family || (from->family <= BSP_GOLDSRC && to->family <= BSP_GOLDSRC);
    return stem && !to->opaque && !to->partial && to != from;
}

// Boxes of floats that the target has in whole numbers.
static bool rounds(const bsp_lump *lump, const bsp_branch *target) {
    const bsp_lump_def *def = bsp_branch_lump_of(target, lump->id);
    if (lump->kind != BSP_KIND_ARRAY || lump->id == BSP_ID_NONE || def == NULL) {
        return false;
    }
    const bsp_layout *from = lump->def->variants[0].layout;
    const bsp_layout *to = def->variants[0].layout;
    for (uint32_t f = 0; f < from->num_fields; f++) {
        for (uint32_t t = 0; t < to->num_fields; t++) {
            if (strcmp(from->fields[f].name, to->fields[t].name) == 0 &&
                from->fields[f].type == BSP_F32 && to->fields[t].type != BSP_F32) {
                return true;
            }
        }
    }
    return false;
}

// The same words, but for zeros below 0, which whole numbers do not have.
static bool same_numbers(bsp_bytes a, bsp_bytes b) {
    bool same = a.size == b.size && a.size % 4 == 0;
    for (size_t at = 0; same && at < a.size; at += 4) {
        static const uint8_t minus_zero[] = {0, 0, 0, 0x80};
        static const uint8_t zero[4] = {0};
        bool zeros = memcmp(a.data + at, minus_zero, 4) == 0 && memcmp(b.data + at, zero, 4) == 0;
        same = zeros || memcmp(a.data + at, b.data + at, 4) == 0;
    }
    return same;
}

static bool turns_pages(const each_map *m, const bsp_branch *by) {
    uint32_t to = bsp_branch_traits(by)->light_page;
    return to != 0 && m->map->traits->light_page != 0 && to != m->map->traits->light_page;
}

// What lies on pages of another size than before: smaller ones are cut out of large ones, and do
// not come back to where they were. compare_pages tells what stays.
static bool is_repacked(const each_map *m, const bsp_branch *by, const bsp_lump *lump) {
    return m->map->traits->light_page > bsp_branch_traits(by)->light_page &&
           (lump->id == BSP_ID_DRAW_VERTS || lump->id == BSP_ID_LIGHTING ||
            lump->id == BSP_ID_FACES);
}

// Faces have the same light wherever it lies, after it was on pages of another size.
static void compare_pages(const each_map *m, const bsp_branch *by, const bsp_file *other,
                          bool whole, there_and_back *t) {
    if (turns_pages(m, by)) {
        bsp_map *map = bsp_map_load(other, NULL, NULL);
        assert_non_null(map);
        t->luxels += compare_light(m->name, m->map, map, whole);
        bsp_map_free(map);
    }
}

// Coordinates of light are rounded on the way to pages of another size and back.
static bool near_numbers(bsp_bytes a, bsp_bytes b) {
    bool near = a.size == b.size && a.size % 4 == 0;
    for (size_t at = 0; near && at < a.size; at += 4) {
        float before;
        float after;
        memcpy(&before, a.data + at, 4);
        memcpy(&after, b.data + at, 4);
        near = memcmp(a.data + at, b.data + at, 4) == 0 || fabsf(before - after) < 1e-6F;
    }
    return near;
}

// Black pages at the end that no face has do not come back.
static bool same_pages(bsp_bytes a, bsp_bytes b) {
    bsp_bytes longer = a.size > b.size ? a : b;
    size_t both = a.size > b.size ? b.size : a.size;
    bool same = memcmp(a.data, b.data, both) == 0;
    for (size_t at = both; at < longer.size; at++) {
        same = same && longer.data[at] == 0;
    }
    return same;
}

// The target has only other layouts for the records: of several that the branch has the first comes
// back, and what compilers left in padding does not.
static bool reforms(const bsp_lump *lump, const bsp_branch *target) {
    const bsp_lump_def *def = bsp_branch_lump_of(target, lump->id);
    if (lump->kind != BSP_KIND_ARRAY || lump->id == BSP_ID_NONE || def == NULL) {
        return false;
    }
    const bsp_layout *from = lump->def->variants[0].layout;
    for (uint32_t v = lump->def->num_variants; v > 0; v--) {
        bool stored = lump->def->variants[v - 1].version == lump->version;
        from = stored ? lump->def->variants[v - 1].layout : from;
    }
    for (uint32_t t = 0; t < def->num_variants; t++) {
        if (def->variants[t].layout == from) {
            return false;
        }
    }
    bool padded = false;
    for (uint32_t f = 0; f < from->num_fields; f++) {
        padded = padded || from->fields[f].type == BSP_PAD;
    }
    return padded || lump->def->num_variants > 1;
}

// Static props of a version that the target has not come back in the one that it has.
static bool renumbers(const bsp_lump *lump, const bsp_branch *target) {
    const bsp_game_lump_def *props = bsp_branch_game_lump(target, "sprp");
    bool has = lump->id != BSP_ID_STATIC_PROPS || props == NULL;
    for (uint32_t i = 0; !has && i < props->num_section_lists; i++) {
        has = props->section_lists[i].version == lump->version;
    }
    return !has;
}

// The same bytes of all lumps, but for those that changed their form on the way.
static void compare_back(const each_map *m, const bsp_file *other, const bsp_branch *by) {
    for (uint32_t n = 0; n < bsp_file_get_info(m->file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(m->file, n);
        bsp_bytes a;
        bsp_bytes b;
        uint32_t found = bsp_file_find(other, bsp_text_of(lump->name));
        if (lump->kind == BSP_KIND_GAME || lump->size == 0 || reforms(lump, by) ||
            renumbers(lump, by) || is_repacked(m, by, lump)) {
            continue;
        }
        if (found == BSP_NONE || !bsp_file_data(m->file, n, &a, NULL) ||
            !bsp_file_data(other, found, &b, NULL) ||
            !(same_bytes(a, b) || (rounds(lump, by) && same_numbers(a, b)) ||
              (turns_pages(m, by) && lump->id == BSP_ID_DRAW_VERTS && near_numbers(a, b)) ||
              (turns_pages(m, by) && lump->id == BSP_ID_LIGHTING && same_pages(a, b)))) {
            fail_msg("%s by %s and back: %s is another", m->name, by->name, lump->name);
        }
    }
}

static void go_back(const each_map *m, const bsp_file *file, there_and_back *t) {
    bsp_blob back;
    bsp_error error = {0};
    const bsp_branch *by = bsp_file_get_info(file)->detection.branch;
    if (!bsp_file_convert(file, m->map->branch, NULL, &back, &error)) {
        fail_msg("%s by %s: %s.%s: %s", m->name, by->name, error.place.lump,
                 error.place.field == NULL ? "" : error.place.field, error.message);
    }
    bsp_file *again = reopen(m, &back);
    compare_back(m, again, by);
    compare_pages(m, by, again, true, t);
    t->back++;
    bsp_file_close(again);
    bsp_blob_free(&back);
}

static void convert_one(const each_map *m, const bsp_branch *target, there_and_back *t) {
    bsp_blob blob;
    bsp_error error = {0};
    bsp_convert_options lossy = {.lossy = true};
    if (!bsp_file_convert(m->file, target, NULL, &blob, &error)) {
        if (error.code != BSP_E_RANGE) {
            fail_msg("%s to %s: %s", m->name, target->name, error.message);
        }
        t->refused++;
        if (!bsp_file_convert(m->file, target, &lossy, &blob, &error)) {
            return;
        }
        t->lossy++;
        bsp_open_options options = {.branch = target->name};
        bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &options, &error);
        assert_non_null(file);
        compare_pages(m, target, file, false, t);
        bsp_file_close(file);
        bsp_blob_free(&blob);
        return;
    }
    bsp_open_options options = {.branch = target->name};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, &options, &error);
    assert_non_null(file);
    if (count_issues(file) > count_issues(m->file)) {
        fail_msg("%s to %s: %u issues, not %u", m->name, target->name, (unsigned)count_issues(file),
                 (unsigned)count_issues(m->file));
    }
    if (target->family == m->map->branch->family) {
        compare_pages(m, target, file, true, t);
        go_back(m, file, t);
    }
    t->files++;
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// In the branch that it has a map stays as it is, byte for byte.
static void keep_branch(const each_map *m) {
    bsp_blob blob;
    bsp_error error = {0};
    if (!bsp_file_convert(m->file, m->map->branch, NULL, &blob, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    if (!same_bytes((bsp_bytes){blob.data, blob.size}, bsp_file_get_info(m->file)->bytes)) {
        fail_msg("%s as a map of %s is another file", m->name, m->map->branch->name);
    }
    bsp_blob_free(&blob);
}

static void convert_map(const each_map *m, void *user) {
    const bsp_branch *branch;
    keep_branch(m);
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        if (is_target(m->map->branch, branch)) {
            convert_one(m, branch, user);
        }
    }
}

static void test_branches(void **state) {
    (void)state;
    there_and_back t = {0};
    unsigned corpus = each_map_do_some(test_step(3), convert_map, &t);
    print_message("%u conversions, %u of them and back to the same lumps; %u refused, %u of those "
                  "done with losses; %" PRIu64 " luxels compared; %u maps of the corpus\n",
                  t.files, t.back, t.refused, t.lossy, t.luxels, corpus);
    assert_true(t.back > 0 && t.luxels > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_branches),
                                       cmocka_unit_test(test_compress),
                                       cmocka_unit_test(test_endian)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
