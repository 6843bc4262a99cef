// SPDX-License-Identifier: MIT
// Suns that are no entities: where they shine and how strongly, worked out by hand.
#include "export/content.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846F

static void check_floats(const float *got, float x, float y, float z) {
    const float wanted[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(got[i] - wanted[i]) < 1e-5F);
    }
}

static void find(bspi_content *content, const bsp_pair *pairs, uint32_t count) {
    bsp_entity world = {.pairs = pairs, .num_pairs = count};
    bsp_entities entities = {.list = &world, .count = 1};
    bsp_branch branch = {.name = "quake", .family = BSP_QUAKE};
    bsp_map map = {.branch = &branch,
                   .traits = bsp_branch_traits(bsp_branch_find("quake")),
                   .entities = &entities};
    bsp_export_options options = {.scale = 1};
    memset(content, 0, sizeof *content);
    content->map = &map;
    content->options = &options;
    bspi_content_suns(content);
    content->map = NULL;
    content->options = NULL;
}

#define TEXT(word) ((bsp_text){word, sizeof word - 1})

// 128 shows a white surface as it is: pi lux. Yaw 90 is +Y, pitch -45 is half way down.
static void test_world(void **state) {
    (void)state;
    bspi_content content;
    const bsp_pair pairs[] = {{TEXT("_sunlight"), TEXT("128")},
                              {TEXT("_sun_mangle"), TEXT("90 -45 0")},
                              {TEXT("_sunlight_color"), TEXT("255 255 51")}};
    find(&content, pairs, 3);
    assert_int_equal(content.num_suns, 1);
    assert_int_equal(content.suns[0].kind, BSPI_LIGHT_SUN);
    assert_true(fabsf(content.suns[0].intensity - PI) < 1e-5F);
    check_floats(content.suns[0].direction, 0, sqrtf(0.5F), -sqrtf(0.5F));
    check_floats(content.suns[0].color, 1, 1, 0.2F);
    find(&content, pairs, 1); // straight down
    check_floats(content.suns[0].direction, 0, 0, -1);
    find(&content, pairs + 1, 2);
    assert_int_equal(content.num_suns, 0);
}

// A sun that stands at 30 degrees over +X shines towards -X and down. Two materials with the same
// sun have one.
static void test_shader(void **state) {
    (void)state;
    static const char script[] = "a\n{\nq3map_sun 2 1 0 100 0 30\n}\n"
                                 "b\n{\nsun 2 1 0 100 0 30\nq3map_sunExt 1 1 1 51 90 90 2 16\n}\n";
    uint8_t pak[12 + 64 + sizeof script] = {'P', 'A', 'C', 'K', 12, 0, 0, 0, 64};
    memcpy(pak + 12, "scripts/a.shader", 16);
    pak[12 + 56] = 12 + 64;
    pak[12 + 60] = sizeof script - 1;
    memcpy(pak + 12 + 64, script, sizeof script);
    bsp_search *search = bsp_search_new(NULL, NULL);
    assert_true(bsp_search_add_memory(search, "pak", (bsp_bytes){pak, sizeof pak}, NULL));
    const bsp_material materials[2] = {{.name = TEXT("a")}, {.name = TEXT("b")}};
    bsp_branch branch = {.name = "quake3", .family = BSP_QUAKE3};
    bsp_map map = {.branch = &branch,
                   .traits = bsp_branch_traits(bsp_branch_find("quake3")),
                   .materials = materials,
                   .num_materials = 2};
    bsp_textures *textures = bsp_textures_open(search, &map, NULL, NULL);
    assert_non_null(textures);
    bsp_export_options options = {.textures = textures};
    bspi_content content = {.map = &map, .options = &options};
    bspi_content_suns(&content);
    assert_int_equal(content.num_suns, 2);
    check_floats(content.suns[0].direction, -sqrtf(0.75F), 0, -0.5F);
    check_floats(content.suns[0].color, 1, 0.5F, 0);
    assert_true(fabsf(content.suns[0].intensity - 4 * PI * 100 / 255) < 1e-4F);
    check_floats(content.suns[1].direction, 0, 0, -1);
    assert_true(fabsf(content.suns[1].intensity - 4 * PI / 5) < 1e-5F);
    bsp_textures_close(textures);
    bsp_search_free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world),
        cmocka_unit_test(test_shader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
