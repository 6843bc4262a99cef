// SPDX-License-Identifier: MIT
// Every product that reads, edits, converts, compares or decompiles, row by row: without limits it
// succeeds and takes the same each time; with exactly what it took it succeeds; with less it fails
// with an error that names the limit, leaves nothing half made and no memory behind; and it can be
// stopped, before it begins or in the middle.
#include "bspkit/decompile.h"
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One run of a product.
typedef struct run {
    const char *path; // of the sample
    bsp_budget *budget;
    const bsp_allocator *allocator;
    uint32_t sum; // CRC-32 of what was made
    bsp_error error;
} run;

typedef bool product(run *r, const bsp_file *file);

// --- what is made -------------------------------------------------------------------------------

static bool add_bytes(void *user, const char *data, size_t size) {
    run *r = user;
    r->sum = bsp_crc32(r->sum, (bsp_bytes){(const uint8_t *)data, size});
    return true;
}

// A blob that was made, or, after a failure, must not be there.
static bool take(run *r, bool made, bsp_blob *blob) {
    if (made) {
        (void)add_bytes(r, (const char *)blob->data, blob->size);
        bsp_blob_free(blob);
    } else {
        assert_null(blob->data);
        assert_int_equal(blob->size, 0);
    }
    return made;
}

static bool take_plan(run *r, bsp_plan *plan) {
    bsp_blob blob;
    bool made = plan != NULL && bsp_plan_make(plan, r->allocator, &blob, &r->error);
    bool done =
        plan != NULL && take(r, made, &blob) && bsp_plan_write(plan, add_bytes, r, &r->error);
    bsp_plan_free(plan);
    return done;
}

static bsp_issues *issues_of(run *r) {
    bsp_issues *issues = bsp_issues_new(r->allocator, 0);
    assert_non_null(issues);
    return issues;
}

// --- products -----------------------------------------------------------------------------------

static bool checks(run *r, const bsp_file *file) {
    bsp_issues *issues = issues_of(r);
    bool done = bsp_check(file, issues, &r->error);
    size_t count;
    (void)bsp_issues_list(issues, &count);
    r->sum = (uint32_t)count + 1;
    bsp_issues_free(issues);
    return done;
}

static bool dumps(run *r, const bsp_file *file) {
    bool done = true;
    for (uint32_t n = 0; done && n < bsp_file_get_info(file)->num_lumps; n++) {
        bsp_json json;
        bsp_json_begin(&json, add_bytes, r);
        done = bsp_dump_json(file, n, &json, &r->error) && bsp_json_flush(&json);
    }
    return done;
}

static bool decompiles(run *r, const bsp_file *file) {
    bsp_map *map = bsp_map_load(file, &(bsp_map_options){.allocator = r->allocator}, &r->error);
    bsp_issues *issues = issues_of(r);
    bsp_decompile_options options = {.file = file, .issues = issues, .allocator = r->allocator};
    bsp_mapdoc *source = map == NULL ? NULL : bsp_decompile(map, &options, NULL, &r->error);
    bsp_mapdoc_write_options write = {.allocator = r->allocator, .budget = r->budget};
    bool done = source != NULL && bsp_mapdoc_write(source, map->traits->dialect, &write, add_bytes,
                                                   r, NULL, &r->error);
    bsp_mapdoc_free(source);
    bsp_issues_free(issues);
    bsp_map_free(map);
    return done;
}

static bool sets_keys(run *r, const bsp_file *file) {
    bsp_entities *entities = bsp_file_entities(file, NULL, &r->error);
    bsp_blob blob;
    if (entities == NULL) {
        return false;
    }
    bsp_entity_change *changes = calloc(entities->count, sizeof *changes);
    assert_non_null(changes);
    for (uint32_t i = 0; i < entities->count; i++) {
        changes[i] = (bsp_entity_change){.action = BSP_ENTITY_SET,
                                         .entity = i,
                                         .key = bsp_text_of("note"),
                                         .value = bsp_text_of("a value")};
    }
    bool made =
        bsp_entities_change(entities, changes, entities->count, r->allocator, &blob, &r->error);
    bool done = take(r, made, &blob);
    free(changes);
    bsp_entities_free(entities);
    return done;
}

static bool composes(run *r, const bsp_file *file) {
    bsp_entities *entities = bsp_file_entities(file, NULL, &r->error);
    bsp_blob blob;
    bsp_pair pair = {.key = bsp_text_of("classname"), .value = bsp_text_of("light")};
    const bsp_entity_source list[2] = {{.entity = 0},
                                       {.entity = BSP_NONE, .pairs = &pair, .num_pairs = 1}};
    bool done =
        entities != NULL &&
        take(r, bsp_entities_compose(entities, list, 2, r->allocator, &blob, &r->error), &blob);
    bsp_entities_free(entities);
    return done;
}

static bool replaces_lump(run *r, const bsp_file *file) {
    static const char text[] = "{\n\"classname\" \"worldspawn\"\n}\n";
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                              .data = {(const uint8_t *)text, sizeof text},
                              .version = BSP_NONE};
    return take_plan(r, bsp_file_plan(file, &change, 1, r->allocator, &r->error));
}

static bool takes_textures(run *r, const bsp_file *file) {
    bsp_blob blob;
    bsp_texture_change change = {.texture = 0};
    return take(r, bsp_textures_change(file, &change, 1, r->allocator, &blob, &r->error), &blob);
}

static bool writes_wad(run *r, const bsp_file *file) {
    bsp_map *map = bsp_map_load(file, &(bsp_map_options){.allocator = r->allocator}, &r->error);
    uint32_t count;
    bsp_blob blob;
    bool done =
        map != NULL && take(r, bsp_wad_write(map, r->allocator, &count, &blob, &r->error), &blob);
    bsp_map_free(map);
    return done;
}

static bool finds_assets(run *r, const bsp_file *file) {
    bsp_map *map = bsp_map_load(file, &(bsp_map_options){.allocator = r->allocator}, &r->error);
    bsp_asset_list *list =
        map == NULL ? NULL
                    : bsp_assets_find(map, NULL, &(bsp_assets_options){.allocator = r->allocator},
                                      &r->error);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        (void)add_bytes(r, list->list[i].name.data, list->list[i].name.size);
    }
    bool done = list != NULL;
    bsp_assets_free(list);
    bsp_map_free(map);
    return done;
}

static bool adds_files(run *r, const bsp_file *file) {
    static uint8_t bytes[40000];
    bsp_pak *pak = bsp_file_pak(file, NULL, &r->error);
    const bsp_pak_change changes[2] = {
        {.name = bsp_text_of("a.txt"), .data = {bytes, 20000}, .method = BSP_PAK_LZMA},
        {.name = bsp_text_of("b.txt"), .data = {bytes, 40000}, .method = BSP_PAK_DEFLATE}};
    bool done = pak != NULL && take_plan(r, bsp_pak_plan(pak, changes, 2, r->allocator, &r->error));
    bsp_pak_close(pak);
    return done;
}

static bool reads_files(run *r, const bsp_file *file) {
    bsp_pak *pak = bsp_file_pak(file, NULL, &r->error);
    bool done = pak != NULL;
    for (uint32_t i = 0; done && i < pak->count; i++) {
        bsp_blob blob;
        done = take(r, bsp_pak_read(pak, i, r->allocator, &blob, &r->error), &blob);
    }
    bsp_pak_close(pak);
    return done;
}

// There and back: what the first makes is opened with the same budget.
static bool packs(run *r, const bsp_file *file) {
    bsp_blob packed;
    if (!bsp_file_compress(file, true, r->allocator, &packed, &r->error)) {
        return take(r, false, &packed);
    }
    bsp_open_options options = {.allocator = r->allocator, .budget = r->budget};
    bsp_file *again =
        bsp_file_open_memory((bsp_bytes){packed.data, packed.size}, &options, &r->error);
    bool done = again != NULL &&
                take_plan(r, bsp_file_compress_plan(again, false, r->allocator, &r->error));
    bsp_file_close(again);
    bsp_blob_free(&packed);
    return done;
}

static bool turns(run *r, const bsp_file *file) {
    bsp_convert_options options = {.lossy = true, .allocator = r->allocator};
    bsp_blob blob;
    return take(r, bsp_file_reorder(file, true, &options, &blob, &r->error), &blob);
}

static bool converts(run *r, const bsp_file *file, const char *target) {
    bsp_convert_options options = {.lossy = true, .allocator = r->allocator};
    bsp_blob blob;
    return take(r, bsp_file_convert(file, bsp_branch_find(target), &options, &blob, &r->error),
                &blob);
}

static bool to_bsp2(run *r, const bsp_file *file) {
    return converts(r, file, "bsp2");
}

static bool to_qbism(run *r, const bsp_file *file) {
    return converts(r, file, "qbism");
}

static bool to_left4dead2(run *r, const bsp_file *file) {
    return converts(r, file, "left4dead2");
}

static void hear(void *user, const bsp_difference *difference) {
    run *r = user;
    (void)add_bytes(r, difference->part, strlen(difference->part));
    (void)add_bytes(r, difference->after.data, difference->after.size);
}

// Against the other sample of the family.
static bool differs_from(run *r, const bsp_file *file, const char *other_path) {
    bsp_open_options options = {.allocator = r->allocator, .budget = r->budget};
    bsp_file *other = bsp_file_open(other_path, &options, &r->error);
    bool done = other != NULL && bsp_file_diff(file, other, hear, r, r->allocator, &r->error);
    bsp_file_close(other);
    return done;
}

static bool differs_quake(run *r, const bsp_file *file) {
    return differs_from(r, file, BSP_TEST_SAMPLES "/goldsrc/lobby.bsp");
}

static bool differs_source(run *r, const bsp_file *file) {
    return differs_from(r, file, BSP_TEST_SAMPLES "/source/lobby_19.bsp");
}

// --- the table ----------------------------------------------------------------------------------

#define QUAKE BSP_TEST_SAMPLES "/quake/lobby.bsp"
#define GOLDSRC BSP_TEST_SAMPLES "/goldsrc/lobby_embed.bsp"
#define QUAKE2 BSP_TEST_SAMPLES "/quake2/lobby.bsp"
#define QUAKE3 BSP_TEST_SAMPLES "/quake3/lobby.bsp"
#define SOURCE BSP_TEST_SAMPLES "/source/lobby.bsp"

static const struct row {
    const char *name;
    const char *path;
    product *make;
    bsp_product pays; // whose default limits it counts with, beside the file's
} rows[] = {
    {"check", QUAKE, checks, BSP_PRODUCT_FILE},
    {"check", QUAKE3, checks, BSP_PRODUCT_FILE},
    {"check", SOURCE, checks, BSP_PRODUCT_FILE},
    {"dump", QUAKE2, dumps, BSP_PRODUCT_FILE},
    {"decompile", QUAKE, decompiles, BSP_PRODUCT_DECOMPILE},
    {"decompile", BSP_TEST_SAMPLES "/quake/lobby_bspx.bsp", decompiles, BSP_PRODUCT_DECOMPILE},
    {"decompile", QUAKE2, decompiles, BSP_PRODUCT_DECOMPILE},
    {"decompile", QUAKE3, decompiles, BSP_PRODUCT_DECOMPILE},
    {"decompile", SOURCE, decompiles, BSP_PRODUCT_DECOMPILE},
    {"entities --set", SOURCE, sets_keys, BSP_PRODUCT_EDIT},
    {"entities --import", QUAKE, composes, BSP_PRODUCT_EDIT},
    {"lump replace", SOURCE, replaces_lump, BSP_PRODUCT_EDIT},
    {"textures", GOLDSRC, takes_textures, BSP_PRODUCT_EDIT},
    {"wad", GOLDSRC, writes_wad, BSP_PRODUCT_EDIT},
    {"assets", SOURCE, finds_assets, BSP_PRODUCT_EDIT},
    {"pak add", SOURCE, adds_files, BSP_PRODUCT_EDIT},
    {"pak extract", SOURCE, reads_files, BSP_PRODUCT_FILE},
    {"convert --compress", SOURCE, packs, BSP_PRODUCT_EDIT},
    {"convert --endian", SOURCE, turns, BSP_PRODUCT_CONVERT},
    {"convert --to", QUAKE, to_bsp2, BSP_PRODUCT_CONVERT},
    {"convert --to", QUAKE2, to_qbism, BSP_PRODUCT_CONVERT},
    {"convert --to", SOURCE, to_left4dead2, BSP_PRODUCT_CONVERT},
    {"diff", QUAKE, differs_quake, BSP_PRODUCT_DIFF},
    {"diff", SOURCE, differs_source, BSP_PRODUCT_DIFF},
};
#define NUM_ROWS (sizeof rows / sizeof *rows)

// An allocator that stops the budget at a request.
typedef struct stopper {
    bsp_allocator under;
    bsp_budget *budget;
    uint64_t left; // requests until then; 0: never
} stopper;

static void *stop_or_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    stopper *s = user;
    if (new_size != 0 && s->left != 0 && --s->left == 0) {
        bsp_budget_stop(s->budget);
    }
    return s->under.resize(s->under.user, memory, old_size, new_size);
}

// What a run is given, and what became of it.
typedef struct outcome {
    bool done;
    bsp_error error;
    bsp_limits used;
    bsp_limits share;
    uint32_t sum;
    uint64_t requests;
} outcome;

static outcome drive(const struct row *row, const bsp_limits *limits, uint64_t stop_at) {
    test_meter meter = {0};
    stopper s = {.under = meter_allocator(&meter), .left = stop_at};
    const bsp_allocator allocator = {stop_or_resize, &s};
    run r = {.path = row->path, .allocator = &allocator};
    r.budget = s.budget = bsp_budget_new(limits, NULL);
    assert_non_null(r.budget);
    bsp_open_options options = {.allocator = &allocator, .budget = r.budget};
    bsp_file *file = bsp_file_open(row->path, &options, &r.error);
    bool done = file != NULL && row->make(&r, file);
    bsp_file_close(file);
    outcome o = {
        done,  r.error,       bsp_budget_used(r.budget), bsp_budget_share(r.budget, row->pays),
        r.sum, meter.requests};
    bsp_budget_free(r.budget);
    if (meter.live != 0 || meter.wrong) {
        fail_msg("%s %s: %zu bytes are left, or were given back wrongly", row->name, row->path,
                 meter.live);
    }
    return o;
}

static void expect_refused(const struct row *row, bsp_limits limits, const char *what) {
    outcome o = drive(row, &limits, 0);
    if (o.done || o.error.code != BSP_E_LIMIT || strstr(o.error.message, what) == NULL) {
        fail_msg("%s %s: %s with limits of %llu bytes and %llu steps: %s", row->name, row->path,
                 o.done ? "done" : "failed", (unsigned long long)limits.memory,
                 (unsigned long long)limits.work, o.done ? "" : o.error.message);
    }
}

static outcome expect_done(const struct row *row, const bsp_limits *limits) {
    outcome o = drive(row, limits, 0);
    if (!o.done) {
        fail_msg("%s %s: %s", row->name, row->path, o.error.message);
    }
    return o;
}

static void test_what_it_takes_is_enough(void **state) {
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        outcome first = expect_done(&rows[i], NULL);
        outcome again = expect_done(&rows[i], NULL);
        assert_int_equal(first.used.work, again.used.work);
        assert_int_equal(first.used.memory, again.used.memory);
        assert_int_equal(first.sum, again.sum);
        if (first.used.work == 0 || first.used.memory == 0 || first.sum == 0) {
            fail_msg("%s %s: counts nothing", rows[i].name, rows[i].path);
        }
        bsp_limits exact = {.memory = first.used.memory, .work = first.used.work};
        assert_int_equal(expect_done(&rows[i], &exact).sum, first.sum);
    }
}

static void test_less_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        bsp_limits used = expect_done(&rows[i], NULL).used;
        const uint64_t work[] = {1, used.work / 4, used.work / 2, used.work - 1};
        const uint64_t memory[] = {1, used.memory / 4, used.memory / 2, used.memory - 1};
        for (size_t k = 0; k < 4; k++) {
            if (work[k] != 0 && work[k] < used.work) {
                expect_refused(&rows[i], (bsp_limits){.work = work[k]}, "the work limit of");
            }
            expect_refused(&rows[i], (bsp_limits){.memory = memory[k]}, "the memory limit of");
        }
    }
}

// Stopped before it begins, and at several places of its way.
static void test_stopped(void **state) {
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        uint64_t requests = expect_done(&rows[i], NULL).requests;
        for (uint64_t k = 0; k < 4; k++) {
            outcome o = drive(&rows[i], NULL, 1 + requests * k / 5);
            if (o.done || o.error.code != BSP_E_CANCELLED) {
                fail_msg("%s %s: stopped at request %llu of %llu: %s", rows[i].name, rows[i].path,
                         (unsigned long long)(1 + requests * k / 5), (unsigned long long)requests,
                         o.done ? "done" : o.error.message);
            }
        }
    }
}

// The samples are small: no product comes near to its default limits.
static void test_defaults_are_wide(void **state) {
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        outcome o = expect_done(&rows[i], NULL);
        assert_true(o.share.memory < 250 && o.share.work < 250);
        assert_true(bsp_product_get_limits(rows[i].pays)->floor.work != BSP_NO_LIMIT);
    }
}

// What the sinks of the library send counts as output, once, and nothing is sent of a plan that is
// too big.
static void test_sinks_count(void **state) {
    (void)state;
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    bsp_open_options options = {.budget = budget};
    bsp_error error = {0};
    run r = {.budget = budget};
    bsp_file *file = bsp_file_open(SOURCE, &options, NULL);
    assert_non_null(file);
    bsp_plan *plan = bsp_file_plan(file, NULL, 0, NULL, NULL);
    assert_non_null(plan);
    assert_ptr_equal(bsp_plan_budget(plan), budget);
    assert_int_equal(bsp_budget_used(budget).output_bytes, 0);
    assert_true(bsp_plan_write(plan, add_bytes, &r, &error));
    assert_int_equal(bsp_budget_used(budget).output_bytes, bsp_plan_size(plan));
    bsp_plan_free(plan);
    bsp_file_close(file);
    bsp_budget_free(budget);

    bsp_limits limits = {.output_bytes = 1000};
    options.budget = bsp_budget_new(&limits, NULL);
    file = bsp_file_open(SOURCE, &options, NULL);
    assert_non_null(file);
    plan = bsp_file_plan(file, NULL, 0, NULL, NULL);
    assert_non_null(plan);
    r.sum = 0;
    assert_false(bsp_plan_write(plan, add_bytes, &r, &error));
    assert_int_equal(error.code, BSP_E_LIMIT);
    assert_non_null(strstr(error.message, "the output limit of 1000 bytes"));
    assert_int_equal(r.sum, 0);
    bsp_plan_free(plan);
    r = (run){.budget = options.budget};
    assert_false(decompiles(&r, file));
    assert_int_equal(r.error.code, BSP_E_LIMIT);
    assert_non_null(strstr(r.error.message, "the output limit of 1000 bytes"));
    bsp_file_close(file);
    bsp_budget_free(options.budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_takes_is_enough),
        cmocka_unit_test(test_less_is_refused),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_defaults_are_wide),
        cmocka_unit_test(test_sinks_count),
    };
    return cmocka_run_group_tests_name("budget_edits", tests, NULL, NULL);
}
