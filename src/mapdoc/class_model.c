// SPDX-License-Identifier: MIT
// Computes what model(...) of a class definition says for an entity: TrenchBroom's expressions over
// keys, and the older form of paths with numbers and conditions. Grammar: sheet definitions,
// section 4.
#include "mapdoc/definitions.h"

#include "core/text.h"
#include "map/entity.h"

#include <math.h>
#include <string.h>

#define MAX_DEPTH 64u

typedef enum value_kind {
    NOTHING, ///< a key that the entity has not
    NUMBER,
    TEXT,
    MODEL, ///< { "path": ..., "skin": ... }
} value_kind;

typedef struct value {
    value_kind kind;
    double number;
    bsp_text text;
    bsp_class_model model;
} value;

typedef struct reader {
    bsp_text text;
    size_t at;
    uint32_t depth;
    bool failed;
    bspi_def_value *value_of;
    const void *user;
} reader;

static value expression(reader *r);

// --- words --------------------------------------------------------------------------------------

static char at(const reader *r, size_t ahead) {
    return r->text.size - r->at > ahead ? r->text.data[r->at + ahead] : '\0';
}

// Returns the next character that is no blank and in no comment, and 0 at the end.
static char look(reader *r) {
    bool comment = false;
    for (; r->at < r->text.size; r->at++) {
        char c = r->text.data[r->at];
        comment = c == '\n' ? false : comment || (c == '/' && at(r, 1) == '/');
        if ((unsigned char)c > ' ' && !comment) {
            break;
        }
    }
    return r->at < r->text.size ? r->text.data[r->at] : '\0';
}

static bool take(reader *r, const char *mark) {
    size_t size = strlen(mark);
    if (look(r) == '\0' || r->text.size - r->at < size ||
        memcmp(r->text.data + r->at, mark, size) != 0) {
        return false;
    }
    r->at += size;
    return true;
}

static bsp_text read_quoted(reader *r, char quote) {
    size_t start = ++r->at;
    while (r->at < r->text.size && r->text.data[r->at] != quote) {
        r->at++;
    }
    bsp_text text = {r->text.data + start, r->at - start};
    r->failed = r->failed || r->at >= r->text.size;
    r->at += r->at < r->text.size ? 1 : 0;
    return text;
}

static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static bsp_text read_word(reader *r) {
    size_t start = r->at;
    while (r->at < r->text.size && in_word(r->text.data[r->at])) {
        r->at++;
    }
    return (bsp_text){r->text.data + start, r->at - start};
}

// --- values -------------------------------------------------------------------------------------

static value number_value(double number) {
    return (value){.kind = NUMBER, .number = number};
}

static value text_value(bsp_text text) {
    return (value){.kind = text.data == NULL ? NOTHING : TEXT, .text = text};
}

static double as_number(const value *v) {
    float number = 0;
    if (v->kind == NUMBER) {
        return v->number;
    }
    return v->kind == TEXT && bsp_parse_float(bspi_text_trim(v->text), &number) ? (double)number
                                                                                : 0;
}

static int64_t as_bits(const value *v) {
    double n = as_number(v);
    return n >= -2147483648.0 && n <= 4294967295.0 ? (int64_t)n : 0;
}

static bool is_true(const value *v) {
    return v->kind == TEXT ? v->text.size != 0 && !bspi_text_is(v->text, "0")
                           : v->kind == MODEL || (v->kind == NUMBER && v->number != 0);
}

static int compare(const value *a, const value *b) {
    if (a->kind == TEXT && b->kind == TEXT) {
        return bspi_text_compare_nocase(a->text, b->text);
    }
    if (a->kind == NOTHING || b->kind == NOTHING) {
        return a->kind == b->kind ? 0 : 1;
    }
    double x = as_number(a), y = as_number(b);
    return (x > y) - (x < y);
}

static uint32_t as_index(const value *v) {
    double n = as_number(v);
    return n > 0 && n < 65536 ? (uint32_t)n : 0;
}

// --- expressions --------------------------------------------------------------------------------

static void set_member(reader *r, value *map, bsp_text key, const value *v) {
    if (bspi_text_is(key, "path")) {
        map->model.path = v->kind == TEXT ? v->text : (bsp_text){NULL, 0};
    } else if (bspi_text_is(key, "skin")) {
        map->model.skin = as_index(v);
    } else if (bspi_text_is(key, "frame")) {
        float number;
        bool named = v->kind == TEXT && v->text.size != 0 && !bsp_parse_float(v->text, &number);
        map->model.frame_name = named ? v->text : (bsp_text){NULL, 0};
        map->model.frame = named ? 0 : as_index(v);
    } else if (bspi_text_is(key, "scale")) {
        value scale = *v;
        float number;
        if (v->kind == TEXT && !bsp_parse_float(v->text, &number)) { // the name of a key
            scale = text_value(r->value_of(r->user, v->text));
        }
        double n = as_number(&scale);
        map->model.scale = n > 0 && isfinite(n) ? (float)n : 1;
    }
}

static value read_map(reader *r) {
    value map = {.kind = MODEL, .model = {.scale = 1}};
    while (!r->failed && look(r) != '}') {
        char c = look(r);
        bsp_text key = c == '"' || c == '\'' ? read_quoted(r, c) : read_word(r);
        if (key.size == 0 || !take(r, ":")) {
            r->failed = true;
            break;
        }
        value v = expression(r);
        set_member(r, &map, key, &v);
        if (!take(r, ",")) {
            break;
        }
    }
    r->failed = r->failed || !take(r, "}");
    return map;
}

// {{ condition -> value, ..., value }}: the first whose condition is true.
static value read_switch(reader *r) {
    value result = {.kind = NOTHING};
    bool found = false;
    do {
        value v = expression(r);
        bool holds = true;
        if (take(r, "->")) {
            holds = is_true(&v);
            v = expression(r);
        }
        if (holds && !found) {
            result = v;
            found = true;
        }
    } while (!r->failed && take(r, ","));
    r->failed = r->failed || !take(r, "}}");
    return result;
}

static value read_name(reader *r) {
    bsp_text word = read_word(r);
    float number;
    if (word.size == 0) {
        r->failed = true;
        return (value){.kind = NOTHING};
    }
    if (bspi_text_is(word, "true") || bspi_text_is(word, "false")) {
        return number_value(bspi_text_is(word, "true"));
    }
    if (bsp_parse_float(word, &number)) {
        return number_value((double)number);
    }
    return text_value(r->value_of(r->user, word));
}

static value primary(reader *r) {
    char c = look(r);
    if (c == '"' || c == '\'') {
        return text_value(read_quoted(r, c));
    }
    if (take(r, "{{")) {
        return read_switch(r);
    }
    if (take(r, "{")) {
        return read_map(r);
    }
    if (take(r, "(")) {
        value inner = expression(r);
        r->failed = r->failed || !take(r, ")");
        return inner;
    }
    return read_name(r);
}

static value unary(reader *r) {
    bool negates = look(r) == '!' && at(r, 1) != '=';
    if (negates || look(r) == '-' || look(r) == '+' || look(r) == '~') {
        char sign = r->text.data[r->at++];
        value v = primary(r);
        return number_value(sign == '!'   ? !is_true(&v)
                            : sign == '~' ? (double)~as_bits(&v)
                            : sign == '-' ? -as_number(&v)
                                          : as_number(&v));
    }
    return primary(r);
}

static value product(reader *r) {
    value v = unary(r);
    while (!r->failed && (look(r) == '*' || look(r) == '/' || look(r) == '%')) {
        char sign = r->text.data[r->at++];
        value b = unary(r);
        double x = as_number(&v), y = as_number(&b);
        v = number_value(sign == '*' ? x * y : y == 0 ? 0 : sign == '/' ? x / y : fmod(x, y));
    }
    return v;
}

static value sum(reader *r) {
    value v = product(r);
    while (!r->failed && (look(r) == '+' || look(r) == '-')) {
        if (at(r, 1) == '>') { // ->
            break;
        }
        char sign = r->text.data[r->at++];
        value b = product(r);
        v = number_value(sign == '+' ? as_number(&v) + as_number(&b)
                                     : as_number(&v) - as_number(&b));
    }
    return v;
}

static value bits(reader *r) {
    value v = sum(r);
    while (!r->failed && (look(r) == '&' || look(r) == '|' || look(r) == '^')) {
        char sign = r->text.data[r->at];
        if (at(r, 1) == sign) { // && and ||
            break;
        }
        r->at++;
        value b = sum(r);
        int64_t x = as_bits(&v), y = as_bits(&b);
        v = number_value((double)(sign == '&' ? x & y : sign == '|' ? x | y : x ^ y));
    }
    return v;
}

static value comparison(reader *r) {
    static const char *const marks[] = {"==", "!=", "<=", ">=", "<", ">"};
    value v = bits(r);
    for (size_t m = 0; !r->failed && m < sizeof marks / sizeof *marks; m++) {
        if (take(r, marks[m])) {
            value b = bits(r);
            int order = compare(&v, &b);
            bool holds[] = {order == 0, order != 0, order <= 0, order >= 0, order<0, order> 0};
            return number_value(holds[m]);
        }
    }
    return v;
}

static value both(reader *r) {
    value v = comparison(r);
    while (!r->failed && take(r, "&&")) {
        value b = comparison(r);
        v = number_value(is_true(&v) && is_true(&b));
    }
    return v;
}

static value expression(reader *r) {
    if (r->failed || r->depth == MAX_DEPTH) {
        r->failed = true;
        return (value){.kind = NOTHING};
    }
    r->depth++;
    value v = both(r);
    while (!r->failed && take(r, "||")) {
        value b = both(r);
        v = number_value(is_true(&v) || is_true(&b));
    }
    r->depth--;
    return v;
}

// --- the older form -----------------------------------------------------------------------------

// After a path: a skin, a frame, and a condition KEY = VALUE. Returns whether that is met; without
// one it is if nothing was chosen before.
static bool read_rest(reader *r, value *model, bool chosen) {
    double numbers[2] = {0, 0};
    bool met = !chosen;
    for (uint32_t n = 0; look(r) != '\0' && look(r) != ',';) {
        bsp_text word = read_word(r);
        float number;
        if (word.size == 0) {
            r->failed = true;
            return false;
        }
        if (bsp_parse_float(word, &number)) {
            numbers[n < 1 ? 0 : 1] = (double)number;
            n++;
        } else if (take(r, "=")) {
            value wanted = primary(r);
            value has = text_value(r->value_of(r->user, word));
            met = has.kind != NOTHING && compare(&has, &wanted) == 0;
        } else {
            met = false; // the name of a flag
        }
    }
    const value skin = number_value(numbers[0]), frame = number_value(numbers[1]);
    model->model.skin = as_index(&skin);
    model->model.frame = as_index(&frame);
    return met;
}

static value older_form(reader *r) {
    value result = {.kind = NOTHING};
    bool chosen = false;
    do {
        value model = {.kind = MODEL, .model = {.scale = 1}};
        if (look(r) != '"') {
            r->failed = true;
            break;
        }
        model.model.path = read_quoted(r, '"');
        if (read_rest(r, &model, chosen)) {
            result = model;
            chosen = true;
        }
    } while (!r->failed && take(r, ","));
    return result;
}

bool bspi_def_compute(bsp_text text, bspi_def_value *value_of, const void *user,
                      bsp_class_model *out) {
    if (text.size == 0) {
        return false;
    }
    reader r = {.text = text, .value_of = value_of, .user = user};
    value v = expression(&r);
    if (r.failed || look(&r) != '\0') {
        r = (reader){.text = text, .value_of = value_of, .user = user};
        v = older_form(&r);
    }
    if (r.failed || (v.kind != TEXT && v.kind != MODEL)) {
        return false;
    }
    bool negated = out->pitch_negated;
    if (v.kind == MODEL) {
        *out = v.model;
    } else {
        *out = (bsp_class_model){.path = v.text, .scale = 1};
    }
    out->pitch_negated = negated;
    if (out->path.size != 0 && out->path.data[0] == ':') { // from the folder of the game
        out->path = (bsp_text){out->path.data + 1, out->path.size - 1};
    }
    out->sprite =
        bspi_text_ends_nocase(out->path, ".spr") || bspi_text_ends_nocase(out->path, ".sp2");
    return out->path.size != 0 && !bspi_is_brush_model(out->path);
}
