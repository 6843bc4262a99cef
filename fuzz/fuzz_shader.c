// SPDX-License-Identifier: MIT
// A shader script: texts lie in the input, shaders stand in its order, each is found by its name.
#include "meter.h"

#define MOST ((size_t)1 << 24)

static void check_text(bsp_text part, const uint8_t *data, size_t size) {
    const uint8_t *start = (const uint8_t *)part.data;
    FUZZ_CHECK(part.size == 0 || (start >= data && start + part.size <= data + size));
}

static void check_shader(const bsp_shader *shader, const uint8_t *data, size_t size) {
    check_text(shader->name, data, size);
    check_text(shader->sky_box, data, size);
    check_text(shader->editor_image, data, size);
    for (uint32_t i = 0; i < shader->num_surface_parms; i++) {
        check_text(shader->surface_parms[i], data, size);
    }
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const bsp_shader_stage *stage = &shader->stages[i];
        check_text(stage->rgb_gen, data, size);
        for (uint32_t n = 0; n < stage->num_images; n++) {
            FUZZ_CHECK(stage->images[n].size != 0);
            check_text(stage->images[n], data, size);
        }
    }
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
    bsp_shaders *shaders = bsp_shaders_parse(text, &options, NULL);
    for (uint32_t i = 0; shaders != NULL && i < shaders->count; i++) {
        check_shader(&shaders->list[i], data, size);
        FUZZ_CHECK(i == 0 || shaders->list[i].line >= shaders->list[i - 1].line);
        if (i < 64) {
            FUZZ_CHECK(bsp_shaders_find(shaders, shaders->list[i].name) != NULL);
        }
    }
    bsp_shaders_free(shaders);
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
