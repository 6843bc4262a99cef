// SPDX-License-Identifier: MIT
#include "asset/find/shader_reader.h"

void bspi_shader_complain(const bspi_shader_reader *r, const bspi_word *word, const char *what) {
    bspi_script_issue(&r->script, word->line, word->offset, what, word->text);
}

bsp_text bspi_shader_argument(bspi_shader_reader *r, const bspi_word *key) {
    bspi_word word;
    if (bspi_next_on_line(&r->script, &word)) {
        return word.text;
    }
    bspi_shader_complain(r, key, "a value is missing");
    return (bsp_text){NULL, 0};
}

float bspi_shader_number(bspi_shader_reader *r, const bspi_word *key) {
    float value = 0;
    bsp_text text = bspi_shader_argument(r, key);
    if (text.size != 0 && !bsp_parse_float(text, &value)) {
        bspi_shader_complain(r, key, "no number");
    }
    return value;
}
