// SPDX-License-Identifier: MIT
// Solids that planes cut: closed, inside of all planes, and without loss of volume, from a box to
// solids with more vertices than one word has bits.
#include "mesh/polyhedron.h"

#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE 100.0
#define EPSILON 0.004
#define FINE 1e-9 // so that corners within it change no volume
#define MOST_PLANES 150u

typedef struct plane {
    double normal[3];
    double dist;
} plane;

typedef struct fixture {
    bspi_heap heap;
    bspi_arena arena;
    bspi_polyhedron solid;
    bspi_polyhedron_stack stack;
    plane planes[MOST_PLANES];
} fixture;

static fixture *make(void) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    bspi_heap_init(&f->heap, NULL, 0);
    bspi_arena_init(&f->arena, &f->heap);
    f->stack.heap = &f->heap;
    assert_true(bspi_polyhedron_init(&f->solid, MOST_PLANES, &f->arena, NULL));
    return f;
}

static void unmake(fixture *f) {
    bspi_polyhedron_stack_free(&f->stack);
    bspi_arena_free(&f->arena);
    assert_int_equal(f->heap.used, 0);
    free(f);
}

// A plane at least `least` from the origin, in any direction.
static plane random_plane(test_random *random, double least, double more) {
    plane p;
    double length = 0;
    while (length < 1) {
        for (int a = 0; a < 3; a++) {
            p.normal[a] = (double)random_below(random, 2001) - 1000;
        }
        length =
            sqrt(p.normal[0] * p.normal[0] + p.normal[1] * p.normal[1] + p.normal[2] * p.normal[2]);
    }
    for (int a = 0; a < 3; a++) {
        p.normal[a] /= length;
    }
    p.dist = least + more * (double)random_below(random, 1001) / 1000;
    return p;
}

static double distance(const bspi_polyhedron *solid, const plane *p, uint32_t vertex) {
    double at[3];
    bspi_polyhedron_vertex(solid, vertex, at);
    return p->normal[0] * at[0] + p->normal[1] * at[1] + p->normal[2] * at[2] - p->dist;
}

// Returns how many polygons have an edge from a to b.
static uint32_t edges(const bspi_polyhedron *solid, uint32_t a, uint32_t b) {
    uint32_t found = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const uint32_t *corners = solid->corners + solid->polygons[p].first;
        uint32_t count = solid->polygons[p].count;
        for (uint32_t i = 0; i < count; i++) {
            found += corners[i] == a && corners[(i + 1) % count] == b;
        }
    }
    return found;
}

// Each edge has one polygon on both sides, and V - E + F is 2.
static void expect_closed(const bspi_polyhedron *solid) {
    bool used[4096] = {false};
    uint32_t corners = 0;
    uint32_t vertices = 0;
    for (uint32_t p = 0; p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        assert_true(polygon->count >= 3);
        corners += polygon->count;
        for (uint32_t i = 0; i < polygon->count; i++) {
            uint32_t a = solid->corners[polygon->first + i];
            uint32_t b = solid->corners[polygon->first + (i + 1) % polygon->count];
            assert_true(a < solid->num_vertices && a < 4096);
            vertices += !used[a];
            used[a] = true;
            assert_int_equal(edges(solid, a, b), 1);
            assert_int_equal(edges(solid, b, a), 1);
        }
    }
    assert_int_equal(corners, solid->num_corners);
    assert_int_equal(vertices + solid->num_polygons, corners / 2 + 2);
}

static void expect_inside(const fixture *f, uint32_t count) {
    for (uint32_t p = 0; p < f->solid.num_polygons; p++) {
        const bspi_cut_polygon *polygon = &f->solid.polygons[p];
        for (uint32_t i = 0; i < polygon->count; i++) {
            uint32_t vertex = f->solid.corners[polygon->first + i];
            for (uint32_t n = 0; n < count; n++) {
                assert_true(distance(&f->solid, &f->planes[n], vertex) < EPSILON * 1.01);
            }
            if (polygon->tag != BSP_NONE) {
                assert_true(fabs(distance(&f->solid, &f->planes[polygon->tag], vertex)) <
                            EPSILON * 1.01);
            }
        }
    }
}

// The extent of a solid is that of its corners, and of nothing else that is stored.
static void expect_extent(const bspi_polyhedron *solid) {
    double mins[3];
    double maxs[3];
    bspi_polyhedron_extent(solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        double low = INFINITY;
        double high = -INFINITY;
        for (uint32_t p = 0; p < solid->num_polygons; p++) {
            double points[512][3];
            uint32_t count = bspi_polyhedron_points(solid, p, points, 512);
            for (uint32_t i = 0; i < count; i++) {
                low = fmin(low, points[i][a]);
                high = fmax(high, points[i][a]);
            }
        }
        assert_true(mins[a] == low && maxs[a] == high);
    }
}

static void solids_stay_closed(void **state) {
    (void)state;
    test_random random = {5};
    fixture *f = make();
    uint32_t most = 0;
    for (uint32_t round = 0; round < 4; round++) {
        bspi_polyhedron_box(&f->solid, SIZE);
        for (uint32_t n = 0; n < MOST_PLANES; n++) {
            f->planes[n] = random_plane(&random, 90, 0.5);
            const plane *p = &f->planes[n];
            assert_true(bspi_polyhedron_cut(&f->solid, p->normal, p->dist, n, EPSILON));
            expect_closed(&f->solid);
            expect_inside(f, n + 1);
            expect_extent(&f->solid);
        }
        bspi_polyhedron_pack(&f->solid);
        most = f->solid.num_vertices > most ? f->solid.num_vertices : most;
        expect_closed(&f->solid);
    }
    assert_true(most > BSPI_SMALL_SOLID); // both kinds of solids were cut
    assert_false(f->solid.failed);
    unmake(f);
}

// The bits of all points, in their order, and the tags.
static void expect_same(const bspi_polyhedron *a, const bspi_polyhedron *b) {
    assert_int_equal(a->num_polygons, b->num_polygons);
    assert_int_equal(a->num_corners, b->num_corners);
    for (uint32_t p = 0; p < a->num_polygons; p++) {
        double points[2][512][3];
        uint32_t count = bspi_polyhedron_points(a, p, points[0], 512);
        assert_int_equal(bspi_polyhedron_points(b, p, points[1], 512), count);
        assert_int_equal(a->polygons[p].tag, b->polygons[p].tag);
        assert_memory_equal(points[0], points[1], count * sizeof points[0][0]);
    }
}

// Halves that are made together are those that two cuts make. The classified solid is at `end` on
// the stack.
static void expect_halves(fixture *f, size_t end, uint32_t n) {
    fixture *g = make();
    bool halved;
    bspi_polyhedron_read(&f->stack, end, &f->solid);
    assert_true(bspi_polyhedron_halve(&f->solid, 2 * n, &f->stack, &halved, NULL));
    if (halved) {
        bspi_polyhedron_read(&f->stack, end, &g->solid);
        uint32_t sides = bspi_polyhedron_turn(&g->solid, 3);
        assert_true(bspi_polyhedron_cut_classified(&g->solid, sides, 2 * n + 1));
        expect_same(&f->solid, &g->solid);
        bspi_polyhedron_read(&f->stack, end, &g->solid);
        assert_true(bspi_polyhedron_cut_classified(&g->solid, 3, 2 * n));
        bspi_polyhedron_pop(&f->stack, &f->solid);
        expect_same(&f->solid, &g->solid);
    }
    assert_true(halved || f->solid.num_polygons > 10);
    unmake(g);
}

// Both halves of a solid have its volume together, whether it is classified once or twice.
static void halves_are_the_whole(void **state) {
    (void)state;
    test_random random = {6};
    fixture *f = make();
    bspi_polyhedron_box(&f->solid, SIZE);
    assert_true(fabs(bspi_polyhedron_volume(&f->solid) - 8 * SIZE * SIZE * SIZE) < 1e-6);
    for (uint32_t n = 0; n < MOST_PLANES; n++) {
        plane across = random_plane(&random, 0, 40);
        const double turned[3] = {-across.normal[0], -across.normal[1], -across.normal[2]};
        double whole = bspi_polyhedron_volume(&f->solid);
        uint32_t sides = bspi_polyhedron_sides(&f->solid, across.normal, across.dist, FINE);
        assert_int_equal(sides, 3);
        assert_true(bspi_polyhedron_push(&f->stack, &f->solid, NULL));
        assert_true(bspi_polyhedron_push(&f->stack, &f->solid, NULL));
        size_t end = f->stack.used;
        assert_true(bspi_polyhedron_push(&f->stack, &f->solid, NULL));
        sides = bspi_polyhedron_turn(&f->solid, sides);
        assert_true(bspi_polyhedron_cut_classified(&f->solid, sides, n));
        double front = bspi_polyhedron_volume(&f->solid);
        bspi_polyhedron_pop(&f->stack, &f->solid);
        assert_true(bspi_polyhedron_cut_classified(&f->solid, 3, n));
        double back = bspi_polyhedron_volume(&f->solid);
        assert_true(fabs(front + back - whole) < 1e-8 * whole);
        expect_halves(f, end, n);
        bspi_polyhedron_read(&f->stack, end, &f->solid);
        assert_true(bspi_polyhedron_cut(&f->solid, turned, -across.dist, n, FINE));
        assert_true(bspi_polyhedron_volume(&f->solid) == front);
        bspi_polyhedron_pop(&f->stack, &f->solid);
        assert_true(bspi_polyhedron_cut(&f->solid, across.normal, across.dist, n, FINE));
        assert_true(bspi_polyhedron_volume(&f->solid) == back);
        bspi_polyhedron_pop(&f->stack, &f->solid);
        assert_int_equal(f->stack.used, 0);
        f->planes[n] = random_plane(&random, 90, 0.5);
        assert_true(
            bspi_polyhedron_cut(&f->solid, f->planes[n].normal, f->planes[n].dist, n, FINE));
    }
    unmake(f);
}

// The cut of small solids by planes without corners makes what the general one does. Some planes
// are on a grid, so that there are corners in them, too.
static void usual_cuts_are_like_others(void **state) {
    (void)state;
    test_random random = {7};
    fixture *f = make();
    fixture *g = make();
    uint32_t usual = 0;
    for (uint32_t round = 0; round < 60; round++) {
        bspi_polyhedron_box(&f->solid, SIZE);
        bspi_polyhedron_box(&g->solid, SIZE);
        bool there = true;
        for (uint32_t n = 0; there && n < 12; n++) {
            plane p = random_plane(&random, round % 3 == 0 ? 10 : 60, 30);
            if (round % 2 == 0) {
                const double normal[3] = {n % 3 == 0, n % 3 == 1, n % 3 == 2};
                memcpy(p.normal, normal, sizeof normal);
                p.dist = floor(p.dist / 16) * 16;
            }
            uint32_t sides = bspi_polyhedron_sides(&f->solid, p.normal, p.dist, EPSILON);
            g->solid.small = false; // the general cut
            assert_int_equal(bspi_polyhedron_sides(&g->solid, p.normal, p.dist, EPSILON), sides);
            usual += sides == 3;
            there = bspi_polyhedron_cut_classified(&f->solid, sides, n);
            assert_int_equal(bspi_polyhedron_cut_classified(&g->solid, sides, n), there);
            expect_same(&f->solid, &g->solid);
            assert_true(f->solid.work == g->solid.work);
        }
    }
    assert_true(usual > 100);
    unmake(g);
    unmake(f);
}

// A packed solid has the same points, and can be cut on.
static void packed_solids_are_the_same(void **state) {
    (void)state;
    test_random random = {8};
    fixture *f = make();
    fixture *g = make();
    for (uint32_t round = 0; round < 20; round++) {
        bspi_polyhedron_box(&f->solid, SIZE);
        for (uint32_t n = 0; n < 16; n++) {
            plane p = random_plane(&random, 70, 20);
            assert_true(bspi_polyhedron_cut(&f->solid, p.normal, p.dist, n, EPSILON));
            size_t size = bspi_polyhedron_packed_size(&f->solid);
            uint8_t *packed = malloc(size);
            assert_non_null(packed);
            assert_true(bspi_polyhedron_write(&f->solid, packed) <= size);
            bspi_polyhedron_unpack(&g->solid, packed);
            free(packed);
            expect_same(&f->solid, &g->solid);
            expect_closed(&g->solid);
            expect_extent(&g->solid);
            assert_true(bspi_polyhedron_volume(&f->solid) == bspi_polyhedron_volume(&g->solid));
            p = random_plane(&random, 0, 40);
            assert_true(bspi_polyhedron_cut(&g->solid, p.normal, p.dist, n, EPSILON));
            expect_closed(&g->solid);
        }
    }
    f->solid.small = false;
    assert_int_equal(bspi_polyhedron_packed_size(&f->solid), 0);
    unmake(g);
    unmake(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_stay_closed),
        cmocka_unit_test(halves_are_the_whole),
        cmocka_unit_test(usual_cuts_are_like_others),
        cmocka_unit_test(packed_solids_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
