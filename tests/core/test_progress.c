// SPDX-License-Identifier: MIT
// Reports of progress: a stage begins with 0, only grows and ends with its total; stopping at any
// report fails with the right code and gives every byte back; listening changes no byte of output.
#include "bspkit/bspkit.h"
#include "core/progress.h"
#include "support/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct listener {
    const char *stage;
    uint64_t done;
    uint64_t total;
    unsigned calls;
    unsigned stages;
    unsigned stop_at; // number of the call that says stop, from 1; 0: none
} listener;

static bool listen(void *user, const char *stage, uint64_t done, uint64_t total) {
    listener *l = user;
    if (l->stage == NULL || strcmp(l->stage, stage) != 0) {
        assert_true(l->done == l->total); // the one before came to its end
        assert_true(done == 0);
        l->stages++;
    } else {
        assert_true(done > l->done);
        assert_true(total == l->total);
    }
    assert_true(total != 0 && done <= total);
    l->stage = stage;
    l->done = done;
    l->total = total;
    return ++l->calls != l->stop_at;
}

// A hundred thousand steps are few reports, and the first and the last are among them.
static void test_thinned(void **state) {
    (void)state;
    static const uint64_t totals[] = {1, 2, 255, 256, 257, 100000};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        listener l = {0};
        bsp_progress to = {listen, &l};
        bspi_progress progress;
        assert_true(bspi_progress_begin(&progress, &to, "steps", totals[i], NULL));
        for (uint64_t s = 0; s < totals[i]; s++) {
            assert_true(bspi_progress_step(&progress, 1, NULL));
        }
        assert_true(l.done == totals[i]);
        assert_true(l.calls <= BSPI_PROGRESS_PARTS + 1);
    }
    bsp_progress nobody = {0};
    bspi_progress progress;
    assert_true(bspi_progress_begin(&progress, &nobody, "steps", 2, NULL));
    assert_true(bspi_progress_step(&progress, 5, NULL));
    assert_true(progress.done == 2);
}

typedef struct sum {
    uint64_t hash;
    size_t size;
} sum;

static bool take(void *user, const char *data, size_t size) {
    sum *s = user;
    for (size_t i = 0; i < size; i++) {
        s->hash = (s->hash ^ (unsigned char)data[i]) * 0x100000001B3u;
    }
    s->size += size;
    return true;
}

typedef struct loaded {
    bsp_file *file;
    bsp_map *map;
    bsp_textures *textures;
} loaded;

static void load(loaded *l) {
    l->file = bsp_file_open(BSP_TEST_SAMPLES "/quake/lobby.bsp", NULL, NULL);
    assert_non_null(l->file);
    l->map = bsp_map_load(l->file, NULL, NULL);
    assert_non_null(l->map);
    l->textures = bsp_textures_open(NULL, l->map, NULL, NULL);
    assert_non_null(l->textures);
}

static void unload(loaded *l) {
    bsp_textures_close(l->textures);
    bsp_map_free(l->map);
    bsp_file_close(l->file);
}

static bool export_once(const loaded *l, bsp_export_light light, listener *ear, sum *out) {
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_export_options options = {
        .file = l->file, .textures = l->textures, .light = light, .allocator = &allocator};
    bsp_error error = {0};
    if (ear != NULL) {
        options.progress = (bsp_progress){listen, ear};
    }
    bool done = bsp_export_glb(l->map, &options, take, out, NULL, &error);
    assert_int_equal(error.code, done ? BSP_OK : BSP_E_CANCELLED);
    assert_int_equal(meter.live, 0);
    assert_false(meter.wrong);
    return done;
}

static void test_export(void **state) {
    (void)state;
    static const bsp_export_light lights[] = {BSP_EXPORT_LIGHT_UV, BSP_EXPORT_LIGHT_BAKED};
    loaded l;
    load(&l);
    for (size_t i = 0; i < 2; i++) {
        sum silent = {0};
        sum heard = {0};
        listener ear = {0};
        assert_true(export_once(&l, lights[i], NULL, &silent));
        assert_true(export_once(&l, lights[i], &ear, &heard));
        assert_true(silent.hash == heard.hash && silent.size == heard.size);
        assert_int_equal(ear.stages, 2); // textures, pages of light
        assert_true(ear.done == ear.total);
        for (unsigned n = 1; n <= ear.calls; n++) {
            listener stopper = {.stop_at = n};
            assert_false(export_once(&l, lights[i], &stopper, &heard));
            assert_int_equal(stopper.calls, n);
        }
    }
    unload(&l);
}

static bsp_renderer *build_renderer(const loaded *l, listener *ear,
                                    const bsp_allocator *allocator) {
    bsp_error error = {0};
    bsp_renderer_options options = {.allocator = allocator, .progress = {listen, ear}};
    bsp_renderer *renderer = bsp_renderer_build(l->map, l->file, &options, &error);
    assert_int_equal(error.code, renderer != NULL ? BSP_OK : BSP_E_CANCELLED);
    return renderer;
}

static void test_renderer(void **state) {
    (void)state;
    loaded l;
    load(&l);
    listener ear = {0};
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_renderer *renderer = build_renderer(&l, &ear, &allocator);
    assert_non_null(renderer);
    bsp_renderer_free(renderer);
    assert_true(ear.done == ear.total && ear.total != 0 && ear.total <= l.map->num_materials);
    for (unsigned n = 1; n <= ear.calls; n++) {
        listener stopper = {.stop_at = n};
        assert_null(build_renderer(&l, &stopper, &allocator));
        assert_int_equal(stopper.calls, n);
        assert_int_equal(meter.live, 0);
    }
    assert_false(meter.wrong);
    unload(&l);
}

static bsp_mapdoc *decompile(const bsp_map *map, listener *ear, const bsp_allocator *allocator) {
    bsp_error error = {0};
    bsp_decompile_options options = {.allocator = allocator, .progress = {listen, ear}};
    bsp_mapdoc *source = bsp_decompile(map, &options, NULL, &error);
    assert_int_equal(error.code, source != NULL ? BSP_OK : BSP_E_CANCELLED);
    return source;
}

static void test_decompile(void **state) {
    (void)state;
    static const char *const maps[] = {"quake", "quake2", "quake3", "source"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char path[512];
        snprintf(path, sizeof path, BSP_TEST_SAMPLES "/%s/lobby.bsp", maps[i]);
        bsp_file *file = bsp_file_open(path, NULL, NULL);
        assert_non_null(file);
        bsp_map *map = bsp_map_load(file, NULL, NULL);
        assert_non_null(map);
        listener ear = {0};
        test_meter meter = {0};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_mapdoc_free(decompile(map, &ear, &allocator));
        assert_true(ear.done == ear.total && ear.stages == 1);
        for (unsigned n = 1; n <= ear.calls; n++) {
            listener stopper = {.stop_at = n};
            assert_null(decompile(map, &stopper, &allocator));
            assert_int_equal(stopper.calls, n);
            assert_int_equal(meter.live, 0);
        }
        assert_false(meter.wrong);
        bsp_map_free(map);
        bsp_file_close(file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thinned),
        cmocka_unit_test(test_export),
        cmocka_unit_test(test_renderer),
        cmocka_unit_test(test_decompile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
