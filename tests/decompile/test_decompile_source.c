// SPDX-License-Identifier: MIT
// The parts of a Source decompilation that need no map: which pairs are outputs, tool materials by
// contents and flags, the cheapest pairing against all pairings, turned brushes, prisms.
#include "decompile/source/steps.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- outputs ------------------------------------------------------------------------------------

static bool is_output(const char *key, const char *value) {
    bsp_pair pair = {bsp_text_of(key), bsp_text_of(value)};
    return bspi_source_is_output(&pair);
}

static void test_outputs(void **state) {
    (void)state;
    // Source 2004 to 2013, and with an empty target, parameter or delay.
    assert_true(is_output("OnTrigger", "door,Open,,0,-1"));
    assert_true(is_output("OnTrigger", "door,Open,,,"));
    assert_true(is_output("onuser1", "!self,FireUser2,a b,1.5,1"));
    assert_true(is_output("OutValue", "text,SetText,x,0,-1"));
    // Bloodlines and Dark Messiah: two more words.
    assert_true(is_output("OnTrigger", "door,Open,,0,-1,,"));
    // Later branches: commas belong to the parameter.
    assert_true(is_output("OnTrigger", "door\033RunScriptCode\033f(1,2,3)\033"
                                       "0\x1b-1"));
    // Outputs of game_ui, which do not begin with On.
    assert_true(is_output("PlayerOff", "view,Disable,,0,-1"));
    assert_true(is_output("XAxis", "view,SetValue,,0.00,-1"));
    // Plain keys with four commas, or none.
    assert_false(is_output("message", "Beware, traveller, of the dog, the cat, and me"));
    assert_false(is_output("curve", "0,0.5,1,0.5,0"));
    assert_false(is_output("targetname", "door"));
    assert_false(is_output("OnTrigger", "door,Open,,0"));
    assert_false(is_output("", "a,b,c,0,1"));
    assert_false(is_output("OnTrigger", "door\033Open\033\033"
                                        "0"));
}

// --- tools --------------------------------------------------------------------------------------

typedef struct tool_case {
    const char *branch;
    uint32_t contents;
    uint32_t flags;
    const char *recorded;
    const char *expected; // "": the record stays
} tool_case;

// Contents and flags as the compilers of the games wrote them for a room with one brush of each
// tool material (Garry's Mod, Counter-Strike: Global Offensive, Left 4 Dead 2).
static const tool_case tool_cases[] = {
    {"source_21", 0x10000002, 0x490, "tools/toolsblockbullets", ""},
    {"source_21", 0x10000008, 0x490, "tools/toolsblockbullets", "tools/toolsinvisible"},
    {"source_21", 0x30000008, 0x480, "tools/toolsinvisibleladder", ""},
    {"source_21", 0x1, 0x480, "tools/toolsinvisibleladder", "tools/toolsnodraw"},
    {"source_21", 0x8000040, 0x480, "tools/toolsinvisibleladder", "tools/toolsblock_los"},
    {"source_21", 0x8000080, 0x480, "TOOLS/TOOLSINVISIBLELADDER", "tools/toolsblocklight"},
    {"source_21", 0x1, 0x440, "tools/toolstrigger", ""},
    {"source_21", 0x0, 0x580, "tools/toolshint", ""},
    {"source_21", 0x0, 0x680, "tools/toolsskip", ""},
    {"source_21", 0x8030000, 0x480, "tools/toolsclip", ""},
    {"source_21", 0x8020000, 0x480, "tools/toolsclip", "tools/toolsnpcclip"},
    {"source_21", 0x8010000, 0x480, "tools/toolsinvisibleladder", "tools/toolsplayerclip"},
    {"source_21", 0x8030000, 0x480, "tools/toolsclip_concrete", ""},
    {"source_21", 0x1, 0x404, "tools/toolsskybox", ""},
    {"source_21", 0x1, 0x406, "tools/toolsskybox2d", ""},
    {"source_21", 0x8080000, 0x480, "tools/toolsinvisibleladder", "tools/toolsgrenadeclip"},
    {"source_21", 0x8100000, 0x480, "tools/toolsinvisibleladder", "tools/toolsdroneclip"},
    {"source_20", 0x8080000, 0x480, "tools/toolsinvisibleladder", "tools/toolsnodraw"},
    {"source_20", 0x8010000, 0x440, "tools/toolstrigger", "tools/toolsplayerclip"},
    {"source_20", 0x8008000, 0x480, "tools/toolsnodraw", "tools/toolsareaportal"},
    {"left4dead2", 0x1, 0x480, "tools/toolsnodraw_metal", ""},
    {"left4dead2", 0x30001008, 0x490, "tools/toolsblockbullets", "tools/climb"},
    {"left4dead2", 0x30001008, 0x410, "tools/climb_versus", ""},
    {"left4dead2", 0x10000002, 0x490, "tools/invismetal", ""},
    // What is no tool that is known stays.
    {"source_20", 0x1, 0x480, "mine/hidden", ""},
    // Nothing on record.
    {"source_20", 0x1, 0x480, "", "tools/toolsnodraw"},
    {"source_20", 0x8030000, 0x0, "", "tools/toolsclip"},
};

static void test_tools(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof tool_cases / sizeof tool_cases[0]; i++) {
        const tool_case *c = &tool_cases[i];
        const bsp_branch *branch = bsp_branch_find(c->branch);
        assert_non_null(branch);
        bsp_text tool = bspi_source_tool(branch, c->contents, c->flags, bsp_text_of(c->recorded));
        if (!bsp_text_equal(tool, bsp_text_of(c->expected))) {
            fail_msg("case %zu: %.*s, not %s", i, (int)tool.size, tool.data, c->expected);
        }
    }
}

// --- pairing ------------------------------------------------------------------------------------

#define MOST 6

static double best_of(const double *cost, uint32_t rows, uint32_t columns, uint32_t row,
                      unsigned used, uint32_t left) {
    if (row == rows) {
        return left == 0 ? 0 : INFINITY;
    }
    double best = rows - row > left ? best_of(cost, rows, columns, row + 1, used, left) : INFINITY;
    for (uint32_t j = 0; j < columns && left > 0; j++) {
        if ((used & 1u << j) == 0) {
            double rest = best_of(cost, rows, columns, row + 1, used | 1u << j, left - 1);
            best = fmin(best, cost[row * columns + j] + rest);
        }
    }
    return best;
}

static void test_pairing(void **state) {
    (void)state;
    test_random random = {7};
    bspi_heap heap;
    bspi_heap_init(&heap, NULL, 0);
    for (int round = 0; round < 400; round++) {
        uint32_t rows = (uint32_t)random_below(&random, MOST + 1);
        uint32_t columns = (uint32_t)random_below(&random, MOST + 1);
        double cost[MOST * MOST];
        for (uint32_t i = 0; i < rows * columns; i++) {
            cost[i] = (double)random_below(&random, 20); // ties are usual
        }
        uint32_t column_of[MOST];
        assert_true(bspi_pair_up(&heap, cost, rows, columns, column_of, NULL));
        double sum = 0;
        unsigned used = 0;
        uint32_t pairs = 0;
        for (uint32_t i = 0; i < rows; i++) {
            if (column_of[i] != BSP_NONE) {
                assert_true(column_of[i] < columns && (used & 1u << column_of[i]) == 0);
                used |= 1u << column_of[i];
                sum += cost[i * columns + column_of[i]];
                pairs++;
            }
        }
        uint32_t least = rows < columns ? rows : columns;
        assert_int_equal(pairs, least);
        assert_true(fabs(sum - best_of(cost, rows, columns, 0, 0, least)) < 1e-9);
    }
    assert_int_equal(atomic_load(&heap.used), 0);
}

// --- brushes ------------------------------------------------------------------------------------

static void begin(bspi_work *w, bsp_decompile_report *report) {
    static const bsp_decompile_options none;
    memset(w, 0, sizeof *w);
    w->options = &none;
    memset(report, 0, sizeof *report);
    w->report = report;
    bspi_heap_init(&w->heap, NULL, 0);
    bspi_arena_init(&w->arena, &w->heap);
    w->names.heap = &w->heap;
    assert_true(bspi_builder_begin(&w->out, BSP_PRODUCT_DOCUMENT, 0, NULL, NULL, NULL));
    assert_int_equal(bspi_new_entity(w, "worldspawn"), 0);
}

// A prism over a square: closed, the top with its own look.
static void test_prism(void **state) {
    (void)state;
    bspi_work w;
    bsp_decompile_report report;
    begin(&w, &report);
    static const double square[4][3] = {{0, 0, 64}, {32, 0, 64}, {32, 16, 64}, {0, 16, 64}};
    static const double up[3] = {0, 0, 1};
    bspi_look top;
    bspi_look rest;
    bspi_plain_look(&top, "lobby/hill1", up);
    bspi_plain_look(&rest, "tools/toolsnodraw", up);
    uint32_t made;
    assert_true(bspi_build_prism(&w, 0, square, 4, 16, &top, &rest, &made));
    assert_int_equal(made, 0);
    bsp_mapdoc *source = bspi_builder_finish(&w.out);
    assert_non_null(source);
    assert_int_equal(source->num_sides, 6);
    assert_true(bsp_text_equal(source->sides[0].material, bsp_text_of("lobby/hill1")));
    assert_true(bsp_text_equal(source->sides[1].material, bsp_text_of("tools/toolsnodraw")));
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(source, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, 1);
    bsp_mapdoc_free(source);
    bspi_text_table_free(&w.names);
    bspi_arena_free(&w.arena);
}

// A name is one visgroup however often it is asked for.
static void test_visgroups(void **state) {
    (void)state;
    bspi_builder b;
    assert_true(bspi_builder_begin(&b, BSP_PRODUCT_DOCUMENT, 0, NULL, NULL, NULL));
    for (uint32_t i = 0; i < 6000; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "instance: InstanceAuto%u", i % 3000);
        assert_int_equal(bspi_build_visgroup(&b, name), i % 3000);
    }
    bsp_mapdoc *source = bspi_builder_finish(&b);
    assert_non_null(source);
    assert_int_equal(source->num_visgroups, 3000);
    assert_true(
        bsp_text_equal(source->visgroups[2999].name, bsp_text_of("instance: InstanceAuto2999")));
    bsp_mapdoc_free(source);
}

// Pitch, yaw and roll as the engine's: yaw turns x to y, pitch x down, roll y up.
static void test_turn(void **state) {
    (void)state;
    static const struct {
        double angles[3];
        double normal[3];
        double turned[3];
    } cases[] = {
        {{0, 90, 0}, {1, 0, 0}, {0, 1, 0}},   {{90, 0, 0}, {1, 0, 0}, {0, 0, -1}},
        {{0, 0, 90}, {0, 1, 0}, {0, 0, 1}},   {{0, -90, 0}, {1, 0, 0}, {0, -1, 0}},
        {{90, 90, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 450, 0}, {0, 1, 0}, {-1, 0, 0}},
    };
    static const double origin[3] = {8, 16, 32};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bspi_work w;
        bsp_decompile_report report;
        begin(&w, &report);
        assert_non_null(bspi_build_brush(&w.out, 0));
        bsp_mapdoc_side *side = bspi_build_side(&w.out);
        assert_non_null(side);
        memcpy(side->normal, cases[i].normal, sizeof side->normal);
        memcpy(side->points[0], cases[i].normal, sizeof side->points[0]);
        memcpy(side->vec[0], cases[i].normal, 3 * sizeof(double));
        side->vec[0][3] = 5;
        side->dist = 1;
        bspi_turn_brush(&w, 0, cases[i].angles, origin);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(side->normal[axis] == cases[i].turned[axis]); // quarters are exact
            assert_true(side->points[0][axis] == cases[i].turned[axis] + origin[axis]);
        }
        double along = 0;
        for (int axis = 0; axis < 3; axis++) {
            along += side->normal[axis] * side->points[0][axis];
        }
        assert_true(fabs(along - side->dist) < 1e-12);
        // The point had texel 1 + 5, and has it still.
        double texel = side->vec[0][3];
        for (int axis = 0; axis < 3; axis++) {
            texel += side->vec[0][axis] * side->points[0][axis];
        }
        assert_true(fabs(texel - 6) < 1e-12);
        bspi_builder_drop(&w.out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),   cmocka_unit_test(test_tools),
        cmocka_unit_test(test_pairing),   cmocka_unit_test(test_prism),
        cmocka_unit_test(test_visgroups), cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
