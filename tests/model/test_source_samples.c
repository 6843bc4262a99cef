// SPDX-License-Identifier: MIT
// Source's models of samples/models: light at vertices, included models, levels of detail, hulls.
#include "support/model_samples.h"

static bsp_model_file *open_light(const char *path) {
    bsp_error error = {.code = BSP_OK};
    bsp_model_file *file = bsp_model_file_open(path, NULL, &error);
    if (file == NULL) {
        fail_msg("%s: %s", path, error.message);
    }
    return file;
}

// The light of each vertex tells its side, its corner and the level of detail for which it was
// computed: the first that has the vertex. Groups of strips have their vertices in orders of their
// own.
static void vertices_have_the_light_of_their_strips(void **state) {
    (void)state;
    static const float normals[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    bsp_model_asset *model = open_sample("source/models/props/crate.mdl");
    bsp_model_file *light = open_light(SAMPLES "source/sp_0.vhv");
    for (uint32_t lod = 0; lod < 2; lod++) {
        bsp_model_pose pose = {.lod = lod};
        bsp_model_mesh *mesh = build(model, &pose);
        uint8_t colors[24][4];
        assert_int_equal(mesh->num_vertices, lod == 0 ? 24 : 16);
        assert_true(bsp_model_vertex_light(model, mesh, light, colors, NULL));
        for (uint32_t i = 0; i < mesh->num_vertices; i++) {
            const bsp_model_vertex *v = &mesh->vertices[i];
            uint32_t side = colors[i][0] / 40;
            uint32_t corner = colors[i][1] / 60;
            assert_true(side < 6 && corner < 4 && colors[i][3] == 255);
            assert_memory_equal(v->normal, normals[side], sizeof v->normal);
            assert_true((v->uv[0] > 0.5F) == (corner == 1 || corner == 2));
            assert_true((v->uv[1] > 0.5F) == (corner == 0 || corner == 1));
            assert_int_equal(colors[i][2], 100);
        }
        bsp_model_mesh_free(mesh);
    }
    bsp_model_file_close(light);
    bsp_model_close(model);
}

// A light of another model, and a file that is none, are refused.
static void light_of_another_model_is_refused(void **state) {
    (void)state;
    bsp_error error = {.code = BSP_OK};
    bsp_model_asset *model = open_sample("source/models/props/crate.mdl");
    bsp_model_mesh *mesh = build(model, NULL);
    bsp_blob blob;
    uint8_t colors[24][4];
    assert_true(bsp_blob_read(SAMPLES "source/sp_0.vhv", NULL, NULL, &blob, &error));
    uint8_t *bytes = malloc(blob.size);
    assert_non_null(bytes);
    for (int what = 0; what < 3; what++) {
        memcpy(bytes, blob.data, blob.size);
        bytes[what == 0 ? 4 : what == 1 ? 20 : 44]--; // checksum; number of groups; of vertices
        bsp_bytes made = {bytes, blob.size};
        bsp_model_file *light = bsp_model_file_open_memory(made, "made", NULL, &error);
        assert_non_null(light);
        assert_false(bsp_model_vertex_light(model, mesh, light, colors, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        assert_non_null(strstr(error.message, what == 0 ? "another model" : "other strips"));
        bsp_model_file_close(light);
    }
    bsp_model_file *other = open_light(SAMPLES "source/models/props/crate.phy");
    assert_false(bsp_model_vertex_light(model, mesh, other, colors, &error));
    assert_int_equal(error.code, BSP_E_FORMAT);
    bsp_model_file_close(other);
    free(bytes);
    bsp_blob_free(&blob);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// The corners above hang on the bone "top", which sequences of an included model move: one from a
// file of blocks, one that is added to any pose, two in whole frames.
static void included_models_move_bones_by_name(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("source/models/lift.mdl");
    const bsp_model_info *info = bsp_model_get_info(model);
    static const char *const names[] = {"idle", "up", "add", "frames", "few"};
    static const struct {
        uint32_t sequence;
        uint32_t frame;
        float top;
        bool turned;
    } rows[] = {{0, 0, 16, false}, {1, 0, 16, false}, {1, 1, 24, false}, {2, 0, 20, true},
                {3, 0, 16, true},  {3, 1, 24, true},  {4, 0, 16, false}, {4, 1, 24, true}};
    assert_int_equal(info->num_sequences, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(bsp_text_equal(info->sequences[i].name, bsp_text_of(names[i])));
        assert_int_equal(info->sequences[i].num_frames, i == 1 || i > 2 ? 2 : 1);
        assert_true(info->sequences[i].loops == (i == 1));
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bsp_model_pose pose = {.sequence = rows[i].sequence, .frame = rows[i].frame};
        bsp_model_mesh *mesh = build(model, &pose);
        assert_int_equal(mesh->num_vertices, 24);
        assert_true(fabsf(mesh->maxs[2] - rows[i].top) < 0.001F && mesh->mins[2] == -16);
        // A quarter turn about z takes the axis x of the bone to y.
        const bsp_model_bone *top = &mesh->bones[1];
        assert_true(fabsf(top->place[1][0] - (rows[i].turned ? 1 : 0)) < 0.001F);
        assert_true(fabsf(top->place[0][0] - (rows[i].turned ? 0 : 1)) < 0.001F);
        bsp_model_mesh_free(mesh);
    }
    bsp_model_close(model);
}

// Titanfall's models have version 52; none has one between that and the last of Valve's.
static void versions_between_are_refused(void **state) {
    (void)state;
    for (uint8_t version = 49; version < 54; version++) {
        uint8_t bytes[408] = {'I', 'D', 'S', 'T', version};
        bsp_error error = {.code = BSP_OK};
        bsp_model_file *file =
            bsp_model_file_open_memory((bsp_bytes){bytes, sizeof bytes}, "m", NULL, &error);
        assert_true((file != NULL) == (version == 49 || version == 52));
        assert_true(file != NULL || error.code == BSP_E_UNSUPPORTED);
        bsp_model_file_close(file);
    }
}

// The coarse level of the crate draws another material, which is one more of the model's.
static void levels_of_detail_replace_materials(void **state) {
    static const char *const names[] = {"oak", "pine"};
    (void)state;
    bsp_model_asset *model = open_sample("source/models/props/wide.mdl");
    const bsp_model_info *info = bsp_model_get_info(model);
    assert_int_equal(info->num_materials, 2);
    for (uint32_t lod = 0; lod < 2; lod++) {
        bsp_model_pose pose = {.lod = lod};
        bsp_model_mesh *mesh = build(model, &pose);
        const bsp_model_material *material = &info->materials[mesh->groups[0].material];
        assert_true(bsp_text_equal(material->name, bsp_text_of(names[lod])));
        assert_true(material->num_paths == 2 && material->paths[0].size == 13 + strlen(names[lod]));
        bsp_model_mesh_free(mesh);
    }
    bsp_model_close(model);
}

static void hull_of_the_crate_is_the_crate(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("source/models/props/crate.mdl");
    bsp_model_mesh *mesh = build(model, NULL);
    double sum = 0;
    assert_int_equal(mesh->num_hulls, 1);
    assert_int_equal(bsp_model_get_info(model)->num_hulls, 1);
    assert_true(mesh->num_hull_points == 8 && mesh->num_hull_indices == 36);
    assert_int_equal(mesh->hulls[0].bone, BSP_NONE);
    for (uint32_t i = 0; i < 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabsf(fabsf(mesh->hull_points[i][axis]) - 16) < 1e-4F);
        }
    }
    for (uint32_t i = 0; i < 36; i += 3) {
        const float *a = mesh->hull_points[mesh->hull_indices[i]];
        const float *b = mesh->hull_points[mesh->hull_indices[i + 1]];
        const float *c = mesh->hull_points[mesh->hull_indices[i + 2]];
        sum += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0]));
    }
    assert_true(fabs(sum / 6 - 32768) < 1);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_have_the_light_of_their_strips),
        cmocka_unit_test(light_of_another_model_is_refused),
        cmocka_unit_test(included_models_move_bones_by_name),
        cmocka_unit_test(versions_between_are_refused),
        cmocka_unit_test(levels_of_detail_replace_materials),
        cmocka_unit_test(hull_of_the_crate_is_the_crate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
