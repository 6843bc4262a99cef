// SPDX-License-Identifier: MIT
// The JSON reader. Each byte is looked at once; nesting is counted, and not walked into. What users
// edit is read by the command, with jansson, on which the library does not depend.
#include "core/json_read.h"

#include "core/text.h"

static void drop(bsp_text *text, size_t count) {
    text->data += count;
    text->size -= count;
}

// Returns the next character that is no white space, or 0.
static char peek(bspi_json_reader *reader) {
    bsp_text *text = &reader->text;
    while (text->size != 0 && (*text->data == ' ' || *text->data == '\t' || *text->data == '\n' ||
                               *text->data == '\r')) {
        drop(text, 1);
    }
    return text->size != 0 && !reader->failed ? *text->data : 0;
}

static bool take(bspi_json_reader *reader, char wanted) {
    if (peek(reader) != wanted || wanted == 0) {
        reader->failed = true;
        return false;
    }
    drop(&reader->text, 1);
    return true;
}

bool bspi_json_enter(bspi_json_reader *reader, char open) {
    reader->first = true;
    return take(reader, open);
}

bool bspi_json_next(bspi_json_reader *reader, char close) {
    bool first = reader->first;
    reader->first = false;
    if (peek(reader) == close) {
        drop(&reader->text, 1);
        return false;
    }
    return first ? peek(reader) != 0 || take(reader, close) : take(reader, ',');
}

bsp_text bspi_json_text(bspi_json_reader *reader) {
    bsp_text out = {.data = NULL, .size = 0};
    if (!take(reader, '"')) {
        return out;
    }
    out.data = reader->text.data;
    while (reader->text.size != 0 && *reader->text.data != '"') {
        size_t count = *reader->text.data == '\\' && reader->text.size > 1 ? 2 : 1;
        out.size += count;
        drop(&reader->text, count);
    }
    return take(reader, '"') ? out : (bsp_text){.data = NULL, .size = 0};
}

bsp_text bspi_json_name(bspi_json_reader *reader) {
    bsp_text name = bspi_json_text(reader);
    (void)take(reader, ':');
    return name;
}

// Takes a word or a number: what stands before white space, a comma or a bracket.
static bsp_text take_word(bspi_json_reader *reader) {
    bsp_text word = {.data = reader->text.data, .size = 0};
    (void)peek(reader);
    word.data = reader->text.data;
    for (char c = peek(reader);
         c != 0 && c != ',' && c != '}' && c != ']' && c != ' ' && c != '\n' && c != '\r' &&
         c != '\t' && c != '"' && c != ':' && c != '{' && c != '[';
         c = reader->text.size != 0 ? *reader->text.data : 0) {
        drop(&reader->text, 1);
        word.size++;
    }
    reader->failed |= word.size == 0;
    return word;
}

double bspi_json_number(bspi_json_reader *reader) {
    bsp_text word = take_word(reader);
    double value = bspi_text_is(word, "true") ? 1 : 0;
    if (value == 0 && !bspi_text_is(word, "false") && !bspi_parse_double(word, &value)) {
        reader->failed = true;
    }
    return reader->failed ? 0 : value;
}

void bspi_json_skip(bspi_json_reader *reader) {
    size_t depth = 0;
    do {
        char c = peek(reader);
        if (c == '"') {
            (void)bspi_json_text(reader);
        } else if (c == '{' || c == '[') {
            drop(&reader->text, 1);
            depth++;
        } else if (depth != 0 && (c == '}' || c == ']')) {
            drop(&reader->text, 1);
            depth--;
        } else if (depth != 0 && (c == ',' || c == ':')) {
            drop(&reader->text, 1);
        } else {
            (void)take_word(reader);
        }
    } while (depth != 0 && !reader->failed);
    reader->first = false;
}

bool bspi_json_at_end(bspi_json_reader *reader) {
    return peek(reader) == 0 && !reader->failed;
}
