// SPDX-License-Identifier: MIT
// Options: zeros and NULL mean defaults, an older and shorter struct is taken, and what was never
// set is refused.
#include "bspkit/bspkit.h"
#include "bspkit/decompile.h"
#include "core/options.h"
#include "support/contract.h"

#include <stdarg.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

typedef struct sample_options {
    size_t size;
    uint32_t old;
    uint32_t added; ///< by a later version
} sample_options;

#define OLDEST offsetof(sample_options, added)

static void test_null_and_zeros_are_defaults(void **state) {
    (void)state;
    static const sample_options zeros;
    sample_options out = {1, 2, 3};
    assert_true(bspi_take_options(&out, sizeof out, OLDEST, NULL, NULL));
    assert_int_equal(out.size, sizeof out);
    assert_int_equal(out.old, 0);
    assert_int_equal(out.added, 0);
    out = (sample_options){1, 2, 3};
    assert_true(bspi_take_options(&out, sizeof out, OLDEST, &zeros, NULL));
    assert_int_equal(out.size, sizeof out);
    assert_int_equal(out.added, 0);
}

static void test_size_of_this_version(void **state) {
    (void)state;
    sample_options given = BSP_OPTIONS(sample_options);
    given.old = 7;
    given.added = 8;
    sample_options out;
    assert_true(BSPI_TAKE_OPTIONS(out, &given, NULL));
    assert_memory_equal(&out, &given, sizeof out);
    given.size = 0;
    assert_true(BSPI_TAKE_OPTIONS(out, &given, NULL));
    assert_int_equal(out.added, 8);
}

// The bytes after an older struct are the caller's own, and are not read as options.
static void test_older_struct_is_taken(void **state) {
    (void)state;
    sample_options given = {.size = OLDEST, .old = 7, .added = 0xEEEEEEEE};
    sample_options out;
    assert_true(bspi_take_options(&out, sizeof out, OLDEST, &given, NULL));
    assert_int_equal(out.size, sizeof out);
    assert_int_equal(out.old, 7);
    assert_int_equal(out.added, 0);
}

static void refuse_size(void *user) {
    sample_options given = {.size = *(size_t *)user};
    sample_options out;
    bsp_error error = {0};
    assert_false(bspi_take_options(&out, sizeof out, OLDEST, &given, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not initialised"));
}

static void test_other_sizes_are_refused(void **state) {
    (void)state;
    size_t sizes[] = {1, OLDEST - 1, sizeof(sample_options) + 1, SIZE_MAX,
                      (size_t)0xAAAAAAAAAAAAAAAA};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_refused(refuse_size, &sizes[i]);
    }
}

// --- the calls that take options ----------------------------------------------------------------

#define LEN(a) (sizeof(a) / sizeof *(a))

static bool sink(void *user, const char *data, size_t size) {
    (void)user, (void)data, (void)size;
    return true;
}

// What is asked is refused before anything else of the call is looked at.
static const bsp_bytes no_bytes = {NULL, 0};
static const bsp_text no_text = {NULL, 0};
static bsp_map map;
static bsp_mapdoc document;
static bsp_file *file;
static bsp_search *folders;
static bsp_renderer *picture;
static const bsp_view view = {.width = 4, .height = 4, .top = true};

#define CALL(name, type, result)                                                                   \
    static bool name(const void *unset, bsp_error *error) {                                        \
        const type *options = unset;                                                               \
        bsp_blob blob;                                                                             \
        bsp_image image;                                                                           \
        (void)blob, (void)image;                                                                   \
        return (result) != 0;                                                                      \
    }
CALL(open_path, bsp_open_options, bsp_file_open("", options, error) != NULL)
CALL(open_memory, bsp_open_options, bsp_file_open_memory(no_bytes, options, error) != NULL)
CALL(open_member, bsp_open_options, bsp_file_open_member(folders, no_text, options, error) != NULL)
CALL(load, bsp_map_options, bsp_map_load(file, options, error) != NULL)
CALL(write_map, bsp_write_options, bsp_map_write(&map, bsp_branch_at(0), options, &blob, error))
CALL(search, bsp_search_options, bsp_search_new(options, error) != NULL)
CALL(decode, bsp_image_options, bsp_image_decode(no_bytes, BSP_IMAGE_PNG, options, &image, error))
CALL(keys, bsp_text_options, bsp_key_values_parse(no_text, options, error) != NULL)
CALL(vmt, bsp_text_options, bsp_vmt_parse(no_text, NULL, options, error) != NULL)
CALL(shaders, bsp_text_options, bsp_shaders_parse(no_text, options, error) != NULL)
CALL(textures, bsp_textures_options, bsp_textures_open(NULL, &map, options, error) != NULL)
CALL(lightmap, bsp_lightmap_options, bsp_lightmap_build(&map, NULL, options, error) != NULL)
CALL(mesh, bsp_mesh_options, bsp_mesh_build(&map, options, error) != NULL)
CALL(brushes, bsp_brush_mesh_options, bsp_brush_mesh_build(&map, options, error) != NULL)
CALL(physics, bsp_physics_options, bsp_physics_build(&map, file, options, error) != NULL)
CALL(trace, bsp_trace_options, bsp_trace_index_new(&map, options, error) != NULL)
CALL(decompile, bsp_decompile_options, bsp_decompile(&map, options, NULL, error) != NULL)
CALL(convert, bsp_convert_options, bsp_file_convert(file, bsp_branch_at(0), options, &blob, error))
CALL(reorder, bsp_convert_options, bsp_file_reorder(file, true, options, &blob, error))
CALL(glb, bsp_export_options, bsp_export_glb(&map, options, sink, NULL, NULL, error))
CALL(gltf, bsp_export_options, bsp_export_gltf(&map, options, sink, NULL, NULL, error))
CALL(obj, bsp_export_options, bsp_export_obj(&map, options, sink, NULL, NULL, error))
CALL(scene, bsp_scene_options, bsp_scene_build(&map, options, error) != NULL)
CALL(renderer, bsp_renderer_options, bsp_renderer_build(&map, NULL, options, error) != NULL)
CALL(draw, bsp_draw_options, bsp_renderer_draw(picture, &view, options, &image, NULL, error))
CALL(read_document, bsp_mapdoc_options, bsp_mapdoc_read(no_text, options, error) != NULL)
CALL(write_document, bsp_mapdoc_write_options,
     bsp_mapdoc_write(&document, BSP_DIALECT_VMF, options, sink, NULL, NULL, error))

static bool (*const calls[])(const void *unset, bsp_error *error) = {
    open_path, open_memory,   open_member,    load,     write_map, search,  decode,  keys,
    vmt,       shaders,       textures,       lightmap, mesh,      brushes, physics, trace,
    decompile, convert,       reorder,        glb,      gltf,      obj,     scene,   renderer,
    draw,      read_document, write_document,
};

static void refuse_unset(void *user) {
    // As a variable that was never set may look; larger than any struct of options.
    _Alignas(max_align_t) uint8_t unset[1024];
    memset(unset, 0xA5, sizeof unset);
    bsp_error error = {0};
    assert_false(calls[*(size_t *)user](unset, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not initialised"));
}

static void test_no_call_takes_what_was_never_set(void **state) {
    (void)state;
    bsp_error error;
    file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, &error);
    assert_non_null(file);
    folders = bsp_search_new(NULL, &error);
    bsp_map *loaded = bsp_map_load(file, NULL, &error);
    assert_non_null(loaded);
    picture = bsp_renderer_build(loaded, file, NULL, &error);
    assert_non_null(picture);
    map.branch = bsp_branch_at(0);
    map.traits = bsp_branch_traits(map.branch);
    for (size_t i = 0; i < LEN(calls); i++) {
        test_refused(refuse_unset, &i);
    }
    bsp_search_free(folders);
    bsp_renderer_free(picture);
    bsp_map_free(loaded);
    bsp_file_close(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_and_zeros_are_defaults),
        cmocka_unit_test(test_size_of_this_version),
        cmocka_unit_test(test_older_struct_is_taken),
        cmocka_unit_test(test_other_sizes_are_refused),
        cmocka_unit_test(test_no_call_takes_what_was_never_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
