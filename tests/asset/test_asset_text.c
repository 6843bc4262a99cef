// SPDX-License-Identifier: MIT
// Texts: KeyValues, materials with patches, shader scripts; where they are wrong, and at which
// line.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/bspkit.h"
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

static void expect_text(bsp_text text, const char *wanted) {
    bsp_text other = bsp_text_of(wanted);
    assert_int_equal(text.size, other.size);
    assert_true(bsp_text_equal(text, other));
}

// --- KeyValues ----------------------------------------------------------------------------------

static void test_key_values(void **state) {
    (void)state;
    static const char text[] = "\"LightmappedGeneric\" // comment\n"
                               "{\n"
                               "  $basetexture \"a b/c\"\n"
                               "  \"$color\" [1 .5 0]\n"
                               "  $a 1 [$X360]\n"
                               "  $b 2 [!$X360]\n"
                               "  $c 3 [$X360||$WIN32]\n"
                               "  $d 4 [$PC&&$X360]\n"
                               "  Proxies [$X360]\n  { Sine { min 1 } }\n"
                               "  Other{inner\"value\"}\n"
                               "}\n";
    bsp_key_values *values = bsp_key_values_parse(bsp_text_of(text), NULL, NULL);
    assert_non_null(values);
    assert_int_equal(values->count, 7);
    expect_text(values->list[0].key, "LightmappedGeneric");
    assert_true(values->list[0].block);
    assert_int_equal(values->list[0].end, 7);
    expect_text(bsp_key_values_get(values, 0, "$BASETEXTURE"), "a b/c");
    expect_text(bsp_key_values_get(values, 0, "$color"), "[1 .5 0]");
    expect_text(bsp_key_values_get(values, 0, "$a"), "");
    expect_text(bsp_key_values_get(values, 0, "$b"), "2");
    expect_text(bsp_key_values_get(values, 0, "$c"), "3");
    expect_text(bsp_key_values_get(values, 0, "$d"), "");
    expect_text(bsp_key_values_get(values, 0, "inner"), "");
    expect_text(bsp_key_values_get(values, 5, "inner"), "value");
    bsp_key_values_free(values);
}

static void expect_issue(const char *text, bool shader, uint32_t line) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_text_options options = {.name = "file", .issues = issues};
    if (shader) {
        bsp_shaders_free(bsp_shaders_parse(bsp_text_of(text), &options, NULL));
    } else {
        bsp_key_values_free(bsp_key_values_parse(bsp_text_of(text), &options, NULL));
    }
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    if (line == 0) {
        assert_int_equal(count, 0);
    } else {
        assert_true(count >= 1);
        assert_string_equal(list[0].kind->id, "asset-syntax");
        assert_string_equal(list[0].place.lump, "file");
        assert_int_equal(list[0].place.record, line);
    }
    bsp_issues_free(issues);
}

static void test_key_value_issues(void **state) {
    (void)state;
    expect_issue("a { b c }", false, 0);
    expect_issue("a { b c", false, 1);
    expect_issue("a\n{\nb\n}", false, 3);
    expect_issue("a\n{\n\"b\" \"c\n}", false, 3);
    expect_issue("a {}\n}", false, 2);
    expect_issue("{}", false, 1);
}

// --- materials ----------------------------------------------------------------------------------

static void test_vmt(void **state) {
    (void)state;
    static const char text[] = "LightmappedGeneric { $basetexture x $translucent 1 $nocull 1 "
                               "$alphatest 1 $alpha .5 %compilewater 1 }";
    bsp_vmt *vmt = bsp_vmt_parse(bsp_text_of(text), NULL, NULL, NULL);
    assert_non_null(vmt);
    expect_text(vmt->base_texture, "x");
    assert_int_equal(vmt->alpha, BSP_ALPHA_BLEND);
    assert_true(vmt->opacity == 0.5F);
    assert_true(vmt->no_cull && vmt->water && !vmt->sky && !vmt->no_draw);
    assert_true(vmt->alpha_cut == 0.7F);
    bsp_vmt_free(vmt);
    bsp_error error;
    assert_null(bsp_vmt_parse(bsp_text_of("word"), NULL, NULL, &error));
    assert_int_equal(error.code, BSP_E_DAMAGED);
}

static size_t put_file(uint8_t *pak, size_t n, const char *name, const char *text, size_t at) {
    uint8_t *entry = pak + 12 + 64 * n;
    size_t size = strlen(text);
    memset(entry, 0, 64);
    memcpy(entry, name, strlen(name));
    for (size_t i = 0; i < 4; i++) {
        entry[56 + i] = (uint8_t)(at >> (8 * i));
        entry[60 + i] = (uint8_t)(size >> (8 * i));
    }
    memcpy(pak + at, text, size);
    return at + size;
}

static void test_patches(void **state) {
    (void)state;
    uint8_t pak[2048] = {'P', 'A', 'C', 'K', 12, 0, 0, 0, 192};
    size_t size = 12 + 192;
    size =
        put_file(pak, 0, "materials/base.vmt",
                 "UnlitGeneric { $basetexture old $envmap env_cubemap $surfaceprop wood }", size);
    size = put_file(pak, 1, "materials/patch.vmt",
                    "patch { include materials/Base.vmt replace { $envmap maps/m/c1 $none 1 } "
                    "insert { $basetexture new $alphatest 1 Proxies { a { b c } } } }",
                    size);
    size = put_file(pak, 2, "materials/ring.vmt", "patch { include materials/ring.vmt }", size);
    bsp_search *search = bsp_search_new(NULL, NULL);
    assert_true(bsp_search_add_memory(search, "pak", (bsp_bytes){pak, size}, NULL));
    bsp_vmt *vmt =
        bsp_vmt_parse(bsp_text_of("patch{include\"materials/patch.vmt\"}"), search, NULL, NULL);
    assert_non_null(vmt);
    expect_text(vmt->shader, "UnlitGeneric");
    expect_text(vmt->base_texture, "new");
    expect_text(bsp_vmt_get(vmt, "$envmap"), "maps/m/c1");
    expect_text(bsp_vmt_get(vmt, "$surfaceprop"), "wood");
    expect_text(bsp_vmt_get(vmt, "$none"), "");
    assert_int_equal(vmt->alpha, BSP_ALPHA_TEST);
    assert_int_equal(vmt->list[vmt->count - 3].end, vmt->count);
    bsp_vmt_free(vmt);
    bsp_error error;
    assert_null(
        bsp_vmt_parse(bsp_text_of("patch{include materials/ring.vmt}"), search, NULL, &error));
    assert_int_equal(error.code, BSP_E_DAMAGED);
    assert_null(bsp_vmt_parse(bsp_text_of("patch{include none.vmt}"), search, NULL, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_search_free(search);
}

// --- shaders ------------------------------------------------------------------------------------

static const char script[] = "/* two\nlines */ textures/a/water.tga\n"
                             "{\n"
                             "  surfaceparm water // wet\n"
                             "  surfaceparm trans\n"
                             "  cull disable\n"
                             "  qer_editorimage textures/a/editor.tga\n"
                             "  fogparms ( .5 .25 1 ) 300\n"
                             "  deformVertexes wave 100 sin 1 1 0 0.25\n"
                             "  {\n"
                             "    animMap 5 one.tga two.tga\n"
                             "    blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA\n"
                             "    alphaFunc GE128\n"
                             "    rgbGen wave sin 0 1 0 1\n"
                             "  }\n"
                             "  { map $lightmap\n blendfunc filter }\n"
                             "  { clampmap x.jpg\n tcGen environment }\n"
                             "}\n"
                             "textures/a/sky\n{\nskyparms env/box 512 -\nsurfaceparm nodraw\n}\n";

static void test_shaders(void **state) {
    (void)state;
    expect_issue(script, true, 0);
    bsp_shaders *shaders = bsp_shaders_parse(bsp_text_of(script), NULL, NULL);
    assert_int_equal(shaders->count, 2);
    const bsp_shader *water = bsp_shaders_find(shaders, bsp_text_of("TEXTURES/a/water"));
    assert_non_null(water);
    assert_int_equal(water->line, 2);
    assert_int_equal(water->cull, BSP_CULL_NONE);
    assert_int_equal(water->num_surface_parms, 2);
    expect_text(water->editor_image, "textures/a/editor.tga");
    assert_true(water->fog && water->fog_color[1] == 0.25F && water->fog_distance == 300);
    assert_int_equal(water->num_stages, 3);
    const bsp_shader_stage *stage = &water->stages[0];
    assert_int_equal(stage->num_images, 2);
    expect_text(stage->images[1], "two.tga");
    assert_true(stage->frequency == 5);
    assert_int_equal(stage->src, BSP_BLEND_SRC_ALPHA);
    assert_int_equal(stage->dst, BSP_BLEND_ONE_MINUS_SRC_ALPHA);
    assert_int_equal(stage->alpha_func, BSP_ALPHA_GE128);
    expect_text(stage->rgb_gen, "wave sin 0 1 0 1");
    expect_text(water->stages[1].images[0], "$lightmap");
    assert_int_equal(water->stages[1].src, BSP_BLEND_DST_COLOR);
    assert_true(water->stages[2].clamp && water->stages[2].environment);
    const bsp_shader *sky = &shaders->list[1];
    assert_true(sky->sky && sky->no_draw && sky->sky_height == 512);
    expect_text(sky->sky_box, "env/box");
    bsp_shaders_free(shaders);
}

static void test_shader_issues(void **state) {
    (void)state;
    expect_issue("a\n{\ncull sideways\n}", true, 3);
    expect_issue("a\n{\n{\nblendFunc GL_ONE\n}\n}", true, 4);
    expect_issue("a\n{\n{\nmap\n}\n}", true, 4);
    expect_issue("a\n{\n{\n", true, 3);
    expect_issue("a\n}\n", true, 2);
    expect_issue("a", true, 1);
    expect_issue("/* open", true, 1);
}

// Every cut of every text, and memory that ends.
static void test_cuts(void **state) {
    (void)state;
    bsp_shaders *whole = bsp_shaders_parse(bsp_text_of(script), NULL, NULL);
    assert_non_null(whole);
    for (size_t size = 1; size < sizeof script; size++) {
        char *copy = malloc(size); // no byte more, so that sanitizers see a read beyond
        memcpy(copy, script, size);
        bsp_text text = {copy, size};
        bsp_shaders *shaders = bsp_shaders_parse(text, NULL, NULL);
        bsp_key_values *keys = bsp_key_values_parse(text, NULL, NULL);
        bsp_error error = {0};
        bsp_vmt *vmt = bsp_vmt_parse(text, NULL, NULL, &error);
        assert_true(shaders != NULL && keys != NULL);
        assert_true(vmt != NULL || error.code == BSP_E_DAMAGED || error.code == BSP_E_FORMAT);
        assert_true(shaders->count <= whole->count);
        bsp_shaders_free(shaders);
        bsp_key_values_free(keys);
        bsp_vmt_free(vmt);
        free(copy);
    }
    bsp_shaders_free(whole);
}

static void test_memory_ends(void **state) {
    (void)state;
    bool refused = true;
    for (uint64_t n = 1; refused; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_text_options options = {.allocator = &allocator};
        bsp_shaders *shaders = bsp_shaders_parse(bsp_text_of(script), &options, NULL);
        bsp_vmt *vmt = bsp_vmt_parse(bsp_text_of("a { b c d { e f } }"), NULL, &options, NULL);
        refused = meter.requests >= n;
        assert_int_equal(shaders == NULL || vmt == NULL, refused);
        bsp_shaders_free(shaders);
        bsp_vmt_free(vmt);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_values), cmocka_unit_test(test_key_value_issues),
        cmocka_unit_test(test_vmt),        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_shaders),    cmocka_unit_test(test_shader_issues),
        cmocka_unit_test(test_cuts),       cmocka_unit_test(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
