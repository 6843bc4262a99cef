// SPDX-License-Identifier: MIT
// Reads .fgd: classes with helpers between the word and the name, and properties in brackets. Two
// dialects, that of Hammer and that of TrenchBroom, differ in helpers only. Grammar: sheet
// definitions, section 1.
#include "mapdoc/definitions.h"

#include "core/text.h"

#include <string.h>

typedef enum token_kind {
    END,
    WORD,
    STRING,
    MARK, ///< one of ( ) [ ] = : , + @ and so on
} token_kind;

typedef struct token {
    token_kind kind;
    bsp_text text; ///< of a string: between its quotes
    size_t at;
    uint32_t line;
} token;

// --- words --------------------------------------------------------------------------------------

static bool more(const bspi_def_source *s) {
    return s->at < s->text.size;
}

static char peek_char(const bspi_def_source *s, size_t ahead) {
    return s->text.size - s->at > ahead ? s->text.data[s->at + ahead] : '\0';
}

static void step(bspi_def_source *s) {
    s->line += s->text.data[s->at] == '\n' ? 1 : 0;
    s->at++;
}

static void skip_blanks(bspi_def_source *s) {
    while (more(s)) {
        if (peek_char(s, 0) == '/' && peek_char(s, 1) == '/') {
            while (more(s) && peek_char(s, 0) != '\n') {
                s->at++;
            }
        } else if ((unsigned char)peek_char(s, 0) <= ' ') {
            step(s);
        } else {
            break;
        }
    }
}

// A backslash keeps a quote inside of its string, unless the line or a bracket ends after it: paths
// of Windows may end in a backslash.
static bool escapes(const bspi_def_source *s) {
    if (peek_char(s, 0) != '\\' || peek_char(s, 1) != '"') {
        return false;
    }
    size_t after = 2;
    while (peek_char(s, after) == ' ' || peek_char(s, after) == '\t') {
        after++;
    }
    char c = peek_char(s, after);
    return c != '\0' && c != '\r' && c != '\n' && c != ')';
}

static bsp_text read_string(bspi_def_source *s) {
    size_t start = ++s->at;
    while (more(s) && peek_char(s, 0) != '"') {
        if (peek_char(s, 0) == '\n' && peek_char(s, 1) == '@') {
            break;
        }
        if (escapes(s)) {
            step(s);
        }
        step(s);
    }
    bsp_text text = {s->text.data + start, s->at - start};
    if (peek_char(s, 0) == '"') {
        s->at++;
    } else {
        bspi_def_issue(s, "a quote is not closed", text);
    }
    return text;
}

static bool is_mark(char c) {
    return c != '\0' && strchr("()[]{}=:,+@\"", c) != NULL;
}

static token next(bspi_def_source *s) {
    skip_blanks(s);
    token t = {.kind = END, .at = s->at, .line = s->line};
    if (!more(s) || s->failed || !bspi_meter_add(&s->meter, 1)) {
        s->failed = s->failed || s->meter.failed;
        return t;
    }
    if (peek_char(s, 0) == '"') {
        t.kind = STRING;
        t.text = read_string(s);
        return t;
    }
    t.kind = is_mark(peek_char(s, 0)) ? MARK : WORD;
    size_t start = s->at++;
    while (t.kind == WORD && more(s) && !is_mark(peek_char(s, 0)) &&
           (unsigned char)peek_char(s, 0) > ' ') {
        s->at++;
    }
    t.text = (bsp_text){s->text.data + start, s->at - start};
    return t;
}

static void back(bspi_def_source *s, const token *t) {
    s->at = t->at;
    s->line = t->line;
}

static bool marks(const token *t, char c) {
    return t->kind == MARK && t->text.data[0] == c;
}

// Takes the next token if it is that mark.
static bool take(bspi_def_source *s, char c) {
    token t = next(s);
    if (!marks(&t, c)) {
        back(s, &t);
        return false;
    }
    return true;
}

// Returns what stands between a bracket that was read and the one that closes it.
static bsp_text read_enclosed(bspi_def_source *s, char open, char close) {
    size_t start = s->at;
    size_t depth = 1;
    while (true) {
        token t = next(s);
        if (t.kind == END || marks(&t, '@')) {
            back(s, &t);
            bspi_def_issue(s, "a bracket is not closed", (bsp_text){NULL, 0});
            return (bsp_text){s->text.data + start, t.at - start};
        }
        depth += marks(&t, open) ? 1 : 0;
        depth -= marks(&t, close) ? 1 : 0;
        if (depth == 0) {
            return (bsp_text){s->text.data + start, t.at - start};
        }
    }
}

// Joins strings with "+" between them. One alone is not copied.
static bsp_text read_joined(bspi_def_source *s) {
    token t = next(s);
    bsp_text text = t.text;
    if (t.kind != STRING && t.kind != WORD) {
        back(s, &t);
        return (bsp_text){NULL, 0};
    }
    while (t.kind == STRING && take(s, '+')) {
        token piece = next(s);
        if (piece.kind != STRING) {
            back(s, &piece);
            break;
        }
        char *joined = bspi_arena_raw(&s->to->arena, text.size + piece.text.size + 1, 1, s->error);
        if (joined == NULL) {
            s->failed = true;
            break;
        }
        memcpy(joined, text.data, text.size);
        memcpy(joined + text.size, piece.text.data, piece.text.size);
        text = (bsp_text){joined, text.size + piece.text.size};
    }
    return text;
}

// --- helpers ------------------------------------------------------------------------------------

static bsp_text unquoted(bsp_text argument) {
    bsp_text text = bspi_text_trim(argument);
    if (text.size >= 2 && text.data[0] == '"') {
        const char *end = memchr(text.data + 1, '"', text.size - 1);
        size_t size = end == NULL ? text.size - 1 : (size_t)(end - text.data) - 1;
        return (bsp_text){text.data + 1, size};
    }
    return text;
}

static void read_bases(bspi_def_source *s, bsp_text list) {
    for (size_t at = 0; at < list.size;) {
        size_t start = at;
        while (at < list.size && list.data[at] != ',') {
            at++;
        }
        bsp_text name = unquoted((bsp_text){list.data + start, at - start});
        if (name.size != 0) {
            bspi_def_base(s, name);
        }
        at++;
    }
}

// Of several helpers the one counts that says most about what stands in the game: a model before
// the key of one, both before sprites, and a sprite of the entity's own before one that only
// editors draw.
static void set_picture(bspi_def_source *s, bsp_class_picture fixed, bsp_class_picture by_key,
                        bsp_text argument) {
    static const uint8_t ranks[] = {
        [BSP_CLASS_NO_PICTURE] = 0, [BSP_CLASS_SPRITE] = 1, [BSP_CLASS_SPRITE_KEY] = 2,
        [BSP_CLASS_MODEL_KEY] = 3,  [BSP_CLASS_MODEL] = 4,  [BSP_CLASS_EXPRESSION] = 5,
    };
    bsp_text path = unquoted(argument);
    bsp_class_picture picture = path.size != 0 ? fixed : by_key;
    if (ranks[picture] > ranks[s->now.shows]) {
        s->now.shows = picture;
        s->now.picture = path;
    }
}

static void apply_helper(bspi_def_source *s, bsp_text name, bsp_text argument) {
    if (bspi_text_is(name, "base")) {
        read_bases(s, argument);
    } else if (bspi_text_is(name, "size")) {
        bspi_def_size(s, argument);
    } else if (bspi_text_is(name, "color")) {
        bspi_def_color(s, argument, 255);
    } else if (bspi_text_is(name, "studio") || bspi_text_is(name, "studioprop")) {
        set_picture(s, BSP_CLASS_MODEL, BSP_CLASS_MODEL_KEY, argument);
    } else if (bspi_text_is(name, "lightprop")) {
        set_picture(s, BSP_CLASS_MODEL, BSP_CLASS_MODEL_KEY, argument);
        s->now.pitch_negated = true;
    } else if (bspi_text_is(name, "iconsprite") || bspi_text_is(name, "sprite")) {
        set_picture(s, BSP_CLASS_SPRITE, BSP_CLASS_SPRITE_KEY, argument);
    } else if (bspi_text_is(name, "model")) {
        bspi_def_model(s, argument);
    }
}

// Reads the helpers up to '='. Returns false at the end of the text.
static bool read_helpers(bspi_def_source *s) {
    while (true) {
        token t = next(s);
        if (marks(&t, '=')) {
            return true;
        }
        if (t.kind == END || marks(&t, '@') || marks(&t, '[')) {
            back(s, &t);
            bspi_def_issue(s, "a class has no '=' before its name", (bsp_text){NULL, 0});
            return false;
        }
        if (t.kind != WORD) {
            continue;
        }
        if (take(s, '[')) { // a tag, for which games the helper is meant
            (void)read_enclosed(s, '[', ']');
        }
        bsp_text argument = {NULL, 0};
        if (take(s, '(')) {
            argument = read_enclosed(s, '(', ')');
        }
        apply_helper(s, t.text, argument);
    }
}

// --- properties ---------------------------------------------------------------------------------

// Reads "value : label : on [tag]" lines up to ']'.
static void read_choices(bspi_def_source *s) {
    while (true) {
        token t = next(s);
        if (t.kind == END || marks(&t, '@')) {
            back(s, &t);
            return;
        }
        if (marks(&t, ']')) {
            return;
        }
        if (marks(&t, '[')) {
            (void)read_enclosed(s, '[', ']');
            continue;
        }
        if (t.kind == MARK) {
            continue;
        }
        bsp_class_choice choice = {.value = t.text};
        if (take(s, ':')) {
            choice.label = read_joined(s);
            choice.on = take(s, ':') && !bspi_text_is(read_joined(s), "0");
        }
        bspi_def_choice(s, choice);
    }
}

// Reads what follows a key and its type.
static void read_property_rest(bspi_def_source *s, bsp_class_property *property) {
    bsp_text *const parts[] = {&property->label, &property->value, &property->help};
    token t = next(s);
    while (t.kind == WORD && (bspi_text_is(t.text, "readonly") || bspi_text_is(t.text, "report"))) {
        t = next(s);
    }
    back(s, &t);
    for (size_t part = 0; take(s, ':'); part++) {
        bsp_text text = read_joined(s);
        if (part < sizeof parts / sizeof *parts) {
            *parts[part] = text;
        }
    }
    if (take(s, '=') && take(s, '[')) {
        read_choices(s);
    }
}

// Reads "key(type) ...". `input` and `output` are of no interest, and read over.
static void read_property(bspi_def_source *s, const token *first) {
    bsp_class_property property = {.key = first->text};
    bool io = bspi_text_is(first->text, "input") || bspi_text_is(first->text, "output");
    token t = next(s);
    if (io && t.kind == WORD) {
        t = next(s);
    } else {
        io = false;
    }
    if (marks(&t, '[')) {
        (void)read_enclosed(s, '[', ']');
        t = next(s);
    }
    if (!marks(&t, '(')) {
        back(s, &t);
        bspi_def_issue(s, "a key has no type", first->text);
        return;
    }
    property.type = bspi_text_trim(read_enclosed(s, '(', ')'));
    read_property_rest(s, &property);
    if (!io) {
        bspi_def_property(s, property);
    } else {
        s->to->choices.count = 0;
    }
}

static void read_properties(bspi_def_source *s) {
    while (true) {
        token t = next(s);
        if (t.kind == END || marks(&t, '@')) {
            back(s, &t);
            bspi_def_issue(s, "the properties of a class are not closed", s->now.name);
            return;
        }
        if (marks(&t, ']')) {
            return;
        }
        if (t.kind == WORD) {
            read_property(s, &t);
        }
    }
}

// --- classes ------------------------------------------------------------------------------------

static void read_class(bspi_def_source *s, bsp_class_kind kind, bool extends) {
    bspi_def_begin(s, kind);
    if (!read_helpers(s)) {
        return;
    }
    token name = next(s);
    if (name.kind != WORD && name.kind != STRING) {
        back(s, &name);
        bspi_def_issue(s, "a class has no name", (bsp_text){NULL, 0});
        return;
    }
    s->now.name = name.text;
    s->now.line = name.line;
    if (take(s, ':')) {
        s->now.help = read_joined(s);
        while (take(s, ':')) { // an address of its manual, in some
            (void)read_joined(s);
        }
    }
    if (take(s, '[')) {
        read_properties(s);
    }
    if (extends) {
        bspi_def_extend(s);
    }
    bspi_def_end(s);
}

static bool kind_of(bsp_text word, bsp_class_kind *kind) {
    static const struct {
        const char *word;
        bsp_class_kind kind;
    } kinds[] = {{"BaseClass", BSP_CLASS_BASE},      {"PointClass", BSP_CLASS_POINT},
                 {"SolidClass", BSP_CLASS_BRUSH},    {"NPCClass", BSP_CLASS_POINT},
                 {"KeyFrameClass", BSP_CLASS_POINT}, {"MoveClass", BSP_CLASS_POINT},
                 {"FilterClass", BSP_CLASS_POINT},   {"ModelClass", BSP_CLASS_POINT},
                 {"ExtendClass", BSP_CLASS_BASE},    {"OverrideClass", BSP_CLASS_POINT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (bspi_text_is(word, kinds[i].word)) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static bool read_statement(bspi_def_source *s) {
    token word = next(s);
    bsp_class_kind kind;
    if (bspi_text_is(word.text, "include")) {
        token name = next(s);
        return name.kind != STRING || s->include(s, name.text);
    }
    if (kind_of(word.text, &kind)) {
        read_class(s, kind, bspi_text_is(word.text, "ExtendClass"));
    }
    return true;
}

bool bspi_read_fgd(bspi_def_source *s) {
    while (!s->failed) {
        token t = next(s);
        if (t.kind == END) {
            break;
        }
        if (marks(&t, '@') && !read_statement(s)) {
            return false;
        }
    }
    return !s->failed;
}
