// SPDX-License-Identifier: MIT
// What callers owe: indices in their ranges, by asserts or by an answer that finds nothing there;
// and what they need not ask before they free.
#include "bspkit/bspkit.h"
#include "bspkit/parts.h"
#include "support/contract.h"

#include <stdarg.h>

#include <setjmp.h>

#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof *(a))

static bsp_file *quake;
static bsp_map *lobby;
static bsp_parts taken;
static bsp_table table;
static uint8_t scratch[64];
static uint32_t numbers[4];
static const float point[3] = {0, 0, 64};

static void index_int(void *user) {
    (void)user;
    assert_int_equal(bsp_table_int(&table, table.count, 0, 0), 0);
}
static void index_field(void *user) {
    (void)user;
    assert_int_equal(bsp_table_int(&table, 0, table.layout->num_fields, 0), 0);
}
static void index_element(void *user) {
    (void)user;
    assert_int_equal(bsp_table_int(&table, 0, 0, table.layout->fields[0].count), 0);
}
static void index_float(void *user) {
    (void)user;
    assert_true(bsp_table_float(&table, BSP_NONE, 0, 0) == 0);
}
static void index_text(void *user) {
    (void)user;
    assert_int_equal(bsp_table_text(&table, BSP_NONE, 0).size, 0);
}
static void index_decode(void *user) {
    uint32_t untouched = 7;
    (void)user;
    bsp_table_decode(&table, BSP_NONE, BSP_U32, &untouched, 0);
    assert_int_equal(untouched, 7);
}
static void index_encode(void *user) {
    bsp_error error = {0};
    (void)user;
    assert_false(
        bsp_table_encode(table.layout, 1, false, BSP_NONE, BSP_U32, numbers, 4, scratch, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
}
static void index_offset(void *user) {
    (void)user;
    assert_int_equal(bsp_layout_offset(table.layout, BSP_NONE), table.layout->size);
}
static void index_part(void *user) {
    (void)user;
    assert_int_equal(bsp_parts_table(&taken, taken.count).count, 0);
}
static void index_surfedge(void *user) {
    (void)user;
    assert_int_equal(bsp_surfedge_vertex(lobby, lobby->num_surfedges), BSP_NONE);
}
static void index_surfedge_point(void *user) {
    (void)user;
    assert_null(bsp_surfedge_point(lobby, BSP_NONE));
}
static void index_document(void *user) {
    bsp_mapdoc document = {0};
    (void)user;
    assert_int_equal(bsp_mapdoc_value(&document, 0, "classname").size, 0);
}
static void index_kind(void *user) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_issue_kind other = {0};
    (void)user;
    assert_int_equal(bsp_issues_count_kind(issues, &other), 0);
    bsp_issues_free(issues);
}
static void index_names(void *user) {
    (void)user;
    assert_string_equal(bsp_type_name((bsp_type)99), "");
    assert_string_equal(bsp_role_name((bsp_role)99), "");
    assert_string_equal(bsp_kind_name((bsp_lump_kind)99), "");
    assert_string_equal(bsp_family_name((bsp_family)99), "");
    assert_string_equal(bsp_verified_name((bsp_verified)99), "");
    assert_string_equal(bsp_table_id_name((bsp_table_id)9999), "");
    assert_string_equal(bsp_dialect_name((bsp_dialect)99), "");
    assert_string_equal(bsp_asset_kind_name((bsp_asset_kind)99), "");
    assert_int_equal(bsp_light_size((bsp_light_format)99), 0);
}

static void test_indices(void **state) {
    (void)state;
    static void (*const calls[])(void *) = {
        index_int,  index_field,    index_element,        index_float,
        index_text, index_decode,   index_encode,         index_offset,
        index_part, index_surfedge, index_surfedge_point, index_document,
        index_kind, index_names,
    };
    quake = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    assert_non_null(quake);
    lobby = bsp_map_load(quake, NULL, NULL);
    assert_non_null(lobby);
    assert_true(bsp_file_table(quake, BSP_ID_PLANES, &taken, &table));
    for (size_t i = 0; i < LEN(calls); i++) {
        test_refused(calls[i], NULL);
    }
    bsp_parts_free(&taken);
    bsp_map_free(lobby);
    bsp_file_close(quake);
}

// Numbers for which the comment of a function says what they give are no broken contract.
static void test_indices_with_an_answer(void **state) {
    (void)state;
    bsp_error error = {0};
    bsp_blob blob = {0};
    bsp_pak pak = {0};
    float normal[3];
    float dist;
    quake = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    lobby = bsp_map_load(quake, NULL, NULL);
    assert_non_null(lobby);
    assert_int_equal(bsp_surface_material(lobby, BSP_NONE), BSP_NONE);
    assert_int_equal(bsp_surface_bits_of(lobby, lobby->num_faces), 0);
    assert_int_equal(bsp_surface_flags(lobby, lobby->num_faces), 0);
    assert_false(bsp_surface_plane(lobby, lobby->num_faces, normal, &dist));
    assert_int_equal(bsp_query_contents(lobby, lobby->num_models, point), 0);
    assert_int_equal(bsp_query_box_leaves(lobby, BSP_NONE, point, point, NULL, 0), 0);
    assert_int_equal(bsp_file_lump(quake, BSP_NONE)->size, 0);
    assert_int_equal(bsp_file_stored(quake, BSP_NONE).size, 0);
    assert_false(bsp_pak_read(&pak, 0, NULL, &blob, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_map_free(lobby);
    bsp_file_close(quake);
}

static void test_null_is_freed(void **state) {
    (void)state;
    bsp_search_free(NULL);
    bsp_image_free(NULL);
    bsp_key_values_free(NULL);
    bsp_vmt_free(NULL);
    bsp_shaders_free(NULL);
    bsp_textures_close(NULL);
    bsp_texture_free(NULL);
    bsp_reflection_free(NULL);
    bsp_sky_free(NULL);
    bsp_external_light_free(NULL);
    bsp_entity_diff_free(NULL);
    bsp_assets_free(NULL);
    bsp_blob_free(NULL);
    bsp_issues_free(NULL);
    bsp_budget_free(NULL);
    bsp_cubemaps_free(NULL);
    bsp_definitions_free(NULL);
    bsp_plan_free(NULL);
    bsp_rename_free(NULL);
    bsp_entities_free(NULL);
    bsp_where_free(NULL);
    bsp_entity_edit_free(NULL);
    bsp_lamps_free(NULL);
    bsp_file_close(NULL);
    bsp_hull_mesh_free(NULL);
    bsp_map_free(NULL);
    bsp_mapdoc_free(NULL);
    bsp_lightmap_free(NULL);
    bsp_mesh_free(NULL);
    bsp_brush_mesh_free(NULL);
    bsp_model_file_close(NULL);
    bsp_model_close(NULL);
    bsp_model_mesh_free(NULL);
    bsp_nav_free(NULL);
    bsp_pak_close(NULL);
    bsp_parts_free(NULL);
    bsp_physics_free(NULL);
    bsp_portals_free(NULL);
    bsp_leak_free(NULL);
    bsp_area_links_free(NULL);
    bsp_trace_index_free(NULL);
    bsp_relight_free(NULL);
    bsp_relight_changes_free(NULL);
    bsp_renderer_free(NULL);
    bsp_scene_links_free(NULL);
    bsp_scene_free(NULL);
    bsp_solids_free(NULL);
    bsp_vis_free(NULL);
    bsp_vis_leaves_free(NULL);
    bsp_vis_changes_free(NULL);
}

// Structs that a program made itself belong to it, and only look like those of the library.
static void test_own_structs_are_not_freed(void **state) {
    (void)state;
    bsp_image_free(&(bsp_image){0});
    bsp_key_values_free(&(bsp_key_values){0});
    bsp_vmt_free(&(bsp_vmt){0});
    bsp_shaders_free(&(bsp_shaders){0});
    bsp_texture_free(&(bsp_texture){0});
    bsp_reflection_free(&(bsp_reflection){0});
    bsp_sky_free(&(bsp_sky){0});
    bsp_external_light_free(&(bsp_external_light){0});
    bsp_entity_diff_free(&(bsp_entity_diff){0});
    bsp_assets_free(&(bsp_asset_list){0});
    bsp_blob_free(&(bsp_blob){0});
    bsp_cubemaps_free(&(bsp_cubemaps){0});
    bsp_rename_free(&(bsp_rename){0});
    bsp_entities_free(&(bsp_entities){0});
    bsp_entity_edit_free(&(bsp_entity_edit){0});
    bsp_lamps_free(&(bsp_lamps){0});
    bsp_hull_mesh_free(&(bsp_hull_mesh){0});
    bsp_map_free(&(bsp_map){0});
    bsp_mapdoc_free(&(bsp_mapdoc){0});
    bsp_lightmap_free(&(bsp_lightmap){0});
    bsp_mesh_free(&(bsp_mesh){0});
    bsp_brush_mesh_free(&(bsp_brush_mesh){0});
    bsp_model_mesh_free(&(bsp_model_mesh){0});
    bsp_nav_free(&(bsp_nav){0});
    bsp_pak_close(&(bsp_pak){0});
    bsp_parts_free(&(bsp_parts){0});
    bsp_physics_free(&(bsp_physics){0});
    bsp_portals_free(&(bsp_portals){0});
    bsp_leak_free(&(bsp_leak){0});
    bsp_area_links_free(&(bsp_area_links){0});
    bsp_relight_free(&(bsp_relight){0});
    bsp_relight_changes_free(&(bsp_relight_changes){0});
    bsp_scene_links_free(&(bsp_scene_links){0});
    bsp_scene_free(&(bsp_scene){0});
    bsp_vis_free(&(bsp_vis){0});
    bsp_vis_leaves_free(&(bsp_vis_leaves){0});
    bsp_vis_changes_free(&(bsp_vis_changes){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_indices_with_an_answer),
        cmocka_unit_test(test_null_is_freed),
        cmocka_unit_test(test_own_structs_are_not_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
