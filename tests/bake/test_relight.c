// SPDX-License-Identifier: MIT
// Light made anew. Luxels are those of a second reading of the formulas, luxel by luxel, with lamps
// of every kind before the sample of Quake; those of the reference compilers where they are there;
// and in Source what bsp_query_lights adds up.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/faces.h"
#include "bspkit/query.h"
#include "support/relight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORACLE BSP_TEST_SHARED "/oracle/bake/"

static bool is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

// --- the formulas of ericw-tools, read a second time ---------------------------------------------

#define LAMP "{ \"classname\" \"light\" \"origin\" \"%s\" %s }"

static const char worlds[] =
    "{ \"classname\" \"worldspawn\" \"_minlight\" \"7\" \"_anglescale\" \"0.3\" }";

// A lamp as the test reads it.
typedef struct second {
    const char *keys;
    double origin[3];
    double light, wait, angle, falloff;
    int delay;
    double spot[3]; // unit vector of where it looks; 0: everywhere
    double outer, inner;
} second;

#define DEGREES (3.14159265358979323846 / 180)

static const second seconds[] = {
    {"\"light\" \"250\"", {128, 192, 100}, 250, 1, 0.3, 0, 0, {0, 0, 0}, 0, 0},
    {"\"light\" \"200\" \"wait\" \"2\" \"_anglescale\" \"1\"",
     {128, 192, 100},
     200,
     2,
     1,
     0,
     0,
     {0, 0, 0},
     0,
     0},
    {"\"light\" \"300\" \"_falloff\" \"240\"",
     {128, 192, 100},
     300,
     1,
     0.3,
     240,
     0,
     {0, 0, 0},
     0,
     0},
    {"\"light\" \"90\" \"delay\" \"1\"", {128, 192, 100}, 90, 1, 0.3, 0, 1, {0, 0, 0}, 0, 0},
    {"\"light\" \"120\" \"delay\" \"2\"", {128, 192, 100}, 120, 1, 0.3, 0, 2, {0, 0, 0}, 0, 0},
    {"\"light\" \"80\" \"delay\" \"3\"", {128, 192, 100}, 80, 1, 0.3, 0, 3, {0, 0, 0}, 0, 0},
    {"\"light\" \"180\" \"delay\" \"5\"", {128, 192, 100}, 180, 1, 0.3, 0, 5, {0, 0, 0}, 0, 0},
    {"\"light\" \"300\" \"mangle\" \"0 -90 0\" \"angle\" \"90\" \"_softangle\" \"40\"",
     {128, 192, 100},
     300,
     1,
     0.3,
     0,
     0,
     {0, 0, -1},
     45,
     20},
};

static double faded(const second *s, double d) {
    double way = s->wait * d;
    double f[] = {s->falloff > 0 ? s->light * (1 - d / s->falloff) : s->light - way,
                  s->light * 128 / way,
                  s->light * 128 * 128 / (way * way),
                  s->light,
                  0,
                  s->light * 128 * 128 / ((way + 128) * (way + 128))};
    return f[s->delay] > 0 ? f[s->delay] : 0;
}

// The byte of a luxel at a place, without shadows.
static double second_luxel(const second *s, const double p[3], const float n[3]) {
    double l[3] = {s->origin[0] - p[0], s->origin[1] - p[1], s->origin[2] - p[2]};
    double d = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    double cosine = 0;
    double out = 0;
    for (int i = 0; i < 3; i++) {
        cosine += l[i] / d * (double)n[i];
        out -= l[i] / d * s->spot[i];
    }
    double sum = cosine > 0 ? faded(s, d) * (1 - s->angle + s->angle * cosine) : 0;
    if (s->outer > 0) {
        double low = cos(s->outer * DEGREES);
        double high = cos(s->inner * DEGREES);
        sum *= out < low ? 0 : out > high ? 1 : (out - low) / (high - low);
    }
    sum = sum > 7 ? sum : 7; // _minlight
    return sum * 0.5 > 255 ? 255 : floor(sum * 0.5);
}

// Is a line free, and by a margin? Places near an edge may be moved.
static bool is_clear(const bsp_trace_index *index, const double p[3], const second *s, bool *free) {
    int open = 0;
    for (int n = 0; n < 9; n++) {
        bsp_trace_input in = {.mask = 1};
        bsp_trace_result out;
        for (int i = 0; i < 3; i++) {
            in.start[i] = (float)p[i];
            in.end[i] = (float)s->origin[i] + (n == 8 ? 0 : (n >> i & 1) != 0 ? 0.5f : -0.5f);
        }
        bsp_trace(index, &in, &out);
        open += out.fraction == 1 && !out.start_solid;
    }
    *free = open == 9;
    return open == 0 || open == 9;
}

// Is a point well inside of the polygon of a face?
static bool is_inside(const bsp_surface_corner *c, uint32_t count, const float n[3],
                      const double p[3]) {
    for (uint32_t i = 0; i < count; i++) {
        const float *a = c[i].point;
        const float *b = c[(i + 1) % count].point;
        double e[3] = {(double)(b[0] - a[0]), (double)(b[1] - a[1]), (double)(b[2] - a[2])};
        double in[3];
        double away = 0;
        double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        for (int k = 0; k < 3; k++) {
            in[k] =
                e[(k + 1) % 3] * (double)n[(k + 2) % 3] - e[(k + 2) % 3] * (double)n[(k + 1) % 3];
            away += in[k] * (p[k] - (double)a[k]);
        }
        if (away < 2 * length) {
            return false;
        }
    }
    return true;
}

// The place of a luxel: that point of the plane whose texture coordinates are 16 * (first + s).
// None on water, which is lit from both sides.
static bool place_of(const bsp_map *map, uint32_t face, const bsp_relight_face *light, uint32_t s,
                     uint32_t t, double p[3], float n[3]) {
    bsp_surface_corner corners[64];
    float dist;
    uint32_t count = bsp_surface_corners(map, face, corners, 64);
    const bsp_texinfo *texinfo = &map->texinfos[map->faces[face].texinfo];
    double least[2] = {1e9, 1e9};
    double m[3][3];
    if (count < 3 || count > 64 || !bsp_surface_plane(map, face, n, &dist) ||
        (bsp_surface_bits_of(map, face) & BSP_SURFACE_LIQUID) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            const float *vec = texinfo->texture[axis];
            const float *at = corners[i].point;
            double value = (double)at[0] * (double)vec[0] + (double)at[1] * (double)vec[1] +
                           (double)at[2] * (double)vec[2] + (double)vec[3];
            least[axis] = value < least[axis] ? value : least[axis];
        }
    }
    double right[3] = {16 * (floor(least[0] / 16) + s) - (double)texinfo->texture[0][3],
                       16 * (floor(least[1] / 16) + t) - (double)texinfo->texture[1][3],
                       (double)dist};
    for (int i = 0; i < 3; i++) {
        m[0][i] = (double)texinfo->texture[0][i];
        m[1][i] = (double)texinfo->texture[1][i];
        m[2][i] = (double)n[i];
    }
    double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                 m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (int k = 0; k < 3; k++) { // Cramer's rule
        double c[3][3];
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                c[row][column] = column == k ? right[row] : m[row][column];
            }
        }
        p[k] = (c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0])) /
               det;
    }
    bool in = is_inside(corners, count, n, p);
    for (int k = 0; k < 3; k++) {
        p[k] += (double)n[k];
    }
    return in && light->width != 0;
}

static void compare_with_second(const relit *l, const bsp_trace_index *index, const second *s) {
    uint32_t compared = 0;
    uint32_t lighter = 0;
    for (uint32_t f = 0; f < l->map->models[0].num_faces; f++) {
        const bsp_relight_face *face = &l->relight->faces[f];
        for (uint32_t i = 0; face->num_styles != 0 && i < face->width * face->height; i++) {
            double p[3];
            float n[3];
            bool free;
            if (!place_of(l->map, f, face, i % face->width, i / face->width, p, n) ||
                !is_clear(index, p, s, &free)) {
                continue;
            }
            double wanted = free ? second_luxel(s, p, n) : 3;
            double got = floor((double)face->luxels[i][0]);
            if (fabs(got - wanted) > 1) {
                fail_msg("%s: face %u luxel %u: %f, not %f", s->keys, (unsigned)f, (unsigned)i, got,
                         wanted);
            }
            compared++;
            lighter += wanted > 4;
        }
    }
    print_message("%s: %u luxels, %u lit\n", s->keys, (unsigned)compared, (unsigned)lighter);
    assert_true(compared > 500 && lighter > 50);
}

static void test_formulas(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char text[512];
        bsp_error error;
        int size = snprintf(text, sizeof text, "%s" LAMP, worlds, "128 192 100", seconds[i].keys);
        assert_true(size > 0 && (size_t)size < sizeof text);
        relit l = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", text, NULL);
        bsp_trace_index *index = bsp_trace_index_new(l.map, NULL, &error);
        assert_non_null(index);
        assert_int_equal(l.relight->num_lamps, 1);
        compare_with_second(&l, index, &seconds[i]);
        bsp_trace_index_free(index);
        relit_close(&l);
    }
}

// Light that a lamp takes away is taken after the least light, and never leaves less than nothing.
static void test_taken(void **state) {
    (void)state;
    const second taker = {.origin = {128, 192, 100}};
    bsp_error error;
    char text[512];
    snprintf(text, sizeof text, "%s" LAMP, worlds, "128 192 100",
             "\"light\" \"-4\" \"delay\" \"3\" \"_anglescale\" \"0\"");
    relit l = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", text, NULL);
    bsp_trace_index *index = bsp_trace_index_new(l.map, NULL, &error);
    assert_non_null(index);
    uint32_t taken = 0;
    for (uint32_t f = 0; f < l.map->models[0].num_faces; f++) {
        const bsp_relight_face *face = &l.relight->faces[f];
        for (uint32_t i = 0; face->num_styles != 0 && i < face->width * face->height; i++) {
            double p[3];
            float n[3];
            bool free;
            if (!place_of(l.map, f, face, i % face->width, i / face->width, p, n) ||
                !is_clear(index, p, &taker, &free)) {
                continue;
            }
            double way = 0;
            for (int c = 0; c < 3; c++) {
                way += (taker.origin[c] - p[c]) * (double)n[c];
            }
            bool less = free && way > 0;
            assert_true(fabs((double)face->luxels[i][0] - (less ? 1.5 : 3.5)) < 1e-3);
            taken += less;
        }
    }
    assert_true(taken > 50);
    bsp_trace_index_free(index);
    relit_close(&l);
}

static double total_of(bsp_dirt dirt) {
    const bsp_relight_options how = {.dirt = dirt, .direct = true};
    relit l = relit_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &how);
    double total = 0;
    for (uint32_t f = 0; f < l.relight->num_faces; f++) {
        const bsp_relight_face *face = &l.relight->faces[f];
        for (uint32_t i = 0; face->num_styles != 0 && i < face->width * face->height; i++) {
            total += (double)face->luxels[i][0];
        }
    }
    relit_close(&l);
    return total;
}

// Corners are darker with dirt than without, and a map that does not ask for it has none.
static void test_dirt(void **state) {
    (void)state;
    double without = total_of(BSP_DIRT_OFF);
    assert_true(total_of(BSP_DIRT_USUAL) == without);
    double with = total_of(BSP_DIRT_ON);
    assert_true(with < 0.9 * without && with > 0.3 * without);
}

// --- Source --------------------------------------------------------------------------------------

// The place of a luxel of a face by three of its corners.
static bool place_by_corners(const bsp_surface_corner *c, uint32_t count, float s, float t,
                             const float n[3], double p[3]) {
    double u[2] = {(double)(c[1].light[0] - c[0].light[0]),
                   (double)(c[1].light[1] - c[0].light[1])};
    double v[2] = {(double)(c[2].light[0] - c[0].light[0]),
                   (double)(c[2].light[1] - c[0].light[1])};
    double w[2] = {(double)(s - c[0].light[0]), (double)(t - c[0].light[1])};
    double det = u[0] * v[1] - u[1] * v[0];
    if (fabs(det) < 1e-3) {
        return false;
    }
    double a = (w[0] * v[1] - w[1] * v[0]) / det;
    double b = (u[0] * w[1] - u[1] * w[0]) / det;
    for (int i = 0; i < 3; i++) {
        p[i] = (double)c[0].point[i] + a * (double)(c[1].point[i] - c[0].point[i]) +
               b * (double)(c[2].point[i] - c[0].point[i]);
    }
    return is_inside(c, count, n, p);
}

// Adds up what the lights of the map give a place where the sky gives nothing. False elsewhere.
static bool sum_lights(const bsp_trace_index *index, const bsp_map *map, const double p[3],
                       const float normal[3], double sum[3]) {
    bsp_light_part parts[64];
    float point[3];
    for (int i = 0; i < 3; i++) {
        point[i] = (float)(p[i] + (double)normal[i]);
        sum[i] = 0;
    }
    uint32_t count = bsp_query_lights(index, false, point, normal, parts, 64);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        const bsp_world_light *light = &map->world_lights[parts[i].light];
        if ((light->type == 5 && parts[i].seen > 0) || light->style != 0) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += (double)(parts[i].rgb[c] * parts[i].seen);
        }
    }
    return count <= 64;
}

// Adds up what the lights give in the middles of the four squares around a luxel, if these are on
// the face and lit somewhat alike.
static bool sum_around(const bsp_trace_index *index, const bsp_map *map,
                       const bsp_surface_corner *corners, uint32_t count, const float at[2],
                       const float normal[3], double sum[3]) {
    double parts[4][3];
    bool alike = true;
    memset(sum, 0, 3 * sizeof *sum);
    for (unsigned k = 0; k < 4; k++) {
        double p[3];
        float x = (k & 1) != 0 ? 1 : -1;
        float y = (k >> 1) != 0 ? 1 : -1;
        if (!place_by_corners(corners, count, at[0] + x, at[1] + y, normal, p) ||
            !place_by_corners(corners, count, at[0] + x / 2, at[1] + y / 2, normal, p) ||
            !sum_lights(index, map, p, normal, parts[k])) {
            return false;
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += parts[k][c] / 4;
            alike = alike && fabs(parts[k][c] - parts[0][c]) < 0.4 * parts[0][c];
        }
    }
    return alike;
}

// In Source a luxel mixes what bsp_query_lights adds up in the squares around it.
static void test_world_lights(void **state) {
    (void)state;
    const bsp_relight_options how = {.direct = true};
    relit l = relit_open(BSP_TEST_SAMPLES "/source/lobby.bsp", NULL, &how);
    bsp_error error;
    bsp_trace_index *index = bsp_trace_index_new(l.map, NULL, &error);
    assert_non_null(index);
    uint32_t compared = 0;
    uint32_t differ = 0;
    for (uint32_t f = 0; f < l.map->models[0].num_faces; f++) {
        const bsp_relight_face *face = &l.relight->faces[f];
        bsp_surface_corner corners[64];
        float normal[3];
        float dist;
        uint32_t count = bsp_surface_corners(l.map, f, corners, 64);
        bool plain = face->num_styles == 1 && count >= 3 && count <= 64 &&
                     l.map->faces[f].displacement == BSP_NONE &&
                     bsp_surface_plane(l.map, f, normal, &dist);
        for (uint32_t i = 0; plain && i < face->width * face->height; i++) {
            double sum[3];
            const float at[2] = {(float)(i % face->width), (float)(i / face->width)};
            if (!sum_around(index, l.map, corners, count, at, normal, sum)) {
                continue;
            }
            for (int c = 0; c < 3; c++) {
                differ += fabs((double)face->luxels[i][c] - sum[c]) > 1e-3 + 0.2 * sum[c];
            }
            compared++;
        }
    }
    print_message("%u luxels, %u channels differ\n", (unsigned)compared, (unsigned)differ);
    assert_true(compared > 40);
    assert_true(differ <= compared / 20); // some squares are measured finer
    bsp_trace_index_free(index);
    relit_close(&l);
}

// --- the reference compilers ---------------------------------------------------------------------

static void test_references(void **state) {
    (void)state;
    static const struct {
        const char *path;
        bsp_light_compiler compiler;
        uint32_t steps;
        double least; // percent
    } maps[] = {
        {ORACLE "quake/dm5/dm5.2-light.bsp", BSP_COMPILER_USUAL, 4, 99.8},
        {ORACLE "quake/lobby/lobby.2-light.bsp", BSP_COMPILER_USUAL, 4, 99},
        {ORACLE "quake/q1_litwater/q1_litwater.2-light.bsp", BSP_COMPILER_USUAL, 4, 93},
        {ORACLE "quake2/q2_light_translucency/q2_light_translucency.2-light.bsp",
         BSP_COMPILER_ERICW, 4, 99.9},
        {ORACLE "goldsrc/hl_liquids/hl_liquids.2-light.bsp", BSP_COMPILER_USUAL, 4, 99.5},
        {ORACLE "goldsrc/hl_liquids/hl_liquids.2-light.bsp", BSP_COMPILER_USUAL, 1, 95},
        {ORACLE "../../corpus/named/cs-source__maps__pummpknivez_Paronsoda.bsp", BSP_COMPILER_USUAL,
         4, 75},
        // Faces of the sky go on in the planes of its walls.
        {ORACLE "../../corpus/source/v20/cs-source__maps__fun_m3.bsp", BSP_COMPILER_USUAL, 4, 99},
    };
    unsigned found = 0;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (!is_there(maps[i].path)) {
            continue;
        }
        const bsp_relight_options how = {.compiler = maps[i].compiler};
        relit l = relit_open(maps[i].path, NULL, &how);
        double within = relit_percent_within(l.relight, maps[i].steps);
        print_message("%s: %.1f %% within %u\n", maps[i].path, within, (unsigned)maps[i].steps);
        assert_true(within >= maps[i].least);
        relit_close(&l);
        found++;
    }
    if (found == 0) {
        print_message("SKIP: %s is not there\n", ORACLE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),   cmocka_unit_test(test_taken),
        cmocka_unit_test(test_dirt),       cmocka_unit_test(test_world_lights),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
