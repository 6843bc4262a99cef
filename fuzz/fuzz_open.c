// SPDX-License-Identifier: MIT
// Opening: detection, directory, game lumps, BSPX, unpacking; as the detected branch, and as
// another branch.
#include "meter.h"

#include <string.h>

#define RESPAWN_HEAD 2064u

static void ask_lump(const bsp_file *file, uint32_t n) {
    const bsp_file_info *info = bsp_file_get_info(file);
    const bsp_lump *lump = bsp_file_lump(file, n);
    bool own = lump->external == BSP_NONE;
    FUZZ_CHECK(own || lump->external < info->num_external);
    size_t size = own ? info->bytes.size : info->external[lump->external].bytes.size;
    bsp_bytes data;
    FUZZ_CHECK(memchr(lump->name, '\0', sizeof lump->name) != NULL);
    FUZZ_CHECK(lump->size == 0 || (lump->offset <= size && lump->size <= size - lump->offset));
    FUZZ_CHECK(bsp_file_find(file, bsp_text_of(lump->name)) <= n || lump->name[0] == '\0');
    if (bsp_file_data(file, n, &data, NULL)) {
        FUZZ_CHECK(data.size == (lump->compressed ? lump->unpacked_size : lump->size));
        volatile uint8_t ends = data.size == 0 ? 0 : data.data[0] ^ data.data[data.size - 1];
        (void)ends;
    }
}

static void ask(const bsp_file *file, size_t size) {
    const bsp_file_info *info = bsp_file_get_info(file);
    uint32_t checksum;
    FUZZ_CHECK(info->bytes.size == size);
    FUZZ_CHECK(info->num_directory_lumps <= info->num_lumps);
    for (uint32_t n = 0; n < info->num_lumps; n++) {
        ask_lump(file, n);
    }
    for (int id = 0; id < BSP_ID_COUNT; id++) {
        uint32_t n = bsp_file_find_id(file, (bsp_table_id)id);
        FUZZ_CHECK(n == BSP_NONE || n < info->num_lumps);
        (void)bsp_file_count(file, (bsp_table_id)id);
    }
    (void)bsp_file_checksum(file, &checksum);
}

static void open_with(bsp_bytes bytes, const char *branch, const bsp_external *external,
                      uint32_t num_external) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_error error = {0};
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_open_options options = {.branch = branch,
                                .external = external,
                                .num_external = num_external,
                                .allocator = &meter.allocator,
                                .issues = issues};
    bsp_file *file = bsp_file_open_memory(bytes, &options, &error);
    if (file != NULL) {
        ask(file, bytes.size);
    } else {
        FUZZ_CHECK(error.code != BSP_OK && error.message[0] != '\0');
    }
    bsp_file_close(file);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, bytes.size);
}

static void open_as(bsp_bytes bytes, const char *branch) {
    open_with(bytes, branch, NULL, 0);
}

// Gives the bytes after a directory of Respawn's as files beside the map.
static void open_beside(bsp_bytes bytes) {
    static const char *const names[] = {"a.bsp.0000.bsp_lump", "a.bsp.0023.bsp_lump", "a_env.ent",
                                        "a.bsp.0077.bsp_lump.client"};
    bsp_external files[4];
    if (bytes.size > RESPAWN_HEAD) {
        size_t size = (bytes.size - RESPAWN_HEAD) / 4;
        for (size_t i = 0; i < 4; i++) {
            bsp_bytes piece = {bytes.data + RESPAWN_HEAD + i * size, size};
            files[i] = (bsp_external){names[i], piece};
        }
        bytes.size = RESPAWN_HEAD;
        open_with(bytes, "titanfall2", files, 4);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    size_t count = 0;
    while (bsp_branch_at(count) != NULL) {
        count++;
    }
    open_as(bytes, NULL);
    open_as(bytes, bsp_branch_at(bsp_crc32(0, bytes) % count)->name);
    open_beside(bytes);
    return 0;
}
