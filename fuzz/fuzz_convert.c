// SPDX-License-Identifier: MIT
// Damaged maps packed, unpacked, turned in byte order, written as another branch, and compared: it
// ends, within memory; what comes out is a file that opens; a file differs in nothing from itself.
// If nothing is wrong with it, it differs in nothing from its unpacked form either, and there and
// back gives its bytes where nothing was packed.
#include "bspkit/compare.h"
#include "bspkit/edit.h"

#include "meter.h"

#include <stdlib.h>
#include <string.h>

// Part of the 64 MiB that the meter allows, for each of the files that are open at a time.
#define ROOM ((size_t)6 << 20)

typedef struct trial {
    const bsp_file *file;
    const bsp_file_info *info;
    fuzz_meter *meter;
    unsigned choice;
    bool whole; // the file has no issues
} trial;

static bsp_file *open_as(const trial *t, bsp_bytes bytes, const bsp_branch *branch) {
    bsp_open_options options = {.branch = branch == NULL ? NULL : branch->name,
                                .allocator = &t->meter->allocator,
                                .budget = fuzz_budget(t->meter, ROOM)};
    return bsp_file_open_memory(bytes, &options, NULL);
}

static void count(void *user, const bsp_difference *difference) {
    FUZZ_CHECK(difference->before.size == 0 || difference->before.data != NULL);
    FUZZ_CHECK(difference->after.size == 0 || difference->after.data != NULL);
    ++*(uint64_t *)user;
}

// Returns the number of differences; also 0 where the files cannot be compared.
static uint64_t differences(const trial *t, const bsp_file *other) {
    uint64_t found = 0;
    bsp_error error = {0};
    if (!bsp_file_diff(t->file, other, count, &found, &t->meter->allocator, &error)) {
        FUZZ_CHECK(error.code != BSP_OK);
        return 0;
    }
    return found;
}

static bool has_packed(const bsp_file *file) {
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        if (bsp_file_lump(file, n)->compressed) {
            return true;
        }
    }
    return false;
}

static bool is_whole(const bsp_file *file) {
    bsp_issues *issues = bsp_issues_new(NULL, 1);
    FUZZ_CHECK(issues != NULL);
    bool whole = bsp_check(file, issues, NULL) && bsp_issues_count(issues, BSP_WARNING) == 0;
    bsp_issues_free(issues);
    return whole;
}

// Opens the result, and frees it on failure.
static bsp_file *take(const trial *t, bool done, const bsp_blob *blob, const bsp_branch *branch) {
    bsp_file *file = done ? open_as(t, (bsp_bytes){blob->data, blob->size}, branch) : NULL;
    FUZZ_CHECK(!done || file != NULL);
    return file;
}

static void try_packing(const trial *t) {
    bsp_blob blob = {0};
    bool packs = (t->choice & 7) == 0;
    bool done = bsp_file_compress(t->file, packs, &t->meter->allocator, &blob, NULL);
    bsp_file *file = take(t, done, &blob, t->info->detection.branch);
    if (done && t->whole && !packs && !has_packed(file)) {
        FUZZ_CHECK(differences(t, file) == 0);
    }
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

static void try_turning(const trial *t) {
    bsp_blob blob = {0};
    bsp_blob back = {0};
    bool lossy = (t->choice & 8) != 0;
    bool big = t->info->detection.big_endian;
    bsp_convert_options options = {.lossy = lossy, .allocator = &t->meter->allocator};
    bool done = bsp_file_reorder(t->file, !big, &options, &blob, NULL);
    bsp_file *file = take(t, done, &blob, t->info->detection.branch);
    bool there = done && bsp_file_reorder(file, big, &options, &back, NULL);
    if (there && t->whole && !lossy && !has_packed(t->file)) {
        FUZZ_CHECK(back.size == t->info->bytes.size);
        FUZZ_CHECK(memcmp(back.data, t->info->bytes.data, back.size) == 0);
    }
    bsp_file_close(file);
    bsp_blob_free(&back);
    bsp_blob_free(&blob);
}

static const bsp_branch *pick_branch(uint32_t n) {
    uint32_t branches = 0;
    while (bsp_branch_at(branches) != NULL) {
        branches++;
    }
    return bsp_branch_at(n % branches);
}

static void try_branch(const trial *t) {
    bsp_blob blob = {0};
    const bsp_branch *target = pick_branch(t->choice >> 2);
    bsp_convert_options options = {.lossy = (t->choice & 1) != 0,
                                   .allocator = &t->meter->allocator};
    bool done = bsp_file_convert(t->file, target, &options, &blob, NULL);
    bsp_file *file = take(t, done, &blob, target);
    if (done) {
        (void)differences(t, file);
    }
    bsp_file_close(file);
    bsp_blob_free(&blob);
}

// Compares the file with a copy in which one byte differs.
static void try_comparing(const trial *t) {
    size_t size = t->info->bytes.size;
    uint8_t *copy = malloc(size);
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, t->info->bytes.data, size);
    copy[size / 3] ^= (uint8_t)(1u << (t->choice & 7));
    bsp_file *file = open_as(t, (bsp_bytes){copy, size}, NULL);
    FUZZ_CHECK(differences(t, t->file) == 0);
    if (file != NULL) {
        (void)differences(t, file);
    }
    bsp_file_close(file);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    trial t = {.meter = &meter, .choice = size == 0 ? 0 : data[size / 2] + 256u * data[size - 1]};
    bsp_file *file = open_as(&t, (bsp_bytes){data, size}, NULL);
    if (file != NULL) {
        t.file = file;
        t.info = bsp_file_get_info(file);
        t.whole = is_whole(file);
        try_packing(&t);
        try_turning(&t);
        try_branch(&t);
        try_comparing(&t);
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, size);
    return 0;
}
