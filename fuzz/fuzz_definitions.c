// SPDX-License-Identifier: MIT
// Definitions of entity classes in any of their forms: names are found, bases that go round end,
// and what an entity shows is computed.
#include "meter.h"

#define MOST ((size_t)1 << 24)

static void ask(const bsp_definitions *definitions, const bsp_entity_class *c) {
    float mins[3], maxs[3];
    bsp_class_model model;
    const bsp_entity_class *found = bsp_definitions_find(definitions, c->name);
    FUZZ_CHECK(found != NULL && found >= c); // itself, or one that was added later
    (void)bsp_definitions_size(definitions, c, mins, maxs);
    (void)bsp_definitions_property(definitions, c, "model");
    for (uint32_t i = 0; i < 3; i++) {
        FUZZ_CHECK(c->color[i] >= 0 && c->color[i] <= 1);
    }
    const bsp_pair pairs[] = {{bsp_text_of("classname"), c->name},
                              {bsp_text_of("spawnflags"), bsp_text_of("3")},
                              {bsp_text_of("model"), bsp_text_of("models/a.mdl")}};
    const bsp_entity entity = {.pairs = pairs, .num_pairs = 3};
    if (bsp_definitions_model(definitions, &entity, &model)) {
        FUZZ_CHECK(model.path.size != 0 && model.path.data[0] != '*' && model.scale > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_issues *issues = bsp_issues_new(&meter.allocator, 0);
    bsp_definitions_options options = {
        .allocator = &meter.allocator, .budget = fuzz_budget(&meter, MOST), .issues = issues};
    bsp_definitions *definitions = bsp_definitions_new(&options, NULL);
    if (definitions != NULL &&
        bsp_definitions_add(definitions, (bsp_text){(const char *)data, size}, "input", NULL,
                            NULL)) {
        uint32_t count;
        const bsp_entity_class *list = bsp_definitions_list(definitions, &count);
        for (uint32_t i = 0; i < count && i < 64; i++) {
            ask(definitions, &list[i]);
        }
    }
    bsp_definitions_free(definitions);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
