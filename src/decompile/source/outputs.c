// SPDX-License-Identifier: MIT
// Tells the outputs of an entity from its keys. The compiler copies them among the plain keys; the
// value is target, input, parameter, delay and times to fire, and two more words in Bloodlines and
// Dark Messiah. Facts: sheet outputs, section 2.2.
#include "decompile/source/steps.h"

#include "core/text.h"

#define ESCAPE 0x1B // separates the words in branches from Left 4 Dead 2 on

// Returns word number `n` of a value.
static bsp_text word(bsp_text value, char separator, unsigned n) {
    size_t start = 0;
    for (size_t i = 0; i <= value.size; i++) {
        if (i < value.size && value.data[i] != separator) {
            continue;
        }
        if (n-- == 0) {
            return (bsp_text){value.data + start, i - start};
        }
        start = i + 1;
    }
    return (bsp_text){NULL, 0};
}

static unsigned count_of(bsp_text value, char separator) {
    unsigned count = 0;
    for (size_t i = 0; i < value.size; i++) {
        count += value.data[i] == separator;
    }
    return count;
}

static bool is_letter(char c) {
    return bspi_lower(c) >= 'a' && bspi_lower(c) <= 'z';
}

// Returns true for the name of an input: an identifier.
static bool is_name(bsp_text text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!is_letter(c) && c != '_' && (i == 0 || c < '0' || c > '9')) {
            return false;
        }
    }
    return text.size != 0;
}

static bool is_float(bsp_text text) {
    float value;
    return bsp_parse_float(text, &value);
}

static bool is_int(bsp_text text) {
    int64_t value;
    return bsp_parse_int(text, &value);
}

bool bspi_source_is_output(const bsp_pair *pair) {
    bsp_text value = pair->value;
    if (count_of(value, ESCAPE) == 4) {
        return true;
    }
    unsigned commas = count_of(value, ',');
    if (commas != 4 && commas != 6) {
        return false;
    }
    if (bspi_text_begins_nocase(pair->key, "on") || bspi_text_begins_nocase(pair->key, "out")) {
        return true;
    }
    // Some outputs have other names (PlayerOff, XAxis); some plain keys hold lists of five.
    return is_name(pair->key) && word(value, ',', 0).size != 0 && is_name(word(value, ',', 1)) &&
           is_float(word(value, ',', 3)) && is_int(word(value, ',', 4));
}
