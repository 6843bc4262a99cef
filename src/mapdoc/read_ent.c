// SPDX-License-Identifier: MIT
// Reads .ent: classes as XML, as Radiant has them. Real files are often no well-formed XML (a bare
// '&', a '<' in a text), so tags are looked for, and the rest is text. Grammar: sheet definitions,
// section 3.
#include "mapdoc/definitions.h"

#include "core/text.h"

#include <string.h>

typedef struct tag {
    bsp_text name; ///< without '/'
    bsp_text rest; ///< attributes
    bool closes;   ///< </name>
    bool empty;    ///< <name ... />
    size_t start;  ///< of '<' in the text
    size_t end;    ///< after '>'
} tag;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Finds the '>' of a tag; one in quotes does not count.
static size_t tag_end(bsp_text text, size_t at) {
    char quote = '\0';
    for (; at < text.size; at++) {
        char c = text.data[at];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at;
        }
    }
    return text.size;
}

static void skip_comment(bspi_def_source *s) {
    while (s->at < s->text.size &&
           (s->text.size - s->at < 3 || memcmp(s->text.data + s->at, "-->", 3) != 0)) {
        s->line += s->text.data[s->at] == '\n' ? 1 : 0;
        s->at++;
    }
}

// Reads the next tag. Returns false at the end.
static bool next_tag(bspi_def_source *s, tag *out) {
    for (; s->at < s->text.size; s->at++) {
        const char *p = s->text.data + s->at;
        size_t left = s->text.size - s->at;
        s->line += *p == '\n' ? 1 : 0;
        if (*p != '<' || left < 2) {
            continue;
        }
        if (left >= 4 && memcmp(p, "<!--", 4) == 0) {
            skip_comment(s);
            continue;
        }
        out->closes = p[1] == '/';
        size_t name = s->at + (out->closes ? 2 : 1);
        if (name >= s->text.size || !is_letter(s->text.data[name])) {
            continue;
        }
        size_t end = tag_end(s->text, name);
        size_t size = 0;
        while (name + size < end && (unsigned char)s->text.data[name + size] > ' ' &&
               s->text.data[name + size] != '/') {
            size++;
        }
        out->name = (bsp_text){s->text.data + name, size};
        out->rest = (bsp_text){s->text.data + name + size, end - name - size};
        out->empty = end > name && s->text.data[end - 1] == '/';
        out->start = s->at;
        out->end = end < s->text.size ? end + 1 : end;
        s->at = out->end;
        return bspi_meter_add(&s->meter, 1);
    }
    return false;
}

static bsp_text attribute(const tag *t, const char *name) {
    size_t size = strlen(name);
    for (size_t i = 0; i + size + 2 < t->rest.size; i++) {
        const char *p = t->rest.data + i;
        char quote = p[size + 1];
        if ((unsigned char)p[0] <= ' ' || (i > 0 && (unsigned char)p[-1] > ' ') ||
            memcmp(p, name, size) != 0 || p[size] != '=' || (quote != '"' && quote != '\'')) {
            continue;
        }
        const char *from = p + size + 2;
        size_t room = (size_t)(t->rest.data + t->rest.size - from);
        const char *end = memchr(from, quote, room);
        return (bsp_text){from, end == NULL ? room : (size_t)(end - from)};
    }
    return (bsp_text){NULL, 0};
}

static void begin_class(bspi_def_source *s, const tag *t) {
    bspi_def_begin(s, bspi_text_is(t->name, "group") ? BSP_CLASS_BRUSH : BSP_CLASS_POINT);
    s->now.name = attribute(t, "name");
    bsp_text color = attribute(t, "color");
    bsp_text box = attribute(t, "box");
    bsp_text model = attribute(t, "model");
    if (color.size != 0) {
        bspi_def_color(s, color, 0);
    }
    if (box.size != 0) {
        bspi_def_size(s, box);
    }
    if (model.size != 0) {
        s->now.shows = BSP_CLASS_MODEL;
        s->now.picture = model;
    }
}

// Returns the text up to the tag that closes this one.
static bsp_text inner_text(bspi_def_source *s, const tag *t) {
    if (t->empty) {
        return (bsp_text){NULL, 0};
    }
    size_t start = t->end;
    tag inner;
    while (next_tag(s, &inner)) {
        if (inner.closes && bspi_text_equal_nocase(inner.name, t->name)) {
            return bspi_text_trim((bsp_text){s->text.data + start, inner.start - start});
        }
    }
    return (bsp_text){NULL, 0};
}

// A flag's bit is a number from 0 on.
static bsp_text flag_value(bspi_def_source *s, bsp_text bit) {
    int64_t number;
    if (!bsp_parse_int(bit, &number) || number < 0 || number > 31) {
        return bit;
    }
    char digits[24];
    size_t size = bspi_format_uint(digits, (uint64_t)1 << number);
    char *kept = bspi_arena_text(&s->to->arena, (bsp_text){digits, size}, s->error);
    s->failed = s->failed || kept == NULL;
    return (bsp_text){kept, kept == NULL ? 0 : size};
}

static void read_child(bspi_def_source *s, const tag *t) {
    bsp_text key = attribute(t, "key");
    if (key.size == 0) {
        return;
    }
    bsp_text bit = attribute(t, "bit");
    if (bspi_text_is(t->name, "flag") && bit.size != 0) {
        bspi_def_flag(s, (bsp_class_choice){flag_value(s, bit), attribute(t, "name"), false});
        (void)inner_text(s, t);
        return;
    }
    bsp_class_property property = {
        .key = key, .type = t->name, .label = attribute(t, "name"), .value = attribute(t, "value")};
    property.help = inner_text(s, t);
    bspi_def_property(s, property);
}

bool bspi_read_ent(bspi_def_source *s) {
    tag t;
    bool open = false;
    while (!s->failed && next_tag(s, &t)) {
        bool is_class = bspi_text_is(t.name, "point") || bspi_text_is(t.name, "group");
        if (is_class && (t.closes || open)) {
            bspi_def_end(s);
            open = false;
        }
        if (is_class && !t.closes) {
            begin_class(s, &t);
            open = !t.empty;
            if (t.empty) {
                bspi_def_end(s);
            }
        } else if (open && !t.closes) {
            read_child(s, &t);
        }
    }
    if (open) {
        bspi_def_issue(s, "a class is not closed", s->now.name);
        bspi_def_end(s);
    }
    return !s->failed && !s->meter.failed;
}
