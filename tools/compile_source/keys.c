// SPDX-License-Identifier: MIT
// Values of keys as texts, numbers and points.
#include "keys.h"

#include "core/text.h"

double number_in(bsp_text text, double otherwise) {
    double value;
    return bspi_parse_double(text, &value) ? value : otherwise;
}

uint32_t numbers_in(bsp_text text, double *out, uint32_t max) {
    uint32_t count = 0;
    for (size_t at = 0; at < text.size && count < max;) {
        size_t end = at;
        while (end < text.size && text.data[end] != ' ') {
            end++;
        }
        bsp_text word = {text.data + at, end - at};
        count += bspi_parse_double(word, &out[count]) ? 1 : 0;
        at = end + 1;
    }
    return count;
}

bsp_text key_text(const world *w, const entity *e, const char *key) {
    return bsp_mapdoc_value(w->drawing, e->number, key);
}

double key_number(const world *w, const entity *e, const char *key, double otherwise) {
    return number_in(key_text(w, e, key), otherwise);
}

vec3 key_vec(const world *w, const entity *e, const char *key) {
    double n[3] = {0, 0, 0};
    numbers_in(key_text(w, e, key), n, 3);
    return vec(n[0], n[1], n[2]);
}

bool is_class(const entity *e, const char *name) {
    return bspi_text_is(e->classname, name);
}

uint32_t text_number(bsp_text **list, uint32_t *count, bsp_text text) {
    for (uint32_t i = 0; i < *count; i++) {
        if (bspi_text_equal_nocase((*list)[i], text)) {
            return i;
        }
    }
    PUSH(*list, *count, text);
    return *count - 1;
}
