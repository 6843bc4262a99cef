// SPDX-License-Identifier: MIT
// Records: each lump is parsed, dumped, checked and encoded again. For any bytes, the parts lie in
// the lump, their leaves do not overlap, and encoding gives the lump's bytes.
#include "meter.h"

#include <stdlib.h>
#include <string.h>

static bool swallow(void *user, const char *data, size_t size) {
    size_t *sum = user;
    FUZZ_CHECK(memchr(data, '\n', size) == NULL);
    *sum += size;
    return true;
}

static bool is_leaf(const bsp_part *part) {
    return part->kind != BSP_PART_GROUP && part->kind != BSP_PART_LIST;
}

static void claim(const bsp_part *part, uint8_t *claimed) {
    FUZZ_CHECK(part->size == 0 || memchr(claimed + part->offset, 1, part->size) == NULL);
    memset(claimed + part->offset, 1, part->size);
}

static void look_at_parts(const bsp_parts *parts) {
    uint8_t *claimed = calloc(parts->data.size + 1, 1);
    FUZZ_CHECK(claimed != NULL);
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        FUZZ_CHECK(part->end > i && part->end <= parts->count);
        if (!is_leaf(part)) {
            continue;
        }
        FUZZ_CHECK(part->end == i + 1);
        FUZZ_CHECK(part->offset <= parts->data.size &&
                   part->size <= parts->data.size - part->offset);
        if (part->kind == BSP_PART_TABLE || part->kind == BSP_PART_RECORD) {
            FUZZ_CHECK(part->size == (size_t)part->count * part->layout->size);
        }
        claim(part, claimed);
    }
    free(claimed);
}

static void encode(const bsp_file *file, uint32_t n, bsp_bytes data) {
    uint8_t *out = malloc(data.size + 1);
    bsp_error error = {0};
    FUZZ_CHECK(out != NULL);
    if (bsp_file_encode_lump(file, n, out, &error)) {
        FUZZ_CHECK(data.size == 0 || memcmp(out, data.data, data.size) == 0);
    } else {
        FUZZ_CHECK(error.code == BSP_E_LIMIT);
    }
    free(out);
}

static void look_at_lump(const bsp_file *file, uint32_t n) {
    bsp_parts parts;
    bsp_error error = {0};
    if (!bsp_file_parts(file, n, NULL, &parts, &error)) {
        FUZZ_CHECK(error.code != BSP_OK);
        return;
    }
    look_at_parts(&parts);
    encode(file, n, parts.data);
    bsp_parts_free(&parts);
    size_t written = 0;
    bsp_json json;
    bsp_json_begin(&json, swallow, &written);
    (void)bsp_dump_json(file, n, &json, &error);
    FUZZ_CHECK(bsp_json_flush(&json));
}

static void encode_all(const bsp_file *file, bsp_bytes bytes) {
    uint8_t *out = malloc(bytes.size + 1);
    FUZZ_CHECK(out != NULL);
    if (bsp_file_encode(file, out, NULL)) {
        FUZZ_CHECK(memcmp(out, bytes.data, bytes.size) == 0);
    }
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_open_options options = {.allocator = &meter.allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    if (file != NULL) {
        bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
        for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
            look_at_lump(file, n);
        }
        (void)bsp_check_records(file, issues, NULL);
        encode_all(file, bytes);
        bsp_issues_free(issues);
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, size);
    return 0;
}
