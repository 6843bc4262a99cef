// SPDX-License-Identifier: MIT
// Brushes out of trees made here, whose brushes are known or which are asked at random points: they
// hold what the tree says, and are closed and convex.
#include "support/tree_made.h"

// --- known trees ---------------------------------------------------------------------------------

// A floor that the tree cuts in two, and a wall on it: the box is 32 units larger than the model,
// on a grid of 16.
static void make_floor_and_wall(made *m) {
    begin(m);
    add_node(m, 0, 0, 1, 0, 1, 2);
    add_node(m, 1, 0, 0, 64, SOLID, EMPTY); // above the floor: a wall where x > 64
    add_node(m, 0, 1, 0, -32, SOLID, SOLID);
}

static void a_floor_and_a_wall(void **state) {
    (void)state;
    made m;
    make_floor_and_wall(&m);
    bsp_decompile_report report;
    bsp_mapdoc *source = decompile(&m.map, NULL, false, &report);
    assert_int_equal(report.brushes_in, 3);
    assert_int_equal(report.brushes_out, 2);
    assert_int_equal(source->num_brushes, 2);
    all_sound(source);
    const bsp_mapdoc_brush *ground = &source->brushes[0];
    assert_int_equal(ground->num_sides, 6);
    assert_true(has_side(source, ground, 0, 0, 1, 0));
    assert_true(has_side(source, ground, 0, 0, -1, 160));
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(has_side(source, ground, sign, 0, 0, 160));
        assert_true(has_side(source, ground, 0, sign, 0, 160));
    }
    const bsp_mapdoc_brush *wall = &source->brushes[1];
    assert_int_equal(wall->num_sides, 6);
    assert_true(has_side(source, wall, -1, 0, 0, -64));
    assert_true(has_side(source, wall, 0, 0, -1, 0));
    assert_true(has_side(source, wall, 0, 0, 1, 160));
    bsp_mapdoc_free(source);
}

static void leaves_apart(void **state) {
    (void)state;
    made m;
    make_floor_and_wall(&m);
    bsp_mapdoc *source = decompile(&m.map, NULL, true, NULL);
    assert_int_equal(source->num_brushes, 3);
    all_sound(source);
    bsp_mapdoc_free(source);
}

static bool nobody(void *user, const bsp_entity *entity) {
    (void)user;
    (void)entity;
    return false;
}

// Water keeps the planes of its leaf and a texture that makes it water.
static void water_is_water(void **state) {
    (void)state;
    made m;
    begin(&m);
    add_node(&m, 0, 0, 1, 0, 1, SOLID);
    add_node(&m, 0, 0, 1, 32, EMPTY, WATER);
    bsp_decompile_options options = {.wanted = nobody};
    bsp_mapdoc *source = bsp_decompile(&m.map, &options, NULL, NULL);
    assert_non_null(source);
    assert_int_equal(source->num_brushes, 2);
    const bsp_mapdoc_brush *water = &source->brushes[1];
    assert_true(has_side(source, water, 0, 0, 1, 32));
    assert_true(has_side(source, water, 0, 0, -1, 0));
    for (uint32_t s = 0; s < water->num_sides; s++) {
        assert_true(source->sides[water->first_side + s].material.data[0] == '*');
    }
    bsp_mapdoc_free(source);
}

// The brushes of a map whose only face is in the open, looks up, and has these corners.
static bsp_mapdoc *decompile_face(const bsp_vertex corners[4], bsp_issues *issues) {
    static const bsp_edge edges[4] = {{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 0}}};
    static const int32_t surfedges[4] = {0, 1, 2, 3};
    static const bsp_texinfo texinfo = {.texture = {{1, 0, 0, 5}, {0, -1, 0, 7}}};
    bsp_material material = {.name = bsp_text_of("bars")};
    bsp_face face = {.type = BSP_FACE_POLYGON, .num_edges = 4};
    made m;
    begin(&m);
    add_node(&m, 0, 0, 1, 0, EMPTY, EMPTY);
    m.model.num_faces = 1;
    m.map.vertices = corners;
    m.map.num_vertices = 4;
    m.map.edges = edges;
    m.map.num_edges = 4;
    m.map.surfedges = surfedges;
    m.map.num_surfedges = 4;
    m.map.texinfos = &texinfo;
    m.map.num_texinfos = 1;
    m.map.materials = &material;
    m.map.num_materials = 1;
    m.map.faces = &face;
    m.map.num_faces = 1;
    bsp_decompile_options options = {.issues = issues};
    bsp_mapdoc *source = bsp_decompile(&m.map, &options, NULL, NULL);
    assert_non_null(source);
    return source;
}

// A face of 32 units square is the front of a plate that lets through.
static void a_loose_face_is_a_plate(void **state) {
    (void)state;
    static const bsp_vertex corners[4] = {
        {{-16, -16, 0}}, {{-16, 16, 0}}, {{16, 16, 0}}, {{16, -16, 0}}};
    bsp_mapdoc *source = decompile_face(corners, NULL);
    assert_int_equal(source->num_brushes, 1);
    all_sound(source);
    const bsp_mapdoc_brush *plate = &source->brushes[0];
    assert_true(bspi_text_is(bsp_mapdoc_value(source, plate->entity, "classname"),
                             "func_detail_illusionary"));
    assert_int_equal(plate->num_sides, 6);
    assert_true(has_side(source, plate, 0, 0, 1, 0));
    assert_true(has_side(source, plate, 0, 0, -1, 1));
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(has_side(source, plate, sign, 0, 0, 16));
        assert_true(has_side(source, plate, 0, sign, 0, 16));
    }
    for (uint32_t s = 0; s < 6; s++) {
        const bsp_mapdoc_side *side = &source->sides[plate->first_side + s];
        bool front = side->normal[2] > 0.5;
        assert_true(bspi_text_is(side->material, front ? "bars" : "skip"));
        assert_true(!front || (side->vec[0][3] == 5 && side->vec[1][3] == 7));
    }
    bsp_mapdoc_free(source);
}

// Of one that is 1/32 wide compilers would make a brush without end: it is told, not written.
static void a_sliver_is_no_plate(void **state) {
    (void)state;
    static const bsp_vertex thin[4] = {
        {{-16, -16, 0}}, {{-16, 16, 0}}, {{-15.96875f, 16, 0}}, {{-15.96875f, -16, 0}}};
    static const bsp_vertex wide[4] = {
        {{-16, -16, 0}}, {{-16, 16, 0}}, {{-15.5f, 16, 0}}, {{-15.5f, -16, 0}}};
    bsp_issues *issues = bsp_issues_new(NULL, 8);
    bsp_mapdoc *source = decompile_face(thin, issues);
    assert_int_equal(source->num_brushes, 0);
    size_t count = 0;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].kind->id, "decompile-lost");
    bsp_mapdoc_free(source);
    bsp_issues_free(issues);
    source = decompile_face(wide, NULL);
    assert_int_equal(source->num_brushes, 1);
    all_sound(source);
    bsp_mapdoc_free(source);
}

// --- random trees --------------------------------------------------------------------------------

static double random_part(test_random *random) {
    return (double)random_u32(random) / 4294967296.0 * 2 - 1;
}

// A tree of planes through the box, half of them along the axes; leaves are solid, empty or water.
static void make_random(made *m, uint64_t seed) {
    static const int32_t leaf_kinds[] = {SOLID, SOLID, SOLID, EMPTY, EMPTY, WATER};
    test_random random = {seed};
    begin(m);
    uint32_t count = 4 + (uint32_t)random_below(&random, 36);
    for (uint32_t n = 0; n < count; n++) {
        double normal[3] = {0, 0, 0};
        if (random_below(&random, 2) == 0) {
            normal[random_below(&random, 3)] = 1;
        } else {
            for (int a = 0; a < 3; a++) {
                normal[a] = random_part(&random);
            }
            normal[2] += 1.5;
        }
        double dist = rint(random_part(&random) * 112);
        int32_t front = leaf_kinds[random_below(&random, 6)];
        int32_t back = leaf_kinds[random_below(&random, 6)];
        int32_t made_node = add_node(m, normal[0], normal[1], normal[2], dist, front, back);
        if (n != 0) { // hangs below a leaf of some node before
            for (;;) {
                bsp_node *parent = &m->nodes[random_below(&random, n)];
                int32_t *child = &parent->children[random_below(&random, 2)];
                if (*child < 0) {
                    *child = made_node;
                    break;
                }
            }
        }
    }
}

static void random_trees_keep_their_contents(void **state) {
    (void)state;
    uint32_t cells = 0;
    uint32_t brushes = 0;
    uint32_t told = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        made m;
        make_random(&m, seed);
        bsp_decompile_report report;
        bsp_mapdoc *source = decompile(&m.map, NULL, false, &report);
        all_sound(source);
        assert_int_equal(report.brushes_lost, 0);
        uint32_t different = count_differences(&m.map, source, 400, &told);
        if (different != 0) {
            fail_msg("seed %u: %u points differ", (unsigned)seed, different);
        }
        cells += report.brushes_in;
        brushes += report.brushes_out;
        bsp_mapdoc_free(source);
    }
    assert_true(told > 150 * 300);
    assert_true(brushes < cells);
    REPORT("  %u cells became %u brushes\n", cells, brushes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_and_a_wall),   cmocka_unit_test(leaves_apart),
        cmocka_unit_test(water_is_water),       cmocka_unit_test(a_loose_face_is_a_plate),
        cmocka_unit_test(a_sliver_is_no_plate), cmocka_unit_test(random_trees_keep_their_contents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
