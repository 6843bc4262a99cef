// SPDX-License-Identifier: MIT
// The limits and conventions of entity text.
#include "edit/entity_text.h"

#include <string.h>

#define FIELD_MARK 0x1b // between the fields of an output, since Left 4 Dead 2

bool bspi_entity_text_fits(bsp_text text, const char *what, bsp_error *error) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || (c < ' ' && c != FIELD_MARK)) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                            "a %s cannot hold the character 0x%02x: entity text has no escapes",
                            what, c);
        }
    }
    return true;
}

bsp_text bspi_entity_line_end(bsp_text text) {
    const char *line = text.size == 0 ? NULL : memchr(text.data, '\n', text.size);
    bool crlf = line != NULL && line > text.data && line[-1] == '\r';
    return bsp_text_of(crlf ? "\r\n" : "\n");
}

void bspi_put_text(bspi_buffer *out, bsp_text text) {
    bspi_buffer_add(out, text.data, text.size);
}

void bspi_put_run(bspi_buffer *out, bsp_text text, size_t from, size_t to) {
    if (from < to && to <= text.size) {
        bspi_buffer_add(out, text.data + from, to - from);
    }
}

void bspi_put_quoted(bspi_buffer *out, bsp_text text) {
    bspi_buffer_add(out, "\"", 1);
    bspi_put_text(out, text);
    bspi_buffer_add(out, "\"", 1);
}
