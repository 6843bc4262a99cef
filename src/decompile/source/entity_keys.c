// SPDX-License-Identifier: MIT
// Keys and values of entities that the compiler turned into records.
#include "core/text.h"
#include "decompile/source/steps.h"

#define MOST_NUMBERS 4
// Bytes of a value: Hammer's entities keep 511 and cut a number that stands there in two; its
// reader of files, which is the compiler's too, refuses a file with one of 1,024 (Source SDK:
// wckeyvalues.h, chunkfile.h).
#define VALUE_MOST 511

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

bool bspi_add_sides(bspi_work *w, uint32_t entity, const uint32_t *sides, uint32_t count,
                    bsp_table_id table, uint32_t record) {
    char text[VALUE_MOST + 24]; // room for one more number, which is not counted
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t end = size;
        if (i > 0) {
            text[end++] = ' ';
        }
        end += bspi_format_uint(text + end, bspi_built_side(&w->out, sides[i])->id);
        if (end > VALUE_MOST) {
            bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, table, record,
                      "%u of the %u sides are not listed: Hammer keeps %d bytes of a value",
                      count - i, count, VALUE_MOST);
            break;
        }
        size = end;
    }
    return bspi_add_text(w, entity, "sides", (bsp_text){text, size});
}
