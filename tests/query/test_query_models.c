// SPDX-License-Identifier: MIT
// Brush models that stand somewhere: which are solid, which are turned, and traces against them,
// in the room of tests/support, whose door is (32 -4 0) to (40 4 96). What should come out was
// worked out by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "query/collide.h"
#include "support/room.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Traces through a room whose door is described by the text of an entity.
static bsp_trace_result trace_room(const char *branch, const char *entity,
                                   const bsp_trace_input *input) {
    char text[512];
    room *r = room_build(bsp_branch_find(branch));
    snprintf(text, sizeof text, "{\"classname\" \"worldspawn\"}\n{\"model\" \"*1\" %s}\n", entity);
    bsp_entities *entities = bsp_entities_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(entities);
    r->map.entities = entities;
    bsp_trace_index *index = bsp_trace_index_new(&r->map, NULL, NULL);
    bsp_trace_result result;
    assert_non_null(index);
    bsp_trace(index, input, &result);
    bsp_trace_index_free(index);
    bsp_entities_free(entities);
    room_free(r);
    return result;
}

static void assert_near(double is, double should) {
    if (!(fabs(is - should) < 2e-4)) {
        fail_msg("%.9g is not %.9g", is, should);
    }
}

// --- classes ------------------------------------------------------------------------------------

static const bsp_trace_input through = {
    .start = {0, 0, 48}, .end = {100, 0, 48}, .model = BSP_TRACE_ALL};

static void test_classes(void **state) {
    (void)state;
    static const struct {
        const char *branch;
        const char *entity;
        bool solid;
    } cases[] = {
        {"quake", "\"classname\" \"func_door\"", true},
        {"quake", "\"classname\" \"trigger_once\"", false},
        {"quake", "\"classname\" \"func_illusionary\"", false},
        {"quake", "\"classname\" \"func_water\"", true}, // not Quake's: taken for solid
        {"quake", "\"angle\" \"90\"", false},            // no class: the game frees it
        {"goldsrc", "\"classname\" \"func_water\"", false},
        {"goldsrc", "\"classname\" \"func_ladder\"", false},
        {"goldsrc", "\"classname\" \"func_door\" \"spawnflags\" \"8\"", false},
        {"goldsrc", "\"classname\" \"func_door\" \"spawnflags\" \"4\"", true},
        {"goldsrc", "\"classname\" \"func_door\" \"skin\" \"-3\"", false},
        {"goldsrc", "\"classname\" \"momentary_rot_button\"", false},
        {"goldsrc", "\"classname\" \"momentary_rot_button\" \"spawnflags\" \"1\"", true},
        {"quake2", "\"classname\" \"func_wall\"", true},
        {"quake2", "\"classname\" \"func_wall\" \"spawnflags\" \"3\"", false},
        {"quake2", "\"classname\" \"func_wall\" \"spawnflags\" \"7\"", true},
        {"quake2", "\"classname\" \"func_explosive\" \"spawnflags\" \"1\"", false},
        {"quake2", "\"classname\" \"func_areaportal\"", false},
        {"quake3", "\"classname\" \"func_static\"", true},
        {"quake3", "\"classname\" \"trigger_push\"", false},
        {"source_20", "\"classname\" \"func_brush\"", true},
        {"source_20", "\"classname\" \"func_brush\" \"Solidity\" \"1\"", false},
        {"source_20", "\"classname\" \"func_brush\" \"StartDisabled\" \"1\"", false},
        {"source_20", "\"classname\" \"func_brush\" \"StartDisabled\" \"1\" \"Solidity\" \"2\"",
         true},
        {"source_20", "\"classname\" \"func_buyzone\"", false},
        {"source_20", "\"classname\" \"func_breakable\"", true},
        {"source_20", "\"classname\" \"func_respawnroomvisualizer\"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bsp_trace_result r = trace_room(cases[i].branch, cases[i].entity, &through);
        if ((r.entity == 1) != cases[i].solid) {
            fail_msg("%s: %s", cases[i].branch, cases[i].entity);
        }
    }
}

// --- angles -------------------------------------------------------------------------------------

// A quarter turn about z takes the door to (-4 32 0) .. (4 40 96): from the origin along y it is 32
// away, less the epsilon of 1/32, and along x it is no longer there.
static void test_yaw(void **state) {
    (void)state;
    static const struct {
        const char *branch, *name;
        bool turned;
    } cases[] = {
        {"goldsrc", "func_train", true},       {"goldsrc", "func_door", false},
        {"goldsrc", "func_wall", false},       {"goldsrc", "func_rotating", true},
        {"quake2", "func_rotating", true},     {"quake2", "func_door", false},
        {"quake2", "func_door_secret", false}, {"quake2", "func_wall", true},
        {"quake", "func_train", false},        {"quake3", "func_static", false},
        {"source_20", "func_brush", true},     {"source_20", "func_door", true},
        {"source_20", "func_wall", false},
    };
    static const bsp_trace_input across = {
        .start = {0, 0, 48}, .end = {0, 64, 48}, .model = BSP_TRACE_ALL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char entity[128];
        snprintf(entity, sizeof entity, "\"classname\" \"%s\" \"angles\" \"0 90 0\"",
                 cases[i].name);
        bsp_trace_result r = trace_room(cases[i].branch, entity, &across);
        if ((r.entity == 1) != cases[i].turned) {
            fail_msg("%s: %s", cases[i].branch, entity);
        }
        if (cases[i].turned) {
            assert_near((double)r.fraction, (32 - 1.0 / 32) / 64);
            assert_near((double)r.end[1], 32 - 1.0 / 32);
            assert_near((double)r.normal[0], 0);
            assert_near((double)r.normal[1], -1);
            assert_near((double)r.dist, -32);
            bsp_trace_result x = trace_room(cases[i].branch, entity, &through);
            assert_int_equal(x.entity, BSP_NONE);
        }
    }
}

// Pitch turns forward down, roll turns left up: each by a quarter, beside the origin (64 0 64).
// Pitch: (x, y, z) of the model is at (z, y, -x); roll: at (x, -z, y).
static void test_pitch_and_roll(void **state) {
    (void)state;
    // The door's near end, x = 32, looks up at z = 64 - 32: met from above at x = 64 + 48.
    bsp_trace_input down = {.start = {112, 0, 60}, .end = {112, 0, 20}, .model = BSP_TRACE_ALL};
    bsp_trace_result r = trace_room(
        "source_20", "\"classname\" \"func_brush\" \"origin\" \"64 0 64\" \"angles\" \"90 0 0\"",
        &down);
    assert_int_equal(r.entity, 1);
    assert_near((double)r.end[2], 32 + 1.0 / 32);
    assert_near((double)r.normal[2], 1);
    assert_near((double)r.dist, 32);
    // The door's left side, y = 4, looks up at z = 64 + 4: at x = 64 + 36, y = -48.
    bsp_trace_input onto = {
        .start = {100, -48, 100}, .end = {100, -48, 60}, .model = BSP_TRACE_ALL};
    r = trace_room("source_20",
                   "\"classname\" \"func_brush\" \"origin\" \"64 0 64\" \"angles\" \"0 0 90\"",
                   &onto);
    assert_int_equal(r.entity, 1);
    assert_near((double)r.end[2], 68 + 1.0 / 32);
    assert_near((double)r.normal[2], 1);
}

// The box is not turned with the segment: a door turned by 45 degrees is met as if the box stood
// along its sides. From the origin towards it the way is 32 less half a box of 8 and the epsilon.
static void test_box(void **state) {
    (void)state;
    bsp_trace_input in = {.end = {64, 64, 0}, .model = BSP_TRACE_ALL};
    for (int i = 0; i < 3; i++) {
        in.mins[i] = -4;
        in.maxs[i] = 4;
    }
    in.start[2] = in.end[2] = 48;
    bsp_trace_result r =
        trace_room("source_20", "\"classname\" \"func_brush\" \"angles\" \"0 45 0\"", &in);
    assert_int_equal(r.entity, 1);
    assert_near((double)r.fraction, (32 - 4 - 1.0 / 32) / (64 * sqrt(2)));
    assert_near((double)r.normal[0], -sqrt(0.5));
    assert_near((double)r.normal[1], -sqrt(0.5));
}

// --- the way out --------------------------------------------------------------------------------

// From within the door at x = 36 to 100: it is left at 40 and 1/32, 4 of 64 units on the way.
static void test_left_solid(void **state) {
    (void)state;
    bsp_trace_input in = {.start = {36, 0, 48}, .end = {100, 0, 48}, .model = 1};
    bsp_trace_result r = trace_room("source_20", "\"classname\" \"func_brush\"", &in);
    assert_true(r.start_solid && !r.all_solid);
    assert_near((double)r.fraction, 1);
    assert_near((double)r.left_solid, (4 - 1.0 / 32) / 64);
    in.end[0] = 38;
    r = trace_room("source_20", "\"classname\" \"func_brush\"", &in);
    assert_true(r.start_solid && r.all_solid);
    assert_near((double)r.left_solid, 1);
    in.start[0] = 0;
    r = trace_room("source_20", "\"classname\" \"func_brush\"", &in);
    assert_false(r.start_solid);
    assert_near((double)r.left_solid, 0);
}

// --- displacements ------------------------------------------------------------------------------

// What the room's displacement stops, by its flags and contents.
static void test_displacement_flags(void **state) {
    (void)state;
    static const struct {
        uint32_t flags, contents;
        bool ray, box;
    } cases[] = {
        {4, 1, true, true}, // a tesselation of 4, not flags
        {0x80000000u, 1, true, true},
        {0x80000002u, 1, true, true}, // physics only
        {0x80000004u, 1, true, false},
        {0x80000008u, 1, false, true},
        {0x8000000Cu, 1, false, false},
        {0x80000000u, 0x10000, false, true}, // nothing opaque: no rays
        {0x80000000u, 0x4000, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        room *r = room_build(bsp_branch_find("source_20"));
        bool met[2];
        r->displacements[0].flags = cases[i].flags;
        r->displacements[0].contents = (int32_t)cases[i].contents;
        r->map.num_leaf_brushes = r->map.num_brushes = 0; // only it is there
        bsp_trace_index *index = bsp_trace_index_new(&r->map, NULL, NULL);
        assert_non_null(index);
        for (int box = 0; box < 2; box++) {
            // It stands on one of the room's walls or its floor: met from the middle of the room.
            bsp_trace_input in = {.start = {0, 0, 64}, .mask = UINT32_MAX};
            for (int k = 0; k < 3; k++) {
                in.mins[k] = box ? -1 : 0;
                in.maxs[k] = box ? 1 : 0;
            }
            met[box] = false;
            for (int side = 0; side < 6; side++) {
                bsp_trace_result result;
                memcpy(in.end, in.start, sizeof in.end);
                in.end[side / 2] += side % 2 == 0 ? 200 : -200;
                in.end[0] += 3;
                in.end[1] += 5;
                bsp_trace(index, &in, &result);
                met[box] = met[box] || result.face != BSP_NONE;
            }
        }
        if (met[0] != cases[i].ray || met[1] != cases[i].box) {
            fail_msg("flags 0x%X contents 0x%X: ray %d, box %d", cases[i].flags, cases[i].contents,
                     met[0], met[1]);
        }
        bsp_trace_index_free(index);
        room_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),        cmocka_unit_test(test_yaw),
        cmocka_unit_test(test_pitch_and_roll), cmocka_unit_test(test_box),
        cmocka_unit_test(test_left_solid),     cmocka_unit_test(test_displacement_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
