// SPDX-License-Identifier: MIT
// Traces against displacements, held against every triangle in double precision: rays against the
// triangle itself, boxes against the planes of triangle and box together, by the rules of the SDK's
// dispcoll_common.cpp. Samples, and the corpus where it is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define FULL_TRACES 20000u
#define EPSILON 0.03125
#define LIMIT 1e-4
#define EDGE 2e-3 // of a triangle's side: so near an edge rounding decides

typedef struct triangle {
    double p[3][3];
    double normal[3];
} triangle;

typedef struct patch {
    double low[3], high[3];
    const bsp_displacement *disp;
    triangle *list;
    unsigned count;
} patch;

typedef struct totals {
    unsigned maps, patches, triangles, traces, met, stuck, off;
} totals;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void sub(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

// --- the triangles ------------------------------------------------------------------------------

static const float *corner(const bsp_map *map, const bsp_face *face, unsigned i) {
    int32_t edge = map->surfedges[face->first_edge + i % 4];
    return map->vertices[edge < 0 ? map->edges[-edge].v[1] : map->edges[edge].v[0]].point;
}

static void grid_point(const bsp_map *map, const bsp_displacement *d, unsigned first, unsigned i,
                       unsigned j, double out[3]) {
    const bsp_face *face = &map->faces[d->face];
    unsigned n = (1u << d->power) + 1;
    const bsp_disp_vert *v = &map->disp_verts[d->first_vert + i * n + j];
    double a = (double)i / (n - 1), b = (double)j / (n - 1);
    for (int k = 0; k < 3; k++) {
        double c[4];
        for (unsigned e = 0; e < 4; e++) {
            c[e] = (double)corner(map, face, first + e)[k];
        }
        out[k] = (1 - b) * (c[0] + a * (c[1] - c[0])) + b * (c[3] + a * (c[2] - c[3])) +
                 (double)v->vec[k] * (double)v->dist;
    }
}

static void add_triangle(patch *p, const double a[3], const double b[3], const double c[3]) {
    triangle t;
    double ab[3], ac[3];
    memcpy(t.p[0], a, sizeof t.p[0]);
    memcpy(t.p[1], b, sizeof t.p[1]);
    memcpy(t.p[2], c, sizeof t.p[2]);
    sub(b, a, ab);
    sub(c, a, ac);
    cross(ac, ab, t.normal);
    double length = sqrt(dot(t.normal, t.normal));
    if (length < 1e-6) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        t.normal[i] /= length;
        for (int k = 0; k < 3; k++) {
            p->low[i] = fmin(p->low[i], t.p[k][i]);
            p->high[i] = fmax(p->high[i], t.p[k][i]);
        }
    }
    p->list[p->count++] = t;
}

static patch build_patch(const bsp_map *map, const bsp_displacement *d) {
    unsigned n = (1u << d->power) + 1, first = 0;
    patch p = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, d, NULL, 0};
    double least = HUGE_VAL;
    for (unsigned i = 0; i < 4; i++) {
        const float *c = corner(map, &map->faces[d->face], i);
        double away = hypot(hypot((double)(c[0] - d->start[0]), (double)(c[1] - d->start[1])),
                            (double)(c[2] - d->start[2]));
        first = away < least ? i : first;
        least = away < least ? away : least;
    }
    p.list = test_calloc((size_t)2 * n * n, sizeof *p.list);
    for (unsigned cell = 0; cell < (n - 1) * (n - 1); cell++) {
        unsigned i = cell / (n - 1), j = cell % (n - 1), tag = d->first_tri + 2 * cell;
        double q[4][3]; // the cell's corners: here, down, down and across, across
        for (unsigned k = 0; k < 4; k++) {
            grid_point(map, d, first, i + (k == 1 || k == 2), j + (k >= 2), q[k]);
        }
        bool odd = (i * n + j) % 2 != 0;
        bool gone[2] = {tag < map->num_disp_tris && (map->disp_tris[tag] & 0x20) != 0,
                        tag + 1 < map->num_disp_tris && (map->disp_tris[tag + 1] & 0x20) != 0};
        if (!gone[0]) {
            add_triangle(&p, q[0], q[1], odd ? q[3] : q[2]);
        }
        if (!gone[1]) {
            add_triangle(&p, odd ? q[3] : q[0], odd ? q[1] : q[2], odd ? q[2] : q[3]);
        }
    }
    return p;
}

// --- one triangle -------------------------------------------------------------------------------

// Where a ray meets the front of a triangle that is larger by `grow` of its size; 2 if nowhere.
static double ray_triangle(const triangle *t, const double start[3], const double way[3],
                           double grow) {
    double e1[3], e2[3], h[3], s[3], q[3];
    sub(t->p[1], t->p[0], e1);
    sub(t->p[2], t->p[0], e2);
    cross(way, e2, h);
    double det = dot(e1, h);
    if (dot(t->normal, way) >= 0 || fabs(det) < 1e-9) {
        return 2;
    }
    sub(start, t->p[0], s);
    cross(s, e1, q);
    double u = dot(s, h) / det, v = dot(way, q) / det, f = dot(e2, q) / det;
    bool in = u >= -grow && v >= -grow && u + v <= 1 + grow;
    return in && f >= 0 && f <= 1 ? f : 2;
}

typedef struct interval {
    double enter, leave;
} interval;

// One plane with the triangle behind it, moved out for the box. False if it keeps the box away.
static bool clip(interval *t, const double normal[3], double dist, const double start[3],
                 const double way[3], const double half[3], double slack) {
    for (int i = 0; i < 3; i++) {
        dist += fabs(normal[i]) * half[i];
    }
    double d1 = dot(normal, start) - dist - slack, d2 = d1 + dot(normal, way);
    if (d1 > 0 && d2 > 0) {
        return false;
    }
    if (d1 > 0) {
        t->enter = fmax(t->enter, (d1 - EPSILON) / (d1 - d2));
    } else if (d2 > 0) {
        t->leave = fmin(t->leave, (d1 + EPSILON) / (d1 - d2));
    }
    return true;
}

// Where a box meets a triangle; planes further out by `slack`. 2 if nowhere.
static double box_triangle(const triangle *t, const double start[3], const double way[3],
                           const double half[3], double slack) {
    interval time = {-1, 1};
    if (dot(t->normal, way) > EPSILON ||
        !clip(&time, t->normal, dot(t->normal, t->p[0]), start, way, half, slack)) {
        return 2;
    }
    for (int axis = 0; axis < 3; axis++) {
        double unit[3] = {axis == 0, axis == 1, axis == 2};
        double back[3] = {-unit[0], -unit[1], -unit[2]};
        double low = fmin(t->p[0][axis], fmin(t->p[1][axis], t->p[2][axis]));
        double high = fmax(t->p[0][axis], fmax(t->p[1][axis], t->p[2][axis]));
        if (!clip(&time, unit, high, start, way, half, slack) ||
            !clip(&time, back, -low, start, way, half, slack)) {
            return 2;
        }
        for (int e = 0; e < 3; e++) {
            double along[3], n[3];
            sub(t->p[(e + 1) % 3], t->p[e], along);
            cross(along, unit, n);
            double length = sqrt(dot(n, n));
            double sign = dot(n, t->p[(e + 2) % 3]) > dot(n, t->p[e]) ? -1 : 1;
            for (int i = 0; i < 3; i++) {
                n[i] *= sign / length;
            }
            if (length > 1e-3 && !clip(&time, n, dot(n, t->p[e]), start, way, half, slack)) {
                return 2;
            }
        }
    }
    return time.enter > -1 && time.enter < time.leave ? fmax(time.enter, 0) : 2;
}

// --- all of them --------------------------------------------------------------------------------

static bool passes(const bsp_displacement *d, bool ray) {
    uint32_t flags = (d->flags & 0x80000000u) != 0 ? d->flags : 0;
    return (d->contents & 1) == 0 || (flags & (ray ? 8u : 4u)) != 0;
}

// The first hit if triangles are larger (grow > 0) or smaller than they are.
static double first_hit(const patch *list, unsigned count, const double start[3],
                        const double way[3], const double half[3], double grow) {
    bool ray = half[0] == 0;
    double first = 2;
    for (unsigned n = 0; n < count; n++) {
        bool apart = passes(list[n].disp, ray);
        for (int i = 0; i < 3; i++) {
            apart = apart || fmin(start[i], start[i] + way[i]) - half[i] - 1 > list[n].high[i] ||
                    fmax(start[i], start[i] + way[i]) + half[i] + 1 < list[n].low[i];
        }
        for (unsigned k = 0; !apart && k < list[n].count; k++) {
            const triangle *t = &list[n].list[k];
            double f = ray ? ray_triangle(t, start, way, grow)
                           : box_triangle(t, start, way, half, grow * 10);
            first = fmin(first, f);
        }
    }
    return first;
}

static void check_trace(const each_map *m, const bsp_trace_index *index, const patch *list,
                        unsigned count, const bsp_trace_input *in, totals *t) {
    bsp_trace_result r;
    double start[3], way[3], half[3];
    bsp_trace(index, in, &r);
    t->traces++;
    t->stuck += r.start_solid;
    for (int i = 0; i < 3; i++) {
        start[i] = (double)in->start[i];
        way[i] = (double)in->end[i] - start[i];
        half[i] = (double)in->maxs[i];
    }
    if (r.start_solid) {
        return; // displacements are not asked then
    }
    double soonest = first_hit(list, count, start, way, half, EDGE);
    double latest = first_hit(list, count, start, way, half, -EDGE);
    t->met += r.face != BSP_NONE;
    bool late = (double)r.fraction > latest + LIMIT;
    bool soon = r.face != BSP_NONE && (double)r.fraction < soonest - LIMIT;
    t->off += late || soon;
    if (late || soon) {
        print_message("%s: %.9g %.9g %.9g -> %.9g %.9g %.9g box %g: %.9g is not in %.9g .. %.9g\n",
                      m->name, start[0], start[1], start[2], (double)in->end[0], (double)in->end[1],
                      (double)in->end[2], half[0], (double)r.fraction, soonest, latest);
    }
}

static float within(test_random *random, double low, double high) {
    return (float)(low + (high - low) * (random_u32(random) / 4294967296.0));
}

static void check_map(const each_map *m, void *user) {
    totals *t = user;
    const bsp_map *map = m->map;
    if (map->num_displacements == 0 || map->branch->family != BSP_SOURCE ||
        map->faces[map->displacements[0].face].num_edges != 4) {
        return;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    patch *list = test_calloc(map->num_displacements, sizeof *list);
    test_random random = {77};
    unsigned off = t->off, traces = t->traces;
    assert_non_null(index);
    for (uint32_t i = 0; i < map->num_displacements; i++) {
        list[i] = build_patch(map, &map->displacements[i]);
        t->triangles += list[i].count;
    }
    for (unsigned i = 0; i < test_effort(FULL_TRACES); i++) {
        const patch *p = &list[random_below(&random, map->num_displacements)];
        bsp_trace_input in = {.mask = 1};
        for (int k = 0; k < 3; k++) {
            in.start[k] = within(&random, p->low[k] - 128, p->high[k] + 128);
            in.end[k] = within(&random, p->low[k] - 128, p->high[k] + 128);
            in.maxs[k] = i % 2 == 0 ? 0 : k == 2 ? 36 : 16;
            in.mins[k] = -in.maxs[k];
        }
        check_trace(m, index, list, map->num_displacements, &in, t);
    }
    for (uint32_t i = 0; i < map->num_displacements; i++) {
        test_free(list[i].list);
    }
    test_free(list);
    bsp_trace_index_free(index);
    t->maps++;
    t->patches += map->num_displacements;
    // Rounding of floats beside very small triangles is all that may differ.
    assert_true((t->off - off) * 1000 <= t->traces - traces);
}

// --- what is seen -------------------------------------------------------------------------------

typedef struct seen_totals {
    unsigned maps, points, seen, hidden;
} seen_totals;

static bool sees(const bsp_map *map, const uint8_t *row, uint32_t leaf) {
    uint32_t cluster = map->leaves[leaf].cluster;
    return cluster < map->visibility.num_clusters && (row[cluster / 8] >> cluster % 8 & 1) != 0;
}

// Must be seen: a corner of one of its triangles lies in a leaf that is seen.
static bool has_corner_in_sight(const bsp_map *map, const uint8_t *row, const patch *p) {
    for (unsigned n = 0; n < 3 * p->count; n++) {
        const double *corner_at = p->list[n / 3].p[n % 3];
        float at[3] = {(float)corner_at[0], (float)corner_at[1], (float)corner_at[2]};
        if (sees(map, row, bsp_query_leaf(map, at))) {
            return true;
        }
    }
    return false;
}

// May be seen: its box, grown by a unit, meets the stored box of a leaf that is seen, which is
// rounded outwards.
static bool has_box_in_sight(const bsp_map *map, const uint8_t *row, const patch *p) {
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        bool meets = sees(map, row, i);
        for (int k = 0; meets && k < 3; k++) {
            meets =
                p->low[k] <= (double)leaf->maxs[k] + 2 && p->high[k] >= (double)leaf->mins[k] - 2;
        }
        if (meets) {
            return true;
        }
    }
    return false;
}

static void check_seen(const each_map *m, void *user) {
    seen_totals *t = user;
    const bsp_map *map = m->map;
    if (map->num_displacements == 0 || map->num_nodes == 0 || map->branch->family != BSP_SOURCE ||
        map->visibility.num_clusters == 0) {
        return;
    }
    uint8_t *row = test_calloc(map->visibility.row_bytes, 1);
    uint8_t *faces = test_calloc(map->num_faces / 8 + 1, 1);
    test_random random = {4};
    t->maps++;
    for (unsigned i = 0; i < 8; i++) {
        const bsp_leaf *leaf = &map->leaves[random_below(&random, map->num_leaves)];
        float eye[3];
        for (int k = 0; k < 3; k++) {
            eye[k] = (leaf->mins[k] + leaf->maxs[k]) / 2;
        }
        uint32_t cluster = bsp_query_cluster(map, eye);
        uint32_t count = bsp_query_visible_faces(map, eye, row, faces);
        for (uint32_t f = 0; f < map->num_faces; f++) {
            count -= faces[f / 8] >> f % 8 & 1;
        }
        assert_int_equal(count, 0);
        if (cluster != BSP_NONE) {
            bsp_map_visible(map, cluster, false, row);
            t->points++;
        }
        for (uint32_t d = 0; cluster != BSP_NONE && d < map->num_displacements; d++) {
            patch p = build_patch(map, &map->displacements[d]);
            uint32_t face = map->displacements[d].face;
            bool marked = (faces[face / 8] >> face % 8 & 1) != 0;
            if (marked ? !has_box_in_sight(map, row, &p) : has_corner_in_sight(map, row, &p)) {
                fail_msg("%s: displacement %u is %s", m->name, d, marked ? "marked" : "left out");
            }
            t->seen += marked;
            t->hidden += !marked;
            test_free(p.list);
        }
    }
    test_free(row);
    test_free(faces);
}

static void test_seen(void **state) {
    (void)state;
    seen_totals t = {0};
    unsigned corpus = each_map_do(check_seen, &t);
    print_message("%u maps (%u in the corpus): from %u points %u displacements are seen, %u not\n",
                  t.maps, corpus, t.points, t.seen, t.hidden);
    assert_true(t.maps == 0 || t.seen != 0);
}

static void test_displacements(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(3), check_map, &t);
    print_message("%u maps (%u in the corpus), %u displacements, %u triangles: %u traces, %u met "
                  "one, %u began in solid, %u differ\n",
                  t.maps, corpus, t.patches, t.triangles, t.traces, t.met, t.stuck, t.off);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_displacements),
                                       cmocka_unit_test(test_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
