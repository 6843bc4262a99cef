// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/relight.h"

static const bsp_map_options all = {.parts = BSP_LOAD_ALL};

relit relit_open_game(const char *path, const char *game, const char *lights,
                      const bsp_relight_options *how) {
    relit l = {0};
    bsp_error error;
    bsp_relight_options options = how == NULL ? (bsp_relight_options){0} : *how;
    l.file = bsp_file_open(path, NULL, &error);
    assert_non_null(l.file);
    l.map = bsp_map_load(l.file, &all, &error);
    assert_non_null(l.map);
    if (lights != NULL) {
        l.lights = bsp_entities_parse(bsp_text_of(lights), NULL, NULL, &error);
        assert_non_null(l.lights);
    }
    options.lights = l.lights;
    if (game != NULL) {
        l.search = bsp_search_new(NULL, &error);
        assert_non_null(l.search);
        assert_true(bsp_search_add_game(l.search, game, &error));
        l.textures = bsp_textures_open(l.search, l.map, NULL, &error);
        assert_non_null(l.textures);
        options.textures = l.textures;
    }
    l.relight = bsp_relight_build(l.map, l.file, &options, &error);
    if (l.relight == NULL) {
        fail_msg("%s: %s", path, error.message);
    }
    return l;
}

relit relit_open(const char *path, const char *lights, const bsp_relight_options *how) {
    return relit_open_game(path, NULL, lights, how);
}

void relit_write(relit *l) {
    bsp_error error;
    bsp_relight_changes *changes = bsp_relight_lumps(l->relight, l->map, l->file, NULL, &error);
    assert_non_null(changes);
    bsp_plan *plan = bsp_file_plan(l->file, changes->changes, changes->num_changes, NULL, &error);
    assert_non_null(plan);
    assert_true(bsp_plan_make(plan, NULL, &l->blob, &error));
    l->written = bsp_file_open_memory((bsp_bytes){l->blob.data, l->blob.size}, NULL, &error);
    assert_non_null(l->written);
    l->written_map = bsp_map_load(l->written, &all, &error);
    assert_non_null(l->written_map);
    bsp_plan_free(plan);
    bsp_relight_changes_free(changes);
}

void relit_close(relit *l) {
    bsp_map_free(l->written_map);
    bsp_file_close(l->written);
    bsp_blob_free(&l->blob);
    bsp_relight_free(l->relight);
    bsp_entities_free(l->lights);
    bsp_textures_close(l->textures);
    bsp_search_free(l->search);
    bsp_map_free(l->map);
    bsp_file_close(l->file);
}

double relit_percent_within(const bsp_relight *relight, uint32_t steps) {
    bsp_relight_difference d;
    uint64_t count = 0;
    bsp_relight_compare(relight, &d);
    for (uint32_t i = 0; i <= steps; i++) {
        count += d.steps[i];
    }
    assert_true(d.num_luxels != 0);
    return 100 * (double)count / (double)d.num_luxels;
}
