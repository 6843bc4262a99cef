// SPDX-License-Identifier: MIT
#include "cli/parts/tokens.h"

#include <string.h>

enum {
    BETWEEN, // values, keys and punctuation
    BARE,    // in a number, true, false or null
    STRING,
    ESCAPE,  // after a backslash
    UNICODE, // in the four digits after \u
};

static bool add(cli_tokens *t, const char *data, size_t size) {
    return cli_capture_add(&t->text, data, size);
}

static bool give(cli_tokens *t, cli_token token) {
    size_t size = t->text.size;
    t->text.size = 0;
    return t->take(t->user, token, t->text.data, size);
}

static bool is_in_object(const cli_tokens *t) {
    return t->depth != 0 && (t->arrays & 1) == 0;
}

static bool open_level(cli_tokens *t, bool array) {
    if (t->depth == CLI_TOKENS_DEEPEST) {
        return false;
    }
    t->depth++;
    t->arrays = t->arrays << 1 | array;
    t->key = !array;
    return give(t, array ? CLI_TOKEN_ARRAY : CLI_TOKEN_OBJECT);
}

static bool close_level(cli_tokens *t) {
    t->depth -= t->depth != 0;
    t->arrays >>= 1;
    t->key = false;
    return give(t, CLI_TOKEN_CLOSE);
}

static bool end_string(cli_tokens *t) {
    bool key = t->key;
    t->state = BETWEEN;
    t->key = false;
    return give(t, key ? CLI_TOKEN_KEY : CLI_TOKEN_STRING);
}

static bool end_bare(cli_tokens *t) {
    bool null = t->text.size == 4 && memcmp(t->text.data, "null", 4) == 0;
    t->state = BETWEEN;
    return give(t, null ? CLI_TOKEN_NULL : CLI_TOKEN_BARE);
}

// Adds a code point as UTF-8.
static bool put_code(cli_tokens *t, uint32_t code) {
    char text[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; code >>= 6) {
        text[i] = (char)(0x80 | (code & 0x3F));
    }
    text[0] = (char)(first[size] | code);
    return add(t, text, size);
}

static bool take_digit(cli_tokens *t, char c) {
    uint32_t digit = (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    t->code = t->code << 4 | digit;
    if (++t->digits < 4) {
        return true;
    }
    t->state = STRING;
    if (t->code >> 10 == 0xD800 >> 10) {
        t->high = t->code;
        return true;
    }
    if (t->code >> 10 == 0xDC00 >> 10 && t->high != 0) {
        t->code = 0x10000 + ((t->high & 0x3FF) << 10 | (t->code & 0x3FF));
        t->high = 0;
    }
    return put_code(t, t->code);
}

static bool take_escape(cli_tokens *t, char c) {
    static const char letters[] = "bfnrt";
    static const char meant[] = "\b\f\n\r\t";
    const char *found = strchr(letters, c);
    t->state = STRING;
    if (c != 'u') {
        return add(t, found != NULL ? meant + (found - letters) : &c, 1);
    }
    t->state = UNICODE;
    t->code = 0;
    t->digits = 0;
    return true;
}

static bool take_between(cli_tokens *t, char c) {
    switch (c) {
    case '{':
    case '[':
        return open_level(t, c == '[');
    case '}':
    case ']':
        return close_level(t);
    case ',':
        t->key = is_in_object(t);
        return true;
    case '"':
        t->state = STRING;
        return true;
    case ':':
    case ' ':
    case '\n':
        return true;
    default:
        t->state = BARE;
        return add(t, &c, 1);
    }
}

static bool take(cli_tokens *t, char c) {
    switch (t->state) {
    case BARE: // plain_run took the rest of it
        return end_bare(t) && take_between(t, c);
    case STRING:
        if (c == '"') {
            return end_string(t);
        }
        t->state = ESCAPE;
        return true;
    case ESCAPE:
        return take_escape(t, c);
    case UNICODE:
        return take_digit(t, c);
    default:
        return take_between(t, c);
    }
}

// Returns how many bytes only become part of the string or number that is being read.
static size_t plain_run(int state, const char *data, size_t size) {
    size_t run = 0;
    if (state == STRING) {
        while (run < size && data[run] != '"' && data[run] != '\\') {
            run++;
        }
    } else if (state == BARE) {
        while (run < size && data[run] != ',' && data[run] != ']' && data[run] != '}' &&
               data[run] != '\n') {
            run++;
        }
    }
    return run;
}

bool cli_tokens_put(cli_tokens *tokens, const char *data, size_t size) {
    while (size != 0) {
        size_t run = plain_run(tokens->state, data, size);
        if (run != 0 ? !add(tokens, data, run) : !take(tokens, data[0])) {
            return false;
        }
        run += run == 0;
        data += run;
        size -= run;
    }
    return true;
}

void cli_tokens_restart(cli_tokens *tokens) {
    tokens->state = BETWEEN;
    tokens->key = false;
    tokens->depth = 0;
    tokens->arrays = 0;
    tokens->high = 0;
    tokens->text.size = 0;
}

void cli_tokens_free(cli_tokens *tokens) {
    cli_capture_free(&tokens->text);
}
