// SPDX-License-Identifier: MIT
// Hostile files are copied to a block of their own size, so that the sanitizer detects each read
// after the end.
#include "support/effort.h"
#include "support/battery.h"

#include "support/alloc.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY_BASE ((size_t)64 << 20)
#define MEMORY_FACTOR 8
#define BIG_LUMP 16384u

bool null_sink(void *user, const char *data, size_t size) {
    (void)data;
    *(uint64_t *)user += size;
    return true;
}

// --- sound files --------------------------------------------------------------------------------

bsp_file *battery_open(const char *name, bsp_bytes bytes) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory(bytes, NULL, &error);
    if (file == NULL) {
        fail_msg("%s: %s", name, error.message);
    }
    return file;
}

static void encode_lump(const char *name, const bsp_file *file, uint32_t n) {
    bsp_error error = {0};
    bsp_bytes data;
    if (!bsp_file_data(file, n, &data, &error)) {
        fail_msg("%s: %s: %s", name, bsp_file_lump(file, n)->name, error.message);
    }
    uint8_t *out = malloc(data.size + 1);
    assert_non_null(out);
    if (!bsp_file_encode_lump(file, n, out, &error)) {
        fail_msg("%s: %s: %s", name, bsp_file_lump(file, n)->name, error.message);
    }
    for (size_t i = 0; i < data.size; i++) {
        if (out[i] != data.data[i]) {
            fail_msg("%s: %s: byte %zu is encoded as %02X, not %02X", name,
                     bsp_file_lump(file, n)->name, i, out[i], data.data[i]);
        }
    }
    free(out);
}

uint32_t battery_encode(const char *name, const bsp_file *file) {
    const bsp_file_info *info = bsp_file_get_info(file);
    for (uint32_t n = 0; n < info->num_lumps; n++) {
        encode_lump(name, file, n);
    }
    bsp_error error = {0};
    uint8_t *out = malloc(info->bytes.size + 1);
    assert_non_null(out);
    if (!bsp_file_encode(file, out, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    if (memcmp(out, info->bytes.data, info->bytes.size) != 0) {
        fail_msg("%s: the encoded file differs", name);
    }
    free(out);
    return info->num_lumps;
}

void battery_clean(const char *name, const bsp_file *file, bsp_severity severity) {
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_non_null(issues);
    if (!bsp_check(file, issues, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind->severity >= severity) {
            fail_msg("%s: %s: %s[%u].%s: %s", name, list[i].kind->id, list[i].place.lump,
                     list[i].place.record, list[i].place.field == NULL ? "" : list[i].place.field,
                     list[i].text);
        }
    }
    bsp_issues_free(issues);
}

// --- hostile files ------------------------------------------------------------------------------

static bool is_clean_failure(const bsp_error *error) {
    return error->code != BSP_OK && error->message[0] != '\0' &&
           strchr(error->message, '\n') == NULL;
}

// Checks that a failure has an error.
static void note(const char *name, bool done, const bsp_error *error) {
    if (!done && !is_clean_failure(error)) {
        fail_msg("%s: failed without a reason", name);
    }
}

// Text takes most of the time: each damaged file dumps a quarter of its lumps, in turn, and a big
// one rarely.
static bool is_turn(const bsp_lump *lump, uint32_t n, uint32_t turn) {
    return (n + turn) % 4 == 0 && (lump->size < BIG_LUMP || turn % 32 < 4);
}

static void read_lumps(const char *name, const bsp_file *file, uint32_t turn) {
    uint64_t dumped = 0;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        if (!is_turn(bsp_file_lump(file, n), n, turn)) {
            continue;
        }
        bsp_error error = {0};
        bsp_json json;
        bsp_bytes data;
        bsp_json_begin(&json, null_sink, &dumped);
        note(name, bsp_dump_json(file, n, &json, &error), &error);
        bsp_json_flush(&json);
        memset(&error, 0, sizeof error);
        bool there = bsp_file_data(file, n, &data, &error);
        note(name, there, &error);
        uint8_t *out = there && data.size < MEMORY_BASE ? malloc(data.size + 1) : NULL;
        if (out != NULL) {
            note(name, bsp_file_encode_lump(file, n, out, &error), &error);
        }
        free(out);
    }
}

static void read_map(const char *name, const bsp_file *file, const bsp_allocator *allocator,
                     bool strict) {
    bsp_error error = {0};
    bsp_map_options options = {.allocator = allocator, .strict = strict};
    bsp_map *map = bsp_map_load(file, &options, &error);
    note(name, map != NULL, &error);
    if (map != NULL && map->visibility.num_clusters != 0 && map->visibility.row_bytes < 65536) {
        static uint8_t row[65536];
        bsp_map_visible(map, map->visibility.num_clusters - 1, false, row);
        bsp_map_visible(map, 0, true, row);
    }
    bsp_map_free(map);
}

static void exercise(const char *name, bsp_bytes bytes, uint32_t turn, test_meter *meter) {
    bsp_error error = {0};
    bsp_allocator allocator = meter_allocator(meter);
    bsp_issues *issues = bsp_issues_new(&allocator, 0);
    bsp_open_options options = {.allocator = &allocator, .issues = issues};
    bsp_file *file = bsp_file_open_memory(bytes, &options, &error);
    note(name, file != NULL, &error);
    if (file != NULL) {
        read_lumps(name, file, turn);
        note(name, bsp_check(file, issues, &error), &error);
        read_map(name, file, &allocator, false);
        read_map(name, file, &allocator, true);
    }
    bsp_file_close(file);
    bsp_issues_free(issues);
    if (meter->live != 0 || meter->wrong) {
        fail_msg("%s: %zu bytes were not given back%s", name, meter->live,
                 meter->wrong ? ", and one with a wrong size" : "");
    }
}

void battery_hostile(const char *name, bsp_bytes bytes, uint32_t turn) {
    test_meter meter = {0};
    uint8_t *copy = malloc(bytes.size + (bytes.size == 0));
    assert_non_null(copy);
    if (bytes.size != 0) {
        memcpy(copy, bytes.data, bytes.size);
    }
    bsp_bytes own = {copy, bytes.size};
    exercise(name, own, turn, &meter);
    if (meter.peak > MEMORY_BASE + MEMORY_FACTOR * bytes.size) {
        fail_msg("%s: %zu bytes of memory for a file of %zu", name, meter.peak, bytes.size);
    }
    free(copy);
}

static void cut(const char *name, bsp_bytes bytes, uint64_t size) {
    if (size < bytes.size) {
        bytes.size = (size_t)size;
        battery_hostile(name, bytes, (uint32_t)size);
    }
}

void battery_truncate(const char *name, bsp_bytes bytes) {
    bsp_file *file = battery_open(name, bytes);
    const bsp_file_info *info = bsp_file_get_info(file);
    size_t head = bsp_shape_size(bsp_branch_shape(info->detection.branch));
    for (size_t size = 0; size <= head; size++) {
        cut(name, bytes, size);
    }
    for (uint32_t n = 0; n < info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        uint64_t end = lump->offset + lump->size;
        for (uint64_t at = lump->size == 0 ? end : end - 1; at < end + 2; at++) {
            cut(name, bytes, at);
        }
        cut(name, bytes, lump->size == 0 ? bytes.size : lump->offset);
    }
    bsp_file_close(file);
}

// Picks a byte of the directory or of any lump, each with the same probability.
static size_t pick_byte(test_random *random, const bsp_file *file) {
    const bsp_file_info *info = bsp_file_get_info(file);
    size_t head = bsp_shape_size(bsp_branch_shape(info->detection.branch));
    const bsp_lump *lump = bsp_file_lump(file, (uint32_t)random_below(random, info->num_lumps));
    if (random_below(random, 2) == 0 || lump->size == 0) {
        return random_below(random, head);
    }
    return (size_t)lump->offset + random_below(random, (size_t)lump->size);
}

void battery_flip(const char *name, bsp_bytes bytes, uint32_t count, uint64_t seed) {
    static const uint8_t hard[] = {0, 1, 0x7F, 0x80, 0xFF};
    test_random random = {seed};
    bsp_file *file = battery_open(name, bytes);
    uint8_t *copy = malloc(bytes.size);
    assert_non_null(copy);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(copy, bytes.data, bytes.size);
        for (size_t n = 1 + random_below(&random, 4); n > 0; n--) {
            size_t at = pick_byte(&random, file);
            bool set = random_below(&random, 2) == 0;
            copy[at] = set ? hard[random_below(&random, sizeof hard)]
                           : (uint8_t)(copy[at] ^ 1u << random_below(&random, 8));
        }
        bsp_bytes flipped = {copy, bytes.size};
        battery_hostile(name, flipped, i);
    }
    free(copy);
    bsp_file_close(file);
}

void battery_starve(const char *name, bsp_bytes bytes) {
    unsigned step = test_step(6);
    for (uint32_t turn = 4; turn < 8; turn++) {
        test_meter all = {0};
        exercise(name, bytes, turn, &all);
        // In each turn other allocations fail.
        for (uint64_t n = 1 + turn % step; n <= all.requests; n += step) {
            test_meter meter = {.fail_at = n};
            exercise(name, bytes, turn, &meter);
        }
    }
}
