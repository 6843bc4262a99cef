// SPDX-License-Identifier: MIT
// Text views and the reading of numbers, independent of the locale.
#include "core/text.h"

#include <assert.h>
#include <string.h>

bsp_text bsp_text_of(const char *string) {
    bsp_text text = {string, string == NULL ? 0 : strlen(string)};
    return text;
}

bool bsp_text_equal(bsp_text a, bsp_text b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// Returns how many characters of a pattern stand for the one at `p`: 2 for a backslash and what it
// takes as itself. It does so only to characters that mean something in patterns and conditions,
// since a backslash stands in paths too.
static size_t pattern_unit(bsp_text pattern, size_t p) {
    return pattern.data[p] == '\\' && p + 1 < pattern.size &&
                   memchr("*?\\=!~<>", pattern.data[p + 1], 8) != NULL
               ? 2
               : 1;
}

static bool unit_matches(bsp_text pattern, size_t p, size_t unit, char c) {
    char wanted = pattern.data[p + unit - 1];
    return (unit == 1 && wanted == '?') || bspi_lower(wanted) == bspi_lower(c);
}

// On a mismatch only the last * is widened: that is enough, and keeps the time at pattern times
// text.
bool bsp_text_matches(bsp_text text, bsp_text pattern) {
    size_t p = 0;
    size_t t = 0;
    size_t star = SIZE_MAX; // after the last * seen
    size_t tried = 0;       // where in the text its match ends
    while (t < text.size) {
        size_t unit = p < pattern.size ? pattern_unit(pattern, p) : 0;
        if (unit == 1 && pattern.data[p] == '*') {
            star = ++p;
            tried = t;
        } else if (unit != 0 && unit_matches(pattern, p, unit, text.data[t])) {
            p += unit;
            t++;
        } else if (star != SIZE_MAX) {
            p = star;
            t = ++tried;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '*') {
        p++;
    }
    return p == pattern.size;
}

char bspi_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool bspi_text_equal_nocase(bsp_text a, bsp_text b) {
    if (a.size != b.size) {
        return false;
    }
    for (size_t i = 0; i < a.size; i++) {
        if (bspi_lower(a.data[i]) != bspi_lower(b.data[i])) {
            return false;
        }
    }
    return true;
}

int bspi_text_compare(bsp_text a, bsp_text b) {
    size_t shared = a.size < b.size ? a.size : b.size;
    int order = shared == 0 ? 0 : memcmp(a.data, b.data, shared);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

int bspi_text_compare_nocase(bsp_text a, bsp_text b) {
    for (size_t i = 0; i < a.size && i < b.size; i++) {
        int order = (unsigned char)bspi_lower(a.data[i]) - (unsigned char)bspi_lower(b.data[i]);
        if (order != 0) {
            return order;
        }
    }
    return a.size < b.size ? -1 : a.size > b.size;
}

// FNV-1a
#define HASH_START 2166136261u
#define HASH_FACTOR 16777619u

uint32_t bspi_text_hash(bsp_text text) {
    uint32_t hash = HASH_START;
    for (size_t i = 0; i < text.size; i++) {
        hash = (hash ^ (uint8_t)text.data[i]) * HASH_FACTOR;
    }
    return hash;
}

uint32_t bspi_text_hash_nocase(bsp_text text) {
    uint32_t hash = HASH_START;
    for (size_t i = 0; i < text.size; i++) {
        hash = (hash ^ (uint8_t)bspi_lower(text.data[i])) * HASH_FACTOR;
    }
    return hash;
}

bool bspi_text_is(bsp_text text, const char *word) {
    return bspi_text_equal_nocase(text, bsp_text_of(word));
}

bool bspi_text_begins_nocase(bsp_text text, const char *start) {
    bsp_text head = {text.data, strlen(start)};
    return text.size >= head.size && bspi_text_equal_nocase(head, bsp_text_of(start));
}

bool bspi_text_ends_nocase(bsp_text text, const char *end) {
    size_t size = strlen(end);
    return text.size >= size &&
           (size == 0 || bspi_text_equal_nocase((bsp_text){text.data + text.size - size, size},
                                                bsp_text_of(end)));
}

bool bspi_text_fits_nocase(bsp_text text, bsp_text pattern) {
    if (pattern.size != 0 && pattern.data[pattern.size - 1] == '*') {
        pattern.size--;
        text.size = text.size > pattern.size ? pattern.size : text.size;
    }
    return bspi_text_equal_nocase(text, pattern);
}

bool bspi_text_cut_end(bsp_text *text, const char *end) {
    bool ends = bspi_text_ends_nocase(*text, end);
    text->size -= ends ? strlen(end) : 0;
    return ends;
}

bool bspi_text_cut_number(bsp_text *text, int64_t *number) {
    int64_t unused;
    size_t at = text->size;
    while (at > 0 && text->data[at - 1] >= '0' && text->data[at - 1] <= '9') {
        at--;
    }
    bool digits = at < text->size;
    at -= digits && at > 0 && text->data[at - 1] == '-' ? 1 : 0;
    if (!digits || at == 0 || text->data[at - 1] != '_' ||
        !bsp_parse_int((bsp_text){text->data + at, text->size - at},
                       number != NULL ? number : &unused)) {
        return false;
    }
    text->size = at - 1;
    return true;
}

bsp_text bspi_text_last_part(bsp_text path) {
    for (size_t i = path.size; i > 0; i--) {
        if (path.data[i - 1] == '/' || path.data[i - 1] == '\\') {
            return (bsp_text){path.data + i, path.size - i};
        }
    }
    return path;
}

bsp_text bspi_text_trim(bsp_text text) {
    while (text.size > 0 && (unsigned char)text.data[0] <= ' ') {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && (unsigned char)text.data[text.size - 1] <= ' ') {
        text.size--;
    }
    return text;
}

typedef struct decimal {
    uint64_t digits; // the first 19 significant digits
    int exponent;    // value = digits * 10^exponent
    bool negative;
    bool inexact; // digits were dropped
} decimal;

static bool scan_exponent(bsp_text text, size_t at, int *exponent) {
    bool negative = at < text.size && text.data[at] == '-';
    at += at < text.size && (text.data[at] == '-' || text.data[at] == '+') ? 1 : 0;
    if (at >= text.size) {
        return false;
    }
    int value = 0;
    for (; at < text.size; at++) {
        char c = text.data[at];
        if (c < '0' || c > '9') {
            return false;
        }
        value = value < 10000 ? value * 10 + (c - '0') : value;
    }
    *exponent += negative ? -value : value;
    return true;
}

static bool scan_decimal(bsp_text text, decimal *out) {
    size_t at = 0;
    bool any = false;
    bool point = false;
    memset(out, 0, sizeof *out);
    if (at < text.size && (text.data[at] == '-' || text.data[at] == '+')) {
        out->negative = text.data[at++] == '-';
    }
    for (; at < text.size; at++) {
        char c = text.data[at];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            any = true;
            if (out->digits < UINT64_C(1000000000000000000)) {
                out->digits = out->digits * 10 + (uint64_t)(c - '0');
                out->exponent -= point ? 1 : 0;
            } else {
                out->inexact = out->inexact || c != '0';
                out->exponent += point ? 0 : 1;
            }
        } else {
            break;
        }
    }
    if (!any) {
        return false;
    }
    if (at < text.size) {
        return (text.data[at] == 'e' || text.data[at] == 'E') &&
               scan_exponent(text, at + 1, &out->exponent);
    }
    return true;
}

// A long double has 64 bits of mantissa on the common machines and holds powers of ten up to 10^27
// exactly, so there is one rounding here and one to the result's type.
static bool parse_wide(bsp_text text, long double *value) {
    decimal number;
    if (!scan_decimal(bspi_text_trim(text), &number)) {
        return false;
    }
    long double wide = (long double)number.digits;
    int exponent = number.exponent < -400 ? -400 : number.exponent > 400 ? 400 : number.exponent;
    long double scale = 1;
    long double ten = 10;
    for (int n = exponent < 0 ? -exponent : exponent; n > 0; n >>= 1) {
        if (n & 1) {
            scale *= ten;
        }
        ten *= ten;
    }
    wide = exponent < 0 ? wide / scale : wide * scale;
    *value = number.negative ? -wide : wide;
    return true;
}

bool bsp_parse_float(bsp_text text, float *value) {
    assert(value != NULL);
    long double wide;
    bool number = parse_wide(text, &wide);
    if (number) {
        *value = (float)wide;
    }
    return number;
}

bool bspi_parse_double(bsp_text text, double *value) {
    long double wide;
    bool number = parse_wide(text, &wide);
    if (number) {
        *value = (double)wide;
    }
    return number;
}

bool bsp_parse_vector(bsp_text text, float out[3]) {
    assert(out != NULL);
    float parsed[3];
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        while (at < text.size && (unsigned char)text.data[at] <= ' ') {
            at++;
        }
        size_t start = at;
        while (at < text.size && (unsigned char)text.data[at] > ' ') {
            at++;
        }
        bsp_text word = {text.size == 0 ? NULL : text.data + start, at - start};
        if (!bsp_parse_float(word, &parsed[i])) {
            return false;
        }
    }
    memcpy(out, parsed, sizeof parsed);
    return true;
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = bspi_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool bsp_parse_int(bsp_text text, int64_t *value) {
    assert(value != NULL);
    text = bspi_text_trim(text);
    size_t at = 0;
    bool negative = text.size > 0 && text.data[0] == '-';
    at += text.size > 0 && (text.data[0] == '-' || text.data[0] == '+') ? 1 : 0;
    int base = 10;
    if (text.size >= at + 2 && text.data[at] == '0' && bspi_lower(text.data[at + 1]) == 'x') {
        base = 16;
        at += 2;
    }
    if (at >= text.size) {
        return false;
    }
    int64_t sum = 0;
    for (; at < text.size; at++) {
        int digit = digit_of(text.data[at]);
        if (digit >= base || sum > (INT64_MAX - digit) / base) {
            return false;
        }
        sum = sum * base + digit;
    }
    *value = negative ? -sum : sum;
    return true;
}
