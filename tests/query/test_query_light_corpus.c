// SPDX-License-Identifier: MIT
// Light at random points against computations written a second time, in double precision: the light
// grid of Quake 3 (R_SetupEntityLightingGrid), the lightmap below (RecursiveLightPoint), the
// ambient cubes of Source. Samples, and the corpus where it is there.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

#define FULL_POINTS 20000u
#define PI 3.14159265358979323846
#define TOLERANCE 2e-3 // of a colour of 1

typedef struct totals {
    unsigned maps, lit, dark, edges, borrowed;
    double worst;
} totals;

static void fail_light(const each_map *m, const float p[3], const char *what, double is,
                       double should) {
    fail_msg("%s: light at %.9g %.9g %.9g: %s is %.9g, should be %.9g", m->name, (double)p[0],
             (double)p[1], (double)p[2], what, is, should);
}

static void expect(const each_map *m, totals *t, const float p[3], const char *what, double is,
                   double should) {
    double off = fabs(is - should);
    t->worst = off > t->worst ? off : t->worst;
    if (!(off <= TOLERANCE)) {
        fail_light(m, p, what, is, should);
    }
}

// --- the grid -----------------------------------------------------------------------------------

typedef struct grid {
    double step[3], origin[3];
    int count[3];
} grid;

static grid find_grid(const bsp_map *map) {
    grid g = {.step = {64, 64, 128}};
    float given[3];
    if (bsp_parse_vector(bsp_entity_value(&map->entities->list[0], "gridsize"), given)) {
        for (int i = 0; i < 3; i++) {
            g.step[i] = given[i] >= 1 ? (double)given[i] : g.step[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        g.origin[i] = g.step[i] * ceil((double)map->models[0].mins[i] / g.step[i]);
        double end = g.step[i] * floor((double)map->models[0].maxs[i] / g.step[i]);
        g.count[i] = (int)((end - g.origin[i]) / g.step[i]) + 1;
    }
    return g;
}

static const bsp_light_cell *cell_at(const bsp_map *map, const grid *g, const int at[3]) {
    size_t n =
        (size_t)at[0] + (size_t)g->count[0] * ((size_t)at[1] + (size_t)g->count[1] * (size_t)at[2]);
    return &map->light_grid[map->num_light_array != 0 ? map->light_array[n] : n];
}

// Where a point is between the cells: clamped as the engine does it, whole cells at the far edge.
static void place(const grid *g, const float p[3], int cell[3], double part[3]) {
    for (int i = 0; i < 3; i++) {
        double v = ((double)p[i] - g->origin[i]) / g->step[i];
        cell[i] = (int)floor(v);
        part[i] = v - cell[i];
        if (cell[i] < 0 || cell[i] >= g->count[i] - 1) {
            part[i] = 0;
            cell[i] = cell[i] < 0 ? 0 : g->count[i] - 1;
        }
    }
}

static void check_grid(const each_map *m, const float p[3], totals *t) {
    grid g = find_grid(m->map);
    double ambient[3] = {0}, directed[3] = {0}, direction[3] = {0}, total = 0;
    int cell[3];
    double part[3];
    place(&g, p, cell, part);
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int at[3];
        for (int i = 0; i < 3; i++) {
            int next = corner >> i & 1;
            weight *= next ? part[i] : 1 - part[i];
            at[i] = cell[i] + next < g.count[i] ? cell[i] + next : cell[i];
        }
        const bsp_light_cell *c = cell_at(m->map, &g, at);
        if (weight == 0 || c->ambient[0][0] + c->ambient[0][1] + c->ambient[0][2] == 0) {
            continue; // in a wall
        }
        double polar = c->direction[0] * PI / 128, azimuth = c->direction[1] * PI / 128;
        double towards[3] = {cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar)};
        for (int i = 0; i < 3; i++) {
            ambient[i] += weight * c->ambient[0][i] / 255;
            directed[i] += weight * c->directed[0][i] / 255;
            direction[i] += weight * towards[i];
        }
        total += weight;
    }
    bsp_light light = bsp_query_light(m->map, NULL, p);
    if (total < 1e-3) {
        t->dark++;
        return; // what little weight there is is rounding
    }
    t->lit++;
    assert_int_equal(light.source, BSP_LIGHT_GRID);
    double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                         direction[2] * direction[2]);
    for (int i = 0; i < 3; i++) {
        expect(m, t, p, "ambient", (double)light.ambient[i], ambient[i] / total);
        expect(m, t, p, "directed", (double)light.directed[i], directed[i] / total);
        if (length > 0.1) {
            expect(m, t, p, "direction", (double)light.direction[i], direction[i] / length);
        }
    }
}

// --- the cubes ----------------------------------------------------------------------------------

// The leaf whose samples a leaf has: its own, or those of the leaf that it names without any.
static uint32_t lender(const bsp_map *map, const bsp_ambient_index *index, uint32_t num_index,
                       uint32_t leaf) {
    bool borrows = leaf < num_index && index[leaf].count == 0 && index[leaf].first != 0 &&
                   index[leaf].first < map->num_leaves;
    return borrows ? index[leaf].first : leaf;
}

static void check_cube(const each_map *m, const float p[3], totals *t) {
    const bsp_map *map = m->map;
    uint32_t number = bsp_query_leaf(map, p);
    bool hdr = map->num_ambient_samples == 0;
    const bsp_ambient_sample *samples = hdr ? map->ambient_samples_hdr : map->ambient_samples;
    const bsp_ambient_index *index = hdr ? map->ambient_index_hdr : map->ambient_index;
    uint32_t num_index = hdr ? map->num_ambient_index_hdr : map->num_ambient_index;
    uint32_t num_samples = hdr ? map->num_ambient_samples_hdr : map->num_ambient_samples;
    double cube[6][3] = {{0}}, total = 0;
    uint32_t from = lender(map, index, num_index, number);
    t->borrowed += from != number;
    bool one_each = num_index == 0 && number < num_samples;
    uint32_t count = from < num_index ? index[from].count : one_each ? 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_ambient_sample *s = &samples[one_each ? number : index[from].first + i];
        const bsp_leaf *leaf = &map->leaves[from];
        double d = 0;
        for (int k = 0; k < 3; k++) {
            double low = (double)leaf->mins[k], high = (double)leaf->maxs[k];
            d += pow(low + (high - low) * s->place[k] / 255 - (double)p[k], 2);
        }
        for (int k = 0; k < 18; k++) {
            const uint8_t *c = s->cube + 4 * (k / 3);
            cube[k / 3][k % 3] += c[k % 3] * pow(2, (int8_t)c[3]) / (d + 1);
        }
        total += 1 / (d + 1);
    }
    for (int k = 0; k < 18 && samples == NULL; k++) { // older maps: in the leaf
        const uint8_t *c = map->leaves[number].cube + 4 * (k / 3);
        cube[k / 3][k % 3] = c[k % 3] * pow(2, (int8_t)c[3]);
        total = cube[k / 3][k % 3] > 0 ? 1 : total;
    }
    bsp_light light = bsp_query_light(map, NULL, p);
    float mesh[6][3];
    assert_int_equal(bsp_ambient_cube(map, number, p, false, mesh), total > 0);
    t->lit += total > 0;
    t->dark += total > 0 ? 0 : 1;
    assert_int_equal(light.source, total > 0 ? BSP_LIGHT_CUBE : BSP_LIGHT_NONE);
    for (int k = 0; k < 18 && total > 0; k++) {
        double value = cube[k / 3][k % 3] / total;
        assert_true(fabs((double)light.cube[k / 3][k % 3] - value) <= 1e-4 * (1e-3 + value));
        assert_true(light.cube[k / 3][k % 3] == mesh[k / 3][k % 3]);
    }
}

// --- the surface below --------------------------------------------------------------------------

typedef struct found {
    bool any, near;
    uint32_t face;
    double light[3];
} found;

static double dot(const float *v, const double p[3]) {
    return (double)v[0] * p[0] + (double)v[1] * p[1] + (double)v[2] * p[2];
}

// Skies, liquids and what is never lit: looked through.
static bool is_special(const bsp_map *map, const bsp_face *face) {
    const bsp_texinfo *tex = &map->texinfos[face->texinfo];
    bool quake2 = map->branch->family == BSP_QUAKE2;
    if (quake2 || (tex->flags & 1) != 0) {
        return (tex->flags & (quake2 ? 4u | 8u : 1u)) != 0;
    }
    bsp_text name =
        tex->material < map->num_materials ? map->materials[tex->material].name : bsp_text_of("");
    bool sky = name.size >= 3 && (name.data[0] | 32) == 's' && (name.data[1] | 32) == 'k' &&
               (name.data[2] | 32) == 'y';
    return sky || (name.size != 0 && (name.data[0] == '*' || name.data[0] == '!'));
}

static double luxel(const bsp_map *map, const bsp_face_light *fl, int s, int t, int c) {
    int w = fl->size[0], bytes = map->traits->light == BSP_LIGHT_GREY8 ? 1 : 3;
    s = s < w ? s : w - 1;
    t = t < fl->size[1] ? t : fl->size[1] - 1;
    size_t at = fl->offset + ((size_t)t * (size_t)w + (size_t)s) * (size_t)bytes;
    at += bytes == 3 ? (size_t)c : 0;
    return at < map->light.size ? map->light.data[at] / 255.0 : 0;
}

static bool light_face(const bsp_map *map, uint32_t number, const double p[3], found *f) {
    const bsp_face *face = &map->faces[number];
    const bsp_face_light *fl = &map->face_lights[number];
    double at[2];
    if (face->texinfo >= map->num_texinfos || is_special(map, face) || fl->size[0] < 1 ||
        fl->size[1] < 1) {
        return false;
    }
    int slot = 0; // of style 0, which alone is looked at; the styles end at 255
    while (slot < 4 && fl->styles[slot] != 0 && fl->styles[slot] != 255) {
        slot++;
    }
    bool dark = fl->offset == BSP_NONE || slot == 4 || fl->styles[slot] != 0;
    bsp_face_light there = *fl;
    there.offset += (uint32_t)slot * (uint32_t)(fl->size[0] * fl->size[1]) *
                    (map->traits->light == BSP_LIGHT_GREY8 ? 1u : 3u);
    for (int i = 0; i < 2; i++) {
        const float *v = map->texinfos[face->texinfo].texture[i];
        at[i] = (dot(v, p) + (double)v[3]) / map->traits->luxel - fl->mins[i];
        f->near = f->near || fabs(at[i]) < 1e-2 || fabs(at[i] - (fl->size[i] - 1)) < 1e-2;
        if (at[i] < 0 || at[i] > fl->size[i] - 1) {
            return false;
        }
    }
    int s = (int)at[0], t = (int)at[1];
    double u = at[0] - s, v = at[1] - t;
    for (int c = 0; c < 3; c++) {
        f->light[c] = (1 - u) * (1 - v) * luxel(map, &there, s, t, c) +
                      u * (1 - v) * luxel(map, &there, s + 1, t, c) +
                      (1 - u) * v * luxel(map, &there, s, t + 1, c) +
                      u * v * luxel(map, &there, s + 1, t + 1, c);
        f->light[c] = dark ? 0 : f->light[c];
    }
    f->face = number;
    return f->any = true;
}

// RecursiveLightPoint: near side, the node's own faces, far side.
static bool look_down(const bsp_map *map, int32_t number, const double a[3], const double b[3],
                      found *f) {
    if (number < 0) {
        return false;
    }
    const bsp_node *node = &map->nodes[number];
    const bsp_plane *plane = &map->planes[node->plane];
    double front = dot(plane->normal, a) - (double)plane->dist;
    double back = dot(plane->normal, b) - (double)plane->dist;
    f->near = f->near || fabs(front) < 1e-2 || fabs(back) < 1e-2;
    int side = front < 0;
    if ((back < 0) == side) {
        return look_down(map, node->children[side], a, b, f);
    }
    double middle[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = a[i] + (b[i] - a[i]) * front / (front - back);
    }
    if (look_down(map, node->children[side], a, middle, f)) {
        return true;
    }
    for (uint32_t i = 0; i < node->num_faces; i++) {
        if (light_face(map, node->first_face + i, middle, f)) {
            return true;
        }
    }
    return look_down(map, node->children[!side], middle, b, f);
}

static void check_surface(const each_map *m, const float p[3], totals *t) {
    const bsp_map *map = m->map;
    double a[3] = {(double)p[0], (double)p[1], (double)p[2]};
    double b[3] = {a[0], a[1], a[2] - 8192};
    found f = {.any = false};
    look_down(map, map->models[0].headnodes[0], a, b, &f);
    bsp_light light = bsp_query_light(map, NULL, p);
    if (f.near) {
        t->edges++; // of a node or a face: rounding decides
        return;
    }
    assert_int_equal(light.source, f.any ? BSP_LIGHT_SURFACE : BSP_LIGHT_NONE);
    t->lit += f.any ? 1 : 0;
    t->dark += f.any ? 0 : 1;
    if (f.any && light.face != f.face) {
        fail_light(m, p, "face", (double)light.face, (double)f.face);
    }
    for (int c = 0; c < 3 && f.any; c++) {
        expect(m, t, p, "colour", (double)light.ambient[c], f.light[c]);
    }
}

// --- all maps -----------------------------------------------------------------------------------

typedef void (*check)(const each_map *m, const float p[3], totals *t);

static check choose(const bsp_map *map) {
    bool lightmap = map->traits->light == BSP_LIGHT_GREY8 || map->traits->light == BSP_LIGHT_RGB8;
    if (map->num_light_grid != 0) {
        return check_grid;
    }
    if (map->branch->family == BSP_SOURCE) {
        return check_cube;
    }
    return lightmap && map->light.size != 0 ? check_surface : NULL;
}

static void check_map(const each_map *m, void *user) {
    const bsp_map *map = m->map;
    totals *t = user;
    check ask = map->num_models == 0 || map->num_nodes == 0 ? NULL : choose(map);
    test_random random = {1234};
    if (ask == check_grid) {
        grid g = find_grid(map);
        size_t cells = (size_t)g.count[0] * (size_t)g.count[1] * (size_t)g.count[2];
        size_t there = map->num_light_array != 0 ? map->num_light_array : map->num_light_grid;
        ask = cells <= there ? ask : NULL; // a known oddity: the engine takes no grid then
    }
    for (unsigned i = 0; ask != NULL && i < test_effort(FULL_POINTS); i++) {
        float p[3];
        for (int k = 0; k < 3; k++) {
            float part = (float)(random_u32(&random) >> 8) / 16777216.0f;
            p[k] =
                map->models[0].mins[k] + part * (map->models[0].maxs[k] - map->models[0].mins[k]);
        }
        ask(m, p, t);
    }
    t->maps += ask != NULL;
}

static void test_light(void **state) {
    (void)state;
    totals t = {0};
    unsigned corpus = each_map_do_some(test_step(3), check_map, &t);
    print_message("%u maps (%u in the corpus): %u points lit, %u dark, %u where rounding decides, "
                  "%u in leaves that borrow; differ by %.2g at most\n",
                  t.maps, corpus, t.lit, t.dark, t.edges, t.borrowed, t.worst);
    assert_true(t.lit > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_light)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
