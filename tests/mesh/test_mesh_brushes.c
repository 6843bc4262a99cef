// SPDX-License-Identifier: MIT
// Brush hulls: a cube and cut cubes made here, and all brushes of the samples and the corpus, which
// must be closed, and lie on and behind their own planes.
#include "bspkit/mesh.h"
#include "support/each_map.h"
#include "support/report.h"
#include "support/volume.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- solids made here ---------------------------------------------------------------------------

#define MOST_PLANES 64

typedef struct solid {
    bsp_plane planes[MOST_PLANES];
    bsp_brush_side sides[MOST_PLANES];
    bsp_brush brush;
    bsp_traits traits;
    bsp_map map;
} solid;

static void begin(solid *s) {
    memset(s, 0, sizeof *s);
    s->traits.max_coord = 4096;
    s->map.traits = &s->traits;
    s->map.planes = s->planes;
    s->map.brush_sides = s->sides;
    s->map.brushes = &s->brush;
    s->map.num_brushes = 1;
}

static void add(solid *s, double x, double y, double z, double dist) {
    double length = sqrt(x * x + y * y + z * z);
    uint32_t n = s->map.num_planes++;
    s->planes[n] = (bsp_plane){
        {(float)(x / length), (float)(y / length), (float)(z / length)}, (float)dist, 0};
    s->sides[n].plane = n;
    s->map.num_brush_sides = s->brush.num_sides = n + 1;
}

static void add_cube(solid *s, double half) {
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            add(s, axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0, half);
        }
    }
}

static bsp_brush_mesh *build(const solid *s) {
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(&s->map, NULL, NULL);
    assert_non_null(mesh);
    return mesh;
}

static double volume(const bsp_brush_mesh *mesh, const bsp_brush_hull *hull) {
    double sum = 0;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
        sum += volume_of_polygon(mesh->points, mesh->indices + polygon->first_index,
                                 polygon->num_indices);
    }
    return sum;
}

static void test_cube(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    bsp_brush_mesh *mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_CLOSED);
    assert_int_equal(mesh->num_points, 8);
    assert_int_equal(mesh->num_polygons, 6);
    assert_int_equal(mesh->num_indices, 24);
    assert_true(fabs(volume(mesh, &mesh->hulls[0]) - 4096) < 1e-6);
    bsp_brush_mesh_free(mesh);
}

// Twelve edge bevels and a doubled plane touch the cube and take nothing away.
static void test_bevels(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    for (int axis = 0; axis < 3; axis++) {
        for (int signs = 0; signs < 4; signs++) {
            double n[3] = {0, 0, 0};
            n[(axis + 1) % 3] = (signs & 1) != 0 ? 1 : -1;
            n[(axis + 2) % 3] = (signs & 2) != 0 ? 1 : -1;
            add(&s, n[0], n[1], n[2], 16 / sqrt(2));
        }
    }
    add(&s, 1, 0, 0, 8);
    bsp_brush_mesh *mesh = build(&s);
    assert_int_equal(mesh->num_polygons, 6);
    assert_int_equal(mesh->num_points, 8);
    for (uint32_t p = 0; p < mesh->num_polygons; p++) {
        assert_true(mesh->polygons[p].side < 6);
    }
    bsp_brush_mesh_free(mesh);
}

// A corner cut off: seven polygons, and the volume less a sixth of a cube of edge 4.
static void test_corner(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    add(&s, 1, 1, 1, 20 / sqrt(3));
    bsp_brush_mesh *mesh = build(&s);
    assert_int_equal(mesh->num_polygons, 7);
    assert_int_equal(mesh->num_points, 10);
    assert_true(fabs(volume(mesh, &mesh->hulls[0]) - (4096 - 64.0 / 6)) < 1e-3);
    bsp_brush_mesh_free(mesh);
}

static void test_states(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    add(&s, 1, 0, 0, -9);
    bsp_brush_mesh *mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_EMPTY);
    assert_int_equal(mesh->num_polygons, 0);
    bsp_brush_mesh_free(mesh);

    begin(&s);
    add(&s, 0, 0, 1, 0);
    mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_OPEN);
    assert_int_equal(mesh->num_polygons, 1);
    bsp_brush_mesh_free(mesh);

    begin(&s);
    add_cube(&s, 8);
    s.planes[3].normal[1] = NAN;
    mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_DAMAGED);
    bsp_brush_mesh_free(mesh);

    begin(&s);
    add_cube(&s, 8);
    s.sides[2].plane = BSP_NONE;
    mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_DAMAGED);
    bsp_brush_mesh_free(mesh);
}

// --- bevels -------------------------------------------------------------------------------------

static void add_bevel(solid *s, double x, double y, double z, double dist) {
    add(s, x, y, z, dist);
    s->sides[s->brush.num_sides - 1].bevel = 1;
}

static bsp_brush_mesh *build_without_bevels(const solid *s) {
    bsp_brush_mesh_options options = {.without_bevels = true};
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(&s->map, &options, NULL);
    assert_non_null(mesh);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_CLOSED);
    return mesh;
}

static bool has_side(const bsp_brush_mesh *mesh, uint32_t side) {
    for (uint32_t p = 0; p < mesh->num_polygons; p++) {
        if (mesh->polygons[p].side == side) {
            return true;
        }
    }
    return false;
}

// The cube with its corner cut off by side 6, and what vbsp adds: 7 nearly parallel to side 6 and a
// little tighter, which takes its place; 8 grazes an edge, 0.05 units deep.
static void test_bevels_that_graze(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    add(&s, 1, 1, 1, 20 / sqrt(3));
    add_bevel(&s, 1, 1.0001, 1, 20 / sqrt(3) - 0.02);
    add_bevel(&s, -1, -1, 0, 16 / sqrt(2) - 0.05);
    bsp_brush_mesh *mesh = build(&s);
    assert_true(has_side(mesh, 7) && has_side(mesh, 8) && !has_side(mesh, 6));
    bsp_brush_mesh_free(mesh);
    mesh = build_without_bevels(&s);
    assert_int_equal(mesh->num_polygons, 7);
    assert_int_equal(mesh->num_points, 10);
    for (uint32_t side = 0; side < 7; side++) {
        assert_true(has_side(mesh, side));
    }
    assert_true(fabs(volume(mesh, &mesh->hulls[0]) - (4096 - 64.0 / 6)) < 1e-3);
    bsp_brush_mesh_free(mesh);
}

// A roof over a square: 4 slopes and a floor, so no side faces up. The compiler adds a marked +Z,
// and once more unmarked where its rounding differs: both go. An unmarked side after a marked one
// of another direction is the author's, and stays.
static void test_bevels_without_mark(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add(&s, 1, 0, 1, 8);
    add(&s, -1, 0, 1, 8);
    add(&s, 0, 1, 1, 8);
    add(&s, 0, -1, 1, 8);
    add_bevel(&s, 0, 0, 1, 8 * sqrt(2));
    add(&s, 0, 0, -1, 0);
    add(&s, 0, 0, 1, 8 * sqrt(2) - 0.03);
    bsp_brush_mesh *mesh = build(&s);
    assert_true(has_side(mesh, 6));
    bsp_brush_mesh_free(mesh);
    mesh = build_without_bevels(&s);
    assert_int_equal(mesh->num_polygons, 5);
    assert_true(has_side(mesh, 5) && !has_side(mesh, 4) && !has_side(mesh, 6));
    bsp_brush_mesh_free(mesh);
    // A side of the author's that is as thin as that, with no marked one before it: it is his.
    begin(&s);
    add(&s, 1, 0, 1, 8);
    add(&s, -1, 0, 1, 8);
    add(&s, 0, 1, 1, 8);
    add(&s, 0, -1, 1, 8);
    add(&s, 0, 0, 1, 8 * sqrt(2) - 0.03);
    add(&s, 0, 0, -1, 0);
    mesh = build_without_bevels(&s);
    assert_int_equal(mesh->num_polygons, 6);
    bsp_brush_mesh_free(mesh);
}

// What points and rays hit is what the author's sides enclose, however much a bevel cuts off. Marks
// on sides that the brush does not close without count for nothing.
static void test_bevels_that_cut(void **state) {
    (void)state;
    solid s;
    begin(&s);
    add_cube(&s, 8);
    add_bevel(&s, 1, 0, 0, -9);
    bsp_brush_mesh *mesh = build(&s);
    assert_int_equal(mesh->hulls[0].state, BSP_BRUSH_EMPTY);
    bsp_brush_mesh_free(mesh);
    mesh = build_without_bevels(&s);
    assert_int_equal(mesh->num_polygons, 6);
    assert_true(fabs(volume(mesh, &mesh->hulls[0]) - 4096) < 1e-6);
    bsp_brush_mesh_free(mesh);
    begin(&s);
    add_cube(&s, 8);
    s.sides[3].bevel = 1;
    mesh = build_without_bevels(&s);
    assert_int_equal(mesh->num_polygons, 6);
    bsp_brush_mesh_free(mesh);
}

// --- all maps -----------------------------------------------------------------------------------

typedef struct counts {
    uint64_t brushes;
    uint64_t states[4];
    uint64_t leaky;     // an edge without its opposite
    uint64_t off_plane; // a point off its side's plane by more than twice the epsilon
    uint64_t outside;   // a point in front of some side by that much
    uint64_t inverted;  // no volume
    double furthest;
    uint64_t added;    // sides that the compiler of a Source map added
    uint64_t left;     // of these: with a polygon where bevels are left out
    uint64_t authored; // the other sides of maps that have added ones
    uint64_t lost;     // of these: without a polygon where bevels are left out
} counts;

static uint32_t find_edge(const bsp_brush_mesh *mesh, const bsp_brush_hull *hull, uint32_t from,
                          uint32_t to) {
    uint32_t found = 0;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
        const uint32_t *index = mesh->indices + polygon->first_index;
        for (uint32_t i = 0; i < polygon->num_indices; i++) {
            found += index[i] == from && index[(i + 1) % polygon->num_indices] == to;
        }
    }
    return found;
}

static bool is_closed(const bsp_brush_mesh *mesh, const bsp_brush_hull *hull) {
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
        const uint32_t *index = mesh->indices + polygon->first_index;
        for (uint32_t i = 0; i < polygon->num_indices; i++) {
            uint32_t next = index[(i + 1) % polygon->num_indices];
            if (find_edge(mesh, hull, index[i], next) != 1 ||
                find_edge(mesh, hull, next, index[i]) != 1) {
                return false;
            }
        }
    }
    return true;
}

static double distance(const bsp_map *map, uint32_t side, const double p[3]) {
    const bsp_plane *plane = &map->planes[map->brush_sides[side].plane];
    return p[0] * (double)plane->normal[0] + p[1] * (double)plane->normal[1] +
           p[2] * (double)plane->normal[2] - (double)plane->dist;
}

static void check_points(const bsp_map *map, const bsp_brush_mesh *mesh, uint32_t number,
                         counts *c) {
    const bsp_brush *brush = &map->brushes[number];
    const bsp_brush_hull *hull = &mesh->hulls[number];
    double off = 0;
    double out = 0;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
        for (uint32_t i = 0; i < polygon->num_indices; i++) {
            uint32_t index = mesh->indices[polygon->first_index + i];
            off = fmax(off, fabs(distance(map, polygon->side, mesh->points[index].at)));
        }
    }
    for (uint32_t i = 0; i < hull->num_points; i++) {
        for (uint32_t s = 0; s < brush->num_sides; s++) {
            double d = distance(map, brush->first_side + s, mesh->points[hull->first_point + i].at);
            out = fmax(out, d);
        }
    }
    c->off_plane += off > 2 * BSP_BRUSH_EPSILON;
    c->outside += out > 2 * BSP_BRUSH_EPSILON;
    c->furthest = fmax(c->furthest, fmax(off, out));
}

static void do_brushes(const each_map *m, void *user) {
    counts *c = user;
    bsp_error error = {0};
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(m->map, NULL, &error);
    if (mesh == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    for (uint32_t b = 0; b < m->map->num_brushes; b++) {
        const bsp_brush_hull *hull = &mesh->hulls[b];
        c->brushes++;
        c->states[hull->state]++;
        if (hull->state != BSP_BRUSH_CLOSED) {
            REPORT("%s: brush %u of %u sides, contents 0x%x: state %d\n", m->name, b,
                   m->map->brushes[b].num_sides, (unsigned)m->map->brushes[b].contents,
                   (int)hull->state);
            continue;
        }
        bool closed = is_closed(mesh, hull);
        c->leaky += !closed;
        c->inverted += volume(mesh, hull) <= 0;
        check_points(m->map, mesh, b, c);
        if (!closed) {
            REPORT("%s: brush %u leaks\n", m->name, b);
        }
    }
    bsp_brush_mesh_free(mesh);
}

// Sides that are marked, or face along the axis that an earlier marked side of the brush faces
// along: in no brush of the corpus does such a side come before the marked one.
static bool is_added(const bsp_map *map, const bsp_brush *brush, uint32_t number) {
    const bsp_brush_side *sides = &map->brush_sides[brush->first_side];
    bool added = sides[number].bevel != 0;
    const bsp_plane *plane = &map->planes[sides[number].plane];
    for (uint32_t i = 0; i < number && !added && plane->type < 3; i++) {
        const bsp_plane *other = &map->planes[sides[i].plane];
        added =
            sides[i].bevel != 0 && memcmp(plane->normal, other->normal, sizeof plane->normal) == 0;
    }
    return added;
}

// Each brush has just the sides that its author gave it, those by far less than the epsilon too.
static void do_authored(const each_map *m, void *user) {
    counts *c = user;
    const bsp_map *map = m->map;
    bsp_brush_mesh_options options = {.without_bevels = true};
    if (map->branch->family != BSP_SOURCE || map->branch->opaque || !each_map_has_bodies(m)) {
        return;
    }
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(map, &options, NULL);
    assert_non_null(mesh);
    for (uint32_t b = 0; b < map->num_brushes; b++) {
        const bsp_brush *brush = &map->brushes[b];
        const bsp_brush_hull *hull = &mesh->hulls[b];
        assert_int_equal(hull->state, BSP_BRUSH_CLOSED);
        assert_true(is_closed(mesh, hull));
        uint32_t added = 0;
        for (uint32_t i = 0; i < brush->num_sides; i++) {
            added += is_added(map, brush, i);
        }
        for (uint32_t p = 0; p < hull->num_polygons; p++) {
            uint32_t side = mesh->polygons[hull->first_polygon + p].side;
            c->left += is_added(map, brush, side - brush->first_side);
        }
        c->added += added;
        c->authored += brush->num_sides - added;
        c->lost += brush->num_sides - added - hull->num_polygons;
    }
    bsp_brush_mesh_free(mesh);
}

static void test_authored(void **state) {
    (void)state;
    counts c;
    memset(&c, 0, sizeof c);
    unsigned corpus = each_map_do(do_authored, &c);
    print_message("%llu authored sides, %llu lost; %llu added by compilers, %llu left\n",
                  (unsigned long long)c.authored, (unsigned long long)c.lost,
                  (unsigned long long)c.added, (unsigned long long)c.left);
    assert_true(c.authored > (corpus != 0 ? 40000 : 30));
    assert_true(corpus == 0 || c.added > 6000);
    assert_int_equal(c.lost, 0);
    assert_int_equal(c.left, 0);
}

static void test_maps(void **state) {
    (void)state;
    counts c;
    memset(&c, 0, sizeof c);
    each_map_do(do_brushes, &c);
    print_message("%llu brushes: %llu closed, %llu empty, %llu open, %llu damaged; of the closed "
                  "%llu leak, %llu have no volume, %llu points off their planes, %llu outside, "
                  "furthest %g\n",
                  (unsigned long long)c.brushes, (unsigned long long)c.states[0],
                  (unsigned long long)c.states[1], (unsigned long long)c.states[2],
                  (unsigned long long)c.states[3], (unsigned long long)c.leaky,
                  (unsigned long long)c.inverted, (unsigned long long)c.off_plane,
                  (unsigned long long)c.outside, c.furthest);
    assert_int_equal(c.leaky, 0);
    assert_int_equal(c.outside, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_bevels),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_bevels_that_graze),
        cmocka_unit_test(test_bevels_without_mark),
        cmocka_unit_test(test_bevels_that_cut),
        cmocka_unit_test(test_authored),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
