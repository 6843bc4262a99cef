// SPDX-License-Identifier: MIT
// An embedded zip: entries lie in it, or are empty.
#include "meter.h"

static void look_at_entry(bsp_bytes data, const bsp_pak_entry *entry) {
    const uint8_t *end = data.data + data.size;
    const uint8_t *name = (const uint8_t *)entry->name.data;
    FUZZ_CHECK(entry->name.size == 0 || (name >= data.data && name + entry->name.size <= end));
    FUZZ_CHECK(entry->packed.size == 0 || entry->packed.size == entry->packed_size);
    FUZZ_CHECK(entry->packed.size == 0 ||
               (entry->packed.data >= data.data && entry->packed.data + entry->packed.size <= end));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_pak *pak = bsp_pak_open(bytes, &meter.allocator, issues, NULL);
    FUZZ_CHECK(pak != NULL);
    for (uint32_t i = 0; i < pak->count; i++) {
        look_at_entry(bytes, &pak->entries[i]);
    }
    bsp_pak_close(pak);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
