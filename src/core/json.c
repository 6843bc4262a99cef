// SPDX-License-Identifier: MIT
// The streaming JSON writer. It writes the commas between values, and trusts its caller to nest
// objects and arrays properly.
#include "core/json.h"
#include "core/text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void bsp_json_begin(bsp_json *json, bsp_sink sink, void *user) {
    assert(sink != NULL);
    assert(json != NULL);
    json->sink = sink;
    json->user = user;
    json->used = 0;
    json->failed = false;
    json->comma = false;
}

bool bsp_json_flush(bsp_json *json) {
    assert(json != NULL);
    if (json->used != 0 && !json->failed) {
        json->failed = !json->sink(json->user, json->buffer, json->used);
    }
    json->used = 0;
    return !json->failed;
}

// Makes room for `size` contiguous bytes; `size` is at most a quarter of the buffer.
static char *reserve(bsp_json *json, size_t size) {
    if (sizeof json->buffer - json->used < size) {
        bsp_json_flush(json);
    }
    return json->buffer + json->used;
}

static void put(bsp_json *json, const char *data, size_t size) {
    if (size >= sizeof json->buffer) {
        bsp_json_flush(json);
        json->failed = json->failed || !json->sink(json->user, data, size);
        return;
    }
    while (size > 0) {
        size_t piece = size < sizeof json->buffer / 4 ? size : sizeof json->buffer / 4;
        memcpy(reserve(json, piece), data, piece);
        json->used += piece;
        data += piece;
        size -= piece;
    }
}

static void put_char(bsp_json *json, char c) {
    *reserve(json, 1) = c;
    json->used++;
}

static void separate(bsp_json *json) {
    if (json->comma) {
        put_char(json, ',');
    }
    json->comma = true;
}

static void open_with(bsp_json *json, char bracket) {
    separate(json);
    put_char(json, bracket);
    json->comma = false;
}

static void close_with(bsp_json *json, char bracket) {
    put_char(json, bracket);
    json->comma = true;
}

void bsp_json_object(bsp_json *json) {
    assert(json != NULL);
    open_with(json, '{');
}

void bsp_json_object_end(bsp_json *json) {
    assert(json != NULL);
    close_with(json, '}');
}

void bsp_json_array(bsp_json *json) {
    assert(json != NULL);
    open_with(json, '[');
}

void bsp_json_array_end(bsp_json *json) {
    assert(json != NULL);
    close_with(json, ']');
}

// Makes room for a number with the comma that is due, and writes that. Returns where the number
// goes.
static char *begin_number(bsp_json *json, size_t size) {
    char *out = reserve(json, 1 + size);
    size_t comma = json->comma ? 1 : 0;
    out[0] = ',';
    json->used += comma;
    json->comma = true;
    return out + comma;
}

// Writes a number below 1000, as most are: no branch depends on how many digits it has. Four bytes
// are written. Returns the number of digits.
static size_t format_small(char *out, uint32_t value) {
    uint32_t skip = (value < 100 ? 1u : 0u) + (value < 10 ? 1u : 0u);
    uint32_t text = value / 100 | value / 10 % 10 << 8 | value % 10 << 16;
    text = (text + 0x303030) >> 8 * skip;
    for (int i = 0; i < 4; i++) {
        out[i] = (char)(text >> 8 * i);
    }
    return 3 - skip;
}

void bsp_json_uint(bsp_json *json, uint64_t value) {
    assert(json != NULL);
    char *out = begin_number(json, 24);
    json->used += value < 1000 ? format_small(out, (uint32_t)value) : bspi_format_uint(out, value);
}

void bsp_json_int(bsp_json *json, int64_t value) {
    assert(json != NULL);
    if (value >= 0) {
        bsp_json_uint(json, (uint64_t)value);
        return;
    }
    char *out = begin_number(json, 24);
    json->used += bspi_format_int(out, value);
}

void bsp_json_bool(bsp_json *json, bool value) {
    assert(json != NULL);
    separate(json);
    put(json, value ? "true" : "false", value ? 4 : 5);
}

void bsp_json_null(bsp_json *json) {
    assert(json != NULL);
    separate(json);
    put(json, "null", 4);
}

void bsp_json_float(bsp_json *json, float value) {
    assert(json != NULL);
    if (value == 0 && signbit(value)) {
        separate(json); // a reader would take "-0" for an integer and lose the sign
        put(json, "-0.0", 4);
    } else if (isfinite(value)) {
        char *out = begin_number(json, BSP_FLOAT_TEXT);
        json->used += bsp_format_float(out, value);
    } else {
        bsp_json_string(json, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
    }
}

void bsp_json_floats(bsp_json *json, const char *key, const float *values, uint32_t count) {
    assert(json != NULL && key != NULL);
    assert(values != NULL || count == 0);
    bsp_json_key(json, key);
    bsp_json_array(json);
    for (uint32_t i = 0; i < count; i++) {
        bsp_json_float(json, values[i]);
    }
    bsp_json_array_end(json);
}

static const char hex[] = "0123456789abcdef";

// Returns the length of the well-formed UTF-8 sequence at the start of `text`, or 0.
static size_t utf8_sequence(const unsigned char *text, size_t size) {
    unsigned char lead = text[0];
    size_t length = lead < 0x80                   ? 1
                    : lead >= 0xC2 && lead < 0xE0 ? 2
                    : lead >= 0xE0 && lead < 0xF0 ? 3
                    : lead >= 0xF0 && lead < 0xF5 ? 4
                                                  : 0;
    if (length == 0 || length > size) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (lead == 0xE0 && text[1] < 0xA0) || (lead == 0xF0 && text[1] < 0x90);
    bool surrogate = lead == 0xED && text[1] >= 0xA0;
    bool too_big = lead == 0xF4 && text[1] >= 0x90;
    return overlong || surrogate || too_big ? 0 : length;
}

static void put_escape(bsp_json *json, unsigned char c) {
    char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    switch (c) {
    case '"':
    case '\\':
        put_char(json, '\\');
        put_char(json, (char)c);
        break;
    case '\n':
        put(json, "\\n", 2);
        break;
    case '\t':
        put(json, "\\t", 2);
        break;
    case '\r':
        put(json, "\\r", 2);
        break;
    default:
        put(json, escape, sizeof escape);
    }
}

static bool is_plain(unsigned char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

static void put_quoted(bsp_json *json, const char *data, size_t size) {
    const unsigned char *text = (const unsigned char *)data;
    put_char(json, '"');
    size_t at = 0;
    while (at < size) {
        size_t plain = at;
        while (plain < size && is_plain(text[plain])) {
            plain++;
        }
        if (plain > at) {
            put(json, data + at, plain - at);
            at = plain;
            continue;
        }
        size_t sequence = text[at] < 0x80 ? 0 : utf8_sequence(text + at, size - at);
        if (sequence != 0) {
            put(json, data + at, sequence);
            at += sequence;
        } else {
            put_escape(json, text[at++]);
        }
    }
    put_char(json, '"');
}

void bsp_json_text(bsp_json *json, bsp_text value) {
    assert(json != NULL);
    separate(json);
    put_quoted(json, value.data, value.size);
}

void bsp_json_string(bsp_json *json, const char *value) {
    bsp_json_text(json, bsp_text_of(value));
}

void bsp_json_key(bsp_json *json, const char *key) {
    assert(json != NULL && key != NULL);
    bsp_json_string(json, key);
    put_char(json, ':');
    json->comma = false;
}

void bspi_json_values(bsp_json *json, const char *text, size_t size) {
    separate(json);
    put(json, text, size);
}

// Copies more than the key, since a copy of fixed size needs no call.
void bspi_json_ready_key(bsp_json *json, const char text[BSPI_KEY_TEXT], size_t size) {
    char *out = reserve(json, 1 + BSPI_KEY_TEXT);
    size_t comma = json->comma ? 1 : 0;
    out[0] = ',';
    memcpy(out + comma, text, BSPI_KEY_TEXT);
    json->used += comma + size;
    json->comma = false;
}

void bsp_json_hex(bsp_json *json, bsp_bytes value) {
    assert(json != NULL);
    const size_t most = sizeof json->buffer / 8;
    separate(json);
    put_char(json, '"');
    for (size_t at = 0; at < value.size;) {
        size_t piece = value.size - at < most ? value.size - at : most;
        char *out = reserve(json, piece * 2);
        for (size_t i = 0; i < piece; i++) {
            out[2 * i] = hex[value.data[at + i] >> 4];
            out[2 * i + 1] = hex[value.data[at + i] & 15];
        }
        json->used += piece * 2;
        at += piece;
    }
    put_char(json, '"');
}
