// SPDX-License-Identifier: MIT
// Traces with props, on scenes that are made here: segments against every triangle of every hull,
// boxes against the sum of both shapes worked out from all pairs of edges, the nearest of world and
// props, masks, and the same answers at any number of threads.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/effort.h"
#include "support/files.h"
#include "support/props.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 0.03125 // before a surface, in Source and Quake 2

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static bool normalize(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
    return length > 1e-9;
}

// --- segments against triangles -----------------------------------------------------------------

typedef struct triangle {
    double p[3][3];
    double normal[3]; // outwards
    double dist;
    uint32_t prop, hull;
    uint32_t of_hull; // how many triangles the hull has
    double box[2][3]; // around the hull; both in its first triangle
} triangle;

static void enclose(triangle *first) {
    for (int i = 0; i < 3; i++) {
        first->box[0][i] = 1e30;
        first->box[1][i] = -1e30;
        for (uint32_t n = 0; n < first->of_hull * 3; n++) {
            first->box[0][i] = fmin(first->box[0][i], first[n / 3].p[n % 3][i]);
            first->box[1][i] = fmax(first->box[1][i], first[n / 3].p[n % 3][i]);
        }
    }
}

// A segment beside the box around a hull passes none of its triangles.
static bool is_beside(const triangle *first, const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++) {
        if (fmax(a[i], b[i]) < first->box[0][i] || fmin(a[i], b[i]) > first->box[1][i]) {
            return true;
        }
    }
    return false;
}

static uint32_t list_triangles(const bsp_scene *scene, triangle *list) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < scene->num_props; n++) {
        const bsp_model_mesh *mesh = scene->models[scene->props[n].model].mesh;
        for (uint32_t h = 0; scene->props[n].solid == 6 && h < mesh->num_hulls; h++) {
            if (mesh->hulls[h].solid != 0) {
                continue; // of a ragdoll
            }
            triangle *first = &list[count];
            first->of_hull = mesh->hulls[h].num_indices / 3;
            for (uint32_t i = 0; i < mesh->hulls[h].num_indices; i += 3) {
                triangle *t = &list[count++];
                double ab[3], ac[3];
                for (int k = 0; k < 3; k++) {
                    uint32_t at = mesh->hull_indices[mesh->hulls[h].first_index + i + (uint32_t)k];
                    test_props_point(&scene->props[n], mesh->hull_points[at], t->p[k]);
                }
                for (int k = 0; k < 3; k++) {
                    ab[k] = t->p[1][k] - t->p[0][k];
                    ac[k] = t->p[2][k] - t->p[0][k];
                }
                cross(ab, ac, t->normal);
                assert_true(normalize(t->normal));
                t->dist = dot(t->normal, t->p[0]);
                t->prop = n;
                t->hull = h;
            }
            enclose(first);
        }
    }
    return count;
}

// Where a segment passes a triangle from its front; 1e30: it does not.
static double pass(const triangle *t, const double a[3], const double b[3]) {
    double d1 = dot(t->normal, a) - t->dist, d2 = dot(t->normal, b) - t->dist;
    if (!(d1 > 0 && d2 <= 0)) {
        return 1e30;
    }
    double f = d1 / (d1 - d2), at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = a[i] + f * (b[i] - a[i]);
    }
    for (int k = 0; k < 3; k++) {
        double edge[3], to[3], side[3];
        for (int i = 0; i < 3; i++) {
            edge[i] = t->p[(k + 1) % 3][i] - t->p[k][i];
            to[i] = at[i] - t->p[k][i];
        }
        cross(edge, to, side);
        if (dot(side, t->normal) < 0) {
            return 1e30;
        }
    }
    return f;
}

typedef struct facts {
    float fraction;       // at which it stops before the nearest triangle; 1: none
    const triangle *hit;  // it
    bool starts, remains; // in a hull, and with its end in the same
} facts;

static facts ask_triangles(const triangle *list, uint32_t count, const double a[3],
                           const double b[3]) {
    facts f = {.fraction = 1};
    const double step[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    for (uint32_t n = 0; n < count; n += list[n].of_hull) {
        bool starts = true, ends = true; // in this hull
        if (is_beside(&list[n], a, b)) {
            continue;
        }
        for (uint32_t i = n; i < n + list[n].of_hull; i++) {
            starts = starts && dot(list[i].normal, a) <= list[i].dist;
            ends = ends && dot(list[i].normal, b) <= list[i].dist;
            double at = pass(&list[i], a, b) - EPSILON / -dot(step, list[i].normal);
            if (at <= 1 && (float)fmax(at, 0) < f.fraction) { // of equal ones the first
                f.fraction = (float)fmax(at, 0);
                f.hit = &list[i];
            }
        }
        f.starts = f.starts || starts;
        f.remains = f.remains || (starts && ends);
    }
    return f;
}

// Whether a result says what the triangles say.
static bool agrees(const facts *f, const bsp_solids_result *r) {
    if (r->trace.start_solid != f->starts || r->trace.all_solid != f->remains) {
        return false;
    }
    if (f->remains) { // Source
        return r->trace.fraction == 0;
    }
    if (f->hit == NULL) {
        return r->trace.fraction == 1 && (r->prop == BSP_NONE) == !f->starts;
    }
    double near = 0, before = -f->hit->dist; // how far it stops before the triangle's plane
    for (int i = 0; i < 3; i++) {
        near = fmax(near, fabs((double)r->trace.normal[i] - f->hit->normal[i]));
        before += (double)r->trace.end[i] * f->hit->normal[i];
    }
    bool stops = f->fraction == 0 ? r->trace.fraction == 0 : fabs(before - EPSILON) < 1e-3;
    return r->prop == f->hit->prop && r->hull == f->hit->hull && near < 1e-4 &&
           fabs((double)r->trace.dist - f->hit->dist) < 1e-2 && stops;
}

// Compares segments with the triangles, and returns how many hit something. They lie around the
// world's origin, or half of them around props.
static uint32_t compare_segments(const bsp_scene *scene, uint32_t segments, bool near) {
    bsp_error error = {0};
    uint32_t room = 0;
    for (uint32_t n = 0; n < scene->num_props; n++) {
        room += scene->models[scene->props[n].model].mesh->num_hull_indices / 3;
    }
    triangle *list = calloc(room, sizeof *list);
    uint32_t count = list_triangles(scene, list);
    bsp_solids *solids = bsp_solids_new(scene, NULL, NULL, &error);
    assert_non_null(solids);
    test_random seed = {3};
    uint32_t different = 0, hits = 0, starts = 0;
    for (uint32_t i = 0; i < segments; i++) {
        bsp_trace_input in;
        bsp_solids_result r;
        double a[3], b[3];
        test_props_segment(&seed, &in);
        const bsp_scene_prop *by = &scene->props[random_below(&seed, scene->num_props)];
        for (int k = 0; k < 3; k++) {
            in.start[k] = (near ? by->place[k][3] : 0) + in.start[k] * (near ? 0.5F : 1);
            in.end[k] = (near ? by->place[k][3] : 0) + in.end[k] * (near ? 0.2F : 1);
            a[k] = (double)in.start[k];
            b[k] = (double)in.end[k];
        }
        bsp_solids_trace(solids, &in, &r);
        facts f = ask_triangles(list, count, a, b);
        different += !agrees(&f, &r);
        hits += f.hit != NULL;
        starts += f.starts;
        if (r.trace.fraction < 1 && !r.trace.all_solid) {
            const bsp_scene_prop *hit = &scene->props[r.prop];
            bool entity = hit->kind == BSP_PROP_ENTITY;
            assert_int_equal(r.trace.entity, entity ? hit->number : BSP_NONE);
            assert_int_equal(r.trace.contents, 1);
        }
    }
    assert_int_equal(different, 0);
    assert_true(starts > 0);
    bsp_solids_free(solids);
    free(list);
    return hits;
}

static void as_all_triangles(void **state) {
    (void)state;
    const uint32_t segments = test_effort(100000);
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 24, 7);
    assert_true(compare_segments(&m->scene, segments, false) > segments / 20);
    test_props_free(m);
}

// --- real models --------------------------------------------------------------------------------

typedef struct shown {
    bsp_search *search[16];
    bsp_model_asset *assets[MOST_PROPS];
    bsp_model_mesh *built[MOST_PROPS];
    uint32_t count;
} shown;

static bool is_physics(bsp_text name) {
    return name.size > 4 && memcmp(name.data + name.size - 4, ".phy", 4) == 0;
}

// Opens the models of a folder that have hulls.
static void open_models(shown *s, const char *game, uint32_t number) {
    char path[700];
    bsp_error error = {0};
    size_t count = 0;
    snprintf(path, sizeof path, "%s/../models/games/%s", corpus_folder(), game);
    s->search[number] = bsp_search_new(NULL, &error);
    assert_non_null(s->search[number]);
    if (!bsp_search_add_game(s->search[number], path, &error)) {
        return;
    }
    const bsp_asset *list = bsp_search_list(s->search[number], &count);
    for (size_t i = 0; i < count && s->count < MOST_PROPS; i++) {
        char name[300];
        if (!is_physics(list[i].name) || list[i].name.size >= sizeof name) {
            continue;
        }
        snprintf(name, sizeof name, "%.*s.mdl", (int)(list[i].name.size - 4), list[i].name.data);
        bsp_model_asset *asset = bsp_model_open(s->search[number], bsp_text_of(name), NULL, &error);
        bsp_model_mesh *mesh = asset == NULL ? NULL : bsp_model_mesh_build(asset, NULL, &error);
        bool first = mesh != NULL && mesh->num_hulls != 0;
        for (uint32_t h = 0; first && h < mesh->num_hulls; h++) {
            first = mesh->hulls[h].solid == 0; // not those of ragdolls
        }
        if (!first) {
            bsp_model_mesh_free(mesh);
            bsp_model_close(asset);
            continue;
        }
        s->assets[s->count] = asset;
        s->built[s->count++] = mesh;
    }
}

static void as_real_hulls(void **state) {
    (void)state;
    static const char *const games[] = {"areng-portal2", "bee-portal2", "classic-offensive",
                                        "cs-source-b4p", "momentum",    "portalcollab"};
    shown s = {.count = 0};
    if (corpus_folder() == NULL) {
        print_message("no shared models: skipped\n");
        skip();
    }
    for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
        open_models(&s, games[i], i);
    }
    if (s.count == 0) {
        print_message("no shared models: skipped\n");
        skip();
    }
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", s.count, 13);
    uint32_t hulls = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        m->models[i].mesh = s.built[i];
        m->models[i].info = bsp_model_get_info(s.assets[i]);
        hulls += s.built[i]->num_hulls;
    }
    print_message("%u hulls of %u models\n", hulls, s.count);
    assert_true(compare_segments(&m->scene, test_effort(100000), false) > test_effort(1000));
    test_props_free(m);
    for (uint32_t i = 0; i < s.count; i++) {
        bsp_model_mesh_free(s.built[i]);
        bsp_model_close(s.assets[i]);
    }
    for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
        bsp_search_free(s.search[i]);
    }
}

// A map of the shared folders with its models, where they stand: static props and entities.
static void as_a_real_map(void **state) {
    (void)state;
    char path[700], game[700];
    FILE *there = NULL;
    if (corpus_folder() != NULL) {
        snprintf(path, sizeof path, "%s/named/ricochet__maps__rc_deathmatch4@c2123153.bsp",
                 corpus_folder());
        snprintf(game, sizeof game, "%s/../models/games/ricochet", corpus_folder());
        there = fopen(path, "rb");
    }
    if (there == NULL) {
        print_message("no shared models: skipped\n");
        skip();
    }
    fclose(there);
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    bsp_search *search = bsp_search_new(NULL, &error);
    assert_true(map != NULL && search != NULL && bsp_search_add_game(search, game, &error));
    bsp_textures *textures = bsp_textures_open(search, map, NULL, &error);
    const bsp_scene_options options = {.file = file,
                                       .textures = textures,
                                       .full_bright = true,
                                       .props = true,
                                       .props_alone = true};
    bsp_scene *scene = bsp_scene_build(map, &options, &error);
    assert_non_null(scene);
    uint32_t with_hulls = 0; // not all whose record says so have a file of them
    for (uint32_t i = 0; i < scene->num_props; i++) {
        const bsp_model_mesh *mesh = scene->models[scene->props[i].model].mesh;
        with_hulls += scene->props[i].solid == 6 && mesh->num_hulls != 0;
    }
    bsp_solids *solids = bsp_solids_new(scene, NULL, NULL, &error);
    assert_true(with_hulls > 50);
    assert_int_equal(bsp_solids_count(solids), with_hulls);
    assert_true(bsp_solids_size(solids) > with_hulls * sizeof(void *));
    bsp_solids_free(solids);
    assert_true(compare_segments(scene, test_effort(100000), true) > test_effort(1000));
    bsp_scene_free(scene);
    bsp_textures_close(textures);
    bsp_search_free(search);
    bsp_map_free(map);
    bsp_file_close(file);
}

// --- boxes against sums -------------------------------------------------------------------------

#define MOST_NORMALS (6 + MOST_RING * 22)

typedef struct sum {
    double normals[MOST_NORMALS][3];
    double dists[MOST_NORMALS]; // moved by the box
    uint32_t count;
} sum;

static void add_normal(sum *s, const double normal[3], double points[][3], uint32_t num_points,
                       const double half[3]) {
    double n[3] = {normal[0], normal[1], normal[2]};
    if (!normalize(n)) {
        return;
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        double most = -1e30;
        for (uint32_t i = 0; i < num_points; i++) {
            most = fmax(most, sign * dot(n, points[i]));
        }
        for (int i = 0; i < 3; i++) {
            s->normals[s->count][i] = sign * n[i];
            most += fabs(n[i]) * half[i];
        }
        s->dists[s->count++] = most;
    }
}

// All planes that the sum of a hull and a box may have: those of the triangles and of the box, and
// those along any edge of the one and of the other, each at the outermost point.
static void make_sum(const test_props *m, uint32_t prop, uint32_t number, const double half[3],
                     sum *s) {
    const bsp_model_mesh *mesh = m->models[m->props[prop].model].mesh;
    const bsp_model_hull *hull = &mesh->hulls[number];
    double points[MOST_RING + 2][3];
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    s->count = 0;
    for (uint32_t i = 0; i < hull->num_points; i++) {
        test_props_point(&m->props[prop], mesh->hull_points[hull->first_point + i], points[i]);
    }
    for (int i = 0; i < 3; i++) {
        add_normal(s, axes[i], points, hull->num_points, half);
    }
    // The ring has sides, and each of its corners an edge to both apexes: 3 * ring edges.
    uint32_t ring = hull->num_points - 2;
    for (uint32_t i = 0; i < ring; i++) {
        const double *a = points[i], *b = points[(i + 1) % ring];
        for (uint32_t apex = ring; apex < ring + 2; apex++) {
            double ab[3], ap[3], n[3];
            for (int k = 0; k < 3; k++) {
                ab[k] = b[k] - a[k];
                ap[k] = points[apex][k] - a[k];
            }
            cross(ab, ap, n);
            add_normal(s, n, points, hull->num_points, half);
            for (int k = 0; k < 3; k++) {
                cross(ap, axes[k], n);
                add_normal(s, n, points, hull->num_points, half);
                cross(ab, axes[k], n);
                if (apex == ring) {
                    add_normal(s, n, points, hull->num_points, half);
                }
            }
        }
    }
}

// Where a segment enters a sum. Returns -1 if it starts in it, 2 if it misses it.
static double enter_sum(const sum *s, const double a[3], const double b[3], uint32_t *plane) {
    double enter = -1, leave = 1;
    for (uint32_t i = 0; i < s->count; i++) {
        double d1 = dot(s->normals[i], a) - s->dists[i], d2 = dot(s->normals[i], b) - s->dists[i];
        if (d1 > 0 && d2 > 0) {
            return 2;
        }
        if (d1 > 0 && d1 / (d1 - d2) > enter) {
            enter = d1 / (d1 - d2);
            *plane = i;
        } else if (d1 <= 0 && d2 > 0) {
            leave = fmin(leave, d1 / (d1 - d2));
        }
    }
    return enter <= leave ? enter : 2;
}

static void as_sums(void **state) {
    (void)state;
    enum { BOXES = 4000, PROPS = 16 };
    bsp_error error = {0};
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", PROPS, 11);
    bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
    assert_non_null(solids);
    test_random seed = {5};
    uint32_t different = 0, hits = 0, by_edge = 0;
    for (uint32_t i = 0; i < BOXES; i++) {
        bsp_trace_input in;
        bsp_solids_result r;
        double a[3], b[3], half[3], nearest = 2, before = 1;
        bool starts = false;
        const char *why = "";
        test_props_segment(&seed, &in);
        for (int k = 0; k < 3; k++) {
            in.mins[k] = (float)-random_between(&seed, 0, 40);
            in.maxs[k] = i % 8 == 0 && k != 0 ? in.mins[k] : (float)random_between(&seed, 0, 40);
            half[k] = ((double)in.maxs[k] - (double)in.mins[k]) / 2;
            double middle = ((double)in.maxs[k] + (double)in.mins[k]) / 2;
            a[k] = (double)in.start[k] + middle;
            b[k] = (double)in.end[k] + middle;
        }
        bsp_solids_trace(solids, &in, &r);
        for (uint32_t n = 0; n < PROPS; n++) {
            for (uint32_t h = 0; h < m->meshes[n].num_hulls; h++) {
                sum s;
                uint32_t plane = 0;
                make_sum(m, n, h, half, &s);
                double enter = enter_sum(&s, a, b, &plane);
                starts = starts || enter == -1;
                if (enter >= 0 && enter < nearest) {
                    double step[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
                    nearest = enter;
                    before = fmax(enter - EPSILON / -dot(step, s.normals[plane]), 0);
                    why = plane < 6 ? "box" : "edge or face";
                }
            }
        }
        hits += nearest <= 1;
        bool same = starts == r.trace.start_solid;
        if (!r.trace.all_solid) {
            same = same && fabs(before - (double)r.trace.fraction) < 1e-5;
        }
        if (!same) {
            different++;
            print_message("%u: %g, %s, %g expected (%s)\n", i, (double)r.trace.fraction,
                          r.trace.start_solid ? "in" : "out", before, why);
        }
        // Contact at a plane of neither shape alone.
        if (r.trace.fraction < 1 && nearest < 1) {
            bool axial = false;
            for (int k = 0; k < 3; k++) {
                axial = axial || fabs((double)r.trace.normal[k]) > 0.9999;
            }
            by_edge += !axial;
        }
    }
    assert_int_equal(different, 0);
    assert_true(hits > BOXES / 10 && by_edge > BOXES / 40);
    bsp_solids_free(solids);
    test_props_free(m);
}

// --- world and props ----------------------------------------------------------------------------

static void nearest_of_both(void **state) {
    (void)state;
    static const char *const maps[] = {"/quake/lobby.bsp", "/goldsrc/lobby.bsp",
                                       "/quake2/lobby.bsp", "/quake3/lobby.bsp",
                                       "/source/lobby.bsp"};
    for (size_t n = 0; n < sizeof maps / sizeof *maps; n++) {
        char path[600];
        bsp_error error = {0};
        snprintf(path, sizeof path, "%s%s", BSP_TEST_SAMPLES, maps[n]);
        test_props *m = test_props_make(path, MOST_PROPS, 23);
        bsp_trace_index *index = bsp_trace_index_new(m->map, NULL, &error);
        bsp_solids *both = bsp_solids_new(&m->scene, index, NULL, &error);
        bsp_solids *props = bsp_solids_new(&m->scene, NULL, NULL, &error);
        assert_true(index != NULL && both != NULL && props != NULL);
        test_random seed = {77};
        uint32_t of_world = 0, of_props = 0;
        for (uint32_t i = 0; i < 20000; i++) {
            bsp_trace_input in;
            bsp_trace_result world;
            bsp_solids_result all, prop;
            test_props_segment(&seed, &in);
            in.model = i % 2 == 0 ? 0 : BSP_TRACE_ALL;
            for (int k = 0; k < 3 && i % 3 == 0; k++) {
                in.mins[k] = -16;
                in.maxs[k] = 16;
            }
            bsp_trace(index, &in, &world);
            bsp_solids_trace(props, &in, &prop);
            bsp_solids_trace(both, &in, &all);
            assert_true(all.trace.start_solid == (world.start_solid || prop.trace.start_solid));
            assert_true(all.trace.all_solid == (world.all_solid || prop.trace.all_solid));
            if (world.start_solid || prop.trace.start_solid) {
                continue;
            }
            bool first = world.fraction <= prop.trace.fraction;
            assert_true(all.trace.fraction == fminf(world.fraction, prop.trace.fraction));
            assert_int_equal(all.prop, first ? BSP_NONE : prop.prop);
            if (first) {
                assert_memory_equal(&all.trace, &world, sizeof world);
            }
            of_world += first && world.fraction < 1;
            of_props += !first;
        }
        assert_true(of_world > 100 && of_props > 20);
        bsp_solids_free(both);
        bsp_solids_free(props);
        bsp_trace_index_free(index);
        test_props_free(m);
    }
}

// --- what is met --------------------------------------------------------------------------------

// A prop that is the box from -8 to 8 around (100, 0, 0), and one behind it.
static void put_boxes(test_props *m) {
    for (uint32_t n = 0; n < 2; n++) {
        bsp_scene_prop *p = &m->props[n];
        p->solid = 2;
        for (int i = 0; i < 3; i++) {
            float middle = i == 0 ? 100 + 100 * (float)n : 0;
            p->solid_box[0][i] = middle - 8;
            p->solid_box[1][i] = middle + 8;
        }
    }
}

static float look(const test_props *m, uint32_t mask, bool sight, uint32_t model, uint32_t *prop) {
    bsp_error error = {0};
    bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
    assert_non_null(solids);
    const bsp_trace_input in = {.end = {300, 0, 0}, .mask = mask, .sight = sight, .model = model};
    bsp_solids_result r;
    bsp_solids_trace(solids, &in, &r);
    *prop = r.prop;
    bsp_solids_free(solids);
    return r.trace.fraction;
}

static void masks_choose(void **state) {
    (void)state;
    enum { WINDOW = 2 };
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 2, 1);
    uint32_t prop;
    put_boxes(m);
    assert_true(fabsf(look(m, 0, false, 0, &prop) - (92 - 0.03125F) / 300) < 1e-6F);
    assert_int_equal(prop, 0);
    m->props[0].needs = MONSTER; // an entity's
    assert_true(fabsf(look(m, 0, false, 0, &prop) - (192 - 0.03125F) / 300) < 1e-6F);
    assert_int_equal(prop, 1);
    look(m, 1 | MONSTER, false, 0, &prop);
    assert_int_equal(prop, 0);
    m->props[0].needs = MONSTER | WINDOW; // drawn by a rendermode
    look(m, 1 | MONSTER, false, 0, &prop);
    assert_int_equal(prop, 1);
    look(m, 1 | MONSTER | WINDOW, true, BSP_TRACE_ALL, &prop);
    assert_int_equal(prop, 0);
    m->props[1].contents = 8; // a grate
    assert_true(look(m, 1, false, 0, &prop) == 1);
    look(m, 8, false, 0, &prop);
    assert_int_equal(prop, 1);
    assert_true(look(m, 8, false, 1, &prop) == 1); // in the space of a brush model
    m->props[1].solid = 0;
    assert_true(look(m, UINT32_MAX - MONSTER, false, 0, &prop) == 1);
    test_props_free(m);
    // Quake's traces have no mask, and its sight is stopped by brushes alone.
    m = test_props_make(BSP_TEST_SAMPLES "/quake/lobby.bsp", 2, 1);
    put_boxes(m);
    m->props[0].needs = MONSTER;
    m->props[0].contents = MONSTER;
    look(m, 0, false, 0, &prop);
    assert_int_equal(prop, 1);
    look(m, MONSTER, false, 0, &prop);
    assert_int_equal(prop, 0);
    assert_true(look(m, 0, true, 0, &prop) == 1);
    test_props_free(m);
}

static void starts_in_a_box(void **state) {
    (void)state;
    bsp_error error = {0};
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", 2, 1);
    put_boxes(m);
    bsp_solids *solids = bsp_solids_new(&m->scene, NULL, NULL, &error);
    const bsp_trace_input out = {.start = {100, 0, 0}, .end = {100, 0, 32}};
    const bsp_trace_input on = {.start = {100, 0, 0}, .end = {300, 0, 0}};
    const bsp_trace_input within = {.start = {100, 0, 0}, .end = {104, 0, 0}};
    const bsp_trace_input still = {
        .start = {80, 0, 0}, .end = {80, 0, 0}, .mins = {-16, -16, -16}, .maxs = {16, 16, 16}};
    bsp_solids_result r;
    bsp_solids_trace(solids, &out, &r);
    assert_true(r.trace.start_solid && !r.trace.all_solid && r.trace.fraction == 1);
    assert_int_equal(r.prop, 0); // which holds the start
    // It is out after 8 of 32 units; as with brushes the epsilon is taken from that.
    assert_true(fabsf(r.trace.left_solid - (8 - 0.03125F) / 32) < 1e-6F);
    bsp_solids_trace(solids, &on, &r);
    assert_true(r.trace.start_solid && !r.trace.all_solid);
    assert_int_equal(r.prop, 1);
    assert_true(fabsf(r.trace.fraction - (92 - 0.03125F) / 200) < 1e-6F);
    bsp_solids_trace(solids, &within, &r);
    assert_true(r.trace.start_solid && r.trace.all_solid && r.trace.fraction == 0);
    assert_true(r.trace.end[0] == 100 && r.trace.left_solid == 1);
    bsp_solids_trace(solids, &still, &r);
    assert_true(r.trace.all_solid);
    assert_int_equal(r.prop, 0);
    bsp_solids_free(solids);
    test_props_free(m);
}

// --- many ---------------------------------------------------------------------------------------

static void same_at_any_threads(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static bsp_trace_input in[COUNT];
    static bsp_sight_line lines[COUNT];
    static bsp_solids_result first[COUNT], other[COUNT];
    static bool seen[COUNT], seen_other[COUNT];
    bsp_error error = {0};
    test_props *m = test_props_make(BSP_TEST_SAMPLES "/source/lobby.bsp", MOST_PROPS, 9);
    bsp_trace_index *index = bsp_trace_index_new(m->map, NULL, &error);
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    const bsp_solids_options options = {.budget = budget};
    bsp_solids *solids = bsp_solids_new(&m->scene, index, &options, &error);
    assert_non_null(solids);
    test_random seed = {99};
    uint32_t open = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        test_props_segment(&seed, &in[i]);
        memcpy(lines[i].from, in[i].start, sizeof lines[i].from);
        memcpy(lines[i].to, in[i].end, sizeof lines[i].to);
    }
    static const uint32_t threads[] = {1, 2, 7};
    for (size_t t = 0; t < 3; t++) {
        memset(other, 0, sizeof other);
        bsp_budget_set_threads(budget, threads[t]);
        bsp_solids_trace_batch(solids, in, other, COUNT);
        bsp_solids_sight_batch(solids, 0, 0, lines, seen_other, COUNT);
        if (t == 0) {
            memcpy(first, other, sizeof first);
            memcpy(seen, seen_other, sizeof seen);
        }
        assert_memory_equal(first, other, sizeof first);
        assert_memory_equal(seen, seen_other, sizeof seen);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        bsp_solids_result one;
        bsp_trace_input line = in[i];
        bsp_solids_trace(solids, &in[i], &one);
        assert_memory_equal(&one, &first[i], sizeof one);
        line.mask = bsp_sight_mask(m->map->branch);
        line.sight = true;
        bsp_solids_trace(solids, &line, &one);
        assert_true(seen[i] == (one.trace.fraction == 1 && !one.trace.start_solid));
        open += seen[i];
    }
    assert_true(open > 100 && open < COUNT - 100);
    bsp_solids_free(solids);
    bsp_budget_free(budget);
    bsp_trace_index_free(index);
    test_props_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_real_hulls),    cmocka_unit_test(as_a_real_map),
        cmocka_unit_test(as_all_triangles), cmocka_unit_test(as_sums),
        cmocka_unit_test(nearest_of_both),  cmocka_unit_test(masks_choose),
        cmocka_unit_test(starts_in_a_box),  cmocka_unit_test(same_at_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
