// SPDX-License-Identifier: MIT
// Trees, lists and faces that are made to be slow: the work is bounded by counts of steps (never by
// times), passing the limit of work is an error, and what makes searches fast finds what a search
// of all finds.
#include "bspkit/decompile.h"
#include "core/text.h"
#include "decompile/tree/clip.h"
#include "decompile/tree/flood.h"
#include "decompile/tree/list.h"
#include "decompile/tree/queue.h"
#include "support/alloc.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- a tree that is one long chain --------------------------------------------------------------

#define CHAIN 3000u
#define STEPS 1000000u // of work that a search may take where it would take more

typedef struct chain {
    bsp_plane planes[CHAIN];
    bsp_node nodes[CHAIN];
    bsp_clipnode clipnodes[CHAIN];
    bsp_leaf leaves[2]; // solid, empty
    bsp_model model;
    bsp_map map;
} chain;

// Node i parts what is left of X = i off, in leaf `leaf`, and clipnode i what is solid.
static chain *make_chain(uint32_t leaf) {
    chain *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->map.branch = bsp_branch_find("quake");
    assert_non_null(c->map.branch);
    c->map.traits = c->map.branch->traits;
    c->leaves[0].contents = BSPI_TREE_SOLID;
    c->leaves[1].contents = BSPI_TREE_EMPTY;
    for (uint32_t i = 0; i < CHAIN; i++) {
        bool last = i + 1 == CHAIN;
        c->planes[i] = (bsp_plane){{1, 0, 0}, (float)i, 0};
        c->nodes[i].plane = i;
        c->nodes[i].children[0] = last ? -1 : (int32_t)i + 1;
        c->nodes[i].children[1] = -1 - (int32_t)leaf;
        c->clipnodes[i] =
            (bsp_clipnode){i, {last ? BSPI_TREE_SOLID : (int32_t)i + 1, BSPI_TREE_SOLID}};
    }
    for (int a = 0; a < 3; a++) {
        c->model.mins[a] = 0;
        c->model.maxs[a] = CHAIN;
    }
    c->map.planes = c->planes;
    c->map.num_planes = CHAIN;
    c->map.nodes = c->nodes;
    c->map.num_nodes = CHAIN;
    c->map.clipnodes = c->clipnodes;
    c->map.num_clipnodes = CHAIN;
    c->map.leaves = c->leaves;
    c->map.num_leaves = 2;
    c->map.models = &c->model;
    c->map.num_models = 1;
    return c;
}

// Each point that is asked about passes half of the nodes, and all are asked about several times.
static void chains_end(void **state) {
    (void)state;
    chain *c = make_chain(1);
    bsp_error error = {0};
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_decompile_options options = {.allocator = &allocator, .issues = issues};
    assert_null(bsp_decompile(&c->map, &options, NULL, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_non_null(strstr(error.message, "the work limit of"));
    assert_non_null(strstr(error.message, "the default of 'decompile'"));
    assert_int_equal(meter.live, 0);
    bsp_issues_free(issues);
    free(c);
}

// --- scratch ------------------------------------------------------------------------------------

typedef struct scratch {
    bspi_heap heap;
    bspi_arena arena;
    bspi_carver carver;
} scratch;

static void begin_with(scratch *s, const bsp_map *map, const bsp_allocator *allocator) {
    bspi_heap_init(&s->heap, allocator, 0);
    bspi_arena_init(&s->arena, &s->heap);
    assert_true(bspi_carver_begin(&s->carver, map, &s->heap, &s->arena, NULL));
}

static void begin(scratch *s, const bsp_map *map) {
    begin_with(s, map, NULL);
}

static void end(scratch *s) {
    bspi_carver_end(&s->carver);
    bspi_arena_free(&s->arena);
    assert_int_equal(s->heap.used, 0);
}

static void build(scratch *s, bspi_tree *tree, const bsp_map *map) {
    static const double mins[3] = {-16, -16, -16};
    static const double maxs[3] = {CHAIN + 16, 64, 64};
    bspi_carver_box(&s->carver, mins, maxs);
    assert_true(bspi_tree_build(tree, &s->carver, map, 0, 0));
    assert_int_equal(tree->num_nodes, CHAIN);
}

static void floods_end(void **state) {
    (void)state;
    static const double inside[3] = {8, 8, 8};
    chain *c = make_chain(1);
    scratch s;
    bspi_tree tree;
    bspi_flood flood;
    begin(&s, &c->map);
    build(&s, &tree, &c->map);
    s.heap.work_limit = s.heap.work + STEPS;
    bool begun = bspi_flood_begin(&flood, &tree, &s.carver);
    if (begun) {
        bspi_flood_enter(&flood, inside);
    }
    assert_false(begun && bspi_flood_settle(&flood));
    assert_true(s.carver.starved);
    // No cell is looked at once the steps are spent: what it took is that of the last one.
    assert_true(s.heap.work < s.heap.work_limit + 200 * CHAIN);
    bspi_flood_end(&flood);
    bspi_tree_free(&tree, &s.carver);
    end(&s);
    free(c);
}

// --- lists --------------------------------------------------------------------------------------

#define LISTED 4000u
#define LISTED_SIZE 28u // a box, contents, a count of no planes

static void put_float(uint8_t *at, float value) {
    memcpy(at, &value, sizeof value); // the test's own bytes: hosts of the suite are little-endian
}

// Brushes that are each all of the chain, which is solid.
static uint8_t *make_list(void) {
    uint8_t *list = calloc(LISTED, LISTED_SIZE);
    assert_non_null(list);
    for (uint32_t i = 0; i < LISTED; i++) {
        uint8_t *at = list + (size_t)i * LISTED_SIZE;
        put_float(at + 12, CHAIN);
        put_float(at + 16, 16);
        put_float(at + 20, 16);
        at[24] = 0xFE; // solid
        at[25] = 0xFF;
    }
    return list;
}

static void lists_end(void **state) {
    (void)state;
    chain *c = make_chain(0);
    uint8_t *bytes = make_list();
    bspi_model_list model = {{bytes, (size_t)LISTED * LISTED_SIZE}, LISTED};
    bool *hints = calloc(LISTED, sizeof *hints);
    assert_non_null(hints);
    bspi_brush_list list = {&model, hints};
    scratch s;
    bspi_tree tree;
    begin(&s, &c->map);
    build(&s, &tree, &c->map);
    s.heap.work_limit = s.heap.work + STEPS;
    assert_false(bspi_brush_list_fits(&list, 0, &s.carver, &tree));
    assert_true(s.carver.starved);
    assert_true(s.heap.work < s.heap.work_limit + 2 * CHAIN);
    bspi_tree_free(&tree, &s.carver);
    end(&s);
    free(hints);
    free(bytes);
    free(c);
}

// A brush in the open is a hint as soon as one cell says so: the others are not asked.
static void hints_are_found_at_once(void **state) {
    (void)state;
    chain *c = make_chain(1);
    uint8_t *bytes = make_list();
    bspi_model_list model = {{bytes, LISTED_SIZE}, 1};
    bool hint = false;
    bspi_brush_list list = {&model, &hint};
    scratch s;
    bspi_tree tree;
    begin(&s, &c->map);
    build(&s, &tree, &c->map);
    uint64_t before = s.heap.work;
    assert_false(bspi_brush_list_fits(&list, 0, &s.carver, &tree)); // all of it is one
    assert_true(hint);
    assert_true(s.heap.work - before <= CHAIN + 8); // cut, and down to the first cell
    bspi_tree_free(&tree, &s.carver);
    end(&s);
    free(bytes);
    free(c);
}

// A box with a hundred more planes around it: the list of planes must grow for it.
static void no_memory_is_no_answer(void **state) {
    (void)state;
    uint8_t bytes[LISTED_SIZE + 100 * 16] = {0};
    for (int a = 0; a < 3; a++) {
        put_float(bytes + 12 + 4 * a, 16);
    }
    bytes[24] = 0xFE; // solid
    bytes[25] = 0xFF;
    bytes[26] = 100;
    for (uint32_t i = 0; i < 100; i++) {
        put_float(bytes + LISTED_SIZE + (size_t)i * 16, 1);
        put_float(bytes + LISTED_SIZE + (size_t)i * 16 + 12, 17 + (float)i);
    }
    bspi_model_list model = {{bytes, sizeof bytes}, 1};
    bool hint = false;
    bspi_brush_list list = {&model, &hint};
    chain *c = make_chain(0);
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {0};
        bsp_allocator allocator = meter_allocator(&meter);
        scratch s;
        bspi_tree tree;
        begin_with(&s, &c->map, &allocator);
        build(&s, &tree, &c->map);
        bspi_polyhedron_stack_free(&s.carver.stack); // it is as large as any walk needs it
        s.carver.stack = (bspi_polyhedron_stack){.heap = &s.heap};
        meter.fail_at = meter.requests + n;
        bool fits = bspi_brush_list_fits(&list, 0, &s.carver, &tree);
        refused = meter.requests >= meter.fail_at;
        assert_int_equal(fits, !refused);
        assert_int_equal(s.carver.starved, refused);
        assert_true(refused || n > 2); // the list of planes, and the stack
        bspi_tree_free(&tree, &s.carver);
        end(&s);
    }
    free(c);
}

// --- planes -------------------------------------------------------------------------------------

#define PLANES 2000u

static double part(test_random *random) {
    return (double)random_u32(random) / 4294967296.0 * 2 - 1;
}

static bsp_plane random_plane(test_random *random) {
    double n[3];
    double length = 0;
    for (int a = 0; a < 3; a++) {
        n[a] = random_below(random, 3) == 0 ? rint(part(random)) : part(random);
        length += n[a] * n[a];
    }
    length = length > 0 ? sqrt(length) : 1;
    bsp_plane plane = {{0, 0, 0}, (float)rint(part(random) * 20), 3};
    for (int a = 0; a < 3; a++) {
        plane.normal[a] = (float)(n[a] / length);
    }
    return plane;
}

// The first plane that is the same, by asking all.
static uint32_t first_same(const bspi_flats *flats, const double normal[3], double dist) {
    for (uint32_t i = 0; i < flats->box; i++) {
        const bspi_flat *flat = &flats->list[i];
        double cosine =
            flat->normal[0] * normal[0] + flat->normal[1] * normal[1] + flat->normal[2] * normal[2];
        double sign = cosine < 0 ? -1 : 1;
        if (fabs(cosine) > 1 - 1e-9 && fabs(sign * flat->dist - dist) < 0.01) {
            return 2 * i + (cosine < 0);
        }
    }
    return BSP_NONE;
}

// Planes of the map, moved and turned by less and by more than what planes that are one may be.
static void planes_are_found_by_cells(void **state) {
    (void)state;
    static bsp_plane planes[PLANES];
    test_random random = {7};
    for (uint32_t i = 0; i < PLANES; i++) {
        planes[i] = i % 3 == 2 ? planes[random_below(&random, i)] : random_plane(&random);
    }
    bsp_map map = {.planes = planes, .num_planes = PLANES};
    scratch s;
    begin(&s, &map);
    uint32_t found = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const bspi_flat *flat = &s.carver.flats.list[random_below(&random, PLANES)];
        double sign = random_below(&random, 2) == 0 ? -1 : 1;
        double normal[3];
        double length = 0;
        for (int a = 0; a < 3; a++) {
            normal[a] = sign * flat->normal[a] + part(&random) * 4e-5;
            length += normal[a] * normal[a];
        }
        for (int a = 0; a < 3; a++) {
            normal[a] /= sqrt(length);
        }
        double dist = sign * flat->dist + part(&random) * 0.02;
        uint32_t want = first_same(&s.carver.flats, normal, dist);
        uint32_t count = s.carver.flats.count;
        uint32_t got = bspi_flat_tag(&s.carver, normal, dist);
        assert_int_equal(got, want == BSP_NONE ? 2 * count : want);
        s.carver.flats.count = count;
        found += want != BSP_NONE;
    }
    assert_in_range(found, 4000, 16000);
    assert_true(s.heap.work < 20000 * 8); // not 20000 times 2000
    end(&s);
}

// --- faces --------------------------------------------------------------------------------------

#define GRID 64u
#define FACES (GRID * GRID)

typedef struct floor_map {
    bsp_vertex vertices[(GRID + 1) * (GRID + 1)];
    bsp_edge edges[FACES * 4];
    int32_t surfedges[FACES * 4];
    bsp_face faces[FACES];
    bsp_texinfo texinfos[3];
    bsp_plane plane;
    bsp_model model;
    bsp_map map;
} floor_map;

// A floor of squares 16 units wide, in an order that says nothing about where they are. Two kinds
// of texture; the third texinfo is equal to the first.
static floor_map *make_floor(test_random *random) {
    floor_map *f = calloc(1, sizeof *f);
    assert_non_null(f);
    uint32_t order[FACES];
    for (uint32_t i = 0; i < FACES; i++) {
        order[i] = i;
    }
    for (uint32_t i = FACES - 1; i > 0; i--) {
        uint32_t other = (uint32_t)random_below(random, i + 1);
        uint32_t kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (uint32_t i = 0; i < (GRID + 1) * (GRID + 1); i++) {
        f->vertices[i] =
            (bsp_vertex){{(float)(i % (GRID + 1)) * 16, (float)(i / (GRID + 1)) * 16, 0}};
    }
    for (uint32_t i = 0; i < FACES; i++) {
        uint32_t at = order[i] / GRID * (GRID + 1) + order[i] % GRID;
        const uint32_t corners[4] = {at, at + GRID + 1, at + GRID + 2, at + 1};
        for (uint32_t e = 0; e < 4; e++) {
            f->edges[4 * i + e] = (bsp_edge){{corners[e], corners[(e + 1) % 4]}};
            f->surfedges[4 * i + e] = (int32_t)(4 * i + e);
        }
        uint32_t texinfo = order[i] % GRID < GRID / 2 ? 0 : 1;
        f->faces[i] =
            (bsp_face){.first_edge = 4 * i,
                       .num_edges = 4,
                       .texinfo = texinfo == 0 && random_below(random, 2) == 0 ? 2 : texinfo};
    }
    f->texinfos[1].texture[0][0] = 1;
    f->plane = (bsp_plane){{0, 0, 1}, 0, 2};
    f->model.num_faces = FACES;
    f->map = (bsp_map){.vertices = f->vertices,
                       .num_vertices = (GRID + 1) * (GRID + 1),
                       .edges = f->edges,
                       .num_edges = FACES * 4,
                       .surfedges = f->surfedges,
                       .num_surfedges = FACES * 4,
                       .faces = f->faces,
                       .num_faces = FACES,
                       .texinfos = f->texinfos,
                       .num_texinfos = 3,
                       .planes = &f->plane,
                       .num_planes = 1,
                       .models = &f->model,
                       .num_models = 1};
    return f;
}

// A rectangle of whole units on the floor.
static void random_side(test_random *random, bspi_tree_side *side) {
    double x = (double)random_below(random, 16 * GRID);
    double y = (double)random_below(random, 16 * GRID);
    double far_x = x + 1 + (double)random_below(random, 60);
    double far_y = y + 1 + (double)random_below(random, 60);
    *side = (bspi_tree_side){.normal = {0, 0, 1}, .polygon = {.count = 4}};
    const double corners[4][3] = {{x, y, 0}, {far_x, y, 0}, {far_x, far_y, 0}, {x, far_y, 0}};
    memcpy(side->polygon.points, corners, sizeof corners);
}

// What all squares say that share more than an edge with the rectangle.
static uint32_t kind_by_all(const floor_map *f, const bspi_tree_side *side, uint32_t *face) {
    uint32_t kind = BSP_NONE;
    for (uint32_t i = 0; i < FACES; i++) {
        const float *at = f->vertices[f->edges[4 * i].v[0]].point;
        bool shown = true;
        for (int a = 0; a < 2; a++) {
            shown = shown && (double)at[a] < side->polygon.points[2][a] &&
                    (double)at[a] + 16 > side->polygon.points[0][a];
        }
        if (shown) {
            uint32_t own = f->faces[i].texinfo % 2;
            *face = kind == BSP_NONE ? i : *face;
            kind = kind == BSP_NONE || kind == own ? own : BSPI_MIXED;
        }
    }
    return kind;
}

static void faces_are_found_by_parts(void **state) {
    (void)state;
    test_random random = {11};
    floor_map *f = make_floor(&random);
    scratch s;
    bspi_tree_faces faces;
    begin(&s, &f->map);
    assert_true(bspi_tree_faces_begin(&faces, &s.carver, &f->map, &s.arena, NULL));
    bspi_tree_faces_model(&faces, 0);
    uint64_t before = s.heap.work;
    uint32_t kinds[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 2000; i++) {
        bspi_tree_side side;
        uint32_t want_face = BSP_NONE;
        random_side(&random, &side);
        uint32_t want = kind_by_all(f, &side, &want_face);
        assert_int_equal(bspi_tree_faces_mixed(&faces, &side), want == BSPI_MIXED);
        assert_int_equal(bspi_tree_faces_first(&faces, &side), want_face);
        kinds[want == BSPI_MIXED ? 2 : want]++;
    }
    assert_true(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 50);
    assert_true(bspi_meter_pay(&s.carver.meter));
    assert_true(s.heap.work != before);
    assert_true(s.heap.work - before < 2000 * 400); // not 2000 times 4096
    s.heap.work_limit = s.heap.work;
    for (uint32_t i = 0; i < BSPI_METER_STEPS && !s.carver.starved; i++) { // charged in portions
        bspi_tree_side side;
        random_side(&random, &side);
        (void)bspi_tree_faces_mixed(&faces, &side);
    }
    assert_true(s.carver.starved);
    end(&s);
    free(f);
}

// --- volumes that are written later -------------------------------------------------------------

// With too little memory for the sides of a volume, those that search sides do not see it.
static void volumes_are_whole(void **state) {
    (void)state;
    chain *c = make_chain(1);
    scratch s;
    bspi_tree tree;
    begin(&s, &c->map);
    build(&s, &tree, &c->map);
    uint32_t kept = 0;
    for (size_t more = 0; kept < 2; more += 16) {
        bspi_tree_faces faces = {.carver = &s.carver};
        bspi_tree_emitter emitter = {.carver = &s.carver, .faces = &faces};
        bspi_volume_queue queue;
        bsp_error error = {0};
        s.carver.error = &error;
        bspi_volume_queue_begin(&queue, &emitter);
        bspi_carve_box(&s.carver);
        s.heap.limit = s.heap.used + more;
        bool added = bspi_volume_queue_add(&queue, &s.carver, BSPI_TREE_SOLID);
        s.heap.limit = SIZE_MAX;
        bspi_volume_queue_complete(&queue);
        if (!added) {
            assert_int_equal(error.code, BSP_E_LIMIT);
            assert_true(bspi_volume_queue_find(&queue, &error));
        }
        kept += added;
        bspi_volume_queue_end(&queue);
    }
    s.carver.error = NULL;
    bspi_tree_free(&tree, &s.carver);
    end(&s);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_end),
        cmocka_unit_test(floods_end),
        cmocka_unit_test(lists_end),
        cmocka_unit_test(hints_are_found_at_once),
        cmocka_unit_test(no_memory_is_no_answer),
        cmocka_unit_test(planes_are_found_by_cells),
        cmocka_unit_test(faces_are_found_by_parts),
        cmocka_unit_test(volumes_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
