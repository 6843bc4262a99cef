// SPDX-License-Identifier: MIT
// Light of Quake 3 made anew: luxels, vertices and cells of the sample are those of a second
// reading of q3map2's formulas, by lamps of every kind; luxels of the reference compiler where they
// are there; pages, vertices and cells are the same at any number of threads and in the file.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/faces.h"
#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "support/relight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE BSP_TEST_SAMPLES "/quake3/lobby.bsp"
#define ORACLE BSP_TEST_SHARED "/oracle/bake/quake3/patch_seam/patch_seam.2-light.bsp"
#define LOBBY BSP_TEST_SHARED "/oracle/bake/quake3/lobby/lobby.2-light.bsp"
#define SIDE 128.0
#define LINES 3 // of sight, around a lamp's own

static relit open_written(const char *path, const char *lights, const bsp_relight_options *how) {
    relit l = relit_open(path, lights, how);
    relit_write(&l);
    return l;
}

// --- the formulas, read a second time -----------------------------------------------------------

// A lamp as the test reads it, and the text of it.
typedef struct second {
    const char *keys;
    double photons; // of its square of the distance; or what it gives at once, with `fade`
    double fade;    // for each unit, linear; 0: by the square
    bool angle;
    double radius; // of a spot that looks down, where its target is; 0: none
    double height; // of it over its target
} second;

static const double origin[3] = {128, 192, 100};

static const second seconds[] = {
    {"\"light\" \"60\"", 60 * 7500.0, 0, true, 0, 0},
    {"\"light\" \"40\" \"spawnflags\" \"2\"", 40 * 7500.0, 0, false, 0, 0},
    {"\"light\" \"200\" \"spawnflags\" \"1\" \"fade\" \"0.5\"", 200 * 7500.0 / 8000, 0.5, false, 0,
     0},
    {"\"light\" \"90\" \"target\" \"here\" \"radius\" \"48\"", 90 * 7500.0, 0, true, 48, 90},
};

// Returns what a place gets; `n` NULL: it faces the lamp.
static double second_light(const second *s, const double p[3], const float *n) {
    double way[3];
    double square = 0;
    for (int i = 0; i < 3; i++) {
        way[i] = origin[i] - p[i];
        square += way[i] * way[i];
    }
    double distance = sqrt(square);
    double cosine = 1;
    if (n != NULL) {
        cosine = (way[0] * (double)n[0] + way[1] * (double)n[1] + way[2] * (double)n[2]) / distance;
        cosine = cosine > 0 ? (s->angle ? cosine : 1) : 0;
    }
    double clamped = distance > 16 ? distance : 16;
    double light = s->fade > 0 ? fmax(0, s->photons - clamped * s->fade) * (cosine > 0)
                               : s->photons / (clamped * clamped) * cosine;
    if (s->radius > 0) {
        double away = sqrt(way[0] * way[0] + way[1] * way[1]);
        double left = (s->radius + 16) / s->height * way[2] - away;
        light *= way[2] < 0 || left <= 0 ? 0 : left < 32 ? left / 32 : 1;
    }
    return light;
}

// Is what stands between a place and the lamp the same a little around both? Else nothing is said.
static bool is_clear(const bsp_trace_index *index, const double p[3], bool *free) {
    bsp_sight_line lines[LINES * LINES * LINES];
    bool seen[LINES * LINES * LINES];
    uint32_t count = 0;
    for (int x = -1; x <= 1; x++) {
        for (int y = -1; y <= 1; y++) {
            for (int z = -1; z <= 1; z++, count++) {
                const int step[3] = {x, y, z};
                for (int i = 0; i < 3; i++) {
                    lines[count].from[i] = (float)p[i] + 0.6f * (float)step[i];
                    lines[count].to[i] = (float)origin[i] + 0.6f * (float)step[i];
                }
                if (bsp_trace_contents(index, 0, lines[count].from) != 0) {
                    return false;
                }
            }
        }
    }
    bsp_sight_batch(index, 1, 0, lines, seen, count);
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        open += seen[i];
    }
    *free = open == count;
    return open == 0 || open == count;
}

// The place of a luxel of the page, off the middle of a triangle. False beside it.
static bool place_of(const bsp_draw_vert *v[3], double u, double t, double p[3]) {
    double a[2];
    double b[2];
    double w[3];
    for (int i = 0; i < 2; i++) {
        a[i] = (double)(v[1]->light_uv[0][i] - v[0]->light_uv[0][i]) * SIDE;
        b[i] = (double)(v[2]->light_uv[0][i] - v[0]->light_uv[0][i]) * SIDE;
    }
    double x = u - (double)v[0]->light_uv[0][0] * SIDE;
    double y = t - (double)v[0]->light_uv[0][1] * SIDE;
    double det = a[0] * b[1] - a[1] * b[0];
    if (fabs(det) < 1e-3) {
        return false;
    }
    w[1] = (x * b[1] - y * b[0]) / det;
    w[2] = (y * a[0] - x * a[1]) / det;
    w[0] = 1 - w[1] - w[2];
    for (int i = 0; i < 3; i++) {
        p[i] = (double)v[0]->normal[i];
        for (int c = 0; c < 3; c++) {
            p[i] += w[c] * (double)v[c]->point[i];
        }
    }
    return w[0] > 0.02 && w[1] > 0.02 && w[2] > 0.02;
}

typedef struct count {
    uint32_t compared;
    uint32_t lit;
} count;

// Compares a luxel of the page that was written.
static void compare_luxel(const relit *l, const bsp_trace_index *index, const second *s,
                          const bsp_face_light *light, const bsp_draw_vert *v[3],
                          const uint32_t at[2], count *c) {
    double p[3];
    bool free;
    if (!place_of(v, at[0] + 0.5, at[1] + 0.5, p) || !is_clear(index, p, &free)) {
        return;
    }
    size_t luxel = ((size_t)light->page[0] * 128 + at[1]) * 128 + at[0];
    double got = l->written_map->light.data[3 * luxel];
    double wanted = free ? fmin(255, second_light(s, p, v[0]->normal)) : 0;
    if (fabs(got - floor(wanted)) > 1) {
        fail_msg("%s: luxel %u %u of page %d at %g %g %g: %g, not %g", s->keys, (unsigned)at[0],
                 (unsigned)at[1], (int)light->page[0], p[0], p[1], p[2], got, wanted);
    }
    c->compared++;
    c->lit += wanted > 4;
}

static void compare_face(const relit *l, const bsp_trace_index *index, const second *s,
                         uint32_t number, count *c) {
    const bsp_map *map = l->map;
    const bsp_face *face = &map->faces[number];
    const bsp_face_light *light = &map->face_lights[number];
    bool flat = face->type == BSP_FACE_POLYGON && light->page[0] >= 0;
    uint32_t material = bsp_surface_material(map, number);
    // Faces of brushes that light goes through have their own shadows.
    if (!flat || (map->materials[material].contents & 0x20000000) != 0) {
        return;
    }
    for (uint32_t n = 0; n + 2 < face->num_indices; n += 3) {
        const bsp_draw_vert *v[3];
        for (uint32_t i = 0; i < 3; i++) {
            v[i] =
                &map->draw_verts[face->first_vert + map->draw_indices[face->first_index + n + i]];
        }
        for (uint32_t y = 0; y < 128; y++) {
            for (uint32_t x = 0; x < 128; x++) {
                const uint32_t at[2] = {x, y};
                compare_luxel(l, index, s, light, v, at, c);
            }
        }
    }
}

static void compare_cells(const relit *l, const bsp_trace_index *index, const second *s) {
    bsp_light_grid grid;
    uint32_t compared = 0;
    assert_true(bsp_light_grid_of(l->written_map, &grid));
    uint32_t cells = grid.size[0] * grid.size[1] * grid.size[2];
    assert_int_equal(cells, l->written_map->num_light_grid);
    for (uint32_t n = 0; n < cells; n++) {
        const uint32_t at[3] = {n % grid.size[0], n / grid.size[0] % grid.size[1],
                                n / grid.size[0] / grid.size[1]};
        double p[3];
        float point[3];
        bool free;
        for (int i = 0; i < 3; i++) {
            p[i] = (double)(grid.origin[i] + (float)at[i] * grid.step[i]);
            point[i] = (float)p[i];
        }
        if (bsp_trace_contents(index, 0, point) != 0 || !is_clear(index, p, &free) || !free) {
            continue;
        }
        const bsp_light_cell *cell = &l->written_map->light_grid[n];
        double wanted = fmin(255, second_light(s, p, NULL));
        assert_true(fabs((double)cell->directed[0][0] - floor(wanted)) <= 1);
        assert_int_equal(cell->ambient[0][0], wanted >= 1 ? 1 : 0);
        double polar = cell->direction[0] * 2 * 3.14159265358979 / 256;
        double height = (origin[2] - p[2]) / sqrt((origin[0] - p[0]) * (origin[0] - p[0]) +
                                                  (origin[1] - p[1]) * (origin[1] - p[1]) +
                                                  (origin[2] - p[2]) * (origin[2] - p[2]));
        assert_true(wanted < 1 || fabs(cos(polar) - height) < 0.05);
        compared += wanted >= 1;
    }
    assert_true(compared > 0);
}

static void test_formulas(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        char text[512];
        bsp_error error;
        count c = {0};
        int size = snprintf(text, sizeof text,
                            "{ \"classname\" \"worldspawn\" }"
                            "{ \"classname\" \"light\" \"origin\" \"128 192 100\" %s }"
                            "{ \"classname\" \"info_null\" \"targetname\" \"here\" \"origin\" "
                            "\"128 192 10\" }",
                            seconds[i].keys);
        assert_true(size > 0 && (size_t)size < sizeof text);
        relit l = open_written(SAMPLE, text, NULL);
        bsp_trace_index *index = bsp_trace_index_new(l.map, NULL, &error);
        assert_non_null(index);
        assert_int_equal(l.relight->num_lamps, 1);
        assert_int_equal(l.relight->compiler, BSP_COMPILER_Q3MAP2);
        for (uint32_t f = 0; f < l.map->models[0].num_faces; f++) {
            compare_face(&l, index, &seconds[i], f, &c);
        }
        print_message("%s: %u luxels, %u lit\n", seconds[i].keys, (unsigned)c.compared,
                      (unsigned)c.lit);
        assert_true(c.compared > 500 && c.lit > 20);
        compare_cells(&l, index, &seconds[i]);
        bsp_trace_index_free(index);
        relit_close(&l);
    }
}

// --- surfaces that give light -------------------------------------------------------------------

#define GAME BSP_TEST_SAMPLES "/quake3"
#define SQUARES 64 // along an edge of the lamp

// The lamp in the lobby's ceiling, as the script has it: its edges, and the height of its plane.
static const double lamp[2][2] = {{112, 144}, {48, 80}};
static const double lamp_height = 152;
static const double lamp_value = 1500;

// Returns the share of what a place on the floor sees that a square of the lamp's size fills, by
// the cosines: at a height, from its front or its back.
static double share_at(const double p[3], double height) {
    double sum = 0;
    double area = (lamp[0][1] - lamp[0][0]) * (lamp[1][1] - lamp[1][0]) / SQUARES / SQUARES;
    for (int n = 0; n < SQUARES * SQUARES; n++) {
        double x = lamp[0][0] + (n % SQUARES + 0.5) / SQUARES * (lamp[0][1] - lamp[0][0]) - p[0];
        double y = lamp[1][0] + (n / SQUARES + 0.5) / SQUARES * (lamp[1][1] - lamp[1][0]) - p[1];
        double z = height - p[2];
        double square = x * x + y * y + z * z;
        sum += z * z / (square * square) * area / 3.14159265358979;
    }
    return sum;
}

static void test_polygons(void **state) {
    (void)state;
    uint32_t compared = 0;
    relit l = relit_open_game(SAMPLE, GAME, "{ \"classname\" \"worldspawn\" }",
                              &(bsp_relight_options){.direct = true});
    relit_write(&l);
    for (uint32_t f = 0; f < l.map->models[0].num_faces; f++) {
        const bsp_face *face = &l.map->faces[f];
        int32_t page = l.map->face_lights[f].page[0];
        for (uint32_t n = 0;
             page >= 0 && face->type == BSP_FACE_POLYGON && n + 2 < face->num_indices; n += 3) {
            const bsp_draw_vert *v[3];
            for (uint32_t i = 0; i < 3; i++) {
                v[i] = &l.map->draw_verts[face->first_vert +
                                          l.map->draw_indices[face->first_index + n + i]];
            }
            for (uint32_t at = 0; v[0]->normal[2] > 0.99f && at < 128 * 128; at++) {
                double p[3];
                bool on = place_of(v, at % 128 + 0.5, at / 128 + 0.5, p);
                if (!on || p[2] != 1 || p[0] < 96 || p[0] > 160 || p[1] < 16 || p[1] > 112) {
                    continue;
                }
                double got = l.written_map->light.data[3 * ((size_t)page * 128 * 128 + at)];
                double wanted = lamp_value * 0.75 * share_at(p, lamp_height);
                if (fabs(got - fmin(255, wanted)) > 0.02 * wanted + 2) {
                    fail_msg("at %g %g: %g, not %g", p[0], p[1], got, wanted);
                }
                compared++;
            }
        }
    }
    print_message("%u luxels below the lamp\n", (unsigned)compared);
    assert_true(compared > 10);
    relit_close(&l);
}

// --- the reference compiler ---------------------------------------------------------------------

static void test_reference(void **state) {
    (void)state;
    FILE *there = fopen(ORACLE, "rb");
    if (there == NULL) {
        print_message("SKIP: no light of the reference compiler in %s\n", ORACLE);
        return;
    }
    fclose(there);
    bsp_relight_difference d;
    uint64_t near = 0;
    relit l = open_written(ORACLE, NULL, NULL);
    bsp_relight_compare(l.relight, &d);
    for (int i = 0; i <= 4; i++) {
        near += d.steps[i];
    }
    print_message("patch_seam: %.1f %% of %u luxels within 4\n",
                  100 * (double)near / (double)d.num_luxels, (unsigned)d.num_luxels);
    assert_true(d.num_luxels > 4000 && (double)near > 0.99 * (double)d.num_luxels);
    // The light grid of the reference: cells in the open are the same, those in
    // solid are measured somewhere beside it.
    uint32_t same = 0;
    uint32_t lit_cells = 0;
    for (uint32_t n = 0; n < l.map->num_light_grid; n++) {
        int stored = l.map->light_grid[n].directed[0][0];
        int made = l.written_map->light_grid[n].directed[0][0];
        lit_cells += stored != 0;
        same += stored != 0 && abs(stored - made) <= 4;
    }
    print_message("%u of %u cells within 4\n", (unsigned)same, (unsigned)lit_cells);
    assert_true(same * 10 >= lit_cells * 6);
    relit_close(&l);
    l = relit_open_game(LOBBY, GAME, NULL,
                        NULL); // surfaces, skies, and a grate that lets light through
    double within = relit_percent_within(l.relight, 4);
    print_message("lobby: %.1f %% within 4\n", within);
    assert_true(within >= 96);
    relit_close(&l);
}

// --- the command line ----------------------------------------------------------------------------

// The samples say how q3map2 lit them: -fast -samples 3 -bounce 2. So made they are as bright.
static void test_told(void **state) {
    (void)state;
    static const struct {
        const char *map;
        double least; // percent within 4 of 255
    } maps[] = {{SAMPLE, 91}, {BSP_TEST_SAMPLES "/quake3/lobby_rbsp.bsp", 95}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        relit l = relit_open_game(maps[i].map, GAME, NULL, NULL);
        double within = relit_percent_within(l.relight, 4);
        print_message("%s: %.1f %% within 4\n", maps[i].map, within);
        assert_int_equal(l.relight->num_bounces, 2);
        assert_true(within >= maps[i].least);
        relit_close(&l);
    }
}

// --- the sRGB curve -----------------------------------------------------------------------------

// With -sRGBlight luxels are the same light, stored by the curve, and rounded.
static void test_srgb(void **state) {
    (void)state;
    static const char *const words[] = {"-light", "-light -sRGBlight"};
    relit made[2];
    uint32_t looked = 0;
    for (int i = 0; i < 2; i++) {
        char lights[256];
        (void)snprintf(lights, sizeof lights,
                       "{ \"classname\" \"worldspawn\" \"_q3map2_cmdline\" \"%s\" }"
                       "{ \"classname\" \"light\" \"origin\" \"128 192 100\" }",
                       words[i]);
        made[i] = relit_open(SAMPLE, lights, NULL);
    }
    for (uint32_t f = 0; f < made[0].relight->num_faces; f++) {
        const bsp_relight_face *a = &made[0].relight->faces[f];
        const bsp_relight_face *b = &made[1].relight->faces[f];
        for (uint32_t n = 0; a->num_styles != 0 && n < a->width * a->height; n++) {
            double light = (double)a->luxels[n][0] / 255;
            double stored = 255 * (1.055 * pow(light, 1 / 2.4) - 0.055);
            if (light > 0.01) { // less of a lamp counts in one of them only
                assert_true(fabs((double)b->luxels[n][0] - stored) <= 0.501);
                assert_true(b->luxels[n][0] == floorf(b->luxels[n][0]));
                looked++;
            }
        }
    }
    assert_true(looked > 500);
    relit_close(&made[0]);
    relit_close(&made[1]);
}

// --- bounces ------------------------------------------------------------------------------------

// Sums the light of vertices of faces without luxels, and of the cells of the grid.
static void sum_light(const bsp_relight_options *how, double sums[2]) {
    relit l = open_written(SAMPLE, NULL, how);
    const bsp_map *map = l.written_map;
    sums[0] = sums[1] = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        for (uint32_t n = 0; map->face_lights[f].page[0] < 0 && n < face->num_verts; n++) {
            bool sky = (bsp_surface_bits_of(map, f) & BSP_SURFACE_SKY) != 0;
            sums[0] += sky ? 0 : map->draw_verts[face->first_vert + n].color[0][0];
        }
    }
    for (uint32_t n = 0; n < map->num_light_grid; n++) {
        sums[1] += map->light_grid[n].directed[0][0] + map->light_grid[n].ambient[0][0];
    }
    relit_close(&l);
}

static void test_bounced(void **state) {
    (void)state;
    double direct[2];
    double bounced[2];
    sum_light(&(bsp_relight_options){.direct = true}, direct);
    sum_light(&(bsp_relight_options){.bounces = 4}, bounced);
    print_message("vertices: %g, with bounces %g\n", direct[0], bounced[0]);
    // Surfaces whose textures are not there throw back 0.8 of the light (1.26 with a half of it).
    assert_true(bounced[0] > 1.4 * direct[0] && bounced[0] < 4 * direct[0]);
    assert_true(bounced[1] == direct[1]); // cells have none
}

// --- patches ------------------------------------------------------------------------------------

// A pillar of patches stands beside the lamp: some luxels behind it are dark, and none is brighter.
static void test_patch_shadows(void **state) {
    (void)state;
    const char *beside = "{ \"classname\" \"light\" \"origin\" \"336 192 72\" \"light\" \"200\" }";
    relit without = relit_open(SAMPLE, beside, &(bsp_relight_options){.direct = true});
    relit with =
        relit_open(SAMPLE, beside, &(bsp_relight_options){.direct = true, .patch_shadows = true});
    uint32_t dark = 0;
    for (uint32_t f = 0; f < with.relight->num_faces; f++) {
        const bsp_relight_face *a = &without.relight->faces[f];
        const bsp_relight_face *b = &with.relight->faces[f];
        for (uint32_t n = 0; a->num_styles != 0 && n < a->width * a->height; n++) {
            float lit = b->num_styles != 0 ? b->luxels[n][0] : 0;
            assert_true(lit <= a->luxels[n][0]);
            dark += lit < a->luxels[n][0] / 4;
        }
    }
    print_message("%u luxels in the shadow of patches\n", (unsigned)dark);
    assert_true(dark > 20);
    relit_close(&without);
    relit_close(&with);
}

// --- threads ------------------------------------------------------------------------------------

static void test_threads(void **state) {
    (void)state;
    static const bsp_relight_options how[] = {{.extra = 2, .direct = true}, {.bounces = 2}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        relit l[2];
        bsp_budget *budgets[2];
        for (uint32_t n = 0; n < 2; n++) {
            bsp_relight_options options = how[i];
            budgets[n] = bsp_budget_new(NULL, NULL);
            assert_non_null(budgets[n]);
            bsp_budget_set_threads(budgets[n], 1 + 3 * n);
            options.budget = budgets[n];
            l[n] = open_written(SAMPLE, NULL, &options);
        }
        assert_int_equal(l[0].relight->num_patches != 0, i == 1);
        assert_int_equal(l[0].blob.size, l[1].blob.size);
        assert_memory_equal(l[0].blob.data, l[1].blob.data, l[0].blob.size);
        // What is not light stays.
        assert_int_equal(l[0].map->num_draw_verts, l[0].written_map->num_draw_verts);
        for (uint32_t v = 0; v < l[0].map->num_draw_verts; v++) {
            const bsp_draw_vert *a = &l[0].map->draw_verts[v];
            const bsp_draw_vert *b = &l[0].written_map->draw_verts[v];
            assert_memory_equal(a, b, offsetof(bsp_draw_vert, color));
            assert_int_equal(a->color[0][3], b->color[0][3]);
        }
        for (uint32_t n = 0; n < 2; n++) {
            relit_close(&l[n]);
            bsp_budget_free(budgets[n]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),      cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_reference),     cmocka_unit_test(test_told),
        cmocka_unit_test(test_bounced),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_patch_shadows), cmocka_unit_test(test_srgb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
