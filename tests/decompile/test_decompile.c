// SPDX-License-Identifier: MIT
// Decompiled brushes: the points that planes are written with, and the brushes of every map, whose
// sides must be the planes of the file.
#include "decompile/brush/overlap.h"
#include "support/each_map.h"
#include "support/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- points of a plane --------------------------------------------------------------------------

// The plane that a reader makes of three points: (p0 - p1) x (p2 - p1) points out of the brush.
static bool plane_of(const double (*p)[3], double normal[3], double *dist) {
    double a[3];
    double b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = p[0][i] - p[1][i];
        b[i] = p[2][i] - p[1][i];
    }
    double length = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        normal[i] = a[j] * b[k] - a[k] * b[j];
        length += normal[i] * normal[i];
    }
    length = sqrt(length);
    *dist = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
        *dist += normal[i] * p[0][i];
    }
    return length > 0;
}

static bool is_near(const bsp_mapdoc_side *side, const double normal[3], double dist) {
    double made[3];
    double made_dist;
    bool near = plane_of((const double(*)[3])side->points, made, &made_dist) &&
                fabs(made_dist - dist) <= 1e-3;
    for (int i = 0; i < 3; i++) {
        near = near && fabs(made[i] - normal[i]) <= 1e-5;
    }
    return near;
}

static bool all_integers(const bsp_mapdoc_side *side) {
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 3; i++) {
            if (side->points[p][i] != rint(side->points[p][i])) {
                return false;
            }
        }
    }
    return true;
}

// A plane through three integer points, as a compiler stores it: in floats.
static void stored(const double (*p)[3], double normal[3], double *dist) {
    double exact[3];
    double exact_dist;
    assert_true(plane_of(p, exact, &exact_dist));
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)(float)exact[i];
    }
    *dist = (double)(float)exact_dist;
}

static void axial_planes_are_exact(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double normal[3] = {0, 0, 0};
            double polygon[4][3];
            normal[axis] = sign;
            for (int i = 0; i < 4; i++) {
                int turn = sign > 0 ? i : 3 - i;
                polygon[i][axis] = sign * 100;
                polygon[i][(axis + 1) % 3] = turn == 1 || turn == 2 ? 0.3 : -20.7;
                polygon[i][(axis + 2) % 3] = turn >= 2 ? 8.01 : 7.99; // a sliver
            }
            bsp_mapdoc_side side;
            bspi_side_plane(&side, normal, 100, (const double(*)[3])polygon, 4);
            assert_true(all_integers(&side));
            double made[3];
            double dist;
            assert_true(plane_of((const double(*)[3])side.points, made, &dist));
            assert_memory_equal(made, normal, sizeof made);
            assert_true(dist == 100);
            assert_memory_equal(side.normal, normal, sizeof normal);
        }
    }
}

static void integers_come_back(void **state) {
    (void)state;
    // The plane through these, its polygon cut off at places that are no integers but for three.
    const double made_of[3][3] = {{-1000, 37, 2050}, {-1100, 300, 2000}, {-900, 360, 1803}};
    double normal[3];
    double dist;
    stored(made_of, normal, &dist);
    double polygon[4][3];
    memcpy(polygon[0], made_of[2], sizeof polygon[0]);
    memcpy(polygon[1], made_of[1], sizeof polygon[1]);
    memcpy(polygon[2], made_of[0], sizeof polygon[2]);
    for (int i = 0; i < 3; i++) { // between the third and the first, and a little off by rounding
        polygon[3][i] = polygon[2][i] * 0.5 + polygon[0][i] * 0.5 + 1e-4;
    }
    bsp_mapdoc_side side;
    bspi_side_plane(&side, normal, dist, (const double(*)[3])polygon, 4);
    assert_true(all_integers(&side));
    assert_true(is_near(&side, normal, dist));
}

// Planes of no integers, large and tiny polygons, all directions.
static void any_plane_reads_back(void **state) {
    (void)state;
    for (int n = 0; n < 5000; n++) {
        double a = n * 0.7311;
        double b = n * 0.2917;
        double normal[3] = {cos(a) * cos(b), sin(a) * cos(b), sin(b)};
        double dist = sin(n * 0.37) * 8192;
        double u[3] = {-sin(a), cos(a), 0};
        double v[3] = {-cos(a) * sin(b), -sin(a) * sin(b), cos(b)};
        double size = n % 3 == 0 ? 0.05 : n % 3 == 1 ? 20 : 3000;
        double polygon[3][3];
        for (int i = 0; i < 3; i++) {
            double angle = i * 2.0;
            for (int j = 0; j < 3; j++) {
                polygon[i][j] = normal[j] * dist + size * (cos(angle) * u[j] + sin(angle) * v[j]);
            }
        }
        bsp_mapdoc_side side;
        bspi_side_plane(&side, normal, dist, (const double(*)[3])polygon, 3);
        assert_true(is_near(&side, normal, dist));
        // And still when each number is written with six places.
        for (int p = 0; p < 3; p++) {
            for (int i = 0; i < 3; i++) {
                side.points[p][i] = rint(side.points[p][i] * 1e6) / 1e6;
            }
        }
        assert_true(is_near(&side, normal, dist));
    }
}

// --- polygons -----------------------------------------------------------------------------------

static bspi_outline rectangle(double x0, double y0, double x1, double y1) {
    bspi_outline f = {.count = 4, .at = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
    return f;
}

static void common_areas(void **state) {
    (void)state;
    bspi_outline border = rectangle(0, 0, 10, 10);
    bspi_outline inner = rectangle(5, -5, 25, 5);
    assert_float_equal(bspi_common_area(&border, &inner), 25, 1e-9);
    inner = rectangle(2, 2, 3, 4);
    assert_float_equal(bspi_common_area(&border, &inner), 2, 1e-9);
    inner = rectangle(10, 0, 20, 10); // only an edge in common
    assert_float_equal(bspi_common_area(&border, &inner), 0, 1e-9);
    inner = rectangle(-10, -10, 20, 20);
    assert_float_equal(bspi_common_area(&border, &inner), 100, 1e-9);
    // Clockwise is as good; a corner of the triangle is cut off by x = 10.
    inner = (bspi_outline){.count = 3, .at = {{8, 0}, {8, 4}, {12, 0}}};
    assert_float_equal(bspi_common_area(&border, &inner), 8 - 2, 1e-9);
}

// Seen from outside a polygon stays counter-clockwise, whatever its axis and direction.
static void flattened_polygons_keep_their_sense(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double normal[3] = {0.1, 0.2, 0.15};
            normal[axis] = sign;
            double points[3][3] = {{0}};
            points[1][(axis + 1) % 3] = sign > 0 ? 4 : 0;
            points[1][(axis + 2) % 3] = sign > 0 ? 0 : 4;
            points[2][(axis + 1) % 3] = sign > 0 ? 0 : 4;
            points[2][(axis + 2) % 3] = sign > 0 ? 4 : 0;
            assert_int_equal(bspi_dominant_axis(normal), axis);
            bspi_outline f;
            bspi_flatten((const double(*)[3])points, 3, normal, axis, &f);
            double twice = (f.at[1][0] - f.at[0][0]) * (f.at[2][1] - f.at[0][1]) -
                           (f.at[1][1] - f.at[0][1]) * (f.at[2][0] - f.at[0][0]);
            assert_float_equal(twice, 16, 1e-9);
        }
    }
}

// --- brushes of every map -----------------------------------------------------------------------

typedef struct totals {
    unsigned maps;
    unsigned brushes;
    unsigned spare;
} totals;

static void check_map(const each_map *m, void *user) {
    totals *t = user;
    bsp_decompile_report report;
    bsp_error error = {0};
    bsp_family family = m->map->branch->family;
    if (family != BSP_QUAKE2 && family != BSP_QUAKE3) {
        return;
    }
    bsp_mapdoc *source = bsp_decompile(m->map, NULL, &report, &error);
    if (source == NULL) {
        fail_msg("%s: %s", m->name, error.message);
        return;
    }
    t->maps++;
    assert_int_equal(report.brushes_out <= source->num_brushes, true);
    assert_int_equal(report.sides, report.sides_faced + report.sides_kept + report.sides_guessed);
    REPORT("%-60s %5u brushes %5u lost %6u sides: %5.1f %% faces %5.1f %% own %5.1f %% guess, %6u "
           "bevels\n",
           m->name, report.brushes_out, report.brushes_lost, report.sides,
           100.0 * report.sides_faced / (report.sides + 1e-9),
           100.0 * report.sides_kept / (report.sides + 1e-9),
           100.0 * report.sides_guessed / (report.sides + 1e-9), report.bevels);
    for (uint32_t e = 0; e < source->num_entities; e++) {
        assert_true(source->entities[e].num_pairs != 0);
        // What the compiler wrote into the entities of brush models is gone.
        if (e != 0 && source->entities[e].num_brushes != 0) {
            assert_null(bsp_mapdoc_value(source, e, "origin").data);
            assert_null(bsp_mapdoc_value(source, e, "model").data);
        }
    }
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(source, NULL, NULL, &health, NULL));
    assert_int_equal(health.open + health.empty, 0);
    t->brushes += source->num_brushes;
    t->spare += health.spare;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        assert_true(source->brushes[b].num_sides >= 4);
    }
    bsp_mapdoc_free(source);
}

static void every_map(void **state) {
    (void)state;
    totals t = {0};
    (void)each_map_do(check_map, &t);
    assert_true(t.maps != 0);
    REPORT("%u maps, %u brushes, %u with a side that bounds nothing\n", t.maps, t.brushes, t.spare);
}

// Forty nodes and more whose two sides are one another's only child: 2 to the 40 ways down.
static void shared_branches_are_walked_once(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_decompile_report report;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL, &error);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    assert_true(map->num_nodes > 40);
    bsp_node *nodes = (bsp_node *)(uintptr_t)map->nodes; // this test's own map
    for (uint32_t i = 0; i + 1 < map->num_nodes; i++) {
        nodes[i].children[0] = nodes[i].children[1] = (int32_t)i + 1;
    }
    bsp_mapdoc *source = bsp_decompile(map, NULL, &report, &error);
    assert_non_null(source);
    assert_int_equal(report.brushes_in, map->num_brushes);
    assert_int_equal(report.brushes_out, map->num_brushes);
    bsp_mapdoc_free(source);
    bsp_map_free(map);
    bsp_file_close(file);
}

// Sides of a clip brush have no record in the file (bspkit's own sample: the first brush becomes
// one). That one of them let light through is left in the contents of the brush alone: the guess
// says it, so that compilers derive the contents again. A solid brush would become a window.
static void lost_sides_let_light_through(void **state) {
    (void)state;
    static const struct {
        uint32_t contents;
        uint32_t flags; // 0x80: not drawn, 0x10: a third translucent
    } cases[] = {{0x18030002, 0x90}, {0x10030000, 0x90}, {0x08030002, 0x80}, {0x10010001, 0x80}};
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake2/lobby.bsp", NULL, NULL);
    assert_non_null(file);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    bsp_brush *brush = (bsp_brush *)(uintptr_t)map->brushes; // this test's own map
    bsp_brush_side *sides = (bsp_brush_side *)(uintptr_t)map->brush_sides;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        sides[brush->first_side + i].texinfo = BSP_NONE;
    }
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        brush->contents = (int32_t)cases[c].contents;
        bsp_mapdoc *source = bsp_decompile(map, NULL, NULL, NULL);
        assert_non_null(source);
        unsigned guessed = 0;
        for (uint32_t i = 0; i < source->num_sides; i++) {
            const bsp_mapdoc_side *side = &source->sides[i];
            if (side->contents == cases[c].contents && (side->flags & 0x80) != 0) {
                assert_int_equal(side->flags, cases[c].flags);
                guessed++;
            }
        }
        assert_in_range(guessed, 4, brush->num_sides);
        bsp_mapdoc_free(source);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axial_planes_are_exact),
        cmocka_unit_test(integers_come_back),
        cmocka_unit_test(any_plane_reads_back),
        cmocka_unit_test(common_areas),
        cmocka_unit_test(flattened_polygons_keep_their_sense),
        cmocka_unit_test(every_map),
        cmocka_unit_test(shared_branches_are_walked_once),
        cmocka_unit_test(lost_sides_let_light_through),
    };
    return cmocka_run_group_tests_name("decompile", tests, NULL, NULL);
}
