// SPDX-License-Identifier: MIT
// Reader of KeyValues text: names and values, quoted or not, blocks in braces, // comments.
// Format: sheet outputs, sections 2 and 5.2.
#include "vmf.h"

#include "geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at;
    const char *name;
    uint32_t line;
} reader;

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

bool same_text(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

static void skip_blanks(reader *r) {
    for (;;) {
        if (r->at[0] == '/' && r->at[1] == '/') {
            r->at += strcspn(r->at, "\n");
        } else if (*r->at == '\n' || *r->at == ' ' || *r->at == '\t' || *r->at == '\r') {
            r->line += *r->at == '\n' ? 1 : 0;
            r->at++;
        } else {
            return;
        }
    }
}

// A word, quoted or not; NULL at a brace or the end.
static const char *read_word(reader *r) {
    skip_blanks(r);
    if (*r->at == '\0' || *r->at == '{' || *r->at == '}') {
        return NULL;
    }
    bool quoted = *r->at == '"';
    r->at += quoted ? 1 : 0;
    size_t size = strcspn(r->at, quoted ? "\"\n" : " \t\r\n{}\"");
    const char *out = pool_text(r->at, size);
    r->at += size;
    if (quoted && *r->at++ != '"') {
        fail("%s:%u: a quote is not closed", r->name, r->line);
    }
    return out;
}

// The content of a block up to its closing brace, or the end of the text at depth 0.
static void read_block(reader *r, kv *block, uint32_t depth) {
    if (depth > 16) {
        fail("%s:%u: blocks in blocks in blocks", r->name, r->line);
    }
    for (;;) {
        kv entry = {.name = read_word(r)};
        if (entry.name == NULL) {
            break;
        }
        entry.value = read_word(r);
        if (entry.value == NULL) {
            if (*r->at != '{') {
                fail("%s:%u: '%s' has no value", r->name, r->line, entry.name);
            }
            r->at++;
            read_block(r, &entry, depth + 1);
        }
        PUSH(block->list, block->count, entry);
    }
    if (*r->at != (depth == 0 ? '\0' : '}')) {
        fail("%s:%u: a brace too many or too few", r->name, r->line);
    }
    r->at += depth == 0 ? 0 : 1;
}

kv *kv_parse(const char *text, const char *name) {
    reader r = {text, name, 1};
    kv *root = pool_alloc(sizeof *root);
    root->name = name;
    read_block(&r, root, 0);
    return root;
}

bool kv_is(const kv *entry, const char *name) {
    return same_text(entry->name, name);
}

const char *kv_value(const kv *block, const char *name, const char *otherwise) {
    for (uint32_t i = 0; i < block->count; i++) {
        if (block->list[i].value != NULL && kv_is(&block->list[i], name)) {
            return block->list[i].value;
        }
    }
    return otherwise;
}

double kv_number(const kv *block, const char *name, double otherwise) {
    const char *value = kv_value(block, name, NULL);
    return value == NULL ? otherwise : strtod(value, NULL);
}

const kv *kv_block(const kv *block, const char *name) {
    for (uint32_t i = 0; i < block->count; i++) {
        if (block->list[i].value == NULL && kv_is(&block->list[i], name)) {
            return &block->list[i];
        }
    }
    return NULL;
}

uint32_t read_numbers(const char *text, double *out, uint32_t max) {
    uint32_t count = 0;
    while (*text != '\0' && count < max) {
        char *end;
        double value = strtod(text, &end);
        if (end == text) {
            text++;
        } else {
            out[count++] = value;
            text = end;
        }
    }
    return count;
}

char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *out = length < 0 ? NULL : pool_alloc((size_t)length + 1);
    bool done = out != NULL && fseek(file, 0, SEEK_SET) == 0 &&
                fread(out, 1, (size_t)length, file) == (size_t)length;
    fclose(file);
    *size = done ? (size_t)length : 0;
    return done ? out : NULL;
}
