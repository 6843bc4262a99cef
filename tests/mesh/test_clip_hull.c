// SPDX-License-Identifier: MIT
// Clip hulls as polygons: a cube made here, trees that run in circles, and the hulls of the samples
// and the corpus, which must be solid exactly where traces in the same hull are.
#include "bspkit/hulls.h"
#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"
#include "support/report.h"
#include "support/volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { EMPTY = -1, SOLID = -2, WATER = -3 };

// --- a tree made here ---------------------------------------------------------------------------

typedef struct tree {
    bsp_plane planes[6];
    bsp_clipnode nodes[6];
    bsp_hull boxes[2];
    bsp_traits traits;
    bsp_model model;
    bsp_map map;
} tree;

// A cube of 16 units around the origin, whose outside is empty.
static void begin(tree *t) {
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < 6; i++) {
        t->planes[i].normal[i / 2] = i % 2 == 0 ? 1 : -1;
        t->planes[i].dist = 8;
        t->nodes[i] = (bsp_clipnode){i, {EMPTY, i == 5 ? SOLID : (int32_t)i + 1}};
    }
    for (int i = 0; i < 3; i++) {
        t->model.mins[i] = -8, t->model.maxs[i] = 8;
    }
    t->model.headnodes[1] = 0;
    t->traits.num_hulls = 2;
    t->traits.hulls = t->boxes;
    t->map = (bsp_map){.traits = &t->traits,
                       .planes = t->planes,
                       .num_planes = 6,
                       .clipnodes = t->nodes,
                       .num_clipnodes = 6,
                       .models = &t->model,
                       .num_models = 1};
}

static double volume(const bsp_hull_mesh *mesh, const bsp_hull_piece *piece) {
    double sum = 0;
    for (uint32_t p = 0; p < piece->num_polygons; p++) {
        const bsp_hull_polygon *polygon = &mesh->polygons[piece->first_polygon + p];
        sum += volume_of_polygon(mesh->points, mesh->indices + polygon->first_index,
                                 polygon->num_indices);
    }
    return sum;
}

static bsp_hull_mesh *build(const bsp_map *map, bool surface) {
    const bsp_hull_mesh_options options = {.surface = surface};
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(map, &options, NULL);
    assert_non_null(mesh);
    return mesh;
}

static void test_cube(void **state) {
    (void)state;
    tree t;
    begin(&t);
    for (int surface = 0; surface < 2; surface++) {
        bsp_hull_mesh *mesh = build(&t.map, surface != 0);
        assert_int_equal(mesh->num_pieces, 1);
        assert_int_equal(mesh->num_polygons, 6);
        assert_int_equal(mesh->num_points, surface != 0 ? 24 : 8);
        assert_int_equal(mesh->num_skipped, 0);
        assert_int_equal(mesh->pieces[0].hull, 1);
        assert_true(fabs(volume(mesh, &mesh->pieces[0]) - 4096) < 1e-6);
        bsp_hull_mesh_free(mesh);
    }
}

// What is in front of a polygon divides it: half of the side +X of one half of the cube is covered
// by nothing, all of the sides between the halves is.
static void test_halves(void **state) {
    (void)state;
    tree t;
    begin(&t);
    t.planes[5] = (bsp_plane){.normal = {0, 0, 1}, .dist = 0}; // in place of the last side
    t.nodes[5] = (bsp_clipnode){5, {SOLID, SOLID}};
    t.model.mins[2] = -8;
    bsp_hull_mesh *mesh = build(&t.map, false);
    assert_int_equal(mesh->num_pieces, 2);
    assert_int_equal(mesh->num_polygons, 12);
    bsp_hull_mesh_free(mesh);
    mesh = build(&t.map, true);
    assert_int_equal(mesh->num_polygons,
                     9); // five sides and four; the cut off end and z = 0 are none
    bsp_hull_mesh_free(mesh);
}

// What is not solid is open, water too. The part beyond +Y is solid as well: of the cube its side
// there is covered, and of that part's own side there only what is above and below the cube is not.
static void test_sunken(void **state) {
    (void)state;
    tree t;
    begin(&t);
    t.nodes[0].children[0] = WATER;
    t.nodes[2].children[0] = SOLID;
    bsp_hull_mesh *mesh = build(&t.map, true);
    uint32_t sides[6] = {0};
    for (uint32_t p = 0; p < mesh->num_polygons; p++) {
        assert_in_range(mesh->polygons[p].plane, 0, 5);
        sides[mesh->polygons[p].plane]++;
    }
    assert_int_equal(mesh->num_pieces, 2);
    for (uint32_t i = 0; i < 6; i++) {
        static const uint32_t expected[6] = {2, 2, 2, 1, 1, 1};
        assert_int_equal(sides[i], expected[i]);
    }
    bsp_hull_mesh_free(mesh);
}

static void test_choice(void **state) {
    (void)state;
    tree t;
    begin(&t);
    const bsp_hull_mesh_options others[] = {{.hull = 2}, {.first_model = 1}, {.hull = 7}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bsp_hull_mesh *mesh = bsp_hull_mesh_build(&t.map, &others[i], NULL);
        assert_non_null(mesh);
        assert_int_equal(mesh->num_pieces, 0);
        bsp_hull_mesh_free(mesh);
    }
    t.map.num_clipnodes = 0;
    bsp_hull_mesh *mesh = build(&t.map, false);
    assert_int_equal(mesh->num_polygons, 0);
    bsp_hull_mesh_free(mesh);
}

// A tree that leads back to its root ends by the limit of work, and planes that are none end there.
static void test_circle(void **state) {
    (void)state;
    tree t;
    begin(&t);
    t.nodes[5].children[1] = 0;
    t.nodes[5].children[0] = 0;
    bsp_error error = {0};
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(&t.map, NULL, &error);
    assert_null(mesh);
    assert_int_equal(error.code, BSP_E_LIMIT);
    begin(&t);
    t.nodes[3].plane = 6;
    t.nodes[5].children[1] = 6;
    mesh = build(&t.map, true);
    assert_int_equal(mesh->num_pieces, 0);
    bsp_hull_mesh_free(mesh);
    begin(&t);
    t.planes[2].normal[1] = NAN;
    t.model.maxs[0] = INFINITY;
    bsp_hull_mesh_free(build(&t.map, true));
}

// --- maps ---------------------------------------------------------------------------------------

#define NEAR 0.05 // units: what traces and pieces may differ by
#define POINTS 400u

static bool is_solid(const bsp_trace_index *index, uint32_t model, uint32_t hull,
                     const double at[3]) {
    bsp_trace_input input = {.model = model, .hull = hull + 1};
    bsp_trace_result result;
    for (int i = 0; i < 3; i++) {
        input.start[i] = input.end[i] = (float)at[i];
    }
    bsp_trace(index, &input, &result);
    return result.start_solid;
}

// The middle of a polygon, and its plane; false for one too narrow to be judged.
static bool middle_of(const bsp_hull_mesh *mesh, const bsp_hull_polygon *polygon, double middle[3],
                      double normal[3]) {
    const uint32_t *index = mesh->indices + polygon->first_index;
    const double *a = mesh->points[index[0]].at;
    double around = 0;
    memset(middle, 0, 3 * sizeof *middle);
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 0; i < polygon->num_indices; i++) {
        const double *b = mesh->points[index[i]].at;
        const double *c = mesh->points[index[(i + 1) % polygon->num_indices]].at;
        for (int k = 0; k < 3; k++) {
            int y = (k + 1) % 3;
            int z = (k + 2) % 3;
            middle[k] += b[k] / polygon->num_indices;
            normal[k] += (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
        }
        around += sqrt(pow(c[0] - b[0], 2) + pow(c[1] - b[1], 2) + pow(c[2] - b[2], 2));
    }
    double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        normal[k] /= area;
    }
    return area > around; // wider than about a unit
}

// Returns by how far a point is outside of a piece; negative: inside.
static double outside(const bsp_hull_mesh *mesh, const bsp_hull_piece *piece, const double at[3]) {
    double most = -INFINITY;
    for (uint32_t p = 0; p < piece->num_polygons; p++) {
        double middle[3];
        double normal[3];
        (void)middle_of(mesh, &mesh->polygons[piece->first_polygon + p], middle, normal);
        double away = 0;
        for (int i = 0; i < 3; i++) {
            away += normal[i] * (at[i] - middle[i]);
        }
        most = away > most ? away : most;
    }
    return most;
}

typedef struct sums {
    unsigned maps, pieces, fragments, points;
} sums;

// A point well inside of a piece is solid.
static void check_pieces(const bsp_hull_mesh *mesh, const bsp_trace_index *index, sums *to) {
    uint32_t step = 1 + mesh->num_pieces / test_effort(20000);
    for (uint32_t p = 0; p < mesh->num_pieces; p += step) {
        const bsp_hull_piece *piece = &mesh->pieces[p];
        double middle[3] = {0, 0, 0};
        for (uint32_t i = 0; i < piece->num_points; i++) {
            for (int k = 0; k < 3; k++) {
                middle[k] += mesh->points[piece->first_point + i].at[k] / piece->num_points;
            }
        }
        if (outside(mesh, piece, middle) < -NEAR) {
            assert_true(is_solid(index, piece->model, piece->hull, middle));
            to->pieces++;
        }
    }
}

// Random points of a model are in a piece exactly where they are solid.
static void check_points(const bsp_map *map, const bsp_hull_mesh *mesh,
                         const bsp_trace_index *index, sums *to) {
    test_random random = {.state = 7};
    for (uint32_t n = 0; n < test_effort(POINTS); n++) {
        uint32_t hull = 1 + (uint32_t)random_below(&random, map->traits->num_hulls - 1);
        double at[3];
        double nearest = INFINITY;
        for (int i = 0; i < 3; i++) {
            double part = (double)random_u32(&random) / UINT32_MAX;
            at[i] = (double)map->models[0].mins[i] +
                    part * ((double)map->models[0].maxs[i] - (double)map->models[0].mins[i]);
        }
        for (uint32_t p = 0; p < mesh->num_pieces && mesh->pieces[p].model == 0; p++) {
            if (mesh->pieces[p].hull == hull) {
                double away = outside(mesh, &mesh->pieces[p], at);
                nearest = away < nearest ? away : nearest;
            }
        }
        if (fabs(nearest) > NEAR && (hull == 1 || map->models[0].headnodes[hull] != 0)) {
            assert_int_equal(nearest < 0, is_solid(index, 0, hull, at));
            to->points++;
        }
    }
}

// In front of the surface nothing is solid, behind it all is.
static void check_surface(const bsp_map *map, const bsp_trace_index *index, sums *to) {
    bsp_hull_mesh *mesh = build(map, true);
    unsigned wrong = 0;
    unsigned seen = 0;
    for (uint32_t p = 0; p < mesh->num_pieces; p++) {
        const bsp_hull_piece *piece = &mesh->pieces[p];
        for (uint32_t n = 0; n < piece->num_polygons; n++) {
            const bsp_hull_polygon *polygon = &mesh->polygons[piece->first_polygon + n];
            double middle[3], normal[3], front[3], back[3];
            if (!middle_of(mesh, polygon, middle, normal)) {
                continue;
            }
            for (int i = 0; i < 3; i++) {
                front[i] = middle[i] + NEAR * normal[i];
                back[i] = middle[i] - NEAR * normal[i];
            }
            seen++;
            wrong += is_solid(index, piece->model, piece->hull, front) ||
                     !is_solid(index, piece->model, piece->hull, back);
        }
    }
    to->fragments += seen;
    if (wrong * 1000 > seen) {
        fprintf(stderr, "%u of %u parts of the surface\n", wrong, seen);
        fail();
    }
    bsp_hull_mesh_free(mesh);
}

static void check_map(const each_map *m, void *user) {
    sums *to = user;
    if (m->map->num_clipnodes == 0 || m->map->traits->num_hulls < 2) {
        return;
    }
    bsp_error error = {0};
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(m->map, NULL, &error);
    if (mesh == NULL) {
        fprintf(stderr, "%s: %s\n", m->name, error.message);
        fail();
    }
    bsp_trace_index *index = bsp_trace_index_new(m->map, NULL, NULL);
    assert_non_null(index);
    assert_int_equal(mesh->num_skipped, 0);
    check_pieces(mesh, index, to);
    check_points(m->map, mesh, index, to);
    check_surface(m->map, index, to);
    to->maps++;
    bsp_trace_index_free(index);
    bsp_hull_mesh_free(mesh);
}

static void test_maps(void **state) {
    (void)state;
    sums all = {0};
    (void)each_map_do_some(test_step(8), check_map, &all);
    assert_true(all.maps >= 2 && all.pieces > 100 && all.fragments > 100 && all.points > 10);
    REPORT("%u maps: %u pieces, %u parts of the surface, %u points\n", all.maps, all.pieces,
           all.fragments, all.points);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),   cmocka_unit_test(test_halves), cmocka_unit_test(test_sunken),
        cmocka_unit_test(test_choice), cmocka_unit_test(test_circle), cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
