// SPDX-License-Identifier: MIT
// Reads .def: classes in /*QUAKED comments of game code. Grammar: sheet definitions, section 2.
#include "mapdoc/definitions.h"

#include "core/text.h"

#include <string.h>

#define BEGIN "/*QUAKED"
#define MAX_FLAGS 24u

static bsp_text cut_line(bsp_text *rest) {
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end == NULL ? rest->size : (size_t)(end - rest->data);
    bsp_text line = {rest->data, size};
    size_t used = size + (end == NULL ? 0 : 1);
    *rest = (bsp_text){rest->data + used, rest->size - used};
    return bspi_text_trim(line);
}

static bsp_text cut_word(bsp_text *line) {
    *line = bspi_text_trim(*line);
    size_t size = 0;
    while (size < line->size && (unsigned char)line->data[size] > ' ') {
        size++;
    }
    bsp_text word = {line->data, size};
    *line = bspi_text_trim((bsp_text){line->data + size, line->size - size});
    return word;
}

// Takes "(...)" from the front of a line; an empty text if it does not begin so.
static bsp_text cut_bracket(bsp_text *line) {
    *line = bspi_text_trim(*line);
    const char *end =
        line->size == 0 || line->data[0] != '(' ? NULL : memchr(line->data, ')', line->size);
    if (end == NULL) {
        return (bsp_text){NULL, 0};
    }
    bsp_text inner = {line->data + 1, (size_t)(end - line->data) - 1};
    *line = bspi_text_trim((bsp_text){end + 1, (size_t)(line->data + line->size - end) - 1});
    return inner;
}

// The words after the box are the bits of "spawnflags", from 1 on; "x", "-" and "?" are bits
// without a use.
static void read_flags(bspi_def_source *s, bsp_text line) {
    static const char *const values[MAX_FLAGS] = {
        "1",     "2",      "4",      "8",      "16",      "32",      "64",      "128",
        "256",   "512",    "1024",   "2048",   "4096",    "8192",    "16384",   "32768",
        "65536", "131072", "262144", "524288", "1048576", "2097152", "4194304", "8388608"};
    for (uint32_t bit = 0; bit < MAX_FLAGS && line.size != 0; bit++) {
        bsp_text label = cut_word(&line);
        if (!bspi_text_is(label, "x") && !bspi_text_is(label, "-") && !bspi_text_is(label, "?")) {
            bspi_def_flag(s, (bsp_class_choice){bsp_text_of(values[bit]), label, false});
        }
    }
}

static void read_head(bspi_def_source *s, bsp_text line) {
    s->now.name = cut_word(&line);
    bsp_text color = cut_bracket(&line);
    if (color.size != 0) {
        bspi_def_color(s, color, 0);
    }
    bsp_text mins = cut_bracket(&line);
    bsp_text maxs = cut_bracket(&line);
    float low[3], high[3];
    if (bspi_def_numbers(mins, low, 3) == 3 && bspi_def_numbers(maxs, high, 3) == 3) {
        memcpy(s->now.mins, low, sizeof low);
        memcpy(s->now.maxs, high, sizeof high);
        s->now.sized = true;
    } else if (line.size != 0 && line.data[0] == '?') {
        s->now.kind = BSP_CLASS_BRUSH;
        (void)cut_word(&line);
    }
    if (line.size != 0 && line.data[0] == '?') { // some have a box and a '?'
        (void)cut_word(&line);
    }
    read_flags(s, line);
}

// `"key" text`: a key and what it means.
static bool read_key(bspi_def_source *s, bsp_text line) {
    const char *end =
        line.size < 2 || line.data[0] != '"' ? NULL : memchr(line.data + 1, '"', line.size - 1);
    if (end == NULL) {
        return false;
    }
    bsp_text key = {line.data + 1, (size_t)(end - line.data) - 1};
    bsp_text help = bspi_text_trim((bsp_text){end + 1, (size_t)(line.data + line.size - end) - 1});
    bspi_def_property(
        s, (bsp_class_property){.key = key, .type = bsp_text_of("string"), .help = help});
    return true;
}

// `model="path"` of Radiant.
static bool read_radiant_model(bspi_def_source *s, bsp_text line) {
    if (!bspi_text_begins_nocase(line, "model=\"")) {
        return false;
    }
    bsp_text path = {line.data + 7, line.size - 7};
    const char *end = memchr(path.data, '"', path.size);
    s->now.shows = BSP_CLASS_MODEL;
    s->now.picture = (bsp_text){path.data, end == NULL ? path.size : (size_t)(end - path.data)};
    return true;
}

// Returns the argument of `word(...)` in a block of TrenchBroom; empty if there is none.
static bsp_text argument_of(bsp_text block, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size < block.size; i++) {
        if (memcmp(block.data + i, word, size) != 0) {
            continue;
        }
        size_t start = i + size;
        size_t depth = 1;
        for (size_t at = start; at < block.size; at++) {
            depth += block.data[at] == '(' ? 1 : 0;
            depth -= block.data[at] == ')' ? 1 : 0;
            if (depth == 0) {
                return (bsp_text){block.data + start, at - start};
            }
        }
    }
    return (bsp_text){NULL, 0};
}

static void read_block(bspi_def_source *s, bsp_text block) {
    bsp_text model = argument_of(block, "model(");
    bsp_text base = argument_of(block, "base(");
    if (model.size != 0) {
        bspi_def_model(s, model);
    }
    for (size_t at = 0; at < base.size; at++) {
        size_t start = at;
        while (at < base.size && base.data[at] != ',') {
            at++;
        }
        bsp_text name = bspi_text_trim((bsp_text){base.data + start, at - start});
        if (name.size >= 2 && name.data[0] == '"') {
            name = (bsp_text){name.data + 1, name.size - 2};
        }
        if (name.size != 0) {
            bspi_def_base(s, name);
        }
    }
}

// Takes "{ ... }" from the front of the text.
static bool cut_block(bsp_text *rest, bsp_text *block) {
    *rest = bspi_text_trim(*rest);
    if (rest->size == 0 || rest->data[0] != '{') {
        return false;
    }
    size_t depth = 0;
    for (size_t at = 0; at < rest->size; at++) {
        depth += rest->data[at] == '{' ? 1 : 0;
        depth -= rest->data[at] == '}' ? 1 : 0;
        if (depth == 0) {
            *block = (bsp_text){rest->data + 1, at - 1};
            *rest = (bsp_text){rest->data + at + 1, rest->size - at - 1};
            return true;
        }
    }
    return false;
}

static void read_class(bspi_def_source *s, bsp_text text) {
    bspi_def_begin(s, BSP_CLASS_POINT);
    read_head(s, cut_line(&text));
    bsp_text block;
    while (cut_block(&text, &block)) {
        read_block(s, block);
    }
    s->now.help = bspi_text_trim(text);
    while (text.size != 0 && bspi_meter_add(&s->meter, 1)) {
        bsp_text line = cut_line(&text);
        if (!read_key(s, line)) {
            (void)read_radiant_model(s, line);
        }
    }
    bspi_def_end(s);
}

static const char *find(const char *from, const char *end, const char *what) {
    size_t size = strlen(what);
    for (; (size_t)(end - from) >= size; from++) {
        if (*from == what[0] && memcmp(from, what, size) == 0) {
            return from;
        }
    }
    return NULL;
}

bool bspi_read_def(bspi_def_source *s) {
    const char *end = s->text.data + s->text.size;
    const char *at = s->text.data;
    const char *counted = at;
    while (!s->failed && (at = find(at, end, BEGIN)) != NULL) {
        for (; counted < at; counted++) {
            s->line += *counted == '\n' ? 1 : 0;
        }
        s->at = (size_t)(at - s->text.data);
        const char *from = at + sizeof BEGIN - 1;
        const char *close = find(from, end, "*/");
        if (close == NULL) {
            bspi_def_issue(s, "a comment is not closed", (bsp_text){NULL, 0});
            close = end;
        }
        read_class(s, (bsp_text){from, (size_t)(close - from)});
        at = close;
    }
    return !s->failed && !s->meter.failed;
}
