// SPDX-License-Identifier: MIT
// An archive of any kind: every file that it lists is found by its name and reads to its size, or
// fails; no name leads out.
#include "meter.h"

#include <string.h>

#define MOST ((size_t)1 << 22)

static void look_at(const bsp_search *search, const bsp_asset *asset) {
    bsp_blob out;
    FUZZ_CHECK(asset->name.size != 0 && asset->name.data[0] != '/');
    FUZZ_CHECK(memchr(asset->name.data, '\\', asset->name.size) == NULL);
    FUZZ_CHECK(bsp_search_find(search, asset->name) == asset);
    if (bsp_search_read(search, asset->name, &out, NULL)) {
        FUZZ_CHECK(out.size == asset->size);
        (void)bsp_crc32(0, (bsp_bytes){out.data, out.size});
        bsp_blob_free(&out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_search_options options = {.allocator = &meter.allocator,
                                  .budget = fuzz_budget(&meter, 4 * MOST),
                                  .file_limit = MOST,
                                  .issues = issues};
    bsp_search *search = bsp_search_new(&options, NULL);
    FUZZ_CHECK(search != NULL);
    (void)bsp_search_add_memory(search, "input", (bsp_bytes){data, size}, NULL);
    size_t count;
    const bsp_asset *list = bsp_search_list(search, &count);
    uint64_t left = 8 * MOST; // a limit, so that no input is slow
    for (size_t i = 0; i < count && list[i].size <= left; i++) {
        left -= list[i].size + 1;
        look_at(search, &list[i]);
    }
    bsp_search_free(search);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
