// SPDX-License-Identifier: MIT
// Faces that were cut out of a wall: together they cover what they covered before, and are convex.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/occluder_join.h"
#include "core/vector.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define PIECES 64u
#define CORNERS 16u
#define ROUNDS 300u
#define POINTS 200u
#define SIZE 256.0f

// A polygon on the wall, whose normal is -z: (x, y) goes counter-clockwise seen from above.
typedef struct piece {
    float at[CORNERS][2];
    uint32_t count;
} piece;

typedef struct wall {
    piece pieces[PIECES];
    uint32_t count;
} wall;

static float side_of(const float at[2], const float from[2], const float to[2]) {
    return (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]);
}

// Returns the part of a piece on the left of a line, whose new corners are those of the other part.
static piece cut(const piece *p, const float from[2], const float to[2], bool left) {
    piece out = {.count = 0};
    for (uint32_t n = 0; n < p->count; n++) {
        const float *a = p->at[n];
        const float *b = p->at[(n + 1) % p->count];
        float before = side_of(a, from, to);
        float after = side_of(b, from, to);
        if (left ? before >= 0 : before <= 0) {
            memcpy(out.at[out.count++], a, sizeof *out.at);
        }
        if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
            const float *first = before > 0 ? a : b; // the same for both parts
            const float *last = before > 0 ? b : a;
            float share = fabsf(side_of(first, from, to)) / (fabsf(before) + fabsf(after));
            for (int i = 0; i < 2; i++) {
                out.at[out.count][i] = first[i] + share * (last[i] - first[i]);
            }
            out.count++;
        }
    }
    return out;
}

// Puts the corners of other pieces on the edges that they lie on, as compilers do.
static void add_corners(wall *w) {
    for (uint32_t p = 0; p < w->count; p++) {
        piece *to = &w->pieces[p];
        for (uint32_t k = 0; k < w->count * CORNERS && to->count < CORNERS; k++) {
            const piece *of = &w->pieces[k / CORNERS];
            for (uint32_t n = 0; k % CORNERS < of->count && n < to->count; n++) {
                const float *c = of->at[k % CORNERS];
                const float *a = to->at[n];
                const float *b = to->at[(n + 1) % to->count];
                float along = (c[0] - a[0]) * (b[0] - a[0]) + (c[1] - a[1]) * (b[1] - a[1]);
                float square = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
                if (along > 0.01f * square && along < 0.99f * square &&
                    fabsf(side_of(c, a, b)) < 1e-4f * square) {
                    memmove(to->at[n + 2], to->at[n + 1], (to->count - n - 1) * sizeof *to->at);
                    memcpy(to->at[n + 1], c, sizeof *to->at);
                    to->count++;
                    break;
                }
            }
        }
    }
}

// Cuts a square again and again, and drops some of the pieces.
static void make_wall(test_random *random, wall *w, bool grid) {
    w->count = 1;
    w->pieces[0] = (piece){.at = {{0, 0}, {SIZE, 0}, {SIZE, SIZE}, {0, SIZE}}, .count = 4};
    for (uint32_t n = 0; n < 24 && w->count < PIECES; n++) {
        piece *p = &w->pieces[random_u32(random) % w->count];
        float x = SIZE / 16 * (float)(1 + random_u32(random) % 15);
        float y = SIZE / 16 * (float)(1 + random_u32(random) % 15);
        bool across = random_u32(random) % 2 == 0;
        float lean = grid ? 0 : 100 * random_unit(random);
        const float from[2] = {across ? 0 : x, across ? y : 0};
        const float to[2] = {across ? SIZE : x + lean, across ? y + lean : SIZE};
        piece parts[2] = {cut(p, from, to, true), cut(p, from, to, false)};
        if (parts[0].count >= 3 && parts[1].count >= 3 && parts[0].count < CORNERS / 2 &&
            parts[1].count < CORNERS / 2) {
            *p = parts[0];
            w->pieces[w->count++] = parts[1];
        }
    }
    add_corners(w);
    for (uint32_t n = random_u32(random) % 4; n != 0 && w->count > 1; n--) {
        w->pieces[random_u32(random) % w->count] = w->pieces[w->count - 1];
        w->count--;
    }
}

static void note(bspi_heap *heap, bspi_occluder_polygons *out, const piece *p, uint32_t model) {
    bspi_occluder face = {.normal = {0, 0, -1}, .model = model, .channels = 1};
    float points[CORNERS][3] = {{0}};
    for (uint32_t n = 0; n < p->count; n++) {
        memcpy(points[n], p->at[n], sizeof *p->at);
    }
    assert_true(bspi_occluders_note(heap, out, &face, (const float(*)[3])points, p->count, NULL));
}

// Is a point in a polygon that goes counter-clockwise? `near`: nearer than that to an edge counts.
static bool is_in(const float (*points)[3], uint32_t count, const float at[2], float near) {
    bool in = count >= 3;
    for (uint32_t n = 0; n < count; n++) {
        const float *a = points[n];
        const float *b = points[(n + 1) % count];
        float length = hypotf(b[0] - a[0], b[1] - a[1]);
        in = in && side_of(at, a, b) > -near * length;
    }
    return in;
}

static uint32_t number_in(const bspi_occluder_polygons *polygons, const float at[2], float near) {
    uint32_t in = 0;
    for (uint32_t p = 0; p < polygons->count; p++) {
        const bspi_occluder_polygon *of = &polygons->list[p];
        in += is_in((const float(*)[3])polygons->points + of->first, of->count, at, near);
    }
    return in;
}

static uint32_t count_left(const bspi_occluder_polygons *polygons) {
    uint32_t left = 0;
    for (uint32_t p = 0; p < polygons->count; p++) {
        left += polygons->list[p].count != 0;
    }
    return left;
}

// Each place is covered as often as before, but for what is a hundredth from an edge.
static void test_covers_the_same(void **state) {
    (void)state;
    test_random random = {.state = 5};
    uint32_t before = 0;
    uint32_t after = 0;
    uint32_t covered = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        static wall w;
        bspi_heap heap;
        bspi_occluder_polygons whole = {.list = NULL};
        bspi_occluder_polygons joined = {.list = NULL};
        bspi_heap_init(&heap, NULL, 0);
        make_wall(&random, &w, round % 2 == 0);
        for (uint32_t p = 0; p < w.count; p++) {
            uint32_t model = round % 3 == 0 ? random_u32(&random) % 2 : 0;
            note(&heap, &whole, &w.pieces[p], model);
            note(&heap, &joined, &w.pieces[p], model);
        }
        assert_true(bspi_occluders_join(&heap, &joined, NULL));
        for (uint32_t n = 0; n < POINTS; n++) {
            const float at[2] = {SIZE * (0.5f + 0.5f * random_unit(&random)),
                                 SIZE * (0.5f + 0.5f * random_unit(&random))};
            uint32_t most = number_in(&whole, at, 0.01f);
            if (most == number_in(&whole, at, -0.01f)) {
                assert_int_equal(number_in(&joined, at, 0), most);
                covered += most;
            }
        }
        before += count_left(&whole);
        after += count_left(&joined);
        bspi_occluders_drop(&heap, &whole);
        bspi_occluders_drop(&heap, &joined);
    }
    assert_true(covered > ROUNDS * POINTS / 2 && after < before / 2);
}

// A wall of sixteen squares, each with a corner amid one of its edges, is one rectangle. Two models
// are not joined, nor is what makes a corner.
static void test_whole_wall(void **state) {
    (void)state;
    for (uint32_t turn = 0; turn < 3; turn++) {
        bspi_heap heap;
        bspi_occluder_polygons polygons = {.list = NULL};
        bspi_heap_init(&heap, NULL, 0);
        for (uint32_t n = 0; n < (turn == 2 ? 3u : 16u); n++) {
            float x = turn == 2 ? (float)(n % 2) : (float)(n % 4);
            float y = turn == 2 ? (float)(n / 2) : (float)(n / 4);
            const piece p = {.at = {{x, y}, {x + 0.5f, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}},
                             .count = 5};
            note(&heap, &polygons, &p, turn == 1 && n >= 8);
        }
        assert_true(bspi_occluders_join(&heap, &polygons, NULL));
        assert_int_equal(count_left(&polygons), turn == 0 ? 1 : 2);
        const bspi_occluder_polygon *first = &polygons.list[0];
        for (uint32_t p = 0; p < polygons.count; p++) {
            assert_true(polygons.list[p].count == 0 || polygons.list[p].count == 4);
            first = polygons.list[p].count != 0 && turn == 0 ? &polygons.list[p] : first;
        }
        for (uint32_t n = 0; turn == 0 && n < 4; n++) {
            const float *at = polygons.points[first->first + n];
            assert_true((at[0] <= 0 || at[0] >= 4) && (at[1] <= 0 || at[1] >= 4));
        }
        bspi_occluders_drop(&heap, &polygons);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_covers_the_same),
                                       cmocka_unit_test(test_whole_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
