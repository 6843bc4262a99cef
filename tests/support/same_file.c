// SPDX-License-Identifier: MIT
// Compares files byte for byte.
#include "support/same_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

bsp_file *reopen(const each_map *m, const bsp_blob *blob) {
    bsp_error error = {0};
    bsp_open_options options = {.branch = m->map->branch->name};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, &options, &error);
    if (file == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    return file;
}

bool same_bytes(bsp_bytes a, bsp_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool is_file(const bsp_file *file, const bsp_blob *blob) {
    return same_bytes(bsp_file_get_info(file)->bytes, (bsp_bytes){blob->data, blob->size});
}

bool same_but_padding(const bsp_file *file, const bsp_blob *other) {
    bsp_bytes bytes = bsp_file_get_info(file)->bytes;
    if (bytes.size != other->size) {
        return false;
    }
    for (size_t at = 0; at < bytes.size; at++) {
        bool owned = bytes.data[at] == other->data[at];
        for (uint32_t n = 0; !owned && n < bsp_file_get_info(file)->num_directory_lumps; n++) {
            const bsp_lump *lump = bsp_file_lump(file, n);
            uint64_t end = lump->offset + lump->size;
            owned = lump->size != 0 && at >= end && at < (end + 3) / 4 * 4 && other->data[at] == 0;
        }
        if (!owned) {
            return false;
        }
    }
    return true;
}

bsp_bytes stored_bytes(const bsp_file *file, uint32_t lump) {
    const bsp_lump *found = bsp_file_lump(file, lump);
    return (bsp_bytes){bsp_file_get_info(file)->bytes.data + found->offset, (size_t)found->size};
}

unsigned compare_others(const each_map *m, const bsp_file *changed, uint32_t but) {
    uint32_t count = bsp_file_get_info(m->file)->num_lumps;
    assert_int_equal(bsp_file_get_info(changed)->num_lumps, count);
    for (uint32_t n = 0; n < count; n++) {
        const bsp_lump *a = bsp_file_lump(m->file, n);
        const bsp_lump *b = bsp_file_lump(changed, n);
        if (strcmp(a->name, b->name) != 0 || a->version != b->version ||
            (n != but && a->fourcc != b->fourcc)) {
            fail_msg("%s: the entry of %s is another", m->name, a->name);
        }
        if (n != but && a->kind != BSP_KIND_GAME &&
            !same_bytes(stored_bytes(m->file, n), stored_bytes(changed, n))) {
            fail_msg("%s: %s changed with %s", m->name, a->name, bsp_file_lump(m->file, but)->name);
        }
    }
    return count;
}

uint64_t count_issues(const bsp_file *file) {
    bsp_issues *issues = bsp_issues_new(NULL, 1);
    assert_true(bsp_check(file, issues, NULL));
    uint64_t count = bsp_issues_count(issues, BSP_WARNING);
    bsp_issues_free(issues);
    return count;
}
