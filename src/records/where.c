// SPDX-License-Identifier: MIT
// Conditions on pairs of keys and values: KEY, a comparison, a value. The grammar is that of
// bsp_where_new; each term is taken apart once.
#include "bspkit/entities.h"
#include "core/regex.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

typedef enum comparison { EQUAL, LIKE, LESS, AT_MOST, MORE, AT_LEAST } comparison;

typedef struct term {
    bsp_text key; // a pattern
    comparison comparison;
    bool negated;      // it must hold for no pair
    bsp_text pattern;  // EQUAL
    bspi_regex *regex; // LIKE
    double number;     // the others
} term;

struct bsp_where {
    bspi_heap heap;
    bspi_arena arena;
    term *terms;
    uint32_t count;
};

// --- terms --------------------------------------------------------------------------------------

// The longer ones first.
static const struct {
    const char *sign;
    comparison comparison;
    bool negated;
} signs[] = {
    {"!=", EQUAL, true}, {"!~", LIKE, true}, {"<=", AT_MOST, false}, {">=", AT_LEAST, false},
    {"=", EQUAL, false}, {"~", LIKE, false}, {"<", LESS, false},     {">", MORE, false},
};
#define NUM_SIGNS (sizeof signs / sizeof *signs)

// Returns the index of the sign with which a text begins, or NUM_SIGNS.
static size_t sign_of(const char *text) {
    size_t s = 0;
    while (s < NUM_SIGNS && strncmp(text, signs[s].sign, strlen(signs[s].sign)) != 0) {
        s++;
    }
    return s;
}

// Ends the key at the first sign that no backslash precedes. Returns that sign, or NUM_SIGNS.
static size_t find_sign(const char *text, size_t *at) {
    size_t i = 0;
    size_t sign = NUM_SIGNS;
    while (text[i] != '\0' && (sign = sign_of(text + i)) == NUM_SIGNS) {
        i += text[i] == '\\' && text[i + 1] != '\0' ? 2 : 1;
    }
    *at = i;
    return sign;
}

static bool read_number(const char *text, const char *value, double *number, bsp_error *error) {
    return bspi_parse_double(bsp_text_of(value), number) ||
           bsp_fail(error, BSP_E_ARGUMENT, NULL, "'%s': '%s' is not a number", text, value);
}

static bool read_term(bsp_where *where, const char *text, term *out, bsp_error *error) {
    size_t at;
    char *copy = bspi_arena_text(&where->arena, bsp_text_of(text), error);
    if (copy == NULL) {
        return false;
    }
    size_t sign = find_sign(copy, &at);
    if (sign == NUM_SIGNS || at == 0) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "'%s' is no condition: a key, one of = != ~ !~ < <= > >=, and a value",
                        text);
    }
    const char *value = copy + at + strlen(signs[sign].sign);
    *out = (term){.key = {copy, at},
                  .comparison = signs[sign].comparison,
                  .negated = signs[sign].negated,
                  .pattern = bsp_text_of(value)};
    if (out->comparison == LIKE) {
        out->regex = bspi_regex_new(out->pattern, &where->heap, error);
        return out->regex != NULL;
    }
    return out->comparison == EQUAL || read_number(text, value, &out->number, error);
}

bsp_where *bsp_where_new(const char *const *terms, uint32_t count, bsp_budget *budget,
                         const bsp_allocator *allocator, bsp_error *error) {
    assert(terms != NULL || count == 0);
    bsp_where *where = bspi_object_new(allocator, sizeof *where, error);
    if (where == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&where->heap, BSP_PRODUCT_TEXT, 0, budget, allocator);
    bspi_arena_init(&where->arena, &where->heap);
    where->terms = bspi_arena_zero(&where->arena, count, sizeof *where->terms, error);
    bool done = where->terms != NULL;
    for (; done && where->count < count; where->count++) {
        done = read_term(where, terms[where->count], &where->terms[where->count], error);
    }
    if (!done) {
        bsp_where_free(where);
        return NULL;
    }
    return where;
}

void bsp_where_free(bsp_where *where) {
    if (where == NULL) {
        return;
    }
    for (uint32_t i = 0; i < where->count; i++) {
        bspi_regex_free(where->terms[i].regex);
    }
    bspi_arena_free(&where->arena);
    bspi_object_free(where, sizeof *where, &where->heap.allocator);
}

// --- answers ------------------------------------------------------------------------------------

static bool compare(comparison how, double value, double number) {
    switch (how) {
    case LESS:
        return value < number;
    case AT_MOST:
        return value <= number;
    case MORE:
        return value > number;
    default:
        return value >= number;
    }
}

static bool holds(const term *t, bsp_text value, bool *met, bsp_error *error) {
    double number;
    if (t->comparison == LIKE) {
        return bspi_regex_find(t->regex, value, met, error);
    }
    *met = t->comparison == EQUAL
               ? bsp_text_matches(value, t->pattern)
               : bspi_parse_double(value, &number) && compare(t->comparison, number, t->number);
    return true;
}

// Says whether what the term compares holds for a pair, without its negation.
static bool any_holds(const term *t, const bsp_pair *pairs, uint32_t count, bool *met,
                      bsp_error *error) {
    *met = false;
    for (uint32_t i = 0; i < count && !*met; i++) {
        if (bsp_text_matches(pairs[i].key, t->key) && !holds(t, pairs[i].value, met, error)) {
            return false;
        }
    }
    return true;
}

bool bsp_where_ask(const bsp_where *where, const bsp_pair *pairs, uint32_t num_pairs, bool *matches,
                   bsp_error *error) {
    assert(where != NULL && matches != NULL && (pairs != NULL || num_pairs == 0));
    *matches = true;
    for (uint32_t i = 0; *matches && i < where->count; i++) {
        bool met;
        if (!any_holds(&where->terms[i], pairs, num_pairs, &met, error)) {
            return false;
        }
        *matches = met != where->terms[i].negated;
    }
    return true;
}
