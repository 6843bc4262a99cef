// SPDX-License-Identifier: MIT
// A material: KeyValues nest properly and their texts lie in the input; a patch of itself ends.
#include "meter.h"

#define MOST ((size_t)1 << 24)

static void check_tree(const bsp_key_value *list, uint32_t count) {
    uint32_t ends[128];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (depth != 0 && ends[depth - 1] == i) {
            depth--;
        }
        FUZZ_CHECK(list[i].end > i && list[i].end <= (depth == 0 ? count : ends[depth - 1]));
        FUZZ_CHECK(list[i].block || list[i].end == i + 1);
        if (list[i].block) {
            FUZZ_CHECK(depth < 128);
            ends[depth++] = list[i].end;
        }
    }
}

static bool inside(bsp_text part, bsp_text whole) {
    return part.size == 0 ||
           (part.data >= whole.data && part.data + part.size <= whole.data + whole.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_text text = {(const char *)data, size};
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_text_options options = {.name = "input",
                                .allocator = &meter.allocator,
                                .budget = fuzz_budget(&meter, MOST),
                                .issues = issues};
    bsp_key_values *values = bsp_key_values_parse(text, &options, NULL);
    if (values != NULL) {
        check_tree(values->list, values->count);
        for (uint32_t i = 0; i < values->count; i++) {
            FUZZ_CHECK(inside(values->list[i].key, text) && inside(values->list[i].value, text));
        }
    }
    bsp_key_values_free(values);
    bsp_vmt *vmt = bsp_vmt_parse(text, NULL, &options, NULL);
    if (vmt != NULL) {
        check_tree(vmt->list, vmt->count);
        FUZZ_CHECK(vmt->opacity >= 0 && vmt->opacity <= 1);
        FUZZ_CHECK(vmt->alpha_cut >= 0 && vmt->alpha_cut <= 1);
    }
    bsp_vmt_free(vmt);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
