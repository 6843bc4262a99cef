// SPDX-License-Identifier: MIT
// Clip hulls as brushes: those that stop movers alone, what hulls tell of the space outside, and
// the list of brushes that a compiler left.
#include "support/alloc.h"
#include "support/tree_made.h"

// Opens a sample, which is closed after its map.
static bsp_map *open_sample(const char *name, bsp_file **file) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", BSP_TEST_SAMPLES, name);
    *file = bsp_file_open(path, NULL, NULL);
    assert_non_null(*file);
    bsp_map *map = bsp_map_load(*file, NULL, NULL);
    assert_non_null(map);
    return map;
}

// The sample was drawn with one clip brush: a ramp over the stair, from 432 32 -64 to 560 96 0.
static void check_ramp(const bsp_mapdoc *source) {
    const bsp_mapdoc_brush *ramp = NULL;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        const bsp_mapdoc_brush *brush = &source->brushes[b];
        if (bspi_text_is(source->sides[brush->first_side].material, "clip")) {
            assert_null(ramp);
            ramp = brush;
        }
    }
    assert_non_null(ramp);
    double length = sqrt(64.0 * 64 + 128.0 * 128);
    assert_int_equal(ramp->num_sides, 5);
    assert_true(has_side(source, ramp, -1, 0, 0, -432));
    assert_true(has_side(source, ramp, 0, -1, 0, -32));
    assert_true(has_side(source, ramp, 0, 1, 0, 96));
    assert_true(has_side(source, ramp, 0, 0, -1, 64));
    assert_true(has_side(source, ramp, 64 / length, 0, 128 / length, 432 * 64 / length));
}

static void the_ramp_is_found(void **state) {
    (void)state;
    static const char *const samples[] = {"quake/lobby.bsp", "quake/lobby_bsp2.bsp",
                                          "goldsrc/lobby.bsp"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bsp_file *file;
        bsp_map *map = open_sample(samples[i], &file);
        bsp_mapdoc *source = decompile(map, NULL, false, NULL);
        check_ramp(source);
        bsp_mapdoc_free(source);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

// A node of hull 1 on an axis; all nodes of hull 0 are there. Children: nodes, or contents.
static void add_clip(made *m, int axis, double dist, int32_t front, int32_t back) {
    uint32_t n = m->map.num_clipnodes++;
    uint32_t plane = m->map.num_planes++;
    assert_true(plane < MOST_NODES);
    m->planes[plane] = (bsp_plane){{0, 0, 0}, (float)dist, axis};
    m->planes[plane].normal[axis] = 1;
    m->clipnodes[n].plane = plane;
    m->clipnodes[n].children[0] = front;
    m->clipnodes[n].children[1] = back;
}

static bool is_in_clip(const made *m, const double at[3]) {
    int32_t n = 0;
    while (n >= 0) {
        const bsp_plane *plane = &m->planes[m->clipnodes[n].plane];
        n = m->clipnodes[n].children[at[plane->type] < (double)plane->dist];
    }
    return n == BSPI_TREE_SOLID;
}

// True if a mover of hull 1 at a point touches a brush other than sky: all planes here are axial.
static bool mover_touches(const made *m, const bsp_mapdoc *source, const double at[3]) {
    const bsp_hull *box = &m->map.traits->hulls[1];
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        const bsp_mapdoc_brush *brush = &source->brushes[b];
        bool touches = contents_of(&m->map, source, brush) != BSPI_TREE_SKY;
        for (uint32_t s = 0; s < brush->num_sides; s++) {
            const bsp_mapdoc_side *side = &source->sides[brush->first_side + s];
            double nearest = -side->dist;
            for (int a = 0; a < 3; a++) {
                double end = (double)(side->normal[a] > 0 ? box->mins[a] : box->maxs[a]);
                nearest += side->normal[a] * (at[a] + end);
            }
            touches = touches && nearest < 0;
        }
        if (touches) {
            return true;
        }
    }
    return false;
}

// Hull 1 is what a mover touches of the brushes, at all points between the planes, which are whole.
static void check_hull(const made *m) {
    bsp_mapdoc *source = decompile(&m->map, NULL, false, NULL);
    all_sound(source);
    unsigned wrong = 0;
    double at[3];
    for (at[2] = -7.5; at[2] < 250; at[2] += 5) {
        for (at[1] = -100.5; at[1] < 100; at[1] += 3) {
            for (at[0] = -100.5; at[0] < 120; at[0] += 1) {
                wrong += mover_touches(m, source, at) != is_in_clip(m, at);
            }
        }
    }
    assert_int_equal(wrong, 0);
    bsp_mapdoc_free(source);
}

// A room from z = 0 to 256, below a ceiling of 4000 units.
static void begin_room(made *m) {
    begin(m);
    m->model.mins[2] = -32;
    m->model.maxs[2] = 4256;
    add_node(m, 0, 0, 1, 0, 1, SOLID);
    add_node(m, 0, 0, 1, 256, SOLID, EMPTY);
    m->model.headnodes[1] = 0;
}

// A room from z = 0 to 256 with a clip brush from 240 up, x = -64 to 70, below a ceiling of 4000
// units: no corner of the clip brush's cell, which reaches through all of it, is in the room.
static void a_clip_brush_below_a_thick_ceiling(void **state) {
    (void)state;
    made m;
    begin_room(&m);
    enum { OPEN = BSPI_TREE_EMPTY, FULL = BSPI_TREE_SOLID };
    add_clip(&m, 2, 24, 1, FULL);
    add_clip(&m, 0, 70 + 16, 4, 2);
    add_clip(&m, 0, -64 - 16, 3, 4);
    add_clip(&m, 2, 240 - 32, FULL, OPEN);
    add_clip(&m, 2, 256 - 32, FULL, OPEN);
    check_hull(&m);
}

// The same room without the clip brush in hull 1, and with one of 80 x 80 x 40 units in hull 2
// alone, which no compiler makes: what is heard of it does not change the document.
static void a_brush_in_hull_2_alone(void **state) {
    (void)state;
    made m;
    begin_room(&m);
    m.model.headnodes[2] = 2;
    enum { OPEN = BSPI_TREE_EMPTY, FULL = BSPI_TREE_SOLID };
    add_clip(&m, 2, 24, 1, FULL);
    add_clip(&m, 2, 256 - 32, FULL, OPEN);
    add_clip(&m, 2, 24, 3, FULL);
    add_clip(&m, 2, 256 - 64, FULL, 4);
    add_clip(&m, 0, 40 + 32, OPEN, 5);
    add_clip(&m, 0, -40 - 32, 6, OPEN);
    add_clip(&m, 1, 40 + 32, OPEN, 7);
    add_clip(&m, 1, -40 - 32, 8, OPEN);
    add_clip(&m, 2, 140 + 24, OPEN, 9);
    add_clip(&m, 2, 100 - 64, FULL, OPEN);
    bsp_issues *issues = bsp_issues_new(NULL, 100);
    bsp_decompile_options options = {.issues = issues};
    bsp_mapdoc *heard = bsp_decompile(&m.map, &options, NULL, NULL);
    bsp_mapdoc *unheard = decompile(&m.map, NULL, false, NULL);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_non_null(heard);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].text, "1 volumes of larger or smaller movers' hulls come from no "
                                      "brush that is known");
    assert_int_equal(heard->num_brushes, 2);
    assert_int_equal(unheard->num_brushes, 2);
    assert_int_equal(heard->num_sides, unheard->num_sides);
    for (uint32_t i = 0; i < heard->num_sides; i++) {
        assert_memory_equal(heard->sides[i].points, unheard->sides[i].points,
                            sizeof heard->sides[i].points);
    }
    bsp_mapdoc_free(heard);
    bsp_mapdoc_free(unheard);
    bsp_issues_free(issues);
}

// A room of 128 x 128 x 96 units with walls and a floor of 16, and a sky of 16 on top that does not
// stop movers: hull 1 is open all around, and hull 0 is filled there. The walls are what is left.
static void make_open_sky(made *to) {
    begin(to);
    to->model.maxs[2] = 256;
    add_node(to, 0, 0, 1, 0, 1, SOLID);
    add_node(to, 1, 0, 0, 64, SOLID, 2);
    add_node(to, 1, 0, 0, -64, 3, SOLID);
    add_node(to, 0, 1, 0, 64, SOLID, 4);
    add_node(to, 0, 1, 0, -64, 5, SOLID);
    add_node(to, 0, 0, 1, 112, SOLID, 6);
    add_node(to, 0, 0, 1, 96, SKY, EMPTY);
    to->model.headnodes[1] = 0;
    enum { OPEN = BSPI_TREE_EMPTY, FULL = BSPI_TREE_SOLID };
    add_clip(to, 2, -16 - 32, 1, OPEN);
    add_clip(to, 2, 112 + 24, OPEN, 2);
    add_clip(to, 0, 80 + 16, OPEN, 3);
    add_clip(to, 0, -80 - 16, 4, OPEN);
    add_clip(to, 1, 80 + 16, OPEN, 5);
    add_clip(to, 1, -80 - 16, 6, OPEN);
    add_clip(to, 0, 64 - 16, FULL, 7);
    add_clip(to, 0, -64 + 16, 8, FULL);
    add_clip(to, 1, 64 - 16, FULL, 9);
    add_clip(to, 1, -64 + 16, 10, FULL);
    add_clip(to, 2, 24, OPEN, FULL);
}

static void the_void_beyond_an_open_sky(void **state) {
    (void)state;
    made m;
    make_open_sky(&m);
    check_hull(&m);
    bsp_mapdoc *source = decompile(&m.map, NULL, false, NULL);
    double at[3];
    for (at[2] = -31.5; at[2] < 144; at[2] += 7) {
        for (at[1] = -110.5; at[1] < 112; at[1] += 5) {
            for (at[0] = -110.5; at[0] < 112; at[0] += 5) {
                bool outer = fabs(at[0]) < 80 && fabs(at[1]) < 80 && at[2] > -16 && at[2] < 112;
                bool inner = fabs(at[0]) < 64 && fabs(at[1]) < 64 && at[2] > 0;
                int32_t expected = !outer || (inner && at[2] < 96) ? BSPI_TREE_EMPTY
                                   : inner                         ? BSPI_TREE_SKY
                                                                   : BSPI_TREE_SOLID;
                assert_int_equal(contents_at(&m.map, source, at), expected);
            }
        }
    }
    bsp_mapdoc_free(source);
}

// The list has 71 brushes of the world and its models: those that were drawn, which also hold what
// the tree says.
static void the_list_is_used(void **state) {
    (void)state;
    bsp_file *file;
    bsp_map *map = open_sample("quake/lobby_bspx.bsp", &file);
    bsp_decompile_report report;
    bsp_mapdoc *source = decompile(map, file, false, &report);
    assert_int_equal(report.brushes_in, 71);
    assert_int_equal(report.brushes_out, 71);
    all_sound(source);
    uint32_t hints = 0;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        hints += bspi_text_is(source->sides[source->brushes[b].first_side].material, "hint");
    }
    assert_int_equal(hints, 1);
    check_ramp(source);
    bsp_mapdoc_free(source);
    bsp_map_free(map);
    bsp_file_close(file);
}

// Every allocation fails once: an error each time, and nothing is left behind.
static void starve(const bsp_map *map, const bsp_file *file) {
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_issues *issues = bsp_issues_new(NULL, 100); // with it all hulls are searched
        bsp_decompile_options options = {.file = file, .issues = issues, .allocator = &allocator};
        bsp_error error = {0};
        bsp_mapdoc *source = bsp_decompile(map, &options, NULL, &error);
        bsp_issues_free(issues);
        refused = meter.requests >= n;
        if (refused != (source == NULL) || (refused && error.code != BSP_E_MEMORY)) {
            fail_msg("allocation %u of %u: %s", (unsigned)n, (unsigned)meter.requests,
                     source == NULL ? error.message : "a map without what it was for");
        }
        bsp_mapdoc_free(source);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
}

static void memory_may_end(void **state) {
    (void)state;
    static const char *const samples[] = {"goldsrc/lobby.bsp", "quake/lobby_bspx.bsp"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        bsp_file *file;
        bsp_map *map = open_sample(samples[i], &file);
        starve(map, file);
        bsp_map_free(map);
        bsp_file_close(file);
    }
    made m;
    make_open_sky(&m);
    starve(&m.map, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ramp_is_found),
        cmocka_unit_test(a_clip_brush_below_a_thick_ceiling),
        cmocka_unit_test(a_brush_in_hull_2_alone),
        cmocka_unit_test(the_void_beyond_an_open_sky),
        cmocka_unit_test(the_list_is_used),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
