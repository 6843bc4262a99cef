// SPDX-License-Identifier: MIT
// The physics shapes of every Source map: each piece is closed, convex and turned outwards; a piece
// of the world that names a brush is the solid that the brush's sides enclose (by bsp_brush_mesh,
// which reads other lumps); solids of models have the volume that the compiler wrote beside them;
// the hulls of displacements stand on the vertices of their meshes. Reads ../shared where it is
// there.
#include "bspkit/physics.h"
#include "support/each_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BEFORE 0.1 // units that a point may stand before a face: floats of metres, far from 0
#define SHRINK 0.5 // units that the compiler takes off the sides of models which may move
#define SAME 0.05  // units between a side of a brush and where its piece ends

/// What the maps have together.
typedef struct totals {
    uint32_t maps;
    uint32_t solids[6];
    uint32_t pieces;
    uint32_t brushes;  ///< pieces that name one which is closed
    uint32_t sides[2]; ///< of these brushes: of the world, of models
    uint32_t same[2];  ///< of these, at which the piece ends; of models: or SHRINK behind them
    uint32_t disp_hulls;
    uint32_t props; ///< triangles with a property of their own
} totals;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Sets the plane of a triangle. False where it is a line.
static bool plane_of(const bsp_physics *p, uint32_t i, double normal[3], double *dist) {
    double at[3][3];
    for (int k = 0; k < 9; k++) {
        at[k / 3][k % 3] = p->points[p->indices[i + (uint32_t)k / 3]][k % 3];
    }
    for (int axis = 0; axis < 3; axis++) {
        at[1][axis] -= at[0][axis];
        at[2][axis] -= at[0][axis];
    }
    normal[0] = at[1][1] * at[2][2] - at[1][2] * at[2][1];
    normal[1] = at[1][2] * at[2][0] - at[1][0] * at[2][2];
    normal[2] = at[1][0] * at[2][1] - at[1][1] * at[2][0];
    double length = sqrt(dot(normal, normal));
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] /= length;
    }
    *dist = dot(normal, at[0]);
    // A sliver's normal says nothing: the points are floats.
    return length > 1;
}

// Each edge is used once in each direction.
static void check_closed(const char *name, const bsp_physics *p, const bsp_physics_piece *piece) {
    const uint32_t *index = p->indices + piece->first_index;
    uint32_t n = piece->num_indices;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = index[i];
        uint32_t to = index[i / 3 * 3 + (i + 1) % 3];
        uint32_t back = 0;
        assert_true(from >= piece->first_point && from - piece->first_point < piece->num_points);
        for (uint32_t k = 0; k < n; k++) {
            back += index[k] == to && index[k / 3 * 3 + (k + 1) % 3] == from;
        }
        if (back != 1) {
            fail_msg("%s: an edge of a piece is used %u times backwards", name, back);
        }
    }
    assert_int_equal((int)piece->num_points - (int)(n / 2) + (int)(n / 3), 2);
}

// Returns how far a point stands before a face of its own piece.
static double most_before(const bsp_physics *p, const bsp_physics_piece *piece) {
    double most = 0;
    for (uint32_t i = 0; i < piece->num_indices; i += 3) {
        double normal[3];
        double dist;
        if (!plane_of(p, piece->first_index + i, normal, &dist)) {
            continue;
        }
        for (uint32_t k = 0; k < piece->num_points; k++) {
            const float *at = p->points[piece->first_point + k];
            double point[3] = {at[0], at[1], at[2]};
            double before = dot(normal, point) - dist;
            most = before > most ? before : most;
        }
    }
    return most;
}

static double volume_of(const bsp_physics *p, const bsp_physics_piece *piece) {
    double sum = 0;
    const float *base = p->points[piece->first_point];
    for (uint32_t i = 0; i < piece->num_indices; i += 3) {
        double v[3][3];
        for (int k = 0; k < 9; k++) {
            v[k / 3][k % 3] =
                (double)p->points[p->indices[piece->first_index + i + (uint32_t)k / 3]][k % 3] -
                (double)base[k % 3];
        }
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
               v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum / 6;
}

// --- brushes ------------------------------------------------------------------------------------

// Returns how far behind the plane of a brush's polygon the piece ends.
static double gap_of(const each_map *m, const bsp_physics *p, const bsp_physics_piece *piece,
                     const bsp_brush_polygon *polygon) {
    const bsp_plane *plane = &m->map->planes[m->map->brush_sides[polygon->side].plane];
    double normal[3] = {plane->normal[0], plane->normal[1], plane->normal[2]};
    double most = -INFINITY;
    for (uint32_t i = 0; i < piece->num_points; i++) {
        const float *at = p->points[piece->first_point + i];
        double point[3] = {at[0], at[1], at[2]};
        double far = dot(normal, point);
        most = far > most ? far : most;
    }
    return (double)plane->dist - most;
}

static void compare_brushes(const each_map *m, const bsp_physics *p, totals *t) {
    const bsp_brush_mesh_options options = {.without_bevels = true};
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(m->map, &options, NULL);
    assert_non_null(mesh);
    for (uint32_t i = 0; i < p->num_pieces; i++) {
        const bsp_physics_piece *piece = &p->pieces[i];
        if (piece->brush == BSP_NONE || mesh->hulls[piece->brush].state != BSP_BRUSH_CLOSED) {
            continue;
        }
        const bsp_brush_hull *hull = &mesh->hulls[piece->brush];
        bool world = p->solids[piece->solid].owner == 0;
        for (uint32_t k = 0; k < hull->num_polygons; k++) {
            double gap = gap_of(m, p, piece, &mesh->polygons[hull->first_polygon + k]);
            bool whole = fabs(gap) < SAME;
            bool shrunk = fabs(gap - SHRINK) < SAME;
            t->sides[world ? 0 : 1]++;
            t->same[world ? 0 : 1] += whole || (!world && shrunk);
        }
        t->brushes++;
    }
    bsp_brush_mesh_free(mesh);
}

// --- maps ---------------------------------------------------------------------------------------

static void look_at(const each_map *m, void *user) {
    totals *t = user;
    bsp_error error = {.code = BSP_OK};
    bsp_physics *p = bsp_physics_build(m->map, m->file, NULL, &error);
    if (p == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    for (uint32_t i = 0; i < p->num_solids; i++) {
        t->solids[p->solids[i].kind]++;
    }
    for (uint32_t i = 0; i < p->num_pieces; i++) {
        const bsp_physics_piece *piece = &p->pieces[i];
        bool disp = p->solids[piece->solid].kind == BSP_PHYSICS_DISPLACEMENT;
        check_closed(m->name, p, piece);
        double before = most_before(p, piece);
        double volume = volume_of(p, piece);
        if (before > BEFORE || !(volume > 0 || (volume == 0 && (disp || piece->num_points == 3)))) {
            fail_msg("%s: piece %u of %s: a point stands %g before a face; volume %g\n", m->name, i,
                     disp ? "a displacement" : "a brush", before, volume);
        }
        t->disp_hulls += disp;
    }
    for (uint32_t i = 0; i < p->num_indices / 3; i++) {
        assert_true(p->triangle_props[i] < p->num_surface_props);
        t->props += p->triangle_props[i] != 0;
    }
    compare_brushes(m, p, t);
    t->maps += p->num_pieces != 0;
    t->pieces += p->num_pieces;
    bsp_physics_free(p);
}

static void pieces_are_the_brushes_of_their_maps(void **state) {
    (void)state;
    totals t = {0};
    if (each_map_do(look_at, &t) == 0) {
        skip();
    }
    print_message(
        "%u maps, %u pieces (%u around displacements) of %u brushes; solids: %u static, "
        "%u solid, %u fluid, %u unnamed, %u displacements, %u props; %u of %u sides of the "
        "world, %u of %u sides of models; %u triangles with a property\n",
        t.maps, t.pieces, t.disp_hulls, t.brushes, t.solids[0], t.solids[1], t.solids[2],
        t.solids[3], t.solids[4], t.solids[5], t.same[0], t.sides[0], t.same[1], t.sides[1],
        t.props);
    assert_true(t.maps > 0);
    // A brush of de_rats_kitchen has two sides that are nearly parallel.
    assert_true(t.same[0] + 1 >= t.sides[0]);
    // Sides that are shorter than twice the shrink are lost.
    assert_true((uint64_t)t.same[1] * 100 >= (uint64_t)t.sides[1] * 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_brushes_of_their_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
