// SPDX-License-Identifier: MIT
// Models that are refused, damaged, or run out of memory; and what is printed of their records.
#include "support/model_samples.h"

static void formats_are_refused_by_name(void **state) {
    static const struct {
        const char *bytes;
        size_t size;
        bsp_code code;
        const char *says;
    } files[] = {
        {"ZYMOTICMODEL\0\0\0\1", 16, BSP_E_UNSUPPORTED, "Zymotic"},
        {"DARKPLACESMODEL\0\0\0\0\2", 20, BSP_E_UNSUPPORTED, "DPM"},
        {"IDPO\3\0\0\0", 8, BSP_E_UNSUPPORTED, "version 3 of a Quake model"},
        {"IDST\x35\0\0\0", 8, BSP_E_UNSUPPORTED, "version 53, a studio model of Titanfall 2,"},
        {"IDST\x25\0\0\0", 8, BSP_E_UNSUPPORTED, "version 37, a studio model from before"},
        {"IDST\x63\0\0\0", 8, BSP_E_UNSUPPORTED, "version 99, a studio model, is not read"},
        {"IDST", 4, BSP_E_UNSUPPORTED, "version 0, a studio model, is not read"},
        {"IDP2\x8\0\0\0", 8, BSP_E_DAMAGED, "its head alone has 68"},
        {"MZ\0\0", 4, BSP_E_FORMAT, "not a model"},
        {"", 0, BSP_E_FORMAT, "not a model"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bsp_bytes bytes = {(const uint8_t *)files[i].bytes, files[i].size};
        bsp_error error = {.code = BSP_OK};
        assert_null(bsp_model_file_open_memory(bytes, "x", NULL, &error));
        assert_int_equal(error.code, files[i].code);
        assert_non_null(strstr(error.message, files[i].says));
        assert_int_equal(bsp_model_detect(bytes), files[i].code != BSP_E_FORMAT);
    }
}

// Opens damaged bytes and makes everything of them, in an allocator that counts.
static void use(const uint8_t *data, size_t size) {
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_issues *issues = bsp_issues_new(NULL, 4);
    bsp_model_open_options options = {.allocator = &allocator, .issues = issues};
    bsp_error error = {.code = BSP_OK};
    bsp_model_file *file =
        bsp_model_file_open_memory((bsp_bytes){data, size}, "x", &options, &error);
    if (file != NULL) {
        assert_true(bsp_model_check(file, issues, &error));
        bsp_model_file_close(file);
    } else {
        assert_true(error.code != BSP_OK && error.message[0] != '\0');
    }
    bsp_issues_free(issues);
    assert_int_equal(meter.live, 0);
    assert_false(meter.wrong);
}

static void damage(const test_file *file, void *user) {
    static const uint32_t values[] = {0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x10000u, 1};
    uint32_t *files = user;
    uint8_t *copy = malloc(file->bytes.size + 1);
    assert_non_null(copy);
    for (size_t size = 0; size < file->bytes.size; size += size < 128 ? 1 : 7) {
        uint8_t *exact = malloc(size + 1); // reads beyond it are seen by the sanitizers
        assert_non_null(exact);
        memcpy(exact, file->bytes.data, size);
        use(exact, size);
        free(exact);
    }
    for (size_t at = 0; at + 4 <= file->bytes.size; at += 4) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            memcpy(copy, file->bytes.data, file->bytes.size);
            for (size_t b = 0; b < 4; b++) {
                copy[at + b] = (uint8_t)(values[v] >> 8 * b);
            }
            use(copy, file->bytes.size);
        }
    }
    free(copy);
    (*files)++;
}

static void damaged_files_are_survived(void **state) {
    (void)state;
    uint32_t files = 0;
    (void)for_each_file(BSP_TEST_SAMPLES "/models", "", damage, &files);
    assert_true(files >= 18);
}

// An index that leads nowhere has its place.
static void check_names_the_place(void **state) {
    (void)state;
    bsp_blob blob;
    assert_true(bsp_blob_read(SAMPLES "quake3/models/crate.md3", NULL, NULL, &blob, NULL));
    // header 108, two frames of 56, two tags of 112, a surface's head of 108: its first triangle.
    size_t at = 108 + 2 * 56 + 2 * 112 + 108;
    blob.data[at + 4] = 16; // there are vertices 0 to 15
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_model_open_options options = {.issues = issues};
    bsp_model_file *file =
        bsp_model_file_open_memory((bsp_bytes){blob.data, blob.size}, "x", &options, NULL);
    assert_true(bsp_model_check(file, issues, NULL));
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].kind->id, "index-out-of-range");
    assert_string_equal(list[0].place.lump, "triangles");
    assert_int_equal(list[0].place.record, 0);
    assert_int_equal(list[0].place.element, 1);
    assert_int_equal(list[0].place.offset, at + 4);
    bsp_model_file_close(file);
    bsp_issues_free(issues);
    bsp_blob_free(&blob);
}

// Fails the n-th request for memory until all succeed.
static void memory_may_end_anywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < CRATES; i++) {
        char path[1024];
        bool done = false;
        snprintf(path, sizeof path, SAMPLES "%s", crates[i].path);
        for (uint64_t n = 1; !done; n++) {
            test_meter meter = {.fail_at = n};
            bsp_allocator allocator = meter_allocator(&meter);
            bsp_model_open_options options = {.allocator = &allocator};
            bsp_error error = {.code = BSP_OK};
            bsp_model_asset *model = bsp_model_open_path(path, &options, &error);
            bsp_model_mesh *mesh = model == NULL ? NULL : bsp_model_mesh_build(model, NULL, &error);
            done = meter.requests < n;
            assert_true(mesh != NULL || error.code == BSP_E_MEMORY);
            bsp_model_mesh_free(mesh);
            bsp_model_close(model);
            assert_int_equal(meter.live, 0);
        }
    }
}

static void dump_is_json_of_all_records(void **state) {
    (void)state;
    test_sink sink = {0};
    bsp_json json;
    bsp_model_file *file = bsp_model_file_open(SAMPLES "quake2/models/crate/tris.md2", NULL, NULL);
    assert_non_null(file);
    bsp_json_begin(&json, test_sink_take, &sink);
    assert_true(bsp_model_dump_part_json(file, 0, &json, NULL));
    assert_true(bsp_json_flush(&json));
    assert_non_null(strstr(sink.data, "{\"header\":{\"ident\":\"IDP2\",\"version\":8,"));
    assert_non_null(strstr(sink.data, "\"skins\":[\"models/crate/skin.pcx\"]"));
    assert_non_null(strstr(sink.data, "\"name\":\"rest01\""));
    bsp_error error;
    assert_false(bsp_model_dump_part_json(file, 10000, &json, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    free(sink.data);
    bsp_model_file_close(file);
}

// By the renderers: Quake and GoldSrc turn models by -pitch; Quake 2 turns by -roll, and so do the
// games that took its renderer over; that of Heretic II does not undo the pitch, as Quake 2 does.
static void renderers_turn_some_angles_round(void **state) {
    (void)state;
    static const struct {
        const char *format;
        bool pitch;
        bool roll;
    } rows[] = {
        {"quake-mdl", true, false}, {"hexen2-mdl", true, false},  {"goldsrc-mdl", true, false},
        {"md2", false, true},       {"kingpin-mdx", false, true}, {"dkm", false, true},
        {"fm", true, true},         {"md3", false, false},        {"source-mdl", false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bsp_model_format *format = NULL;
        for (uint32_t n = 0; (format = bsp_model_format_at(n)) != NULL; n++) {
            if (strcmp(format->name, rows[i].format) == 0) {
                break;
            }
        }
        assert_non_null(format);
        assert_int_equal(format->pitch_negated, rows[i].pitch);
        assert_int_equal(format->roll_negated, rows[i].roll);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renderers_turn_some_angles_round),
        cmocka_unit_test(formats_are_refused_by_name),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(check_names_the_place),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(dump_is_json_of_all_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
