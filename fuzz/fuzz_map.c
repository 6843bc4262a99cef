// SPDX-License-Identifier: MIT
// The map: loaded with every part, with some, and strictly; its promises hold, every visibility row
// unpacks, and the check of the file ends.
#include "invariants.h"
#include "meter.h"

#include <stdlib.h>

// A limit of rows, so that no input is slow.
#define MOST_ROW_BYTES ((uint64_t)1 << 24)

static void unpack_rows(const bsp_map *map) {
    const bsp_visibility *vis = &map->visibility;
    uint8_t *row = malloc((size_t)vis->row_bytes + 1);
    uint64_t left = MOST_ROW_BYTES;
    FUZZ_CHECK(row != NULL);
    for (uint32_t i = 0; i <= vis->num_clusters && left >= vis->row_bytes; i++) {
        bsp_map_visible(map, i, i % 2 != 0, row);
        left -= vis->row_bytes;
    }
    free(row);
}

static void load(const bsp_file *file, fuzz_meter *meter, uint32_t parts, bool strict) {
    bsp_issues *issues = bsp_issues_new(&meter->allocator, 0);
    bsp_map_options options = {
        .parts = parts, .strict = strict, .allocator = &meter->allocator, .issues = issues};
    bsp_error error = {0};
    bsp_map *map = bsp_map_load(file, &options, &error);
    if (map == NULL) {
        FUZZ_CHECK(error.code == BSP_E_LIMIT || (strict && error.code == BSP_E_DAMAGED));
    } else if (parts == 0) {
        fuzz_check_map(map);
        unpack_rows(map);
    }
    bsp_map_free(map);
    bsp_issues_free(issues);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_open_options options = {.allocator = &meter.allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, NULL);
    if (file != NULL) {
        uint32_t some = bsp_crc32(0, bytes) & BSP_LOAD_ALL;
        bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
        load(file, &meter, 0, false);
        load(file, &meter, 0, true);
        load(file, &meter, some, false);
        (void)bsp_check(file, issues, NULL);
        bsp_issues_free(issues);
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, size);
    return 0;
}
