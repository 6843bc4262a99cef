// SPDX-License-Identifier: MIT
// Physics of every Source map, in its own byte order and turned into the other: no byte is left
// without a meaning, both read the same, and the triangles of each ledge close: the opposite of an
// edge's opposite is the edge, and joins the same two points the other way round. That holds only
// where the bit fields were read right. Reads ../shared where it is there.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/each_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 4 // a triangle is a word of its own and three edges, each addressed alike

typedef struct totals {
    unsigned files;
    unsigned big; // files that came big-endian
    unsigned lumps;
    unsigned ledges;
    unsigned edges;
    unsigned points;
    unsigned hulls; // of displacements
} totals;

typedef struct edge {
    int64_t from;
    int64_t opposite;
} edge;

static bool is_physics(const bsp_lump *lump) {
    return lump->kind == BSP_KIND_PHYSICS || lump->kind == BSP_KIND_PHYS_DISP;
}

static int64_t value(const bsp_table *table, uint32_t record, const char *field) {
    uint32_t number = bsp_layout_find_field(table->layout, bsp_text_of(field));
    assert_int_not_equal(number, BSP_NONE);
    return bsp_table_int(table, record, number, 0);
}

static edge read_edge(const bsp_table *triangles, int64_t slot) {
    static const char *const froms[] = {"start_point_index0", "start_point_index1",
                                        "start_point_index2"};
    static const char *const opposites[] = {"opposite_index0", "opposite_index1",
                                            "opposite_index2"};
    uint32_t triangle = (uint32_t)(slot / SLOTS);
    int64_t n = slot % SLOTS - 1;
    assert_true(slot >= 0 && triangle < triangles->count && n >= 0);
    int64_t step = value(triangles, triangle, opposites[n]);
    if (triangles->layout->size == 16 && step >= 0x4000) {
        step -= 0x8000; // 15 bits
    }
    return (edge){value(triangles, triangle, froms[n]), slot + step};
}

static int64_t next_in_triangle(int64_t slot) {
    return slot % SLOTS == SLOTS - 1 ? slot - 2 : slot + 1;
}

static void check_triangles(const char *name, const bsp_table *triangles, totals *t) {
    for (int64_t slot = 0; slot < (int64_t)triangles->count * SLOTS; slot++) {
        if (slot % SLOTS == 0) {
            continue;
        }
        edge e = read_edge(triangles, slot);
        edge back = read_edge(triangles, e.opposite);
        int64_t to = read_edge(triangles, next_in_triangle(slot)).from;
        int64_t back_to = read_edge(triangles, next_in_triangle(e.opposite)).from;
        if (back.opposite != slot || back.from != to || back_to != e.from) {
            fail_msg("%s: edge %d of a ledge does not close", name, (int)slot);
        }
        t->edges++;
    }
    t->ledges++;
}

static void check_points(const char *name, const bsp_table *points, totals *t) {
    for (uint32_t i = 0; i < points->count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            float k = bsp_table_float(points, i, 0, axis);
            if (!isfinite(k) || fabsf(k) > 1000) { // metres
                fail_msg("%s: a point at %g", name, (double)k);
            }
        }
    }
    t->points += points->count;
}

static void check_records(const char *name, const bsp_parts *parts, totals *t) {
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind != BSP_PART_TABLE) {
            continue;
        }
        bsp_table table = bsp_parts_table(parts, i);
        if (strcmp(part->name, "triangles") == 0 && table.layout->num_fields > 3) {
            check_triangles(name, &table, t);
        } else if (strcmp(part->name, "triangles") == 0) {
            t->hulls++;
        } else if (strcmp(part->name, "points") == 0) {
            check_points(name, &table, t);
        }
    }
}

static void compare_tables(const char *name, const bsp_table *a, const bsp_table *b) {
    for (uint32_t r = 0; r < a->count; r++) {
        for (uint32_t f = 0; f < a->layout->num_fields; f++) {
            const bsp_field *field = &a->layout->fields[f];
            for (uint32_t n = 0; n < field->count; n++) {
                bool number = field->type == BSP_F32;
                float x = number ? bsp_table_float(a, r, f, n) : 0;
                float y = number ? bsp_table_float(b, r, f, n) : 0;
                if (number ? memcmp(&x, &y, sizeof x) != 0
                           : bsp_table_int(a, r, f, n) != bsp_table_int(b, r, f, n)) {
                    fail_msg("%s: %s.%s differs", name, a->layout->name, field->name);
                }
            }
        }
    }
}

static void compare_parts(const char *name, const bsp_parts *a, const bsp_parts *b) {
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const bsp_part *part = &a->parts[i];
        assert_int_equal(part->offset, b->parts[i].offset);
        assert_int_equal(part->size, b->parts[i].size);
        assert_ptr_equal(part->layout, b->parts[i].layout);
        assert_true(part->kind != BSP_PART_BYTES || part->size == 0);
        if (part->layout != NULL) {
            bsp_table one = bsp_parts_table(a, i);
            bsp_table two = bsp_parts_table(b, i);
            compare_tables(name, &one, &two);
        }
    }
}

static void check_lump(const each_map *m, const bsp_file *turned, uint32_t n, totals *t) {
    bsp_parts a;
    bsp_parts b;
    assert_true(bsp_file_parts(m->file, n, NULL, &a, NULL));
    assert_true(bsp_file_parts(turned, n, NULL, &b, NULL));
    compare_parts(m->name, &a, &b);
    check_records(m->name, &b, t);
    bsp_parts_free(&a);
    bsp_parts_free(&b);
    t->lumps++;
}

static void check_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_blob blob;
    bsp_error error = {0};
    bool big = bsp_file_get_info(m->file)->detection.big_endian;
    if (m->map->branch->family != BSP_SOURCE) {
        return;
    }
    if (!bsp_file_reorder(m->file, !big, NULL, &blob, &error)) {
        fail_msg("%s: %s", m->name, error.message);
    }
    bsp_file *turned = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(turned);
    for (uint32_t n = 0; n < bsp_file_get_info(turned)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(turned, n);
        if (is_physics(lump) && lump->size != 0) {
            check_lump(m, turned, n, t);
        }
    }
    t->files++;
    t->big += big ? 1 : 0;
    bsp_file_close(turned);
    bsp_blob_free(&blob);
}

static void test_turned(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do(check_map, &t);
    print_message("%u files (%u came big-endian), %u lumps, %u ledges of %u edges, %u points, %u "
                  "hulls of displacements; %u maps of the corpus\n",
                  t.files, t.big, t.lumps, t.ledges, t.edges, t.points, t.hulls, corpus);
    assert_true(t.files > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
