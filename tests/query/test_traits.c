// SPDX-License-Identifier: MIT
// A branch that is made of rows alone, with traits of two families: what is done follows the trait,
// not the family. Every branch of the tables has the traits that its records need.
#include "bspkit/asset.h"
#include "bspkit/mesh.h"
#include "bspkit/query.h"
#include "bspkit/render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Records of Quake 2, with names of contents, surfaces and eye of Quake 3.
static bsp_traits mixed_traits(void) {
    const bsp_traits *quake3 = bsp_branch_traits(bsp_branch_find("quake3"));
    bsp_traits traits = *bsp_branch_traits(bsp_branch_find("quake2"));
    traits.contents_names = quake3->contents_names;
    traits.surface = quake3->surface;
    traits.eye_height = quake3->eye_height;
    return traits;
}

static bsp_branch mixed_branch(const bsp_traits *traits) {
    return (bsp_branch){
        .name = "mixed", .family = BSP_QUAKE2, .base = bsp_branch_find("quake2"), .traits = traits};
}

static void test_names(void **state) {
    (void)state;
    bsp_traits traits = mixed_traits();
    bsp_branch mixed = mixed_branch(&traits);
    assert_ptr_equal(bsp_branch_traits(&mixed), &traits);
    assert_int_equal(bsp_query_flag(&mixed, bsp_text_of("jumppad")), 0x80000);
    assert_int_equal(bsp_query_flag(&mixed, bsp_text_of("ladder")), 0); // of Quake 2
    assert_int_equal(bsp_query_flag(mixed.base, bsp_text_of("ladder")), 0x20000000);
    assert_int_equal(bsp_query_flag(mixed.base, bsp_text_of("jumppad")), 0);
}

// Bit 8 is a liquid of Quake 2 as a flag, and of Quake 3 as contents of the material.
static void test_surfaces(void **state) {
    (void)state;
    bsp_traits traits = mixed_traits();
    bsp_branch mixed = mixed_branch(&traits);
    const bsp_face face = {.plane = BSP_NONE, .displacement = BSP_NONE};
    const bsp_texinfo texinfo = {.flags = 8};
    bsp_material material = {.name = bsp_text_of("x")};
    bsp_map map = {.branch = &mixed,
                   .traits = &traits,
                   .faces = &face,
                   .num_faces = 1,
                   .texinfos = &texinfo,
                   .num_texinfos = 1,
                   .materials = &material,
                   .num_materials = 1};
    assert_int_equal(bsp_surface_bits_of(&map, 0), 0);
    material.contents = 8;
    assert_int_equal(bsp_surface_bits_of(&map, 0), BSP_SURFACE_LIQUID);
    map.traits = bsp_branch_traits(mixed.base);
    material.contents = 0;
    assert_int_equal(bsp_surface_bits_of(&map, 0), BSP_SURFACE_LIQUID);
}

static void test_eye(void **state) {
    (void)state;
    bsp_traits traits = mixed_traits();
    bsp_branch mixed = mixed_branch(&traits);
    bsp_entities *entities =
        bsp_entities_parse(bsp_text_of("{\n\"classname\" \"info_player_start\"\n"
                                       "\"origin\" \"1 2 3\"\n}\n"),
                           NULL, NULL, NULL);
    assert_non_null(entities);
    bsp_map map = {.branch = &mixed, .traits = &traits, .entities = entities};
    bsp_view view = {0};
    bsp_view_start(&map, &view);
    assert_true(view.from[2] == 3 + 26);
    map.traits = bsp_branch_traits(mixed.base);
    bsp_view_start(&map, &view);
    assert_true(view.from[2] == 3 + 22);
    bsp_entities_free(entities);
}

// Without a start: from the corner of a room in solid, from outside of a box that lies in the open.
static void test_eye_without_start(void **state) {
    (void)state;
    const bsp_branch *quake = bsp_branch_find("quake");
    bsp_plane plane = {.normal = {0, 0, 1}, .type = 2};
    bsp_node node = {.children = {-2, -1}};
    bsp_leaf leaves[2] = {{.contents = -2}, {.contents = -2}};
    bsp_model model = {.mins = {-8, -8, -8}, .maxs = {8, 8, 8}};
    bsp_map map = {.branch = quake,
                   .traits = bsp_branch_traits(quake),
                   .planes = &plane,
                   .num_planes = 1,
                   .nodes = &node,
                   .num_nodes = 1,
                   .leaves = leaves,
                   .num_leaves = 2,
                   .models = &model,
                   .num_models = 1};
    bsp_view view = {0};
    bsp_view_start(&map, &view);
    assert_true(view.from[0] == -7 && view.from[1] == -7 && view.from[2] == 7);
    leaves[1].contents = -1;
    bsp_view_start(&map, &view);
    assert_true(view.from[0] == -17.5F && view.from[1] == -17.5F && view.from[2] == 17.5F);
}

// What a branch must say, whatever it is.
static void test_every_branch(void **state) {
    (void)state;
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        const bsp_traits *t = bsp_branch_traits(branch);
        assert_true(t->eye_height > 0);
        assert_int_equal(t->contents_numbers, t->contents_names == BSP_CONTENTS_NUMBERS);
        assert_int_equal(t->contents_numbers, t->decompile == BSP_DECOMPILE_TREE);
        assert_true(t->surface.names || t->surface.sky != 0);
        assert_true(t->surface.hidden != 0 || t->surface.names);
        assert_true(t->lights.spread != NULL || t->lights.falloff == BSP_FALLOFF_PHOTONS);
        assert_true(t->lights.spread_unit > 0);
        assert_int_equal(t->map_game == NULL, t->dialect == BSP_DIALECT_VMF);
        assert_true(t->texture_source != BSP_TEXTURES_WAL || t->palette_file != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_eye),          cmocka_unit_test(test_eye_without_start),
        cmocka_unit_test(test_every_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
