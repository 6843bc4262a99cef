// SPDX-License-Identifier: MIT
// KeyValues, the text format of Source: keys with values or with blocks of keys. There are no
// escapes: in materials '\' separates folders. Format: sheet outputs, section 5.2.
#include "asset/find/script.h"

#include "core/options.h"
#include "core/text.h"

#include <assert.h>

#define MAX_DEPTH 64u

typedef struct owner {
    bsp_key_values public;
    bspi_heap heap;
    bsp_key_value *list;
    size_t count;
    size_t room;
} owner;

typedef struct parser {
    owner *to;
    bspi_script script;
    bsp_error *error;
    uint32_t open[MAX_DEPTH]; // blocks that are still open
    bool keep[MAX_DEPTH];     // their conditions hold
    uint32_t depth;
} parser;

// --- conditions ---------------------------------------------------------------------------------

// Materials are read as on a PC with Windows, on every host.
static bool holds(bsp_text symbol) {
    static const char *const yes[] = {"$win32", "$windows", "$pc", "$desktop", "$dx9"};
    bool negated = symbol.size != 0 && symbol.data[0] == '!';
    if (negated) {
        symbol = (bsp_text){symbol.data + 1, symbol.size - 1};
    }
    bool is = false;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        is = is || bspi_text_is(symbol, yes[i]);
    }
    return is != negated;
}

// Evaluates a condition: "[$A&&!$B||$C]".
static bool condition(bsp_text text) {
    bool any = false;
    bool all = true;
    size_t start = 1;
    for (size_t i = 1; i < text.size; i++) {
        char c = text.data[i];
        if (c != '|' && c != '&' && c != ']') {
            continue;
        }
        if (i > start) {
            all = all && holds((bsp_text){text.data + start, i - start});
            if (c != '&') {
                any = any || all;
                all = true;
            }
        }
        start = i + 1;
    }
    return any;
}

static bool is_condition(const bspi_word *word) {
    return !word->quoted && word->text.size >= 2 && word->text.data[0] == '[' &&
           (word->text.data[1] == '$' || word->text.data[1] == '!');
}

// Reads a condition after a value, if one follows on the line.
static bool read_condition(parser *p) {
    bspi_script before = p->script;
    bspi_word word;
    if (bspi_next_on_line(&p->script, &word) && is_condition(&word)) {
        return condition(word.text);
    }
    p->script = before;
    return true;
}

// --- pairs --------------------------------------------------------------------------------------

static bool add(parser *p, const bspi_word *key, bsp_text value, bool block) {
    owner *to = p->to;
    bsp_key_value *list =
        bspi_grow(&to->heap, to->list, to->count, &to->room, sizeof *list, p->error);
    if (list == NULL) {
        return false;
    }
    to->list = list;
    size_t at = to->count++;
    list[at] = (bsp_key_value){key->text, value, block, (uint32_t)at + 1, key->line};
    return true;
}

// A vector without quotes contains blanks: "[1 .5 0]".
static bsp_text whole_value(parser *p, const bspi_word *word) {
    bsp_text value = word->text;
    bspi_word next;
    if (word->quoted || value.size == 0 || value.data[0] != '[') {
        return value;
    }
    while (value.data[value.size - 1] != ']' && bspi_next_on_line(&p->script, &next)) {
        value.size = (size_t)(next.text.data + next.text.size - value.data);
    }
    return value;
}

static bool open_block(parser *p, const bspi_word *key, bool keep) {
    if (p->depth == MAX_DEPTH) {
        bspi_script_issue(&p->script, key->line, key->offset, "blocks inside blocks without end",
                          key->text);
        p->script.at = p->script.text.size;
        return true;
    }
    p->open[p->depth] = (uint32_t)p->to->count;
    p->keep[p->depth++] = keep;
    return add(p, key, (bsp_text){NULL, 0}, true);
}

static void close_block(parser *p) {
    uint32_t block = p->open[--p->depth];
    p->to->list[block].end = (uint32_t)p->to->count;
    if (!p->keep[p->depth]) {
        p->to->count = block;
    }
}

static bool read_pair(parser *p, const bspi_word *key) {
    bspi_word word;
    bspi_script before = p->script;
    bool more = bspi_next_word(&p->script, &word);
    bool keep = true;
    if (more && is_condition(&word)) {
        keep = condition(word.text);
        before = p->script;
        more = bspi_next_word(&p->script, &word);
    }
    if (more && bspi_is_brace(&word, '{')) {
        return open_block(p, key, keep);
    }
    if (!more || bspi_is_brace(&word, '}') || (word.first && !word.quoted)) {
        bspi_script_issue(&p->script, key->line, key->offset, "a key without a value", key->text);
        p->script = before;
        return add(p, key, (bsp_text){NULL, 0}, false);
    }
    bsp_text value = whole_value(p, &word);
    keep = read_condition(p) && keep;
    return !keep || add(p, key, value, false);
}

static bool parse(parser *p) {
    bspi_word word;
    while (bspi_next_word(&p->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            if (p->depth == 0) {
                bspi_script_issue(&p->script, word.line, word.offset, "a brace too many",
                                  (bsp_text){NULL, 0});
            } else {
                close_block(p);
            }
        } else if (bspi_is_brace(&word, '{')) {
            bspi_script_issue(&p->script, word.line, word.offset, "a block without a name",
                              (bsp_text){NULL, 0});
            word.text.size = 0;
            if (!open_block(p, &word, true)) {
                return false;
            }
        } else if (!read_pair(p, &word)) {
            return false;
        }
    }
    if (p->depth != 0) {
        bspi_script_issue(&p->script, p->script.line, p->script.at, "a block is not closed",
                          p->to->list[p->open[0]].key);
    }
    while (p->depth != 0) {
        close_block(p);
    }
    return true;
}

bsp_key_values *bsp_key_values_parse(bsp_text text, const bsp_text_options *options,
                                     bsp_error *error) {
    bsp_text_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    owner *to = bspi_object_new(taken.allocator, sizeof *to, error);
    if (to == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&to->heap, BSP_PRODUCT_TEXT, text.size, taken.budget, taken.allocator);
    parser p = {.to = to, .script = {.text = text, .line = 1, .options = &taken}, .error = error};
    to->public.owner = to;
    if (!bspi_heap_work(&to->heap, text.size, error) || !parse(&p)) {
        bsp_key_values_free(&to->public);
        return NULL;
    }
    to->public.list = to->list;
    to->public.count = (uint32_t)to->count;
    return &to->public;
}

void bsp_key_values_free(bsp_key_values *values) {
    if (values == NULL || values->owner == NULL) {
        return;
    }
    owner *o = values->owner;
    bspi_heap_free(&o->heap, o->list, o->room * sizeof *o->list);
    bspi_object_free(o, sizeof *o, &o->heap.allocator);
}

bsp_text bsp_key_values_get(const bsp_key_values *values, uint32_t block, const char *key) {
    assert(values != NULL && key != NULL);
    uint32_t at = block == BSP_NONE ? 0 : block + 1;
    uint32_t end = block >= values->count ? values->count : values->list[block].end;
    for (; at < end; at = values->list[at].end) {
        if (!values->list[at].block && bspi_text_is(values->list[at].key, key)) {
            return values->list[at].value;
        }
    }
    return (bsp_text){NULL, 0};
}
