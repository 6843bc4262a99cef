// SPDX-License-Identifier: MIT
// Documents with many brushes: the text, the losses and the error are the same at any number of
// threads, also without memory for what threads print.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BRUSHES 1000u // some rounds of two threads, and a block that is not full
#define SIDES (6 * BRUSHES)

typedef struct text {
    char *data;
    size_t size;
    size_t room;
} text;

typedef struct document {
    bsp_mapdoc source;
    bsp_mapdoc_entity entity;
    bsp_mapdoc_brush brushes[BRUSHES];
    bsp_mapdoc_side sides[SIDES];
} document;

static bool add(void *user, const char *data, size_t size) {
    text *to = user;
    if (to->room - to->size < size) {
        to->room = 2 * (to->room + size);
        to->data = realloc(to->data, to->room);
        assert_non_null(to->data);
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

// Makes side `face` of a cube at `at`.
static bsp_mapdoc_side side_of(uint32_t face, double at) {
    static const double across[3][2][3] = {
        {{0, 1, 0}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {0, 1, 0}}};
    uint32_t axis = face / 2;
    double sign = (face & 1) != 0 ? 1 : -1;
    bsp_mapdoc_side side = {.material = {"wall", 4}, .disp = BSP_NONE, .contents = face};
    side.normal[axis] = sign;
    side.dist = sign * at + 8;
    for (int a = 0; a < 3; a++) {
        double middle = side.normal[a] * side.dist;
        double first = 16 * across[axis][0][a];
        double second = 16 * across[axis][1][a];
        side.points[0][a] = middle + (sign > 0 ? second : first);
        side.points[1][a] = middle;
        side.points[2][a] = middle + (sign > 0 ? first : second);
        side.vec[0][a] = across[axis][0][a] / 3;
        side.vec[1][a] = across[axis][1][a] / 7;
    }
    side.has_flags = true;
    return side;
}

static document *make_document(void) {
    document *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->source.entities = &d->entity;
    d->source.num_entities = 1;
    d->source.brushes = d->brushes;
    d->source.num_brushes = BRUSHES;
    d->source.sides = d->sides;
    d->source.num_sides = SIDES;
    d->entity.num_brushes = BRUSHES;
    for (uint32_t b = 0; b < BRUSHES; b++) {
        d->brushes[b] =
            (bsp_mapdoc_brush){.first_side = 6 * b, .num_sides = 6, .visgroup = BSP_NONE};
        for (uint32_t s = 0; s < 6; s++) {
            d->sides[6 * b + s] = side_of(s, b * 1.25);
        }
    }
    return d;
}

typedef struct printed {
    text text;
    bsp_mapdoc_losses losses;
    bsp_error error;
    bool good;
} printed;

static printed print(const document *d, uint32_t threads, const bsp_allocator *allocator) {
    printed out = {.good = false};
    bsp_limits limits = {0};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    assert_non_null(budget);
    bsp_budget_set_threads(budget, threads);
    bsp_mapdoc_write_options options = {.budget = budget, .allocator = allocator};
    out.good = bsp_mapdoc_write(&d->source, BSP_DIALECT_QUAKE, &options, add, &out.text,
                                &out.losses, &out.error);
    bsp_budget_free(budget);
    return out;
}

static void expect_same(const document *d, const printed *one, uint32_t threads,
                        const bsp_allocator *allocator) {
    printed other = print(d, threads, allocator);
    assert_int_equal(other.good, one->good);
    assert_int_equal(other.error.code, one->error.code);
    assert_string_equal(other.error.message, one->error.message);
    assert_memory_equal(&other.losses, &one->losses, sizeof one->losses);
    assert_int_equal(other.text.size, one->text.size);
    assert_memory_equal(other.text.data, one->text.data, one->text.size);
    free(other.text.data);
}

static void expect_same_at_all(const document *d, const printed *one) {
    expect_same(d, one, 2, NULL);
    expect_same(d, one, 5, NULL);
    expect_same(d, one, 64, NULL);
}

static void test_same_text(void **state) {
    document *d = make_document();
    printed one = print(d, 1, NULL);
    (void)state;
    assert_true(one.good);
    assert_true(one.text.size > 300 * BRUSHES);
    assert_int_equal(one.losses.flags, 5 * BRUSHES); // contents 1 to 5
    expect_same_at_all(d, &one);
    free(one.text.data);
    free(d);
}

// What precedes the side is printed.
static void test_same_error(void **state) {
    document *d = make_document();
    (void)state;
    for (uint32_t bad = 0; bad < SIDES; bad += 1777) {
        bsp_mapdoc_side good = d->sides[bad];
        memset(d->sides[bad].normal, 0, sizeof d->sides[bad].normal);
        memset(d->sides[bad].points, 0, sizeof d->sides[bad].points);
        printed one = print(d, 1, NULL);
        assert_false(one.good);
        assert_int_equal(one.error.code, BSP_E_RANGE);
        expect_same_at_all(d, &one);
        free(one.text.data);
        d->sides[bad] = good;
    }
    free(d);
}

// An allocator for several threads that refuses one request in `one_in`.
typedef struct refusal {
    atomic_uint requests;
    unsigned one_in;
} refusal;

static void *refuse(void *user, void *memory, size_t old_size, size_t new_size) {
    refusal *r = user;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return atomic_fetch_add(&r->requests, 1) % r->one_in == 0 ? NULL : realloc(memory, new_size);
}

static void test_without_memory(void **state) {
    document *d = make_document();
    printed one = print(d, 1, NULL);
    (void)state;
    for (unsigned one_in = 1; one_in < 30; one_in += 4) {
        refusal r = {.one_in = one_in};
        bsp_allocator allocator = {refuse, &r};
        expect_same(d, &one, 2, &allocator);
        assert_true(atomic_load(&r.requests) != 0);
    }
    free(one.text.data);
    free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_text),
        cmocka_unit_test(test_same_error),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
