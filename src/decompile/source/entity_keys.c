// SPDX-License-Identifier: MIT
// Keys and values of entities that the compiler turned into records.
#include "core/text.h"
#include "decompile/source/steps.h"

#define MOST_NUMBERS 4

bool bspi_add_text(bspi_work *w, uint32_t entity, const char *key, bsp_text value) {
    return bspi_build_pair(&w->out, entity, bsp_text_of(key), value, false);
}

bool bspi_add_int(bspi_work *w, uint32_t entity, const char *key, int64_t value) {
    char text[20];
    return bspi_add_text(w, entity, key, (bsp_text){text, bspi_format_int(text, value)});
}

bool bspi_add_floats(bspi_work *w, uint32_t entity, const char *key, const float *values,
                     uint32_t count) {
    char text[MOST_NUMBERS * BSP_FLOAT_TEXT];
    size_t size = 0;
    for (uint32_t i = 0; i < count && i < MOST_NUMBERS; i++) {
        if (i > 0) {
            text[size++] = ' ';
        }
        size += bsp_format_float(text + size, values[i] + 0.0F); // adding 0 removes a negative zero
    }
    return bspi_add_text(w, entity, key, (bsp_text){text, size});
}

bool bspi_add_sides(bspi_work *w, uint32_t entity, const char *key, const uint32_t *sides,
                    uint32_t count) {
    size_t room = 11 * (size_t)count + 1;
    char *text = bspi_heap_alloc(&w->heap, room, w->error);
    if (text == NULL) {
        return false;
    }
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            text[size++] = ' ';
        }
        size += bspi_format_uint(text + size, bspi_built_side(&w->out, sides[i])->id);
    }
    bool added = bspi_add_text(w, entity, key, (bsp_text){text, size});
    bspi_heap_free(&w->heap, text, room);
    return added;
}
