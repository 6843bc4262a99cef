// SPDX-License-Identifier: MIT
// Lines of sight: what stops them in each family, in rooms whose facts are known, and in every map
// against the plain intersection with each brush, or each leaf, of the world.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/query.h"
#include "support/each_map.h"
#include "support/effort.h"
#include "support/random.h"
#include "support/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- rooms --------------------------------------------------------------------------------------

static bool sees(const bsp_map *map, uint32_t mask, uint32_t model, const float a[3],
                 const float b[3]) {
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    bsp_sight_line lines[2];
    bool seen[2];
    assert_non_null(index);
    memcpy(lines[0].from, a, sizeof lines[0].from);
    memcpy(lines[0].to, b, sizeof lines[0].to);
    memcpy(lines[1].from, b, sizeof lines[1].from);
    memcpy(lines[1].to, a, sizeof lines[1].to);
    bsp_sight_batch(index, mask, model, lines, seen, 2);
    bsp_trace_index_free(index);
    assert_int_equal(seen[0], seen[1]); // brushes and hulls look the same from both sides
    return seen[0];
}

// On both sides of the door, which is the second model.
static const float here[3] = {0, 0, 48};
static const float there[3] = {64, 0, 48};

typedef struct stopping {
    const char *branch;
    int32_t contents;
    bool seen;
} stopping;

static void test_contents(void **state) {
    static const stopping rows[] = {
        {"source_20", 1, false},       {"source_20", 2, true},       // window
        {"source_20", 8, true},                                      // grate
        {"source_20", 0x40, false},    {"source_20", 0x4000, false}, // blocklos, moveable
        {"source_20", 0x80, true},     {"source_20", 0x10000, true}, // opaque, player clip
        {"source_20", 0x20, true},                                   // water
        {"titanfall", 0x80000, false}, {"titanfall", 0x40, true},    // blocklos, a window
        {"quake2", 1, false},          {"quake2", 2, true},          // window
        {"quake2", 8, false},          {"quake2", 0x10, false},      // lava, slime
        {"quake2", 0x20, true},                                      // water
        {"quake3", 1, false},          {"quake3", 8, false},         // lava
        {"quake3", 0x20, true},        {"rbsp", 0x8000, false},      // water, opaque
        {"rbsp", 0x10, true},                                        // player clip
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bsp_branch *branch = bsp_branch_find(rows[i].branch);
        assert_non_null(branch);
        room *r = room_build(branch);
        for (uint32_t b = 0; b < r->map.num_brushes; b++) {
            r->brushes[b].contents = rows[i].contents;
        }
        for (uint32_t l = 0; l < r->map.num_leaves; l++) {
            r->leaves[l].contents |= rows[i].contents; // Quake 2 asks them before their brushes
        }
        uint32_t model = BSP_TRACE_ALL;
        if (sees(&r->map, 0, model, here, there) != rows[i].seen) {
            fail_msg("%s: contents 0x%X %s", rows[i].branch, (unsigned)rows[i].contents,
                     rows[i].seen ? "stop sight" : "do not stop sight");
        }
        assert_false(sees(&r->map, UINT32_MAX, model, here, there));
        assert_true(sees(&r->map, 0, 0, here, there)); // the door is not the world
        room_free(r);
    }
}

// A point inside of what stops sight sees nothing, and is not seen.
static void test_inside(void **state) {
    static const float inside[3] = {36, 0, 48};
    (void)state;
    room *r = room_build(bsp_branch_find("source_20"));
    assert_false(sees(&r->map, 0, BSP_TRACE_ALL, inside, there));
    assert_false(sees(&r->map, 0, BSP_TRACE_ALL, inside, inside));
    assert_true(sees(&r->map, 0, BSP_TRACE_ALL, there, there));
    room_free(r);
}

static void check_glass(const char *branch, const char *keys, bool seen) {
    char text[256];
    room *r = room_build(bsp_branch_find(branch));
    snprintf(text, sizeof text, "{\"classname\" \"worldspawn\"}{\"model\" \"*1\" %s}", keys);
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(entities);
    r->map.entities = entities;
    if (sees(&r->map, 0, BSP_TRACE_ALL, here, there) != seen) {
        fail_msg("%s: %s", branch, keys);
    }
    bsp_entities_free(entities);
    room_free(r);
}

static void test_glass(void **state) {
    (void)state;
    check_glass("goldsrc", "\"classname\" \"func_breakable\"", false);
    check_glass("goldsrc", "\"classname\" \"func_breakable\" \"rendermode\" \"0\"", false);
    check_glass("goldsrc", "\"classname\" \"func_breakable\" \"rendermode\" \"2\"", true);
    check_glass("goldsrc", "\"classname\" \"func_door\" \"rendermode\" \"2\"", true);
    check_glass("goldsrc", "\"classname\" \"func_wall\" \"rendermode\" \"2\"", false);
    check_glass("goldsrc", "\"classname\" \"func_illusionary\"", true);
    check_glass("quake", "\"classname\" \"func_door\" \"rendermode\" \"2\"", false);
    check_glass("source_20", "\"classname\" \"func_door\" \"rendermode\" \"2\"", false);
}

// --- brute force --------------------------------------------------------------------------------

#define LINES 400
#define NEAR 0.1    // that engines take for touching, at most (1/32 and 1/8 along the line)
#define MARGIN 0.25 // units that a line is in something before it must be stopped

static bool plane_cut(const bsp_plane *plane, double grown, const double a[3], const double b[3],
                      double *enter, double *leave) {
    double da = -(double)plane->dist - grown;
    double db = da;
    for (int i = 0; i < 3; i++) {
        da += (double)plane->normal[i] * a[i];
        db += (double)plane->normal[i] * b[i];
    }
    if (da > 0 && db > 0) {
        return false;
    }
    if (da > 0) {
        *enter = fmax(*enter, da / (da - db));
    } else if (db > 0) {
        *leave = fmin(*leave, da / (da - db));
    }
    return *enter < *leave;
}

// Returns how much of the line is in a brush whose sides are moved outwards, as a fraction.
static double in_brush(const bsp_map *map, const bsp_brush *brush, double grown, const double a[3],
                       const double b[3]) {
    double enter = 0;
    double leave = 1;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_brush_side *side = &map->brush_sides[brush->first_side + s];
        if (side->plane >= map->num_planes ||
            !plane_cut(&map->planes[side->plane], grown, a, b, &enter, &leave)) {
            return 0;
        }
    }
    return brush->num_sides == 0 ? 0 : leave - enter;
}

// Returns the longest part of the line in solid leaves below a node.
static double in_leaves(const bsp_map *map, int32_t node, const double a[3], const double b[3],
                        double from, double to, uint8_t *brushes) {
    if (node < 0) {
        const bsp_leaf *leaf = &map->leaves[-1 - node];
        for (uint32_t i = 0; brushes != NULL && i < leaf->num_brushes; i++) {
            brushes[map->leaf_brushes[leaf->first_brush + i]] = 1;
        }
        return leaf->contents == -2 ? to - from : 0;
    }
    const bsp_plane *plane = &map->planes[map->nodes[node].plane];
    const int32_t *children = map->nodes[node].children;
    double da = -(double)plane->dist;
    double db = da;
    for (int i = 0; i < 3; i++) {
        da += (double)plane->normal[i] * (a[i] + from * (b[i] - a[i]));
        db += (double)plane->normal[i] * (a[i] + to * (b[i] - a[i]));
    }
    if (brushes == NULL && (da < 0) == (db < 0)) {
        return in_leaves(map, children[da < 0], a, b, from, to, brushes);
    }
    double middle = brushes != NULL ? from : from + (to - from) * (da / (da - db));
    double near = in_leaves(map, children[da < 0], a, b, from, middle, brushes);
    double far = in_leaves(map, children[!(da < 0)], a, b, middle, to, brushes);
    return near > far ? near : far;
}

// Marks the brushes of the world.
static uint8_t *mark_world(const bsp_map *map) {
    static const double zero[3] = {0, 0, 0};
    uint8_t *world = calloc((size_t)map->num_brushes + 1, 1);
    assert_non_null(world);
    if (map->traits->model_runs) {
        memset(world + map->models[0].first_brush, 1, map->models[0].num_brushes);
    } else if (map->num_nodes != 0) {
        (void)in_leaves(map, map->models[0].headnodes[0], zero, zero, 0, 0, world);
    }
    return world;
}

// Returns the longest part of the line in something that stops sight.
static double stopped(const bsp_map *map, const uint8_t *world, double grown, const float from[3],
                      const float to[3]) {
    const double a[3] = {(double)from[0], (double)from[1], (double)from[2]};
    const double b[3] = {(double)to[0], (double)to[1], (double)to[2]};
    double most = 0;
    if (map->traits->contents_numbers) {
        return in_leaves(map, map->models[0].headnodes[0], a, b, 0, 1, NULL);
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        if (world[i] != 0 && ((uint32_t)map->brushes[i].contents & map->traits->sight_mask) != 0) {
            double part = in_brush(map, &map->brushes[i], grown, a, b);
            most = part > most ? part : most;
        }
    }
    return most;
}

typedef struct tally {
    unsigned seen;
    unsigned hidden;
} tally;

static void random_line(test_random *random, const bsp_map *map, bsp_sight_line *line) {
    for (int i = 0; i < 3; i++) {
        float size = map->models[0].maxs[i] - map->models[0].mins[i];
        line->from[i] = map->models[0].mins[i] + (float)random_below(random, 4096) / 4096 * size;
        line->to[i] = line->from[i] + ((float)random_below(random, 513) - 256);
    }
}

static void check_lines(const each_map *m, void *user) {
    static bsp_sight_line lines[LINES];
    static bool seen[LINES];
    const bsp_map *map = m->map;
    tally *sum = user;
    test_random random = {1848};
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, NULL);
    if (index == NULL || map->num_models == 0 || !each_map_has_bodies(m)) {
        bsp_trace_index_free(index);
        return;
    }
    bool others = map->num_displacements != 0 || map->traits->draws_vertices;
    uint8_t *world = mark_world(map);
    for (int i = 0; i < LINES; i++) {
        random_line(&random, map, &lines[i]);
    }
    bsp_sight_batch(index, 0, 0, lines, seen, LINES);
    for (int i = 0; i < LINES; i++) {
        double length = 0;
        for (int k = 0; k < 3; k++) {
            length += pow((double)lines[i].to[k] - (double)lines[i].from[k], 2);
        }
        double part = stopped(map, world, 0, lines[i].from, lines[i].to) * sqrt(length);
        double about = others ? 1 : stopped(map, world, NEAR, lines[i].from, lines[i].to);
        if ((part > MARGIN && seen[i]) || (about == 0 && !seen[i])) {
            fail_msg("%s: %g %g %g to %g %g %g: %d, %g units are in solid", m->name,
                     (double)lines[i].from[0], (double)lines[i].from[1], (double)lines[i].from[2],
                     (double)lines[i].to[0], (double)lines[i].to[1], (double)lines[i].to[2],
                     seen[i], part);
        }
        sum->seen += seen[i] ? 1 : 0;
        sum->hidden += seen[i] ? 0 : 1;
    }
    free(world);
    bsp_trace_index_free(index);
}

static void test_brute_force(void **state) {
    tally sum = {0};
    (void)state;
    (void)each_map_do_some(test_step(8), check_lines, &sum);
    assert_true(sum.seen > 500 && sum.hidden > 500);
}

// The same answers for each line alone, for all at once, and at any number of threads.
static void test_threads(void **state) {
    enum { MANY = 5000 };
    static bsp_sight_line lines[MANY];
    static bool all[MANY];
    (void)state;
    bsp_file *file = bsp_file_open(BSP_TEST_SAMPLES "/quake3/lobby.bsp", NULL, NULL);
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    test_random random = {3};
    for (uint32_t threads = 1; threads <= 7; threads += 3) {
        bool seen[MANY];
        bsp_budget *budget = bsp_budget_new(NULL, NULL);
        assert_non_null(budget);
        bsp_budget_set_threads(budget, threads);
        bsp_trace_options options = {.budget = budget};
        bsp_trace_index *index = bsp_trace_index_new(map, &options, NULL);
        assert_non_null(index);
        for (int i = 0; threads == 1 && i < MANY; i++) {
            random_line(&random, map, &lines[i]);
            bsp_sight_batch(index, 0, BSP_TRACE_ALL, &lines[i], &all[i], 1);
        }
        bsp_sight_batch(index, 0, BSP_TRACE_ALL, lines, seen, MANY);
        assert_memory_equal(seen, all, sizeof all);
        bsp_trace_index_free(index);
        bsp_budget_free(budget);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents), cmocka_unit_test(test_inside),
        cmocka_unit_test(test_glass),    cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
