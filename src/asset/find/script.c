// SPDX-License-Identifier: MIT
// Words of script texts. Lines are counted; a quote that is not closed ends with its line.
#include "asset/find/script.h"

#include <string.h>

void bspi_script_issue(const bspi_script *script, uint32_t line, size_t offset, const char *what,
                       bsp_text about) {
    const bsp_text_options *o = script->options;
    if (o != NULL) {
        bspi_issue(o->issues, BSPI_ISSUE_ASSET_SYNTAX,
                   bsp_place_at(o->name == NULL ? "" : o->name, line, NULL, offset), "%s%s%.*s",
                   what, about.size == 0 ? "" : ": ", (int)(about.size < 64 ? about.size : 64),
                   about.size == 0 ? "" : about.data);
    }
}

static bool starts(const bspi_script *s, const char *two) {
    return s->text.size - s->at >= 2 && memcmp(s->text.data + s->at, two, 2) == 0;
}

static void skip_block_comment(bspi_script *s) {
    uint32_t line = s->line;
    size_t start = s->at;
    for (s->at += 2; s->at < s->text.size && !starts(s, "*/"); s->at++) {
        s->line += s->text.data[s->at] == '\n' ? 1 : 0;
    }
    if (s->at >= s->text.size) {
        bspi_script_issue(s, line, start, "a comment is not closed", (bsp_text){NULL, 0});
    } else {
        s->at += 2;
    }
}

static void skip_line_comment(bspi_script *s) {
    while (s->at < s->text.size && s->text.data[s->at] != '\n') {
        s->at++;
    }
}

// Skips blanks and comments; with `on_line` up to the end of the line. Returns true if a line
// ended.
static bool skip_blanks(bspi_script *s, bool on_line) {
    bool ended = s->at == 0;
    while (s->at < s->text.size) {
        char c = s->text.data[s->at];
        if (c == '\n' && on_line) {
            return true;
        }
        if ((unsigned char)c <= ' ') {
            ended = ended || c == '\n';
            s->line += c == '\n' ? 1 : 0;
            s->at++;
        } else if (starts(s, "//")) {
            skip_line_comment(s);
        } else if (s->quake && starts(s, "/*")) {
            skip_block_comment(s);
        } else {
            break;
        }
    }
    return ended;
}

static bool ends_word(const bspi_script *s, size_t at) {
    char c = s->text.data[at];
    return (unsigned char)c <= ' ' || (!s->quake && (c == '{' || c == '}' || c == '"'));
}

static void read_quoted(bspi_script *s, bspi_word *word) {
    const char *start = s->text.data + s->at + 1;
    size_t room = s->text.size - s->at - 1;
    size_t size = 0;
    while (size < room && start[size] != '"' && start[size] != '\n') {
        size++;
    }
    bool closed = size < room && start[size] == '"';
    s->at += 1 + size + (closed ? 1 : 0);
    if (!closed) {
        bspi_script_issue(s, word->line, word->offset, "a quote is not closed",
                          (bsp_text){start, size});
        size -= size != 0 && start[size - 1] == '\r' ? 1 : 0;
    }
    word->text = (bsp_text){start, size};
    word->quoted = true;
    word->open = !closed;
}

static void read_bare(bspi_script *s, bspi_word *word) {
    size_t start = s->at++;
    bool brace = !s->braces && (s->text.data[start] == '{' || s->text.data[start] == '}');
    while (!brace && s->at < s->text.size && !ends_word(s, s->at)) {
        s->at++;
    }
    word->text = (bsp_text){s->text.data + start, s->at - start};
}

static void read_word(bspi_script *s, bool first, bspi_word *word) {
    *word = (bspi_word){.first = first, .line = s->line, .offset = s->at};
    if (s->text.data[s->at] == '"') {
        read_quoted(s, word);
    } else {
        read_bare(s, word);
    }
}

bool bspi_next_word(bspi_script *s, bspi_word *word) {
    bool first = skip_blanks(s, false);
    if (s->at >= s->text.size) {
        return false;
    }
    read_word(s, first, word);
    return true;
}

bool bspi_next_on_line(bspi_script *s, bspi_word *word) {
    (void)skip_blanks(s, true);
    if (s->at >= s->text.size || s->text.data[s->at] == '\n') {
        return false;
    }
    if (s->quake && (s->text.data[s->at] == '{' || s->text.data[s->at] == '}')) {
        return false;
    }
    read_word(s, false, word);
    return true;
}

bsp_text bspi_rest_of_line(bspi_script *s) {
    bsp_text rest = {NULL, 0};
    bspi_word word;
    while (bspi_next_on_line(s, &word)) {
        if (rest.data == NULL) {
            rest.data = word.text.data;
        }
        rest.size = (size_t)(word.text.data + word.text.size - rest.data);
    }
    return rest;
}

bool bspi_is_brace(const bspi_word *word, char brace) {
    return !word->quoted && word->text.size == 1 && word->text.data[0] == brace;
}
