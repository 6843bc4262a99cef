// SPDX-License-Identifier: MIT
// What pieces of surfaces take of each other by the rules of vrad. The figures are worked out by
// hand: far ones give area * cosines / distance^2, near ones half the sum over their edges of the
// angle, by its sine, times the cosine of the edge's plane.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bake/light/gather/dirt.h"
#include "bake/light/gather/hills.h"
#include "bake/light/gather/softened.h"
#include "bake/light/shadows/props.h"
#include "bake/light/vrad/vrad.h"
#include "support/room.h"

#include <math.h>
#include <string.h>

static const bspi_vrad_patch floor_patch = {.normal = {0, 0, 1}};
static const bspi_vrad_rules fills = {.fills = true};

// A square ceiling of 16 units, 200 above: 256 * 1 * 1 / 40000.
static void test_far(void **state) {
    (void)state;
    static const float corners[4][3] = {{-8, -8, 200}, {8, -8, 200}, {8, 8, 200}, {-8, 8, 200}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 256,
                            .middle = {0, 0, 200},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&fills, &floor_patch, &from), 0.0064f, 1e-6f);
    from.normal[2] = 1; // turned away
    assert_float_equal(bspi_vrad_share_of(&fills, &floor_patch, &from), 0, 1e-6f);
}

// One of 64 units, 16 above: each corner is at (2, 2, 1) / 3. The sine between two is sqrt(80) / 9,
// whose angle is 1.45946, and their plane leans by 8 / sqrt(80): half of four times 1.30539.
static void test_near(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, -32, 16}, {32, -32, 16}, {32, 32, 16}, {-32, 32, 16}};
    static const float turned[4][3] = {{-32, 32, 16}, {32, 32, 16}, {32, -32, 16}, {-32, -32, 16}};
    bspi_vrad_patch from = {.corners = corners,
                            .num_corners = 4,
                            .area = 4096,
                            .middle = {0, 0, 16},
                            .normal = {0, 0, -1}};
    assert_float_equal(bspi_vrad_share_of(&fills, &floor_patch, &from), 2.61078f, 1e-4f);
    from.corners = turned; // which way round they are listed does not matter
    assert_float_equal(bspi_vrad_share_of(&fills, &floor_patch, &from), 2.61078f, 1e-4f);
    const bspi_vrad_rules older = {0}; // before 2007 as if it were far: 4096 / 16^2
    assert_float_equal(bspi_vrad_share_of(&older, &floor_patch, &from), 16, 1e-4f);
}

// A wall that is 64 wide and 34 high, two units beside a place at its foot. Its lower edge fills
// 172.8 degrees, whose sine is 0.124514: vrad takes an angle of 0.124838 for it. The upper one has
// a sine of 0.998061, an angle of 1.508507 and leans by 0.058722: 0.088583. The edges beside do not
// count. Half of the difference is left; what it truly fills is 1.464.
static void test_beside(void **state) {
    (void)state;
    static const float corners[4][3] = {{-32, 2, 0}, {32, 2, 0}, {32, 2, 34}, {-32, 2, 34}};
    const bspi_vrad_patch from = {.corners = corners,
                                  .num_corners = 4,
                                  .area = 64 * 34,
                                  .middle = {0, 2, 17},
                                  .normal = {0, -1, 0}};
    assert_float_equal(bspi_vrad_share_of(&fills, &floor_patch, &from), 0.018127f, 1e-4f);
}

// A ceiling of 200 square units, 100 aside and 100 above: both cosines are 1 / sqrt(2), so that
// 200 * 0.5 / 20000 comes to a flat wall. Before 2007 the share of one with a normal map was
// without its own cosine.
static void test_spread(void **state) {
    (void)state;
    const bspi_vrad_rules rules = {.spread = true};
    const bspi_vrad_patch from = {.area = 200,
                                  .middle = {0, 100, 100},
                                  .normal = {0, 0, -1},
                                  .corners = &from.mins,
                                  .num_corners = 1};
    bspi_vrad_patch to = {.normal = {0, 0, 1}, .directions = 1};
    assert_float_equal(bspi_vrad_share_of(&rules, &to, &from), 0.005f, 1e-6f);
    to.directions = 4;
    assert_float_equal(bspi_vrad_share_of(&fills, &to, &from), 0.005f, 1e-6f);
    assert_float_equal(bspi_vrad_share_of(&rules, &to, &from), 0.00707107f, 1e-6f);
}

// A map that states VRAD++ has pieces of 64 units, however wide its luxels; another name says
// nothing.
static void test_stated(void **state) {
    (void)state;
    static const char *const texts[] = {"{ rad_compiler \"VRAD++ Jun 20 2026\" }",
                                        "{ rad_compiler \"VRAD\" }"};
    for (int i = 0; i < 2; i++) {
        room *r = room_build(bsp_branch_find("source_20"));
        bsp_entities *entities = bsp_entities_parse(bsp_text_of(texts[i]), NULL, NULL, NULL);
        assert_non_null(entities);
        const bspi_relight own = {.map = &r->map};
        r->map.entities = entities;
        assert_true(bspi_vrad_rules_of(&own)->units == (i == 0 ? 64 : 0));
        r->map.entities = r->entities;
        bsp_entities_free(entities);
        room_free(r);
    }
}

// Version 19 is of before HDR. Then one sample of light a leaf, since 2007 an index of more, and
// version 21 began in 2010.
static void test_releases(void **state) {
    (void)state;
    static const char *const names[] = {"source_19", "source_20", "source_20", "source_21"};
    const uint32_t indices[] = {0, 0, 1, 1};
    const uint32_t years[] = {2005, 2006, 2007, 2010};
    for (int i = 0; i < 4; i++) {
        room *r = room_build(bsp_branch_find(names[i]));
        const bspi_relight own = {.map = &r->map};
        r->map.num_ambient_samples = 3;
        r->map.num_ambient_index = indices[i];
        r->map.num_ambient_index_hdr = 0;
        assert_int_equal(bspi_vrad_rules_of(&own)->year, years[i]);
        room_free(r);
    }
}

// With a cosine of 0.5 light counts 0.5 * 1.5 / 2 of what it did with 1: 0.375 for 0.5. Some
// bounced light on top of that is between the two; less than either has only what stands in the
// shade.
static void test_softened(void **state) {
    (void)state;
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.375f), BSPI_VOTE_SOFT);
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.425f), BSPI_VOTE_SOFT);
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.5f), BSPI_VOTE_PLAIN);
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.6f), BSPI_VOTE_PLAIN);
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.47f), BSPI_VOTE_NONE);
    assert_int_equal(bspi_softened_vote(0.5f, 0.375f, 0.2f), BSPI_VOTE_NONE);
    assert_int_equal(bspi_softened_vote(0.5f, 0.49f, 0.49f),
                     BSPI_VOTE_NONE); // it shines straight on
    assert_int_equal(bspi_softened_vote(0.01f, 0.006f, 0.006f), BSPI_VOTE_NONE);
}

// What luxels of displacements take within ten units: 1 - (6 / 10)^2, times a cosine of 0.5; older
// vrads took (6 / 10)^2 of pieces.
static void test_hill_weight(void **state) {
    (void)state;
    const bspi_hill_mix mix = {.radius = 10, .least = 0.15f};
    const bspi_hill_mix rising = {.radius = 10, .rising = true};
    const float luxel[3] = {0, 0, 1};
    const float place[3] = {6, 0, 1};
    const float far[3] = {6, 8, 1};
    const float up[3] = {0, 0, 1};
    const float leaning[3] = {0.8660254f, 0, 0.5f};
    const float steep[3] = {0.994987f, 0, 0.1f};
    assert_float_equal(bspi_hill_weight(&mix, luxel, up, place, leaning), 0.32f, 1e-6f);
    assert_float_equal(bspi_hill_weight(&mix, luxel, up, luxel, up), 1, 1e-6f);
    assert_float_equal(bspi_hill_weight(&mix, luxel, up, place, steep), 0, 0);
    assert_float_equal(bspi_hill_weight(&mix, luxel, up, far, up), 0, 0);
    assert_float_equal(bspi_hill_weight(&rising, luxel, up, place, steep), 0.36f, 1e-6f);
}

static uint32_t count_patches(const char *branch, uint32_t *release) {
    bsp_error error;
    bsp_blob blob = room_file(bsp_branch_find(branch), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(file);
    const bsp_map_options all = {.parts = BSP_LOAD_ALL};
    bsp_map *map = bsp_map_load(file, &all, &error);
    assert_non_null(map);
    const bsp_relight_options how = {.force = true, .bounces = 1};
    bsp_relight *relight = bsp_relight_build(map, file, &how, &error);
    assert_non_null(relight);
    uint32_t count = relight->num_patches;
    *release = relight->release;
    bsp_relight_free(relight);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    return count;
}

// The room's ceiling is 256 units square, its walls are half as high, of luxels of 16 units. In
// 2005 they are halved while wider than 64 units: 16 pieces and 8, later while four luxels wide: 64
// and
// 32. The floor is a displacement of 17 luxels, four a patch: 25. The door, 48 x 112 x 32, has 2, 2
// and 1 pieces on each side.
static void test_pieces(void **state) {
    (void)state;
    uint32_t release;
    assert_int_equal(count_patches("source_19", &release), 16 + 4 * 8 + 25 + 10);
    assert_int_equal(release, 2005);
    assert_int_equal(count_patches("source_20", &release), 64 + 4 * 32 + 25 + 10);
    assert_int_equal(release, 2007);
}

// A piece without a normal map beside a face that has one: a flat wall's even light is that of each
// direction by its cosine, 1 / sqrt(3).
static void test_without_directions(void **state) {
    (void)state;
    static const float corners[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    room *r = room_build(bsp_branch_find("source_20"));
    r->faces[0].num_edges = 0; // nothing is beside it
    r->faces[0].texinfo = 0;
    r->texinfos[0] = (bsp_texinfo){.light = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    const bsp_face_light light = {.size = {2, 2}};
    bsp_relight_face face = {.width = 2, .height = 2, .directions = 4};
    uint32_t model = 0;
    bspi_lit_model models[1] = {{.shades = false}};
    bspi_relight own = {.map = &r->map,
                        .source = {.map = &r->map, .lights = &light, .num_lights = 1},
                        .models = models,
                        .face_models = &model,
                        .faces = &face};
    bspi_vrad_patch patch = {.halves = {BSP_NONE, BSP_NONE},
                             .corners = corners,
                             .num_corners = 4,
                             .middle = {1, 1, 0},
                             .directions = 1,
                             .taken = {{6, 3, 1}}};
    uint32_t firsts[2] = {0, 1};
    const bspi_vrad v = {.own = &own, .patches = &patch, .num_patches = 1, .firsts = firsts};
    float out[16][3];
    bspi_heap_init(&own.heap, NULL, SIZE_MAX);
    assert_true(bspi_vrad_mix(&v, 0, out, NULL));
    for (int n = 0; n < 16; n++) {
        assert_float_equal(out[n][0], n < 4 ? 6 : 3.464102f, 1e-5f);
        assert_float_equal(out[n][2], n < 4 ? 1 : 0.577350f, 1e-5f);
    }
    room_free(r);
}

// Ambient occlusion on the ceiling: a wall at d of the 36 units that count is in the way of the
// segment beyond c = d / 36 of the disk that the view is by its cosines, (acos c - c sqrt(1 - c^2))
// / pi of it: 0.360 at 8 units, 0.110 at 24. What is open of light is the square of the rest. A
// place in solid is not looked from.
static void test_occlusion(void **state) {
    (void)state;
    bsp_error error;
    room *r = room_build(bsp_branch_find("source_20"));
    const bsp_trace_options how = {0};
    bspi_lit_model models[2] = {{.shades = true}};
    bspi_relight own = {.map = &r->map, .models = models, .scale = {.occludes = true, .mask = 1}};
    float points[4][3] = {{-64, 64, 127}, {-104, 64, 127}, {-120, 64, 127}, {-136, 64, 127}};
    float normals[4][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
    bool lit[4] = {true, true, true, false};
    bspi_places places = {.points = points, .normals = normals, .lit = lit, .count = 4};
    bspi_heap_init(&own.heap, NULL, SIZE_MAX);
    own.index = bsp_trace_index_new(&r->map, &how, &error);
    assert_non_null(own.index);
    assert_true(bspi_places_occlude(&own, &places, &error));
    assert_float_equal(places.open[0], 1, 0);
    assert_float_equal(places.open[1], 0.890f * 0.890f, 0.08f);
    assert_float_equal(places.open[2], 0.640f * 0.640f, 0.08f);
    assert_float_equal(places.open[3], 1, 0);
    bspi_heap_free(&own.heap, places.near, places.count * sizeof *places.near);
    bspi_heap_free(&own.heap, places.open, places.count * sizeof *places.open);
    bsp_trace_index_free(own.index);
    room_free(r);
}

// What is looked at of collision models is paid, though no hull of theirs counts and no triangle of
// theirs is somewhere.
static void test_props_paid(void **state) {
    (void)state;
    enum { PROPS = 1000, HULLS = 1000, WORK = PROPS * HULLS / 10 };
    static const float points[1][3] = {{INFINITY, 0, 0}};
    static const uint32_t indices[3 * HULLS];
    static bsp_model_hull hulls[2][HULLS];
    static bsp_scene_prop props[PROPS];
    static const bsp_static_prop of_map;
    for (int n = 0; n < HULLS; n++) {
        hulls[0][n] = (bsp_model_hull){.solid = 1};
    }
    hulls[1][0] = (bsp_model_hull){.num_indices = 3 * HULLS};
    for (int n = 0; n < PROPS; n++) {
        props[n] = (bsp_scene_prop){.kind = BSP_PROP_STATIC};
    }
    for (int i = 0; i < 2; i++) {
        const bsp_model_mesh mesh = {.hulls = hulls[i],
                                     .num_hulls = i == 0 ? HULLS : 1,
                                     .hull_points = points,
                                     .num_hull_points = 1,
                                     .hull_indices = indices,
                                     .num_hull_indices = 3 * HULLS};
        const bsp_scene_model model = {.mesh = &mesh};
        bsp_scene scene = {.props = props, .num_props = PROPS, .models = &model, .num_models = 1};
        bspi_prop_lights found = {.scene = &scene};
        const bsp_map map = {.static_props = &of_map, .num_static_props = 1};
        const bsp_relight_options options = {.prop_shadows = BSP_PROP_SHADOWS_HULLS};
        const bsp_limits limits = {.work = WORK};
        bspi_relight own = {.map = &map, .options = &options, .props = &found};
        bsp_budget *budget = bsp_budget_new(&limits, NULL);
        bsp_error error;
        bspi_heap_init_for(&own.heap, BSP_PRODUCT_LIGHT, 0, budget, NULL);
        bspi_arena_init(&own.arena, &own.heap);
        assert_false(bspi_prop_shades_find(&own, &error));
        assert_int_equal(error.code, BSP_E_LIMIT);
        bspi_arena_free(&own.arena);
        bsp_budget_free(budget);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far),       cmocka_unit_test(test_near),
        cmocka_unit_test(test_beside),    cmocka_unit_test(test_spread),
        cmocka_unit_test(test_stated),    cmocka_unit_test(test_releases),
        cmocka_unit_test(test_softened),  cmocka_unit_test(test_hill_weight),
        cmocka_unit_test(test_pieces),    cmocka_unit_test(test_without_directions),
        cmocka_unit_test(test_occlusion), cmocka_unit_test(test_props_paid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
