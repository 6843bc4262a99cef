// SPDX-License-Identifier: MIT
// Entities of a document beside the classes of an editor: each finding is written here by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"

#include <string.h>

static const char fgd[] = "@BaseClass = Named [ targetname(target_source) : \"Name\" ]\n"
                          "@SolidClass = worldspawn [ message(string) : \"Title\" ]\n"
                          "@BaseClass base(Named) = Light [ light(integer) : \"Light\" : 300 ]\n"
                          "@PointClass base(Light) = light []\n" // as in Quake's own
                          "@SolidClass base(Named) = func_wall []\n";

#define BRUSH                                                                                      \
    "{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 ) a 0 0 0 1 1\n"    \
    "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1\n( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 ) a 0 0 0 1 1\n"       \
    "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n( 0 0 8 ) ( 0 1 8 ) ( 1 0 8 ) a 0 0 0 1 1\n}\n"

static const char map[] =
    "{\n\"classname\" \"worldspawn\"\n\"message\" \"m\"\n\"_light\" \"1\"\n\"wad\" \"x\"\n}\n"
    "{\n\"classname\" \"light\"\n\"origin\" \"0 0 0\"\n\"LIGHT\" \"200\"\n\"targetname\" "
    "\"a\"\n\"angle\" \"90\"\n}\n"
    "{\n\"classname\" \"light\"\n" BRUSH "}\n"
    "{\n\"classname\" \"func_wall\"\n\"speed\" \"1\"\n" BRUSH "}\n"
    "{\n\"classname\" \"func_wall\"\n}\n"
    "{\n\"classname\" \"func_new\"\n\"speed\" \"1\"\n}\n"
    "{\n\"classname\" \"Named\"\n}\n";

typedef struct finding {
    const char *id;
    uint32_t entity;
} finding;

static void test_findings(void **state) {
    (void)state;
    static const finding wanted[] = {
        {"source-undefined-key", 0},   // wad; not _light
        {"source-wrong-shape", 2},     // a light with a brush
        {"source-undefined-key", 3},   // speed
        {"source-wrong-shape", 4},     // a wall without one
        {"source-undefined-class", 5}, // and nothing about its keys
        {"source-undefined-class", 6}, // a base is no class of entities
    };
    bsp_error error;
    bsp_definitions *definitions = bsp_definitions_new(NULL, &error);
    assert_true(bsp_definitions_add(definitions, bsp_text_of(fgd), "test.fgd", NULL, &error));
    bsp_mapdoc *source = bsp_mapdoc_read(bsp_text_of(map), NULL, &error);
    assert_non_null(source);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_int_equal(bsp_mapdoc_check_classes(source, definitions, issues), 4);
    assert_int_equal(bsp_mapdoc_check_classes(source, definitions, NULL), 4);
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(list[i].kind->id, wanted[i].id);
        assert_int_equal(list[i].place.record, wanted[i].entity);
        assert_string_equal(list[i].place.lump, "entities");
    }
    assert_string_equal(list[0].text, "worldspawn has no property wad");
    bsp_issues_free(issues);
    bsp_mapdoc_free(source);
    bsp_definitions_free(definitions);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_findings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
