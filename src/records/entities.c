// SPDX-License-Identifier: MIT
// Parses entity text: { "key" "value" ... } repeated. It reads what compilers, editors and manual
// edits have left in real maps; each oddity is an issue, and no byte of the text is changed.
//
// A backslash before a quote is ambiguous: some games escape quotes inside values ("say
// \"hello\""), in others a value may end in a backslash ("models\props\"). The quote ends the text
// if what comes next could follow a whole text: the end of the line or of the lump, a closing
// brace, or another quote that is followed by something which is not itself such an end. So in
//   "a" "b\" "c" "d"     the quote ends b\, and
//   "a" "say \"b\""      the first is followed by b, the second by a quote at the line's end.
// An even number of backslashes escapes nothing.
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/text.h"

#include "records/entities.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

typedef struct vector {
    void *items;
    size_t count;
    size_t room;
} vector;

typedef struct parser {
    const char *start;
    const char *p;
    const char *end; // before the NULs at the end of the lump
    bspi_heap *heap;
    bsp_issues *issues;
    bsp_error *error;
    vector entities; // of bsp_entity
    vector pairs;    // of bsp_pair
    bool failed;
} parser;

typedef struct entities {
    bsp_entities face;
    bspi_heap heap;
    vector entities;
    vector pairs;
} entities;

// --- vectors ------------------------------------------------------------------------------------

static bool reserve(parser *s, vector *l, size_t room, size_t item) {
    size_t bytes;
    void *items = NULL;
    if (bspi_multiply(room, item, &bytes)) {
        items = bspi_heap_alloc(s->heap, bytes, s->error);
    }
    if (items == NULL) {
        s->failed = true;
        return false;
    }
    if (l->count != 0) {
        memcpy(items, l->items, l->count * item);
    }
    bspi_heap_free(s->heap, l->items, l->room * item);
    l->items = items;
    l->room = room;
    return true;
}

static bool grow(parser *s, vector *l, size_t item) {
    void *items = bspi_grow(s->heap, l->items, l->count, &l->room, item, s->error);
    s->failed = s->failed || items == NULL;
    l->items = items == NULL ? l->items : items;
    return items != NULL;
}

// Counts the quotes of the text, eight bytes at a time: a byte of `differs` is 0 where a quote is,
// and adding 0x7f to its low bits then leaves its high bit 0.
static size_t count_quotes(const parser *s) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    const uint64_t ones = 0x0101010101010101u;
    size_t count = 0;
    const char *p = s->start;
    while (s->end - p >= 8) {
        uint64_t sums = 0; // one counter per byte: 255 steps at most
        for (int step = 0; step < 255 && s->end - p >= 8; step++, p += 8) {
            uint64_t differs;
            memcpy(&differs, p, sizeof differs);
            differs ^= ones * '"';
            sums += ~(((differs & low) + low) | differs) >> 7 & ones;
        }
        for (; sums != 0; sums >>= 8) {
            count += sums & 0xff;
        }
    }
    for (; p < s->end; p++) {
        count += *p == '"';
    }
    return count;
}

static inline void add_pair(parser *s, bsp_text key, bsp_text value) {
    if (s->pairs.count < s->pairs.room || grow(s, &s->pairs, sizeof(bsp_pair))) {
        ((bsp_pair *)s->pairs.items)[s->pairs.count++] = (bsp_pair){key, value};
    }
}

static void add_entity(parser *s, const char *from, size_t first_pair) {
    if (s->entities.count < s->entities.room || grow(s, &s->entities, sizeof(bsp_entity))) {
        bsp_entity entity = {
            .num_pairs = (uint32_t)(s->pairs.count - first_pair),
            .offset = (size_t)(from - s->start),
            .size = (size_t)(s->p - from),
        };
        ((bsp_entity *)s->entities.items)[s->entities.count++] = entity;
    }
}

static void issue(parser *s, int kind, const char *at, const char *what) {
    if (s->issues != NULL) {
        uint32_t record = s->entities.count < BSP_NONE ? (uint32_t)s->entities.count : BSP_NONE;
        bspi_issue(s->issues, kind,
                   bsp_place_at("ENTITIES", record, NULL, (uint64_t)(at - s->start)), "%s", what);
    }
}

// --- tokens -------------------------------------------------------------------------------------

static inline bool is_blank(char c) {
    return (unsigned char)c <= ' ';
}

// Skips blanks, NULs and comments.
static inline void skip_blanks(parser *s) {
    const char *p = s->p;
    const char *end = s->end;
    for (;;) {
        while (p < end && is_blank(*p)) {
            p++;
        }
        if (end - p < 2 || p[0] != '/' || p[1] != '/') {
            break;
        }
        const char *line = memchr(p, '\n', (size_t)(end - p));
        p = line == NULL ? end : line + 1;
    }
    s->p = p;
}

// Skips spaces and tabs, but not the end of the line.
static const char *skip_spaces(const parser *s, const char *p) {
    while (p < s->end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    return p;
}

static bool ends_line(const parser *s, const char *p) {
    return p == s->end || *p == '\n' || *p == '\r' || *p == '}' || *p == '\0';
}

// Returns true if a quote after an odd number of backslashes still ends the text.
static bool quote_ends(const parser *s, const char *quote) {
    const char *next = skip_spaces(s, quote + 1);
    if (ends_line(s, next)) {
        return true;
    }
    if (*next != '"') {
        return false;
    }
    const char *after = skip_spaces(s, next + 1);
    if (ends_line(s, after)) {
        return false;
    }
    // Two adjacent quotes are an empty text if a blank stands before them.
    return *after != '"' || (next != quote + 1 && after == next + 1);
}

static bool is_escaped(const char *from, const char *quote) {
    const char *p = quote;
    while (p > from && p[-1] == '\\') {
        p--;
    }
    return ((quote - p) & 1) != 0;
}

// Reads the text after the quote at s->p and moves s->p past the closing quote.
static bsp_text read_quoted(parser *s) {
    const char *from = s->p + 1;
    const char *quote = from;
    for (;;) {
        quote = memchr(quote, '"', (size_t)(s->end - quote));
        if (quote == NULL) {
            issue(s, BSPI_ISSUE_ENTITY_SYNTAX, s->p, "a quote is not closed");
            s->p = s->end;
            return (bsp_text){from, (size_t)(s->end - from)};
        }
        if (quote == from || quote[-1] != '\\' || !is_escaped(from, quote) ||
            quote_ends(s, quote)) {
            s->p = quote + 1;
            return (bsp_text){from, (size_t)(quote - from)};
        }
        quote++;
    }
}

// Reads a word without quotes.
static bsp_text read_word(parser *s) {
    const char *from = s->p;
    while (s->p < s->end && !is_blank(*s->p) && *s->p != '"' && *s->p != '{' && *s->p != '}') {
        s->p++;
    }
    return (bsp_text){from, (size_t)(s->p - from)};
}

static inline bsp_text read_token(parser *s) {
    return *s->p == '"' ? read_quoted(s) : read_word(s);
}

// --- entities -----------------------------------------------------------------------------------

static void read_pair(parser *s) {
    const char *at = s->p;
    bsp_text key = read_token(s);
    skip_blanks(s);
    if (s->p == s->end || *s->p == '{' || *s->p == '}') {
        issue(s, BSPI_ISSUE_ENTITY_SYNTAX, at, "a key has no value");
        add_pair(s, key, (bsp_text){s->p, 0});
        return;
    }
    bsp_text value = read_token(s);
    if (key.size == 0) {
        issue(s, BSPI_ISSUE_ENTITY_KEY, at, "a pair has an empty key");
    }
    add_pair(s, key, value);
}

// Reads the entity whose brace is at s->p.
static void read_entity(parser *s) {
    const char *from = s->p++;
    size_t first_pair = s->pairs.count;
    while (!s->failed) {
        skip_blanks(s);
        if (s->p == s->end) {
            issue(s, BSPI_ISSUE_ENTITY_SYNTAX, s->p, "the last entity has no closing brace");
            break;
        }
        if (*s->p == '}') {
            s->p++;
            break;
        }
        if (*s->p == '{') {
            issue(s, BSPI_ISSUE_ENTITY_SYNTAX, s->p, "a brace opens inside an entity");
            break;
        }
        read_pair(s);
    }
    add_entity(s, from, first_pair);
}

static void read_all(parser *s) {
    while (!s->failed) {
        skip_blanks(s);
        if (s->p == s->end) {
            return;
        }
        if (*s->p == '{') {
            read_entity(s);
            continue;
        }
        issue(s, BSPI_ISSUE_ENTITY_SYNTAX, s->p, "text outside of an entity");
        if (*s->p == '}') {
            s->p++;
        } else {
            read_token(s);
        }
    }
}

// Reports NULs inside the text; those at the end belong to the lump and not to the text.
static void check_nuls(parser *s) {
    size_t size = (size_t)(s->end - s->start);
    if (size == 0) {
        return;
    }
    if (s->end[-1] != '\0') {
        issue(s, BSPI_ISSUE_ENTITY_UNENDED, s->end, "the text does not end in a NUL");
    }
    while (s->end > s->start && s->end[-1] == '\0') {
        s->end--;
    }
    size = (size_t)(s->end - s->start);
    const char *nul = size == 0 ? NULL : memchr(s->start, '\0', size);
    if (nul != NULL) {
        issue(s, BSPI_ISSUE_ENTITY_NUL, nul, "a NUL before the end of the text");
    }
}

static void check_world(parser *s, const bsp_entities *face) {
    if (face->count == 0) {
        return;
    }
    bsp_text name = bsp_entity_value(&face->list[0], "classname");
    if (!bspi_text_equal_nocase(name, bsp_text_of("worldspawn")) && s->issues != NULL) {
        bspi_issue(s->issues, BSPI_ISSUE_ENTITY_WORLD,
                   bsp_place_at("ENTITIES", 0, NULL, face->list[0].offset),
                   "the first entity is %.*s", name.size < 64 ? (int)name.size : 64,
                   name.size == 0 ? "" : name.data);
    }
}

// All pairs stand in one array. Each entity gets its part of it once the array no longer moves.
static void finish(parser *s, entities *e, bsp_text text) {
    bsp_entity *list = s->entities.items;
    const bsp_pair *pair = s->pairs.items;
    for (size_t i = 0; i < s->entities.count; i++) {
        list[i].pairs = pair;
        pair = list[i].num_pairs == 0 ? pair : pair + list[i].num_pairs;
    }
    e->entities = s->entities;
    e->pairs = s->pairs;
    e->face = (bsp_entities){list, (uint32_t)s->entities.count, text, e};
    check_world(s, &e->face);
}

bsp_entities *bsp_entities_parse(bsp_text text, const bsp_allocator *allocator, bsp_issues *issues,
                                 bsp_error *error) {
    return bspi_entities_parse(text, NULL, allocator, issues, error);
}

bsp_entities *bspi_entities_parse(bsp_text text, bspi_heap *parent, const bsp_allocator *allocator,
                                  bsp_issues *issues, bsp_error *error) {
    entities *e = bspi_object_new(allocator, sizeof *e, error);
    if (e == NULL) {
        return NULL;
    }
    if (parent == NULL) {
        bspi_heap_init_for(&e->heap, BSP_PRODUCT_FILE, text.size, NULL, allocator);
    } else {
        bspi_heap_init_under(&e->heap, parent, allocator);
    }
    const char *start = text.size == 0 ? "" : text.data;
    parser s = {.start = start,
                .p = start,
                .end = start + text.size,
                .heap = &e->heap,
                .issues = issues,
                .error = error};
    check_nuls(&s);
    // Four quotes make a pair; for words without quotes the array grows.
    reserve(&s, &s.pairs, count_quotes(&s) / 4 + 1, sizeof(bsp_pair));
    read_all(&s);
    finish(&s, e, text);
    if (s.failed) {
        bsp_entities_free(&e->face);
        return NULL;
    }
    return &e->face;
}

bspi_heap *bspi_entities_parent(const bsp_entities *face) {
    const entities *e = face->owner;
    return e == NULL ? NULL : e->heap.parent;
}

void bsp_entities_free(bsp_entities *face) {
    if (face == NULL || face->owner == NULL) {
        return;
    }
    entities *e = face->owner;
    bspi_heap_free(&e->heap, e->pairs.items, e->pairs.room * sizeof(bsp_pair));
    bspi_heap_free(&e->heap, e->entities.items, e->entities.room * sizeof(bsp_entity));
    bspi_object_free(e, sizeof *e, &e->heap.allocator);
}

// --- questions ----------------------------------------------------------------------------------

static bool is_listed(const bsp_entity_filter *filter, uint32_t index) {
    for (uint32_t i = 0; i < filter->num_indices; i++) {
        if (filter->indices[i] == index) {
            return true;
        }
    }
    return filter->num_indices == 0;
}

bool bsp_entity_filter_matches(const bsp_entity_filter *filter, const bsp_entity *entity,
                               uint32_t index, bool *matches, bsp_error *error) {
    assert(filter != NULL && entity != NULL && matches != NULL);
    *matches = is_listed(filter, index);
    return !*matches || filter->where == NULL ||
           bsp_where_ask(filter->where, entity->pairs, entity->num_pairs, matches, error);
}

bsp_text bsp_entity_value(const bsp_entity *entity, const char *key) {
    assert(entity != NULL && key != NULL);
    bsp_text wanted = bsp_text_of(key);
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (bspi_text_equal_nocase(entity->pairs[i].key, wanted)) {
            return entity->pairs[i].value;
        }
    }
    return (bsp_text){NULL, 0};
}
