// SPDX-License-Identifier: MIT
// The models of ../shared/models: each opens, and has as many vertices and triangles as an
// independent parser counted (COUNTS.tsv); invalid ones are refused. Formats that the library reads
// are told by the file's bytes, never by the list.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER BSP_TEST_SHARED "/models/"

/// A line of the list.
typedef struct row {
    char path[512];
    char format[64];
    long vertices; // -1: not said
    long triangles;
} row;

static long number_of(const char *text) {
    return *text == '\0' ? -1 : strtol(text, NULL, 10);
}

static bool read_row(FILE *list, row *out) {
    char line[8192];
    char *columns[5] = {0};
    if (fgets(line, sizeof line, list) == NULL) {
        return false;
    }
    char *at = line;
    for (int i = 0; i < 5 && at != NULL; i++) {
        char *end = strchr(at, '\t');
        columns[i] = at;
        if (end != NULL) {
            *end++ = '\0';
        }
        at = end;
    }
    assert_non_null(columns[4]);
    snprintf(out->path, sizeof out->path, FOLDER "%s", columns[0]);
    snprintf(out->format, sizeof out->format, "%s", columns[1]);
    out->vertices = number_of(columns[3]);
    out->triangles = number_of(columns[4]);
    return true;
}

/// Formats of the list, and the name of the library's.
static const char *const formats[][2] = {
    {"quake-mdl", "quake-mdl"},
    {"md2", "md2"},
    {"md3", "md3"},
    {"iqm", "iqm"},
};

/// How many models there are, and how many are turned inside out.
typedef struct totals {
    uint32_t opened;
    uint32_t inside_out;
} totals;

// Returns six times the volume; above 0 where triangles are counter-clockwise from outside.
static double volume_of(const bsp_model_mesh *mesh) {
    double sum = 0;
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        double p[3][3];
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t axis = k % 3; // from the middle of the box, for models that stand elsewhere
            p[k / 3][axis] = (double)mesh->vertices[mesh->indices[i + k / 3]].position[axis] -
                             ((double)mesh->mins[axis] + (double)mesh->maxs[axis]) / 2;
        }
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
               p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum;
}

static void look_at(const row *r, const char *format, totals *total) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_asset *model = bsp_model_open_path(r->path, NULL, &error);
    if (model == NULL) {
        fail_msg("%s: %s", r->path, error.message);
    }
    const bsp_model_info *info = bsp_model_get_info(model);
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
    assert_non_null(mesh);
    if (strcmp(info->format->name, format) != 0 || (long)info->num_vertices != r->vertices ||
        (long)info->num_triangles != r->triangles || (long)mesh->num_indices != 3 * r->triangles) {
        fail_msg("%s: %s, %u vertices, %u triangles (%u drawn), and not %ld and %ld", r->path,
                 info->format->name, info->num_vertices, info->num_triangles, mesh->num_indices / 3,
                 r->vertices, r->triangles);
    }
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        const float *n = mesh->vertices[i].normal;
        float length = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        assert_true(fabsf(length - 1) < 1e-4F);
    }
    total->opened++;
    total->inside_out += volume_of(mesh) < 0;
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

static FILE *open_list(void) {
    FILE *list = fopen(FOLDER "COUNTS.tsv", "r");
    char line[8192];
    if (list == NULL || fgets(line, sizeof line, list) == NULL) {
        print_message("SKIP: ../shared/models is not there\n");
        skip();
    }
    return list;
}

// --- GoldSrc ------------------------------------------------------------------------------------

/// What the models of GoldSrc have together.
typedef struct studio {
    uint32_t opened;
    uint32_t inside;     ///< posed within the box of their first sequence
    uint32_t inside_out; ///< by their volume
} studio;

// Returns how many triangles the choices of all body parts have, each drawn once.
static uint64_t count_choices(const bsp_model_asset *model) {
    const bsp_model_info *info = bsp_model_get_info(model);
    uint64_t triangles = 0;
    uint32_t base = 1;
    for (uint32_t part = 0; part < info->num_body_parts; part++) {
        for (uint32_t choice = 0; choice < info->choices[part]; choice++) {
            bsp_model_pose pose = {.body = base * choice};
            bsp_model_mesh *mesh = bsp_model_mesh_build(model, &pose, NULL);
            assert_non_null(mesh);
            for (uint32_t i = 0; i < mesh->num_groups; i++) {
                triangles +=
                    mesh->groups[i].body_part == part ? mesh->groups[i].num_indices / 3 : 0;
            }
            bsp_model_mesh_free(mesh);
        }
        base *= info->choices[part] == 0 ? 1 : info->choices[part];
    }
    return triangles;
}

// Returns true if the mesh lies in the box of sequence 0, as the file has it.
static bool is_inside(const char *path, const bsp_model_mesh *mesh) {
    bsp_model_file *file = bsp_model_file_open(path, NULL, NULL);
    const bsp_parts *parts = bsp_model_file_parts(file);
    bsp_table table = bsp_parts_table(parts, bsp_parts_find(parts, bsp_text_of("sequences")));
    bool inside = table.count != 0;
    for (uint32_t axis = 0; inside && axis < 3; axis++) {
        uint32_t mins = bsp_layout_find_field(table.layout, bsp_text_of("bbmin"));
        uint32_t maxs = bsp_layout_find_field(table.layout, bsp_text_of("bbmax"));
        inside = mesh->mins[axis] > bsp_table_float(&table, 0, mins, axis) - 0.1F &&
                 mesh->maxs[axis] < bsp_table_float(&table, 0, maxs, axis) + 0.1F;
    }
    bsp_model_file_close(file);
    return inside;
}

static void look_at_studio(const row *r, studio *total) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_asset *model = bsp_model_open_path(r->path, NULL, &error);
    if (model == NULL) {
        fail_msg("%s: %s", r->path, error.message);
    }
    const bsp_model_info *info = bsp_model_get_info(model);
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
    assert_non_null(mesh);
    if ((long)info->num_vertices != r->vertices || (long)info->num_triangles != r->triangles ||
        (long)count_choices(model) != r->triangles) {
        fail_msg("%s: %u vertices, %u triangles, %llu in all choices, and not %ld and %ld", r->path,
                 info->num_vertices, info->num_triangles, (unsigned long long)count_choices(model),
                 r->vertices, r->triangles);
    }
    for (uint32_t i = 0; i < info->num_materials; i++) {
        bsp_image image;
        assert_true(bsp_model_image(model, i, &image, &error));
        assert_int_equal(image.width, info->materials[i].width);
        bsp_image_free(&image);
    }
    total->opened++;
    total->inside += is_inside(r->path, mesh);
    total->inside_out += volume_of(mesh) < 0;
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// Modern exporters write other boxes: the sheet (3) found 56 of 105 models in theirs.
static void goldsrc_models_open_in_their_pose(void **state) {
    (void)state;
    FILE *list = open_list();
    studio total = {0, 0, 0};
    row r;
    while (read_row(list, &r)) {
        bool texture_file = r.triangles == 0; // textures only
        if (strcmp(r.format, "goldsrc-mdl") == 0 && !texture_file) {
            look_at_studio(&r, &total);
        }
    }
    (void)fclose(list);
    print_message("%u models, %u in the box of their sequence, %u inside out\n", total.opened,
                  total.inside, total.inside_out);
    assert_true(total.opened >= 60);
    assert_true(total.inside * 4 > total.opened);
    assert_true(total.inside_out * 10 < total.opened);
}

// --- Source -------------------------------------------------------------------------------------

// Vertices are in the list's row of the .mdl; the drawn triangles must be those that the strips
// have, whose count is that of the .vtx. Models without their vertices have none.
static void look_at_source(const row *r, studio *total, uint32_t *missing) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_asset *model = bsp_model_open_path(r->path, NULL, &error);
    if (model == NULL) {
        fail_msg("%s: %s", r->path, error.message);
    }
    const bsp_model_info *info = bsp_model_get_info(model);
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
    assert_non_null(mesh);
    if (info->num_vertices == 0) {
        (*missing)++;
    } else {
        assert_int_equal(info->num_vertices, r->vertices);
        assert_int_equal(count_choices(model), info->num_triangles);
        total->opened++;
        total->inside += info->static_prop || is_inside(r->path, mesh);
        total->inside_out += volume_of(mesh) < 0;
    }
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// The sheet (9.2) found every model that is no static prop in the box of its first sequence.
static void source_models_open_in_their_pose(void **state) {
    (void)state;
    FILE *list = open_list();
    studio total = {0, 0, 0};
    uint32_t missing = 0;
    row r;
    while (read_row(list, &r)) {
        if (strcmp(r.format, "source-mdl") == 0) {
            look_at_source(&r, &total, &missing);
        }
    }
    (void)fclose(list);
    print_message(
        "%u models, %u in the box of their sequence, %u inside out; %u without vertices\n",
        total.opened, total.inside, total.inside_out, missing);
    assert_true(total.opened >= 60);
    assert_int_equal(total.inside, total.opened);
    assert_true(total.inside_out * 5 < total.opened);
}

// The triangles of strips, counted by an independent parser.
static void strips_have_the_triangles_of_the_list(void **state) {
    (void)state;
    FILE *list = open_list();
    uint32_t models = 0;
    row r;
    while (read_row(list, &r)) {
        char *end = strstr(r.path, ".dx90.vtx");
        if (end != NULL) {
            memcpy(end, ".mdl", 5);
            bsp_model_asset *model = bsp_model_open_path(r.path, NULL, NULL);
            assert_non_null(model);
            assert_int_equal(bsp_model_get_info(model)->num_triangles, r.triangles);
            bsp_model_close(model);
            models++;
        }
    }
    (void)fclose(list);
    assert_true(models >= 60);
}

// Most models are closed bodies, whose triangles look outwards; flat ones and rooms are not.
static void counts_are_those_of_the_list(void **state) {
    (void)state;
    FILE *list = open_list();
    totals total = {0, 0};
    row r;
    while (read_row(list, &r)) {
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
            if (strcmp(r.format, formats[i][0]) == 0) {
                look_at(&r, formats[i][1], &total);
            }
        }
    }
    (void)fclose(list);
    print_message("%u models, %u of them turned inside out\n", total.opened, total.inside_out);
    assert_true(total.opened > 200);
    assert_true(total.inside_out * 10 < total.opened);
}

// Sprites of all kinds are a rectangle; the list has no counts of them.
static void sprites_open(void **state) {
    (void)state;
    FILE *list = open_list();
    uint32_t sprites = 0;
    row r;
    while (read_row(list, &r)) {
        if (strcmp(r.format, "sprite") == 0 || strcmp(r.format, "sp2") == 0) {
            bsp_error error = {.code = BSP_OK};
            bsp_model_asset *model = bsp_model_open_path(r.path, NULL, &error);
            if (model == NULL) {
                fail_msg("%s: %s", r.path, error.message);
            }
            bsp_model_mesh *mesh = bsp_model_mesh_build(model, NULL, &error);
            assert_true(mesh != NULL && mesh->sprite && mesh->num_indices == 6);
            bsp_image image;
            bool embedded = bsp_model_get_info(model)->materials[0].embedded;
            assert_true(bsp_model_image(model, 0, &image, &error) == embedded);
            bsp_image_free(&image);
            bsp_model_mesh_free(mesh);
            bsp_model_close(model);
            sprites++;
        }
    }
    (void)fclose(list);
    assert_true(sprites >= 60);
}

// FM, MDX and DKM: the counts are those that the heads state, read by hand.
static void fixtures_open(void **state) {
    static const struct {
        const char *path;
        const char *format;
        uint32_t vertices;
        uint32_t triangles;
    } files[] = {
        {"LoadFmModel/models/objects/halberd/tris.fm", "fm", 20, 36},
        {"LoadMdxModel/cube.mdx", "kingpin-mdx", 1, 1},
        {"LoadDkmModel/cube.dkm", "dkm", 1, 1},
    };
    (void)state;
    (void)fclose(open_list());
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        bsp_error error = {.code = BSP_OK};
        snprintf(path, sizeof path, FOLDER "games/trenchbroom-fixtures/%s", files[i].path);
        bsp_model_asset *model = bsp_model_open_path(path, NULL, &error);
        assert_non_null(model);
        const bsp_model_info *info = bsp_model_get_info(model);
        assert_string_equal(info->format->name, files[i].format);
        assert_int_equal(info->num_vertices, files[i].vertices);
        assert_int_equal(info->num_triangles, files[i].triangles);
        bsp_model_close(model);
    }
}

static void invalid_ones_are_refused(void **state) {
    static const char *const files[] = {"LoadMdlModel/invalid.mdl", "LoadMd2Model/invalid.md2",
                                        "LoadMdxModel/invalid.mdx", "LoadDkmModel/invalid.dkm"};
    (void)state;
    (void)fclose(open_list());
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        bsp_error error = {.code = BSP_OK};
        snprintf(path, sizeof path, FOLDER "games/trenchbroom-fixtures/%s", files[i]);
        assert_null(bsp_model_open_path(path, NULL, &error));
        assert_true(error.code == BSP_E_FORMAT || error.code == BSP_E_UNSUPPORTED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_list),
        cmocka_unit_test(goldsrc_models_open_in_their_pose),
        cmocka_unit_test(source_models_open_in_their_pose),
        cmocka_unit_test(strips_have_the_triangles_of_the_list),
        cmocka_unit_test(sprites_open),
        cmocka_unit_test(fixtures_open),
        cmocka_unit_test(invalid_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
