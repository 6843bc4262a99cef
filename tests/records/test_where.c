// SPDX-License-Identifier: MIT
// Conditions: by hand, against a plain matcher on many random pairs, and expressions that would try
// very many ways.
#include "bspkit/bspkit.h"
#include "support/effort.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bsp_pair pair_of(const char *key, const char *value) {
    return (bsp_pair){bsp_text_of(key), bsp_text_of(value)};
}

static bool ask(const char *term, const bsp_pair *pairs, uint32_t count) {
    bsp_error error;
    bool matches;
    bsp_where *where = bsp_where_new(&term, 1, NULL, NULL, &error);
    if (where == NULL) {
        fail_msg("%s: %s", term, error.message);
    }
    assert_true(bsp_where_ask(where, pairs, count, &matches, &error));
    bsp_where_free(where);
    return matches;
}

static void test_by_hand(void **state) {
    (void)state;
    const bsp_pair door[] = {pair_of("classname", "func_door"),
                             pair_of("model", "*13"),
                             pair_of("speed", "100"),
                             pair_of("origin", "0 0 64"),
                             pair_of("a=b", "x"),
                             pair_of("target", ""),
                             pair_of("OnOpen", "lift,Up,,0,-1"),
                             pair_of("OnOpen", "bell,Ring,,2,1")};
    static const struct {
        const char *term;
        bool matches;
    } rows[] = {
        {"classname=func_door", true},
        {"CLASSNAME=FUNC_*", true},
        {"classname=door", false},
        {"classname!=door", true},
        {"classname!=func_door", false},
        {"targetname!=x", true}, // there is none
        {"targetname=*", false},
        {"target=*", true},
        {"target=", true},
        {"model=*3", true},
        {"model=\\*3", false},
        {"model=\\*13", true},
        {"classname~door$", true},
        {"classname~^door", false},
        {"classname~(?-i)DOOR", false},
        {"classname~DOOR", true},
        {"classname!~door", false},
        {"OnOpen~^bell", true}, // any pair of the key
        {"OnOpen=lift*", true},
        {"OnOpen!=lift*", false},
        {"*~,2,", true},
        {"*=x", true},
        {"speed>99", true},
        {"speed>100", false},
        {"speed>=100", true},
        {"speed<1e2", false},
        {"speed<=1e2", true},
        {"origin>=0", false}, // three numbers are none
        {"classname<5", false},
        {"health<5", false},
        {"a\\=b=x", true},
        {"a=b=x", false},
        {"speed~^[0-9]+$", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ask(rows[i].term, door, sizeof door / sizeof *door) != rows[i].matches) {
            fail_msg("%s: not %d", rows[i].term, rows[i].matches);
        }
    }
    assert_false(ask("a=*", NULL, 0));
    assert_true(ask("a!=*", NULL, 0));
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *term;
        const char *message;
    } rows[] = {
        {"", "'' is no condition: a key, one of = != ~ !~ < <= > >=, and a value"},
        {"classname",
         "'classname' is no condition: a key, one of = != ~ !~ < <= > >=, and a value"},
        {"=x", "'=x' is no condition: a key, one of = != ~ !~ < <= > >=, and a value"},
        {"a\\=b", "'a\\=b' is no condition: a key, one of = != ~ !~ < <= > >=, and a value"},
        {"a<", "'a<': '' is not a number"},
        {"a>=b", "'a>=b': 'b' is not a number"},
        {"a~[", "the regular expression is wrong at its character 2: missing terminating ] for "
                "character class"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *terms[] = {"x=y", rows[i].term};
        bsp_error error;
        assert_null(bsp_where_new(terms, 2, NULL, NULL, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_string_equal(error.message, rows[i].message);
    }
    bsp_where_free(NULL);
}

// --- against a plain matcher --------------------------------------------------------------------

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

// By the definition: a * takes nothing, or one character and stays.
static bool plain_glob(const char *text, const char *pattern) {
    if (*pattern == '\0') {
        return *text == '\0';
    }
    if (*pattern == '*') {
        return plain_glob(text, pattern + 1) || (*text != '\0' && plain_glob(text + 1, pattern));
    }
    bool escaped =
        *pattern == '\\' && pattern[1] != '\0' && strchr("*?\\=!~<>", pattern[1]) != NULL;
    char wanted = pattern[escaped];
    return *text != '\0' && ((wanted == '?' && !escaped) || lower(wanted) == lower(*text)) &&
           plain_glob(text + 1, pattern + 1 + escaped);
}

// Expressions of characters, '.', '$' at the end, and * after one character.
static bool plain_here(const char *text, const char *regex) {
    if (*regex == '\0') {
        return true;
    }
    if (regex[0] == '$' && regex[1] == '\0') {
        return *text == '\0';
    }
    bool one = *text != '\0' && (*regex == '.' || lower(*regex) == lower(*text));
    if (regex[1] == '*') {
        return plain_here(text, regex + 2) || (one && plain_here(text + 1, regex));
    }
    return one && plain_here(text + 1, regex + 1);
}

static bool plain_regex(const char *text, const char *regex) {
    if (*regex == '^') {
        return plain_here(text, regex + 1);
    }
    for (;; text++) {
        if (plain_here(text, regex)) {
            return true;
        }
        if (*text == '\0') {
            return false;
        }
    }
}

static bool plain_number(const char *text, const char *sign, double number) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0') {
        return false;
    }
    return (value < number && sign[0] == '<') || (value > number && sign[0] == '>') ||
           (value == number && sign[1] == '=');
}

static bool plain(const char *key, const char *value, const char *wanted, const char *sign,
                  const char *operand) {
    bool negated = sign[0] == '!';
    const char *kind = sign + negated;
    bool met = *kind == '='   ? plain_glob(value, operand)
               : *kind == '~' ? plain_regex(value, operand)
                              : plain_number(value, kind, atof(operand));
    return (met && plain_glob(key, wanted)) != negated;
}

#define TEXT 16

// Few characters, so that much matches.
static void random_text(test_random *random, const char *alphabet, char out[TEXT]) {
    size_t size = random_below(random, 9);
    for (size_t i = 0; i < size; i++) {
        out[i] = alphabet[random_below(random, strlen(alphabet))];
    }
    out[size] = '\0';
}

#define TERMS 10u

static void compare(const char *sign, const char *const operands[TERMS], uint32_t keys) {
    static const char *const wanted[TERMS] = {"*",  "key",   "k*", "KEY", "?ey",
                                              "*y", "other", "**", "k?y", "o*r"};
    test_random random = {7};
    bsp_where *where[TERMS];
    uint32_t met = 0;
    for (uint32_t t = 0; t < TERMS; t++) {
        char term[64];
        const char *one = term;
        (void)snprintf(term, sizeof term, "%s%s%s", wanted[t], sign, operands[t]);
        where[t] = bsp_where_new(&one, 1, NULL, NULL, NULL);
        assert_non_null(where[t]);
    }
    for (uint32_t k = 0; k < keys; k++) {
        const char *key = random_below(&random, 3) == 0 ? "other" : "Key";
        char value[TEXT];
        random_text(&random, random_below(&random, 2) == 0 ? "aAb*.\\=" : "0123-.e", value);
        bsp_pair pair = pair_of(key, value);
        for (uint32_t t = 0; t < TERMS; t++) {
            bool matches;
            assert_true(bsp_where_ask(where[t], &pair, 1, &matches, NULL));
            if (matches != plain(key, value, wanted[t], sign, operands[t])) {
                fail_msg("%s of \"%s\" \"%s\": %d", sign, key, value, matches);
            }
            met += matches;
        }
    }
    assert_true(met > keys / 20 &&
                met < (uint64_t)keys * TERMS - keys / 20); // neither nothing nor all
    for (uint32_t t = 0; t < TERMS; t++) {
        bsp_where_free(where[t]);
    }
}

static void test_plain_matcher(void **state) {
    (void)state;
    static const char *const globs[TERMS] = {"a*",  "*b",   "*",      "?",   "a?b*",
                                             "**a", "\\**", "*\\\\*", "*.*", "*a*b*"};
    static const char *const regexes[TERMS] = {"a",   "^a*b", "b$",  ".*a.*b", "^$",
                                               "a.b", "ab*a", "^.a", "e",      "1.*2"};
    static const char *const numbers[TERMS] = {"0",   "1",  "-1", "10",  "2.5",
                                               "1e2", ".5", "3",  "-20", "123"};
    static const struct {
        const char *sign;
        const char *const *operands;
    } kinds[] = {{"=", globs},   {"!=", globs},   {"~", regexes}, {"!~", regexes},
                 {"<", numbers}, {"<=", numbers}, {">", numbers}, {">=", numbers}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        compare(kinds[i].sign, kinds[i].operands,
                test_is_thorough() ? 1000000 : test_effort(20000));
    }
}

// --- expressions that try very many ways --------------------------------------------------------

static void test_bounded(void **state) {
    (void)state;
    char value[64];
    const char *term = "a~^(a|aa)+$";
    memset(value, 'a', sizeof value - 1);
    value[sizeof value - 2] = 'b';
    value[sizeof value - 1] = '\0';
    bsp_pair pair = pair_of("a", value);
    bsp_error error;
    bool matches;
    bsp_where *where = bsp_where_new(&term, 1, NULL, NULL, &error);
    assert_non_null(where);
    assert_false(bsp_where_ask(where, &pair, 1, &matches, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_where_free(where);
    // A budget of the caller pays instead of the default.
    bsp_limits limits = {.work = 100};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    where = bsp_where_new(&term, 1, budget, NULL, &error);
    assert_non_null(where);
    value[20] = '\0'; // some thousand ways, and it is found
    pair = pair_of("a", value);
    assert_true(bsp_where_ask(where, &pair, 1, &matches, &error));
    assert_true(matches);
    memcpy(value + 30, "b", 2);
    value[20] = 'a';
    pair = pair_of("a", value);
    assert_false(bsp_where_ask(where, &pair, 1, &matches, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    bsp_where_free(where);
    bsp_budget_free(budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_plain_matcher),
        cmocka_unit_test(test_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
