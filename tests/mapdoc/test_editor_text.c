// SPDX-License-Identifier: MIT
// Map source as text: what is written, what is read, what is refused and at which line.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"
#include "support/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD "\"classname\" \"worldspawn\"\n"
#define CUBE(tail)                                                                                 \
    "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) " tail "\n"                                                  \
    "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) " tail "\n"                                                     \
    "( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) " tail "\n"                                                  \
    "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) " tail "\n"                                                     \
    "( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) " tail "\n"                                                  \
    "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) " tail "\n"

static bsp_mapdoc *read_text(const char *text) {
    return read_source(bsp_text_of(text));
}

static void expect_text(bsp_text text, const char *wanted) {
    assert_int_equal(text.size, strlen(wanted));
    assert_true(bsp_text_equal(text, bsp_text_of(wanted)));
}

static bool swallow(void *user, const char *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return true;
}

// --- .map ---------------------------------------------------------------------------------------

static const char mixed[] =
    "// Game: something\n"
    "{ // worldspawn\n" WORLD "\"wad\" \"\\half\\life.wad\"\n"
    "{\n" CUBE("{fence 16 -8 90 .5 -1") "}\n"
                                        "{\n" CUBE("a [ 1 0 0 3 ] [ 0 -1 0 1.5e1 ] 0 2 0 1 -2 "
                                                   "3") "}\n"
                                                        "{\nbrushDef\n{\n"
                                                        "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) ( ( "
                                                        "0.5 0 0.25 ) ( 0 1 0 ) ) b 1 2 3\n"
                                                        "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ( ( 1 0 "
                                                        "0 ) ( 0 1 0 ) ) b 0 0 0\n"
                                                        "( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) ( ( "
                                                        "1 0 0 ) ( 0 1 0 ) ) b 0 0 0\n"
                                                        "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ( ( 1 0 "
                                                        "0 ) ( 0 1 0 ) ) b 0 0 0\n"
                                                        "( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) ( ( "
                                                        "1 0 0 ) ( 0 1 0 ) ) b 0 0 0\n"
                                                        "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) ( ( 1 0 "
                                                        "0 ) ( 0 1 0 ) ) b 0 0 0\n"
                                                        "}\n}\n"
                                                        "{\npatchDef3\n{\nsome/patch\n( 3 3 4 "
                                                        "5 6 7 8 )\n(\n"
                                                        "( ( 0 0 0 0 0 ) ( 0 8 0 0 .5 ) ( 0 16 "
                                                        "0 0 1 ) )\n"
                                                        "( ( 8 0 1 0 0 ) ( 8 8 1 0 .5 ) ( 8 16 "
                                                        "1 0 1 ) )\n"
                                                        "( ( 16 0 0 0 0 ) ( 16 8 0 0 .5 ) ( 16 "
                                                        "16 0 1 1 ) )\n"
                                                        ")\n}\n}\n"
                                                        "}\n"
                                                        "{\n\"classname\" "
                                                        "\"light\"\n\"origin\" \"-1 2 3\"\n}\n";

static void test_map_mixed(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text(mixed);
    assert_int_equal(s->dialect, BSP_DIALECT_PRIMITIVES);
    assert_int_equal(s->num_entities, 2);
    assert_int_equal(s->num_brushes, 3);
    assert_int_equal(s->num_patches, 1);
    expect_text(bsp_mapdoc_value(s, 0, "WAD"), "\\half\\life.wad");
    expect_text(bsp_mapdoc_value(s, 1, "origin"), "-1 2 3");
    const bsp_mapdoc_side *fence = &s->sides[0];
    expect_text(fence->material, "{fence");
    assert_true(fence->normal[2] == 1 && fence->dist == 64 && !fence->has_flags);
    assert_true(fence->vec[0][1] == 2 && fence->vec[0][3] == 16); // turned by 90: S along y
    assert_true(fence->vec[1][0] == -1 && fence->vec[1][3] == -8);
    const bsp_mapdoc_side *axes = &s->sides[6];
    assert_true(axes->has_flags && axes->contents == 1 && axes->flags == 0xFFFFFFFEu);
    assert_int_equal(axes->value, 3);
    assert_true(axes->vec[0][0] == 0.5 && axes->vec[1][1] == -1); // scale 0 is 1
    assert_true(axes->vec[0][3] == 3 && axes->vec[1][3] == 15);
    const bsp_mapdoc_side *matrix = &s->sides[12];
    assert_true(matrix->repeats && matrix->vec[0][1] == 0.5 && matrix->vec[0][3] == 0.25);
    assert_true(matrix->vec[1][0] == 1);
    const bsp_mapdoc_patch *patch = &s->patches[0];
    assert_true(patch->subdivided && patch->subdivisions[1] == 5 && patch->contents == 6);
    assert_int_equal(patch->value, 8);
    const bsp_mapdoc_control *last = &s->controls[patch->first_control + 2 * 3 + 2];
    assert_true(last->at[0] == 16 && last->at[1] == 16 && last->uv[0] == 1);
    bsp_mapdoc_free(s);
}

static void test_map_written(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text("{\n" WORLD "{\n" CUBE("wood 16 0 0 1 1 0 4 0") "}\n}\n");
    bsp_mapdoc_write_options options = {.game = "Quake 2"};
    char *text = print_source(s, BSP_DIALECT_QUAKE2, &options, NULL);
    assert_string_equal(text, "// Game: Quake 2\n// Format: Quake2\n// entity 0\n{\n" WORLD
                              "// brush 0\n{\n" CUBE("wood 16 0 0 1 1 0 4 0") "}\n}\n");
    free(text);
    bsp_mapdoc_losses losses;
    text = print_source(s, BSP_DIALECT_VALVE220, NULL, &losses);
    assert_non_null(strstr(text, "\"mapversion\" \"220\"\n"));
    assert_non_null(strstr(text, "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) wood [ 1 0 0 16 ] [ 0 -1 0 0 ] "
                                 "0 1 1 0 4 0\n"));
    free(text);
    text = print_source(s, BSP_DIALECT_QUAKE, NULL, &losses);
    assert_non_null(strstr(text, "wood 16 0 0 1 1\n"));
    assert_int_equal(losses.flags, 6);
    free(text);
    text = print_source(s, BSP_DIALECT_PRIMITIVES, NULL, &losses);
    assert_non_null(strstr(text, "( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) "
                                 "( ( 0.015625 0 0.25 ) ( 0 0.015625 0 ) ) wood 0 4 0\n"));
    assert_int_equal(losses.sizes, 6);
    free(text);
    bsp_mapdoc_free(s);
}

// The number that says "axes" is the dialect's and goes with it.
static void test_map_version(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text("{\n" WORLD "\"mapversion\" \"220\"\n}\n");
    char *text = print_source(s, BSP_DIALECT_QUAKE, NULL, NULL);
    assert_null(strstr(text, "mapversion"));
    free(text);
    text = print_source(s, BSP_DIALECT_VALVE220, NULL, NULL);
    char *first = strstr(text, "\"mapversion\" \"220\"");
    assert_non_null(first);
    assert_null(strstr(first + 2, "mapversion"));
    free(text);
    bsp_mapdoc_free(s);
}

// Names with a blank are quoted, an empty one has a name, "textures/" is Quake 3's own.
static void test_map_materials(void **state) {
    (void)state;
    static const struct {
        const char *read;
        bsp_dialect dialect;
        const char *written;
    } rows[] = {
        {"\"two words\"", BSP_DIALECT_QUAKE, ") \"two words\" 0"},
        {"\"\"", BSP_DIALECT_QUAKE, ") __TB_empty 0"},
        {"__TB_empty", BSP_DIALECT_QUAKE, ") __TB_empty 0"},
        {"}x", BSP_DIALECT_QUAKE, ") }x 0"},
        {"Textures/base/a", BSP_DIALECT_QUAKE3, ") base/a 0"},
        {"textures/base/a", BSP_DIALECT_QUAKE2, ") textures/base/a 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600] = "{\n" WORLD "{\n";
        static const char *const points[] = {
            "( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) ", "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ",
            "( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) ", "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) "};
        for (int k = 0; k < 4; k++) {
            strcat(text, points[k]);
            strcat(text, rows[i].read);
            strcat(text, " 0 0 0 1 1\n");
        }
        strcat(text, "}\n}\n");
        bsp_mapdoc *s = read_text(text);
        char *written = print_source(s, rows[i].dialect, NULL, NULL);
        assert_non_null(strstr(written, rows[i].written));
        bsp_mapdoc *again = read_text(written);
        assert_int_equal(again->num_sides, 4);
        bsp_mapdoc_free(again);
        free(written);
        bsp_mapdoc_free(s);
    }
}

// No dialect has escapes: a value must not end its quotes or its line.
static void test_texts(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text("{\n" WORLD "\"message\" \"aXbYcZd\"\n\"note\" \"plain\"\n}\n");
    char *value = (char *)(uintptr_t)bsp_mapdoc_value(s, 0, "message").data;
    value[1] = '"';
    value[3] = '\n';
    value[5] = 0x1B;
    value[6] = '\t';
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        bsp_mapdoc_losses losses;
        char *text = print_source(s, (bsp_dialect)d, NULL, &losses);
        assert_int_equal(losses.texts, 1);
        bsp_mapdoc *again = read_text(text);
        expect_text(bsp_mapdoc_value(again, 0, "message"), "a'b\\nc\x1B ");
        expect_text(bsp_mapdoc_value(again, 0, "note"), "plain");
        bsp_mapdoc_free(again);
        free(text);
    }
    bsp_mapdoc_free(s);
}

// --- .vmf ---------------------------------------------------------------------------------------

#define SIDE(id, points, rest)                                                                     \
    "side { \"id\" \"" id "\" \"plane\" \"" points "\" \"material\" \"DEV/A\"\n"                   \
    "\"uaxis\" \"[1 0 0 8] 0.5\" \"vaxis\" \"[0 -1 0 -4] 0.25\" \"rotation\" \"0\"\n"              \
    "\"lightmapscale\" \"32\" \"smoothing_groups\" \"5\"" rest " }\n"
#define DISP                                                                                       \
    "dispinfo { \"power\" \"1\" \"startposition\" \"[0 0 64]\" \"flags\" \"2\" \"subdiv\" \"1\"\n" \
    "normals { \"row0\" \"0 0 1 0 0 1 0 0 1\" \"row1\" \"0 0 1 0 0.6 0.8 0 0 1\" "                 \
    "\"row2\" \"0 0 1 0 0 1 0 0 1\" }\n"                                                           \
    "distances { \"row0\" \"1 2 3\" \"row1\" \"4 5.5 6\" \"row2\" \"7 8 9\" }\n"                   \
    "alphas { \"row0\" \"0 0 0\" \"row1\" \"0 255 0\" \"row2\" \"0 0 0\" }\n"                      \
    "triangle_tags { \"row0\" \"9 1 8 0\" \"row1\" \"9 9 9 9\" }\n"                                \
    "allowed_verts { \"10\" \"-1 2 -1 -1 -1 -1 -1 -1 -1 -1\" } }"

static const char vmf[] =
    "versioninfo { \"mapversion\" \"7\" }\n"
    "visgroups { visgroup { \"name\" \"outer\" \"visgroupid\" \"21\" \"color\" \"1 2 3\"\n"
    "visgroup { \"name\" \"inner\" \"visgroupid\" \"5\" \"color\" \"4 5 6\" } } }\n"
    "world { \"id\" \"1\" \"mapversion\" \"7\" \"classname\" \"worldspawn\"\n"
    "hidden { solid { \"id\" \"30\"\n" SIDE("1", "(0 0 64) (0 1 64) (1 0 64)", DISP) SIDE(
        "2", "(0 0 0) (1 0 0) (0 1 0)", "") SIDE("0", "(64 0 0) (64 0 1) (64 1 0)", "")
        SIDE("0", "(0 0 0) (0 1 0) (0 0 1)", "") SIDE("900", "(0 64 0) (1 64 0) (0 64 1)", "") SIDE(
            "4", "(0 0 0) (0 0 1) (1 0 0)",
            "") "editor { \"color\" \"0 1 2\" \"visgroupid\" \"99\" \"visgroupid\" \"5\" } } }\n"
                "group { \"id\" \"3\" editor { } }\n"
                "unknown { deep { deeper { \"id\" \"x\" } } }\n"
                "}\n"
                "entity { \"id\" \"2\" \"classname\" \"logic_auto\" \"origin\" \"1 2 3\"\n"
                "connections { \"OnMapSpawn\" \"a,b,,0,-1\" \"OnMapSpawn\" \"c,d,,1,-1\" }\n"
                "editor { \"visgroupid\" \"21\" } }\n"
                "hidden { entity { \"classname\" \"light\" } }\n"
                "cameras { \"activecamera\" \"-1\" }\ncordon { }\n";

static void expect_vmf(const bsp_mapdoc *s) {
    assert_int_equal(s->dialect, BSP_DIALECT_VMF);
    assert_int_equal(s->num_entities, 3);
    assert_int_equal(s->num_brushes, 1);
    assert_int_equal(s->num_visgroups, 2);
    assert_int_equal(s->brushes[0].id, 30);
    assert_int_equal(s->entities[1].visgroup, 0);
    expect_text(s->visgroups[1].name, "inner");
    assert_int_equal(s->visgroups[1].color[2], 6);
    assert_int_equal(s->entities[1].num_pairs, 4);
    const bsp_mapdoc_pair *output = &s->pairs[s->entities[1].first_pair + 3];
    assert_true(output->output);
    expect_text(output->value, "c,d,,1,-1");
    const bsp_mapdoc_side *side = &s->sides[0];
    assert_true(side->vec[0][0] == 2 && side->vec[0][3] == 8 && side->vec[1][1] == -4);
    assert_true(side->lightmap_scale == 32 && side->smoothing == 5);
    assert_int_equal(side->disp, 0);
    assert_int_equal(s->sides[1].disp, BSP_NONE);
    const bsp_mapdoc_disp *disp = &s->disps[0];
    assert_true(disp->power == 1 && disp->flags == 2 && disp->subdivided && disp->start[2] == 64);
    assert_int_equal(disp->allowed_verts[1], 2);
    const bsp_mapdoc_disp_vert *middle = &s->disp_verts[disp->first_vert + 4];
    assert_true(fabs(middle->normal[1] - 0.6) < 1e-6 && middle->distance == 5.5);
    assert_true(middle->alpha == 255 && !disp->has_blend);
    assert_int_equal(s->disp_tags[disp->first_tag + 2], 8);
}

static void test_vmf(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text(vmf);
    expect_vmf(s);
    assert_int_equal(s->brushes[0].visgroup, 1); // 99 is not there
    bsp_mapdoc_write_options options = {.crlf = true};
    char *text = print_source(s, BSP_DIALECT_VMF, &options, NULL);
    assert_non_null(strstr(text, "\t\t\t\"plane\" \"(0 0 64) (0 1 64) (1 0 64)\"\r\n"));
    assert_non_null(strstr(text, "\t\t\t\"uaxis\" \"[1 0 0 8] 0.5\"\r\n"));
    bsp_mapdoc *again = read_text(text);
    expect_vmf(again);
    // Numbers that were given are kept, the others are new: 1, 2, 4 and 900 are taken.
    const uint32_t ids[6] = {1, 2, 3, 5, 900, 4};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(again->sides[i].id, ids[i]);
    }
    assert_int_equal(again->entities[2].id, 3); // of entities and solids, 1, 2 and 30 are taken
    char *twice = print_source(again, BSP_DIALECT_VMF, &options, NULL);
    assert_string_equal(text, twice);
    free(twice);
    free(text);
    bsp_mapdoc_free(again);
    bsp_mapdoc_free(s);
}

static void test_vmf_blend(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text(vmf);
    bsp_mapdoc_disp *disp = (bsp_mapdoc_disp *)(uintptr_t)&s->disps[0];
    bsp_mapdoc_disp_vert *vert = (bsp_mapdoc_disp_vert *)(uintptr_t)&s->disp_verts[0];
    disp->has_blend = true;
    vert[8].blend[3] = 0.25;
    vert[8].alpha_blend[0] = 0.5;
    vert[8].blend_colors[3][2] = 0.125;
    vert[8].offset[1] = -3;
    vert[8].offset_normal[2] = 1;
    char *text = print_source(s, BSP_DIALECT_VMF, NULL, NULL);
    bsp_mapdoc *again = read_text(text);
    assert_true(again->disps[0].has_blend);
    assert_memory_equal(&again->disp_verts[8], &vert[8], sizeof *vert);
    free(text);
    bsp_mapdoc_free(again);
    bsp_mapdoc_free(s);
}

// --- planes -------------------------------------------------------------------------------------

// A side whose points say another plane than its own gets points of its plane.
static void test_points(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text("{\n" WORLD "{\n" CUBE("a 0 0 0 1 1") "}\n}\n");
    bsp_mapdoc_side *side = (bsp_mapdoc_side *)(uintptr_t)s->sides;
    side[0].normal[0] = 0.6;
    side[0].normal[2] = 0.8;
    side[0].dist = 5000.125;
    memset(side[2].points, 0, sizeof side[2].points);
    for (int i = 0; i < 9; i++) {
        side[4].points[i / 3][i % 3] += 0.0004; // floats of a compiler
    }
    char *text = print_source(s, BSP_DIALECT_QUAKE, NULL, NULL);
    bsp_mapdoc *again = read_text(text);
    source_distance far = compare_sources(s, again);
    assert_true(far.normal <= 1e-5 && far.dist <= 1e-3);
    assert_non_null(strstr(text, "( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 )"));
    free(text);
    bsp_mapdoc_free(again);
    side[5].normal[0] = NAN;
    bsp_error error = {0};
    size_t size = 0;
    assert_false(bsp_mapdoc_write(s, BSP_DIALECT_QUAKE, NULL, swallow, &size, NULL, &error));
    assert_int_equal(error.code, BSP_E_RANGE);
    bsp_mapdoc_free(s);
}

static void expect_health(const char *brush, bsp_mapdoc_health want, const char *kind) {
    char text[2000] = "{\n" WORLD "{\n";
    strcat(text, brush);
    strcat(text, "}\n}\n");
    bsp_mapdoc *s = read_text(text);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(s, NULL, issues, &health, NULL));
    assert_memory_equal(&health, &want, sizeof want);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, kind == NULL ? 0 : 1);
    if (kind != NULL) {
        assert_string_equal(list->kind->id, kind);
    }
    bsp_issues_free(issues);
    bsp_mapdoc_free(s);
}

static void test_check(void **state) {
    (void)state;
    expect_health(CUBE("a 0 0 0 1 1"), (bsp_mapdoc_health){.sound = 1}, NULL);
    expect_health(CUBE("a 0 0 0 1 1") "( 0 0 64 ) ( 0 8 64 ) ( 8 0 64 ) a 0 0 0 1 1\n",
                  (bsp_mapdoc_health){.spare = 1, .doubled = 1}, "source-spare-side");
    expect_health(CUBE("a 0 0 0 1 1") "( 0 0 99 ) ( 0 8 99 ) ( 8 0 99 ) a 0 0 0 1 1\n",
                  (bsp_mapdoc_health){.spare = 1}, "source-spare-side");
    expect_health(CUBE("a 0 0 0 1 1") "( 0 0 -9 ) ( 0 8 -9 ) ( 8 0 -9 ) a 0 0 0 1 1\n",
                  (bsp_mapdoc_health){.empty = 1}, "source-bad-brush");
    expect_health("( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) a 0 0 0 1 1\n"
                  "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n"
                  "( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) a 0 0 0 1 1\n"
                  "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n",
                  (bsp_mapdoc_health){.open = 1}, "source-bad-brush");
}

// --- errors -------------------------------------------------------------------------------------

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *message; // how it begins
    } rows[] = {
        {"", "line 1: there is no entity"},
        {"{\n" WORLD, "line 3: the text ends, '}' of an entity is missing"},
        {"{\n\"classname\" \"light\"\n}\n", "line 1: the first entity's classname"},
        {"{\n" WORLD "}\n}\n", "line 4: '{' of an entity is missing, here is '}'"},
        {"{\n" WORLD "\"message\" \"open\n}\n", "line 3: a quote is not closed"},
        {"{\n" WORLD "\"message\"\n\"next\" \"1\"\n}\n", "line 4: a value in quotes on the line"},
        {"{\n" WORLD "\"message\" bare\n}\n", "line 3: a value in quotes on the line"},
        {"{\n" WORLD "bare \"x\"\n}\n", "line 3: a key in quotes, a brush or '}' is missing"},
        {"{\n" WORLD "{\n( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) a 0 0 0 1 1\n}\n}\n",
         "line 4: the three points of a side lie on a line"},
        {"{\n" WORLD "{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n}\n}\n",
         "line 3: a brush of 1 sides"},
        {"{\n" WORLD "{\n( 0 0 nan ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n}\n}\n",
         "line 4: a number is missing, here is 'nan'"},
        {"{\n" WORLD "{\n( 0 0 1e10 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n}\n}\n",
         "line 4: a number is missing"},
        {"{\n" WORLD "{\n( 0 0 0 ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n}\n}\n",
         "line 4: ) is missing, here is '('"},
        {"{\n" WORLD "{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1 1 2\n}\n}\n",
         "line 4: the third of contents, flags and value"},
        {"{\n" WORLD "{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1 1 2 3 4\n}\n}\n",
         "line 4: the end of the line is missing, here is '4'"},
        {"{\n" WORLD "{\nbrushDef3\n{\n", "line 4: a side or '}' is missing, here is 'brushDef3'"},
        {"{\n" WORLD "{\npatchDef2\n{\na\n( 4 3 0 0 0 )\n", "line 7: a patch of 4 x 3 control"},
        {"world\n{\n", "line 3: a block is not closed"},
        {"entity\n{\n\"classname\" \"light\"\n}\n", "line 1: an entity before the world"},
        {"x\n{\n}\n", "line 1: there is no world"},
        {"world\n{\n\"classname\" \"worldspawn\"\nsolid\n{\n}\n}\n", "line 4: a brush of 0 sides"},
        {"world\n{\nsolid\n{\nside\n{\n\"plane\" \"(0 0 0) (1 0 0)\"\n}\n}\n}\n",
         "line 7: plane '(0 0 0) (1 0 0)' is not three points"},
        {"world\n{\nsolid\n{\nside\n{\n\"uaxis\" \"[1 0 0 0]\"\n}\n}\n}\n",
         "line 7: uaxis '[1 0 0 0]' is not an axis"},
        {"world\n{\nsolid\n{\nside\n{\ndispinfo\n{\n\"power\" \"5\"\n}\n}\n}\n}\n",
         "line 7: the power of a displacement"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bsp_error error = {0};
        assert_null(bsp_mapdoc_read(bsp_text_of(rows[i].text), NULL, &error));
        assert_int_equal(error.code, BSP_E_DAMAGED);
        char start[256];
        memcpy(start, error.message, sizeof start);
        start[strlen(rows[i].message)] = '\0';
        assert_string_equal(start, rows[i].message);
    }
}

static void test_dialects(void **state) {
    (void)state;
    for (int d = 0; d < BSP_NUM_DIALECTS; d++) {
        bsp_dialect found;
        assert_true(bsp_dialect_find(bsp_text_of(bsp_dialect_name((bsp_dialect)d)), &found));
        assert_int_equal(found, d);
    }
    bsp_dialect found;
    assert_false(bsp_dialect_find(bsp_text_of("quake4"), &found));
}

// --- hostile ------------------------------------------------------------------------------------

// Every cut of both texts: no byte behind the end is looked at, no memory is lost.
static void test_cuts(void **state) {
    (void)state;
    static const char *const texts[] = {mixed, vmf};
    for (int t = 0; t < 2; t++) {
        bsp_mapdoc *whole = bsp_mapdoc_read(bsp_text_of(texts[t]), NULL, NULL);
        assert_non_null(whole);
        for (size_t size = 1; size < strlen(texts[t]); size++) {
            bsp_error error = {0};
            char *copy = malloc(size); // no byte more, so that sanitizers see a read beyond
            memcpy(copy, texts[t], size);
            bsp_mapdoc *cut = bsp_mapdoc_read((bsp_text){copy, size}, NULL, &error);
            assert_true(cut != NULL ? cut->num_entities <= whole->num_entities
                                    : error.code != BSP_OK);
            bsp_mapdoc_free(cut);
            free(copy);
        }
        bsp_mapdoc_free(whole);
    }
}

static void test_memory_ends(void **state) {
    (void)state;
    static const char *const texts[] = {mixed, vmf};
    for (int t = 0; t < 2; t++) {
        bool done = false;
        for (uint64_t n = 1; !done; n++) {
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_mapdoc_options options = {.allocator = &allocator};
            bsp_mapdoc_write_options write = {.allocator = &allocator};
            bsp_mapdoc *s = bsp_mapdoc_read(bsp_text_of(texts[t]), &options, NULL);
            size_t size = 0;
            done = s != NULL && bsp_mapdoc_check(s, &allocator, NULL, NULL, NULL) &&
                   bsp_mapdoc_write(s, BSP_DIALECT_VMF, &write, swallow, &size, NULL, NULL);
            bsp_mapdoc_free(s);
            assert_int_equal(meter.live, 0);
            assert_false(meter.wrong);
            assert_true(n < 1000);
        }
    }
}

static bool refuse(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return false;
}

static void test_sink_fails(void **state) {
    (void)state;
    bsp_mapdoc *s = read_text(mixed);
    bsp_error error = {0};
    assert_false(bsp_mapdoc_write(s, BSP_DIALECT_QUAKE3, NULL, refuse, NULL, NULL, &error));
    assert_int_equal(error.code, BSP_E_IO);
    bsp_mapdoc_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_mixed),   cmocka_unit_test(test_map_written),
        cmocka_unit_test(test_map_version), cmocka_unit_test(test_map_materials),
        cmocka_unit_test(test_texts),       cmocka_unit_test(test_vmf),
        cmocka_unit_test(test_vmf_blend),   cmocka_unit_test(test_points),
        cmocka_unit_test(test_check),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_dialects),    cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_memory_ends), cmocka_unit_test(test_sink_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
