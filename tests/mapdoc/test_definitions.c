// SPDX-License-Identifier: MIT
// Definitions of entity classes: texts whose meaning is written here by hand, and the definitions
// of real games beside what an independent reader found in them (needs the shared models; skipped
// without).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bsp_definitions *read_text(const char *text, bsp_issues *issues) {
    bsp_error error;
    bsp_definitions_options options = {.issues = issues};
    bsp_definitions *d = bsp_definitions_new(&options, &error);
    assert_non_null(d);
    assert_true(bsp_definitions_add(d, bsp_text_of(text), "test", NULL, &error));
    return d;
}

static const bsp_entity_class *find(const bsp_definitions *d, const char *name) {
    const bsp_entity_class *c = bsp_definitions_find(d, bsp_text_of(name));
    if (c == NULL) {
        fail_msg("class %s is not there", name);
    }
    return c;
}

static void expect_text(bsp_text text, const char *wanted) {
    if (!bsp_text_equal(text, bsp_text_of(wanted))) {
        fail_msg("\"%.*s\" is not \"%s\"", (int)text.size, text.data, wanted);
    }
}

static const char fgd[] =
    "// comment @PointClass = no : \"no\" []\n"
    "@BaseClass = Angles [ angles(angle) : \"Direction\" : \"0 90 0\" ]\n"
    "@BaseClass size(-8 -8 0, 8 8 16) color(255 128 0) = Sized []\n"
    "@PointClass base(Angles, Sized) studio(\"models/a.mdl\") = prop_a : \"A \" + \"prop\" : "
    "\"http://x/y\" [\n"
    "  model(studio) : \"World model\" : \"models/b.mdl\" : \"The \\\"model\\\" of it.\"\n"
    "  spawnflags(flags) = [ 1 : \"Start off\" : 0  2 : \"Solid\" : 1 [tag]\n 4 : \"Other\" : 0 ]\n"
    "  input Kill(void) : \"Removes it.\"\n"
    "  output OnUse(void) : \"When used.\"\n"
    "  kind[TAG](choices) readonly : \"Kind\" : 1 = [ 0 : \"Small\" \"two\" : \"Large\" ]\n"
    "]\n"
    "@PointClass base(prop_a) size(4) = prop_b []\n"
    "@PointClass studio() size(4 5 6) = prop_c [ model(studio) : \"M\" : \"models/c.mdl\" ]\n"
    "@SolidClass = func_d : \"D\" []\n"
    "@PointClass base(Loop) = Loop []\n"
    "@ExtendClass color(0 0 255) = prop_c [ extra(string) : \"E\" ]\n";

static void reads_fgd(void **state) {
    (void)state;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_definitions *d = read_text(fgd, issues);
    uint32_t count;
    (void)bsp_definitions_list(d, &count);
    assert_int_equal(count, 8);
    const bsp_entity_class *a = find(d, "PROP_A");
    assert_int_equal(a->kind, BSP_CLASS_POINT);
    assert_int_equal(a->line, 4);
    expect_text(a->help, "A prop");
    assert_int_equal(a->num_bases, 2);
    assert_int_equal(a->num_properties, 3);
    expect_text(a->properties[0].value, "models/b.mdl");
    expect_text(a->properties[0].help, "The \\\"model\\\" of it.");
    assert_int_equal(a->properties[1].num_choices, 3);
    assert_true(a->properties[1].choices[1].on);
    assert_false(a->properties[1].choices[2].on);
    expect_text(a->properties[2].key, "kind");
    expect_text(a->properties[2].choices[1].value, "two");
    float mins[3], maxs[3], color[3];
    assert_true(bsp_definitions_size(d, a, mins, maxs));
    assert_true(mins[0] == -8 && mins[2] == 0 && maxs[2] == 16);
    assert_true(bsp_definitions_color(d, a, color));
    assert_true(color[0] == 1 && color[2] == 0);
    assert_int_equal(find(d, "func_d")->kind, BSP_CLASS_BRUSH);
    expect_text(bsp_definitions_property(d, find(d, "prop_b"), "angles")->value, "0 90 0");
    assert_null(bsp_definitions_property(d, find(d, "Loop"), "angles")); // goes round
    assert_false(bsp_definitions_size(d, find(d, "Loop"), mins, maxs));
    const bsp_entity_class *c = find(d, "prop_c"); // extended
    assert_true(bsp_definitions_size(d, c, mins, maxs) && mins[2] == -6 && maxs[1] == 5);
    assert_true(bsp_definitions_color(d, c, color) && color[2] == 1);
    assert_non_null(bsp_definitions_property(d, c, "extra"));
    assert_non_null(bsp_definitions_property(d, c, "model"));
    // prop_b states a size of one number, which is none.
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 1);
    bsp_definitions_free(d);
    bsp_issues_free(issues);
}

static bsp_entities *entity_of(const char *text) {
    bsp_error error;
    bsp_entities *e = bsp_entities_parse(bsp_text_of(text), NULL, NULL, &error);
    assert_non_null(e);
    assert_int_equal(e->count, 1);
    return e;
}

typedef struct shown {
    const char *argument; // of model(...)
    const char *keys;     // of the entity
    const char *path;     // NULL: nothing
    unsigned skin;
    unsigned frame;
    float scale;
} shown;

// Each computed by hand.
static const shown shows[] = {
    {"\":progs/a.mdl\"", "", "progs/a.mdl", 0, 0, 1},
    {"{ \"path\": \"a.mdl\", \"skin\": 2, \"frame\": 3, \"scale\": 0.5 }", "", "a.mdl", 2, 3, 0.5F},
    {"{{ spawnflags & 2 -> \"c\", spawnflags & 1 -> \"b\", \"a\" }}", "\"spawnflags\" \"1\"", "b",
     0, 0, 1},
    {"{{ spawnflags & 2 -> \"c\", spawnflags & 1 -> \"b\", \"a\" }}", "\"spawnflags\" \"3\"", "c",
     0, 0, 1},
    {"{{ spawnflags & 2 -> \"c\", spawnflags & 1 -> \"b\", \"a\" }}", "", "a", 0, 0, 1},
    {"{{ spawnflags == 4 -> \"c\" }}", "", NULL, 0, 0, 1},
    {"{{ style == \"x\" -> {\"path\":\"c\",\"skin\":1}, {} }}", "\"style\" \"X\"", "c", 1, 0, 1},
    {"{{ style == \"x\" -> {\"path\":\"c\",\"skin\":1}, {} }}", "\"style\" \"y\"", NULL, 0, 0, 1},
    {"{ \"path\": model, \"skin\": skin, \"frame\": 1 + style * 2 }",
     "\"model\" \"m.md2\" \"skin\" \"7\" \"style\" \"4\"", "m.md2", 7, 9, 1},
    {"{ \"path\": model }", "\"model\" \"*3\"", NULL, 0, 0, 1},
    {"{ \"path\": \"a\", \"scale\": \"modelscale\" }", "\"modelscale\" \"2.5\"", "a", 0, 0, 2.5F},
    {"{ \"path\": \"a\", \"scale\": modelscale }", "\"modelscale\" \"0\"", "a", 0, 0, 1},
    {"{{ !(a || b) && c > 1 -> \"yes\", \"no\" }}", "\"c\" \"2\"", "yes", 0, 0, 1},
    {"{{ !(a || b) && c > 1 -> \"yes\", \"no\" }}", "\"c\" \"2\" \"b\" \"1\"", "no", 0, 0, 1},
    {"{{ a != 1 && 2 <= 2 -> 'q' }}", "\"a\" \"0\"", "q", 0, 0, 1},
    {"\"a\" 1 2", "", "a", 1, 2, 1},
    {"\"a\", \"b\" 3 size = 2, \"c\" size = \"big\"", "\"size\" \"2\"", "b", 3, 0, 1},
    {"\"a\", \"b\" 3 size = 2, \"c\" size = \"big\"", "\"size\" \"big\"", "c", 0, 0, 1},
    {"\"a\", \"b\" 3 size = 2, \"c\" size = \"big\"", "", "a", 0, 0, 1},
    {"{{ // a -> \"b\"\n \"http://c\" }}", "\"a\" \"1\"", "http://c", 0, 0, 1},
    {"{ \"path\": ", "", NULL, 0, 0, 1},
    {"{{{{{{", "", NULL, 0, 0, 1},
};

static void computes_models(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
        const shown *s = &shows[i];
        char text[512];
        snprintf(text, sizeof text, "@PointClass model(%s) = thing []", s->argument);
        bsp_definitions *d = read_text(text, NULL);
        snprintf(text, sizeof text, "{ \"classname\" \"thing\" %s }", s->keys);
        bsp_entities *e = entity_of(text);
        bsp_class_model model;
        bool has = bsp_definitions_model(d, &e->list[0], &model);
        if (has != (s->path != NULL)) {
            fail_msg("%s with %s: %s", s->argument, s->keys, has ? "shows" : "shows nothing");
        }
        if (has) {
            expect_text(model.path, s->path);
            assert_int_equal(model.skin, s->skin);
            assert_int_equal(model.frame, s->frame);
            assert_true(model.scale == s->scale);
        }
        bsp_entities_free(e);
        bsp_definitions_free(d);
    }
}

static void keys_show_models(void **state) {
    (void)state;
    bsp_definitions *d = read_text(fgd, NULL);
    bsp_class_model model;
    bsp_entities *e = entity_of("{ \"classname\" \"prop_c\" }");
    assert_true(bsp_definitions_model(d, &e->list[0], &model));
    expect_text(model.path, "models/c.mdl"); // what a new one has
    bsp_entities_free(e);
    e = entity_of("{ \"classname\" \"Prop_C\" \"model\" \"models/x.mdl\" }");
    assert_true(bsp_definitions_model(d, &e->list[0], &model));
    expect_text(model.path, "models/x.mdl");
    bsp_entities_free(e);
    e = entity_of("{ \"classname\" \"func_d\" \"model\" \"models/x.mdl\" }");
    assert_false(bsp_definitions_model(d, &e->list[0], &model));
    bsp_entities_free(e);
    bsp_definitions_free(d);
}

static void reads_def(void **state) {
    (void)state;
    bsp_definitions *d =
        read_text("junk /*QUAKED weapon_axe (0 .5 .8) (-16 -16 0) (16 16 32) SUSPENDED - SPIN\n"
                  "{ base(\"item\", \"thing\"); model(\":progs/g_axe.mdl\"); }\n"
                  "An axe.\n\"count\" how many\nmodel=\"models/never.md3\"\n*/\n"
                  "/*QUAKED func_wall (0 .5 .8) ? x NOT\nA wall.\n*/\n"
                  "/*QUAKED light (1 1 0) (-8 -8 -8) (8 8 8)\nmodel=\"models/l.md3\"\n",
                  NULL);
    const bsp_entity_class *axe = find(d, "weapon_axe");
    assert_true(axe->sized && axe->mins[0] == -16 && axe->maxs[2] == 32);
    assert_true(axe->colored && axe->color[1] == 0.5F);
    assert_int_equal(axe->num_bases, 2);
    expect_text(axe->bases[1], "thing");
    const bsp_class_property *flags = bsp_definitions_property(d, axe, "spawnflags");
    assert_int_equal(flags->num_choices, 2);
    expect_text(flags->choices[1].value, "4");
    expect_text(flags->choices[1].label, "SPIN");
    expect_text(bsp_definitions_property(d, axe, "count")->help, "how many");
    const bsp_entity_class *wall = find(d, "func_wall");
    assert_int_equal(wall->kind, BSP_CLASS_BRUSH);
    expect_text(bsp_definitions_property(d, wall, "spawnflags")->choices[0].value, "2");
    assert_int_equal(find(d, "light")->shows, BSP_CLASS_MODEL);
    expect_text(find(d, "light")->picture, "models/l.md3");
    bsp_definitions_free(d);
}

static void reads_ent(void **state) {
    (void)state;
    bsp_definitions *d = read_text(
        "<?xml version=\"1.0\"?>\n<classes><!-- <point name=\"no\"> -->\n"
        "<point name=\"item_a\" color=\".3 .3 1\" box=\"-16 -16 -8 16 16 8\" "
        "model='models/a.md3'>\n"
        "An item & more < than \"that\".\n<integer key=\"count\" name=\"Count\" value=\"5\">How "
        "many.</integer>\n"
        "<flag key=\"SUSPENDED\" name=\"Hangs\" bit=\"0\">In the air.</flag>\n"
        "<flag key=\"LATE\" name=\"Late\" bit=\"3\">x</flag>\n</point>\n"
        "<group name=\"func_b\" color=\"0 1 0\">B</group><point name=\"c\" />\n</classes>",
        NULL);
    uint32_t count;
    (void)bsp_definitions_list(d, &count);
    assert_int_equal(count, 3);
    const bsp_entity_class *a = find(d, "item_a");
    assert_true(a->sized && a->mins[2] == -8 && a->maxs[0] == 16);
    expect_text(a->picture, "models/a.md3");
    expect_text(bsp_definitions_property(d, a, "count")->value, "5");
    expect_text(bsp_definitions_property(d, a, "count")->help, "How many.");
    const bsp_class_property *flags = bsp_definitions_property(d, a, "spawnflags");
    assert_int_equal(flags->num_choices, 2);
    expect_text(flags->choices[1].value, "8");
    assert_int_equal(find(d, "func_b")->kind, BSP_CLASS_BRUSH);
    bsp_definitions_free(d);
}

// --- real games ---------------------------------------------------------------------------------

static char *read_file(const char *path) {
    bsp_blob blob;
    bsp_error error;
    if (!bsp_blob_read(path, NULL, NULL, &blob, &error)) {
        return NULL;
    }
    char *text = malloc(blob.size + 1);
    assert_non_null(text);
    memcpy(text, blob.data, blob.size);
    text[blob.size] = '\0';
    bsp_blob_free(&blob);
    return text;
}

// Returns the place of the next character that is no blank and in no comment.
static size_t next_character(bsp_text text, size_t at) {
    while (at < text.size) {
        if ((unsigned char)text.data[at] <= ' ') {
            at++;
        } else if (text.size - at > 1 && text.data[at] == '/' && text.data[at + 1] == '/' &&
                   (at == 0 || text.data[at - 1] != ':')) {
            const char *end = memchr(text.data + at, '\n', text.size - at);
            at = end == NULL ? text.size : (size_t)(end - text.data);
        } else {
            break;
        }
    }
    return at;
}

// The same but for blanks and comments.
static bool same_words(bsp_text a, bsp_text b) {
    size_t i = 0, j = 0;
    while (true) {
        i = next_character(a, i);
        j = next_character(b, j);
        if (i == a.size || j == b.size) {
            return i == a.size && j == b.size;
        }
        if (a.data[i++] != b.data[j++]) {
            return false;
        }
    }
}

typedef struct row {
    bsp_text cells[6]; // file, kind, class, helper, argument, base
} row;

static const char *cut_row(const char *line, row *out) {
    for (int c = 0; c < 6; c++) {
        size_t size = strcspn(line, "\t\n");
        out->cells[c] = (bsp_text){line, size};
        line += size + (line[size] == '\t' ? 1 : 0);
    }
    return line + (*line == '\n' ? 1 : 0);
}

static bsp_text without_quotes(bsp_text text) {
    return text.size >= 2 && text.data[0] == '"' ? (bsp_text){text.data + 1, text.size - 2} : text;
}

// Classes with two helpers, of which the other reader took the first: iconsprite("...") studio(),
// and studioprop() studio("...").
static bool has_two(const row *r) {
    static const char *const names[] = {"model_spawn", "weapon_striderbuster", "prop_glados_core"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (bsp_text_equal(r->cells[2], bsp_text_of(names[i]))) {
            return true;
        }
    }
    return false;
}

static bool agrees(const row *r, const bsp_entity_class *at) {
    if (has_two(r)) {
        return at->shows == BSP_CLASS_MODEL || at->shows == BSP_CLASS_MODEL_KEY;
    }
    bsp_text helper = r->cells[3], argument = r->cells[4];
    if (bsp_text_equal(helper, bsp_text_of("model"))) {
        return at->shows == BSP_CLASS_EXPRESSION && same_words(at->picture, argument);
    }
    bool sprite = bsp_text_equal(helper, bsp_text_of("sprite")) ||
                  bsp_text_equal(helper, bsp_text_of("iconsprite"));
    bsp_text path = without_quotes(argument);
    bsp_class_picture fixed = sprite ? BSP_CLASS_SPRITE : BSP_CLASS_MODEL;
    bsp_class_picture by_key = sprite ? BSP_CLASS_SPRITE_KEY : BSP_CLASS_MODEL_KEY;
    return at->shows == (path.size != 0 ? fixed : by_key) && same_words(at->picture, path);
}

static bsp_definitions *read_game(const char *folder, bsp_text file) {
    char path[1024], name[512];
    bsp_error error;
    snprintf(name, sizeof name, "%.*s", (int)file.size, file.data);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_file(path);
    assert_non_null(text);
    bsp_search *search = bsp_search_new(NULL, &error);
    assert_true(search != NULL && bsp_search_add(search, folder, &error));
    bsp_definitions *d = bsp_definitions_new(NULL, &error);
    assert_true(d != NULL && bsp_definitions_add(d, bsp_text_of(text), name, search, &error));
    bsp_search_free(search);
    free(text);
    return d;
}

static void shows_what_others_found(void **state) {
    (void)state;
    char folder[512], path[600];
    if (corpus_folder() == NULL) {
        print_message("no shared models: skipped\n");
        skip();
    }
    snprintf(folder, sizeof folder, "%s/../models/editor", corpus_folder());
    snprintf(path, sizeof path, "%s/CLASSMODELS.tsv", folder);
    char *table = read_file(path);
    if (table == NULL) {
        print_message("no shared models: skipped\n");
        skip();
    }
    row r;
    const char *at = cut_row(table, &r); // the heads of the columns
    bsp_text file = {NULL, 0};
    bsp_definitions *d = NULL;
    unsigned rows = 0, different = 0;
    while (*at != '\0') {
        at = cut_row(at, &r);
        if (!bsp_text_equal(file, r.cells[0])) {
            bsp_definitions_free(d);
            file = r.cells[0];
            d = read_game(folder, file);
        }
        const bsp_entity_class *named = bsp_definitions_find(d, r.cells[2]);
        const bsp_entity_class *says = named == NULL ? NULL : bsp_definitions_picture(d, named);
        rows++;
        if (says == NULL || !agrees(&r, says)) {
            different++;
            print_message(
                "%.*s %.*s: %.*s(%.*s)%s%.*s\n", (int)file.size, file.data, (int)r.cells[2].size,
                r.cells[2].data, (int)r.cells[3].size, r.cells[3].data, (int)r.cells[4].size,
                r.cells[4].data, says == NULL ? " shows nothing" : " is ",
                says == NULL ? 0 : (int)says->picture.size, says == NULL ? "" : says->picture.data);
        }
    }
    bsp_definitions_free(d);
    free(table);
    print_message("%u classes, %u different\n", rows, different);
    assert_true(rows > 1000);
    assert_int_equal(different, 0);
}

// Files that include others beside and below them, themselves, and one outside of the folder.
static void includes_files(void **state) {
    (void)state;
    static const struct {
        const char *host;
        bool whole; // the class of the file that is included is there
    } hosts[] = {{"parseInclude", true},
                 {"parseNestedInclude", true},
                 {"parseRecursiveInclude", false},
                 {"parseIncludeEscapingBasePath", false}};
    char folder[600], path[700];
    if (corpus_folder() == NULL) {
        print_message("no shared models: skipped\n");
        skip();
    }
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        snprintf(folder, sizeof folder, "%s/../models/editor/trenchbroom-tests/%s", corpus_folder(),
                 hosts[i].host);
        snprintf(path, sizeof path, "%s/host.fgd", folder);
        char *text = read_file(path);
        if (text == NULL) {
            print_message("no shared models: skipped\n");
            skip();
        }
        free(text);
        bsp_definitions *d = read_game(folder, bsp_text_of("host.fgd"));
        (void)find(d, "worldspawn");
        assert_true((bsp_definitions_find(d, bsp_text_of("info_player_start")) != NULL) ==
                    hosts[i].whole);
        bsp_definitions_free(d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_fgd),
        cmocka_unit_test(computes_models),
        cmocka_unit_test(keys_show_models),
        cmocka_unit_test(reads_def),
        cmocka_unit_test(reads_ent),
        cmocka_unit_test(includes_files),
        cmocka_unit_test(shows_what_others_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
