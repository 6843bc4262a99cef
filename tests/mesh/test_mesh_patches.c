// SPDX-License-Identifier: MIT
// Patches: within the tolerance, closed inside, and the same vertices along a common edge whatever
// the neighbour looks like and whichever way round it has the edge.
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

// --- patches made here --------------------------------------------------------------------------

#define MOST_VERTS 64

typedef struct scene {
    bsp_draw_vert verts[MOST_VERTS];
    bsp_face faces[4];
    bsp_face_light lights[4];
    bsp_model model;
    bsp_traits traits;
    bsp_branch branch;
    bsp_map map;
} scene;

static void begin(scene *s) {
    memset(s, 0, sizeof *s);
    s->traits = (bsp_traits){.surface = bsp_branch_traits(bsp_branch_find("quake3"))->surface,
                             .light = BSP_LIGHT_PAGES,
                             .draws_vertices = true,
                             .light_page = 128,
                             .max_coord = 4096};
    s->branch = (bsp_branch){.name = "quake3", .family = BSP_QUAKE3};
    s->map = (bsp_map){.branch = &s->branch, .traits = &s->traits};
    s->map.draw_verts = s->verts;
    s->map.faces = s->faces;
    s->map.face_lights = s->lights;
    s->map.models = &s->model;
    s->map.num_models = 1;
}

static void add_vert(scene *s, float x, float y, float z) {
    bsp_draw_vert *v = &s->verts[s->map.num_draw_verts++];
    assert_true(s->map.num_draw_verts <= MOST_VERTS);
    *v = (bsp_draw_vert){.point = {x, y, z}, .normal = {0, 0, 1}, .uv = {x / 64, y / 64}};
}

// A patch of 3 x 3, rows of control points at y0, y1, y2.
static void add_patch(scene *s, const float rows[9][3]) {
    uint32_t n = s->map.num_faces++;
    s->map.num_face_lights = s->model.num_faces = s->map.num_faces;
    s->faces[n] = (bsp_face){.type = BSP_FACE_PATCH,
                             .plane = BSP_NONE,
                             .texinfo = BSP_NONE,
                             .material = BSP_NONE,
                             .displacement = BSP_NONE,
                             .first_vert = s->map.num_draw_verts,
                             .num_verts = 9,
                             .patch_width = 3,
                             .patch_height = 3};
    for (int i = 0; i < 9; i++) {
        add_vert(s, rows[i][0], rows[i][1], rows[i][2]);
    }
}

static const float bowl[9][3] = {{0, 0, 0},   {64, 0, 90},   {128, 0, 0},
                                 {0, 64, 10}, {64, 64, -50}, {128, 64, 5},
                                 {0, 128, 0}, {64, 128, 33}, {128, 128, 0}};
// Shares the bowl's last row, which it has as its last, from the other end; flat behind it.
static const float flap[9][3] = {{128, 256, 0}, {64, 256, 0},  {0, 256, 0},
                                 {128, 192, 0}, {64, 192, 0},  {0, 192, 0},
                                 {128, 128, 0}, {64, 128, 33}, {0, 128, 0}};

static bsp_mesh *build(const bsp_map *map, float tolerance) {
    bsp_mesh_options options = {.patch_tolerance = tolerance, .hidden = true, .sky = true};
    bsp_error error = {0};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, &error);
    if (mesh == NULL) {
        fail_msg("%s", error.message);
    }
    return mesh;
}

static double curve(const float a, const float b, const float c, double t) {
    return (1 - t) * (1 - t) * (double)a + 2 * t * (1 - t) * (double)b + t * t * (double)c;
}

// Height of the bowl over a point: x and y are linear in u and v.
static double bowl_height(double x, double y) {
    double u = x / 128;
    double rows[3];
    for (int r = 0; r < 3; r++) {
        rows[r] = curve(bowl[r * 3][2], bowl[r * 3 + 1][2], bowl[r * 3 + 2][2], u);
    }
    double v = y / 128;
    return (1 - v) * (1 - v) * rows[0] + 2 * v * (1 - v) * rows[1] + v * v * rows[2];
}

static void test_tolerance(void **state) {
    (void)state;
    static const float tolerances[] = {8, 2, 0.5F, 0.25F};
    scene s;
    begin(&s);
    add_patch(&s, bowl);
    for (int n = 0; n < 4; n++) {
        bsp_mesh *mesh = build(&s.map, tolerances[n]);
        double furthest = 0;
        for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
            double middle[3] = {0, 0, 0};
            for (uint32_t c = 0; c < 3; c++) {
                const float *p = mesh->vertices[mesh->indices[i + c]].position;
                for (int axis = 0; axis < 3; axis++) {
                    middle[axis] += (double)p[axis] / 3;
                }
                assert_true(fabs((double)p[2] - bowl_height((double)p[0], (double)p[1])) < 1e-3);
            }
            furthest = fmax(furthest, fabs(middle[2] - bowl_height(middle[0], middle[1])));
        }
        REPORT("tolerance %g: %u vertices, off by %g\n", (double)tolerances[n], mesh->num_vertices,
               furthest);
        // The tolerance holds along u, along v, and for the twist: together at most three times.
        assert_true(furthest <= 3 * (double)tolerances[n]);
        bsp_mesh_free(mesh);
    }
}

// --- edges --------------------------------------------------------------------------------------

typedef struct edge {
    float a[3];
    float b[3];
} edge;

typedef struct edge_list {
    edge *edges;
    uint32_t count;
} edge_list;

static int by_edge(const void *left, const void *right) {
    return memcmp(left, right, sizeof(edge));
}

static float plain(float value) {
    return value == 0 ? 0 : value; // one zero
}

static void list_edges(const bsp_mesh *mesh, const bsp_mesh_face *face, edge_list *list) {
    list->edges = malloc((face->num_indices + 1) * sizeof(edge));
    list->count = 0;
    assert_non_null(list->edges);
    for (uint32_t i = 0; i < face->num_indices; i++) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        edge *e = &list->edges[list->count++];
        for (int axis = 0; axis < 3; axis++) {
            e->a[axis] = plain(mesh->vertices[mesh->indices[face->first_index + i]].position[axis]);
            e->b[axis] =
                plain(mesh->vertices[mesh->indices[face->first_index + next]].position[axis]);
        }
    }
    qsort(list->edges, list->count, sizeof(edge), by_edge);
}

static bool has_reverse(const edge_list *list, const edge *e) {
    edge reverse;
    memcpy(reverse.a, e->b, sizeof reverse.a);
    memcpy(reverse.b, e->a, sizeof reverse.b);
    return bsearch(&reverse, list->edges, list->count, sizeof(edge), by_edge) != NULL;
}

// Keeps the edges that no other triangle of the face has.
static void keep_rim(edge_list *list) {
    edge *rim = malloc((list->count + 1) * sizeof(edge));
    uint32_t count = 0;
    assert_non_null(rim);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!has_reverse(list, &list->edges[i])) {
            rim[count++] = list->edges[i];
        }
    }
    free(list->edges);
    list->edges = rim;
    list->count = count;
}

static double distance_to_segment(const float p[3], const double a[3], const double b[3]) {
    double length = 0;
    double t = 0;
    for (int i = 0; i < 3; i++) {
        length += (b[i] - a[i]) * (b[i] - a[i]);
        t += (b[i] - a[i]) * ((double)p[i] - a[i]);
    }
    t = length > 0 ? fmin(fmax(t / length, 0), 1) : 0;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        double d = a[i] + t * (b[i] - a[i]) - (double)p[i];
        square += d * d;
    }
    return sqrt(square);
}

// To 512 chords, which are as good as the curve.
static double distance_to_curve(const float p[3], const float a[3], const float b[3],
                                const float c[3]) {
    double nearest = INFINITY;
    double last[3] = {(double)a[0], (double)a[1], (double)a[2]};
    for (int k = 1; k <= 512; k++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = curve(a[axis], b[axis], c[axis], k / 512.0);
        }
        nearest = fmin(nearest, distance_to_segment(p, last, at));
        memcpy(last, at, sizeof last);
    }
    return nearest;
}

// Rim vertices of the face along a curve, sorted: each begins an edge or ends one.
static uint32_t along(const edge_list *rim, const float *const knots[3], float (*out)[3],
                      uint32_t room) {
    double near = 2e-3; // units
    uint32_t count = 0;
    for (uint32_t i = 0; i < rim->count && count < room; i++) {
        if (distance_to_curve(rim->edges[i].a, knots[0], knots[1], knots[2]) < near &&
            distance_to_curve(rim->edges[i].b, knots[0], knots[1], knots[2]) < near) {
            memcpy(out[count++], rim->edges[i].a, sizeof *out);
            memcpy(out[count++], rim->edges[i].b, sizeof *out);
        }
    }
    return count;
}

static bool contains(float (*list)[3], uint32_t count, const float p[3]) {
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(list[i], p, sizeof list[i]) == 0) {
            return true;
        }
    }
    return false;
}

#define MOST_ALONG 256

static bool same_points(const edge_list *a, const edge_list *b, const float *const knots[3]) {
    float mine[MOST_ALONG][3];
    float others[MOST_ALONG][3];
    uint32_t num_mine = along(a, knots, mine, MOST_ALONG);
    uint32_t num_others = along(b, knots, others, MOST_ALONG);
    bool same = true;
    for (uint32_t i = 0; i < num_mine; i++) {
        same = same && contains(others, num_others, mine[i]);
    }
    for (uint32_t i = 0; i < num_others; i++) {
        same = same && contains(mine, num_mine, others[i]);
    }
    return same && (num_mine == 0) == (num_others == 0);
}

static void test_neighbours(void **state) {
    (void)state;
    static const float tolerances[] = {8, 2, 0.5F, 0.25F};
    scene s;
    begin(&s);
    add_patch(&s, bowl);
    add_patch(&s, flap);
    const float *knots[3] = {bowl[6], bowl[7], bowl[8]};
    for (int n = 0; n < 4; n++) {
        bsp_mesh *mesh = build(&s.map, tolerances[n]);
        edge_list rims[2];
        float found[MOST_ALONG][3];
        assert_int_equal(mesh->num_faces, 2);
        for (uint32_t f = 0; f < 2; f++) {
            list_edges(mesh, &mesh->faces[f], &rims[f]);
            keep_rim(&rims[f]);
            assert_true(along(&rims[f], knots, found, MOST_ALONG) >= 4);
        }
        assert_true(same_points(&rims[0], &rims[1], knots));
        for (uint32_t i = 0; i < rims[0].count; i++) { // and segment by segment, the other way
            const edge *e = &rims[0].edges[i];
            bool common = fabsf(e->a[1] - 128) < 1e-3F && fabsf(e->b[1] - 128) < 1e-3F;
            assert_true(has_reverse(&rims[1], e) == common);
        }
        free(rims[0].edges);
        free(rims[1].edges);
        bsp_mesh_free(mesh);
    }
}

// --- all maps -----------------------------------------------------------------------------------

typedef struct rim_edge {
    float key[9];  // three control points, the lower end first
    uint32_t face; // of the mesh
} rim_edge;

typedef struct totals {
    uint64_t patches;
    uint64_t shared;
    uint64_t unlike;
    uint64_t vertices;
} totals;

typedef struct work {
    rim_edge *edges;
    uint32_t count;
    edge_list *rims; // for each mesh face
} work;

static int by_key(const void *left, const void *right) {
    const rim_edge *a = left;
    const rim_edge *b = right;
    int order = memcmp(a->key, b->key, sizeof a->key);
    return order != 0 ? order : (a->face > b->face) - (a->face < b->face);
}

static void add_edge(work *w, uint32_t face, const bsp_draw_vert *from, uint32_t step) {
    rim_edge *e = &w->edges[w->count++];
    const float *points[3] = {from[0].point, from[step].point, from[2 * (size_t)step].point};
    bool swap = memcmp(points[2], points[0], 12) < 0;
    for (int i = 0; i < 3; i++) {
        memcpy(e->key + (size_t)i * 3, points[swap ? 2 - i : i], 12);
    }
    e->face = face;
}

static void add_rim(const bsp_map *map, const bsp_mesh *mesh, uint32_t number, work *w) {
    const bsp_face *face = &map->faces[mesh->faces[number].face];
    const bsp_draw_vert *first = map->draw_verts + face->first_vert;
    uint32_t width = face->patch_width;
    uint32_t height = face->patch_height;
    for (uint32_t x = 0; x + 2 < width; x += 2) {
        add_edge(w, number, first + x, 1);
        add_edge(w, number, first + (size_t)(height - 1) * width + x, 1);
    }
    for (uint32_t y = 0; y + 2 < height; y += 2) {
        add_edge(w, number, first + (size_t)y * width, width);
        add_edge(w, number, first + (size_t)y * width + width - 1, width);
    }
    list_edges(mesh, &mesh->faces[number], &w->rims[number]);
    keep_rim(&w->rims[number]);
}

static void compare_edges(const each_map *m, const bsp_mesh *mesh, work *w, totals *t) {
    qsort(w->edges, w->count, sizeof *w->edges, by_key);
    for (uint32_t i = 0; i + 1 < w->count; i++) {
        const rim_edge *a = &w->edges[i];
        const rim_edge *b = &w->edges[i + 1];
        const float *knots[3] = {a->key, a->key + 3, a->key + 6};
        if (memcmp(a->key, b->key, sizeof a->key) != 0 || a->face == b->face ||
            memcmp(knots[0], knots[2], 12) == 0) {
            continue;
        }
        t->shared++;
        if (!same_points(&w->rims[a->face], &w->rims[b->face], knots)) {
            t->unlike++;
            REPORT("%s: patches %u and %u differ along an edge\n", m->name,
                   mesh->faces[a->face].face, mesh->faces[b->face].face);
        }
    }
}

static void do_patches(const each_map *m, void *user) {
    totals *t = user;
    if (m->map->num_draw_verts == 0) {
        return;
    }
    bsp_mesh *mesh = build(m->map, 1);
    work w = {malloc((2 * (size_t)m->map->num_draw_verts + 1) * sizeof(rim_edge)), 0,
              calloc(mesh->num_faces + 1u, sizeof(edge_list))};
    assert_non_null(w.edges);
    assert_non_null(w.rims);
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        if (m->map->faces[mesh->faces[f].face].type == BSP_FACE_PATCH) {
            add_rim(m->map, mesh, f, &w);
            t->patches++;
            t->vertices += mesh->faces[f].num_vertices;
        }
    }
    compare_edges(m, mesh, &w, t);
    for (uint32_t f = 0; f < mesh->num_faces; f++) {
        free(w.rims[f].edges);
    }
    free(w.rims);
    free(w.edges);
    bsp_mesh_free(mesh);
}

static void test_maps(void **state) {
    (void)state;
    totals t = {0, 0, 0, 0};
    each_map_do(do_patches, &t);
    print_message("%llu patches, %llu vertices; %llu common edges: %llu differ\n",
                  (unsigned long long)t.patches, (unsigned long long)t.vertices,
                  (unsigned long long)t.shared, (unsigned long long)t.unlike);
    assert_int_equal(t.unlike, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
