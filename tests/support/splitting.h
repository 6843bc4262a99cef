// SPDX-License-Identifier: MIT
// Composite lumps that tests write byte by byte, and what their splitters make of them.
#ifndef BSPI_TEST_SPLITTING_H
#define BSPI_TEST_SPLITTING_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/composites.h"
#include "records/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct blob {
    uint8_t bytes[4096];
    size_t size;
    bool big_endian;
} blob;

static inline void put(blob *b, uint32_t value, size_t size) {
    assert_true(b->size + size <= sizeof b->bytes);
    for (size_t i = 0; i < size; i++) {
        size_t at = b->big_endian ? size - 1 - i : i;
        b->bytes[b->size + at] = (uint8_t)(value >> (8 * i));
    }
    b->size += size;
}

static inline void put32(blob *b, uint32_t value) {
    put(b, value, 4);
}

static inline void put16(blob *b, uint32_t value) {
    put(b, value, 2);
}

static inline void fill(blob *b, uint8_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        put(b, value, 1);
    }
}

static inline void put_text(blob *b, const char *text) {
    for (; *text != '\0'; text++) {
        put(b, (uint8_t)*text, 1);
    }
}

static inline void set32(blob *b, size_t at, uint32_t value) {
    bspi_store32(b->bytes + at, value, b->big_endian);
}

typedef void (*splitter)(bspi_parse *parse);

typedef struct taken {
    bspi_parse parse;
    bsp_lump lump;
    bspi_heap heap;
    bsp_error error;
    uint8_t *copy; // of exactly the lump's size, for the address sanitizer
} taken;

static inline int by_offset(const void *a, const void *b) {
    const bsp_part *left = a;
    const bsp_part *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

// Parts lie in the lump, nest, and their leaves share no byte.
static inline void assert_sound(const bspi_parse *parse) {
    bsp_part *leaves = malloc((parse->count + 1) * sizeof *leaves);
    assert_non_null(leaves);
    size_t count = 0;
    for (uint32_t i = 0; i < parse->count; i++) {
        const bsp_part *part = &parse->parts[i];
        assert_true(part->end > i && part->end <= parse->count);
        if (part->kind <= BSP_PART_BYTES && part->size != 0) {
            assert_true(part->offset <= parse->data.size);
            assert_true(part->size <= parse->data.size - part->offset);
            leaves[count++] = *part;
        }
    }
    qsort(leaves, count, sizeof *leaves, by_offset);
    for (size_t i = 1; i < count; i++) {
        assert_true(leaves[i].offset >= leaves[i - 1].offset + leaves[i - 1].size);
    }
    free(leaves);
}

static inline void take(taken *t, const blob *b, splitter parse, const char *name,
                        bsp_lump_kind kind) {
    memset(t, 0, sizeof *t);
    snprintf(t->lump.name, sizeof t->lump.name, "%s", name);
    t->lump.kind = kind;
    if (kind == BSP_KIND_TEXTURES) { // says what the head of a texture is
        t->lump.def = bsp_branch_lump_of(bsp_branch_find("quake"), BSP_ID_TEXTURES);
    }
    t->copy = malloc(b->size == 0 ? 1 : b->size);
    assert_non_null(t->copy);
    memcpy(t->copy, b->bytes, b->size);
    bspi_heap_init(&t->heap, NULL, 0);
    t->parse = (bspi_parse){.lump = &t->lump,
                            .data = {t->copy, b->size},
                            .big_endian = b->big_endian,
                            .issues = bsp_issues_new(NULL, 0),
                            .error = &t->error,
                            .heap = &t->heap};
    parse(&t->parse);
    assert_false(t->parse.failed);
    assert_sound(&t->parse);
}

static inline void give(taken *t) {
    bspi_heap_free(&t->heap, t->parse.parts, t->parse.room * sizeof *t->parse.parts);
    assert_int_equal(atomic_load(&t->heap.used), 0);
    bsp_issues_free(t->parse.issues);
    free(t->copy);
}

// The n-th part of that name.
static inline const bsp_part *find(const taken *t, const char *name, uint32_t n) {
    for (uint32_t i = 0; i < t->parse.count; i++) {
        if (t->parse.parts[i].name != NULL && strcmp(t->parse.parts[i].name, name) == 0 &&
            n-- == 0) {
            return &t->parse.parts[i];
        }
    }
    return NULL;
}

static inline void assert_part(const taken *t, const char *name, uint32_t n, size_t offset,
                               size_t size) {
    const bsp_part *part = find(t, name, n);
    assert_non_null(part);
    assert_int_equal(part->offset, offset);
    assert_int_equal(part->size, size);
}

static inline void assert_issues(const taken *t, size_t expected) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(t->parse.issues, &count);
    for (size_t i = expected; i < count; i++) {
        print_error("%s: %s\n", list[i].kind->id, list[i].text);
    }
    assert_int_equal(count, expected);
}

static inline void assert_issue(const taken *t, size_t n, const char *id, uint64_t offset) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(t->parse.issues, &count);
    assert_true(n < count);
    assert_string_equal(list[n].kind->id, id);
    assert_int_equal(list[n].place.offset, offset);
}

// Every cut, and every byte set to some values: sound parts, no crash.
static inline void torture(const blob *b, splitter parse, const char *name, bsp_lump_kind kind) {
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    taken t;
    blob changed = *b;
    for (changed.size = 0; changed.size < b->size; changed.size++) {
        take(&t, &changed, parse, name, kind);
        give(&t);
    }
    for (size_t at = 0; at < b->size; at++) {
        for (size_t v = 0; v < sizeof values; v++) {
            changed = *b;
            changed.bytes[at] = values[v];
            take(&t, &changed, parse, name, kind);
            give(&t);
        }
    }
}

#endif
