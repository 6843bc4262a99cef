// SPDX-License-Identifier: MIT
// Lines of a lights.rad. Facts: sheet bake, 3.2.
#include "bake/light/base/rad_lines.h"

#include "core/text.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bsp_text trimmed(bsp_text text) {
    while (text.size != 0 && is_blank(text.data[0])) {
        text = (bsp_text){text.data + 1, text.size - 1};
    }
    while (text.size != 0 && is_blank(text.data[text.size - 1])) {
        text.size--;
    }
    return text;
}

bsp_text bspi_rad_line(bsp_text *text) {
    const char *end = memchr(text->data, '\n', text->size);
    size_t size = end == NULL ? text->size : (size_t)(end - text->data);
    bsp_text line = {text->data, size};
    size += end != NULL;
    *text = (bsp_text){text->data + size, text->size - size};
    for (size_t i = 0; i + 1 < line.size; i++) {
        if (line.data[i] == '/' && line.data[i + 1] == '/') {
            line.size = i;
        }
    }
    return trimmed(line);
}

void bspi_rad_split(bsp_text line, bsp_text *name, bsp_text *value) {
    *name = (bsp_text){line.data, 0};
    while (name->size < line.size && !is_blank(line.data[name->size])) {
        name->size++;
    }
    *value = trimmed((bsp_text){line.data + name->size, line.size - name->size});
}

bool bspi_rad_is_of_vrad(bsp_text line) {
    static const char *const words[] = {"forcetextureshadow", "hdr:", "ldr:", "noshadow"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found |= bspi_text_begins_nocase(line, words[i]);
    }
    return found;
}

bool bspi_rad_next(bsp_text *text, const char *word, bool hdr, bsp_text *value) {
    const size_t prefix = strlen("hdr:");
    while (text->size != 0) {
        bsp_text line = bspi_rad_line(text);
        bsp_text name;
        if (bspi_text_begins_nocase(line, hdr ? "ldr:" : "hdr:")) {
            continue;
        }
        if (bspi_text_begins_nocase(line, hdr ? "hdr:" : "ldr:")) {
            line = trimmed((bsp_text){line.data + prefix, line.size - prefix});
        }
        bspi_rad_split(line, &name, value);
        if (bspi_text_is(name, word) && value->size != 0) {
            bsp_text none;
            bspi_rad_split(*value, value, &none);
            return true;
        }
    }
    return false;
}

bsp_text bspi_rad_stem(bsp_text name) {
    const char *dot = name.size == 0 ? NULL : memchr(name.data, '.', name.size);
    return (bsp_text){name.data, dot == NULL ? name.size : (size_t)(dot - name.data)};
}
