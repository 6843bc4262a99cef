// SPDX-License-Identifier: MIT
// The splitters of composite lumps, on lumps written here byte by byte: where each part must lie,
// at which byte each damage is told, and that no cut or changed byte makes parts overlap.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/composites.h"
#include "bspkit/visibility.h"
#include "bspkit/pak.h"
#include "records/bspx.h"
#include "records/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- writing lumps ------------------------------------------------------------------------------

typedef struct blob {
    uint8_t bytes[4096];
    size_t size;
    bool big_endian;
} blob;

static void put(blob *b, uint32_t value, size_t size) {
    assert_true(b->size + size <= sizeof b->bytes);
    for (size_t i = 0; i < size; i++) {
        size_t at = b->big_endian ? size - 1 - i : i;
        b->bytes[b->size + at] = (uint8_t)(value >> (8 * i));
    }
    b->size += size;
}

static void put32(blob *b, uint32_t value) {
    put(b, value, 4);
}

static void put16(blob *b, uint32_t value) {
    put(b, value, 2);
}

static void fill(blob *b, uint8_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        put(b, value, 1);
    }
}

static void put_text(blob *b, const char *text) {
    for (; *text != '\0'; text++) {
        put(b, (uint8_t)*text, 1);
    }
}

static void set32(blob *b, size_t at, uint32_t value) {
    bspi_store32(b->bytes + at, value, b->big_endian);
}

// --- taking them apart --------------------------------------------------------------------------

typedef void (*splitter)(bspi_parse *parse);

typedef struct taken {
    bspi_parse parse;
    bsp_lump lump;
    bspi_heap heap;
    bsp_error error;
    uint8_t *copy; // of exactly the lump's size, for the address sanitizer
} taken;

static int by_offset(const void *a, const void *b) {
    const bsp_part *left = a;
    const bsp_part *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

// Parts lie in the lump, nest, and their leaves share no byte.
static void assert_sound(const bspi_parse *parse) {
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

static void take(taken *t, const blob *b, splitter parse, const char *name, bsp_lump_kind kind) {
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

static void give(taken *t) {
    bspi_heap_free(&t->heap, t->parse.parts, t->parse.room * sizeof *t->parse.parts);
    assert_int_equal(atomic_load(&t->heap.used), 0);
    bsp_issues_free(t->parse.issues);
    free(t->copy);
}

// The n-th part of that name.
static const bsp_part *find(const taken *t, const char *name, uint32_t n) {
    for (uint32_t i = 0; i < t->parse.count; i++) {
        if (t->parse.parts[i].name != NULL && strcmp(t->parse.parts[i].name, name) == 0 &&
            n-- == 0) {
            return &t->parse.parts[i];
        }
    }
    return NULL;
}

static void assert_part(const taken *t, const char *name, uint32_t n, size_t offset, size_t size) {
    const bsp_part *part = find(t, name, n);
    assert_non_null(part);
    assert_int_equal(part->offset, offset);
    assert_int_equal(part->size, size);
}

static void assert_issues(const taken *t, size_t expected) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(t->parse.issues, &count);
    for (size_t i = expected; i < count; i++) {
        print_error("%s: %s\n", list[i].kind->id, list[i].text);
    }
    assert_int_equal(count, expected);
}

static void assert_issue(const taken *t, size_t n, const char *id, uint64_t offset) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(t->parse.issues, &count);
    assert_true(n < count);
    assert_string_equal(list[n].kind->id, id);
    assert_int_equal(list[n].place.offset, offset);
}

// Every cut, and every byte set to some values: sound parts, no crash.
static void torture(const blob *b, splitter parse, const char *name, bsp_lump_kind kind) {
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

// --- textures -----------------------------------------------------------------------------------

// An 8 x 8 texture: four mips of 64, 16, 4 and 1 bytes.
static void put_texture(blob *b, const char *name) {
    size_t start = b->size;
    put_text(b, name);
    fill(b, 0, 16 - strlen(name));
    put32(b, 8);
    put32(b, 8);
    put32(b, 40);
    put32(b, 104);
    put32(b, 120);
    put32(b, 124);
    fill(b, 9, 85);
    assert_int_equal(b->size - start, 125);
}

static blob texture_lump(void) {
    blob b = {.size = 0};
    put32(&b, 5);
    put32(&b, 24);
    put32(&b, 0xffffffff); // missing
    put32(&b, 24);         // the first once more
    put32(&b, 0x00fffff0); // garbage
    put32(&b, 924);
    put_texture(&b, "wall");
    put16(&b, 256);
    fill(&b, 1, 768);
    fill(&b, 0, 924 - b.size);
    put_texture(&b, "floor");
    return b;
}

static void test_textures(void **state) {
    (void)state;
    blob b = texture_lump();
    taken t;
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_part(&t, "nummiptex", 0, 0, 4);
    assert_part(&t, "dofs", 0, 4, 20);
    assert_part(&t, "miptex", 0, 24, 40);
    assert_part(&t, "mip", 0, 64, 64);
    assert_part(&t, "mip", 3, 148, 1);
    assert_part(&t, "count", 0, 149, 2);
    assert_part(&t, "colors", 0, 151, 768);
    assert_part(&t, "miptex", 1, 924, 40);
    assert_null(find(&t, "miptex", 2));
    assert_null(find(&t, "palette", 1)); // Quake: none behind the last mip
    for (uint32_t i = 1; i < 4; i++) {   // an entry of the list for each offset
        const bsp_part *empty = find(&t, "texture", i);
        assert_int_equal(empty->end, (uint32_t)(empty - t.parse.parts) + 1);
    }
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", 16);
    give(&t);
    torture(&b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
}

static void test_texture_sizes(void **state) {
    (void)state;
    blob b = texture_lump();
    set32(&b, 24 + 16, 0xffffffff); // 2^32 - 1 squared, and its halves
    set32(&b, 24 + 20, 0xffffffff);
    set32(&b, 924 + 28, 60); // mip 1 would lie in mip 0
    taken t;
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_issues(&t, 6);
    assert_issue(&t, 1, "lump-bad-structure", 24 + 24);
    assert_issue(&t, 5, "lump-bad-structure", 924 + 28);
    assert_part(&t, "mip", 0, 964, 64);
    assert_part(&t, "mip", 1, 924 + 120, 4);
    give(&t);
    // An external texture has no pixels; that is no issue.
    for (size_t mip = 0; mip < 4; mip++) {
        set32(&b, 24 + 24 + mip * 4, 0);
    }
    take(&t, &b, bspi_parse_textures, "TEXTURES", BSP_KIND_TEXTURES);
    assert_issues(&t, 2);
    give(&t);
}

// --- visibility ---------------------------------------------------------------------------------

static void test_visibility_parts(void **state) {
    (void)state;
    blob b = {.size = 0};
    put32(&b, 2);
    fill(&b, 0, 16);
    fill(&b, 0xff, 3);
    taken t;
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    assert_part(&t, "numclusters", 0, 0, 4);
    assert_part(&t, "byteofs", 0, 4, 16);
    assert_part(&t, "rows", 0, 20, 3);
    assert_issues(&t, 0);
    give(&t);
    torture(&b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    torture(&b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_MATRIX);
    set32(&b, 0, 0xffffffff);
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_OFFSETS);
    assert_issue(&t, 0, "lump-bad-structure", 4);
    give(&t);
    set32(&b, 0, 3); // 3 clusters of 5 bytes, and 11 bytes too many to be there
    set32(&b, 4, 5);
    take(&t, &b, bspi_parse_visibility, "VISIBILITY", BSP_KIND_VIS_MATRIX);
    assert_part(&t, "head", 0, 0, 8);
    assert_part(&t, "rows", 0, 8, 15);
    assert_issues(&t, 0);
    give(&t);
}

static void assert_row(const char *packed, size_t size, bool whole, const char *row) {
    uint8_t out[6] = {1, 1, 1, 1, 1, 1};
    assert_int_equal(bsp_vis_unpack((bsp_bytes){(const uint8_t *)packed, size}, out, 6), whole);
    assert_memory_equal(out, row, 6);
}

static void test_vis_unpack(void **state) {
    (void)state;
    assert_row("\7\0\4\3", 4, true, "\7\0\0\0\0\3");
    assert_row("\7\0\5\3", 4, true, "\7\0\0\0\0\0");
    assert_row("\7\0\0\0\5", 5, true, "\7\0\0\0\0\0");
    assert_row("\1\2\3\4\5\6\7", 7, true, "\1\2\3\4\5\6");
    assert_row("\7\0\6", 3, false, "\7\0\0\0\0\0");   // a run past the end
    assert_row("\7\0\2\3", 4, false, "\7\0\0\3\0\0"); // the data ends
    assert_row("\7\0", 2, false, "\7\0\0\0\0\0");     // in a run
    assert_row("", 0, false, "\0\0\0\0\0\0");
    assert_true(bsp_vis_unpack((bsp_bytes){NULL, 0}, NULL, 0));
}

// The plainest encoder: a run of zeros (255 at most) or a byte.
static size_t encode(const uint8_t *row, size_t size, uint8_t *out) {
    size_t n = 0;
    for (size_t i = 0; i < size;) {
        if (row[i] != 0) {
            out[n++] = row[i++];
            continue;
        }
        uint8_t run = 0;
        while (i < size && row[i] == 0 && run < 255) {
            run++;
            i++;
        }
        out[n++] = 0;
        out[n++] = run;
    }
    return n;
}

static void test_vis_round_trip(void **state) {
    (void)state;
    uint32_t seed = 1;
    uint8_t row[700];
    uint8_t packed[1400];
    uint8_t out[700];
    for (int round = 0; round < 3000; round++) {
        seed = seed * 1664525u + 1013904223u;
        size_t size = seed % (sizeof row + 1);
        uint32_t rarity = 1u << (seed >> 28);
        for (size_t i = 0; i < size; i++) {
            seed = seed * 1664525u + 1013904223u;
            row[i] = (seed >> 8) % rarity == 0 ? (uint8_t)(seed >> 24) : 0;
        }
        size_t used = encode(row, size, packed);
        assert_true(bsp_vis_unpack((bsp_bytes){packed, used}, out, size));
        assert_memory_equal(out, row, size);
        if (used != 0) {
            assert_false(bsp_vis_unpack((bsp_bytes){packed, used - 1}, out, size));
        }
    }
}

// --- displacement samples -----------------------------------------------------------------------

static void test_samples(void **state) {
    (void)state;
    static const uint8_t bytes[] = {1, 9,   9, 9, 0, 0, 0, 0, 255, 0, 1, 2,
                                    3, 255, 7, 1, 2, 3, 5, 6, 7,   8, 2, 2};
    blob b = {.size = sizeof bytes};
    memcpy(b.bytes, bytes, sizeof bytes);
    taken t;
    take(&t, &b, bspi_parse_samples, "SAMPLES", BSP_KIND_SAMPLES);
    assert_part(&t, "samples", 0, 0, 8);
    assert_part(&t, "samples", 1, 8, 10);
    assert_int_equal(find(&t, "samples", 1)->layout->size, 5);
    assert_part(&t, "samples", 2, 18, 4);
    assert_part(&t, "rest", 0, 22, 2);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", 22);
    give(&t);
    torture(&b, bspi_parse_samples, "SAMPLES", BSP_KIND_SAMPLES);
}

// --- physics ------------------------------------------------------------------------------------

// Compilers for big-endian processors give out bits from the top.
static uint32_t bits(const blob *b, uint32_t low, uint32_t width, uint32_t high) {
    return b->big_endian ? low << (32 - width) | high : high << width | low;
}

#define SOLID_AT 16 // the size of the first solid
#define SURFACE_AT (SOLID_AT + 4 + 28)
#define LEDGE_AT (SURFACE_AT + 48)
#define POINTS_AT (LEDGE_AT + 2 * 32)
#define NODES_AT (POINTS_AT + 6 * 16)
#define SOLID_END (NODES_AT + 3 * 28)

static void put_ledge(blob *b, uint32_t first_point) {
    put32(b, (uint32_t)(POINTS_AT - b->size));
    put32(b, 0);
    put32(b, bits(b, 4, 8, 5));
    put16(b, 1);
    put16(b, 0);
    put32(b, bits(b, 0, 12, 0));
    for (uint32_t i = 0; i < 3; i++) {
        put32(b, bits(b, first_point + i, 16, 0));
    }
}

static void put_node(blob *b, uint32_t right, uint32_t ledge) {
    put32(b, right);
    put32(b, ledge);
    fill(b, 0, 20);
}

// One model of one solid: a node over two ledges, which share an array of six points.
static blob physics_lump(bool big_endian) {
    blob b = {.big_endian = big_endian};
    put32(&b, 0);
    put32(&b, SOLID_END - SOLID_AT);
    put32(&b, 5);
    put32(&b, 1);
    put32(&b, SOLID_END - SOLID_AT - 4);
    put32(&b, 0x59485056);
    put16(&b, 0x100);
    put16(&b, 0);
    put32(&b, SOLID_END - SURFACE_AT);
    fill(&b, 0, 16);
    fill(&b, 0, 28);
    put32(&b, bits(&b, 215, 8, SOLID_END - SURFACE_AT));
    put32(&b, NODES_AT - SURFACE_AT);
    put32(&b, 0);
    put32(&b, 0);
    put32(&b, 0x53505649);
    put_ledge(&b, 0);
    put_ledge(&b, 3);
    fill(&b, 1, 6 * 16);
    put_node(&b, 56, 0);
    put_node(&b, 0, (uint32_t)(LEDGE_AT - (NODES_AT + 28)));
    put_node(&b, 0, (uint32_t)(LEDGE_AT + 32 - (NODES_AT + 56)));
    assert_int_equal(b.size, SOLID_END);
    put_text(&b, "a{}\n");
    fill(&b, 0, 1);
    put32(&b, 0xffffffff);
    put32(&b, 0xffffffff);
    fill(&b, 0, 8);
    return b;
}

static void check_physics(bool big_endian) {
    blob b = physics_lump(big_endian);
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 0);
    assert_part(&t, "size", 0, SOLID_AT, 4);
    assert_part(&t, "VPHY", 0, SOLID_AT + 4, 8);
    assert_part(&t, "header", 0, SOLID_AT + 12, 20);
    assert_part(&t, "surface", 0, SURFACE_AT, 48);
    assert_part(&t, "triangles", 0, LEDGE_AT + 16, 16);
    assert_part(&t, "triangles", 1, LEDGE_AT + 48, 16);
    assert_part(&t, "points", 1, POINTS_AT, 96); // 0 is the list
    assert_part(&t, "nodes", 1, NODES_AT, 84);
    assert_part(&t, "keydata", 0, SOLID_END, 4);
    assert_part(&t, "terminator", 0, SOLID_END + 5, 16);
    // The bit fields read the same in both orders.
    const bsp_layout *layout = find(&t, "surface", 0)->layout;
    bsp_table table = {layout, t.copy + SURFACE_AT, 1, big_endian};
    uint32_t field = bsp_layout_find_field(layout, bsp_text_of("byte_size"));
    assert_int_equal(bsp_table_int(&table, 0, field, 0), SOLID_END - SURFACE_AT);
    give(&t);
    torture(&b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
}

static void test_physics(void **state) {
    (void)state;
    check_physics(false);
    check_physics(true);
}

static void test_physics_cycles(void **state) {
    (void)state;
    blob b = physics_lump(false);
    set32(&b, NODES_AT + 28, (uint32_t)-28); // the left child's right child is the root
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", SURFACE_AT);
    assert_part(&t, "nodes", 1, NODES_AT, 84);
    give(&t);
    b = physics_lump(false);
    set32(&b, 4, 0x7fffffff);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", 0);
    assert_null(find(&t, "solid", 0));
    give(&t);
}

#define MOPP_AT (SOLID_AT + 4 + 12)
#define ROW_AT (MOPP_AT + 48)
#define ROW_POINTS_AT (ROW_AT + 2 * 32)
#define CODE_AT (ROW_POINTS_AT + 6 * 16)
#define CODE_BYTES 7
#define MOPP_END (CODE_AT + 20 + CODE_BYTES)

static void put_row_ledge(blob *b, uint32_t first_point) {
    put_ledge(b, first_point);
    uint32_t at = (uint32_t)b->size - 32;
    set32(b, at, ROW_POINTS_AT - at);
}

// One model of one solid below MOPP code: two ledges in a row, their points, code.
static blob mopp_lump(bool big_endian) {
    blob b = {.big_endian = big_endian};
    put32(&b, 0);
    put32(&b, MOPP_END - SOLID_AT);
    put32(&b, 0);
    put32(&b, 1);
    put32(&b, MOPP_END - SOLID_AT - 4);
    put32(&b, 0x59485056);
    put16(&b, 0x100);
    put16(&b, 1);
    put32(&b, MOPP_END - MOPP_AT);
    fill(&b, 0, 28);
    put32(&b, bits(&b, 249, 8, MOPP_END - MOPP_AT));
    put32(&b, CODE_AT - MOPP_AT);
    put32(&b, ROW_AT - MOPP_AT);
    put32(&b, 0);
    put32(&b, 0x50504f4d);
    put_row_ledge(&b, 0);
    put_row_ledge(&b, 3);
    fill(&b, 1, 6 * 16);
    put32(&b, 20 + CODE_BYTES);
    fill(&b, 2, 16);
    fill(&b, 0x30, CODE_BYTES);
    assert_int_equal(b.size, MOPP_END);
    put32(&b, 0xffffffff);
    put32(&b, 0xffffffff);
    fill(&b, 0, 8);
    return b;
}

static void check_mopp(bool big_endian) {
    blob b = mopp_lump(big_endian);
    taken t;
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 0);
    assert_part(&t, "header", 0, SOLID_AT + 12, 4);
    assert_part(&t, "surface", 0, MOPP_AT, 48);
    assert_part(&t, "triangles", 0, ROW_AT + 16, 16);
    assert_part(&t, "triangles", 1, ROW_AT + 48, 16);
    assert_part(&t, "points", 1, ROW_POINTS_AT, 96);
    assert_part(&t, "code", 0, CODE_AT, 20);
    assert_part(&t, "bytes", 0, CODE_AT + 20, CODE_BYTES);
    give(&t);
    torture(&b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
}

static void test_mopp(void **state) {
    (void)state;
    check_mopp(false);
    check_mopp(true);
}

static void test_mopp_damaged(void **state) {
    (void)state;
    taken t;
    blob b = mopp_lump(false);
    set32(&b, MOPP_AT + 32, MOPP_END - MOPP_AT - 19); // no room for the head of the code
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", MOPP_AT);
    assert_part(&t, "mopp", 0, MOPP_AT, MOPP_END - MOPP_AT);
    give(&t);
    b = mopp_lump(false);
    set32(&b, ROW_AT, ROW_POINTS_AT - ROW_AT + 4); // four bytes between ledges and points
    set32(&b, ROW_AT + 32, ROW_POINTS_AT - ROW_AT - 32 + 4);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issue(&t, 0, "lump-bad-structure", MOPP_AT);
    give(&t);
    b = mopp_lump(false);
    set32(&b, CODE_AT, 20 + CODE_BYTES + 1);
    take(&t, &b, bspi_parse_physics, "PHYSCOLLIDE", BSP_KIND_PHYSICS);
    assert_issues(&t, 1);
    assert_issue(&t, 0, "lump-bad-structure", CODE_AT);
    assert_null(find(&t, "bytes", 0));
    give(&t);
}

// Two hulls of a displacement: 2 triangles and 1 edge, then 1 and 3.
static void test_phys_disp_hulls(void **state) {
    (void)state;
    static const uint8_t heads[14] = {2, 0, 0, 0, 2, 0, 1, 0, 0, 1, 0, 3, 0, 9};
    blob b = {.size = 0};
    put16(&b, 1);
    put16(&b, 14 + 8 + 2 + 4 + 6);
    for (size_t i = 0; i < sizeof heads; i++) {
        fill(&b, heads[i], 1);
    }
    fill(&b, 5, 8 + 2 + 4 + 6);
    taken t;
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_issues(&t, 0);
    assert_part(&t, "heads", 0, 8, 10);
    assert_part(&t, "triangles", 0, 18, 8);
    assert_part(&t, "edges", 0, 26, 2);
    assert_part(&t, "triangles", 1, 28, 4);
    assert_part(&t, "edges", 1, 32, 6);
    give(&t);
    torture(&b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    b.bytes[8]++; // a third triangle: what fits no more is a blob
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_null(find(&t, "heads", 0));
    assert_part(&t, "blob", 0, 4, 34);
    give(&t);
}

static void test_phys_disp(void **state) {
    (void)state;
    blob b = {.size = 0};
    put16(&b, 3);
    put16(&b, 2);
    put16(&b, 0xffff);
    put16(&b, 1);
    fill(&b, 8, 3);
    taken t;
    take(&t, &b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
    assert_part(&t, "sizes", 0, 2, 6);
    assert_part(&t, "blob", 0, 8, 2);
    assert_part(&t, "blob", 1, 10, 0);
    assert_part(&t, "blob", 2, 10, 1);
    assert_issues(&t, 0);
    give(&t);
    torture(&b, bspi_parse_phys_disp, "PHYSDISP", BSP_KIND_PHYS_DISP);
}

// --- zip ----------------------------------------------------------------------------------------

static void put_local(blob *b, const char *name, uint32_t extra, const char *data) {
    put32(b, 0x04034b50);
    put16(b, 10);
    fill(b, 0, 8);
    put32(b, 0xcbf43926);
    put32(b, (uint32_t)strlen(data));
    put32(b, (uint32_t)strlen(data));
    put16(b, (uint32_t)strlen(name));
    put16(b, extra);
    put_text(b, name);
    fill(b, 0, extra);
    put_text(b, data);
}

static void put_central(blob *b, const char *name, uint32_t extra, uint32_t size, uint32_t offset) {
    put32(b, 0x02014b50);
    put16(b, 10);
    put16(b, 10);
    fill(b, 0, 8);
    put32(b, 0xcbf43926);
    put32(b, size);
    put32(b, size);
    put16(b, (uint32_t)strlen(name));
    put16(b, extra);
    fill(b, 0, 10);
    put32(b, offset);
    put_text(b, name);
}

#define ZIP_DIRECTORY 84 // two files of 30 + 5 + 9 and 30 + 1 + 9 bytes

// Two files; `extra` is what the directory states (and leaves out, as consoles' zips do).
static blob zip_lump(uint32_t extra, uint32_t base) {
    blob b = {.size = 0};
    fill(&b, 0, base);
    put_local(&b, "a/b.c", 0, "123456789");
    put_local(&b, "\xff", 0, "987654321");
    put_central(&b, "a/b.c", extra, 9, 0);
    put_central(&b, "\xff", extra, 9, 44);
    put32(&b, 0x06054b50);
    put32(&b, 0);
    put16(&b, 2);
    put16(&b, 2);
    put32(&b, 46 * 2 + 6);
    put32(&b, ZIP_DIRECTORY);
    put16(&b, 6);
    put_text(&b, "XZP1 0");
    return b;
}

static void check_pak(const blob *b, uint32_t base, uint64_t issues) {
    bsp_issues *list = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){b->bytes, b->size}, NULL, list, NULL);
    assert_non_null(pak);
    assert_int_equal(bsp_issues_count(list, BSP_NOTE), issues);
    assert_int_equal(pak->count, 2);
    const bsp_pak_entry *e = pak->entries;
    assert_true(bsp_text_equal(e[0].name, bsp_text_of("a/b.c")));
    assert_true(bsp_text_equal(e[1].name, bsp_text_of("\xff")));
    assert_int_equal(e[0].offset, base);
    assert_int_equal(e[1].offset, base + 44);
    assert_int_equal(e[0].size, 9);
    assert_int_equal(e[0].packed.size, 9);
    assert_memory_equal(e[0].packed.data, "123456789", 9);
    assert_int_equal(e[0].crc, bsp_crc32(0, e[0].packed));
    assert_memory_equal(e[1].packed.data, "987654321", 9);
    bsp_pak_close(pak);
    bsp_issues_free(list);
}

static void test_pak(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    check_pak(&b, 0, 0);
    fill(&b, 0, 4); // padding behind the comment
    check_pak(&b, 0, 0);
    b = zip_lump(1997, 0);
    check_pak(&b, 0, 0);
    b = zip_lump(0, 12); // something before the zip
    check_pak(&b, 12, 1);
    b = zip_lump(0, 0);
    b.size = ZIP_DIRECTORY; // no directory: found by the heads of the files
    check_pak(&b, 0, 1);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){NULL, 0}, NULL, NULL, NULL);
    assert_int_equal(pak->count, 0);
    bsp_pak_close(pak);
}

static void test_pak_entry_not_there(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    set32(&b, ZIP_DIRECTORY + 20, 0xfffffff0); // packed size
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_pak *pak = bsp_pak_open((bsp_bytes){b.bytes, b.size}, NULL, issues, NULL);
    assert_int_equal(pak->count, 2);
    assert_int_equal(pak->entries[0].packed.size, 0);
    assert_int_equal(pak->entries[1].packed.size, 9);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].kind->id, "pak-bad-directory");
    assert_int_equal(list[0].place.record, 0);
    assert_int_equal(list[0].place.offset, ZIP_DIRECTORY);
    bsp_pak_close(pak);
    bsp_issues_free(issues);
}

static void test_zip_parts(void **state) {
    (void)state;
    blob b = zip_lump(0, 0);
    taken t;
    take(&t, &b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    assert_issues(&t, 0);
    assert_part(&t, "data", 0, 35, 9);
    assert_part(&t, "head", 1, 44, 30);
    assert_part(&t, "head", 2, ZIP_DIRECTORY, 46);
    assert_part(&t, "name", 3, ZIP_DIRECTORY + 51 + 46, 1);
    assert_part(&t, "end", 0, ZIP_DIRECTORY + 98, 22);
    assert_part(&t, "comment", 0, ZIP_DIRECTORY + 120, 6);
    give(&t);
    torture(&b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    // Numbers stay little-endian in a big-endian file.
    b.big_endian = true;
    take(&t, &b, bspi_parse_zip, "PAKFILE", BSP_KIND_ZIP);
    assert_issues(&t, 0);
    assert_false(find(&t, "head", 0)->big_endian);
    give(&t);
}

static void test_crc(void **state) {
    (void)state;
    bsp_bytes digits = {(const uint8_t *)"123456789", 9};
    assert_int_equal(bsp_crc32(0, digits), 0xcbf43926); // the check value of CRC-32
    uint32_t crc = bsp_crc32(0, (bsp_bytes){digits.data, 4});
    crc = bsp_crc32(crc, (bsp_bytes){NULL, 0});
    assert_int_equal(bsp_crc32(crc, (bsp_bytes){digits.data + 4, 5}), 0xcbf43926);
}

// --- BSPX ---------------------------------------------------------------------------------------

static void test_bspx_find(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 8);
    put_text(&b, "BSPX");
    put32(&b, 2);
    fill(&b, 0, 64);
    size_t offset = 0;
    uint32_t count = 0;
    for (uint64_t end = 5; end <= 8; end++) { // the lumps' end is rounded up to 4
        assert_true(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, end, &offset, &count));
        assert_int_equal(offset, 16);
        assert_int_equal(count, 2);
    }
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, 4, &offset, &count));
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, b.size}, UINT64_MAX, &offset, &count));
    assert_false(bspi_bspx_find((bsp_bytes){b.bytes, 15}, 8, &offset, &count));
    assert_true(bspi_bspx_find((bsp_bytes){b.bytes, 79}, 8, &offset, &count));
    assert_int_equal(count, 1);
}

static void test_brush_list(void **state) {
    (void)state;
    blob b = {.size = 0};
    for (uint32_t model = 0; model < 2; model++) {
        put32(&b, 1);
        put32(&b, model);
        put32(&b, 1);
        put32(&b, 1);
        fill(&b, 0, 24);
        put16(&b, 0xfffe);
        put16(&b, 1);
        fill(&b, 0, 16);
    }
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:BRUSHLIST", BSP_KIND_BYTES);
    assert_issues(&t, 0);
    assert_part(&t, "planes", 0, 44, 16);
    assert_part(&t, "planes", 1, 104, 16);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:BRUSHLIST", BSP_KIND_BYTES);
}

static void test_light_grid(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 41);
    put32(&b, 1);
    fill(&b, 0, 44);
    put32(&b, 1);
    fill(&b, 0, 12);
    put32(&b, 2);
    put32(&b, 2);
    put32(&b, 1);
    fill(&b, 255, 2); // two cells in the wall
    fill(&b, 1, 5);   // one of a sample
    fill(&b, 5, 21);  // one of five
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:LIGHTGRID_OCTREE", BSP_KIND_BYTES);
    assert_issues(&t, 0);
    assert_part(&t, "nodes", 0, 45, 44);
    assert_part(&t, "cells", 1, 117, 2); // 0 is the list
    assert_part(&t, "cells", 2, 119, 5);
    assert_part(&t, "used_styles", 0, 124, 1);
    assert_part(&t, "samples", 0, 125, 20);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:LIGHTGRID_OCTREE", BSP_KIND_BYTES);
}

static void test_bspx_arrays(void **state) {
    (void)state;
    blob b = {.size = 0};
    fill(&b, 0, 13);
    taken t;
    take(&t, &b, bspi_parse_bspx, "bspx:RGBLIGHTING", BSP_KIND_BYTES);
    assert_int_equal(t.parse.parts[0].count, 4);
    assert_issue(&t, 0, "lump-odd-size", 12);
    give(&t);
    take(&t, &b, bspi_parse_bspx, "bspx:SOMETHING", BSP_KIND_BYTES);
    assert_int_equal(t.parse.parts[0].kind, BSP_PART_BYTES);
    assert_issues(&t, 0);
    give(&t);
    b.size = 0;
    put32(&b, 1);
    fill(&b, 0, 12 + 24);
    take(&t, &b, bspi_parse_bspx, "bspx:FACENORMALS", BSP_KIND_BYTES);
    assert_part(&t, "normals", 0, 4, 12);
    assert_part(&t, "corners", 0, 16, 24);
    give(&t);
    torture(&b, bspi_parse_bspx, "bspx:FACENORMALS", BSP_KIND_BYTES);
    assert_int_equal(bsp_bspx_layout("DECOUPLED_LM")->size, 40);
    assert_null(bsp_bspx_layout("BRUSHLIST"));
}

// --- layouts ------------------------------------------------------------------------------------

// Rows cover each record once.
static void test_layouts(void **state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        const bspi_ivp *ivp = bspi_ivp_layouts(form == 1);
        const bsp_layout *const all[] = {ivp->surface, ivp->ledge, ivp->triangle, ivp->point,
                                         ivp->node};
        for (size_t i = 0; i < 5; i++) {
            const bsp_field *last = &all[i]->fields[all[i]->num_fields - 1];
            size_t end = bsp_layout_offset(all[i], all[i]->num_fields - 1) +
                         bsp_type_size(last->type) * last->count;
            assert_int_equal(end, all[i]->size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_texture_sizes),
        cmocka_unit_test(test_visibility_parts),
        cmocka_unit_test(test_vis_unpack),
        cmocka_unit_test(test_vis_round_trip),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_physics),
        cmocka_unit_test(test_physics_cycles),
        cmocka_unit_test(test_mopp),
        cmocka_unit_test(test_mopp_damaged),
        cmocka_unit_test(test_phys_disp),
        cmocka_unit_test(test_phys_disp_hulls),
        cmocka_unit_test(test_pak),
        cmocka_unit_test(test_pak_entry_not_there),
        cmocka_unit_test(test_zip_parts),
        cmocka_unit_test(test_crc),
        cmocka_unit_test(test_bspx_find),
        cmocka_unit_test(test_brush_list),
        cmocka_unit_test(test_light_grid),
        cmocka_unit_test(test_bspx_arrays),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
