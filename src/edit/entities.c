// SPDX-License-Identifier: MIT
// Entity text with changes: each is a splice of the text, and the text between splices is copied.
#include "bspkit/entity_edit.h"
#include "edit/entity_text.h"
#include "edit/heap.h"
#include "core/text.h"
#include "records/entities.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef enum splice_kind {
    CUT,     // bytes are removed
    REPLACE, // `text` replaces a key or value
    PAIR,    // a new pair of `key` and `text`, on its own line
    BLOCK,   // `text` and a line end
} splice_kind;

/// Bytes of the old text that are replaced.
typedef struct splice {
    splice_kind kind;
    size_t at;
    size_t size;
    uint32_t order; // order of two splices at one place
    bsp_text key;
    bsp_text text;
    bool bare; // the replaced word had no quotes; they are added
} splice;

typedef struct editor {
    const bsp_entities *entities;
    splice *list;
    uint32_t count;
    uint32_t room;
    bspi_heap *heap;
    bsp_error *error;
    bsp_text line_end; // as in the text
} editor;

static splice *add(editor *e, splice_kind kind, size_t at, size_t size) {
    size_t room = e->room;
    splice *list = bspi_grow(e->heap, e->list, e->count, &room, sizeof *list, e->error);
    if (list == NULL) {
        return NULL;
    }
    e->list = list;
    e->room = (uint32_t)room;
    list[e->count] = (splice){.kind = kind, .at = at, .size = size, .order = e->count};
    return &list[e->count++];
}

// --- positions -----------------------------------------------------------------------------------

static size_t offset_of(const editor *e, bsp_text part) {
    return (size_t)(part.data - e->entities->text.data);
}

static char character(const editor *e, size_t at) {
    return at < e->entities->text.size ? e->entities->text.data[at] : '\0';
}

static bool is_quoted(const editor *e, bsp_text part) {
    size_t at = offset_of(e, part);
    return at > 0 && character(e, at - 1) == '"';
}

// Gives the extent of a pair: from its first character, including the quote, to the end of its
// last.
static void pair_extent(const editor *e, const bsp_pair *pair, size_t *from, size_t *to) {
    *from = offset_of(e, pair->key) - (is_quoted(e, pair->key) ? 1 : 0);
    *to = offset_of(e, pair->value) + pair->value.size;
    *to += is_quoted(e, pair->value) && character(e, *to) == '"' ? 1 : 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Widens a run to its whole line, where nothing else stands on it.
static void widen_to_line(const editor *e, size_t *from, size_t *to) {
    size_t start = *from;
    size_t end = *to;
    while (start > 0 && is_blank(character(e, start - 1))) {
        start--;
    }
    while (is_blank(character(e, end))) {
        end++;
    }
    if (start > 0 && character(e, start - 1) != '\n') {
        return;
    }
    if (character(e, end) == '\r' && character(e, end + 1) == '\n') {
        end++;
    }
    if (character(e, end) == '\n') {
        *from = start;
        *to = end + 1;
    }
}

// --- the changes --------------------------------------------------------------------------------

static bool remove_pair(editor *e, const bsp_pair *pair) {
    size_t from;
    size_t to;
    pair_extent(e, pair, &from, &to);
    widen_to_line(e, &from, &to);
    return add(e, CUT, from, to - from) != NULL;
}

// Replaces a key or value; quotes are added if it had none.
static bool replace(editor *e, bsp_text part, bsp_text with) {
    splice *s = add(e, REPLACE, offset_of(e, part), part.size);
    if (s != NULL) {
        s->text = with;
        s->bare = !is_quoted(e, part);
    }
    return s != NULL;
}

static bool append_pair(editor *e, const bsp_entity *entity, const bsp_entity_change *change) {
    size_t brace = entity->offset + entity->size; // after the closing brace
    brace -= brace > 0 && character(e, brace - 1) == '}' ? 1 : 0;
    splice *s = add(e, PAIR, brace, 0);
    if (s != NULL) {
        s->key = change->key;
        s->text = change->value;
    }
    return s != NULL;
}

static bool change_pairs(editor *e, const bsp_entity *entity, const bsp_entity_change *change) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_pair *pair = &entity->pairs[i];
        if (!bspi_text_equal_nocase(pair->key, change->key)) {
            continue;
        }
        switch (change->action) {
        case BSP_ENTITY_SET:
            return replace(e, pair->value, change->value);
        case BSP_ENTITY_UNSET:
            if (!remove_pair(e, pair)) {
                return false;
            }
            break;
        default:
            if (!replace(e, pair->key, change->value)) {
                return false;
            }
        }
    }
    return change->action != BSP_ENTITY_SET || append_pair(e, entity, change);
}

static bool remove_entity(editor *e, const bsp_entity *entity) {
    size_t from = entity->offset;
    size_t to = entity->offset + entity->size;
    widen_to_line(e, &from, &to);
    return add(e, CUT, from, to - from) != NULL;
}

// Adds text that parses as entities without any issue except that the final NUL is missing.
static bool add_entities(editor *e, bsp_text text) {
    bsp_issues *issues = bsp_issues_new(&e->heap->allocator, 1);
    if (issues == NULL) {
        return bsp_fail(e->error, BSP_E_MEMORY, NULL, "no memory to read the added text");
    }
    bsp_entities *read = bspi_entities_parse(text, e->heap, &e->heap->allocator, issues, e->error);
    if (read == NULL) {
        bsp_issues_free(issues);
        return false;
    }
    bool good = read->count != 0 && bsp_issues_count(issues, BSP_WARNING) <= 1;
    for (uint32_t i = 0; good && i < read->count; i++) {
        good = read->list[i].size != 0 &&
               text.data[read->list[i].offset + read->list[i].size - 1] == '}';
    }
    bsp_entities_free(read);
    bsp_issues_free(issues);
    if (!good) {
        return bsp_fail(e->error, BSP_E_ARGUMENT, NULL, "the added text is no entity");
    }
    const bsp_entities *all = e->entities;
    size_t at = 0;
    if (all->count != 0) {
        const bsp_entity *last = &all->list[all->count - 1];
        size_t start = last->offset;
        at = start + last->size;
        widen_to_line(e, &start, &at);
    }
    splice *s = add(e, BLOCK, at, 0);
    if (s != NULL) {
        s->text = text;
    }
    return s != NULL;
}

static bool note(editor *e, const bsp_entity_change *change) {
    if (change->action == BSP_ENTITY_ADD) {
        bspi_heap_extend(e->heap, change->value.size);
        return add_entities(e, change->value);
    }
    if (change->entity >= e->entities->count) {
        return bsp_fail(e->error, BSP_E_ARGUMENT, NULL, "there is no entity %u: there are %u",
                        change->entity, e->entities->count);
    }
    const bsp_entity *entity = &e->entities->list[change->entity];
    bspi_heap_extend(e->heap, change->value.size);
    if (!bspi_heap_work(e->heap, 1 + (uint64_t)entity->num_pairs, e->error)) {
        return false;
    }
    if (change->action == BSP_ENTITY_REMOVE) {
        return remove_entity(e, entity);
    }
    return bspi_entity_text_fits(change->key, "key", e->error) &&
           bspi_entity_text_fits(change->value, "value", e->error) &&
           change_pairs(e, entity, change);
}

// --- the new text -------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    const splice *x = a;
    const splice *y = b;
    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static void put_splice(const editor *e, const splice *s, bspi_buffer *out) {
    switch (s->kind) {
    case CUT:
        break;
    case REPLACE:
        if (s->bare) {
            bspi_put_quoted(out, s->text);
        } else {
            bspi_put_text(out, s->text);
        }
        break;
    case PAIR:
        bspi_put_quoted(out, s->key);
        bspi_buffer_add(out, " ", 1);
        bspi_put_quoted(out, s->text);
        bspi_put_text(out, e->line_end);
        break;
    case BLOCK:
        bspi_put_text(out, s->text);
        if (s->text.data[s->text.size - 1] != '\n') {
            bspi_put_text(out, e->line_end);
        }
    }
}

// Returns true if a later splice changes the same word.
static bool outdone(const editor *e, uint32_t i) {
    const splice *s = &e->list[i];
    return s->kind == REPLACE && i + 1 < e->count && e->list[i + 1].at == s->at &&
           e->list[i + 1].kind == REPLACE;
}

// Of two changes to one run of bytes the later is used; a splice inside of another is dropped.
static void write(editor *e, bspi_buffer *out) {
    bsp_text old = e->entities->text;
    size_t done = 0;
    if (e->count != 0) {
        qsort(e->list, e->count, sizeof *e->list, compare);
    }
    for (uint32_t i = 0; i < e->count; i++) {
        const splice *s = &e->list[i];
        if (outdone(e, i) || s->at < done) {
            continue;
        }
        bspi_put_run(out, old, done, s->at);
        put_splice(e, s, out);
        done = s->at + s->size;
    }
    bspi_put_run(out, old, done, old.size);
}

bool bsp_entities_change(const bsp_entities *entities, const bsp_entity_change *changes,
                         uint32_t count, const bsp_allocator *allocator, bsp_blob *out,
                         bsp_error *error) {
    assert(entities != NULL && out != NULL);
    assert(changes != NULL || count == 0);
    bspi_heap heap;
    bspi_edit_heap_of_entities(&heap, entities, allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    editor e = {.entities = entities, .heap = &heap, .error = error};
    e.line_end = bspi_entity_line_end(entities->text);
    memset(out, 0, sizeof *out);
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++) {
        done = note(&e, &changes[i]);
    }
    if (done) {
        write(&e, &buffer);
        done = !buffer.failed;
    }
    bspi_heap_free(&heap, e.list, e.room * sizeof *e.list);
    if (!done || buffer.size == 0) {
        bspi_buffer_free(&buffer);
        return done;
    }
    return bspi_buffer_give(&buffer, out);
}
