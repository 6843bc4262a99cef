// SPDX-License-Identifier: MIT
// Sizes, offsets and names of layouts.
#include "layout/layout.h"

#include "core/text.h"

#include <assert.h>

size_t bsp_type_size(bsp_type type) {
    return bspi_type_size(type);
}

const char *bsp_type_name(bsp_type type) {
    static const char *const names[] = {"u8",  "i8",  "u16",  "i16", "u32",
                                        "i32", "f32", "char", "pad"};
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)type);
}

const char *bsp_role_name(bsp_role role) {
    static const char *const names[] = {
        "value",          "index",      "index or none", "first",     "count",
        "surfedge",       "node child", "clip child",    "headnodes", "offset",
        "offset or none", "flags",      "contents",      "bounds",    "normal",
    };
    return bspi_name_of(names, sizeof names / sizeof *names, (size_t)role);
}

bool bsp_layout_is_bare(const bsp_layout *layout) {
    assert(layout != NULL);
    return layout->num_fields == 1 && layout->fields[0].name[0] == '\0';
}

size_t bsp_layout_offset(const bsp_layout *layout, uint32_t field) {
    assert(layout != NULL && field < layout->num_fields);
    return field < layout->num_fields ? bspi_layout_offset(layout, field) : layout->size;
}

uint32_t bsp_layout_find_field(const bsp_layout *layout, bsp_text name) {
    assert(layout != NULL);
    for (uint32_t i = 0; i < layout->num_fields; i++) {
        if (bsp_text_equal(bsp_text_of(layout->fields[i].name), name)) {
            return i;
        }
    }
    return BSP_NONE;
}

const bsp_field *bspi_layout_find(const bsp_layout *layout, uint16_t map_member, uint32_t *index) {
    for (uint32_t i = 0; i < layout->num_fields; i++) {
        if (layout->fields[i].map_member == map_member) {
            *index = i;
            return &layout->fields[i];
        }
    }
    return NULL;
}

static bool counts(const bsp_layout *layout, uint32_t field, uint16_t target) {
    return field < layout->num_fields && layout->fields[field].role == BSP_ROLE_COUNT &&
           layout->fields[field].target == target;
}

uint32_t bspi_layout_run_count(const bsp_layout *layout, uint32_t first) {
    uint16_t target = layout->fields[first].target;
    for (uint32_t step = 1; step < layout->num_fields; step++) {
        if (counts(layout, first + step, target)) {
            return first + step;
        }
        if (step <= first && counts(layout, first - step, target)) {
            return first - step;
        }
    }
    return BSP_NONE;
}
