// SPDX-License-Identifier: MIT
// Many lines among faces that cast shadows: looked at together, by the functions for any processor
// and by those for this one, they are free where each one is by itself, and meet the sky where it
// does; and they are free as far as is found from places that are looked around from. Random faces.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/shadows/occluder_lanes.h"
#include "bake/light/shadows/occluder_list.h"
#include "bake/light/shadows/occluder_suns.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define FACES 300u
#define LINES 300u
#define ROUNDS 400u
#define CORNERS 4u

typedef struct scene {
    bspi_relight own;
    struct bspi_occluders all;
    bspi_occluder faces[FACES];
    float edges[FACES * CORNERS][3];
    float bounds[FACES][2][3];
    bspi_picture picture; // none: everything goes through
} scene;

// A rectangle in a plane along two axes, or one that leans; some are slivers.
static void make_face(test_random *random, scene *s, uint32_t number) {
    bspi_occluder *face = &s->faces[number];
    int most = (int)(random_u32(random) % 3);
    int u = (most + 1) % 3;
    int v = (most + 2) % 3;
    const float middle[3] = {256 * random_unit(random), 256 * random_unit(random),
                             256 * random_unit(random)};
    float half[2] = {8 + 60 * fabsf(random_unit(random)), 8 + 60 * fabsf(random_unit(random))};
    float lean = random_u32(random) % 2 == 0 ? 0.9f * random_unit(random) : 0;
    bool sliver = random_u32(random) % 20 == 0; // as the corners of one are: two edges are left
    half[0] = sliver ? 0 : half[0];
    float length = sqrtf(1 + lean * lean);
    face->normal[most] = 1 / length;
    face->normal[u] = -lean / length; // it rises by so much along u
    face->normal[v] = 0;
    face->dist = middle[most] * face->normal[most] + middle[u] * face->normal[u];
    face->axes[0] = (uint8_t)u;
    face->axes[1] = (uint8_t)v;
    face->first = number * CORNERS + (sliver ? 2 : 0);
    face->edges = sliver ? 2 : CORNERS;
    face->kind = (uint8_t)(random_u32(random) % 8 == 0 ? BSPI_OCCLUDER_GLASS : BSPI_OCCLUDER_SOLID);
    face->opacity = 0.5f;
    face->only = (uint8_t)(random_u32(random) % 10 == 0 ? BSPI_SHADES_ITSELF : BSPI_SHADES_ALL);
    face->model = 1;
    face->channels = random_u32(random) % 10 == 0 ? 2 : 1;
    for (int i = 0; i < 4; i++) {
        float *edge = s->edges[number * CORNERS + (uint32_t)i];
        float sign = (i & 1) != 0 ? 1 : -1;
        memset(edge, 0, 3 * sizeof *edge);
        edge[i / 2] = sign;
        edge[2] = half[i / 2] - sign * middle[face->axes[i / 2]];
    }
    for (int i = 0; i < 2; i++) {
        float sign = i == 0 ? -1 : 1;
        s->bounds[number][i][u] = middle[u] + sign * (half[0] + 0.125f);
        s->bounds[number][i][v] = middle[v] + sign * (half[1] + 0.125f);
        s->bounds[number][i][most] = middle[most] + sign * (half[0] * fabsf(lean) + 0.125f);
    }
}

static void make_scene(test_random *random, scene *s, uint32_t count) {
    memset(s, 0, sizeof *s);
    bspi_heap_init(&s->own.heap, NULL, 0);
    bspi_arena_init(&s->own.arena, &s->own.heap);
    for (uint32_t n = 0; n < count; n++) {
        make_face(random, s, n);
    }
    s->all = (struct bspi_occluders){
        .list = s->faces, .count = count, .edges = s->edges, .pictures = &s->picture};
    assert_true(bspi_occluders_divide(&s->own, &s->all, (const float(*)[2][3])s->bounds, NULL));
}

// Lines from places on a square, or from anywhere, to one place or to many.
static void make_lines(test_random *random, bsp_sight_line *lines, uint32_t count) {
    int flat = (int)(random_u32(random) % 3);
    bool wild = random_u32(random) % 8 == 0;
    bool back = random_u32(random) % 4 == 0;
    float size = 4 + 60 * fabsf(random_unit(random));
    const float middle[3] = {256 * random_unit(random), 256 * random_unit(random),
                             256 * random_unit(random)};
    const float to[3] = {256 * random_unit(random), 256 * random_unit(random),
                         256 * random_unit(random)};
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; i < 3; i++) {
            float off = wild        ? 300 * random_unit(random)
                        : i == flat ? 0
                                    : size * random_unit(random);
            float end = wild && random_u32(random) % 2 == 0 ? 300 * random_unit(random) : to[i];
            lines[n].from[i] = back ? end : middle[i] + off;
            lines[n].to[i] = back ? middle[i] + off : end;
        }
    }
}

// Returns how many lines are free; all must be as they are alone.
static uint32_t compare(const scene *s, const bsp_sight_line *lines, uint32_t count,
                        uint32_t model) {
    bspi_occluder_lines among = {
        .all = &s->all, .model = model, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
    bspi_occluder_lines after =
        among; // one after another: what stopped the last is looked at first
    bool seen[LINES];
    float through[LINES][3];
    uint32_t open = 0;
    bspi_occluders_beam(&among, lines, seen, through, count);
    for (uint32_t n = 0; n < count; n++) {
        bspi_occluder_lines one = {
            .all = &s->all, .model = model, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
        float left[3];
        bool is_free = bspi_occluders_line(&one, lines[n].from, lines[n].to, left);
        assert_int_equal(seen[n], is_free);
        assert_int_equal(bspi_occluders_line(&after, lines[n].from, lines[n].to, left), is_free);
        open += is_free;
        for (int i = 0; is_free && i < 3; i++) {
            assert_true(through[n][i] >= left[i] && through[n][i] <= left[i]);
        }
    }
    assert_true(among.steps > 0);
    return open;
}

static void test_together_as_alone(void **state) {
    (void)state;
    static const uint32_t faces[] = {0, 1, 40, FACES};
    static scene s;
    static bsp_sight_line lines[LINES];
    test_random random = {.state = 18};
    const bspi_occluder_lanes *lanes[] = {&bspi_occluder_lanes_base, bspi_occluder_lanes_here()};
    uint32_t open = 0;
    uint32_t all = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t count = 1 + random_u32(&random) % LINES;
        make_scene(&random, &s, faces[round % 4]);
        s.all.lanes = lanes[round / 4 % 2];
        make_lines(&random, lines, count);
        open += compare(&s, lines, count, random_u32(&random) % 2);
        all += count;
        bspi_arena_free(&s.own.arena);
    }
    assert_true(open > all / 8 && open < all - all / 8); // both happen
}

// --- to the sky ---------------------------------------------------------------------------------

#define FAR 4000.0f
#define SUNS 200u // boxes of places in a scene

// Makes some of the faces those of the sky.
static void make_skies(test_random *random, scene *s) {
    uint32_t rare = 1 + random_u32(random) % 12;
    for (uint32_t n = 0; n < s->all.count; n++) {
        bool sky = random_u32(random) % rare == 0;
        s->faces[n].kind = sky ? BSPI_OCCLUDER_SKY : s->faces[n].kind;
    }
    s->all.list = s->faces;
    bspi_arena_free(&s->own.arena);
    assert_true(bspi_occluders_divide(&s->own, &s->all, (const float(*)[2][3])s->bounds, NULL));
}

// Eight places in a box, which may be flat, and a way that may be along an axis.
static void make_places(test_random *random, float points[3][BSPI_OCCLUDER_LANES],
                        bspi_occluder_ends *box, float way[3]) {
    float size = random_u32(random) % 3 == 0 ? 2 : 40;
    int along = (int)(random_u32(random) % 8);
    for (int i = 0; i < 3; i++) {
        float sign = random_unit(random) > 0 ? FAR : -FAR;
        box->middle[i] = 256 * random_unit(random);
        box->half[i] = random_u32(random) % 3 == 0 ? 0 : size * fabsf(random_unit(random));
        way[i] = along > 2 ? FAR * random_unit(random) : along == i ? sign : 0;
        for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
            points[i][n] = box->middle[i] + box->half[i] * random_unit(random);
        }
    }
}

// Returns bits of the lines from places that meet the sky first, by themselves.
static uint32_t skies_alone(const scene *s, float points[3][BSPI_OCCLUDER_LANES],
                            const float way[3], uint32_t model) {
    uint32_t open = 0;
    for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
        bspi_occluder_lines one = {
            .all = &s->all, .model = model, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
        float left[3];
        const float from[3] = {points[0][n], points[1][n], points[2][n]};
        const float to[3] = {from[0] + way[0], from[1] + way[1], from[2] + way[2]};
        open |= (uint32_t)bspi_occluders_sky(&one, from, to, left) << n;
    }
    return open;
}

// What is known of the sky from a box is so from each place in it.
static void test_suns(void **state) {
    (void)state;
    static const uint32_t faces[] = {0, 1, 40, FACES};
    static scene s;
    test_random random = {.state = 21};
    const bspi_occluder_lanes *lanes[] = {&bspi_occluder_lanes_base, bspi_occluder_lanes_here()};
    uint32_t told = 0;   // boxes without light
    uint32_t listed = 0; // and those of which some faces are left
    uint32_t open = 0;   // lines
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bspi_occluder_recent recent = {0};
        make_scene(&random, &s, faces[round % 4]);
        make_skies(&random, &s);
        s.all.lanes = lanes[round / 4 % 2];
        for (uint32_t sun = 0; sun < SUNS; sun++) {
            uint32_t model = random_u32(&random) % 2;
            bspi_occluder_lines among = {
                .all = &s.all, .model = model, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
            bspi_occluder_eight eight = {.open = 0xFF};
            bspi_occluder_ends box;
            bspi_occluder_first first;
            float points[3][BSPI_OCCLUDER_LANES];
            float way[3];
            make_places(&random, points, &box, way);
            bool some = bspi_occluders_first(&among, &box, way, &recent, &first);
            uint32_t free =
                some ? s.all.lanes->sky(&among, (const float(*)[BSPI_OCCLUDER_LANES])points, way,
                                        &first, &eight)
                     : 0;
            assert_int_equal(free, skies_alone(&s, points, way, model));
            told += s.all.count != 0 && !some;
            listed += some && first.known && first.count != 0;
            open += (uint32_t)__builtin_popcount(free);
        }
        bspi_arena_free(&s.own.arena);
    }
    assert_true(told > 1000 && listed > 1000 && open > 1000); // all happen
}

// --- all around ---------------------------------------------------------------------------------

#define REACH 200.0f

// Is a line free that goes a part of the reach from a place?
static bool is_free(const scene *s, const bspi_occluder_places *places, uint32_t lane,
                    const float direction[3], float part) {
    bspi_occluder_lines one = {.all = &s->all, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
    float left[3];
    float from[3];
    float to[3];
    for (int i = 0; i < 3; i++) {
        from[i] = places->from[i][lane];
        to[i] = from[i] + direction[i] * REACH * part;
    }
    return bspi_occluders_line(&one, from, to, left);
}

// What is found to be free is so, and a little more is not; both functions find the same.
static void test_around(void **state) {
    (void)state;
    static scene s;
    test_random random = {.state = 19};
    uint32_t stopped = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bspi_occluder_places places = {0};
        float free[2][BSPI_OCCLUDER_LANES];
        make_scene(&random, &s, FACES);
        const float way[3] = {random_unit(&random), random_unit(&random), random_unit(&random)};
        for (int i = 0; i < 3; i++) {
            for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
                places.from[i][n] = 256 * random_unit(&random);
                places.side[i][n] = i == 0;
                places.up[i][n] = i == 1;
                places.normal[i][n] = i == 2;
            }
        }
        bspi_occluder_lines among = {
            .all = &s.all, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
        bspi_occluder_lanes_base.around(&among, &places, &way, 1, REACH, free[0]);
        bspi_occluder_lanes_here()->around(&among, &places, &way, 1, REACH, free[1]);
        assert_memory_equal(free[0], free[1], sizeof free[0]);
        for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
            assert_true(is_free(&s, &places, n, way, free[0][n] - 0.002f));
            assert_true(free[0][n] >= 1 || !is_free(&s, &places, n, way, free[0][n] + 0.002f));
            stopped += free[0][n] < 1;
        }
        bspi_arena_free(&s.own.arena);
    }
    assert_true(stopped > ROUNDS && stopped < 7 * ROUNDS); // both happen
}

// Where a face of the sky lies on another one it does not count, whichever is found first.
static void test_sky_on_face(void **state) {
    (void)state;
    static scene s;
    const bspi_occluder_lanes *lanes[] = {&bspi_occluder_lanes_base, bspi_occluder_lanes_here()};
    for (uint32_t turn = 0; turn < 4; turn++) {
        test_random random = {.state = 20};
        make_scene(&random, &s, 2);
        s.faces[1] = s.faces[0];
        memcpy(s.bounds[1], s.bounds[0], sizeof s.bounds[0]);
        s.faces[0].kind = s.faces[1].kind = BSPI_OCCLUDER_SOLID;
        s.faces[turn % 2].kind = BSPI_OCCLUDER_SKY;
        s.faces[0].only = s.faces[1].only = BSPI_SHADES_ALL;
        s.all.list = s.faces;
        bspi_arena_free(&s.own.arena);
        assert_true(bspi_occluders_divide(&s.own, &s.all, (const float(*)[2][3])s.bounds, NULL));
        bspi_occluder_places places = {0};
        const float way[3] = {0, 0, 1};
        float free[BSPI_OCCLUDER_LANES];
        for (int i = 0; i < 3; i++) {
            for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
                float middle = (s.bounds[0][0][i] + s.bounds[0][1][i]) / 2;
                places.from[i][n] = middle - REACH / 2 * s.faces[0].normal[i];
                places.normal[i][n] = s.faces[0].normal[i];
            }
        }
        bspi_occluder_lines among = {
            .all = &s.all, .channels = ~0u, .sky = BSP_NONE, .last = BSP_NONE};
        lanes[turn / 2]->around(&among, &places, &way, 1, REACH, free);
        for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
            assert_true(free[n] > 0.4f && free[n] < 0.6f);
        }
        bspi_arena_free(&s.own.arena);
    }
}

// A pane tints by its picture where a ray leaves it: one from the place on the lamp's side, one
// from the lamp on the place's side.
static void test_glass(void **state) {
    (void)state;
    static scene s;
    static const uint8_t pixels[8] = {255, 0, 0, 255, 0, 0, 255, 255}; // red, blue
    const bsp_texinfo texinfo = {.texture = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    const float from[3] = {0, 0.5f, -10};
    const float to[3] = {2.7f, 0.5f, 20}; // red at the first side, blue at the second
    memset(&s, 0, sizeof s);
    bspi_heap_init(&s.own.heap, NULL, 0);
    bspi_arena_init(&s.own.arena, &s.own.heap);
    for (uint32_t n = 0; n < 2; n++) {
        s.faces[n] = (bspi_occluder){.axes = {0, 1},
                                     .kind = BSPI_OCCLUDER_GLASS,
                                     .channels = 1,
                                     .opacity = 1,
                                     .normal = {0, 0, n == 0 ? -1 : 1},
                                     .dist = n == 0 ? 0 : 8};
        for (int i = 0; i < 3; i++) {
            s.bounds[n][0][i] = i == 2 ? 8 * (float)n - 1 : -9;
            s.bounds[n][1][i] = i == 2 ? 8 * (float)n + 1 : 9;
        }
    }
    s.picture = (bspi_picture){.width = 2, .height = 1, .scale = {1, 1}, .pixels = pixels};
    s.all = (struct bspi_occluders){.texinfos = &texinfo,
                                    .list = s.faces,
                                    .count = 2,
                                    .edges = s.edges,
                                    .pictures = &s.picture,
                                    .lanes = &bspi_occluder_lanes_base};
    assert_true(bspi_occluders_divide(&s.own, &s.all, (const float(*)[2][3])s.bounds, NULL));
    for (int back = 0; back < 2; back++) {
        bspi_occluder_lines one = {
            .all = &s.all, .channels = 1, .back = back != 0, .sky = BSP_NONE, .last = BSP_NONE};
        float left[3];
        assert_true(bspi_occluders_line(&one, from, to, left));
        assert_true(left[0] == (float)back && left[1] == 0 && left[2] == (float)(1 - back));
    }
    bspi_arena_free(&s.own.arena);
}

// Three veils one after another take light by their alpha, which is added up: 0.4, or 1.2 where
// they are dark, so that nothing is left. One that is the prop that is lit takes none, unless it
// shades itself; and without a colour to set all of it is stopped.
static void test_veils(void **state) {
    (void)state;
    static scene s;
    static const uint8_t pixels[8] = {0, 0, 0, 34, 0, 0, 0, 102}; // 2 / 15, 6 / 15
    const bsp_texinfo texinfo = {.texture = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    memset(&s, 0, sizeof s);
    bspi_heap_init(&s.own.heap, NULL, 0);
    bspi_arena_init(&s.own.arena, &s.own.heap);
    bspi_occluder_list list = bspi_occluder_list_begin(&s.own, NULL);
    for (uint32_t n = 0; n < 3; n++) {
        float z = 8 * (float)n;
        const float points[3][3] = {{-20, -20, z}, {20, -20, z}, {0, 20, z}};
        const bspi_occluder veil = {.kind = BSPI_OCCLUDER_VEIL,
                                    .channels = 1,
                                    .only = n == 2 ? BSPI_SHADES_OTHERS : BSPI_SHADES_ALL,
                                    .model = 7 + n,
                                    .normal = {0, 0, 1},
                                    .dist = z};
        assert_true(bspi_occluder_list_add(&list, &veil, points, 3));
    }
    list.all->texinfos = &texinfo;
    list.all->pictures = &s.picture;
    s.picture = (bspi_picture){.width = 2, .height = 1, .scale = {1, 1}, .pixels = pixels};
    bspi_occluder_lines lines = {.all = bspi_occluder_list_end(&list, true),
                                 .channels = 1,
                                 .sky = BSP_NONE,
                                 .last = BSP_NONE};
    assert_non_null(lines.all);
    for (int turn = 0; turn < 16; turn++) {
        bool dark = (turn & 1) != 0;
        lines.model = (turn & 2) != 0 ? 9 : (turn & 4) != 0 ? 8 : 0;
        lines.whole = (turn & 8) != 0;
        float taken = (lines.model == 9 ? 2 : 3) * (dark ? 0.4f : 2.0f / 15);
        const float from[3] = {dark ? 1.5f : 0.5f, 0.25f, -10};
        const float to[3] = {from[0], 0.25f, 30};
        float left[3];
        bool open = bspi_occluders_line(&lines, from, to, left);
        assert_true(open == (taken < 1 && !lines.whole));
        assert_true(!open || fabsf(left[0] - (1 - taken)) < 1e-6f);
    }
    bspi_arena_free(&s.own.arena);
}

// A wall whose edge is in the plane of the places: the last bits of a direction say on which side a
// line goes.
static void test_beside_edge(void **state) {
    (void)state;
    static scene s;
    static const float edges[CORNERS][3] = {{1, 0, -208}, {-1, 0, 304}, {0, 1, 16}, {0, -1, 32}};
    const bspi_occluder_lanes *lanes[] = {&bspi_occluder_lanes_base, bspi_occluder_lanes_here()};
    test_random random = {.state = 21};
    make_scene(&random, &s, 1);
    bspi_arena_free(&s.own.arena);
    s.faces[0] = (bspi_occluder){
        .axes = {0, 2}, .edges = CORNERS, .channels = 1, .normal = {0, 1, 0}, .dist = 16};
    s.all.list = s.faces;
    memcpy(s.edges, edges, sizeof edges);
    memcpy(s.bounds[0], (float[2][3]){{207, 15, -17}, {305, 17, 33}}, sizeof s.bounds[0]);
    assert_true(bspi_occluders_divide(&s.own, &s.all, (const float(*)[2][3])s.bounds, NULL));
    for (uint32_t turn = 0; turn < 4; turn++) {
        bool on = turn % 2 != 0;
        bspi_occluder_places places = {0};
        bspi_occluder_lines among = {
            .all = &s.all, .channels = 1, .sky = BSP_NONE, .last = BSP_NONE};
        float free[BSPI_OCCLUDER_LANES];
        const float way[3] = {on ? -1e-7f : 1e-7f, 1, 0};
        for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
            places.from[0][n] = 304;
            places.from[2][n] = (float)n;
            places.side[0][n] = places.up[1][n] = places.normal[2][n] = 1;
        }
        lanes[turn / 2]->around(&among, &places, &way, 1, 64, free);
        for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
            assert_true(fabsf(free[n] - (on ? 0.25f : 1)) < 1e-6f);
        }
    }
    bspi_arena_free(&s.own.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_together_as_alone),
                                       cmocka_unit_test(test_suns),
                                       cmocka_unit_test(test_glass),
                                       cmocka_unit_test(test_veils),
                                       cmocka_unit_test(test_sky_on_face),
                                       cmocka_unit_test(test_around),
                                       cmocka_unit_test(test_beside_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
