// SPDX-License-Identifier: MIT
// Meshes of the sample maps and of the corpus, held against what the
// files themselves say: planes, areas, bounds, neighbours, sizes of lumps. With BSPKIT_REPORT in
// the environment each map prints its numbers.
#include "bspkit/mesh.h"
#include "support/each_map.h"
#include "support/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What a test finds, over all maps.
typedef struct totals {
    uint64_t checked;
    uint64_t bad;
} totals;

static void subtract(const float a[3], const float b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (double)a[i] - (double)b[i];
    }
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Twice the area of a triangle, as a vector along its normal.
static void triangle(const bsp_mesh *mesh, uint32_t first, double out[3]) {
    const uint32_t *index = mesh->indices + first;
    const float *a = mesh->vertices[index[0]].position;
    double u[3];
    double v[3];
    subtract(mesh->vertices[index[1]].position, a, u);
    subtract(mesh->vertices[index[2]].position, a, v);
    cross(u, v, out);
}

static double area_of(const bsp_mesh *mesh, const bsp_mesh_face *face) {
    double area = 0;
    for (uint32_t i = 0; i < face->num_indices; i += 3) {
        double n[3];
        triangle(mesh, face->first_index + i, n);
        area += sqrt(dot(n, n)) / 2;
    }
    return area;
}

// --- shape of a mesh ----------------------------------------------------------------------------

static void check_structure(const each_map *m, const bsp_mesh *mesh) {
    uint32_t vertex = 0;
    uint32_t index = 0;
    uint32_t face = 0;
    for (uint32_t g = 0; g < mesh->num_groups; g++) {
        const bsp_mesh_group *group = &mesh->groups[g];
        assert_int_equal(group->first_vertex, vertex);
        assert_int_equal(group->first_index, index);
        assert_int_equal(group->first_face, face);
        vertex += group->num_vertices;
        index += group->num_indices;
        face += group->num_faces;
        assert_true(group->model < m->map->num_models);
        for (uint32_t i = group->first_index; i < index; i++) {
            assert_in_range(mesh->indices[i], group->first_vertex, vertex - 1);
        }
    }
    assert_int_equal(vertex, mesh->num_vertices);
    assert_int_equal(index, mesh->num_indices);
    assert_int_equal(face, mesh->num_faces);
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        const float *n = mesh->vertices[v].normal;
        assert_true(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-4F);
    }
}

static void do_structure(const each_map *m, void *user) {
    totals *t = user;
    bsp_mesh *mesh = each_map_mesh(m, NULL);
    check_structure(m, mesh);
    t->checked++;
    REPORT("%s: %u vertices, %u triangles, %u groups\n", m->name, mesh->num_vertices,
           mesh->num_indices / 3, mesh->num_groups);
    bsp_mesh_free(mesh);
}

static void test_structure(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_structure, &t);
    print_message("%llu maps\n", (unsigned long long)t.checked);
}

// --- planar, convex, the right way round --------------------------------------------------------

// Compilers weld vertices to 0.1 of each other (Quake 2: snapped to whole units by default), so a
// vertex may miss the plane, and a corner may be bent inwards, by that much.
#define OFF_PLANE 0.6
#define BENT 0.2

typedef struct shape {
    totals planar;
    totals convex;
    totals winding;
} shape;

static bool is_polygon(const each_map *m, const bsp_face *face) {
    return m->map->traits->light != BSP_LIGHT_PAGES && face->plane < m->map->num_planes &&
           (face->displacement == BSP_NONE || m->map->num_displacements == 0);
}

static void plane_of(const each_map *m, uint32_t face, double normal[3], double *dist) {
    float n[3];
    float d;
    assert_true(bsp_surface_plane(m->map, face, n, &d));
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)n[i];
    }
    *dist = (double)d;
}

// How far corner b is inside the line from a to c (clockwise, seen from the front).
static double bend(const float a[3], const float b[3], const float c[3], const double normal[3]) {
    double u[3];
    double v[3];
    double n[3];
    subtract(c, a, u);
    subtract(b, a, v);
    cross(u, v, n);
    double length = sqrt(dot(u, u));
    return length > 0 ? -dot(n, normal) / length : 0;
}

static void check_polygon(const each_map *m, const bsp_mesh *mesh, const bsp_mesh_face *face,
                          shape *s) {
    double normal[3];
    double dist;
    double off = 0;
    double bent = 0;
    plane_of(m, face->face, normal, &dist);
    const bsp_mesh_vertex *v = mesh->vertices + face->first_vertex;
    uint32_t count = face->num_vertices;
    for (uint32_t i = 0; i < count; i++) {
        double zero[3];
        static const float origin[3] = {0, 0, 0};
        subtract(v[i].position, origin, zero);
        double away = fabs(dot(zero, normal) - dist);
        off = away > off ? away : off;
        double b =
            bend(v[i].position, v[(i + 1) % count].position, v[(i + 2) % count].position, normal);
        bent = b > bent ? b : bent;
    }
    s->planar.checked++;
    s->planar.bad += off > OFF_PLANE;
    s->convex.checked++;
    s->convex.bad += bent > BENT;
    if (off > OFF_PLANE || bent > BENT) {
        REPORT("%s: face %u is off its plane by %g, bent by %g\n", m->name, face->face, off, bent);
    }
}

static void check_winding(const each_map *m, const bsp_mesh *mesh, const bsp_mesh_face *face,
                          shape *s) {
    double normal[3];
    double dist;
    plane_of(m, face->face, normal, &dist);
    for (uint32_t i = 0; i < face->num_indices; i += 3) {
        double n[3];
        triangle(mesh, face->first_index + i, n);
        double size = sqrt(dot(n, n));
        s->winding.checked++;
        if (size > 1 && dot(n, normal) < 0.5 * size) {
            s->winding.bad++;
            REPORT("%s: face %u: a triangle of %g square units is turned\n", m->name, face->face,
                   size / 2);
        }
    }
}

static void do_polygons(const each_map *m, void *user) {
    bsp_mesh *mesh = each_map_mesh(m, NULL);
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        if (is_polygon(m, &m->map->faces[mesh->faces[f].face])) {
            check_polygon(m, mesh, &mesh->faces[f], user);
            check_winding(m, mesh, &mesh->faces[f], user);
        }
    }
    bsp_mesh_free(mesh);
}

static void test_polygons(void **state) {
    (void)state;
    shape s = {{0, 0}, {0, 0}, {0, 0}};
    each_map_do(do_polygons, &s);
    print_message("%llu polygons: %llu not planar, %llu not convex; %llu triangles: %llu turned\n",
                  (unsigned long long)s.planar.checked, (unsigned long long)s.planar.bad,
                  (unsigned long long)s.convex.bad, (unsigned long long)s.winding.checked,
                  (unsigned long long)s.winding.bad);
    // Mission64 and base1 were compiled with vertices snapped to whole units, which bends small
    // faces and turns slivers; hns_floppytown and fy_iceworld have a few slivers of less than a
    // unit.
    assert_true(s.planar.bad * 2000 < s.planar.checked);
    assert_true(s.convex.bad * 500 < s.convex.checked);
    assert_true(s.winding.bad * 800 < s.winding.checked);
}

// --- Quake 3: normals say which side is the front -----------------------------------------------

static void do_drawn(const each_map *m, void *user) {
    totals *t = user;
    if (m->map->traits->light != BSP_LIGHT_PAGES) {
        return;
    }
    bsp_mesh *mesh = each_map_mesh(m, NULL);
    uint64_t turned = 0;
    uint64_t all = 0;
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        double n[3];
        triangle(mesh, i, n);
        double along = 0;
        for (uint32_t c = 0; c < 3; c++) {
            const float *normal = mesh->vertices[mesh->indices[i + c]].normal;
            along += n[0] * (double)normal[0] + n[1] * (double)normal[1] + n[2] * (double)normal[2];
        }
        all += dot(n, n) > 1;
        turned += dot(n, n) > 1 && along < 0;
    }
    t->checked += all;
    t->bad += turned;
    REPORT("%s: %llu of %llu triangles against their normals\n", m->name,
           (unsigned long long)turned, (unsigned long long)all);
    bsp_mesh_free(mesh);
}

static void test_drawn(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_drawn, &t);
    print_message("%llu Quake 3 triangles: %llu against their normals\n",
                  (unsigned long long)t.checked, (unsigned long long)t.bad);
    assert_true(t.bad * 100 < t.checked); // models of the tools have some normals of their own
}

// --- area ---------------------------------------------------------------------------------------

// The outline of a polygon, in units.
static double outline_of(const bsp_mesh *mesh, const bsp_mesh_face *face) {
    double sum = 0;
    for (uint32_t i = 0; i < face->num_vertices; i++) {
        const bsp_mesh_vertex *all = &mesh->vertices[face->first_vertex];
        double side[3];
        subtract(all[i].position, all[(i + 1) % face->num_vertices].position, side);
        sum += sqrt(dot(side, side));
    }
    return sum;
}

// The file has the area before vertices were welded to 0.1 of each other, which moves the outline.
static void do_area(const each_map *m, void *user) {
    totals *t = user;
    if (m->map->traits->light != BSP_LIGHT_RGBEXP32) {
        return;
    }
    bsp_mesh *mesh = each_map_mesh(m, NULL);
    uint64_t bad = 0;
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        const bsp_face *face = &m->map->faces[mesh->faces[f].face];
        double stored = (double)face->area;
        if (!is_polygon(m, face) || stored < 1) {
            continue;
        }
        double area = area_of(mesh, &mesh->faces[f]);
        t->checked++;
        if (fabs(area - stored) > 0.01 * stored + 0.1 * outline_of(mesh, &mesh->faces[f])) {
            bad++;
            REPORT("%s: face %u has %g square units, the file says %g (%u prims, %u edges)\n",
                   m->name, mesh->faces[f].face, area, stored, face->num_prims, face->num_edges);
        }
    }
    t->bad += bad;
    bsp_mesh_free(mesh);
}

static void test_area(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_area, &t);
    print_message("%llu Source faces: %llu not of the stored area\n", (unsigned long long)t.checked,
                  (unsigned long long)t.bad);
    assert_true(t.bad * 1000 < t.checked); // bent faces of hns_floppytown: up to 9 %, 35 units
}

// --- bounds -------------------------------------------------------------------------------------

// The bounds of what is no displacement: compilers leave those out of a model's.
static bool bounds_of(const each_map *m, const bsp_mesh *mesh, double mins[3], double maxs[3]) {
    bool any = false;
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        const bsp_mesh_face *face = &mesh->faces[f];
        bool counts = m->map->faces[face->face].displacement == BSP_NONE;
        for (uint32_t v = 0; counts && v < face->num_vertices; v++) {
            const float *at = mesh->vertices[face->first_vertex + v].position;
            for (int i = 0; i < 3; i++) {
                mins[i] = any ? fmin(mins[i], (double)at[i]) : (double)at[i];
                maxs[i] = any ? fmax(maxs[i], (double)at[i]) : (double)at[i];
            }
            any = true;
        }
    }
    return any;
}

static void do_bounds(const each_map *m, void *user) {
    totals *t = user;
    for (uint32_t n = 0; n < m->map->num_models; n++) {
        bsp_mesh_options options = {.first_model = n, .num_models = 1, .hidden = true, .sky = true};
        bsp_mesh *mesh = bsp_mesh_build(m->map, &options, NULL);
        assert_non_null(mesh);
        const bsp_model *model = &m->map->models[n];
        double inside = 0;  // how much less the mesh is
        double outside = 0; // how much more
        double mins[3];
        double maxs[3];
        bool any = bounds_of(m, mesh, mins, maxs);
        for (int i = 0; any && i < 3; i++) {
            double low = mins[i] - (double)model->mins[i];
            double high = (double)model->maxs[i] - maxs[i];
            inside = fmax(inside, fmax(low, high));
            outside = fmax(outside, fmax(-low, -high));
        }
        t->checked++;
        t->bad += outside > 1.01;
        if (inside > 1.01 || outside > 1.01) {
            REPORT("%s: model %u: the mesh is %g smaller, %g larger than the model\n", m->name, n,
                   inside, outside);
        }
        bsp_mesh_free(mesh);
    }
}

static void test_bounds(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_bounds, &t);
    print_message("%llu models: %llu with a mesh beyond their bounds\n",
                  (unsigned long long)t.checked, (unsigned long long)t.bad);
    // Smaller is usual: models include clip brushes, the outsides of walls and Quake's one unit.
    assert_int_equal(t.bad, 0);
}

// --- displacements ------------------------------------------------------------------------------

static const bsp_mesh_face *disp_face(const each_map *m, const bsp_mesh *mesh, uint32_t disp) {
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        if (m->map->faces[mesh->faces[f].face].displacement == disp) {
            return &mesh->faces[f];
        }
    }
    return NULL;
}

// Vertices of one displacement that are vertices of another, to the bit.
static uint32_t common(const bsp_mesh *mesh, const bsp_mesh_face *a, const bsp_mesh_face *b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->num_vertices; i++) {
        const float *p = mesh->vertices[a->first_vertex + i].position;
        for (uint32_t j = 0; j < b->num_vertices; j++) {
            if (memcmp(p, mesh->vertices[b->first_vertex + j].position, 12) == 0) {
                count++;
                break;
            }
        }
    }
    return count;
}

static void check_neighbor(const each_map *m, const bsp_mesh *mesh, uint32_t number,
                           const uint32_t neighbor[4], totals *t) {
    const bsp_displacement *disp = &m->map->displacements[number];
    if (neighbor[0] >= m->map->num_displacements) {
        return;
    }
    const bsp_mesh_face *a = disp_face(m, mesh, number);
    const bsp_mesh_face *b = disp_face(m, mesh, neighbor[0]);
    if (a == NULL || b == NULL) {
        return;
    }
    uint32_t mine = (1u << disp->power) / (neighbor[2] == 0 ? 1 : 2);
    uint32_t other = (1u << m->map->displacements[neighbor[0]].power) / (neighbor[3] == 0 ? 1 : 2);
    uint32_t wanted = (mine < other ? mine : other) + 1;
    uint32_t found = common(mesh, a, b);
    t->checked++;
    if (found < wanted) {
        t->bad++;
        REPORT("%s: displacements %u (power %u) and %u have %u vertices in common, not %u\n",
               m->name, number, disp->power, neighbor[0], found, wanted);
    }
}

static void do_displacements(const each_map *m, void *user) {
    if (m->map->num_displacements == 0) {
        return;
    }
    bsp_mesh *mesh = each_map_mesh(m, NULL);
    for (uint32_t d = 0; d < m->map->num_displacements; d++) {
        for (uint32_t edge = 0; edge < 4; edge++) {
            for (uint32_t sub = 0; sub < 2; sub++) {
                check_neighbor(m, mesh, d, m->map->displacements[d].edge_neighbors[edge][sub],
                               user);
            }
        }
    }
    REPORT("%s: %u displacements\n", m->name, m->map->num_displacements);
    bsp_mesh_free(mesh);
}

static void test_displacements(void **state) {
    (void)state;
    totals t = {0, 0};
    each_map_do(do_displacements, &t);
    print_message("%llu edges of displacements with a neighbour: %llu do not match\n",
                  (unsigned long long)t.checked, (unsigned long long)t.bad);
    assert_int_equal(t.bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure), cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_drawn),     cmocka_unit_test(test_area),
        cmocka_unit_test(test_bounds),    cmocka_unit_test(test_displacements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
