// SPDX-License-Identifier: MIT
// Configuration files of Stripper:Source, applied to a list of entities. What a block means is what
// the plugin does (its parser.cpp): it reads line by line, applies each block where it ends, and
// counts the pairs of an entity that are among those of the block.
#include "bspkit/entity_edit.h"

#include "core/text.h"
#include "edit/entity_result.h"
#include "edit/entity_text.h"

#include <assert.h>
#include <string.h>

// --- the entities while blocks change them ------------------------------------------------------

typedef struct pairs {
    bsp_pair *list;
    uint32_t count;
    size_t room;
} pairs;

typedef struct entity {
    uint32_t before;       // which one of the old list; BSP_NONE: added
    const bsp_pair *pairs; // the old ones, or those of `own`
    uint32_t num_pairs;
    pairs own; // once something has changed
    bool changed;
    bool removed;
    bool selected;
} entity;

typedef enum block { FILTER, ADD, MODIFY, NO_BLOCK } block;
typedef enum part { MATCH, DELETE, REPLACE, INSERT, NUM_PARTS } part;

typedef struct stripper {
    const bsp_entities *old;
    bspi_heap *heap;
    bsp_error *error;
    entity *list;
    uint32_t count;
    size_t room;
    // Where the file is.
    uint32_t line;
    block block;            // that the last heading begins
    bool in_modify;         // between its outer braces
    bool in_pairs;          // between the inner ones, or those of another block
    uint32_t opened;        // line of the brace
    part part;              // whose pairs follow; NUM_PARTS: not said yet
    pairs parts[NUM_PARTS]; // of a block that is no modify: the first
} stripper;

static bool add_pair(stripper *s, pairs *to, bsp_pair pair) {
    bsp_pair *list = bspi_grow(s->heap, to->list, to->count, &to->room, sizeof *list, s->error);
    if (list == NULL) {
        return false;
    }
    to->list = list;
    list[to->count++] = pair;
    return true;
}

static entity *add_entity(stripper *s, uint32_t before) {
    entity *list = bspi_grow(s->heap, s->list, s->count, &s->room, sizeof *list, s->error);
    if (list == NULL) {
        return NULL;
    }
    s->list = list;
    entity *e = &list[s->count++];
    *e = (entity){.before = before};
    if (before != BSP_NONE) {
        e->pairs = s->old->list[before].pairs;
        e->num_pairs = s->old->list[before].num_pairs;
    }
    return e;
}

static bool begin_change(stripper *s, entity *e) {
    if (e->changed) {
        return true;
    }
    for (uint32_t i = 0; i < e->num_pairs; i++) {
        if (!add_pair(s, &e->own, e->pairs[i])) {
            return false;
        }
    }
    e->pairs = e->own.list;
    e->changed = true;
    return true;
}

// --- what blocks do -----------------------------------------------------------------------------

static bool is_among(const pairs *wanted, const bsp_pair *pair) {
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (bspi_text_equal_nocase(wanted->list[i].key, pair->key) &&
            bspi_text_equal_nocase(wanted->list[i].value, pair->value)) {
            return true;
        }
    }
    return false;
}

// So many of the entity's own pairs are wanted, as there are wanted ones.
static bool has_all(const entity *e, const pairs *wanted) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < e->num_pairs && found < wanted->count; i++) {
        found += is_among(wanted, &e->pairs[i]) ? 1 : 0;
    }
    return found == wanted->count;
}

static bool delete_pairs(stripper *s, entity *e) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->num_pairs; i++) {
        if (is_among(&s->parts[DELETE], &e->pairs[i])) {
            if (!begin_change(s, e)) {
                return false;
            }
        } else {
            if (e->changed) {
                e->own.list[kept] = e->own.list[i];
            }
            kept++;
        }
    }
    if (e->changed) {
        e->num_pairs = e->own.count = kept;
    }
    return true;
}

static const bsp_pair *replacement_of(const pairs *list, bsp_text key) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (bspi_text_equal_nocase(list->list[i].key, key)) {
            return &list->list[i];
        }
    }
    return NULL;
}

static bool replace_values(stripper *s, entity *e) {
    for (uint32_t i = 0; i < e->num_pairs; i++) {
        const bsp_pair *with = replacement_of(&s->parts[REPLACE], e->pairs[i].key);
        if (with == NULL || bsp_text_equal(with->value, e->pairs[i].value)) {
            continue;
        }
        if (!begin_change(s, e)) {
            return false;
        }
        e->own.list[i].value = with->value;
    }
    return true;
}

static bool insert_pairs(stripper *s, entity *e) {
    const pairs *list = &s->parts[INSERT];
    for (uint32_t i = 0; i < list->count; i++) {
        if (!begin_change(s, e) || !add_pair(s, &e->own, list->list[i])) {
            return false;
        }
        e->pairs = e->own.list;
        e->num_pairs = e->own.count;
    }
    return true;
}

static bool pay_for_block(stripper *s, const entity *e) {
    uint64_t wanted =
        1 + (uint64_t)s->parts[MATCH].count + s->parts[DELETE].count + s->parts[REPLACE].count;
    return bspi_heap_work(s->heap, (1 + (uint64_t)e->num_pairs) * wanted, s->error);
}

// To all entities that have what is wanted.
static bool run_block(stripper *s) {
    if (s->parts[MATCH].count == 0) {
        return bsp_fail(s->error, BSP_E_ARGUMENT, NULL,
                        "line %u: a %s without pairs would mean all entities", s->opened,
                        s->block == FILTER ? "filter" : "match");
    }
    for (uint32_t i = 0; i < s->count; i++) {
        entity *e = &s->list[i];
        if (!pay_for_block(s, e)) {
            return false;
        }
        if (e->removed || !has_all(e, &s->parts[MATCH])) {
            continue;
        }
        e->selected = true;
        e->removed = s->block == FILTER;
        if (!e->removed && (!delete_pairs(s, e) || !replace_values(s, e) || !insert_pairs(s, e))) {
            return false;
        }
    }
    return true;
}

static bool run_add(stripper *s) {
    entity *e = add_entity(s, BSP_NONE);
    bool done = e != NULL && begin_change(s, e);
    for (uint32_t i = 0; done && i < s->parts[MATCH].count; i++) {
        done = add_pair(s, &e->own, s->parts[MATCH].list[i]);
    }
    if (done) {
        e->pairs = e->own.list;
        e->num_pairs = e->own.count;
    }
    return done;
}

// --- lines --------------------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bsp_text trim(bsp_text text) {
    while (text.size != 0 && is_space(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size != 0 && is_space(text.data[text.size - 1])) {
        text.size--;
    }
    return text;
}

static bool is_nothing(bsp_text text) {
    return text.size == 0 || text.data[0] == ';' || text.data[0] == '#' ||
           (text.size > 1 && text.data[0] == '/' && text.data[1] == '/');
}

static bool refuse(const stripper *s, const char *what) {
    return bsp_fail(s->error, BSP_E_ARGUMENT, NULL, "line %u: %s", s->line, what);
}

// True if `text` begins with `word`, which is taken off, and nothing but a comment follows.
static bool is_word(bsp_text text, const char *word) {
    bsp_text wanted = bsp_text_of(word);
    if (text.size < wanted.size || memcmp(text.data, wanted.data, wanted.size) != 0) {
        return false;
    }
    return is_nothing(trim((bsp_text){text.data + wanted.size, text.size - wanted.size}));
}

static const struct {
    const char *word;
    block block;
} headings[] = {{"filter:", FILTER}, {"remove:", FILTER}, {"add:", ADD}, {"modify:", MODIFY}};

static const char *const part_words[NUM_PARTS] = {"match:", "delete:", "replace:", "insert:"};

// Takes a quoted text off the start. Its data is NULL where there is none.
static bsp_text take_quoted(bsp_text *text) {
    const char *end =
        text->size < 2 || text->data[0] != '"' ? NULL : memchr(text->data + 1, '"', text->size - 1);
    if (end == NULL) {
        return (bsp_text){NULL, 0};
    }
    bsp_text quoted = {text->data + 1, (size_t)(end - text->data) - 1};
    text->size -= quoted.size + 2;
    text->data = end + 1;
    return quoted;
}

static bool is_pattern(bsp_text value) {
    return value.size != 0 && value.data[0] == '/' && value.data[value.size - 1] == '/';
}

static bool read_pair(stripper *s, bsp_text text) {
    bsp_error why;
    bsp_text key = take_quoted(&text);
    text = trim(text);
    bsp_text value = take_quoted(&text);
    if (key.data == NULL || value.data == NULL || !is_nothing(trim(text))) {
        return refuse(s, "this is no \"key\" \"value\"");
    }
    if (is_pattern(value)) {
        return bsp_fail(s->error, BSP_E_UNSUPPORTED, NULL,
                        "line %u: a value between slashes is a regular expression, which is not "
                        "supported",
                        s->line);
    }
    if (!bspi_entity_text_fits(key, "key", &why) || !bspi_entity_text_fits(value, "value", &why)) {
        return refuse(s, why.message);
    }
    if (key.size == 0 || value.size == 0) {
        return true; // the plugin does not read it
    }
    return add_pair(s, &s->parts[s->block == MODIFY ? s->part : MATCH], (bsp_pair){key, value});
}

static bool end_block(stripper *s) {
    bool done = s->block == ADD ? run_add(s) : run_block(s);
    for (int i = 0; i < NUM_PARTS; i++) {
        s->parts[i].count = 0;
    }
    return done;
}

// A line between the outer braces of a modify block.
static bool read_modify(stripper *s, bsp_text text) {
    if (is_word(text, "}")) {
        s->in_modify = false;
        bool done = end_block(s);
        s->block = NO_BLOCK; // the plugin wants a heading before each of them
        return done;
    }
    if (is_word(text, "{") && s->part != NUM_PARTS) {
        s->parts[s->part].count = 0; // of two of a kind the last counts
        s->in_pairs = true;
        return true;
    }
    for (int i = 0; i < NUM_PARTS; i++) {
        if (is_word(text, part_words[i])) {
            s->part = (part)i;
            return true;
        }
    }
    return refuse(s, "this is no \"match:\", \"delete:\", \"replace:\" or \"insert:\"");
}

static bool read_outside(stripper *s, bsp_text text) {
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (is_word(text, headings[i].word)) {
            s->block = headings[i].block;
            return true;
        }
    }
    if (!is_word(text, "{") || s->block == NO_BLOCK) {
        return refuse(s, "this is no \"filter:\", \"remove:\", \"add:\" or \"modify:\"");
    }
    s->opened = s->line;
    s->in_modify = s->block == MODIFY;
    s->in_pairs = !s->in_modify;
    s->part = NUM_PARTS;
    return true;
}

static bool read_line(stripper *s, bsp_text text) {
    s->line++;
    text = trim(text);
    if (is_nothing(text)) {
        return true;
    }
    if (!s->in_pairs) {
        return s->in_modify ? read_modify(s, text) : read_outside(s, text);
    }
    if (!is_word(text, "}")) {
        return read_pair(s, text);
    }
    s->in_pairs = false;
    return s->in_modify || end_block(s);
}

static bool read_config(stripper *s, bsp_text config) {
    while (config.size != 0) {
        const char *end = memchr(config.data, '\n', config.size);
        size_t size = end == NULL ? config.size : (size_t)(end - config.data);
        if (!bspi_heap_work(s->heap, 1, s->error) || !read_line(s, (bsp_text){config.data, size})) {
            return false;
        }
        size += end == NULL ? 0 : 1;
        config.data += size;
        config.size -= size;
    }
    if (s->in_pairs || s->in_modify) {
        return bsp_fail(s->error, BSP_E_ARGUMENT, NULL, "line %u: this block is not closed",
                        s->opened);
    }
    return true;
}

// --- the new list -------------------------------------------------------------------------------

static bool compose(stripper *s, bspi_entity_result *result, bool *removed) {
    bsp_entity_source *list = bspi_heap_alloc(s->heap, s->count * sizeof *list, s->error);
    uint32_t count = 0;
    if (list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const entity *e = &s->list[i];
        result->face.num_selected += e->before != BSP_NONE && e->selected ? 1 : 0;
        if (e->removed) {
            if (e->before != BSP_NONE) {
                removed[e->before] = true;
            }
            continue;
        }
        list[count++] =
            (bsp_entity_source){e->changed ? BSP_NONE : e->before, e->pairs, e->num_pairs};
    }
    bool done =
        bsp_entities_compose(s->old, list, count, &s->heap->allocator, &result->text, s->error) &&
        bspi_entity_result_read(result, NULL, s->error);
    bspi_heap_free(s->heap, list, s->count * sizeof *list);
    if (done && result->entities->count != count) {
        return bsp_fail(s->error, BSP_E_DAMAGED, NULL,
                        "of %u entities %u read back: the old text is not well formed", count,
                        result->entities->count);
    }
    return done && bspi_entity_result_follow(result, s->old, removed, s->error);
}

static bool apply(stripper *s, bsp_text config, bspi_entity_result *result, bool *removed) {
    for (uint32_t i = 0; i < s->old->count; i++) {
        removed[i] = false;
        if (add_entity(s, i) == NULL) {
            return false;
        }
    }
    return read_config(s, config) && compose(s, result, removed);
}

static void free_all(stripper *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        bspi_heap_free(s->heap, s->list[i].own.list, s->list[i].own.room * sizeof(bsp_pair));
    }
    for (int i = 0; i < NUM_PARTS; i++) {
        bspi_heap_free(s->heap, s->parts[i].list, s->parts[i].room * sizeof(bsp_pair));
    }
    bspi_heap_free(s->heap, s->list, s->room * sizeof *s->list);
}

bsp_entity_edit *bsp_entities_stripper(const bsp_entities *entities, bsp_text config,
                                       const bsp_allocator *allocator, bsp_error *error) {
    assert(entities != NULL);
    bspi_entity_result *result = bspi_entity_result_new(entities, allocator, error);
    if (result == NULL) {
        return NULL;
    }
    stripper s = {.old = entities, .heap = &result->heap, .error = error};
    bspi_heap_extend(s.heap, config.size);
    bool *removed = bspi_heap_alloc(s.heap, entities->count * sizeof *removed, error);
    bool done = removed != NULL && apply(&s, config, result, removed);
    free_all(&s);
    bspi_heap_free(s.heap, removed, entities->count * sizeof *removed);
    if (!done) {
        bsp_entity_edit_free(&result->face);
        return NULL;
    }
    return &result->face;
}
